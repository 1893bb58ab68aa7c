//! Reading web archives: files, pipes, slices, and the archives in a WACZ.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use super::item::kind_of;
use crate::container::warc::{
    Batch, Deflated, Flaw, FlawKind, MAX_BLOCK, PROOF, Records, Splits, Wacz, WaczEntry,
    begins_member,
};
use crate::error::{Error, ErrorKind};

/// A streaming reader of the records of a web archive.
#[derive(Debug)]
pub struct WebArchiveReader {
    name: Arc<Path>,
    len: Option<u64>,
    current: Option<Records>,
    max_block: usize,
    /// True if batches have the rest of longer blocks.
    in_pieces: bool,
    wacz: Option<OpenWacz>,
    /// The rest of an archive that is read in parts.
    parts: Option<Parts>,
    /// Errors that come before further records.
    errors: VecDeque<Error>,
    /// The files in a WACZ that are not where archives are.
    misplaced: VecDeque<String>,
}

/// The archives in a WACZ that were not read yet.
#[derive(Debug)]
struct OpenWacz {
    file: File,
    /// With the places where it can be divided, if archives are read in parts.
    entries: VecDeque<(WaczEntry, Option<Splits>)>,
    indexes: Vec<WaczEntry>,
}

/// The parts of an archive that were not read yet.
#[derive(Debug)]
struct Parts {
    archive: Arc<Path>,
    reader: Part,
    /// The offset of the next part in the archive.
    next: u64,
    ends: VecDeque<u64>,
}

/// Records of a web archive for a worker.
#[derive(Debug)]
pub enum Work {
    /// Records that are inflated.
    Batch(Batch),
    /// A part of an archive that the worker inflates.
    Part(ArchivePart),
}

/// A part of an archive in gzip that begins with a record.
#[derive(Debug)]
pub struct ArchivePart {
    archive: Arc<Path>,
    bytes: Arc<[u8]>,
    offset: u64,
    is_last: bool,
}

impl Work {
    /// The number of bytes that it holds.
    pub fn byte_len(&self) -> usize {
        match self {
            Self::Batch(batch) => batch.byte_len(),
            Self::Part(part) => part.bytes.len(),
        }
    }

    /// The number of bytes of the file or archive that were read.
    pub fn end(&self) -> u64 {
        match self {
            Self::Batch(batch) => batch.position(),
            Self::Part(part) => part.offset + part.bytes.len() as u64,
        }
    }
}

impl ArchivePart {
    /// Inflates its records.
    pub fn batches(&self) -> impl Iterator<Item = Batch> {
        let (archive, bytes) = (Arc::clone(&self.archive), Arc::clone(&self.bytes));
        // The bytes are in memory, so reading does not fail.
        Records::part(archive, bytes, self.offset, self.is_last).flatten()
    }
}

impl WebArchiveReader {
    /// A reader of an archive that is not a WACZ.
    pub(super) fn of_records(name: Arc<Path>, records: Records, len: Option<u64>) -> Self {
        Self {
            name,
            len,
            current: Some(records),
            max_block: MAX_BLOCK,
            in_pieces: false,
            wacz: None,
            parts: None,
            errors: VecDeque::new(),
            misplaced: VecDeque::new(),
        }
    }

    /// A reader of the archives in a WACZ.
    pub(super) fn of_wacz(name: Arc<Path>, file: File, len: Option<u64>) -> Result<Self, Error> {
        let problem = |problem| Error::new(&*name, ErrorKind::WebArchive { problem });
        let contents = Wacz::read(BufReader::new(&file));
        let contents = contents.map_err(|it| problem(format!("not a whole WACZ: {it}")))?;
        let mut errors = VecDeque::new();
        let mut readable = VecDeque::new();
        for entry in contents.archives {
            match entry {
                Ok(entry) => readable.push_back((entry, None)),
                Err(error) => errors.push_back(problem(error)),
            }
        }
        if readable.is_empty() && errors.is_empty() {
            errors.push_back(problem("a WACZ without archives".to_owned()));
        }
        Ok(Self {
            name,
            len,
            current: None,
            max_block: MAX_BLOCK,
            in_pieces: false,
            wacz: Some(OpenWacz { file, entries: readable, indexes: contents.indexes }),
            parts: None,
            errors,
            misplaced: contents.misplaced.into(),
        })
    }

    /// Returns the reader with this maximum length of a block, in bytes. The rest of a longer one
    /// is in further batches.
    #[must_use]
    pub(crate) fn in_pieces(self, max_block: usize) -> Self {
        let current = self.current;
        Self {
            current: current.map(|records| records.max_block(max_block).in_pieces()),
            max_block,
            in_pieces: true,
            ..self
        }
    }

    /// A reader of records with the bounds of this one.
    fn bounded(&self, records: Records) -> Records {
        let records = records.max_block(self.max_block);
        if self.in_pieces {
            return records.in_pieces();
        }
        records
    }

    /// The name in records.
    pub fn name(&self) -> &Arc<Path> {
        &self.name
    }

    /// The length in bytes, if known.
    pub fn byte_len(&self) -> Option<u64> {
        self.len
    }

    /// The records for workers. Archives in a WACZ with an index are read in parts, which the
    /// workers inflate.
    pub(crate) fn in_parts(mut self) -> impl Iterator<Item = Result<Work, Error>> {
        if let Some(wacz) = &mut self.wacz {
            wacz.read_indexes();
        }
        std::iter::from_fn(move || self.next_work())
    }

    fn next_work(&mut self) -> Option<Result<Work, Error>> {
        loop {
            if let Some(error) = self.errors.pop_front() {
                return Some(Err(error));
            }
            if let Some(name) = self.misplaced.pop_front() {
                let (offset, kind) = (0, FlawKind::Misplaced);
                let batch = Batch::of_flaw(self.name_of(&name), Flaw { offset, kind });
                return Some(Ok(Work::Batch(batch)));
            }
            if let Some(records) = &mut self.current {
                if let Some(batch) = records.next() {
                    let archive = records.archive();
                    let error = |error| Error::new(&**archive, kind_of(error));
                    return Some(batch.map(Work::Batch).map_err(error));
                }
                self.current = None;
            }
            if let Some(parts) = &mut self.parts {
                match parts.next_part() {
                    Ok(Some(part)) => return Some(Ok(Work::Part(part))),
                    Ok(None) => self.parts = None,
                    Err(error) => {
                        let error = Error::new(&*parts.archive, ErrorKind::Read(error));
                        self.parts = None;
                        return Some(Err(error));
                    }
                }
            } else if let Err(error) = self.open_next()? {
                return Some(Err(error));
            }
        }
    }

    /// The name of a file in the WACZ.
    fn name_of(&self, file: &str) -> Arc<Path> {
        let mut name = self.name.as_os_str().to_owned();
        name.push("!");
        name.push(file);
        Path::new(&name).into()
    }

    /// Opens the next archive of a WACZ.
    fn open_next(&mut self) -> Option<Result<(), Error>> {
        let (entry, splits) = self.wacz.as_mut()?.entries.pop_front()?;
        let wacz = self.wacz.as_ref()?;
        let name = self.name_of(&entry.name);
        Some(match wacz.part(&entry) {
            Err(error) => Err(Error::new(&*name, ErrorKind::Read(error))),
            Ok(part) if entry.is_deflated => {
                let reader = Box::new(Deflated::new(part, entry.checksum));
                self.current = Some(self.bounded(Records::new(name, reader, None)));
                Ok(())
            }
            Ok(part) => {
                let ends = splits.map_or_else(Vec::new, |it| wacz.ends_of_parts(&entry, &it));
                if ends.is_empty() {
                    let records = Records::new(name, Box::new(part), Some(entry.len));
                    self.current = Some(self.bounded(records));
                } else {
                    self.parts = Some(Parts {
                        archive: name,
                        reader: part,
                        next: 0,
                        ends: ends.into_iter().chain([entry.len]).collect(),
                    });
                }
                Ok(())
            }
        })
    }
}

impl Iterator for WebArchiveReader {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        // Only `in_parts` makes other work.
        self.next_work()?
            .map(|work| match work {
                Work::Batch(batch) => Some(batch),
                Work::Part(_) => None,
            })
            .transpose()
    }
}

impl OpenWacz {
    fn part(&self, entry: &WaczEntry) -> io::Result<Part> {
        Ok(Part {
            file: self.file.try_clone()?,
            at: entry.offset,
            end: entry.offset.saturating_add(entry.len),
        })
    }

    /// Finds the places where archives can be divided.
    fn read_indexes(&mut self) {
        let len = self.file.metadata().map_or(0, |it| it.len());
        let own = |(entry, _): &(WaczEntry, _)| Splits::new(&entry.name, entry.len.min(len));
        let mut splits: Vec<Splits> = self.entries.iter().map(own).collect();
        for index in &self.indexes {
            let Ok(part) = self.part(index) else {
                continue;
            };
            match index.is_deflated {
                true => {
                    let reader = Deflated::new(part, index.checksum);
                    Splits::read_index(&mut splits, reader);
                }
                false => Splits::read_index(&mut splits, part),
            }
        }
        for ((_, own), splits) in self.entries.iter_mut().zip(splits) {
            *own = Some(splits);
        }
    }

    /// The ends of the parts of an archive, but the last. Empty if it is read as a whole.
    fn ends_of_parts(&self, entry: &WaczEntry, splits: &Splits) -> Vec<u64> {
        let is_proved = |offset| {
            let Ok(mut part) = self.part(entry) else {
                return false;
            };
            part.at = part.at.saturating_add(offset).min(part.end);
            let mut bytes = Vec::new();
            let read = part.take(PROOF as u64).read_to_end(&mut bytes);
            read.is_ok() && begins_member(&bytes)
        };
        match is_proved(0) {
            true => splits.ends(entry.len, is_proved),
            false => Vec::new(),
        }
    }
}

impl Parts {
    fn next_part(&mut self) -> io::Result<Option<ArchivePart>> {
        let Some(end) = self.ends.pop_front() else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let len = end - self.next;
        (&mut self.reader).take(len).read_to_end(&mut bytes)?;
        let offset = std::mem::replace(&mut self.next, end);
        Ok(Some(ArchivePart {
            archive: Arc::clone(&self.archive),
            bytes: bytes.into(),
            offset,
            is_last: self.ends.is_empty(),
        }))
    }
}

/// The error about a flaw.
pub(crate) fn error_of(batch: &Batch, flaw: &Flaw) -> Error {
    let problem = flaw.kind.to_string();
    Error::new(batch.name_at(flaw.offset), ErrorKind::WebArchive { problem })
}

/// A part of a file that several readers may share: it seeks before it reads.
#[derive(Debug)]
struct Part {
    file: File,
    at: u64,
    end: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.seek(SeekFrom::Start(self.at))?;
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        let read = self.file.read(&mut buffer[..len])?;
        self.at += read as u64;
        Ok(read)
    }
}
