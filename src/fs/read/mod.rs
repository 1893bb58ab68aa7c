//! Where documents come from: files, folders, slices, lists, compressed or not. This is the only
//! place that reads files.

mod base_mapping;
mod inflate;
pub(super) mod item;
mod limit;
mod mailbox;

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use crate::container::mail::MboxFormat;
use crate::error::Error;
use crate::source::{Charset, Format, Source, TextSyntax, is_binary_file};

pub use base_mapping::{BaseMapping, BaseMappingError, RealFolder, folder_url};
pub use inflate::GZIP;
use inflate::{inflate, peek};
use item::Reader;
pub use item::{Item, Slice, bytes_of_list, items_of_list};
pub use limit::{MAX_DOCUMENT, MAX_INFLATED, MAX_INFLATED_XML, max_document, max_threads};
pub use mailbox::MailReader;

/// How far into a stream its kind and charset are looked for, in bytes; what comes later is decoded by
/// it.
const STREAM_HEAD: usize = 1 << 20;

/// How long a file is read whole, in bytes; a longer one may be a stream.
const LARGE: u64 = 16 << 20;

/// How to read documents.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The kind of all documents; by name and content where there is none.
    pub format: Option<Format>,
    /// The charset of all documents, by a label of the Encoding standard; found out where there is
    /// none.
    pub charset: Option<String>,
    /// What URIs the documents were retrieved from.
    pub retrieval: Option<BaseMapping>,
    /// What to do with compressed files.
    pub compressed: Compressed,
    /// How the messages of mailboxes are parted.
    pub mbox: MboxFormat,
    /// How long a document may be that is held in memory, in bytes: see [`MAX_DOCUMENT`] and [`max_document`].
    pub max_document: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            charset: None,
            retrieval: None,
            compressed: Compressed::default(),
            mbox: MboxFormat::default(),
            max_document: MAX_DOCUMENT,
        }
    }
}

/// What to do with compressed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressed {
    /// They are inflated, to at most 16 MiB and this many times their size; and to at most [`MAX_INFLATED`], or
    /// [`MAX_INFLATED_XML`], but for text and mail, which are not held in memory. Real documents shrink to a fifth or so;
    /// the most that the format allows is about a thousand.
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
    Document(Source),
    /// A document as far as it could be inflated, and what was wrong.
    Damaged(Source, Error),
    /// Bytes that are no text.
    Binary(Vec<u8>),
}

/// What is read of an item at once.
#[derive(Debug)]
pub enum Reading {
    /// All of it.
    Whole(Content),
    /// Nothing: it is a long text.
    Stream(Stream),
    /// What it takes to know that it is mail, the messages of which are read one after another.
    Mail(MailReader),
}

/// A text that is read as it is needed: standard input or a pipe with more than 1 MiB, or a file of more
/// than 16 MiB.
pub struct Stream {
    /// The document but for its bytes. Its kind and its charset are what its first MiB says.
    pub document: Source,
    /// What has been read.
    head: io::Cursor<Vec<u8>>,
    rest: Reader,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("document", &self.document)
            .finish_non_exhaustive()
    }
}

impl Stream {
    /// What its bytes are read from.
    pub fn reader(self) -> impl Read + Send {
        self.head.chain(self.rest)
    }
}

/// How a document is read.
struct Kind {
    format: Format,
    syntax: Option<TextSyntax>,
    charset: Charset,
}

/// The name that says what kind of document an item is.
fn name_of(item: &Item) -> &Path {
    item.file().unwrap_or(item.name())
}

impl ReadOptions {
    /// Reads an item.
    ///
    /// # Errors
    /// When the system refuses, a slice begins past the end, or the document is too long.
    pub fn read(&self, item: &Item) -> Result<Content, Error> {
        let bytes = item.read(self.max_document)?;
        self.content(item, bytes, !matches!(item, Item::Stdin))
    }

    /// Reads an item, or gives what reads it if it is a long text, or mail, compressed or not. HTML, style sheets and
    /// XML are read whole.
    ///
    /// # Errors
    /// When the system refuses, a slice begins past the end, or the document is too long.
    pub fn read_or_stream(&self, item: &Item) -> Result<Reading, Error> {
        if let Some(archive) = self.slice_of_mailbox(item)? {
            return Ok(Reading::Mail(archive));
        }
        let (head, rest) = item.read_head(self.max_document)?;
        if head.starts_with(&GZIP) {
            if let Some(format) = self.compressed_mail(item, &head) {
                let inflated = (Vec::new(), Some(self.inflating(head, rest)));
                return Ok(Reading::Mail(self.archive(item, format, inflated, None)));
            }
            if let Some(document) = self.compressed_text(item, &head) {
                return Ok(Reading::Stream(Stream {
                    document,
                    head: io::Cursor::default(),
                    rest: self.inflating(head, rest),
                }));
            }
        } else if !self.is_binary(item, &head) && self.format(item, &head).is_mail() {
            let format = self.format(item, &head);
            let len = match &rest {
                None => Some(head.len() as u64),
                Some(_) => item.byte_len(),
            };
            return Ok(Reading::Mail(self.archive(item, format, (head, rest), len)));
        }
        let Some(rest) = rest else {
            return Ok(Reading::Whole(self.content(item, head, true)?));
        };
        let is_text = !head.starts_with(&GZIP) && !self.is_binary(item, &head);
        let kind = self.kind(item, &head, false);
        if is_text && !matches!(kind.format, Format::Html | Format::Css | Format::Xml) {
            return Ok(Reading::Stream(Stream {
                document: self.document(item, Vec::new(), kind),
                head: io::Cursor::new(head),
                rest,
            }));
        }
        let bytes = item.read_rest(head, rest, item.byte_len(), self.max_document)?;
        Ok(Reading::Whole(self.content(item, bytes, false)?))
    }

    /// The document of compressed data that begins so, without its bytes, if it is a text of more than 1 MiB.
    fn compressed_text(&self, item: &Item, head: &[u8]) -> Option<Source> {
        if self.compressed == Compressed::Keep {
            return None;
        }
        let inflated = peek(head, STREAM_HEAD + 1)?;
        if inflated.len() <= STREAM_HEAD || self.is_binary(item, &inflated) {
            return None;
        }
        let kind = self.kind(item, &inflated, false);
        let is_held = matches!(kind.format, Format::Html | Format::Css | Format::Xml)
            || kind.format.is_mail();
        (!is_held).then(|| self.document(item, Vec::new(), kind))
    }

    /// What the bytes of an item are. Where it is not `complete`, only its beginning tells its charset.
    fn content(&self, item: &Item, bytes: Vec<u8>, complete: bool) -> Result<Content, Error> {
        let mut bytes = bytes;
        let mut damage = None;
        if bytes.starts_with(&GZIP) {
            match self.compressed {
                Compressed::Keep => return Ok(Content::Binary(bytes)),
                Compressed::Inflate { at_most } => {
                    let inflated;
                    let head = peek(&bytes, STREAM_HEAD).unwrap_or_default();
                    let most = match self.format(item, &head) {
                        Format::Xml => MAX_INFLATED_XML,
                        _ => MAX_INFLATED,
                    };
                    (inflated, damage) = inflate(&bytes, at_most, most.min(self.max_document));
                    bytes = inflated;
                }
            }
        }
        if self.is_binary(item, &bytes) {
            return Ok(Content::Binary(bytes));
        }
        let complete = complete || bytes.len() <= STREAM_HEAD;
        let kind = self.kind(item, &bytes, complete);
        let document = self.document(item, bytes, kind);
        Ok(match damage {
            Some(kind) => Content::Damaged(document, item.error(kind)),
            None => Content::Document(document),
        })
    }

    /// The charset that is named for all documents.
    fn named(&self, bytes: &[u8]) -> Option<Charset> {
        let label = self.charset.as_deref()?;
        Charset::named(label, bytes).ok()
    }

    /// Whether the bytes of an item are no text, unless that has been said.
    fn is_binary(&self, item: &Item, bytes: &[u8]) -> bool {
        let is_utf16 = || self.named(bytes).is_some_and(Charset::is_utf16);
        self.format.is_none() && is_binary_file(name_of(item), bytes) && !is_utf16()
    }

    /// The kind, syntax and charset of a document that has these bytes or, if not `complete`, begins with
    /// them. A text that was asked for as text has no syntax.
    fn kind(&self, item: &Item, bytes: &[u8], complete: bool) -> Kind {
        let format = self.format(item, bytes);
        let head = match complete {
            true => bytes,
            false => &bytes[..bytes.len().min(STREAM_HEAD)],
        };
        let detect = || Charset::detect(head, complete, format);
        let is_forced = self.format.is_some();
        let syntax = || TextSyntax::of_document(format, name_of(item), bytes);
        Kind {
            format,
            syntax: (!is_forced).then(syntax).flatten(),
            charset: self.named(bytes).unwrap_or_else(detect),
        }
    }

    /// The kind of a document that begins with these bytes.
    fn format(&self, item: &Item, bytes: &[u8]) -> Format {
        self.format
            .unwrap_or_else(|| Format::detect(name_of(item), bytes))
    }

    fn document(&self, item: &Item, bytes: Vec<u8>, kind: Kind) -> Source {
        let retrieval = self.retrieval.as_ref();
        let Kind {
            format,
            syntax,
            charset,
        } = kind;
        Source {
            name: item.name().to_owned(),
            bytes,
            format,
            syntax,
            charset,
            base: retrieval.and_then(|retrieval| retrieval.base_of(item)),
            carrier: None,
        }
    }
}
