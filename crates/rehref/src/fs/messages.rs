//! The messages of a file, as stored.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::read::{Item, MailReader, ReadOptions, Reading};
use crate::container::mail::{Batch, MailOptions, RawMessage, documents};
use crate::document::Document;
use crate::error::{Error, ErrorKind};
use crate::format::Format;

/// The messages of a file, in order: see [`Mailbox::messages`](super::Mailbox::messages). An item
/// is an error where a part of the file could not be read; the iteration continues after it.
#[derive(Debug)]
pub struct Messages {
    reader: MailReader,
    options: Arc<MailOptions>,
    batch: Option<Batch>,
    /// The index of the next message of the batch.
    next: usize,
}

/// A message as stored in its file.
#[derive(Clone, Debug)]
pub struct Message {
    /// The file, as named in records.
    archive: Arc<Path>,
    bytes: Vec<u8>,
    number: usize,
    offset: u64,
    may_have_quotes: bool,
    is_cut: bool,
    options: Arc<MailOptions>,
}

impl Messages {
    /// The messages of an item, read as a mailbox unless it is one message.
    ///
    /// # Errors
    /// If the system refuses to read the file, or a slice begins past its end.
    pub fn new(item: &Item, options: &ReadOptions) -> Result<Self, Error> {
        let reading = options.read_or_stream(item)?;
        let reader = match reading {
            Reading::Mail(reader) => reader,
            _ => match as_mailbox(options.clone()).read_or_stream(item)? {
                Reading::Mail(reader) => reader,
                _ => return Err(Error::new(item.name(), ErrorKind::Binary)),
            },
        };
        Ok(Self::of_reader(reader, options))
    }

    pub(super) fn of_reader(reader: MailReader, options: &ReadOptions) -> Self {
        let mail = MailOptions {
            headers: true,
            charset: options.charset.clone(),
            ..MailOptions::default()
        };
        Self { options: Arc::new(reader.options(&mail)), reader, batch: None, next: 0 }
    }
}

/// Returns the options, by which any file is read as a mailbox.
pub(super) fn as_mailbox(options: ReadOptions) -> ReadOptions {
    ReadOptions { format: Some(Format::Mbox), ..options }
}

impl Iterator for Messages {
    type Item = Result<Message, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let raw = self.batch.as_ref().and_then(|it| it.message(self.next));
            if let Some(raw) = raw {
                self.next += 1;
                return Some(Ok(Message {
                    archive: Arc::clone(self.reader.name()),
                    bytes: raw.bytes.to_vec(),
                    number: raw.number,
                    offset: raw.offset,
                    may_have_quotes: raw.may_have_quotes,
                    is_cut: raw.is_cut,
                    options: Arc::clone(&self.options),
                }));
            }
            (self.batch, self.next) = (None, 0);
            match self.reader.next()? {
                Ok(batch) => self.batch = Some(batch),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Message {
    /// The file, as named in records.
    pub fn archive(&self) -> &Path {
        &self.archive
    }

    /// The bytes, with the separator before the message, and with quoted lines as stored.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number in the file, from 1. `None` in a slice, whose messages have names by their
    /// offsets: `FILE!@1024`.
    pub fn number(&self) -> Option<usize> {
        self.raw().number_in_file(self.options.names)
    }

    /// The offset of the first byte in the file, from 0. In compressed files, an offset of the
    /// decompressed bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns true if the message was longer than 32 MiB, and is only its beginning.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The documents of the message: its headers and its parts of text, in order. If the message
    /// exceeds a limit, the last item is an error.
    ///
    /// Cost: linear in the message.
    pub fn documents(&self) -> Vec<Result<Document, Error>> {
        let raw = self.raw();
        let mut found = Vec::new();
        let unread = documents(raw, &self.archive, &self.options, |part| {
            found.push(Ok(part.document));
        });
        let offset = self.offset;
        let kind = match unread.is_cut {
            true => ErrorKind::LongMessage { offset },
            false => ErrorKind::ManyParts { offset },
        };
        if unread.is_cut || unread.has_too_many_parts {
            let mut name = self.archive.as_os_str().to_owned();
            raw.append_name(self.options.names, &mut name);
            found.push(Err(Error::new(PathBuf::from(name), kind)));
        }
        found
    }

    fn raw(&self) -> RawMessage<'_> {
        RawMessage {
            bytes: &self.bytes,
            number: self.number,
            offset: self.offset,
            may_have_quotes: self.may_have_quotes,
            is_cut: self.is_cut,
        }
    }
}
