//! Reading documents.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::path::Path;

use super::base_mapping::BaseMapping;
use super::item::{Item, Reader, Slice, kind_of};
use super::limit::{MAX_DOCUMENT, MAX_INFLATED, MAX_INFLATED_XML, STREAM_HEAD};
use super::mail_reader::{MailReader, Messages};
use crate::container::gzip::{GZIP, inflate, inflating, peek};
use crate::container::mail::{Batch, MAX_MESSAGE, Mbox, MboxFormat, appended_mailbox};
use crate::document::Document;
use crate::error::{Error, ErrorKind};
use crate::format::{Format, is_binary_file};
use crate::source::{Base, Charset, Source, TextSyntax};

/// How much of a file is read, or inflated, to see what it is, in bytes.
const PEEK: usize = 64 << 10;

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
    Document(Document),
    /// A document as far as it could be inflated, and what was wrong.
    Damaged(Document, Error),
    /// Bytes that are no text.
    Binary(Vec<u8>),
}

impl Content {
    /// The bytes, as far as they were read.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Document(document) | Self::Damaged(document, _) => document.into_bytes(),
            Self::Binary(bytes) => bytes,
        }
    }
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
    pub document: Document,
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
        if is_text && !kind.format.is_markup() {
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
    fn compressed_text(&self, item: &Item, head: &[u8]) -> Option<Document> {
        if self.compressed == Compressed::Keep {
            return None;
        }
        let inflated = peek(head, STREAM_HEAD + 1)?;
        if inflated.len() <= STREAM_HEAD || self.is_binary(item, &inflated) {
            return None;
        }
        let kind = self.kind(item, &inflated, false);
        let is_held = kind.format.is_markup() || kind.format.is_mail();
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
            Some(kind) => Content::Damaged(document, item.error(kind_of(kind))),
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
        let detect = || Charset::detect(head, complete, format.declared_charset());
        let is_forced = self.format.is_some();
        let syntax = || match format {
            Format::Text => TextSyntax::detect(name_of(item), bytes),
            _ => None,
        };
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

    fn document(&self, item: &Item, bytes: Vec<u8>, kind: Kind) -> Document {
        let retrieval = self.retrieval.as_ref();
        let Kind {
            format,
            syntax,
            charset,
        } = kind;
        let source = Source {
            name: item.name().to_owned(),
            bytes,
            syntax,
            charset,
            base: retrieval.and_then(|retrieval| retrieval.base_of(item)),
            carrier: None,
        };
        Document::from_source(source, format)
    }

    /// The messages of an item that is a part of a mailbox: those that begin in it.
    pub(super) fn slice_of_mailbox(&self, item: &Item) -> Result<Option<MailReader>, Error> {
        let Item::Slice(slice) = item else {
            return Ok(None);
        };
        let Slice { offset, len, .. } = *slice;
        let head = item.head_of_file(PEEK)?;
        if head.starts_with(&GZIP) || self.is_binary(item, &head) {
            return Ok(None);
        }
        let first_end = match self.kind(item, &head, false).format {
            Format::Mbox => 0,
            Format::Mail if self.format.is_none() => {
                let Some(end) = appended_mailbox(&item.head_of_file(MAX_MESSAGE)?) else {
                    return Ok(None);
                };
                end as u64
            }
            _ => return Ok(None),
        };
        let from = offset.saturating_sub(Mbox::<Reader>::LOOK_BACK);
        let (reader, file_len) = item.open_from(from)?;
        if offset > file_len {
            return Err(item.error(ErrorKind::SliceStart { len: file_len }));
        }
        let format = self.mbox.of_head(&head);
        let wanted = offset..offset.saturating_add(len);
        Ok(Some(MailReader {
            name: item.name().into(),
            base: self.base_of(item),
            format: Some(format),
            messages: Messages::Many(Box::new(
                Mbox::part(reader, format, from, wanted).with_first_end(first_end),
            )),
            len: Some(len.min(file_len - offset)),
        }))
    }

    /// The messages of an item that is mail of this kind, and begins with `head`; `len` is how long it is, if that
    /// is known.
    pub(super) fn archive(
        &self,
        item: &Item,
        format: Format,
        (head, rest): (Vec<u8>, Option<Reader>),
        len: Option<u64>,
    ) -> MailReader {
        let mut mbox_format = (format == Format::Mbox).then(|| self.mbox.of_head(&head));
        let messages = match mbox_format {
            Some(format) => {
                let rest = rest.unwrap_or_else(|| Box::new(io::empty()));
                let reader: Reader = Box::new(Cursor::new(head).chain(rest));
                Messages::Many(Box::new(Mbox::new(reader, format)))
            }
            None => {
                let mut bytes = head;
                let mut rest = rest;
                let mut error = None;
                if let Some(rest) = &mut rest {
                    let left = (MAX_MESSAGE + 1).saturating_sub(bytes.len());
                    let read = rest.take(left as u64).read_to_end(&mut bytes);
                    error = read.err().map(|error| item.error(kind_of(error)));
                }
                let offset = match item {
                    Item::Slice(slice) => slice.offset,
                    _ => 0,
                };
                let may_go_on = self.format.is_none() && format == Format::Mail;
                let message = &bytes[..bytes.len().min(MAX_MESSAGE)];
                if may_go_on
                    && offset == 0
                    && error.is_none()
                    && let Some(end) = appended_mailbox(message)
                {
                    mbox_format = Some(self.mbox);
                    let rest = rest.unwrap_or_else(|| Box::new(io::empty()));
                    let reader: Reader = Box::new(Cursor::new(bytes).chain(rest));
                    let mbox = Mbox::new(reader, self.mbox).with_first_end(end as u64);
                    Messages::Many(Box::new(mbox))
                } else {
                    let is_cut = bytes.len() > MAX_MESSAGE;
                    bytes.truncate(MAX_MESSAGE);
                    Messages::One(Some(Batch::of_one(bytes, offset, is_cut)), error)
                }
            }
        };
        MailReader {
            name: item.name().into(),
            base: self.base_of(item),
            format: mbox_format,
            messages,
            len,
        }
    }

    /// What kind of mail a compressed item holds that begins with `head`, if it holds any.
    pub(super) fn compressed_mail(&self, item: &Item, head: &[u8]) -> Option<Format> {
        let Compressed::Inflate { .. } = self.compressed else {
            return None;
        };
        let inflated = peek(head, PEEK)?;
        let format = self.format(item, &inflated);
        (format.is_mail() && !self.is_binary(item, &inflated)).then_some(format)
    }

    /// What inflates an item that begins with `head` as it is read.
    pub(super) fn inflating(&self, head: Vec<u8>, rest: Option<Reader>) -> Reader {
        let rest = rest.unwrap_or_else(|| Box::new(io::empty()));
        let reader: Reader = Box::new(Cursor::new(head).chain(rest));
        match self.compressed {
            Compressed::Inflate { at_most } => inflating(reader, at_most),
            Compressed::Keep => reader,
        }
    }

    fn base_of(&self, item: &Item) -> Option<Base> {
        self.retrieval.as_ref()?.base_of(item)
    }
}
