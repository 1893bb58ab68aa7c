//! Reading mail: files that hold messages, one or many.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use super::inflate::{failure, inflating, peek};
use super::item::Reader;
use crate::container::mail::{Batch, MAX_MESSAGE, MailOptions, Mbox, MboxFormat, appended_mailbox};
use crate::error::{Error, ErrorKind};
use crate::fs::{Compressed, GZIP, Item, ReadOptions, Slice};
use crate::source::{Base, Format};

/// How much of a file is read, or inflated, to see what it is, in bytes.
const PEEK: usize = 64 << 10;

/// How long a file is at most for which it does not pay to have several threads at its messages, in bytes.
const SMALL: u64 = 1 << 20;

/// A file of messages, which is read as they are needed.
pub struct MailReader {
    name: Arc<Path>,
    base: Option<Base>,
    format: Option<MboxFormat>,
    messages: Messages,
    len: Option<u64>,
}

enum Messages {
    /// One, as far as it could be read, and what was wrong then.
    One(Option<Batch>, Option<Error>),
    Many(Box<Mbox<Reader>>),
}

impl std::fmt::Debug for MailReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailReader")
            .field("name", &self.name)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

impl MailReader {
    /// How records name it.
    pub fn name(&self) -> &Arc<Path> {
        &self.name
    }

    /// Its length in bytes, if it is known.
    pub fn byte_len(&self) -> Option<u64> {
        self.len
    }

    /// Whether it is so short that there is little to gain by several threads.
    pub fn is_small(&self) -> bool {
        match &self.messages {
            Messages::One(batch, _) => {
                let len = batch.as_ref().map_or(0, Batch::byte_len);
                len as u64 <= SMALL
            }
            Messages::Many(_) => self.len.is_some_and(|len| len <= SMALL),
        }
    }

    /// How its messages are taken apart, but for what the caller says: `options`.
    pub fn options(&self, options: &MailOptions) -> MailOptions {
        MailOptions {
            quoting: self.format,
            base: self.base.clone(),
            ..options.clone()
        }
    }
}

impl Iterator for MailReader {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.messages {
            Messages::One(batch, error) => {
                let batch = batch.take().map(Ok);
                batch.or_else(|| error.take().map(Err))
            }
            Messages::Many(mbox) => mbox
                .next()
                .map(|batch| batch.map_err(|error| Error::new(&*self.name, failure(error)))),
        }
    }
}

impl ReadOptions {
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
                    error = read.err().map(|error| item.error(failure(error)));
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
