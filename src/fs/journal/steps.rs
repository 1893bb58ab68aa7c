//! Applying and undoing the steps of a plan.

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

/// The work of this process.
pub(super) struct Work<'r> {
    root: Root,
    stage: Stage,
    temporaries: Temporaries,
    options: &'r ApplyOptions<'r>,
    undoing: bool,
    /// Directories whose names changed since they were last synced.
    changed_folders: BTreeSet<PathBuf>,
    /// Whether the next phase must not begin.
    pub(super) blocked: bool,
    /// The numbers of skipped edits.
    pub(super) skipped: Vec<u64>,
    already_skipped: HashSet<u64>,
    done: Counts,
    /// Whether this process did any of it.
    is_new: bool,
    problems: Vec<Error>,
    linked: Vec<(PathBuf, u64)>,
    stripped: Vec<PathBuf>,
}

/// The result of one step.
enum Outcome {
    /// Done.
    Done,
    /// The subject of the step does not exist: there is nothing to do, and nothing to lose.
    Missing(Error),
    /// Skipped, without consequences for other steps.
    Skipped(Error),
    /// Failed. Later steps must not begin.
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
            changed_folders: BTreeSet::new(),
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
            is_new: self.is_new,
            problems: self.problems,
            linked: self.linked,
            stripped: self.stripped,
        }
    }

    pub(super) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Checks that the files edited by a finished run have the content of before or after the edit, at their
    /// new places, or no longer exist; then their edits can be undone. Checks the files that it created too.
    pub(super) fn check_unchanged(&mut self, journal: &Journal) -> Result<Flow, Error> {
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
                .and_then(|place| edits::check_content(&step, &place));
            match looked {
                Err(error) if !is_not_found(&error) => self.problems.push(error),
                _ => {}
            }
        }
        // A created file may be in the place of a file that is moved back, or refer to moved files.
        for step in journal.creates() {
            let step = step?.create()?;
            match self.place(&step.path) {
                Ok(place) if place.exists() && !holds(&place, &step.content.0) => {
                    self.problems
                        .push(Error::new(place.path, ErrorKind::ModifiedSince));
                }
                Err(error) if !is_not_found(&error) => self.problems.push(error),
                _ => {}
            }
        }
        Ok(Flow::On)
    }

    /// Counts the steps of a phase that another process did.
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
            Phase::Leave => self.run_steps(leaving(journal)),
            Phase::Folders => self.run_steps(made(journal, false).map(Step::Make).collect()),
            Phase::Moves => self.run_steps(moved(journal, false).map(Step::Move).collect()),
            Phase::Removals => self.run_steps(removed(journal, false).map(Step::Remove).collect()),
            Phase::Arrive => self.run_steps(arriving(journal)),
        }
    }

    /// Syncs the directories of renamed, created and removed entries to disk, which makes the changes
    /// durable.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        for folder in std::mem::take(&mut self.changed_folders) {
            match self.root.sync(&folder) {
                // A directory may have been moved or removed since.
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

    /// Applies steps in this order, or undoes them in reverse order.
    fn run_steps(&mut self, mut steps: Vec<Step<'_>>) -> Result<Flow, Error> {
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
            // Stopping the undo would not restore what no longer exists.
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
        // A directory that does not exist contains nothing.
        match step {
            Step::Move(step) if self.undoing => self.transfer_back(step),
            Step::Move(step) => match (self.place(&step.from), self.place(&step.to)) {
                (Ok(from), Ok(to)) => self.transfer(&from, &to),
                (Err(error), _) | (_, Err(error)) => Outcome::Blocked(error),
            },
            Step::Leave(step) if self.undoing => {
                let from = match self.is_on_stage(step) {
                    true => self.place_or_create(&step.from),
                    false => self.place(&step.from),
                };
                match from {
                    Ok(from) => self.stage(step, &from),
                    Err(error) => missing_or_blocked(error),
                }
            }
            Step::Leave(step) => match self.place(&step.from) {
                Ok(from) => self.stage(step, &from),
                Err(error) if is_not_found(&error) && self.is_on_stage(step) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
            Step::Arrive(step) => match self.place(&step.to) {
                Ok(to) => self.stage_back(step, &to),
                Err(error) if !self.undoing => Outcome::Blocked(error),
                Err(error) if is_not_found(&error) && self.is_on_stage(step) => Outcome::Done,
                Err(error) => missing_or_blocked(error),
            },
            Step::Make(step) => match self.place(&step.path) {
                Ok(folder) if self.undoing => self.remove_folder(&folder),
                Ok(folder) => self.make_folder(&folder, None),
                Err(error) if self.undoing && is_not_found(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
            Step::Remove(step) if self.undoing => match self.place_or_create(&step.path) {
                Ok(folder) => self.make_folder(&folder, step.mode),
                Err(error) => Outcome::Blocked(error),
            },
            Step::Remove(step) => match self.place(&step.path) {
                Ok(folder) => self.remove_folder(&folder),
                Err(error) if is_not_found(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
        }
    }

    /// A place, if its directory exists.
    fn place(&self, text: &Text) -> Result<Place, Error> {
        match text.path() {
            Some(below) => self.root.open(&below),
            None => Err(Error::new(self.root.folder(), ErrorKind::NotFound)),
        }
    }

    /// A place to which an entry is moved back. Creates directories that were removed in the meantime.
    fn place_or_create(&mut self, text: &Text) -> Result<Place, Error> {
        let (missing, below) = match (self.place(text), text.path()) {
            (Err(error), Some(below)) if is_not_found(&error) => {
                (folder_of(&below).to_owned(), below)
            }
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

    /// Undoes a move that does not use the stage.
    fn transfer_back(&mut self, step: &MoveStep) -> Outcome {
        let not_found = match self.place(&step.to) {
            Ok(to) if to.exists() => {
                return match self.place_or_create(&step.from) {
                    Ok(from) => self.transfer(&to, &from),
                    Err(error) => Outcome::Blocked(error),
                };
            }
            Ok(to) => Error::new(to.path, ErrorKind::NotFound),
            Err(error) if is_not_found(&error) => error,
            Err(error) => return Outcome::Blocked(error),
        };
        match self.place(&step.from) {
            Ok(from) if from.exists() => Outcome::Done,
            _ => Outcome::Missing(not_found),
        }
    }

    /// Applies a move that does not use the stage.
    fn transfer(&mut self, from: &Place, to: &Place) -> Outcome {
        match (from.exists(), to.exists()) {
            (true, false) => self.rename(from, to),
            (false, true) => Outcome::Done,
            (true, true) if self.remove_if_empty(to, from) => self.rename(from, to),
            (true, true) => Outcome::Blocked(Error::new(&to.path, ErrorKind::AlreadyExists)),
            (false, false) => Outcome::Missing(Error::new(&from.path, ErrorKind::NotFound)),
        }
    }

    /// Moves an entry to the stage, or undoes that.
    fn stage(&mut self, step: &MoveStep, from: &Place) -> Outcome {
        match (self.on_stage(step), self.undoing) {
            (None, _) => self.no_stage(),
            (Some(on_stage), false) => self.put_on_stage(from, &on_stage),
            (Some(on_stage), true) => self.take_from_stage(&on_stage, from),
        }
    }

    /// Moves an entry from the stage, or undoes that.
    fn stage_back(&mut self, step: &MoveStep, to: &Place) -> Outcome {
        match (self.on_stage(step), self.undoing) {
            (None, _) => self.no_stage(),
            (Some(on_stage), false) => self.take_from_stage(&on_stage, to),
            (Some(on_stage), true) => self.put_on_stage(to, &on_stage),
        }
    }

    /// An entry on the stage has left its place, whatever is there now.
    fn put_on_stage(&mut self, from: &Place, on_stage: &Place) -> Outcome {
        match (on_stage.exists(), from.exists()) {
            (true, _) => Outcome::Done,
            (false, true) => self.rename(from, on_stage),
            (false, false) => Outcome::Missing(Error::new(&from.path, ErrorKind::NotFound)),
        }
    }

    /// An entry that is no longer on the stage has arrived.
    fn take_from_stage(&mut self, on_stage: &Place, to: &Place) -> Outcome {
        match (on_stage.exists(), to.exists()) {
            (false, true) => Outcome::Done,
            (false, false) => Outcome::Missing(Error::new(&to.path, ErrorKind::NotFound)),
            (true, true) if self.remove_if_empty(to, on_stage) => self.rename(on_stage, to),
            (true, true) => Outcome::Blocked(Error::new(&to.path, ErrorKind::AlreadyExists)),
            (true, false) => self.rename(on_stage, to),
        }
    }

    /// Returns true if an empty directory in the place of a directory that is moved back could be removed.
    fn remove_if_empty(&self, empty: &Place, folder: &Place) -> bool {
        self.undoing
            && is_folder(empty)
            && is_folder(folder)
            && empty.dir.remove_dir(&empty.name).is_ok()
    }

    fn on_stage(&self, step: &MoveStep) -> Option<Place> {
        self.stage.place(step.stage.unwrap_or_default())
    }

    fn is_on_stage(&self, step: &MoveStep) -> bool {
        self.on_stage(step).is_some_and(|place| place.exists())
    }

    /// The result of a step that uses the stage before the stage exists.
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
            // Only mode bits are used, whatever the journal contains.
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
                Outcome::Skipped(Error::new(&place.path, ErrorKind::NotEmpty))
            }
            Err(error) => Outcome::Skipped(Error::new(&place.path, ErrorKind::Write(error))),
        }
    }

    fn touch(&mut self, place: &Place) {
        self.is_new = true;
        self.changed_folders
            .insert(folder_of(&place.path).to_owned());
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
                Err(error) if self.undoing && is_not_found(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            };
            self.note(outcome, |done| done.created += 1);
        }
        Ok(Flow::On)
    }

    fn create(&mut self, place: &Place, content: &[u8]) -> Outcome {
        if place.exists() {
            return match holds(place, content) {
                true => Outcome::Done,
                false => Outcome::Blocked(Error::new(&place.path, ErrorKind::AlreadyExists)),
            };
        }
        let create = || -> io::Result<()> {
            // A new file has the default mode.
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
        if !place.exists() {
            return Outcome::Done;
        }
        if !holds(place, content) {
            return Outcome::Skipped(Error::new(&place.path, ErrorKind::ModifiedSince));
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

/// The path of a file after all moves. The move of the nearest ancestor applies.
fn new_place(moves: &HashMap<PathBuf, PathBuf>, old: &Path) -> PathBuf {
    let moved = old.ancestors().find_map(|it| Some((it, moves.get(it)?)));
    match moved {
        Some((from, to)) if from == old => to.clone(),
        Some((from, to)) => to.join(old.strip_prefix(from).unwrap_or(old)),
        None => old.to_owned(),
    }
}

fn is_not_found(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound)
}

/// The result of undoing a step whose place cannot be used.
fn missing_or_blocked(error: Error) -> Outcome {
    match is_not_found(&error) {
        true => Outcome::Missing(error),
        false => Outcome::Blocked(error),
    }
}

/// Creates a directory, unless it exists, and opens it.
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

/// Returns true if a regular file has this content.
fn holds(place: &Place, content: &[u8]) -> bool {
    let found = place.content_of(content.len() as u64);
    matches!(found, Ok(Some(found)) if found == content)
}
