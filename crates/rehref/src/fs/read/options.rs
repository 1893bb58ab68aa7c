//! Reading documents.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::io::{Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use super::base_mapping::BaseMapping;
use super::content::Content;
use super::fault::fault_of;
use super::item::{Item, OpenItem, Reader, Slice, kind_of};
use super::limit::{MAX_DOCUMENT, STREAM_HEAD};
use super::mail_reader::{MailReader, Messages};
use super::stream::Stream;
use super::web_archive::WebArchiveReader;
use super::web_archive_kind::{has_record_member, is_wacz, is_wacz_in_pipe};
use crate::container::compressed::{inflate, inflating, peek};
use crate::container::mail::{Batch, MAX_MESSAGE, Mbox, MboxFormat, appended_mailbox};
use crate::container::warc::{DICTIONARY_MAGIC, Records};
use crate::document::Document;
use crate::error::{Error, ErrorKind};
use crate::format::{Container, Format, is_binary_file, is_compressed};
use crate::source::{Base, Charset, Compression, Source, TextSyntax};

/// The number of bytes that are read, or decompressed, to detect the format of a file.
const PEEK: usize = 64 << 10;

/// Options for reading documents, in the [`Inputs`](crate::jobs::Inputs) of a job.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format of all documents. `None` detects it by name and content.
    pub format: Option<Format>,
    /// True if all documents are text, also those with NUL bytes, which otherwise are binary.
    /// Default: false.
    pub is_text: bool,
    /// The charset of all documents, by a label of the Encoding standard. `None` detects it.
    pub charset: Option<String>,
    /// The retrieval URLs of the documents.
    pub retrieval: Option<BaseMapping>,
    /// The handling of compressed files.
    pub compressed: Compressed,
    /// The format of mailboxes.
    pub mbox: MboxFormat,
    /// The maximum length of a document held in memory, in bytes: see [`MAX_DOCUMENT`]. A job
    /// has a lower limit where the address space of the process is limited.
    pub max_document: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            is_text: false,
            charset: None,
            retrieval: None,
            compressed: Compressed::default(),
            mbox: MboxFormat::default(),
            max_document: MAX_DOCUMENT,
        }
    }
}

/// The handling of compressed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressed {
    /// Decompress, to at most 16 MiB or this multiple of the compressed size; and, except for text
    /// and mail, which are not held in memory, to at most [`Format::max_inflated`]. Typical
    /// documents are compressed to a fifth; the format allows a factor of about a thousand.
    Inflate {
        /// The maximum factor.
        at_most: u64,
    },
    /// Do not decompress, which makes them binary.
    Keep,
}

impl Default for Compressed {
    fn default() -> Self {
        Self::Inflate { at_most: 200 }
    }
}

/// An item that was read or opened.
#[derive(Debug)]
pub enum Reading {
    /// The whole item.
    Whole(Content),
    /// A long text, to be read as a stream.
    Stream(Stream),
    /// Mail, whose messages are read one after another.
    Mail(MailReader),
    /// A web archive, whose records are read one after another.
    WebArchive(Box<WebArchiveReader>),
}

/// The format, syntax and charset of a document.
struct Detected {
    format: Format,
    syntax: Option<TextSyntax>,
    charset: Charset,
}

/// The name by which the format of an item is detected.
fn name_of(item: &Item) -> &Path {
    item.file().unwrap_or(item.name())
}

impl ReadOptions {
    /// Reads an item.
    ///
    /// # Errors
    /// If reading fails, a slice begins past the end of its file, or the document is too long.
    pub fn read(&self, item: &Item) -> Result<Content, Error> {
        self.read_open(item.open()?)
    }

    /// Reads an item that was opened.
    ///
    /// # Errors
    /// If reading fails, or the document is too long.
    pub(crate) fn read_open(&self, opened: OpenItem<'_>) -> Result<Content, Error> {
        let item = opened.item;
        let bytes = opened.read(self.max_document)?;
        self.content(item, bytes, !matches!(item, Item::Stdin))
    }

    /// Reads an item, or opens it if it is a long text, or mail, compressed or not. HTML, style
    /// sheets and XML are read whole.
    ///
    /// # Errors
    /// If reading fails, a slice begins past the end of its file, or the document is too long.
    pub fn read_or_stream(&self, item: &Item) -> Result<Reading, Error> {
        if let Some(mail_reader) = self.slice_of_mailbox(item)? {
            return Ok(Reading::Mail(mail_reader));
        }
        if let Some(archive) = self.slice_of_web_archive(item)? {
            return Ok(Reading::WebArchive(Box::new(archive)));
        }
        let (head, rest) = item.read_head(self.max_document)?;
        if self.is_web_archive(item, &head) {
            let archive = self.web_archive(item, head, rest)?;
            return Ok(Reading::WebArchive(Box::new(archive)));
        }
        let compression = Compression::of(&head);
        if let Some(compression) = compression {
            if let Some(format) = self.compressed_mail(item, compression, &head) {
                let inflated = (Vec::new(), Some(self.inflating(compression, head, rest)));
                return Ok(Reading::Mail(self.mail_reader(item, format, inflated, None)));
            }
            if let Some((document, inflated)) = self.compressed_text(item, compression, &head) {
                let rest = self.inflating(compression, head, rest);
                let stream = Stream::new(document, Some(&inflated), Vec::new(), rest);
                return Ok(Reading::Stream(stream));
            }
        } else if !self.is_binary(item, &head) && self.format(item, &head).is_mail() {
            let format = self.format(item, &head);
            let len = match &rest {
                None => Some(head.len() as u64),
                Some(_) => item.byte_len(),
            };
            return Ok(Reading::Mail(self.mail_reader(item, format, (head, rest), len)));
        }
        let Some(rest) = rest else {
            return Ok(Reading::Whole(self.content(item, head, true)?));
        };
        let is_text = compression.is_none() && !self.is_binary(item, &head);
        let kind = self.kind(item, &head, false);
        if is_text && !kind.format.is_markup() {
            let document = self.document(item, Vec::new(), kind);
            return Ok(Reading::Stream(Stream::new(document, None, head, rest)));
        }
        let bytes = item.read_rest(head, rest, item.byte_len(), self.max_document)?;
        Ok(Reading::Whole(self.content(item, bytes, false)?))
    }

    /// The document of compressed data that begins with `head`, without its bytes, and the
    /// beginning of its text, if that has more than 1 MiB.
    fn compressed_text(
        &self,
        item: &Item,
        compression: Compression,
        head: &[u8],
    ) -> Option<(Document, Vec<u8>)> {
        if self.compressed == Compressed::Keep {
            return None;
        }
        let inflated = peek(compression, head, STREAM_HEAD + 1)?;
        if inflated.len() <= STREAM_HEAD || self.is_binary(item, &inflated) {
            return None;
        }
        let kind = self.kind(item, &inflated, false);
        let is_held = kind.format.is_markup() || kind.format.is_mail();
        (!is_held).then(|| (self.document(item, Vec::new(), kind), inflated))
    }

    /// Detects the content of an item. If not `complete`, the charset is detected from its
    /// beginning only.
    fn content(&self, item: &Item, bytes: Vec<u8>, complete: bool) -> Result<Content, Error> {
        let mut bytes = bytes;
        let mut damage = None;
        if let Some(compression) = Compression::of(&bytes) {
            match self.compressed {
                Compressed::Keep => return Ok(Content::Binary(bytes)),
                Compressed::Inflate { at_most } => {
                    let head = peek(compression, &bytes, STREAM_HEAD).unwrap_or_default();
                    // The rest of an archive of files or of an image need not be decompressed.
                    if self.is_binary(item, &head) {
                        return Ok(Content::Binary(head));
                    }
                    let most = self.format(item, &head).max_inflated();
                    let most = most.min(self.max_document);
                    let inflated;
                    (inflated, damage) = inflate(compression, &bytes, at_most, most);
                    bytes = inflated;
                }
            }
        }
        if self.is_binary(item, &bytes) {
            return Ok(Content::Binary(bytes));
        }
        let complete = complete || bytes.len() <= STREAM_HEAD;
        let kind = self.kind(item, &bytes, complete);
        // Its documents are read only as it streams.
        if kind.format.is_web_archive() {
            return Ok(Content::Binary(bytes));
        }
        let document = self.document(item, bytes, kind);
        let damage = damage.map(kind_of).or_else(|| fault_of(&document));
        Ok(match damage {
            Some(kind) => Content::Damaged(document, item.error(kind)),
            None => Content::Document(document),
        })
    }

    /// The charset that the options name.
    fn named(&self, bytes: &[u8]) -> Option<Charset> {
        let label = self.charset.as_deref()?;
        Charset::named(label, bytes).ok()
    }

    /// Returns true if the bytes of an item are not text, and the options name no format.
    fn is_binary(&self, item: &Item, bytes: &[u8]) -> bool {
        let is_utf16 = || self.named(bytes).is_some_and(Charset::is_utf16);
        let name = name_of(item);
        let is_binary = || is_compressed(name, bytes) || is_binary_file(name, bytes) && !is_utf16();
        self.format.is_none() && !self.is_text && is_binary()
    }

    /// The format, syntax and charset of a document with these bytes, or beginning with them if not
    /// `complete`. If the options name the format, there is no syntax.
    fn kind(&self, item: &Item, bytes: &[u8], complete: bool) -> Detected {
        let format = self.format(item, bytes);
        let head = match complete {
            true => bytes,
            false => &bytes[..bytes.len().min(STREAM_HEAD)],
        };
        let text = if format.is_page() { head } else { Charset::without_false_mark(head) };
        let detect = || Charset::detect(text, complete, format.declared_charset());
        let is_given = self.format.is_some();
        let syntax = match is_given {
            true => None,
            false => format.text_syntax(name_of(item), bytes),
        };
        Detected { format, syntax, charset: self.named(bytes).unwrap_or_else(detect) }
    }

    /// The format of a document that begins with these bytes.
    fn format(&self, item: &Item, bytes: &[u8]) -> Format {
        self.format.unwrap_or_else(|| Format::detect(name_of(item), bytes))
    }

    fn document(&self, item: &Item, bytes: Vec<u8>, kind: Detected) -> Document {
        let retrieval = self.retrieval.as_ref();
        let Detected { format, syntax, charset } = kind;
        let source = Source {
            name: item.name().to_owned(),
            bytes,
            syntax,
            charset,
            base: retrieval.and_then(|retrieval| retrieval.base_of(item)),
            mail_part: None,
            record: None,
        };
        Document::from_source(source, format)
    }

    /// A reader of the messages that begin in a slice of a mailbox.
    pub(super) fn slice_of_mailbox(&self, item: &Item) -> Result<Option<MailReader>, Error> {
        let Item::Slice(slice) = item else {
            return Ok(None);
        };
        let Slice { offset, len, .. } = *slice;
        let head = item.head_of_file(PEEK)?;
        if Compression::of(&head).is_some() || self.is_binary(item, &head) {
            return Ok(None);
        }
        let first_end = match self.format(item, &head).container() {
            Some(Container::Mailbox) => 0,
            Some(Container::Message) if self.format.is_none() => {
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

    /// Returns true if an item that begins with `head` is a web archive.
    fn is_web_archive(&self, item: &Item, head: &[u8]) -> bool {
        if let Some(format) = self.format {
            return format.is_web_archive();
        }
        let is_by_name = || {
            let format = Format::from_extension_of(name_of(item), head);
            format.is_some_and(Format::is_web_archive)
        };
        match Compression::of(head) {
            None => self.format(item, head).is_web_archive() || is_wacz_in_pipe(item, head),
            Some(_) if self.compressed == Compressed::Keep => false,
            // No other files begin with a dictionary.
            Some(Compression::Zstd) if head.starts_with(&DICTIONARY_MAGIC) => true,
            Some(compression @ (Compression::Gzip | Compression::Zstd)) => {
                let inflated = peek(compression, head, PEEK).unwrap_or_default();
                is_by_name()
                    || Format::detect(Path::new(""), &inflated).is_web_archive()
                    // The first member may be damaged, and there is no name.
                    || matches!(item, Item::Stdin | Item::Memory(_)) && has_record_member(head)
            }
            Some(_) => false,
        }
    }

    /// A reader of the records of a web archive that begins with `head`.
    fn web_archive(
        &self,
        item: &Item,
        head: Vec<u8>,
        rest: Option<Reader>,
    ) -> Result<WebArchiveReader, Error> {
        let name: Arc<Path> = item.name().into();
        let len = match &rest {
            None => Some(head.len() as u64),
            Some(_) => item.byte_len(),
        };
        if is_wacz(item, &head) {
            let (Item::Path(path), Some(_)) = (item, item.byte_len()) else {
                let problem = "a WACZ can only be read from a file: not from memory, standard input or a pipe, nor in slices";
                let problem = problem.to_owned();
                return Err(item.error(ErrorKind::WebArchive { problem }));
            };
            let file = File::open(path).map_err(|error| item.error(ErrorKind::Read(error)))?;
            return WebArchiveReader::of_wacz(name, file, len);
        }
        let rest = rest.unwrap_or_else(|| Box::new(io::empty()));
        let reader: Reader = Box::new(Cursor::new(head).chain(rest));
        let records = Records::new(Arc::clone(&name), reader, len);
        Ok(WebArchiveReader::of_records(name, records, len))
    }

    /// A reader of the records that begin in a slice of a web archive.
    fn slice_of_web_archive(&self, item: &Item) -> Result<Option<WebArchiveReader>, Error> {
        let Item::Slice(slice) = item else {
            return Ok(None);
        };
        let head = item.head_of_file(PEEK)?;
        if !self.is_web_archive(item, &head) {
            return Ok(None);
        }
        if is_wacz(item, &head) {
            return self.web_archive(item, head, None).map(Some);
        }
        let (_, file_len) = item.open_from(0)?;
        if slice.offset > file_len {
            return Err(item.error(ErrorKind::SliceStart { len: file_len }));
        }
        let name: Arc<Path> = item.name().into();
        let len = Some(slice.len.min(file_len - slice.offset));
        let wanted = slice.offset..slice.offset.saturating_add(slice.len);
        let open = |offset| {
            let mut file = File::open(&slice.path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(Box::new(file) as Reader)
        };
        let records = Records::slice(Arc::clone(&name), open, wanted, Some(file_len));
        let records = records.map_err(|error| item.error(ErrorKind::Read(error)))?;
        Ok(Some(WebArchiveReader::of_records(name, records, len)))
    }

    /// A reader of the messages of an item in the mail format `format`, which begins with `head`.
    /// `len` is its length, if known.
    pub(super) fn mail_reader(
        &self,
        item: &Item,
        format: Format,
        (head, rest): (Vec<u8>, Option<Reader>),
        len: Option<u64>,
    ) -> MailReader {
        let container = format.container();
        let is_mailbox = container == Some(Container::Mailbox);
        let mut mbox_format = is_mailbox.then(|| self.mbox.of_head(&head));
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
                let may_have_mailbox =
                    self.format.is_none() && container == Some(Container::Message);
                let message = &bytes[..bytes.len().min(MAX_MESSAGE)];
                if may_have_mailbox
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

    /// The mail format of a compressed item that begins with `head`, if it is mail.
    pub(super) fn compressed_mail(
        &self,
        item: &Item,
        compression: Compression,
        head: &[u8],
    ) -> Option<Format> {
        let Compressed::Inflate { .. } = self.compressed else {
            return None;
        };
        let inflated = peek(compression, head, PEEK)?;
        let format = self.format(item, &inflated);
        (format.is_mail() && !self.is_binary(item, &inflated)).then_some(format)
    }

    /// A reader that decompresses an item that begins with `head`.
    pub(super) fn inflating(
        &self,
        compression: Compression,
        head: Vec<u8>,
        rest: Option<Reader>,
    ) -> Reader {
        let rest = rest.unwrap_or_else(|| Box::new(io::empty()));
        let reader: Reader = Box::new(Cursor::new(head).chain(rest));
        match self.compressed {
            Compressed::Inflate { at_most } => inflating(compression, reader, at_most),
            Compressed::Keep => reader,
        }
    }

    fn base_of(&self, item: &Item) -> Option<Base> {
        self.retrieval.as_ref()?.base_of(item)
    }
}
