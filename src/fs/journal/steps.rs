//! The steps of a plan but for edits: done in their phases, or taken back.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::applied::{Applied, ApplyOptions, RunState};
use super::edits::{self, Editing, Flow};
use super::journal_file::Journal;
use super::line::{Counts, MoveStep, Phase};
use super::order::{Step, arriving, leaving, made, moved, removed};
use super::root::{Root, is_absence};
use super::state::Stage;
use super::values::Text;
use crate::error::{Error, ErrorKind};
use crate::fs::replace::dir::Dir;
use crate::fs::replace::stamp::Kind;
use crate::fs::replace::temporary::Temporaries;
use crate::fs::replace::{Place, folder_of};

/// What is done in this process.
pub(super) struct Work<'r> {
    root: Root,
    stage: Stage,
    temporaries: Temporaries,
    options: &'r ApplyOptions<'r>,
    undoing: bool,
    /// Folders in which names have changed since they were last on the disk.
    touched: BTreeSet<PathBuf>,
    /// Whether the next phase must not begin.
    pub(super) blocked: bool,
    /// Edits left alone, by their number.
    pub(super) skipped: Vec<u64>,
    already_skipped: HashSet<u64>,
    done: Counts,
    /// Whether any of it was done in this process.
    is_new: bool,
    problems: Vec<Error>,
    linked: Vec<(PathBuf, u64)>,
    stripped: Vec<PathBuf>,
}

/// What became of one step.
enum Outcome {
    /// It is done now.
    Done,
    /// What the step was about is not there: there is nothing to do, and nothing to be lost.
    Missing(Error),
    /// It was left alone, which does not matter to others.
    Left(Error),
    /// It could not be done, and what comes next must not begin.
    Blocked(Error),
}

impl<'r> Work<'r> {
    pub(super) fn new(
        root: &Root,
        stage: Stage,
        journal: &Journal,
        options: &'r ApplyOptions<'r>,
    ) -> Self {
        Self {
            root: root.clone(),
            stage,
            temporaries: Temporaries::of_run(&journal.nonce),
            options,
            undoing: journal.progress.undoing,
            touched: BTreeSet::new(),
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

    /// What came of it all.
    pub(super) fn end(self, state: RunState) -> Applied {
        Applied {
            state,
            done: self.done,
            is_new: self.is_new,
            problems: self.problems,
            linked: self.linked,
            stripped: self.stripped,
        }
    }

    pub(super) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Looks whether the files that a finished run edited are as it left them, where it left them; or as they were
    /// before, or gone, since then their edits are nothing to take back. The same for those that it created.
    pub(super) fn look_for_changes(&mut self, journal: &Journal) -> Result<Flow, Error> {
        let moves: HashMap<_, _> = journal
            .moves
            .iter()
            .filter_map(|step| Some((step.from.path()?, step.to.path()?)))
            .collect();
        for step in journal.edits() {
            if (self.options.stop)() {
                return Ok(Flow::Stopped);
            }
            let step = step?;
            if self.already_skipped.contains(&step.number) {
                continue;
            }
            let step = step.edit()?;
            let Some(old) = step.path.path() else {
                continue;
            };
            let looked = self
                .root
                .open(&new_place(&moves, &old))
                .and_then(|place| edits::is_known(&step, &place));
            match looked {
                Err(error) if !is_gone(&error) => self.problems.push(error),
                _ => {}
            }
        }
        // What was created may stand where something comes back, or tell of the moves.
        for step in journal.creates() {
            let step = step?.create()?;
            match self.place(&step.path) {
                Ok(place) if place.is_there() && !holds(&place, &step.content.0) => {
                    self.problems
                        .push(Error::new(place.path, ErrorKind::ModifiedSince));
                }
                Err(error) if !is_gone(&error) => self.problems.push(error),
                _ => {}
            }
        }
        Ok(Flow::On)
    }

    /// Counts a phase that another process did.
    pub(super) fn count_all(&mut self, phase: Phase, journal: &Journal) {
        let (done, all) = (&mut self.done, journal.counts);
        match phase {
            Phase::Edits => (done.files, done.changes) = (all.files, all.changes),
            Phase::Leave => {}
            Phase::Folders => done.made += made(journal, false).count() as u64,
            Phase::Moves => done.moves += moved(journal, false).count() as u64,
            Phase::Removals => done.removed += removed(journal, false).count() as u64,
            Phase::Arrive => {
                done.moves += moved(journal, true).count() as u64;
                done.made += made(journal, true).count() as u64;
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
            Phase::Leave => self.in_order(leaving(journal)),
            Phase::Folders => self.in_order(made(journal, false).map(Step::Make).collect()),
            Phase::Moves => self.in_order(moved(journal, false).map(Step::Move).collect()),
            Phase::Removals => self.in_order(removed(journal, false).map(Step::Remove).collect()),
            Phase::Arrive => self.in_order(arriving(journal)),
        }
    }

    /// What was renamed, made or removed is lasting only when its folders are on the disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        for folder in std::mem::take(&mut self.touched) {
            match self.root.sync(&folder) {
                // A folder may have been moved or removed since.
                Err(error) if !is_absence(&error) => {
                    return Err(Error::new(folder, ErrorKind::Write(error)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn edits(&mut self, journal: &Journal, was_interrupted: bool) -> Result<Flow, Error> {
        if was_interrupted {
            edits::sweep(&self.root, &self.temporaries, journal.edits())?;
        }
        let editing = Editing {
            root: &self.root,
            temporaries: &self.temporaries,
            undoing: self.undoing,
            skipped: &self.already_skipped,
            jobs: self.options.jobs,
            stop: self.options.stop,
        };
        let edited = editing.all(journal.edits())?;
        self.done.files += edited.files;
        self.is_new |= edited.is_new;
        self.done.changes += edited.changes;
        self.linked.extend(edited.linked);
        self.stripped.extend(edited.stripped);
        self.blocked |= edited.failed;
        self.skipped = edited.skipped;
        self.problems.extend(edited.problems);
        Ok(edited.flow)
    }

    /// Does steps in this order, or takes them back in the opposite one.
    fn in_order(&mut self, mut steps: Vec<Step<'_>>) -> Result<Flow, Error> {
        if self.undoing {
            steps.reverse();
        }
        if steps
            .iter()
            .any(|step| matches!(step, Step::Leave(_) | Step::Arrive(_)))
        {
            self.stage.make()?;
        }
        for step in steps {
            if (self.options.stop)() {
                return Ok(Flow::Stopped);
            }
            let outcome = self.step(step);
            self.note(outcome, |done| match step {
                Step::Leave(_) => {}
                Step::Move(_) | Step::Arrive(_) => done.moves += 1,
                Step::Make(_) => done.made += 1,
                Step::Remove(_) => done.removed += 1,
            });
            // Another step of this phase may need it.
            if self.blocked {
                break;
            }
        }
        Ok(Flow::On)
    }

    fn note(&mut self, outcome: Outcome, count: impl FnOnce(&mut Counts)) {
        let problem = match outcome {
            Outcome::Done => return count(&mut self.done),
            Outcome::Left(error) => error,
            // What is gone cannot be brought back by taking nothing else back.
            Outcome::Missing(error) => {
                self.blocked |= !self.undoing;
                error
            }
            Outcome::Blocked(error) => {
                self.blocked = true;
                error
            }
        };
        self.problems.push(problem);
    }

    fn step(&mut self, step: Step<'_>) -> Outcome {
        // Where a folder is not there any more, there is nothing in it.
        match step {
            Step::Move(step) if self.undoing => self.transfer_back(step),
            Step::Move(step) => match (self.place(&step.from), self.place(&step.to)) {
                (Ok(from), Ok(to)) => self.transfer(&from, &to),
                (Err(error), _) | (_, Err(error)) => Outcome::Blocked(error),
            },
            Step::Leave(step) if self.undoing => {
                let from = match self.is_on_stage(step) {
                    true => self.home(&step.from),
                    false => self.place(&step.from),
                };
                match from {
                    Ok(from) => self.stage(step, &from),
                    Err(error) => missing_or_blocked(error),
                }
            }
            Step::Leave(step) => match self.place(&step.from) {
                Ok(from) => self.stage(step, &from),
                Err(error) if is_gone(&error) && self.is_on_stage(step) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
            Step::Arrive(step) => match self.place(&step.to) {
                Ok(to) => self.stage_back(step, &to),
                Err(error) if !self.undoing => Outcome::Blocked(error),
                Err(error) if is_gone(&error) && self.is_on_stage(step) => Outcome::Done,
                Err(error) => missing_or_blocked(error),
            },
            Step::Make(step) => match self.place(&step.path) {
                Ok(folder) if self.undoing => self.remove_folder(&folder),
                Ok(folder) => self.make_folder(&folder, None),
                Err(error) if self.undoing && is_gone(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
            Step::Remove(step) if self.undoing => match self.home(&step.path) {
                Ok(folder) => self.make_folder(&folder, step.mode),
                Err(error) => Outcome::Blocked(error),
            },
            Step::Remove(step) => match self.place(&step.path) {
                Ok(folder) => self.remove_folder(&folder),
                Err(error) if is_gone(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
        }
    }

    /// A place, if its folder is there.
    fn place(&self, text: &Text) -> Result<Place, Error> {
        match text.path() {
            Some(below) => self.root.open(&below),
            None => Err(Error::new(self.root.folder(), ErrorKind::NotFound)),
        }
    }

    /// A place that something comes back to. Folders to it that others have removed since are made again.
    fn home(&mut self, text: &Text) -> Result<Place, Error> {
        let (missing, below) = match (self.place(text), text.path()) {
            (Err(error), Some(below)) if is_gone(&error) => (folder_of(&below).to_owned(), below),
            (place, _) => return place,
        };
        let mut folder = PathBuf::new();
        for name in &missing {
            folder.push(name);
            let place = self.root.open(&folder)?;
            make_folder(&place)
                .map_err(|error| Error::new(&place.path, ErrorKind::Write(error)))?;
            self.touch(&place);
        }
        self.root.open(&below)
    }

    /// Takes back a move from a place that nothing else takes.
    fn transfer_back(&mut self, step: &MoveStep) -> Outcome {
        let gone = match self.place(&step.to) {
            Ok(to) if to.is_there() => {
                return match self.home(&step.from) {
                    Ok(from) => self.transfer(&to, &from),
                    Err(error) => Outcome::Blocked(error),
                };
            }
            Ok(to) => Error::new(to.path, ErrorKind::NotFound),
            Err(error) if is_gone(&error) => error,
            Err(error) => return Outcome::Blocked(error),
        };
        match self.place(&step.from) {
            Ok(from) if from.is_there() => Outcome::Done,
            _ => Outcome::Missing(gone),
        }
    }

    /// Moves something from a place that nothing else takes to one that was free.
    fn transfer(&mut self, from: &Place, to: &Place) -> Outcome {
        match (from.is_there(), to.is_there()) {
            (true, false) => self.rename(from, to),
            (false, true) => Outcome::Done,
            (true, true) if self.gives_way(to, from) => self.rename(from, to),
            (true, true) => Outcome::Blocked(Error::new(&to.path, ErrorKind::AlreadyExists)),
            (false, false) => Outcome::Missing(Error::new(&from.path, ErrorKind::NotFound)),
        }
    }

    /// Lets something leave for the stage, or takes that back.
    fn stage(&mut self, step: &MoveStep, from: &Place) -> Outcome {
        match (self.on_stage(step), self.undoing) {
            (None, _) => self.no_stage(),
            (Some(on_stage), false) => self.put_on_stage(from, &on_stage),
            (Some(on_stage), true) => self.take_from_stage(&on_stage, from),
        }
    }

    /// Lets something arrive from the stage, or takes that back.
    fn stage_back(&mut self, step: &MoveStep, to: &Place) -> Outcome {
        match (self.on_stage(step), self.undoing) {
            (None, _) => self.no_stage(),
            (Some(on_stage), false) => self.take_from_stage(&on_stage, to),
            (Some(on_stage), true) => self.put_on_stage(to, &on_stage),
        }
    }

    /// What is on the stage has left its place, whatever is there now.
    fn put_on_stage(&mut self, from: &Place, on_stage: &Place) -> Outcome {
        match (on_stage.is_there(), from.is_there()) {
            (true, _) => Outcome::Done,
            (false, true) => self.rename(from, on_stage),
            (false, false) => Outcome::Missing(Error::new(&from.path, ErrorKind::NotFound)),
        }
    }

    /// What is not on the stage any more has arrived.
    fn take_from_stage(&mut self, on_stage: &Place, to: &Place) -> Outcome {
        match (on_stage.is_there(), to.is_there()) {
            (false, true) => Outcome::Done,
            (false, false) => Outcome::Missing(Error::new(&to.path, ErrorKind::NotFound)),
            (true, true) if self.gives_way(to, on_stage) => self.rename(on_stage, to),
            (true, true) => Outcome::Blocked(Error::new(&to.path, ErrorKind::AlreadyExists)),
            (true, false) => self.rename(on_stage, to),
        }
    }

    /// Whether an empty folder that others have made where a folder comes back to has been removed.
    fn gives_way(&self, empty: &Place, folder: &Place) -> bool {
        self.undoing
            && is_folder(empty)
            && is_folder(folder)
            && empty.dir.remove_dir(&empty.name).is_ok()
    }

    fn on_stage(&self, step: &MoveStep) -> Option<Place> {
        self.stage.place(step.stage.unwrap_or_default())
    }

    fn is_on_stage(&self, step: &MoveStep) -> bool {
        self.on_stage(step).is_some_and(|place| place.is_there())
    }

    /// What comes of a step by way of the stage before that was made.
    fn no_stage(&self) -> Outcome {
        Outcome::Blocked(Error::new(self.root.state(), ErrorKind::NotFound))
    }

    fn rename(&mut self, from: &Place, to: &Place) -> Outcome {
        let renamed = match self.options.rename {
            Some(rename) => rename(&from.path, &to.path),
            None => from.dir.rename_noreplace(&from.name, &to.dir, &to.name),
        };
        match renamed {
            Ok(()) => {
                self.touch(from);
                self.touch(to);
                Outcome::Done
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Outcome::Blocked(Error::new(&to.path, ErrorKind::AlreadyExists))
            }
            Err(error) => Outcome::Blocked(Error::new(&to.path, ErrorKind::Write(error))),
        }
    }

    fn make_folder(&mut self, place: &Place, mode: Option<u32>) -> Outcome {
        let made = make_folder(place).and_then(|dir| match mode {
            // Nothing but a mode is obeyed, whatever a journal says.
            Some(mode) => dir.set_mode(mode & 0o7777),
            None => Ok(()),
        });
        self.touch(place);
        match made {
            Ok(()) => Outcome::Done,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Outcome::Blocked(Error::new(&place.path, ErrorKind::AlreadyExists))
            }
            Err(error) => Outcome::Blocked(Error::new(&place.path, ErrorKind::Write(error))),
        }
    }

    fn remove_folder(&mut self, place: &Place) -> Outcome {
        match place.dir.remove_dir(&place.name) {
            Ok(()) => {
                self.touch(place);
                Outcome::Done
            }
            Err(error) if is_absence(&error) => Outcome::Done,
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                Outcome::Left(Error::new(&place.path, ErrorKind::NotEmpty))
            }
            Err(error) => Outcome::Left(Error::new(&place.path, ErrorKind::Write(error))),
        }
    }

    fn touch(&mut self, place: &Place) {
        self.is_new = true;
        self.touched.insert(folder_of(&place.path).to_owned());
    }

    fn creates(&mut self, journal: &Journal, was_interrupted: bool) -> Result<Flow, Error> {
        for step in journal.creates() {
            if (self.options.stop)() {
                return Ok(Flow::Stopped);
            }
            let step = step?.create()?;
            let outcome = match self.place(&step.path) {
                Ok(place) => {
                    if was_interrupted {
                        edits::sweep_folder(&place.dir, &self.temporaries);
                    }
                    match self.undoing {
                        false => self.create(&place, &step.content.0),
                        true => self.uncreate(&place, &step.content.0),
                    }
                }
                Err(error) if self.undoing && is_gone(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            };
            self.note(outcome, |done| done.created += 1);
        }
        Ok(Flow::On)
    }

    fn create(&mut self, place: &Place, content: &[u8]) -> Outcome {
        if place.is_there() {
            return match holds(place, content) {
                true => Outcome::Done,
                false => Outcome::Blocked(Error::new(&place.path, ErrorKind::AlreadyExists)),
            };
        }
        let create = || -> io::Result<()> {
            // A new file has the mode that the system gives new files.
            let mut new = self.temporaries.file_in(&place.dir, 0o666)?;
            new.file.write_all(content)?;
            new.file.sync_all()?;
            new.persist_new(&place.name)
        };
        match create() {
            Ok(()) => {
                self.touch(place);
                Outcome::Done
            }
            Err(error) => Outcome::Blocked(Error::new(&place.path, ErrorKind::Write(error))),
        }
    }

    fn uncreate(&mut self, place: &Place, content: &[u8]) -> Outcome {
        if !place.is_there() {
            return Outcome::Done;
        }
        if !holds(place, content) {
            return Outcome::Left(Error::new(&place.path, ErrorKind::ModifiedSince));
        }
        match place.dir.remove_file(&place.name) {
            Ok(()) => {
                self.touch(place);
                Outcome::Done
            }
            Err(error) => Outcome::Blocked(Error::new(&place.path, ErrorKind::Write(error))),
        }
    }
}

/// Where a file is when all moves have been done, of which no other is nearer to it.
fn new_place(moves: &HashMap<PathBuf, PathBuf>, old: &Path) -> PathBuf {
    let moved = old.ancestors().find_map(|it| Some((it, moves.get(it)?)));
    match moved {
        Some((from, to)) if from == old => to.clone(),
        Some((from, to)) => to.join(old.strip_prefix(from).unwrap_or(old)),
        None => old.to_owned(),
    }
}

fn is_gone(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound)
}

/// What became of taking back what is to be at a place that cannot be used.
fn missing_or_blocked(error: Error) -> Outcome {
    match is_gone(&error) {
        true => Outcome::Missing(error),
        false => Outcome::Blocked(error),
    }
}

/// Makes a folder, unless it is there, and opens it.
fn make_folder(place: &Place) -> io::Result<Dir> {
    match place.dir.make(&place.name, 0o777) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_folder(place) => {}
        other => other?,
    }
    place.dir.child(&place.name)
}

fn is_folder(place: &Place) -> bool {
    let stamp = place.dir.stamp_of(&place.name);
    matches!(stamp, Ok(Some(it)) if it.kind == Kind::Directory)
}

/// Whether a regular file has this content.
fn holds(place: &Place, content: &[u8]) -> bool {
    let found = place.content_of(content.len() as u64);
    matches!(found, Ok(Some(found)) if found == content)
}
