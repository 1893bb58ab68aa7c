//! Where documents come from: files, folders, slices, lists, compressed or not. This is the only
//! place that reads files.

mod item;
mod retrieval;
mod tree;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::document::{Charset, Document, Media, is_binary};
use crate::error::{Error, ErrorKind};

pub use item::{Item, Slice, items_of_list};
pub use retrieval::{Retrieval, RetrievalError};
pub use tree::{Found, FoundKind, GlobError, Globs, Tree, Walk};

/// How far into a stream its charset is looked for, in bytes; what comes later is decoded by it.
const STREAM_HEAD: usize = 1 << 20;

/// How to read documents.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The kind of all documents; by name and content where there is none.
    pub media: Option<Media>,
    /// The charset of all documents, by a label of the Encoding standard; found out where there is
    /// none.
    pub charset: Option<String>,
    /// What URIs the documents were retrieved from.
    pub retrieval: Option<Retrieval>,
    /// Whether compressed files are taken as they are, which makes them binary.
    pub keep_compressed: bool,
}

/// What an item holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// A document.
    Document(Document),
    /// Bytes that are no text.
    Binary(Vec<u8>),
}

impl ReadOptions {
    /// Reads an item.
    ///
    /// # Errors
    /// When the system refuses, a slice begins past the end, or compressed data is damaged.
    pub fn read(&self, item: &Item) -> Result<Content, Error> {
        let mut bytes = item.read()?;
        if bytes.starts_with(&GZIP) {
            if self.keep_compressed {
                return Ok(Content::Binary(bytes));
            }
            bytes = inflate(bytes).map_err(|error| item.error(ErrorKind::Read(error)))?;
        }
        if self.media.is_none() && self.charset.is_none() && is_binary(&bytes) {
            return Ok(Content::Binary(bytes));
        }
        let name = item.name();
        let media = self.media.unwrap_or_else(|| Media::detect(name, &bytes));
        let complete = !matches!(item, Item::Stdin) || bytes.len() <= STREAM_HEAD;
        let head = if complete {
            &bytes[..]
        } else {
            &bytes[..STREAM_HEAD]
        };
        let named = self
            .charset
            .as_deref()
            .and_then(|label| Charset::named(label, &bytes).ok());
        let charset = named.unwrap_or_else(|| Charset::detect(head, complete, media));
        let base = self
            .retrieval
            .as_ref()
            .and_then(|retrieval| retrieval.base_of(item));
        Ok(Content::Document(Document {
            name: name.to_owned(),
            bytes,
            media,
            charset,
            base,
        }))
    }
}

/// How gzip data with the only method there is begins (RFC 1952, section 2.3).
const GZIP: [u8; 3] = [0x1F, 0x8B, 0x08];

/// Undoes gzip, all members of it.
#[cfg(feature = "compress")]
fn inflate(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut inflated = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut inflated)?;
    Ok(inflated)
}

#[cfg(not(feature = "compress"))]
fn inflate(_: Vec<u8>) -> io::Result<Vec<u8>> {
    Err(io::Error::other("built without the feature `compress`"))
}

/// All bytes of a file.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let len = file.metadata().map_or(0, |metadata| metadata.len());
    // A length that is wrong costs no more than it would without one.
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0).min(1 << 32));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
