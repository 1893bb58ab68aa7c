//! The division of a mailbox into messages.

use super::format::MboxFormat;

/// The rules by which a mailbox is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Splitting {
    pub(super) format: MboxFormat,
    /// The minimum end of the first message: see [`Mbox::with_first_end`].
    pub(super) first_end: u64,
    pub(super) counts_lines: bool,
}

/// The beginning of the message after some others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NextMessage {
    pub(super) offset: u64,
    /// True if it begins exactly there. Otherwise it begins at the first separator from there on.
    pub(super) is_known: bool,
    pub(super) number: usize,
    /// The number of line feeds before it, if they are counted.
    pub(super) line_feeds: usize,
}
