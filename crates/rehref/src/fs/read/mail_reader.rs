//! Reading mail: files with one or many messages.

use std::path::Path;
use std::sync::Arc;

use super::item::{Reader, kind_of};
use crate::container::mail::{Batch, MailOptions, Mbox, MboxFormat};
use crate::error::Error;
use crate::source::Base;

/// The maximum length of a file that is not worth several threads, in bytes.
const SMALL: u64 = 1 << 20;

/// A streaming reader of the messages of a file.
pub struct MailReader {
    pub(super) name: Arc<Path>,
    pub(super) base: Option<Base>,
    pub(super) format: Option<MboxFormat>,
    pub(super) messages: Messages,
    pub(super) len: Option<u64>,
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

    /// Counts lines, so that batches have the number of their first line.
    #[must_use]
    pub fn counting_lines(self) -> Self {
        let messages = match self.messages {
            Messages::Many(mbox) => Messages::Many(Box::new(mbox.counting_lines())),
            one @ Messages::One(..) => one,
        };
        Self { messages, ..self }
    }

    /// The options for its messages: `options`, with the quoting and base of this file.
    pub fn options(&self, options: &MailOptions) -> MailOptions {
        MailOptions { quoting: self.format, base: self.base.clone(), ..options.clone() }
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
