//! Applying and undoing a plan.

use std::path::{Path, PathBuf};

use super::applied::{Applied, ApplyOptions, RunState};
use super::journal_file::Journal;
use super::line::{Counts, Line, Phase};
use super::planned::PlannedStep;
use super::root::Root;
use super::state::State;
use super::steps::Work;
use super::tasks::{Flow, RunTasks, one_by_one};
use crate::error::{Error, ErrorKind};

/// A plan on disk that can be applied or undone. While it exists, no other run can begin in its
/// root.
#[derive(Debug)]
pub struct Run {
    root: Root,
    state: State,
    journal: Journal,
    /// True if a killed process may have left temporary files.
    was_interrupted: bool,
}

impl Run {
    pub(super) fn new(root: Root, state: State, journal: Journal, was_interrupted: bool) -> Self {
        Self { root, state, journal, was_interrupted }
    }

    /// The nearest directory from `root` upward that has the journal of a run. Directories above
    /// `root` count only if the state and the journal belong to this user alone, since other users
    /// may write to a shared parent such as `/tmp`. The search ends at the border of the file
    /// system.
    pub fn nearest(root: &Root) -> Option<Root> {
        if State::may_have_journal(root) {
            return Some(root.clone());
        }
        let device = |root: &Root| Some(root.dir().stamp().ok()?.identity?.0);
        let above = root.directory().ancestors().skip(1);
        let roots = above.map(|it| Root::of_real(it.to_owned()).ok());
        let mut roots = roots.map_while(|it| it.filter(|it| device(it) == device(root)));
        roots.find(State::has_own_journal)
    }

    /// Returns the subdirectory with the journal of a run, which belongs to this user. `None` if
    /// several have one.
    pub fn only_below(directory: &Path) -> Option<PathBuf> {
        let entries = std::fs::read_dir(directory).ok()?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut with_run =
            paths.filter(|path| Root::new(path).is_ok_and(|root| State::has_own_journal(&root)));
        let only = with_run.next()?;
        with_run.next().is_none().then_some(only)
    }

    /// Opens the last run in a root, unless it was undone.
    ///
    /// # Errors
    /// If another run is active in the root ([`ErrorKind::Busy`]); or the journal cannot be read,
    /// belongs to another user, names a path outside of the root or in the state of a version
    /// control system, or was not written in this root ([`ErrorKind::ForeignJournal`]).
    pub fn open(root: &Root) -> Result<Option<Self>, Error> {
        let run = Self::open_foreign(root, &one_by_one)?;
        run.as_ref().map_or(Ok(()), Self::check_origin)?;
        Ok(run)
    }

    /// Opens the last run in a root, even if its journal was written on another machine, or for a
    /// directory that was moved or copied since, or by another user. [`Run::steps`] returns its
    /// steps. All of them are checked, by tasks.
    ///
    /// # Errors
    /// Those of [`Run::open`], except [`ErrorKind::ForeignJournal`].
    pub fn open_foreign(root: &Root, run_tasks: &RunTasks<'_>) -> Result<Option<Self>, Error> {
        let Some(state) = State::existing(root)? else {
            return Ok(None);
        };
        state.remove_draft()?;
        let Some(journal) = Journal::open(&state)? else {
            return Ok(None);
        };
        journal.check_places(run_tasks)?;
        let was_interrupted = journal.progress.is_interrupted();
        Ok(Some(Self::new(root.clone(), state, journal, was_interrupted)))
    }

    /// Checks that the journal was written in this root.
    ///
    /// # Errors
    /// If it was not ([`ErrorKind::ForeignJournal`]), or that is unknown.
    pub fn check_origin(&self) -> Result<(), Error> {
        match self.journal.foreign(&self.root)? {
            Some(origin) => Err(Error::new(self.journal.path(), ErrorKind::ForeignJournal(origin))),
            None => Ok(()),
        }
    }

    /// The progress of the run.
    pub fn state(&self) -> RunState {
        let progress = &self.journal.progress;
        match (progress.undoing, progress.is_interrupted()) {
            (false, true) => RunState::Interrupted,
            (false, false) => RunState::Finished,
            (true, true) => RunState::UndoInterrupted,
            (true, false) => RunState::Undone,
        }
    }

    /// The result, in a state from which another run can continue.
    fn end(&self, work: Work<'_>, state: RunState) -> Applied {
        let mut applied = work.end(state);
        if !self.journal.is_in(&self.state) {
            let error = Error::new(self.journal.path(), ErrorKind::JournalRemoved);
            applied.problems.push(error);
        }
        applied
    }

    fn work<'o>(&self, options: &'o ApplyOptions<'o>) -> Work<'o> {
        let stage = self.state.stage();
        Work::new(&self.root, stage, &self.journal, options)
    }

    /// The number of steps of each kind.
    pub fn counts(&self) -> Counts {
        self.journal.counts
    }

    /// The steps of the plan, done or not: edits, created directories, moves, removed directories,
    /// and new files. Edits and new files are read from disk on demand.
    pub fn steps(&self) -> impl Iterator<Item = Result<PlannedStep, Error>> + '_ {
        PlannedStep::of_journal(&self.journal)
    }

    /// The old and the new paths of the moves of the plan, done or not, below the root.
    pub fn moves(&self) -> impl Iterator<Item = (PathBuf, PathBuf)> {
        let moves = self.journal.moves.iter();
        moves.filter_map(|step| Some((step.from.path()?, step.to.path()?)))
    }

    /// Applies the plan, or the rest of it: edits files, creates directories, moves, removes
    /// directories, and creates files.
    ///
    /// A file that has changed since its edit was planned is left unchanged. In a plan of edits
    /// alone the other edits continue. Otherwise the run stops before the moves, and can be resumed
    /// or undone. It also stops after a system error.
    ///
    /// # Errors
    /// If the journal cannot be read or written, or the run is being undone. The run is then
    /// interrupted.
    pub fn apply(mut self, options: &ApplyOptions<'_>) -> Result<Applied, Error> {
        if self.journal.progress.undoing {
            return Err(Error::new(self.root.directory(), ErrorKind::Interrupted));
        }
        let mut work = self.work(options);
        for phase in Phase::ALL {
            if (phase as usize) < self.journal.progress.phases {
                work.count_all(phase, &self.journal);
                continue;
            }
            if !self.journal.has(phase) {
                continue;
            }
            let flow = work.phase(phase, &self.journal, self.was_interrupted)?;
            work.sync()?;
            let skipped = std::mem::take(&mut work.skipped);
            work.blocked |= !skipped.is_empty() && self.journal.has_moves();
            if phase == Phase::Edits
                && !(skipped.is_empty() && self.journal.progress.skipped.is_empty())
            {
                self.journal.note(Line::Skipped(skipped))?;
            }
            if flow == Flow::Stopped || work.blocked {
                return Ok(self.end(work, RunState::Interrupted));
            }
            if self.journal.has_moves() {
                self.journal.note(Line::Done(phase))?;
            }
        }
        if !self.journal.progress.finished {
            self.journal.note(Line::Finished)?;
        }
        self.state.remove_stage()?;
        Ok(self.end(work, RunState::Finished))
    }

    /// Undoes the applied part of the run: all phases in reverse order. Edited files get their old
    /// content and time.
    ///
    /// Files that changed since the run are left unchanged. Without such files, nothing remains of
    /// the run. But if a finished run moved files, and one of the files that it edited or created
    /// has changed since, nothing is undone and the run stays finished: moved back, that file would
    /// have references for another place.
    ///
    /// # Errors
    /// If the journal cannot be read or written. The undo is then interrupted.
    pub fn undo(mut self, options: &ApplyOptions<'_>) -> Result<Applied, Error> {
        if !self.journal.progress.undoing {
            if self.journal.progress.finished && !self.journal.moves.is_empty() {
                let mut work = self.work(options);
                if work.check_unchanged(&self.journal)? == Flow::Stopped || work.has_problems() {
                    return Ok(self.end(work, RunState::Finished));
                }
            }
            let begun = self.journal.begun();
            self.journal.note(Line::Undo(begun))?;
        }
        let mut work = self.work(options);
        // Edits that could not be undone are tried again.
        let left = self.journal.progress.phases.max(1);
        for phase in Phase::ALL.into_iter().rev() {
            if phase as usize >= left || !self.journal.has(phase) {
                continue;
            }
            let flow = work.phase(phase, &self.journal, self.was_interrupted)?;
            work.sync()?;
            if flow == Flow::Stopped || work.blocked {
                return Ok(self.end(work, RunState::UndoInterrupted));
            }
            self.journal.note(Line::Undone(phase))?;
        }
        if self.journal.progress.phases > 0 {
            self.journal.note(Line::Undone(Phase::Edits))?;
        }
        let applied = work.end(RunState::Undone);
        self.state.remove_stage()?;
        if applied.problems.is_empty() {
            self.state.remove_journal()?;
        }
        Ok(applied)
    }
}
