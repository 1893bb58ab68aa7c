//! Renames that were made before the run.

use std::path::PathBuf;
use std::sync::Arc;

/// Renames of files that were made before the run, such as those that `git diff -M` finds.
///
/// Unlike [`MoveRequest::Moved`](super::MoveRequest::Moved), a rename that cannot be followed is no
/// error: it is reported as [`NotFollowed`](crate::jobs::EditEvent::NotFollowed). Renames outside
/// of the root are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renames {
    /// The renames.
    pub files: Vec<Rename>,
    /// Files that were removed. Links to a directory follow only if all of its files were renamed
    /// to another directory.
    pub removed: Vec<PathBuf>,
}

/// A file that was renamed before the run. Paths are those of the process, not of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rename {
    /// The old path.
    pub old: PathBuf,
    /// The new path.
    pub new: PathBuf,
    /// The content that it had at the old path.
    pub content: OldContent,
}

/// The content that a file had before its rename. It shows which relative links were updated since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OldContent {
    /// It is unknown. A relative link then stays if it has a target at the new path.
    #[default]
    Unknown,
    /// That of now: no link was updated.
    Same,
    /// These bytes.
    Bytes(Arc<[u8]>),
}

impl Rename {
    /// A rename of a file with unknown old content.
    pub fn new(old: impl Into<PathBuf>, new: impl Into<PathBuf>) -> Self {
        Self { old: old.into(), new: new.into(), content: OldContent::Unknown }
    }
}
