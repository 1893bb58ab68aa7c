//! Reading mail: files with one or many messages.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use super::item::{Reader, kind_of};
use super::shared_file::{FileRange, SharedFile};
use crate::container::mail::{
    Batch, MailOptions, Mbox, MboxFormat, MessageNames, NextMessage, RangeOfMailbox, Splitting,
};
use crate::error::Error;
use crate::source::Base;

/// The maximum length of a file that is not worth several threads, in bytes.
const SMALL: u64 = 1 << 20;

/// A streaming reader of the messages of a file.
pub struct MailReader {
    pub(super) name: Arc<Path>,
    pub(super) base: Option<Base>,
    pub(super) format: Option<MboxFormat>,
    pub(super) names: MessageNames,
    pub(super) messages: Messages,
    pub(super) len: Option<u64>,
    /// The mailbox as a file that several threads read, and the range in it.
    pub(super) file: Option<(SharedFile, Range<u64>)>,
}

pub(super) enum Messages {
    /// One message, up to an error, and the error.
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
    /// The name in records.
    pub fn name(&self) -> &Arc<Path> {
        &self.name
    }

    /// The length in bytes, if known.
    pub fn byte_len(&self) -> Option<u64> {
        self.len
    }

    /// Returns true if the file is too short to gain from several threads.
    pub fn is_small(&self) -> bool {
        match &self.messages {
            Messages::One(batch, _) => {
                let len = batch.as_ref().map_or(0, Batch::byte_len);
                len as u64 <= SMALL
            }
            Messages::Many(_) => self.len.is_some_and(|len| len <= SMALL),
        }
    }

    /// The ranges of the mailbox, which any thread can read.
    pub(crate) fn ranges(&self) -> Option<MailRanges> {
        match (&self.messages, self.file.clone()) {
            (Messages::Many(mbox), Some((file, range))) => {
                Some(MailRanges { file, range, splitting: mbox.splitting() })
            }
            _ => None,
        }
    }

    /// Counts lines, so that batches have the number of their first line.
    #[must_use]
    pub fn counting_lines(self) -> Self {
        let messages = match self.messages {
            Messages::Many(mbox) => Messages::Many(Box::new(mbox.counting_lines())),
            one @ Messages::One(..) => one,
        };
        Self { messages, ..self }
    }

    /// The options for its messages: `options`, with the quoting and base of this file. The messages
    /// of a slice are named by their offsets.
    pub fn options(&self, options: &MailOptions) -> MailOptions {
        let names = match self.names {
            MessageNames::Offsets => MessageNames::Offsets,
            MessageNames::Numbers => options.names,
        };
        MailOptions { quoting: self.format, base: self.base.clone(), names, ..options.clone() }
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
                .map(|batch| batch.map_err(|error| Error::new(&*self.name, kind_of(error)))),
        }
    }
}

/// A mailbox in ranges, which any thread can read.
pub(crate) struct MailRanges {
    file: SharedFile,
    range: Range<u64>,
    splitting: Splitting,
}

/// The number of bytes beyond a range after which a thread waits for its turn to read more. So only
/// one thread holds a long message.
const FAR: u64 = 4 << 20;

impl MailRanges {
    /// The length of a range in bytes. It is not a multiple of a page: see the alignment of
    /// [`TextRanges`](crate::format::text::TextRanges).
    pub(crate) const DISTANCE: u64 = (1 << 20) + (1 << 10) + 64;

    /// Returns the number of ranges.
    pub(crate) fn count(&self) -> u64 {
        (self.range.end - self.range.start).div_ceil(Self::DISTANCE)
    }

    /// Splits the range with this number, from 0. Calls `wait` before it reads far beyond the range;
    /// reading ends if that breaks.
    pub(crate) fn split(
        &self,
        number: u64,
        mut wait: impl FnMut() -> ControlFlow<()>,
    ) -> RangeOfMailbox {
        let start = self.range.start + number * Self::DISTANCE;
        let range = start..self.range.end.min(start + Self::DISTANCE);
        let end = range.end;
        RangeOfMailbox::split(self.splitting, range, |from| self.open(from, end, &mut wait))
    }

    /// Corrects the messages of a range, as [`RangeOfMailbox::follow`] does.
    pub(crate) fn follow(
        &self,
        messages: &mut RangeOfMailbox,
        next: &mut Option<NextMessage>,
        mut wait: impl FnMut() -> ControlFlow<()>,
    ) {
        let end = messages.end();
        messages.follow(next, self.splitting, |from| self.open(from, end, &mut wait));
    }

    fn open<'w>(
        &self,
        from: u64,
        end: u64,
        wait: &'w mut dyn FnMut() -> ControlFlow<()>,
    ) -> Patient<'w> {
        Patient {
            bytes: self.file.range(from, self.file.byte_len()),
            near: end.saturating_sub(from) + FAR,
            wait,
        }
    }
}

/// A reader that waits before it reads far.
struct Patient<'w> {
    bytes: FileRange,
    /// The number of bytes that it may read before.
    near: u64,
    wait: &'w mut dyn FnMut() -> ControlFlow<()>,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.near == 0 && (self.wait)().is_break() {
            return Ok(0);
        }
        let read = self.bytes.read(buffer)?;
        self.near = self.near.saturating_sub(read as u64);
        Ok(read)
    }
}
