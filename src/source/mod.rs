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
    /// What to do with compressed files.
    pub compressed: Compressed,
}

/// What to do with compressed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressed {
    /// They are inflated, to at most 16 MiB and this many times their size. Real documents shrink
    /// to a fifth or so; the most that the format allows is about a thousand.
    Inflate {
        /// How many times.
        at_most: u64,
    },
    /// They are taken as they are, which makes them binary.
    Keep,
}

impl Default for Compressed {
    fn default() -> Self {
        Self::Inflate { at_most: 200 }
    }
}

/// What an item holds.
#[derive(Debug)]
pub enum Content {
    /// A document.
    Document(Document),
    /// A document as far as it could be inflated, and what was wrong.
    Damaged(Document, Error),
    /// Bytes that are no text.
    Binary(Vec<u8>),
}

impl ReadOptions {
    /// Reads an item.
    ///
    /// # Errors
    /// When the system refuses, or a slice begins past the end.
    pub fn read(&self, item: &Item) -> Result<Content, Error> {
        let mut bytes = item.read()?;
        let mut damage = None;
        if bytes.starts_with(&GZIP) {
            match self.compressed {
                Compressed::Keep => return Ok(Content::Binary(bytes)),
                Compressed::Inflate { at_most } => {
                    let inflated;
                    (inflated, damage) = inflate(&bytes, at_most);
                    bytes = inflated;
                }
            }
        }
        let label = self.charset.as_deref();
        let named = label.and_then(|label| Charset::named(label, &bytes).ok());
        let is_utf16 = named.is_some_and(Charset::is_utf16);
        if self.media.is_none() && !is_utf16 && is_binary(&bytes) {
            return Ok(Content::Binary(bytes));
        }
        let name = item.name();
        let media = self
            .media
            .unwrap_or_else(|| Media::detect(item.file().unwrap_or(name), &bytes));
        let complete = !matches!(item, Item::Stdin) || bytes.len() <= STREAM_HEAD;
        let head = if complete {
            &bytes[..]
        } else {
            &bytes[..STREAM_HEAD]
        };
        let charset = named.unwrap_or_else(|| Charset::detect(head, complete, media));
        let base = self
            .retrieval
            .as_ref()
            .and_then(|retrieval| retrieval.base_of(item));
        let name = name.to_owned();
        let document = Document {
            name,
            bytes,
            media,
            charset,
            base,
        };
        Ok(match damage {
            Some(kind) => Content::Damaged(document, item.error(kind)),
            None => Content::Document(document),
        })
    }
}

/// How gzip data with the only method there is begins (RFC 1952, section 2.3).
const GZIP: [u8; 3] = [0x1F, 0x8B, 0x08];

/// What any compressed file may inflate to, in bytes.
#[cfg(feature = "compress")]
const INFLATED: u64 = 16 << 20;

/// Undoes gzip, all members of it, as far as that can be done.
#[cfg(feature = "compress")]
fn inflate(bytes: &[u8], at_most: u64) -> (Vec<u8>, Option<ErrorKind>) {
    let limit = INFLATED.max(at_most.saturating_mul(bytes.len() as u64));
    let mut inflated = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(bytes).take(limit);
    let damage = match decoder.read_to_end(&mut inflated) {
        Err(error) => Some(ErrorKind::Read(error)),
        // At the limit there may be nothing more to come.
        Ok(_) if matches!(decoder.into_inner().read(&mut [0]), Ok(1..)) => {
            Some(ErrorKind::Inflates { times: at_most })
        }
        Ok(_) => None,
    };
    (inflated, damage)
}

#[cfg(not(feature = "compress"))]
fn inflate(_: &[u8], _: u64) -> (Vec<u8>, Option<ErrorKind>) {
    let error = io::Error::other("built without the feature `compress`");
    (Vec::new(), Some(ErrorKind::Read(error)))
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
