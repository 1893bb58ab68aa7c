//! The events and totals of an extraction run.

use std::ops::AddAssign;
use std::path::Path;

use crate::bytes::Position;
use crate::document::Document;
use crate::error::{Error, Warning};
use crate::format::UnreadKind;
use crate::jobs::sink::{Event, Sink};
use crate::records::SummaryRecord;
use crate::records::{LinkReport, UnreadDocuments};

/// A result or message of an [`Extract`](super::Extract) run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ExtractEvent<'e> {
    /// A document is read: a file, or a part of a message.
    Document(&'e Path),
    /// A message of a mailbox is read. Its documents follow.
    Message,
    /// A link that passed the filter, in a document with this character encoding.
    Link(&'e LinkReport<'e>, &'e str),
    /// All links of a document were reported, in a run over [whole
    /// documents](super::Extract::whole_documents).
    DocumentEnd(&'e Document),
    /// A warning about a document, with its place if it has one.
    Warning(&'e Path, Option<Position>, Warning),
    /// A file with the name of mail was skipped: it has binary content.
    BinaryMail(&'e Path),
    /// A file could not be read, or not completely.
    Error(&'e Error),
    /// The links of a file of this kind are not read, or not all of them.
    Unread(&'e Path, UnreadKind),
    /// The number of bytes read of a long text, mailbox or web archive, and its length if known.
    Progress {
        /// The end of the part read so far, in bytes.
        read: u64,
        /// The length of the file in bytes.
        len: Option<u64>,
    },
    /// All of a file has been delivered. The name is empty if it could not be read.
    FileEnd(&'e Path),
    /// No more events follow, since the receiver broke off or the run was stopped. Threads may
    /// still wait for input.
    Stopped,
}

impl Event for ExtractEvent<'static> {
    type Of<'e> = ExtractEvent<'e>;
}

pub(super) type ExtractSink<'s, P> = Sink<'s, ExtractEvent<'static>, P>;

/// The numbers of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtractTotals {
    /// Documents read.
    pub documents: usize,
    /// Messages of mailboxes read.
    pub messages: usize,
    /// Links that passed the filter.
    pub links: usize,
    /// Warnings and errors.
    pub warnings: usize,
    /// Documents whose links were not read.
    pub unread: UnreadDocuments,
    /// True if the run ended before all input was read.
    pub stopped: bool,
}

impl ExtractTotals {
    /// Counts an event.
    #[inline]
    pub fn count(&mut self, event: &ExtractEvent<'_>) {
        match event {
            ExtractEvent::Document(_) => self.documents += 1,
            ExtractEvent::Message => self.messages += 1,
            ExtractEvent::Link(..) => self.links += 1,
            ExtractEvent::Warning(..) | ExtractEvent::BinaryMail(_) | ExtractEvent::Error(_) => {
                self.warnings += 1;
            }
            ExtractEvent::Unread(_, kind) => self.unread.add(*kind),
            ExtractEvent::Stopped => self.stopped = true,
            ExtractEvent::DocumentEnd(_)
            | ExtractEvent::Progress { .. }
            | ExtractEvent::FileEnd(_) => {}
        }
    }
}

impl AddAssign for ExtractTotals {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.messages += other.messages;
        self.links += other.links;
        self.warnings += other.warnings;
        self.unread += other.unread;
        self.stopped |= other.stopped;
    }
}

impl From<ExtractTotals> for SummaryRecord {
    fn from(totals: ExtractTotals) -> Self {
        Self {
            docs: totals.documents,
            links: totals.links,
            warnings: totals.warnings,
            messages: totals.messages,
            unread: totals.unread,
        }
    }
}
