//! The events of a run that checks links.

use std::fmt;
use std::path::Path;

use crate::bytes::Position;
use crate::check::Broken;
use crate::document::Link;
use crate::error::{Error, Warning};
use crate::format::UnreadKind;
use crate::jobs::sink::{Event, Sink};

/// A result or message of a [`Check`](super::Check) run.
///
/// All documents are read before the first result is reported. Until then, the only events are
/// errors, documents that are not read, and the progress.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum CheckEvent<'e> {
    /// A file is read.
    Progress,
    /// All documents are read; the results of each follow.
    Surveyed(&'e Surveyed<'e>),
    /// A document, also one without broken links. Its results follow.
    Document(&'e Path),
    /// A warning about a document, with its place if it has one.
    Warning(&'e Path, Option<Position>, Warning),
    /// A file or directory could not be read, or not completely.
    Error(&'e Error),
    /// The links of a file of this kind are not read.
    Unread(&'e Path, UnreadKind),
    /// A document was read only in part.
    Damaged(&'e Error),
    /// A broken link.
    Broken(&'e Broken<'e>),
    /// A link whose target could not be looked up, such as one in a directory that this user may
    /// not read.
    Unknown(&'e Link<'e>),
    /// A broken link that the [baseline](super::Check::baseline) accepts.
    Accepted(&'e Broken<'e>),
    /// A page without links from other documents that the [baseline](super::Check::baseline)
    /// accepts.
    AcceptedOrphan(&'e Path),
    /// A page without links from other documents.
    Orphan(&'e Path),
}

impl Event for CheckEvent<'static> {
    type Of<'e> = CheckEvent<'e>;
}

pub(super) type CheckSink<'s, P> = Sink<'s, CheckEvent<'static>, P>;

/// All documents of a run, before the results of the first.
pub struct Surveyed<'s> {
    /// The number of documents.
    pub documents: usize,
    pub(super) failed: &'s dyn Fn() -> usize,
}

impl Surveyed<'_> {
    /// Counts the documents with broken links, and the orphans if they are reported. Linear in the
    /// links of the tree. With a baseline, documents with broken links are read again.
    pub fn count_failed(&self) -> usize {
        (self.failed)()
    }
}

impl fmt::Debug for Surveyed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surveyed").field("documents", &self.documents).finish_non_exhaustive()
    }
}
