//! A file that several threads read.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// The numbers of bytes of the first block, and of the longest ones, of a file that the program
/// reads. The first one may be all that is needed.
const FIRST_BLOCK: usize = 64 << 10;
const BLOCK: usize = 1 << 20;

/// A file that the program reads itself: one of an object store, or in another file.
///
/// Readers ask for up to a megabyte at a time, and for following bytes where they can.
pub trait ReadAt: Send + Sync {
    /// The length in bytes. Only needed for slices and WACZ files.
    ///
    /// # Errors
    /// Those of the program.
    fn byte_len(&self) -> io::Result<u64>;

    /// Reads bytes from an offset on. Returns their number, which is 0 only at the end of the file,
    /// or if the buffer is empty.
    ///
    /// # Errors
    /// Those of the program. They are the [source](std::error::Error::source) of the error of the
    /// input.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

/// A file that several threads read, each from an offset of its own. Not affected by the position of
/// the file.
#[derive(Clone, Debug)]
pub struct SharedFile {
    file: Bytes,
    len: u64,
}

/// The bytes of a file.
#[derive(Clone)]
enum Bytes {
    OfSystem(Arc<File>),
    OfProgram(Arc<dyn ReadAt>),
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OfSystem(file) => file.fmt(f),
            Self::OfProgram(_) => f.write_str("OfProgram"),
        }
    }
}

impl SharedFile {
    /// A file of this length. `None` if the system reads files only at their position.
    pub(super) fn new(file: &File, len: u64) -> Option<Self> {
        let can_read = cfg!(any(unix, windows));
        let file = can_read.then(|| file.try_clone().ok()).flatten()?;
        Some(Self { file: Bytes::OfSystem(Arc::new(file)), len })
    }

    /// A file that the program reads.
    pub(super) fn of_program(file: Arc<dyn ReadAt>, len: u64) -> Self {
        Self { file: Bytes::OfProgram(file), len }
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
        FileRange::new(self.file.clone(), offset, end)
    }
}

/// A reader of a range of a file. Positions begin with the range.
#[derive(Debug)]
pub(crate) struct FileRange {
    file: Bytes,
    begin: u64,
    /// The offset in the file.
    at: u64,
    end: u64,
    /// The last block that the program read, and its offset.
    block: Vec<u8>,
    block_at: u64,
}

impl FileRange {
    fn new(file: Bytes, begin: u64, end: u64) -> Self {
        Self { file, begin, at: begin, end, block: Vec::new(), block_at: 0 }
    }

    /// A reader of a file that the program reads.
    pub(super) fn of_program(file: Arc<dyn ReadAt>, begin: u64, end: u64) -> Self {
        Self::new(Bytes::OfProgram(file), begin, end)
    }
}

impl Read for FileRange {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        let read = match &self.file {
            Bytes::OfSystem(file) => read_at(file, &mut buffer[..len], self.at)?,
            Bytes::OfProgram(_) if len == 0 => 0,
            Bytes::OfProgram(file) => {
                let rest = |block: &[u8], block_at: u64| {
                    let skipped = usize::try_from(self.at.checked_sub(block_at)?).ok()?;
                    block.len().checked_sub(skipped).filter(|&rest| rest > 0).map(|_| skipped)
                };
                let skipped = match rest(&self.block, self.block_at) {
                    Some(skipped) => skipped,
                    None => {
                        let len = (4 * self.block.len()).clamp(FIRST_BLOCK, BLOCK);
                        self.block.resize(len.min(left), 0);
                        let read = file.read_at(self.at, &mut self.block);
                        // After an error, nothing is in the block.
                        self.block.truncate(*read.as_ref().unwrap_or(&0));
                        self.block_at = self.at;
                        read?;
                        0
                    }
                };
                let rest = &self.block[skipped..];
                let read = rest.len().min(len);
                buffer[..read].copy_from_slice(&rest[..read]);
                read
            }
        };
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
