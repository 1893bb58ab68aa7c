//! The events of runs that edit files.

use std::path::Path;

use crate::bytes::Position;
use crate::document::{Document, Link};
use crate::error::{Diagnostic, Error, Warning};
use crate::format::UnreadKind;
use crate::jobs::JobError;
use crate::jobs::sink::{Event, Sink};
use crate::mirror::MirrorPage;
use crate::rewrite::{Edits, Mismatch, Plan, SkipReason};

/// A result or message of a run that edits files.
#[derive(Debug)]
#[non_exhaustive]
pub enum EditEvent<'e> {
    /// The plan for a document, which may be empty. Only if
    /// [`Rewrite::reports_plans`](crate::jobs::Rewrite::reports_plans) is true.
    Document(&'e Plan<'e>),
    /// A file or empty directory moves.
    Moved {
        /// The old path.
        old: &'e Path,
        /// The new path.
        new: &'e Path,
        /// The entry that moves.
        kind: MovedKind,
    },
    /// A rename from before the run is not followed, or only in part.
    NotFollowed {
        /// The old path.
        old: &'e Path,
        /// The new path.
        new: &'e Path,
        /// The reason.
        reason: NotFollowed,
    },
    /// Edits of a file, or bytes inserted into it.
    Changed {
        /// The old path.
        old: &'e Path,
        /// The new path. The same if it does not move, or has moved already.
        new: &'e Path,
        /// The old content.
        content: &'e [u8],
        /// The edits.
        edits: &'e Edits,
        /// An offset, and the bytes to insert there.
        added: (usize, &'e [u8]),
        /// True if the event [`Moved`](Self::Moved) precedes this one.
        moves: bool,
        /// True if the document is UTF-16, which has no diff.
        is_utf16: bool,
        /// True for a part of a package, whose names are `FILE!PART`.
        is_part: bool,
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
        /// The kind of the document.
        kind: Uneditable,
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
    /// A document that is an input itself was left unchanged, since documents of this kind are not
    /// rewritten.
    NotRewritten(&'e Path, UnreadKind),
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
    /// The tree of the moves is a part of a larger one, whose other documents may refer to files
    /// that move. They are not updated.
    LargerTree {
        /// The root of the tree.
        root: &'e Path,
        /// The root of the larger one.
        larger: &'e Path,
        /// The evidence for the larger tree.
        evidence: TreeEvidence,
        /// A document in it that refers to a file that moves, if one was found.
        document: Option<&'e Path>,
        /// The number of other such documents.
        others: usize,
        /// True if all such documents were counted. The search is limited.
        is_counted: bool,
    },
    /// Root-relative links that have no target name files that move if a directory of the tree is
    /// the root of the site. They are not updated.
    InnerRoot {
        /// The directory.
        directory: &'e Path,
        /// The number of links.
        links: usize,
        /// The reference of the first.
        first: &'e str,
    },
    /// The directory of the content of a documentation site moves. The configuration, which has its
    /// path, is not updated.
    MovedContent {
        /// The directory of the site.
        site: &'e Path,
        /// The old path of the content below it.
        old: &'e Path,
        /// The new path.
        new: &'e Path,
    },
    /// A file moves to a path that the configuration of its site excludes, so that it is published
    /// no more.
    Excluded {
        /// Its old path.
        old: &'e Path,
        /// The new path.
        new: &'e Path,
        /// The number of further such files.
        others: usize,
    },
    /// A configuration file names a file that moves. It is not updated.
    Names {
        /// The configuration.
        config: &'e Path,
        /// The place of the first such name.
        position: Position,
        /// The old path of the file.
        old: &'e Path,
        /// The number of other moving files that it names.
        others: usize,
    },
    /// Nothing of a run was undone: files that it edited or created changed since.
    NothingUndone {
        /// The root of the run.
        root: &'e Path,
        /// The files that changed. Empty if there was another problem, which precedes.
        changed: &'e [&'e Path],
        /// The old and new path of the only move, if there is one and the old path is free.
        moved: Option<(&'e Path, &'e Path)>,
    },
    /// The run that is undone or finished is in this directory, above the one where the search for
    /// it began.
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

impl Event for EditEvent<'static> {
    type Of<'e> = EditEvent<'e>;
}

pub(in crate::jobs) type EditSink<'s, P> = Sink<'s, EditEvent<'static>, P>;

/// The kind of a document that cannot be rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uneditable {
    /// It is compressed.
    Compressed,
    /// It has binary content.
    Binary,
    /// It is a script, which imports modules.
    Script,
}

/// An entry that moves, or has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MovedKind {
    /// A file or symbolic link.
    File {
        /// True if its content stays.
        is_unchanged: bool,
    },
    /// An empty directory. Diffs cannot show that.
    Directory,
    /// A special file. Diffs cannot show that.
    Special,
    /// A file or empty directory that moved before the run.
    Before,
}

/// The reason that a rename from before the run is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotFollowed {
    /// The old path is outside of the root. Links in the file are not updated.
    FromOutside,
    /// The new path is outside of the root. Links to the file are not updated.
    ToOutside,
    /// The new path does not exist.
    Missing,
    /// The old path exists again. Links to it stay; links in the renamed file are updated.
    Taken,
}

/// The evidence for a tree that is larger than that of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeEvidence {
    /// Documents that move refer to files in it.
    References,
    /// It has the journal of an earlier run.
    EarlierRun,
    /// It is a repository.
    Repository,
}

impl EditEvent<'_> {
    /// Returns true if the event makes the run incomplete: a file could not be read or written, an
    /// input is not rewritten, verification failed, or nothing was undone.
    pub fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::Error(_)
                | Self::NotRewritten(..)
                | Self::UnsupportedFormat
                | Self::Unverified { .. }
                | Self::NothingUndone { .. }
        )
    }

    /// Returns the message of an event for people. Events of progress and results have none.
    pub fn diagnostic(&self) -> Option<Diagnostic<'_>> {
        let about = |name, text: String| Diagnostic::new(name, None, text);
        Some(match self {
            Self::Error(error) | Self::Mail(error) => error.diagnostic(),
            Self::Warning(name, at, warning) => warning.diagnostic(name, *at),
            Self::Skipped(link, reason) => {
                about_link(link, format!("unchanged: {:?} {}", link.reference(), reason.as_str()))
            }
            Self::Breaks(link) => {
                about_link(link, format!("{:?} loses its target", link.reference()))
            }
            Self::BreaksUneditable { name, kind, links } => about(
                name,
                match kind {
                    Uneditable::Compressed => {
                        format!("compressed file not rewritten; links that break: {links}")
                    }
                    Uneditable::Binary => {
                        format!("binary file not rewritten; links that break: {links}")
                    }
                    Uneditable::Script => {
                        format!("script not rewritten; imported modules that it loses: {links}")
                    }
                },
            ),
            Self::BreaksSymlink(path) => {
                about(path, "the symbolic link loses its target".to_owned())
            }
            Self::Unverified { document, mismatch } => Diagnostic::new(
                document.path(),
                mismatch.at.map(|at| document.lines().position(at)),
                format!("unchanged, since verification failed: {mismatch}"),
            ),
            Self::StaleIntegrity { document, position, reference, file } => {
                let file = file.file_name().map_or(*file, Path::new).display();
                Diagnostic::new(
                    document,
                    Some(*position),
                    format!("stale integrity hash of {reference:?}: {file} changes"),
                )
            }
            Self::StaleCopy { copy, document } => {
                about(copy, format!("stale compressed copy of {}", document.display()))
            }
            Self::NotFollowed { old, new, reason } => {
                let (old_path, new_path) = (old.display(), new.display());
                match reason {
                    NotFollowed::FromOutside => about(
                        new,
                        format!(
                            "moved here from {old_path}, outside of the root: its links are not updated"
                        ),
                    ),
                    NotFollowed::ToOutside => about(
                        old,
                        format!(
                            "moved to {new_path}, outside of the root: links to it are not updated"
                        ),
                    ),
                    NotFollowed::Missing => about(
                        old,
                        format!("moved to {new_path}, which does not exist now: not followed"),
                    ),
                    NotFollowed::Taken => about(
                        old,
                        format!("moved to {new_path}, but exists again: links to it are unchanged"),
                    ),
                }
            }
            Self::StaleRedirect(name, line) => Diagnostic::new(
                name,
                Some(Position { line: *line, column: 1 }),
                "redirects from a path that exists after the move",
            ),
            Self::NoRedirect(path) => Diagnostic::general(format!(
                "{path}: not redirected: no redirect of this form can name the path"
            )),
            Self::PageUrl(name, page) => {
                let it = page.evidence.as_ref()?;
                let text = format!(
                    "resolved links against {} ({} of {} relative links have a file; against {}: {})",
                    page.url, it.found, it.links, it.named_url, it.named_found,
                );
                about(name, text)
            }
            Self::MatchesAgain(url) => Diagnostic::general(format!(
                "{url} matches a pattern again: a second run would change it again"
            )),
            Self::SpecialFile(name) => about(name, "special file not copied".to_owned()),
            Self::NotRewritten(name, kind) => about(name, not_rewritten(*kind)),
            Self::UnsupportedFormat => {
                about(Path::new("-"), "unchanged: not HTML, CSS, XML or plain text".to_owned())
            }
            Self::TextWithoutRule => {
                about(Path::new("-"), "unchanged: only maps rewrite plain text".to_owned())
            }
            Self::WouldRefuse(error) => {
                Diagnostic::general(format!("a run that writes would refuse: {error}"))
            }
            Self::HardLinks(name, 1) => {
                about(name, "has another hard link, which keeps the old content".to_owned())
            }
            Self::HardLinks(name, links) => {
                about(name, format!("has {links} other hard links, which keep the old content"))
            }
            Self::LostAttributes(name) => {
                about(name, "not all of its extended attributes could be kept".to_owned())
            }
            Self::LargerTree { root, larger, evidence, document, others, is_counted } => {
                let shown = root.display();
                if let Some(document) = document
                    && *others > 0
                {
                    let (document, limit) =
                        (document.display(), if *is_counted { "" } else { "at least " });
                    let files = if *others == 1 { "file" } else { "files" };
                    return Some(Diagnostic::general(format!(
                        "{document} and {limit}{others} other {files} refer to files that move, but are not in the tree \
                         {shown}: not updated"
                    )));
                }
                if let Some(document) = document {
                    let text = format!(
                        "refers to files that move, but is not in the tree {shown}: not updated"
                    );
                    return Some(about(document, text));
                }
                let evidence = match evidence {
                    TreeEvidence::References => "documents that move refer to files there",
                    TreeEvidence::EarlierRun => "an earlier run included them",
                    TreeEvidence::Repository => "the repository includes them",
                };
                let larger = larger.display();
                let text = format!(
                    "links from other documents in {larger} are not updated, but {evidence}"
                );
                about(root, text)
            }
            Self::InnerRoot { directory, links, first } => {
                let links = match links {
                    1 => format!("the link {first} names a moved file"),
                    _ => format!("{links} links such as {first} name moved files"),
                };
                let directory = directory.display();
                Diagnostic::general(format!(
                    "{links} if {directory} is the root of the site: not updated"
                ))
            }
            Self::MovedContent { site, old, new } => {
                let (site, old, new) = (site.display(), old.display(), new.display());
                Diagnostic::general(format!(
                    "{old} is the content of the site in {site}: its configuration is not updated to {new}"
                ))
            }
            Self::Excluded { old, new, others } => about(
                old,
                format!(
                    "the site excludes its new path {}{}: links to it break",
                    new.display(),
                    other_moving_files(*others)
                ),
            ),
            Self::Names { config, position, old, others } => {
                let old = old.display();
                let others = other_moving_files(*others);
                let text = format!("names {old}, which moves{others}; not updated");
                Diagnostic::new(config, Some(*position), text)
            }
            Self::NothingUndone { changed, .. } => Diagnostic::general(match *changed {
                [] => "nothing was undone".to_owned(),
                [only] => format!(
                    "nothing was undone: {} changed since the run, and undoing the move would break its links",
                    only.display()
                ),
                [first, others @ ..] => format!(
                    "nothing was undone: {} and {} other {} changed since the run, and undoing the move would break their \
                     links",
                    first.display(),
                    others.len(),
                    if others.len() == 1 { "file" } else { "files" },
                ),
            }),
            Self::RunAbove(directory) => {
                about(directory, "the last run is in this directory".to_owned())
            }
            Self::ReplacesRun => Diagnostic::general("the previous run can no longer be undone"),
            _ => return None,
        })
    }
}

/// A message about a document of a kind that is not rewritten.
fn not_rewritten(kind: UnreadKind) -> String {
    match kind {
        UnreadKind::Document(extension) => {
            format!("unchanged: links in {extension} files are not read")
        }
        UnreadKind::Vocabulary => "relative links of its vocabulary are not read".to_owned(),
        UnreadKind::NotRewritten(kind) => format!("unchanged: {kind} files are not rewritten"),
        _ => "unchanged: binary file".to_owned(),
    }
}

/// A message about a link.
fn about_link<'l>(link: &'l Link<'_>, text: String) -> Diagnostic<'l> {
    let position = Position { line: link.line(), column: link.column() };
    Diagnostic::new(link.document().path(), Some(position), text)
}

fn other_moving_files(number: usize) -> String {
    match number {
        0 => String::new(),
        1 => ", and 1 other moving file".to_owned(),
        _ => format!(", and {number} other moving files"),
    }
}
