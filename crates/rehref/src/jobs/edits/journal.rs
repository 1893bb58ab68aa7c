//! Applying, resuming and undoing journaled runs.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::event::EditEvent;
use super::shown_root::ShownRoot;
use crate::error::{Error, ErrorKind};
use crate::fs::Item;
use crate::fs::journal::{
    Applied, ApplyOptions, Counts, PlanWriter, Rename, Root, Run, RunState, Task,
};
use crate::jobs::error::{ForeignJournal, JobError};
use crate::jobs::ordered::{self, Bounds};
use crate::jobs::sink::lock;
use crate::jobs::{Inputs, Stop};

/// Undoes the last run in a directory.
///
/// ```
/// # use rehref::jobs::JobError;
/// # let site = tempfile::tempdir().unwrap();
/// let nothing = rehref::jobs::undo(site.path());
/// assert!(matches!(nothing, Err(JobError::NoRun(_))));
/// ```
///
/// # Errors
/// If there is no run, or its journal cannot be used.
pub fn undo(root: impl AsRef<Path>) -> Result<JournalReport, JobError> {
    JournalRun::new(root.as_ref())?.undo(|_| {})
}

/// Finishes the interrupted run in a directory; if its undoing was interrupted, that.
///
/// # Errors
/// If there is no interrupted run, or its journal cannot be used.
pub fn resume(root: impl AsRef<Path>) -> Result<JournalReport, JobError> {
    JournalRun::new(root.as_ref())?.resume(|_| {})
}

/// Returns the directory with the journal of a run, if exactly one subdirectory has one. Lists the
/// directory, and nothing below its subdirectories.
pub fn only_run_below(directory: &Path) -> Option<PathBuf> {
    Run::only_below(directory)
}

/// The result of undoing or resuming a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct JournalReport {
    /// The state of the run.
    pub applied: Applied,
    /// True if the run was undone, false if it was finished.
    pub undoes: bool,
}

/// The run of a directory that was written to a journal.
#[non_exhaustive]
pub struct JournalRun<'r> {
    /// The number of files edited at a time.
    pub threads: NonZeroUsize,
    /// Renames files. `None` for the system's rename that never overwrites.
    pub rename: Option<&'r Rename<'r>>,
    /// True to use a journal that was written for another directory.
    pub allow_foreign: bool,
    /// Ends the run between two steps.
    pub stop: Stop,
    root: Root,
    shown: ShownRoot,
    /// Where the search for the run began, if the run may be in a directory above.
    searched: Option<Root>,
}

impl<'r> JournalRun<'r> {
    /// The run in exactly this directory.
    ///
    /// # Errors
    /// If the directory cannot be resolved.
    pub fn new(directory: &Path) -> Result<Self, Error> {
        let root = Root::new(directory)?;
        let shown = ShownRoot::new(&root, directory);
        Ok(Self::with_root(root, shown))
    }

    /// The run in a directory or the nearest one above it. Above it, runs of other users do not
    /// count, and neither do directories of other file systems.
    ///
    /// # Errors
    /// If the directory cannot be resolved.
    pub fn nearest(directory: &Path) -> Result<Self, Error> {
        Ok(Self::new(directory)?.or_above())
    }

    /// The run in a directory; without one, the [nearest](Self::nearest) run from the deepest
    /// directory that holds all of these items. Files are named as the items are.
    ///
    /// # Errors
    /// If the directory or an item cannot be resolved.
    pub fn of_items(directory: Option<&Path>, items: &[Item]) -> Result<Self, Error> {
        let (root, shown) = root_of(directory, items)?;
        let run = Self::with_root(root, shown);
        Ok(match directory {
            Some(_) => run,
            None => run.or_above(),
        })
    }

    /// The nearest run from the root of this one upward.
    fn or_above(self) -> Self {
        let searched = Some(self.root.clone());
        match Run::nearest(&self.root) {
            Some(root) if root != self.root => {
                Self { shown: ShownRoot::new(&root, root.directory()), root, searched, ..self }
            }
            _ => Self { searched, ..self },
        }
    }

    /// The directory of the run, if it is above the one where the search for it began.
    fn above(&self) -> Option<&Path> {
        let is_above = self.searched.as_ref().is_some_and(|it| *it != self.root);
        is_above.then(|| self.root.directory())
    }

    pub(in crate::jobs) fn with_root(root: Root, shown: ShownRoot) -> Self {
        Self {
            threads: Inputs::default().threads,
            rename: None,
            allow_foreign: false,
            stop: Stop::default(),
            root,
            shown,
            searched: None,
        }
    }

    /// Ends a plan and applies it. `None` if it has no steps.
    pub(in crate::jobs) fn finish(
        &self,
        plan: PlanWriter,
        event: &mut (dyn FnMut(EditEvent<'_>) + Send),
    ) -> Result<Option<Applied>, JobError> {
        let replaces = plan.replaces_run();
        let Some(run) = plan.finish().map_err(|error| self.refused(error))? else {
            return Ok(None);
        };
        if replaces {
            event(EditEvent::ReplacesRun);
        }
        self.apply(run, event).map(Some)
    }

    /// The directory of the run, under the name that messages have for it.
    pub fn directory(&self) -> PathBuf {
        self.shown.name_of(self.root.directory())
    }

    /// Undoes the run, or finishes the undoing.
    ///
    /// # Errors
    /// If there is no run, or its journal cannot be used.
    pub fn undo(
        &self,
        mut event: impl FnMut(EditEvent<'_>) + Send,
    ) -> Result<JournalReport, JobError> {
        match self.open(true)? {
            Some(run) => {
                self.report_place(&mut event);
                self.undo_run(run, &mut event)
            }
            None => Err(JobError::NoRun(self.directory())),
        }
    }

    /// Finishes the run if it was interrupted; if its undoing was interrupted, that.
    ///
    /// # Errors
    /// If there is no interrupted run, or its journal cannot be used.
    pub fn resume(
        &self,
        mut event: impl FnMut(EditEvent<'_>) + Send,
    ) -> Result<JournalReport, JobError> {
        let Some(run) = self.open(false)? else {
            return Err(JobError::NotInterrupted(self.directory()));
        };
        if matches!(run.state(), RunState::Interrupted | RunState::UndoInterrupted) {
            self.report_place(&mut event);
        }
        match run.state() {
            RunState::Interrupted => {
                Ok(JournalReport { applied: self.apply(run, &mut event)?, undoes: false })
            }
            RunState::UndoInterrupted => self.undo_run(run, &mut event),
            RunState::Finished | RunState::Undone => {
                Err(JobError::NotInterrupted(self.directory()))
            }
        }
    }

    /// Reports the directory of the run, unless the user named it.
    fn report_place(&self, event: &mut dyn FnMut(EditEvent<'_>)) {
        if let Some(directory) = self.above() {
            event(EditEvent::RunAbove(directory));
        }
    }

    fn refused(&self, error: Error) -> JobError {
        JobError::Refused(self.shown.named(error))
    }

    fn open(&self, undoes: bool) -> Result<Option<Run>, JobError> {
        let run = Run::open_foreign(&self.root, &in_threads(self.threads));
        let Some(run) = run.map_err(|error| self.refused(error))? else {
            return Ok(None);
        };
        match run.check_origin() {
            Err(error) if !self.allow_foreign => match error.kind() {
                ErrorKind::ForeignJournal(_) => {
                    Err(JobError::ForeignJournal(Box::new(ForeignJournal {
                        error: self.shown.named(error),
                        undoes: undoes || run.state() == RunState::UndoInterrupted,
                        run,
                        state: self.shown.name_of(&self.root.directory().join(".rehref")),
                    })))
                }
                _ => Err(self.refused(error)),
            },
            _ => Ok(Some(run)),
        }
    }

    fn apply(
        &self,
        run: Run,
        event: &mut (dyn FnMut(EditEvent<'_>) + Send),
    ) -> Result<Applied, JobError> {
        let applied = self.with(run.counts(), |options| run.apply(options), event)?;
        for problem in &applied.problems {
            event(EditEvent::Error(problem));
        }
        Ok(applied)
    }

    /// The moves of the run, done or not: old and new paths, named as files in events. Empty if
    /// there is no run.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub fn moves(&self) -> Result<Vec<(PathBuf, PathBuf)>, JobError> {
        match self.open(true)? {
            Some(run) => Ok(self.moves_of(&run)),
            None => Ok(Vec::new()),
        }
    }

    fn moves_of(&self, run: &Run) -> Vec<(PathBuf, PathBuf)> {
        let name = |path: PathBuf| self.shown.name_of(&self.root.directory().join(path));
        run.moves().map(|(from, to)| (name(from), name(to))).collect()
    }

    fn undo_run(
        &self,
        run: Run,
        event: &mut (dyn FnMut(EditEvent<'_>) + Send),
    ) -> Result<JournalReport, JobError> {
        let moves = self.moves_of(&run);
        let applied = self.with(run.counts(), |options| run.undo(options), event)?;
        let nothing_undone = applied.state == RunState::Finished && !applied.problems.is_empty();
        let mut changed = Vec::new();
        for problem in &applied.problems {
            match problem.kind() {
                ErrorKind::ModifiedSince if nothing_undone => changed.push(problem.path()),
                _ => event(EditEvent::Error(problem)),
            }
        }
        if nothing_undone {
            let moved = match moves.as_slice() {
                [(old, new)] if old.symlink_metadata().is_err() => Some((&**old, &**new)),
                _ => None,
            };
            event(EditEvent::NothingUndone { root: &self.directory(), changed: &changed, moved });
        }
        Ok(JournalReport { applied, undoes: true })
    }

    /// Calls `run`, which has these steps. Its problems are not reported.
    fn with(
        &self,
        counts: Counts,
        run: impl FnOnce(&ApplyOptions<'_>) -> Result<Applied, Error>,
        event: &mut (dyn FnMut(EditEvent<'_>) + Send),
    ) -> Result<Applied, JobError> {
        let Counts { files, changes: _, moves, created, made, removed } = counts;
        let steps = usize::try_from(files + moves + created + made + removed);
        event(EditEvent::Writing(steps.ok()));
        let event = Mutex::new(event);
        let send = |it: EditEvent<'_>| lock(&event)(it);
        // Called before each step.
        let token = &self.stop;
        let stop = || {
            send(EditEvent::Progress);
            token.is_stopped()
        };
        let mut applied = run(&ApplyOptions {
            run_tasks: &in_threads(self.threads),
            rename: self.rename,
            stop: &stop,
        })
        .map_err(|error| self.shown.named(error))?;
        for (path, links) in &applied.linked {
            send(EditEvent::HardLinks(&self.shown.name_of(path), *links));
        }
        for path in &applied.stripped {
            send(EditEvent::LostAttributes(&self.shown.name_of(path)));
        }
        let problems = applied.problems.into_iter();
        applied.problems = problems.map(|error| self.shown.named(error)).collect();
        Ok(applied)
    }
}

/// Returns a function that runs the tasks of a journal in this number of threads.
pub fn in_threads(
    threads: NonZeroUsize,
) -> impl Fn(&mut (dyn Iterator<Item = Task<'_>> + Send)) + Sync {
    move |tasks| ordered::for_each(Bounds::of_small(threads), tasks, |task| task(), |done| done())
}

/// Returns the root: a directory, or the deepest one that holds the items; and its name.
pub(in crate::jobs) fn root_of(
    directory: Option<&Path>,
    items: &[Item],
) -> Result<(Root, ShownRoot), Error> {
    let paths = || items.iter().filter_map(Item::file);
    let root = match directory {
        Some(directory) => Root::new(directory)?,
        None => Root::holding(paths())?,
    };
    let shown = ShownRoot::of_paths(&root, paths());
    let shown =
        shown.unwrap_or_else(|| ShownRoot::new(&root, directory.unwrap_or(root.directory())));
    Ok((root, shown))
}
