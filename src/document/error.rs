//! Why a document could not be built.

use std::fmt;

use crate::source::UnknownCharset;

/// The reason why a document could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The label is not one of the Encoding standard.
    UnknownCharset(String),
    /// The bytes are mail, which holds documents and is not one.
    Mail,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCharset(label) => write!(f, "{label}: {UnknownCharset}"),
            Self::Mail => f.write_str("mail holds documents and is not one: open it as a mailbox"),
        }
    }
}

impl std::error::Error for BuildError {}
