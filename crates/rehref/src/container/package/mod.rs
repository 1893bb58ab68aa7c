//! Packages: documents of offices and books, which are ZIP files with parts.
//!
//! [`Package`] reads the directory of one, and its parts. It gives parts new contents as edits of the
//! bytes of the file, so that everything else stays: other parts, order, dates, extra fields, gaps.

mod directory;
mod kind;
mod patch;

use std::borrow::Cow;
use std::io::Read;

use flate2::read::DeflateDecoder;

pub use self::directory::Edit;
use self::directory::{DEFLATED, Directory, STORED};
pub use self::kind::{PackageKind, PartKind, Parts};

/// The most bytes of a part.
pub const MAX_PART: u64 = 64 << 20;

/// The length up to which a part is inflated whatever its compressed length, and the most times its
/// compressed length that a longer one has.
const SHORT_PART: u64 = 16 << 20;
const MOST_TIMES: u64 = 200;

/// A package in memory.
#[derive(Clone, Debug)]
pub struct Package {
    bytes: Vec<u8>,
    directory: Directory,
}

/// Bytes that are not a package.
#[derive(Clone, Debug)]
pub struct NotPackage {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The problem.
    pub problem: String,
}

/// The reason why a part cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartError {
    /// It inflates to more than this number of bytes.
    TooLong(u64),
    /// A text that says why.
    Other(String),
}

impl Package {
    /// Reads the directory of a ZIP file.
    ///
    /// Cost: linear in the length of the directory.
    ///
    /// # Errors
    /// If these bytes are not a whole ZIP file, or if programs would read it in different ways: two
    /// files have one name or the same bytes.
    pub fn read(bytes: Vec<u8>) -> Result<Self, NotPackage> {
        match Directory::read(&bytes) {
            Ok(directory) => Ok(Self { bytes, directory }),
            Err(problem) => Err(NotPackage { bytes, problem }),
        }
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of the file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The part with this name.
    pub fn part(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        self.directory.by_name.get(name.as_ref()).copied()
    }

    /// The number of parts.
    pub fn count(&self) -> usize {
        self.directory.entries.len()
    }

    /// The name of a part, by its number from 0, in the order of the directory.
    pub fn name(&self, part: usize) -> &[u8] {
        &self.directory.entries[part].name
    }

    /// Returns true if a part is encrypted by ZIP.
    pub fn is_encrypted(&self, part: usize) -> bool {
        self.directory.entries[part].is_encrypted
    }

    /// The content of a part.
    ///
    /// # Errors
    /// If the part is encrypted, compressed by another method than deflate, damaged or too long.
    pub fn content(&self, part: usize) -> Result<Cow<'_, [u8]>, PartError> {
        let entry = &self.directory.entries[part];
        if entry.is_encrypted {
            return Err(PartError::Other("encrypted".to_owned()));
        }
        let data = &self.bytes[entry.data.clone()];
        let most = (data.len() as u64).saturating_mul(MOST_TIMES).clamp(SHORT_PART, MAX_PART);
        if entry.len > most {
            return Err(PartError::TooLong(most));
        }
        let content = match entry.method {
            STORED => Cow::Borrowed(data),
            DEFLATED => {
                let mut content = Vec::with_capacity(entry.len as usize);
                let read = DeflateDecoder::new(data).take(most + 1).read_to_end(&mut content);
                read.map_err(|error| PartError::Other(format!("damaged: {error}")))?;
                Cow::Owned(content)
            }
            method => {
                return Err(PartError::Other(format!("compressed by method {method}")));
            }
        };
        if content.len() as u64 > most {
            return Err(PartError::TooLong(most));
        }
        if content.len() as u64 != entry.len || crc32fast::hash(&content) != entry.checksum {
            return Err(PartError::Other("damaged: the checksum differs".to_owned()));
        }
        Ok(content)
    }

    /// The edits of the file that give parts, by their numbers, new contents. No other byte changes,
    /// except for lengths, checksums and offsets. The edits are sorted.
    ///
    /// # Errors
    /// If a part cannot be written, as [`content`](Self::content) says, or if the file would need
    /// fields for more than 4 GiB. A text that says so.
    pub fn edits(&self, contents: &[(usize, Vec<u8>)]) -> Result<Vec<Edit>, String> {
        patch::edits(&self.bytes, &self.directory, contents)
    }
}

#[cfg(test)]
mod tests;
