//! The options of a run.

use std::ffi::OsStr;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::renames::Renames;
use crate::docs_site::SiteChoice;
use crate::format::Options;
use crate::fs::{BaseMapping, Compressed, GitIgnore, ReadOptions, path_of_bytes};
use crate::jobs::error::{JobError, PathReason};
use crate::jobs::redirects::Redirects;
use crate::jobs::{Inputs, Stop};
use crate::link::LinkFilter;

/// A run that moves files of a directory tree and rewrites the references to and from them.
///
/// ```
/// use rehref::jobs::Relocate;
///
/// # let site = tempfile::tempdir()?;
/// # std::fs::write(site.path().join("index.html"), "<a href=a.html>a</a>\n")?;
/// # std::fs::write(site.path().join("a.html"), "a\n")?;
/// let plan = Relocate::new(site.path()).rename("a.html", "b/a.html").plan()?;
/// assert!(plan.diff().contains("+<a href=b/a.html>a</a>"));
/// plan.apply()?;
/// assert!(site.path().join("b/a.html").exists());
/// rehref::jobs::undo(site.path())?;
/// assert!(site.path().join("a.html").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Relocate {
    /// The directory of the tree.
    pub root: PathBuf,
    /// The moves.
    pub requests: Vec<MoveRequest>,
    /// The URL of the root, or of a directory that contains it. With it, absolute references follow
    /// too.
    pub base: Option<BaseMapping>,
    /// The kinds of documentation sites in the tree, whose documents write links by rules of their
    /// own.
    pub site: SiteChoice,
    /// The options for finding and resolving links.
    pub options: Options,
    /// The links that are updated.
    pub filter: LinkFilter,
    /// The options for reading documents.
    pub read: ReadOptions,
    /// The rules of git. Documents that they ignore are not read, unless they move.
    pub gitignore: GitIgnore,
    /// True to leave documents unchanged if their edits fail verification. See
    /// [`Plan::verify`](crate::Plan::verify).
    pub verify: bool,
    /// True to report skipped links that the moves affect.
    pub reports_skipped: bool,
    /// True to search a tree larger than the root, whose documents may refer to files that move. It
    /// is reported as [`LargerTree`](crate::jobs::EditEvent::LargerTree).
    pub reports_larger_tree: bool,
    /// Redirects from the old addresses.
    pub redirects: Option<Redirects>,
    /// Renames files. `None` for the system's rename that never overwrites.
    pub rename: Option<fn(&Path, &Path) -> io::Result<()>>,
    /// The outcome, such as a dry run.
    pub outcome: MoveOutcome,
    /// The number of documents in work at a time.
    pub threads: NonZeroUsize,
    /// Ends the run early.
    pub stop: Stop,
}

/// Files to move. Paths are those of the process, not of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveRequest {
    /// A file or directory to a new path, or into a directory if the new path ends in a slash.
    Rename(PathBuf, PathBuf),
    /// Files and directories to a directory, or one of them to a new path, as `mv` has it.
    Sources(Vec<PathBuf>, PathBuf),
    /// The rows `old,new` of this file, or of `-` for standard input.
    List(PathBuf),
    /// A file or directory that is at its new path already.
    Moved(PathBuf, PathBuf),
    /// Files that are at their new paths already.
    Renames(Renames),
}

impl MoveRequest {
    /// Parses `OLD=NEW` of a file or directory that is at NEW already. The first `=` counts after
    /// which there is one.
    ///
    /// # Errors
    /// If the text has another form, or NEW does not exist.
    pub fn of_moved(entry: &OsStr) -> Result<Self, JobError> {
        let bytes = entry.as_encoded_bytes();
        let ends = (0..bytes.len()).filter(|&at| bytes[at] == b'=');
        let mut splits = ends
            .map(|at| (&bytes[..at], &bytes[at + 1..]))
            .filter(|(old, new)| !old.is_empty() && !new.is_empty())
            .map(|(old, new)| (path_of_bytes(old), path_of_bytes(new)))
            .peekable();
        if splits.peek().is_none() {
            return Err(JobError::path(entry, PathReason::NotAMove));
        }
        let found = splits.find(|(_, new)| new.symlink_metadata().is_ok());
        let (old, new) = found.ok_or_else(|| JobError::path(entry, PathReason::NotMoved))?;
        Ok(Self::Moved(old, new))
    }
}

/// The outcome of a [`Relocate`] run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveOutcome {
    /// Nothing. What a run that writes would refuse is reported.
    #[default]
    DryRun,
    /// Nothing. The totals show whether anything would change.
    Check,
    /// Files are moved and edited.
    Apply,
}

impl Relocate {
    /// A dry run without moves.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let Inputs { read, threads, .. } = Inputs::default();
        Self {
            root: root.into(),
            requests: Vec::new(),
            base: None,
            site: SiteChoice::default(),
            options: Options { scripted: true, ..Options::default() },
            read: ReadOptions { compressed: Compressed::Keep, ..read },
            filter: LinkFilter::default(),
            gitignore: GitIgnore::default(),
            verify: false,
            reports_skipped: false,
            reports_larger_tree: false,
            redirects: None,
            rename: None,
            outcome: MoveOutcome::DryRun,
            threads,
            stop: Stop::default(),
        }
    }

    /// Adds a move of a file or directory. Relative paths are relative to the root.
    #[must_use]
    pub fn rename(mut self, old: impl AsRef<Path>, new: impl AsRef<Path>) -> Self {
        let (old, new) = (self.root.join(old), self.root.join(new));
        self.requests.push(MoveRequest::Rename(old, new));
        self
    }
}
