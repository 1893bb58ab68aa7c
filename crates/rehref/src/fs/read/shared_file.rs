//! A file that several threads read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A file that several threads read, each from an offset of its own. Not affected by the position of
/// the file.
#[derive(Clone, Debug)]
pub struct SharedFile {
    file: Arc<File>,
    len: u64,
}

impl SharedFile {
    /// A file of this length. `None` if the system reads files only at their position.
    pub(super) fn new(file: &File, len: u64) -> Option<Self> {
        let can_read = cfg!(any(unix, windows));
        let file = can_read.then(|| file.try_clone().ok()).flatten()?;
        Some(Self { file: Arc::new(file), len })
    }

    /// The length in bytes when the file was opened.
    pub fn byte_len(&self) -> u64 {
        self.len
    }

    /// Reads bytes from an offset on until the buffer is full or the file ends. Returns their number.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut reader = self.range(offset, u64::MAX);
        let mut len = 0;
        while len < buffer.len() {
            match reader.read(&mut buffer[len..]) {
                Ok(0) => break,
                Ok(read) => len += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(len)
    }

    /// A reader of the bytes from an offset to an end.
    pub(crate) fn range(&self, offset: u64, end: u64) -> FileRange {
        FileRange { file: Arc::clone(&self.file), begin: offset, at: offset, end }
    }
}

/// A reader of a range of a file. Positions begin with the range.
#[derive(Debug)]
pub(crate) struct FileRange {
    file: Arc<File>,
    begin: u64,
    /// The offset in the file.
    at: u64,
    end: u64,
}

impl Read for FileRange {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        let read = read_at(&self.file, &mut buffer[..len], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for FileRange {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, distance) = match to {
            SeekFrom::Start(offset) => (self.begin.saturating_add(offset), 0),
            SeekFrom::Current(distance) => (self.at, distance),
            SeekFrom::End(distance) => (self.end, distance),
        };
        let at = from.checked_add_signed(distance).filter(|at| *at >= self.begin);
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at - self.begin)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}
