//! Options and results of applying a run.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::line::Counts;
use crate::error::Error;

/// What renames a file, folder or symbolic link. It must not overwrite anything.
pub type Rename<'o> = dyn Fn(&Path, &Path) -> io::Result<()> + 'o;

/// How a run is applied or taken back.
#[derive(Clone, Copy)]
pub struct ApplyOptions<'o> {
    /// How many files are edited at a time.
    pub jobs: NonZeroUsize,
    /// What moves are done by, if others are to be told of them. Without it a move is done as [`rename_noreplace`] does it, and
    /// in directories that are open, so that no link can come into its way.
    ///
    /// [`rename_noreplace`]: super::rename_noreplace
    pub rename: Option<&'o Rename<'o>>,
    /// Asked before each step whether the run is to end here; it then is interrupted.
    pub stop: &'o (dyn Fn() -> bool + Sync),
}

impl Default for ApplyOptions<'_> {
    fn default() -> Self {
        Self {
            jobs: NonZeroUsize::MIN,
            rename: None,
            stop: &|| false,
        }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It has not been applied to its end: it can be resumed or taken back.
    Interrupted,
    /// It has been applied, and can be taken back.
    Finished,
    /// It was being taken back, and not to the end: that can be gone on with.
    UndoInterrupted,
    /// It has been taken back, but for what had changed meanwhile; that can be tried again.
    Undone,
}

/// What came of applying a run or taking it back.
#[derive(Debug)]
pub struct Applied {
    /// How far it has come now. A run that has been taken back without problems leaves nothing behind.
    pub state: RunState,
    /// What is done now, in this process or in one before. Of an undo: what is as it was before the run, but for
    /// moves, folders and new files that another process had taken back.
    pub done: Counts,
    /// Whether this process did any of it. If not, all had been done before.
    pub is_new: bool,
    /// What was left alone, since it is not as expected, and what the system refused; in the order of the
    /// steps.
    pub problems: Vec<Error>,
    /// Edited files that have other hard links, which keep the old content, and how many.
    pub linked: Vec<(PathBuf, u64)>,
    /// Edited files that the system refused to give all extended attributes that they had.
    pub stripped: Vec<PathBuf>,
}
