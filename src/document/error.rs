//! Why a document could not be built.

use std::fmt;

use crate::format::Format;
use crate::source::UnknownCharset;

pub use crate::source::Compression;

/// The reason why a document could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The label is not one of the Encoding standard.
    UnknownCharset(String),
    /// The bytes are mail, which holds documents and is not one. [`Mailbox`](crate::Mailbox) reads
    /// them; it needs the feature `fs`.
    Mail,
    /// The bytes are compressed. [`open`](crate::open) decompresses files; it needs the feature
    /// `compress`.
    Compressed(Compression),
    /// This build of the library lacks the Cargo feature to read the format.
    MissingFeature {
        /// The format of the bytes.
        format: Format,
        /// The name of the feature.
        feature: &'static str,
    },
}

/// The way to the documents of mail in this build.
#[cfg(feature = "fs")]
const MAIL_HELP: &str = "open it as a mailbox";
#[cfg(not(feature = "fs"))]
const MAIL_HELP: &str = "to open it as a mailbox, build with the feature `fs`";

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
            Self::MissingFeature { format, feature } => {
                write!(f, "built without the feature `{feature}`, which reads {format}")
            }
            Self::Compressed(compression) => {
                let name = compression.as_str();
                write!(f, "compressed with {name}: decompress the bytes first")
            }
            Self::Mail => write!(f, "mail holds documents and is not one: {MAIL_HELP}"),
        }
    }
}

impl std::error::Error for BuildError {}
