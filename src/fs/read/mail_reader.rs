//! Reading mail: files that hold messages, one or many.

use std::path::Path;
use std::sync::Arc;

use super::item::{Reader, kind_of};
use crate::container::mail::{Batch, MailOptions, Mbox, MboxFormat};
use crate::error::Error;
use crate::source::Base;

/// How long a file is at most for which it does not pay to have several threads at its messages, in bytes.
const SMALL: u64 = 1 << 20;

/// A file of messages, which is read as they are needed.
pub struct MailReader {
    pub(super) name: Arc<Path>,
    pub(super) base: Option<Base>,
    pub(super) format: Option<MboxFormat>,
    pub(super) messages: Messages,
    pub(super) len: Option<u64>,
}

pub(super) enum Messages {
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
                .map(|batch| batch.map_err(|error| Error::new(&*self.name, kind_of(error)))),
        }
    }
}
