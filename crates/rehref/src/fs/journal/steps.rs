//! Applying and undoing the steps of a plan.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::applied::{Applied, ApplyOptions, RunState};
use super::edits::{self, Editing};
use super::entries::{Entries, Outcome, create, holds, is_not_found, place, uncreate};
use super::journal_file::{Journal, Unparsed};
use super::line::{Counts, Phase};
use super::order::{Step, arriving, created_directories, leaving, moved, removed};
use super::root::Root;
use super::state::Stage;
use super::tasks::{Flow, for_each};
use crate::error::{Error, ErrorKind};
use crate::fs::directory_of;
use crate::fs::replace::temporary::Temporaries;

/// The work of this process.
pub(super) struct Work<'r> {
    /// The entries that steps change.
    entries: Entries<'r>,
    options: &'r ApplyOptions<'r>,
    /// True if the next phase must not begin.
    pub(super) blocked: bool,
    /// The numbers of skipped edits.
    pub(super) skipped: Vec<u64>,
    already_skipped: HashSet<u64>,
    done: Counts,
    /// True if this process edited a file.
    is_new: bool,
    problems: Vec<Error>,
    linked: Vec<(PathBuf, u64)>,
    stripped: Vec<PathBuf>,
}

impl<'r> Work<'r> {
    pub(super) fn new(
        root: &Root,
        stage: Stage,
        journal: &Journal,
        options: &'r ApplyOptions<'r>,
    ) -> Self {
        Self {
            entries: Entries {
                root: root.clone(),
                stage,
                temporaries: Temporaries::of_run(&journal.nonce),
                rename: options.rename,
                undoing: journal.progress.undoing,
                changed_directories: BTreeSet::new(),
                is_changed: false,
            },
            options,
            blocked: false,
            skipped: Vec::new(),
            already_skipped: journal.progress.skipped.clone(),
            done: Counts::default(),
            is_new: false,
            problems: Vec::new(),
            linked: Vec::new(),
            stripped: Vec::new(),
        }
    }

    /// The result of all steps.
    pub(super) fn end(self, state: RunState) -> Applied {
        Applied {
            state,
            done: self.done,
            is_new: self.is_new || self.entries.is_changed,
            problems: self.problems,
            linked: self.linked,
            stripped: self.stripped,
        }
    }

    pub(super) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Checks that the files edited by a finished run have the content of before or after the edit,
    /// at their new places, or no longer exist; then their edits can be undone. Checks the files
    /// that it created too.
    pub(super) fn check_unchanged(&mut self, journal: &Journal) -> Result<Flow, Error> {
        let moves: HashMap<_, _> = journal
            .moves
            .iter()
            .filter_map(|step| Some((step.from.path()?, step.to.path()?)))
            .collect();
        let Self { entries, options, already_skipped, problems, .. } = self;
        let (root, &ApplyOptions { run_tasks, stop, .. }) = (&entries.root, *options);
        let problem = |looked| match looked {
            Err(error) if !is_not_found(&error) => Some(error),
            _ => None,
        };
        let edited = |step: Result<Unparsed, Error>| {
            let step = step?;
            if already_skipped.contains(&step.number) {
                return Ok(None);
            }
            let step = step.edit()?;
            let looked = step.path.path().map(|old| {
                let place = root.open(&new_place(&moves, &old))?;
                edits::check_content(&step, &place)
            });
            Ok(looked.and_then(problem))
        };
        let take = |problem| problems.extend(problem);
        if for_each(run_tasks, stop, journal.edits(), edited, take)? == Flow::Stopped {
            return Ok(Flow::Stopped);
        }
        // A created file may be at the old place of a moved file, or refer to moved files.
        let created = |step: Result<Unparsed, Error>| {
            let step = step?.create()?;
            let looked = place(root, &step.path).and_then(|place| {
                match place.exists() && !holds(&place, &step.content.0) {
                    true => Err(Error::new(place.path, ErrorKind::ModifiedSince)),
                    false => Ok(()),
                }
            });
            Ok(problem(looked))
        };
        for_each(run_tasks, stop, journal.creates(), created, |problem| problems.extend(problem))
    }

    /// Counts the steps of a phase that another process did.
    pub(super) fn count_all(&mut self, phase: Phase, journal: &Journal) {
        let (done, all) = (&mut self.done, journal.counts);
        match phase {
            Phase::Edits => (done.files, done.changes) = (all.files, all.changes),
            Phase::Leave => {}
            Phase::Directories => done.made += created_directories(journal, false).count() as u64,
            Phase::Moves => done.moves += moved(journal, false).count() as u64,
            Phase::Removals => done.removed += removed(journal, false).count() as u64,
            Phase::Arrive => {
                done.moves += moved(journal, true).count() as u64;
                done.made += created_directories(journal, true).count() as u64;
                done.removed += removed(journal, true).count() as u64;
            }
            Phase::Creates => done.created = all.created,
        }
    }

    pub(super) fn phase(
        &mut self,
        phase: Phase,
        journal: &Journal,
        was_interrupted: bool,
    ) -> Result<Flow, Error> {
        match phase {
            Phase::Edits => self.edits(journal, was_interrupted),
            Phase::Creates => self.creates(journal, was_interrupted),
            Phase::Leave => self.run_steps(leaving(journal)),
            Phase::Directories => {
                self.run_steps(created_directories(journal, false).map(Step::Make).collect())
            }
            Phase::Moves => self.run_steps(moved(journal, false).map(Step::Move).collect()),
            Phase::Removals => self.run_steps(removed(journal, false).map(Step::Remove).collect()),
            Phase::Arrive => self.run_steps(arriving(journal)),
        }
    }

    /// Syncs changed directories to disk, which makes the changes durable.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.entries.sync(self.options.run_tasks)
    }

    fn edits(&mut self, journal: &Journal, was_interrupted: bool) -> Result<Flow, Error> {
        if was_interrupted {
            let paths = journal.edits().map(|step| Ok(step?.edit()?.path));
            edits::sweep(&self.entries.root, &self.entries.temporaries, paths)?;
        }
        let editing = Editing {
            root: &self.entries.root,
            temporaries: &self.entries.temporaries,
            undoing: self.entries.undoing,
            was_interrupted,
            skipped: &self.already_skipped,
            run_tasks: self.options.run_tasks,
            stop: self.options.stop,
        };
        let (flow, edited) = editing.all(journal.edits())?;
        self.done.files += edited.files;
        self.is_new |= edited.is_new;
        self.done.changes += edited.changes;
        self.linked.extend(edited.linked);
        self.stripped.extend(edited.stripped);
        self.blocked |= edited.failed;
        self.skipped = edited.skipped;
        self.problems.extend(edited.problems);
        Ok(flow)
    }

    /// Applies steps in this order, or undoes them in reverse order.
    fn run_steps(&mut self, mut steps: Vec<Step<'_>>) -> Result<Flow, Error> {
        if self.entries.undoing {
            steps.reverse();
        }
        if steps.iter().any(|step| matches!(step, Step::Leave(_) | Step::Arrive(_))) {
            self.entries.stage.make()?;
        }
        for step in steps {
            if (self.options.stop)() {
                return Ok(Flow::Stopped);
            }
            let outcome = self.entries.step(step);
            self.note(outcome, |done| match step {
                Step::Leave(_) => {}
                Step::Move(_) | Step::Arrive(_) => done.moves += 1,
                Step::Make(_) => done.made += 1,
                Step::Remove(_) => done.removed += 1,
            });
            // Another step of this phase may depend on it.
            if self.blocked {
                break;
            }
        }
        Ok(Flow::On)
    }

    fn note(&mut self, outcome: Outcome, count: impl FnOnce(&mut Counts)) {
        let problem = match outcome {
            Outcome::Done => return count(&mut self.done),
            Outcome::Skipped(error) => error,
            // Stopping the undo would not restore an entry that no longer exists.
            Outcome::Missing(error) => {
                self.blocked |= !self.entries.undoing;
                error
            }
            Outcome::Blocked(error) => {
                self.blocked = true;
                error
            }
        };
        self.problems.push(problem);
    }

    fn creates(&mut self, journal: &Journal, was_interrupted: bool) -> Result<Flow, Error> {
        let Entries { root, temporaries, undoing, .. } = &self.entries;
        let undoing = *undoing;
        if was_interrupted {
            let paths = journal.creates().map(|step| Ok(step?.create()?.path));
            edits::sweep(root, temporaries, paths)?;
        }
        let work = |step: Result<Unparsed, Error>| {
            let step = step?.create()?;
            let place = match place(root, &step.path) {
                Ok(place) => place,
                Err(error) if undoing && is_not_found(&error) => return Ok((Outcome::Done, None)),
                Err(error) => return Ok((Outcome::Blocked(error), None)),
            };
            let (outcome, is_changed) = match undoing {
                false => create(temporaries, &place, &step.content.0),
                true => uncreate(&place, &step.content.0),
            };
            Ok((outcome, is_changed.then(|| directory_of(&place.path).to_owned())))
        };
        let ApplyOptions { run_tasks, stop, .. } = *self.options;
        let (mut changed, mut outcomes) = (BTreeSet::new(), Vec::new());
        let take = |(outcome, directory)| {
            changed.extend(directory);
            outcomes.push(outcome);
        };
        let flow = for_each(run_tasks, stop, journal.creates(), work, take)?;
        self.entries.is_changed |= !changed.is_empty();
        self.entries.changed_directories.append(&mut changed);
        for outcome in outcomes {
            self.note(outcome, |done| done.created += 1);
        }
        Ok(flow)
    }
}

/// The path of a file after all moves. The move of the nearest ancestor applies.
fn new_place(moves: &HashMap<PathBuf, PathBuf>, old: &Path) -> PathBuf {
    let moved = old.ancestors().find_map(|it| Some((it, moves.get(it)?)));
    match moved {
        Some((from, to)) if from == old => to.clone(),
        Some((from, to)) => to.join(old.strip_prefix(from).unwrap_or(old)),
        None => old.to_owned(),
    }
}
