//! What runs that edit files report.

use std::path::Path;

use crate::bytes::Position;
use crate::document::{Document, Link};
use crate::error::{Error, Warning};
use crate::format::UnreadKind;
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
    /// The links of a file of this kind are not read, or not rewritten.
    Unread(&'e Path, UnreadKind),
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
    /// The run that is undone or finished is in this directory, above the one where the search for it began.
    RunAbove(&'e Path),
    /// From now on files are written. The number of files or steps, if known.
    Writing(Option<usize>),
    /// The number of files of the run.
    Files(usize),
    /// A file or step is done.
    Progress,
    /// No more events follow, since the receiver broke off. Threads may still wait for input.
    Stopped,
}

impl EditEvent<'_> {
    /// Returns true if the event makes the run incomplete: a file could not be read or written, or verification failed.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Error(_) | Self::Unverified { .. })
    }

    /// Returns the message of an event for people, which begins with the name of the file. Events of progress and results
    /// have none.
    pub fn message(&self) -> Option<String> {
        Some(match self {
            Self::Error(error) | Self::Mail(error) => error.to_string(),
            Self::Warning(name, at, warning) => warning.message(name, *at),
            Self::Skipped(link, reason) => {
                let reference = link.reference();
                format!(
                    "{}: unchanged: {reference:?} {}",
                    place_of(link),
                    reason.as_str()
                )
            }
            Self::Breaks(link) => {
                format!(
                    "{}: {:?} would lose its target",
                    place_of(link),
                    link.reference()
                )
            }
            Self::BreaksUneditable {
                name,
                is_compressed,
                links,
            } => {
                let kind = match is_compressed {
                    true => "compressed",
                    false => "binary",
                };
                let name = name.display();
                format!("{name}: {kind} file not rewritten; links that would break: {links}")
            }
            Self::BreaksSymlink(path) => {
                let path = path.display();
                format!("{path}: the symbolic link would lose its target")
            }
            Self::Unverified { document, mismatch } => {
                let name = document.path().display();
                let place = mismatch.at.map(|at| document.lines().position(at));
                let place = place.map_or(String::new(), |at| format!(":{at}"));
                format!("{name}{place}: unchanged, since verification failed: {mismatch}")
            }
            Self::StaleIntegrity {
                document,
                position,
                reference,
                file,
            } => {
                let document = document.display();
                let file = file.file_name().map_or(*file, Path::new).display();
                format!(
                    "{document}:{position}: stale integrity hash of {reference:?}: {file} changes"
                )
            }
            Self::StaleCopy { copy, document } => {
                let (copy, document) = (copy.display(), document.display());
                format!("{copy}: stale compressed copy of {document}")
            }
            Self::StaleRedirect(name, line) => {
                let name = name.display();
                format!("{name}:{line}:1: redirects from a path that exists after the move")
            }
            Self::NoRedirect(path) => {
                format!("{path}: not redirected: no rule of this server can name the path")
            }
            Self::PageUrl(name, page) => {
                let it = page.evidence.as_ref()?;
                format!(
                    "{}: resolved links against {} ({} of {} relative links have a file; against {}: {})",
                    name.display(),
                    page.url,
                    it.found,
                    it.links,
                    it.named_url,
                    it.named_found,
                )
            }
            Self::MatchesAgain(url) => {
                format!("{url} matches a pattern again: a second run would change it again")
            }
            Self::SpecialFile(name) => format!("{}: special file not copied", name.display()),
            Self::UnsupportedFormat => "-: unchanged: not HTML, CSS, XML or plain text".to_owned(),
            Self::TextWithoutRule => "-: unchanged: only maps rewrite plain text".to_owned(),
            Self::WouldRefuse(error) => format!("a run that writes would refuse: {error}"),
            Self::HardLinks(name, 1) => {
                let name = name.display();
                format!("{name}: has another hard link, which keeps the old content")
            }
            Self::HardLinks(name, links) => {
                let name = name.display();
                format!("{name}: has {links} other hard links, which keep the old content")
            }
            Self::LostAttributes(name) => {
                let name = name.display();
                format!("{name}: not all of its extended attributes could be kept")
            }
            Self::RunAbove(directory) => {
                format!("{}: the last run is in this directory", directory.display())
            }
            Self::ReplacesRun => "the previous run can no longer be undone".to_owned(),
            _ => return None,
        })
    }
}

fn place_of(link: &Link<'_>) -> String {
    let name = link.document().path().display();
    format!("{name}:{}:{}", link.line(), link.column())
}
