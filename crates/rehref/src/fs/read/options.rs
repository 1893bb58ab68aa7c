//! Reading documents.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::base_mapping::BaseMapping;
use super::content::Content;
use super::fault::fault_of;
use super::head::{Given, Head, Kind, PEEK};
use super::item::{Item, Memory, OpenItem, ReadHead, Reader, kind_of};
use super::limit::{MAX_DOCUMENT, STREAM_HEAD};
use super::mail_reader::{MailReader, Messages};
use super::package::{NotOpened, PackageFile};
use super::stream::Stream;
use super::web_archive::WebArchiveReader;
use super::web_archive_kind::is_wacz;
use crate::container::compressed::{inflate, inflating};
use crate::container::mail::{
    Batch, MAX_MESSAGE, Mbox, MboxFormat, MessageNames, appended_mailbox,
};
use crate::container::warc::Records;
use crate::document::Document;
use crate::error::{Error, ErrorKind};
use crate::format::{Container, Format};
use crate::source::{Base, BaseFrom, Charset, Compression, Source, TextSyntax};

/// Options for reading documents, in the [`Inputs`](crate::jobs::Inputs) of a job.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format of all documents. `None` detects it by name and content.
    pub format: Option<Format>,
    /// True if all documents are text, also those with NUL bytes, which otherwise are binary.
    /// Default: false.
    pub is_text: bool,
    /// The syntax of all texts, by a [name](crate::source::TextSyntax::named). `None` detects it by
    /// name and content.
    pub syntax: Option<String>,
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
            syntax: None,
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
        let head = Head::of(item, &bytes, self.given());
        self.content(item, head, bytes, !matches!(item, Item::Stdin))
    }

    /// Reads an item, or opens it if it is a long text, or mail, compressed or not. HTML, style
    /// sheets and XML are read whole.
    ///
    /// # Errors
    /// If reading fails, a slice begins past the end of its file, or the document is too long.
    pub fn read_or_stream(&self, item: &Item) -> Result<Reading, Error> {
        // `None` is only returned if reading is refused.
        let reading = self.read_or_open(item, &mut |_| true)?;
        reading.ok_or_else(|| item.error(ErrorKind::Read(io::ErrorKind::Interrupted.into())))
    }

    /// Like [`read_or_stream`](Self::read_or_stream). Returns `None` if `may_read` returns false for
    /// the length of a long item that is read whole.
    pub(crate) fn read_or_open(
        &self,
        item: &Item,
        may_read: &mut dyn FnMut(Option<u64>) -> bool,
    ) -> Result<Option<Reading>, Error> {
        if let Some(reading) = self.slice_of_container(item)? {
            return Ok(Some(reading));
        }
        let ReadHead { bytes, rest, file } = item.read_head(self.max_document)?;
        let head = Head::of(item, &bytes, self.given());
        match head.kind {
            Kind::WebArchive => {
                let archive = self.web_archive(item, bytes, rest)?;
                Ok(Some(Reading::WebArchive(Box::new(archive.of_file(file)))))
            }
            Kind::Mail(format) => {
                let len = match (head.compression, &rest) {
                    (Some(_), _) => None,
                    (None, None) => Some(bytes.len() as u64),
                    (None, Some(_)) => item.byte_len(),
                };
                let opened = match head.compression {
                    Some(it) => (Vec::new(), Some(self.inflating(it, bytes, rest))),
                    None => (bytes, rest),
                };
                let mut mail = self.mail_reader(item, format, opened, len);
                mail.file = file.filter(|_| head.compression.is_none()).map(|file| {
                    let len = file.byte_len();
                    (file, 0..len)
                });
                Ok(Some(Reading::Mail(mail)))
            }
            Kind::Document(format) if !format.is_markup() => {
                let open = |text: &[u8]| {
                    Document::from_source(self.source(item, format, text, false), format)
                };
                match (head.compression, &head.inflated, rest) {
                    (Some(compression), Some(text), rest) if text.len() > STREAM_HEAD => {
                        let rest = self.inflating(compression, bytes, rest);
                        let stream = Stream::new(open(text), Some(text), Vec::new(), rest, None);
                        Ok(Some(Reading::Stream(stream)))
                    }
                    (None, _, Some(rest)) => Ok(Some(Reading::Stream(Stream::new(
                        open(&bytes),
                        None,
                        bytes,
                        rest,
                        file,
                    )))),
                    (_, _, rest) => self.whole(item, head, bytes, rest, may_read),
                }
            }
            Kind::Binary | Kind::Package | Kind::Document(_) => {
                self.whole(item, head, bytes, rest, may_read)
            }
        }
    }

    /// Reads the rest of an item.
    fn whole(
        &self,
        item: &Item,
        head: Head,
        bytes: Vec<u8>,
        rest: Option<Reader>,
        may_read: &mut dyn FnMut(Option<u64>) -> bool,
    ) -> Result<Option<Reading>, Error> {
        let is_complete = rest.is_none();
        if !is_complete && !may_read(item.byte_len()) {
            return Ok(None);
        }
        let bytes = match rest {
            Some(rest) => item.read_rest(bytes, rest, item.byte_len(), self.max_document)?,
            None => bytes,
        };
        Ok(Some(Reading::Whole(self.content(item, head, bytes, is_complete)?)))
    }

    /// The content of an item with this head and these bytes. If not `complete`, the charset is
    /// detected from their beginning only.
    fn content(
        &self,
        item: &Item,
        head: Head,
        bytes: Vec<u8>,
        complete: bool,
    ) -> Result<Content, Error> {
        if let (Kind::Package, None) = (head.kind, head.compression) {
            let package = PackageFile::open(item.name(), self.base_of(item), bytes);
            return Ok(match package {
                Ok(package) => Content::Package(Box::new(package)),
                Err(NotOpened { bytes, error: None }) => Content::Binary(bytes),
                Err(NotOpened { bytes, error: Some(error) }) => Content::Refused(bytes, error),
            });
        }
        let (Kind::Mail(format) | Kind::Document(format)) = head.kind else {
            // The rest of an archive of files or of an image need not be decompressed. Documents of
            // web archives are read only as these stream.
            return Ok(Content::Binary(head.inflated.unwrap_or(bytes)));
        };
        let (bytes, damage) = match (head.compression, self.compressed) {
            (Some(compression), Compressed::Inflate { at_most }) => {
                let most = format.max_inflated().min(self.max_document);
                inflate(compression, &bytes, at_most, most)
            }
            _ => (bytes, None),
        };
        let complete = complete || bytes.len() <= STREAM_HEAD;
        let source = self.source(item, format, &bytes, complete);
        let document = Document::from_source(Source { bytes, ..source }, format);
        let damage = damage.map(kind_of).or_else(|| fault_of(&document));
        Ok(match damage {
            Some(kind) => Content::Damaged(document, item.error(kind)),
            None => Content::Document(document),
        })
    }

    fn given(&self) -> Given<'_> {
        Given {
            format: self.format,
            is_text: self.is_text,
            charset: self.charset.as_deref(),
            is_kept: self.compressed == Compressed::Keep,
        }
    }

    /// The source, without its bytes, of a document that has the bytes `text`, or begins with them
    /// if not `complete`. If the options name the format, there is no syntax.
    fn source(&self, item: &Item, format: Format, text: &[u8], complete: bool) -> Source {
        let head = match complete {
            true => text,
            false => &text[..text.len().min(STREAM_HEAD)],
        };
        let head = if format.is_page() { head } else { Charset::without_false_mark(head) };
        let detect = || Charset::detect(head, complete, format.declared_charset());
        let given = self.syntax.as_deref().filter(|_| format.is_text());
        let syntax = match given.and_then(|name| TextSyntax::named(name, text)) {
            Some(syntax) => Some(syntax),
            None if self.format.is_some() => None,
            None => format.text_syntax(item.name_of_file(), text),
        };
        Source {
            name: item.name().to_owned(),
            syntax,
            base: self.base_of(item),
            ..Source::new(Vec::new(), self.given().charset(text).unwrap_or_else(detect))
        }
    }

    /// Returns true if slices of a file are the messages or records that begin in them. Any other
    /// slice is a document of its own.
    ///
    /// # Errors
    /// If reading the beginning of the file fails.
    pub fn is_divisible(&self, file: &Item) -> Result<bool, Error> {
        let bytes = file.head_of_file(PEEK)?;
        let head = Head::of(file, &bytes, self.given());
        Ok(match head.kind {
            Kind::WebArchive => !is_wacz(file, &bytes),
            Kind::Mail(format) if head.compression.is_none() => {
                self.end_of_first_message(file, format)?.is_some()
            }
            _ => false,
        })
    }

    /// Opens a slice of a container: a reader of the messages or records that begin in the slice.
    fn slice_of_container(&self, item: &Item) -> Result<Option<Reading>, Error> {
        let Some(range) = item.range() else {
            return Ok(None);
        };
        let bytes = item.head_of_file(PEEK)?;
        let head = Head::of(item, &bytes, self.given());
        Ok(match head.kind {
            Kind::WebArchive => {
                let archive = self.slice_of_web_archive(item, range, bytes)?;
                Some(Reading::WebArchive(Box::new(archive)))
            }
            Kind::Mail(format) if head.compression.is_none() => {
                self.slice_of_mailbox(item, range, format, &bytes)?.map(Reading::Mail)
            }
            _ => None,
        })
    }

    /// A reader of the messages that begin in a slice of a mailbox.
    fn slice_of_mailbox(
        &self,
        item: &Item,
        wanted: Range<u64>,
        format: Format,
        head: &[u8],
    ) -> Result<Option<MailReader>, Error> {
        let offset = wanted.start;
        let Some(first_end) = self.end_of_first_message(item, format)? else {
            return Ok(None);
        };
        let from = offset.saturating_sub(Mbox::<Reader>::LOOK_BACK);
        let (reader, file_len) = item.open_from(from)?;
        if offset > file_len {
            return Err(item.error(ErrorKind::SliceStart { len: file_len }));
        }
        let format = self.mbox.of_head(head);
        let end = file_len.min(wanted.end);
        let file = match item {
            // Its program reads it best from the beginning to the end.
            Item::Opened(_) => None,
            _ => item.shared_file()?,
        };
        Ok(Some(MailReader {
            name: item.name_of_file().into(),
            base: self.base_of(item),
            format: Some(format),
            names: MessageNames::Offsets,
            messages: Messages::Many(Box::new(
                Mbox::part(reader, format, from, wanted).with_first_end(first_end),
            )),
            len: Some(end.saturating_sub(offset)),
            file: file.map(|file| (file, offset..end)),
        }))
    }

    /// Returns the end of the first message of a mailbox, as a byte offset, where messages in it may
    /// begin as a mailbox does. 0 if it has none. `None` for a single message.
    fn end_of_first_message(&self, item: &Item, format: Format) -> Result<Option<u64>, Error> {
        Ok(match format.container() {
            Some(Container::Mailbox) => Some(0),
            Some(Container::Message) if self.format.is_none() => {
                appended_mailbox(&item.head_of_file(MAX_MESSAGE)?).map(|end| end as u64)
            }
            _ => None,
        })
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
            let file = match item {
                Item::Path(_) => item.shared_file()?,
                Item::Opened(opened) if opened.range().is_none() => item.shared_file()?,
                _ => None,
            };
            let Some(file) = file else {
                let problem = "a WACZ can only be read from a file: not from memory, standard input or a pipe, nor in slices";
                let problem = problem.to_owned();
                return Err(item.error(ErrorKind::WebArchive { problem }));
            };
            return WebArchiveReader::of_wacz(name, file, len);
        }
        let rest = rest.unwrap_or_else(|| Box::new(io::empty()));
        let reader: Reader = Box::new(Cursor::new(head).chain(rest));
        let records = Records::new(Arc::clone(&name), reader, len);
        Ok(WebArchiveReader::of_records(name, records, len))
    }

    /// A reader of the records that begin in a slice of a web archive.
    fn slice_of_web_archive(
        &self,
        item: &Item,
        wanted: Range<u64>,
        head: Vec<u8>,
    ) -> Result<WebArchiveReader, Error> {
        if is_wacz(item, &head) {
            return self.web_archive(item, head, None);
        }
        let (_, file_len) = item.open_from(0)?;
        if wanted.start > file_len {
            return Err(item.error(ErrorKind::SliceStart { len: file_len }));
        }
        let name: Arc<Path> = item.name_of_file().into();
        let len = Some(wanted.end.min(file_len).saturating_sub(wanted.start));
        let open = |offset| item.open_at(offset).map(|(reader, _)| reader);
        let records = Records::slice(Arc::clone(&name), open, wanted, Some(file_len));
        let records = records.map_err(|error| item.error(ErrorKind::Read(error)))?;
        Ok(WebArchiveReader::of_records(name, records, len))
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
                let offset = item.range().map_or(0, |it| it.start);
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
            names: MessageNames::Numbers,
            messages,
            len,
            file: None,
        }
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
        if let Item::Memory(Memory { url: Some(url), .. }) = item {
            return Some(Base { uri: url.to_string(), from: BaseFrom::Option });
        }
        self.retrieval.as_ref()?.base_of(item)
    }
}
