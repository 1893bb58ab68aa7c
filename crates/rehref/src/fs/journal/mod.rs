//! Runs that write in place, and can be resumed or undone.
//!
//! A plan is written first: the changes of each file, and the files that are moved and created.
//! From then on, the run can be [resumed](crate::jobs::resume) or [undone](crate::jobs::undo) after
//! any failure of the process or the machine. The types in this module report the steps that a run
//! has done, and those that it would do.
//!
//! # Inside
//!
//! A run changes nothing outside of its root. Its state is in `.rehref/` in the root: `journal`, of
//! the last run; `journal.new`, a plan that is being written; `stage/`; `lock`, while a process is
//! active; and a `.gitignore`. The directory is removed when it has no other content.
//!
//! **The journal** is JSON Lines (`line`): `journal` with the format version and the nonce of the
//! run; the plan, one step per line; `planned` with the number of steps; then the completed phases,
//! appended. Bytes and paths that are not UTF-8 are `{"bytes":"BASE64"}`. The plan is synced to
//! disk and renamed before the first step; until then nothing has changed, and the previous journal
//! remains. A line without a line break does not count. Edits and new files, which may be many, are
//! streamed; moves and directories are held in memory.
//!
//! **Phases** are done in this order, and undone in reverse order. Each is recorded as `done` or
//! `undone` after it is synced to disk, so that the next phase starts from a recorded state.
//!
//! | phase | a step is done if | undone if |
//! |---|---|---|
//! | `edits` | the file has the new fingerprint (length, 128-bit hash) | it has the old one |
//! | `leave`: moves to the stage, the deepest first | the entry is on the stage | it is not |
//! | `directories`: creates directories | the directory exists | it does not |
//! | `moves`: the other moves | the target exists | the source exists |
//! | `removals`: removes directories | the directory does not exist | it does |
//! | `arrive`: moves from the stage, the highest first | the entry is not on the stage | it is |
//! | `creates`: new files | the file has its content | it does not exist |
//!
//! - **Every moment is safe.** New content is synced to disk in a temporary file before it is
//!   renamed over the old file, so each file is completely old or completely new, and its
//!   fingerprint shows which. Renames never overwrite, and are one system call each, so a moved
//!   entry is in one of two places. Changed directories are synced before the phase is recorded.
//!   Syncing late loses nothing: renames lost in a power failure are steps not done, of a phase not
//!   recorded. (For edits, directories are synced in batches, to bound memory.) A killed step is
//!   done or not done, and each step checks first. So a resumed run does the rest. An undo starts
//!   with the interrupted phase, since later ones were never started.
//! - **Files are worked on in threads** of the caller (`tasks`): edits, new files, the checks of
//!   both, and syncing directories, each once for each phase. Their results are taken in order.
//!   Moves are done one after another, and so are the lines of the journal.
//! - **A file is written in place** (`in_place`), under its inode, if its owner cannot own a new
//!   file. Its step has the whole old content. So a killed process may leave it half-written: each
//!   block is old or new. In an interrupted run, half-written content counts as that before the
//!   step, and resuming or undoing writes the whole file.
//! - **The stage** (`plan`) is a directory for moves whose order would matter. A move uses it if
//!   one of its ends is, contains or is in an end of another move; if its two ends may be the same
//!   name to the file system (case, normal forms); or if a directory is created at its source or
//!   removed at its target. Names are compared in lower case, with all non-ASCII names equal, so
//!   that the file system need not be queried: an unneeded detour costs one rename. The order of
//!   all other moves does not matter. If the target of one exists, it was moved, since the target
//!   did not exist when the run was planned. Directories in entries that use the stage are created
//!   and removed in its phases.
//! - **Errors are detected before the run** if possible (`preflight`): read-only files and
//!   directories, names that are too long, other file systems; and owners and groups that the new
//!   file cannot be given, which is tried once for each, of files that are not writable. A dry run
//!   detects the same, except for owners and active runs, since it writes nothing
//!   (`PlanWriter::dry_run`, `Edit::check`).
//! - **Conflicts are left unchanged and reported.** A file with neither its old nor its new content
//!   was changed by another program. If the run has moves, it then stops before them, and is
//!   interrupted; it also stops after a system error. Problems without consequences for later steps
//!   do not stop it: a directory that is not empty and, during an undo, a missing file or
//!   directory. Directories that were removed are created again for entries that are moved back,
//!   and an empty directory in their place is removed.
//! - **An undo checks first.** Files are moved back before their edits are undone, so a file that
//!   has changed since would be moved back with references for the other place. For a finished run
//!   with moves, all edited and new files are checked at their current places, and if one has
//!   changed, nothing is undone. A run of edits alone is undone for the unchanged files.
//! - **A journal is accepted only where it was written** (`origin`), since a repository or archive
//!   may contain one, which the user who unpacks it owns. The first line has the canonical path of
//!   the root, its inode, its creation time (or its device, on file systems without creation times)
//!   and a hash of the machine id. For other journals `--undo` and `--resume` only show the steps,
//!   until `--trust-journal` accepts them. This also applies to a tree that was moved, copied or
//!   restored, to another container, and to network file systems with changed numbers. A rejected
//!   `-w` does not mention these options. Journals of older versions have no origin.
//! - **The search for a run goes upward** (`Run::nearest`), to the border of the file system. In
//!   the directory where it begins, a journal of another user is an error; above, it does not
//!   count, since any user may have written one in `/tmp`. A directory that the user did not name
//!   is reported before anything is undone or finished there.
//! - **The content of a journal is checked.** Before anything is resumed or undone, each path must
//!   be a plain one below the root, and not in `.rehref`, `.git`, `.hg`, `.svn` or `CVS` at any
//!   depth; the journal must belong to the user; and modes are masked. Plans and `move` reject the
//!   same paths.
//! - **Writing is done in open directories** (`dir`): the root, `.rehref/`, or a new tree. Paths
//!   are opened name by name from them, without following symbolic links, so a link that appears at
//!   any moment has no effect outside. Only `--git` passes paths to another program. Windows has no
//!   handles of this kind, so paths are used. A plan follows symbolic links, so its paths have
//!   none.
//! - **The state is private.** `.rehref/`, its lock and the journal must be a directory and regular
//!   files of this user, without write permission for others (on file systems with modes). They are
//!   never followed as symbolic links or opened as pipes. If the journal disappears during a run,
//!   the run continues, and reports that it cannot be undone.
//! - **Temporary files of a killed run** are removed from the directories of its edits and new
//!   files when it is resumed or undone. Their names are `.rehref-`, the nonce of the run, and six
//!   characters. Those of other runs and programs stay.

mod applied;
mod changes;
mod edit;
mod edits;
mod entries;
mod in_place;
mod journal_file;
mod line;
mod order;
mod origin;
mod plan;
mod planned;
mod preflight;
mod root;
mod run;
mod state;
mod steps;
mod tasks;
mod values;

pub use applied::{Applied, RunState};
pub use line::Counts;
pub use planned::PlannedStep;
pub(in crate::fs) use preflight::is_writable;
pub use tasks::{InOrder, RunTasks, Task};

pub use self::{
    applied::{ApplyOptions, Rename},
    edit::Edit,
    plan::PlanWriter,
    root::{Root, is_tool_state, rename_noreplace},
    run::Run,
};
