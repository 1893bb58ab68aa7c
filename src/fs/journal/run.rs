//! Doing what a plan says, and taking it back.

use super::applied::{Applied, ApplyOptions, RunState};
use super::edits::Flow;
use super::journal_file::Journal;
use super::line::{Counts, Line, Phase};
use super::planned::PlannedStep;
use super::root::Root;
use super::state::State;
use super::steps::Work;
use crate::error::{Error, ErrorKind};

/// A plan that is on the disk, to be applied or taken back. No other run can begin in its root as long as it is
/// there.
#[derive(Debug)]
pub struct Run {
    root: Root,
    state: State,
    journal: Journal,
    /// Whether a killed process may have left temporary files.
    was_interrupted: bool,
}

impl Run {
    pub(super) fn new(root: Root, state: State, journal: Journal, was_interrupted: bool) -> Self {
        Self {
            root,
            state,
            journal,
            was_interrupted,
        }
    }

    /// The last run in a root, if there was one, and it was not taken back.
    ///
    /// # Errors
    /// When another run is at work there ([`ErrorKind::Busy`]), or the journal cannot be read, or belongs to
    /// another user, or names a path that leads out of the root or into the state of a version control system, or was
    /// not written in this root ([`ErrorKind::ForeignJournal`]).
    pub fn open(root: &Root) -> Result<Option<Self>, Error> {
        let Some(run) = Self::open_foreign(root)? else {
            return Ok(None);
        };
        match run.journal.foreign(root)? {
            Some(origin) => Err(Error::new(
                run.journal.path(),
                ErrorKind::ForeignJournal(origin),
            )),
            None => Ok(Some(run)),
        }
    }

    /// The same, wherever the journal was written: on another machine, or for a directory that was moved or copied
    /// since; or by another user. [`Run::steps`] says what it would do.
    ///
    /// # Errors
    /// As [`Run::open`], but for [`ErrorKind::ForeignJournal`].
    pub fn open_foreign(root: &Root) -> Result<Option<Self>, Error> {
        let Some(state) = State::existing(root)? else {
            return Ok(None);
        };
        state.remove_draft()?;
        let Some(journal) = Journal::open(&state)? else {
            return Ok(None);
        };
        journal.check_places()?;
        let was_interrupted = journal.progress.is_interrupted();
        Ok(Some(Self::new(
            root.clone(),
            state,
            journal,
            was_interrupted,
        )))
    }

    /// How far it has come.
    pub fn state(&self) -> RunState {
        let progress = &self.journal.progress;
        match (progress.undoing, progress.is_interrupted()) {
            (false, true) => RunState::Interrupted,
            (false, false) => RunState::Finished,
            (true, true) => RunState::UndoInterrupted,
            (true, false) => RunState::Undone,
        }
    }

    /// What came of it, in a state that another run can go on from.
    fn end(&self, work: Work<'_>, state: RunState) -> Applied {
        let mut applied = work.end(state);
        if !self.journal.is_in(&self.state) {
            let error = Error::new(self.journal.path(), ErrorKind::JournalGone);
            applied.problems.push(error);
        }
        applied
    }

    fn work<'o>(&self, options: &'o ApplyOptions<'o>) -> Work<'o> {
        let stage = self.state.stage();
        Work::new(&self.root, stage, &self.journal, options)
    }

    /// How many steps it has of each kind.
    pub fn counts(&self) -> Counts {
        self.journal.counts
    }

    /// The steps of the plan, whatever has been done of it: edits, directories that are made, moves, directories that
    /// are removed, and new files. Edits and new files are read from the disk as they are asked for.
    pub fn steps(&self) -> impl Iterator<Item = Result<PlannedStep, Error>> + '_ {
        PlannedStep::of_journal(&self.journal)
    }

    /// Does what the plan says, or what is left of it: files are edited, folders made, what is moved is moved,
    /// folders removed, and files created.
    ///
    /// A file that is not as it was when its edit was planned is left alone. Where nothing else is planned than
    /// edits, the others are made all the same; else the run stops before anything is moved, and can be resumed
    /// or taken back. So it does where the system refuses something.
    ///
    /// # Errors
    /// When the journal cannot be read or written, or the run is one that was being taken back. The run is
    /// interrupted then.
    pub fn apply(mut self, options: &ApplyOptions<'_>) -> Result<Applied, Error> {
        if self.journal.progress.undoing {
            return Err(Error::new(self.root.folder(), ErrorKind::Interrupted));
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

    /// Takes the run back, as far as it was applied: all phases backwards. Edited files get their old content
    /// and time.
    ///
    /// What is no more as the run left it is left alone. If nothing was, nothing remains of the run. But where a
    /// finished run moved anything, and one of the files that it edited or created has been changed since, nothing is taken
    /// back, and the run stays finished: moved back, that file would have references that are meant for another
    /// place.
    ///
    /// # Errors
    /// When the journal cannot be read or written. The undo is interrupted then.
    pub fn undo(mut self, options: &ApplyOptions<'_>) -> Result<Applied, Error> {
        if !self.journal.progress.undoing {
            if self.journal.progress.finished && !self.journal.moves.is_empty() {
                let mut work = self.work(options);
                if work.look_for_changes(&self.journal)? == Flow::Stopped || work.has_problems() {
                    return Ok(self.end(work, RunState::Finished));
                }
            }
            let begun = self.journal.begun();
            self.journal.note(Line::Undo(begun))?;
        }
        let mut work = self.work(options);
        // Edits that could not be taken back are tried again.
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
