//! The content of an item.

use crate::document::Document;
use crate::error::Error;

/// The content of an item.
#[derive(Debug)]
pub enum Content {
    /// A document.
    Document(Document),
    /// A document up to a decompression error, and the error.
    Damaged(Document, Error),
    /// Bytes that are not text.
    Binary(Vec<u8>),
}

impl Content {
    /// The bytes that were read.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Document(document) | Self::Damaged(document, _) => document.into_bytes(),
            Self::Binary(bytes) => bytes,
        }
    }
}
