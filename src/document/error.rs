//! Why a document could not be built.

use std::fmt;

use crate::format::Format;
use crate::source::UnknownCharset;

/// The reason why a document could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The label is not one of the Encoding standard.
    UnknownCharset(String),
    /// The bytes are mail, which holds documents and is not one.
    Mail,
    /// This build of the library lacks the Cargo feature to read the format.
    MissingFeature {
        /// The format of the bytes.
        format: Format,
        /// The name of the feature.
        feature: &'static str,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCharset(label) => write!(f, "{label}: {UnknownCharset}"),
            Self::MissingFeature { format, feature } => {
                write!(
                    f,
                    "built without the feature `{feature}`, which reads {format}"
                )
            }
            Self::Mail => f.write_str("mail holds documents and is not one: open it as a mailbox"),
        }
    }
}

impl std::error::Error for BuildError {}
