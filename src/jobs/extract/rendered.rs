//! The rendered events of a document, and where work on a batch of documents continues.

use super::event::ExtractTotals;
use crate::container::mail::MailLines;
#[cfg(feature = "warc")]
use crate::fs::WebArchiveReader;
use crate::fs::{MailReader, Stream};

/// The rendered events of a document, or of a piece of one.
#[derive(Default)]
pub(super) struct Rendered<P> {
    pub(super) piece: P,
    pub(super) totals: ExtractTotals,
    /// The approximate size of the reported links in bytes.
    pub(super) size: usize,
    /// The lines of the messages in work, if positions are those in the file.
    pub(super) mail_lines: Option<MailLines>,
}

/// What a worker makes of a file.
pub(super) enum Worked<P> {
    /// All of its events.
    Whole(Rendered<P>),
    /// A long text, which is read when its turn comes.
    Stream(Box<Stream>),
    /// A long mailbox, which is read when its turn comes.
    Mailbox(Box<MailReader>),
    /// A web archive, which is read when its turn comes.
    #[cfg(feature = "warc")]
    WebArchive(Box<WebArchiveReader>),
}

/// A function that delivers a piece.
pub(super) type Flush<'f, P> = dyn FnMut(&mut Rendered<P>) + 'f;

/// The place in a batch of documents where work on it continues.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(
    not(feature = "warc"),
    expect(dead_code, reason = "only batches of web archives have several places")
)]
pub(super) struct Place {
    /// The number of the entry of the batch, from 0.
    pub(super) entry: usize,
    /// The number of documents of the entry that are read.
    pub(super) documents: usize,
}
