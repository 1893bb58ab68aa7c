//! What runs that edit files report.

use std::path::Path;

use crate::bytes::Position;
use crate::document::{Document, Link};
use crate::error::{Error, Warning};
use crate::jobs::JobError;
use crate::rewrite::{Edits, MirrorPage, Mismatch, Plan, SkipReason};

/// A result or message of a run that edits files.
#[derive(Debug)]
#[non_exhaustive]
pub enum EditEvent<'e> {
    /// The plan for a document, which may be empty.
    Document(&'e Plan<'e>),
    /// A file moves.
    Moved {
        /// The old path.
        old: &'e Path,
        /// The new path.
        new: &'e Path,
        /// Whether its content stays.
        is_unchanged: bool,
    },
    /// A directory or special file moves. Diffs cannot show that.
    MovedSpecial {
        /// The old path.
        old: &'e Path,
        /// The new path.
        new: &'e Path,
        /// Whether it is an empty directory.
        is_directory: bool,
    },
    /// Edits of a file that moves, or bytes appended to it.
    Changed {
        /// The old path.
        old: &'e Path,
        /// The new path. The same if it does not move, or has moved already.
        new: &'e Path,
        /// The old content.
        content: &'e [u8],
        /// The edits.
        edits: &'e Edits,
        /// The bytes appended.
        appended: &'e [u8],
        /// Whether a [`Moved`](Self::Moved) precedes.
        moves: bool,
        /// Whether it is UTF-16, which has no diff.
        is_utf16: bool,
    },
    /// A new file with redirects.
    NewFile(&'e Path, &'e [u8]),
    /// The content of the only document, for a filter.
    Content(Vec<u8>),
    /// A file or directory could not be read or written.
    Error(&'e Error),
    /// A warning about a document, with its place if it has one.
    Warning(&'e Path, Option<Position>, Warning),
    /// A link was left unchanged, for this reason.
    Skipped(&'e Link<'e>, SkipReason),
    /// A working link would break, or refer to another file.
    Breaks(&'e Link<'e>),
    /// Working links of a document that cannot be rewritten would break.
    BreaksUneditable {
        /// The document.
        name: &'e Path,
        /// Whether it is compressed. Otherwise it has binary content.
        is_compressed: bool,
        /// The number of links.
        links: usize,
    },
    /// A symbolic link would have no target.
    BreaksSymlink(&'e Path),
    /// The edits of a document failed verification, so it stays unchanged.
    Unverified {
        /// The document.
        document: &'e Document,
        /// The difference.
        mismatch: &'e Mismatch,
    },
    /// The integrity hash of a link is stale: the run changes its file.
    StaleIntegrity {
        /// The document.
        document: &'e Path,
        /// The line and column of the link.
        position: Position,
        /// The reference of the link.
        reference: &'e str,
        /// The file that changes.
        file: &'e Path,
    },
    /// The compressed copy of a document is stale: the run changes the document.
    StaleCopy {
        /// The copy.
        copy: &'e Path,
        /// The document.
        document: &'e Path,
    },
    /// A line of a file with redirects, from 1, redirects from an existing file.
    StaleRedirect(&'e Path, usize),
    /// No redirect rule can name this percent-encoded path.
    NoRedirect(&'e str),
    /// The URL of a page of a mirror, where its links decided it.
    PageUrl(&'e Path, &'e MirrorPage),
    /// A new URL matches the same pattern again, so that a second run changes it again.
    MatchesAgain(&'e str),
    /// A special file was not copied.
    SpecialFile(&'e Path),
    /// A message or mailbox was left unchanged.
    Mail(&'e Error),
    /// The only document, for a filter, has a format that is not rewritten.
    UnsupportedFormat,
    /// The only document, for a filter, is plain text, and no rule applies to text.
    TextWithoutRule,
    /// A run that writes would refuse the file, or everything.
    WouldRefuse(&'e JobError),
    /// An edited file has other hard links, which keep the old content.
    HardLinks(&'e Path, u64),
    /// An edited file has lost extended attributes.
    LostAttributes(&'e Path),
    /// A new run takes the place of a finished one, which can no longer be undone.
    ReplacesRun,
    /// From now on files are written. The number of files or steps, if known.
    Writing(Option<usize>),
    /// The number of files of the run.
    Files(usize),
    /// A file or step is done.
    Progress,
    /// No more events follow, since the receiver broke off. Threads may still wait for input.
    Stopped,
}
