//! Options and results of applying a run.

use std::io;
use std::path::{Path, PathBuf};

use super::line::Counts;
use super::tasks::{RunTasks, one_by_one};
use crate::error::Error;

/// A function that renames a file, directory or symbolic link. It must not overwrite anything.
pub type Rename<'o> = dyn Fn(&Path, &Path) -> io::Result<()> + 'o;

/// Options for applying or undoing a run.
#[derive(Clone, Copy)]
pub struct ApplyOptions<'o> {
    /// The function that runs the work on files. By default it runs in the calling thread. For
    /// threads, see [`jobs::in_threads`](crate::jobs::in_threads).
    pub run_tasks: &'o RunTasks<'o>,
    /// The function for moves, for example to inform a version control system. By default a move is
    /// an operation like [`rename_noreplace`] in open directories, so that no symbolic link can
    /// interfere.
    ///
    /// [`rename_noreplace`]: super::rename_noreplace
    pub rename: Option<&'o Rename<'o>>,
    /// Called before each step. If it returns true, the run is interrupted.
    pub stop: &'o (dyn Fn() -> bool + Sync),
}

impl Default for ApplyOptions<'_> {
    fn default() -> Self {
        Self { run_tasks: &one_by_one, rename: None, stop: &|| false }
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Not applied completely. It can be resumed or undone.
    Interrupted,
    /// Applied. It can be undone.
    Finished,
    /// Not undone completely. The undo can be resumed.
    UndoInterrupted,
    /// Undone, except for files that had changed in the meantime. The undo can be repeated.
    Undone,
}

/// The result of applying or undoing a run.
#[derive(Debug)]
pub struct Applied {
    /// The progress of the run. A run that was undone without problems leaves nothing behind.
    pub state: RunState,
    /// The steps done by this process and earlier ones. After an undo: the steps undone, without
    /// moves, directories and new files that another process undid.
    pub done: Counts,
    /// True if this process did any of them.
    pub is_new: bool,
    /// Files left unchanged because they are not as expected, and system errors, in the order of
    /// the steps.
    pub problems: Vec<Error>,
    /// Edited files with other hard links, which keep the old content, and the number of these
    /// links.
    pub linked: Vec<(PathBuf, u64)>,
    /// Edited files that lost some of their extended attributes.
    pub stripped: Vec<PathBuf>,
}
