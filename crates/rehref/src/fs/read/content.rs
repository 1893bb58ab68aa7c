//! The content of an item.

use super::package::PackageFile;
use crate::document::Document;
use crate::error::Error;

/// The content of an item.
#[derive(Debug)]
pub enum Content {
    /// A document.
    Document(Document),
    /// A document up to a decompression error, and the error.
    Damaged(Document, Error),
    /// A document of an office or a book, whose parts are documents.
    Package(Box<PackageFile>),
    /// A package that is encrypted or damaged, and the error.
    Refused(Vec<u8>, Error),
    /// Bytes that are not text.
    Binary(Vec<u8>),
}

impl Content {
    /// The bytes that were read.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Document(document) | Self::Damaged(document, _) => document.into_bytes(),
            Self::Package(package) => package.into_bytes(),
            Self::Refused(bytes, _) | Self::Binary(bytes) => bytes,
        }
    }
}
