//! The reasons why a document could not be built.

use std::fmt;

use crate::source::UnknownCharset;

pub use crate::source::Compression;

/// The reason why a document could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The label is not one of the Encoding standard.
    UnknownCharset(String),
    /// The bytes are mail, which holds documents and is not one. `Mailbox` reads
    /// them.
    Mail,
    /// The bytes are compressed. `open` decompresses files.
    Compressed(Compression),
}

impl BuildError {
    /// Refuses bytes that begin as compressed data.
    pub(super) fn check_compression(bytes: &[u8]) -> Result<(), Self> {
        match Compression::of(bytes) {
            Some(compression) => Err(Self::Compressed(compression)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCharset(label) => write!(f, "{label}: {UnknownCharset}"),
            Self::Compressed(compression) => {
                let name = compression.as_str();
                write!(f, "compressed with {name}: decompress the bytes first")
            }
            Self::Mail => f.write_str("mail holds documents and is not one: open it as a mailbox"),
        }
    }
}

impl std::error::Error for BuildError {}
