//! Reading web archives: files, pipes, slices, and the archives in a WACZ.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use flate2::read::DeflateDecoder;

use super::item::{Reader, kind_of};
use crate::container::warc::{Batch, Flaw, MAX_BLOCK, Records, WaczEntry, wacz_entries};
use crate::error::{Error, ErrorKind};

/// A streaming reader of the records of a web archive.
#[derive(Debug)]
pub struct WebArchiveReader {
    name: Arc<Path>,
    len: Option<u64>,
    current: Option<Records>,
    max_block: usize,
    wacz: Option<Wacz>,
    /// Errors that come before further records.
    errors: VecDeque<Error>,
}

/// The archives in a WACZ that were not read yet.
#[derive(Debug)]
struct Wacz {
    file: File,
    entries: VecDeque<WaczEntry>,
}

impl WebArchiveReader {
    /// A reader of an archive that is not a WACZ.
    pub(super) fn of_records(name: Arc<Path>, records: Records, len: Option<u64>) -> Self {
        Self {
            name,
            len,
            current: Some(records),
            max_block: MAX_BLOCK,
            wacz: None,
            errors: VecDeque::new(),
        }
    }

    /// A reader of the archives in a WACZ.
    pub(super) fn of_wacz(name: Arc<Path>, file: File, len: Option<u64>) -> Result<Self, Error> {
        let problem = |problem| Error::new(&*name, ErrorKind::WebArchive { problem });
        let entries = wacz_entries(BufReader::new(&file));
        let entries = entries.map_err(|it| problem(format!("not a whole WACZ: {it}")))?;
        let mut errors = VecDeque::new();
        let mut readable = VecDeque::new();
        for entry in entries {
            match entry {
                Ok(entry) => readable.push_back(entry),
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
            wacz: Some(Wacz {
                file,
                entries: readable,
            }),
            errors,
        })
    }

    /// The same with this maximum length of a record, in bytes: the rest of a longer one is skipped.
    #[cfg(feature = "unpack")]
    #[must_use]
    pub(crate) fn max_block(self, len: usize) -> Self {
        Self {
            current: self.current.map(|records| records.max_block(len)),
            max_block: len,
            ..self
        }
    }

    /// The name in records.
    pub fn name(&self) -> &Arc<Path> {
        &self.name
    }

    /// The length in bytes, if known.
    pub fn byte_len(&self) -> Option<u64> {
        self.len
    }

    fn open_next(&mut self) -> Option<Result<(), Error>> {
        let wacz = self.wacz.as_mut()?;
        let entry = wacz.entries.pop_front()?;
        let mut name = self.name.as_os_str().to_owned();
        name.push("!");
        name.push(&entry.name);
        let name: Arc<Path> = Path::new(&name).into();
        Some(match wacz.file.try_clone() {
            Err(error) => Err(Error::new(&*name, ErrorKind::Read(error))),
            Ok(file) => {
                let part = Part {
                    file,
                    at: entry.offset,
                    end: entry.offset.saturating_add(entry.len),
                };
                let (reader, len): (Reader, _) = match entry.is_deflated {
                    true => (Box::new(DeflateDecoder::new(BufReader::new(part))), None),
                    false => (Box::new(part), Some(entry.len)),
                };
                self.current = Some(Records::new(name, reader, len).max_block(self.max_block));
                Ok(())
            }
        })
    }
}

impl Iterator for WebArchiveReader {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(error) = self.errors.pop_front() {
                return Some(Err(error));
            }
            if let Some(records) = &mut self.current {
                if let Some(batch) = records.next() {
                    let archive = records.archive();
                    return Some(batch.map_err(|error| Error::new(&**archive, kind_of(error))));
                }
                self.current = None;
            }
            if let Err(error) = self.open_next()? {
                return Some(Err(error));
            }
        }
    }
}

/// The error about a flaw.
pub(crate) fn error_of(batch: &Batch, flaw: &Flaw) -> Error {
    let problem = flaw.kind.to_string();
    Error::new(
        batch.name_at(flaw.offset),
        ErrorKind::WebArchive { problem },
    )
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
