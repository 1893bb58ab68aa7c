//! Reading web archives: files, pipes, slices, and the archives in a WACZ.

use std::collections::VecDeque;
use std::io::BufReader;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::item::kind_of;
use super::shared_file::{FileRange, SharedFile};
use crate::container::warc::{
    Batch, Deflated, Flaw, FlawKind, RangedArchive, Records, Wacz, WaczEntry, entry_points,
};
use crate::error::{Error, ErrorKind};

/// The most WACZ files in one file, and the greatest number of WACZ files around one.
const MAX_WACZ: usize = 1 << 12;
const DEEPEST: usize = 3;

/// The most WACZ files whose pages are searched for the one to begin at, and the most of their pages.
const MOST_STARTS: usize = 16;
const MOST_URLS: usize = 10_000;

/// The length of the ranges in which threads read an archive, in bytes.
const DISTANCE: u64 = 2 << 20;

/// A streaming reader of the records of a web archive.
#[derive(Debug)]
pub struct WebArchiveReader {
    name: Arc<Path>,
    len: Option<u64>,
    /// The archive that is not a WACZ, if several threads can read it.
    file: Option<SharedFile>,
    current: Option<Records>,
    wacz: Option<OpenWacz>,
    /// Errors that come before further records.
    errors: VecDeque<Error>,
    /// The files in a WACZ that are not where archives are.
    misplaced: VecDeque<String>,
}

/// The archives in a WACZ that were not read yet.
#[derive(Debug)]
struct OpenWacz {
    file: SharedFile,
    entries: VecDeque<WaczEntry>,
    /// The ranges of the WACZ files: the file itself, and those in it.
    wacz_ranges: Vec<Range<u64>>,
}

/// An archive that threads read in ranges.
pub(crate) type ArchiveRanges = RangedArchive<OpenRange>;

/// Opens an archive at an offset.
type OpenRange = Box<dyn Fn(u64) -> FileRange + Send + Sync>;

/// The records of an archive.
pub(crate) enum ArchiveRecords {
    /// One after another.
    Stream(Box<Records>),
    Ranges(ArchiveRanges),
    /// None: the file in a WACZ is misplaced.
    Flaw(Batch),
}

impl WebArchiveReader {
    /// A reader of an archive that is not a WACZ.
    pub(super) fn of_records(name: Arc<Path>, records: Records, len: Option<u64>) -> Self {
        Self {
            name,
            len,
            file: None,
            current: Some(records),
            wacz: None,
            errors: VecDeque::new(),
            misplaced: VecDeque::new(),
        }
    }

    /// Returns the reader of this file.
    #[must_use]
    pub(super) fn of_file(self, file: Option<SharedFile>) -> Self {
        Self { file, ..self }
    }

    /// A reader of the archives in a WACZ.
    pub(super) fn of_wacz(
        name: Arc<Path>,
        file: SharedFile,
        len: Option<u64>,
    ) -> Result<Self, Error> {
        let problem = |problem| Error::new(&*name, ErrorKind::WebArchive { problem });
        let (mut errors, mut misplaced) = (VecDeque::new(), VecDeque::new());
        let mut readable = VecDeque::new();
        // The name of a WACZ before those of its files, the number of those around it, and its range.
        let mut unread = VecDeque::from([(String::new(), 0, 0..file.byte_len())]);
        let mut wacz_ranges = Vec::new();
        while let Some((name, depth, range)) = unread.pop_front() {
            let contents = Wacz::read(BufReader::new(file.range(range.start, range.end)));
            let contents = match contents {
                Ok(contents) => contents,
                Err(error) => {
                    let error = match name.strip_suffix('!') {
                        None => return Err(problem(format!("not a whole WACZ: {error}"))),
                        Some(name) => problem(format!("{name} is not a whole WACZ: {error}")),
                    };
                    errors.push_back(error);
                    continue;
                }
            };
            let placed = |entry: WaczEntry| {
                let name = format!("{name}{}", entry.name);
                let is_inside = entry.offset.saturating_add(entry.len) <= range.end - range.start;
                // If the file itself is cut, reading reports it.
                match is_inside || depth == 0 {
                    true => Ok(WaczEntry { name, offset: range.start + entry.offset, ..entry }),
                    false => Err(format!("{name} is longer than its WACZ")),
                }
            };
            for entry in contents.archives {
                match entry.and_then(placed) {
                    Ok(entry) => readable.push_back(entry),
                    Err(error) => errors.push_back(problem(error)),
                }
            }
            for entry in contents.nested {
                let is_read = depth < DEEPEST && wacz_ranges.len() + unread.len() < MAX_WACZ;
                match placed(entry) {
                    Ok(WaczEntry { name, offset, len, .. }) if is_read => {
                        let end = offset.saturating_add(len).min(range.end);
                        unread.push_back((format!("{name}!"), depth + 1, offset..end));
                    }
                    Ok(WaczEntry { name, .. }) => {
                        let why = "one WACZ has too many others, or they are too deep";
                        errors.push_back(problem(format!("{name} is not read: {why}")));
                    }
                    Err(error) => errors.push_back(problem(error)),
                }
            }
            misplaced.extend(contents.misplaced.into_iter().map(|it| format!("{name}{it}")));
            wacz_ranges.push(range);
        }
        if readable.is_empty() && errors.is_empty() {
            errors.push_back(problem("a WACZ without archives".to_owned()));
        }
        Ok(Self {
            name,
            len,
            file: None,
            current: None,
            wacz: Some(OpenWacz { file, entries: readable, wacz_ranges }),
            errors,
            misplaced,
        })
    }

    /// The name in records.
    pub fn name(&self) -> &Arc<Path> {
        &self.name
    }

    /// The length in bytes, if known.
    pub fn byte_len(&self) -> Option<u64> {
        self.len
    }

    /// The URLs at which to begin to read the pages, if the archive is a WACZ that names them.
    pub(crate) fn entry_points(&self) -> impl Iterator<Item = String> {
        let files =
            self.wacz.iter().flat_map(|it| it.wacz_ranges.iter().map(|range| (&it.file, range)));
        let of_file = |(file, range): (&SharedFile, &Range<u64>)| {
            entry_points(BufReader::new(file.range(range.start, range.end)))
        };
        files.take(MOST_STARTS).flat_map(of_file).take(MOST_URLS)
    }

    /// The archives: those in a WACZ, or one.
    pub(crate) fn archives(mut self) -> impl Iterator<Item = Result<ArchiveRecords, Error>> {
        std::iter::from_fn(move || self.next_archive(true))
    }

    /// The next archive. In ranges if it can be divided and `divides` is set.
    fn next_archive(&mut self, divides: bool) -> Option<Result<ArchiveRecords, Error>> {
        if let Some(error) = self.errors.pop_front() {
            return Some(Err(error));
        }
        if let Some(name) = self.misplaced.pop_front() {
            let (offset, kind) = (0, FlawKind::Misplaced);
            let batch = Batch::of_flaw(self.name_of(&name), Flaw { offset, kind });
            return Some(Ok(ArchiveRecords::Flaw(batch)));
        }
        if let Some(records) = self.current.take() {
            let file = self.file.as_ref().filter(|_| divides);
            let len = |file: &SharedFile| file.byte_len();
            let ranges = file.and_then(|it| ranges_of(Arc::clone(&self.name), it, 0, len(it)));
            return Some(Ok(ranges.map_or_else(
                || ArchiveRecords::Stream(Box::new(records)),
                ArchiveRecords::Ranges,
            )));
        }
        let entry = self.wacz.as_mut()?.entries.pop_front()?;
        let file = &self.wacz.as_ref()?.file;
        let (begin, end) = (entry.offset, entry.offset.saturating_add(entry.len));
        let name = self.name_of(&entry.name);
        if divides
            && !entry.is_deflated
            && end <= file.byte_len()
            && let Some(ranges) = ranges_of(Arc::clone(&name), file, begin, end)
        {
            return Some(Ok(ArchiveRecords::Ranges(ranges)));
        }
        let bytes = file.range(begin, end);
        Some(Ok(ArchiveRecords::Stream(Box::new(match entry.is_deflated {
            true => Records::new(name, Box::new(Deflated::new(bytes, entry.checksum)), None),
            false => Records::new(name, Box::new(bytes), Some(entry.len)),
        }))))
    }

    /// The name of a file in the WACZ.
    fn name_of(&self, file: &str) -> Arc<Path> {
        let mut name = self.name.as_os_str().to_owned();
        name.push("!");
        name.push(file);
        Path::new(&name).into()
    }
}

impl Iterator for WebArchiveReader {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(records) = &mut self.current
                && self.errors.is_empty()
                && self.misplaced.is_empty()
            {
                if let Some(batch) = records.next() {
                    let archive = records.archive();
                    return Some(batch.map_err(|error| Error::new(&**archive, kind_of(error))));
                }
                self.current = None;
            }
            match self.next_archive(false)? {
                Ok(ArchiveRecords::Stream(records)) => self.current = Some(*records),
                Ok(ArchiveRecords::Flaw(batch)) => return Some(Ok(batch)),
                // Nothing is divided.
                Ok(ArchiveRecords::Ranges(_)) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The ranges of the archive from `begin` to `end` of a file. `None` if it cannot be divided.
fn ranges_of(name: Arc<Path>, file: &SharedFile, begin: u64, end: u64) -> Option<ArchiveRanges> {
    let file = file.clone();
    let open: OpenRange = Box::new(move |offset| file.range(begin.saturating_add(offset), end));
    RangedArchive::new(name, end.saturating_sub(begin), DISTANCE, open)
}

/// The error about a flaw.
pub(crate) fn error_of(batch: &Batch, flaw: &Flaw) -> Error {
    let problem = flaw.kind.to_string();
    Error::new(batch.name_at(flaw.offset), ErrorKind::WebArchive { problem })
}
