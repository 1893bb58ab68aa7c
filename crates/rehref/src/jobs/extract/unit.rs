//! Parts of long texts, mailboxes and web archives.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::long_text::{LongText, Part};
use super::mailbox::Mailbox;
use crate::container::mail::{Batch, MailOptions};
use crate::error::Error;
use crate::format::text::{TextRanges, TextStream};
use crate::fs::{MailRanges, Work};

/// A part of a long text, mailbox or web archive.
pub(super) enum Unit {
    TextBegin(Arc<LongText>, Box<TextStream>),
    Text(Arc<LongText>, usize, Part),
    TextEnd(Arc<LongText>),
    MailRange(Arc<Mailbox>, u64),
    Messages(Arc<Container>, Arc<MailOptions>, Result<Batch, Error>),
    Records(Arc<Container>, Result<Work, Error>),
    End(Arc<Container>),
}

/// A long mailbox or web archive.
pub(super) struct Container {
    pub(super) name: Arc<Path>,
    /// The length in bytes, if known.
    pub(super) len: Option<u64>,
    is_done: AtomicBool,
}

impl Container {
    pub(super) fn new(name: &Arc<Path>, len: Option<u64>) -> Arc<Self> {
        Arc::new(Self { name: Arc::clone(name), len, is_done: AtomicBool::new(false) })
    }

    /// The units of these parts, while they are wanted, and the end.
    pub(super) fn units<B>(
        self: Arc<Self>,
        parts: impl Iterator<Item = B>,
        unit: impl Fn(Arc<Self>, B) -> Unit,
    ) -> impl Iterator<Item = Unit> {
        let (wanted, end) = (Arc::clone(&self), Arc::clone(&self));
        let parts = parts.take_while(move |_| !wanted.is_done());
        let units = parts.map(move |part| unit(Arc::clone(&self), part));
        units.chain(std::iter::once(Unit::End(end)))
    }

    /// Returns true if no more links are wanted.
    pub(super) fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }

    pub(super) fn end(&self) {
        self.is_done.store(true, Ordering::Relaxed);
    }
}

impl Unit {
    /// The number of bytes that it holds until its results are taken.
    pub(super) fn byte_len(&self) -> usize {
        match self {
            Self::Text(_, _, Part::Read(part)) => part.as_ref().map_or(0, |it| it.byte_len()),
            Self::Text(_, _, Part::Range) => TextRanges::DISTANCE,
            Self::MailRange(..) => MailRanges::DISTANCE as usize,
            Self::Messages(_, _, batch) => batch.as_ref().map_or(0, Batch::byte_len),
            Self::Records(_, work) => work.as_ref().map_or(0, Work::byte_len),
            Self::TextBegin(..) | Self::TextEnd(_) | Self::End(_) => 0,
        }
    }
}
