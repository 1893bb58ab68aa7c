//! Single steps: renames, new and removed directories, new files. Each first checks if it is done.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use super::applied::Rename;
use super::line::MoveStep;
use super::order::Step;
use super::root::{Root, is_absence};
use super::state::Stage;
use super::tasks::RunTasks;
use super::values::Text;
use crate::error::{Error, ErrorKind};
use crate::fs::directory_of;
use crate::fs::replace::Place;
use crate::fs::replace::dir::Dir;
use crate::fs::replace::stamp::Kind;
use crate::fs::replace::temporary::Temporaries;

/// The result of one step.
pub(super) enum Outcome {
    /// Done.
    Done,
    /// The subject of the step does not exist, so the step has no effect and loses nothing.
    Missing(Error),
    /// Skipped, without consequences for other steps.
    Skipped(Error),
    /// Failed. Later steps must not begin.
    Blocked(Error),
}

/// The directory entries that the steps of a run change.
pub(super) struct Entries<'r> {
    pub(super) root: Root,
    pub(super) stage: Stage,
    pub(super) temporaries: Temporaries,
    pub(super) rename: Option<&'r Rename<'r>>,
    /// True if the steps are undone.
    pub(super) undoing: bool,
    /// Directories whose names changed since they were last synced.
    pub(super) changed_directories: BTreeSet<PathBuf>,
    /// True if any entry was changed.
    pub(super) is_changed: bool,
}

impl Entries<'_> {
    /// Syncs the directories of renamed, created and removed entries to disk, which makes the
    /// changes durable.
    pub(super) fn sync(&mut self, run_tasks: &RunTasks<'_>) -> Result<(), Error> {
        // A directory may have been moved or removed since.
        self.root.sync_all(run_tasks, std::mem::take(&mut self.changed_directories), is_absence)
    }

    /// Does or undoes a step other than an edit or a new file.
    pub(super) fn step(&mut self, step: Step<'_>) -> Outcome {
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
                Ok(directory) if self.undoing => self.remove_directory(&directory),
                Ok(directory) => self.make_directory(&directory, None),
                Err(error) if self.undoing && is_not_found(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
            Step::Remove(step) if self.undoing => match self.place_or_create(&step.path) {
                Ok(directory) => self.make_directory(&directory, step.mode),
                Err(error) => Outcome::Blocked(error),
            },
            Step::Remove(step) => match self.place(&step.path) {
                Ok(directory) => self.remove_directory(&directory),
                Err(error) if is_not_found(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
        }
    }

    /// A place, if its directory exists.
    fn place(&self, text: &Text) -> Result<Place, Error> {
        place(&self.root, text)
    }

    /// A place to which an entry is moved back. Creates directories that were removed in the
    /// meantime.
    fn place_or_create(&mut self, text: &Text) -> Result<Place, Error> {
        let (missing, below) = match (self.place(text), text.path()) {
            (Err(error), Some(below)) if is_not_found(&error) => {
                (directory_of(&below).to_owned(), below)
            }
            (place, _) => return place,
        };
        let mut directory = PathBuf::new();
        for name in &missing {
            directory.push(name);
            let place = self.root.open(&directory)?;
            make_directory(&place)
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

    /// Moves an entry to the stage. If the stage has the entry, it was moved before, even if its
    /// place is occupied.
    fn put_on_stage(&mut self, from: &Place, on_stage: &Place) -> Outcome {
        match (on_stage.exists(), from.exists()) {
            (true, _) => Outcome::Done,
            (false, true) => self.rename(from, on_stage),
            (false, false) => Outcome::Missing(Error::new(&from.path, ErrorKind::NotFound)),
        }
    }

    /// Moves an entry from the stage. If it is no longer on the stage, it was moved before.
    fn take_from_stage(&mut self, on_stage: &Place, to: &Place) -> Outcome {
        match (on_stage.exists(), to.exists()) {
            (false, true) => Outcome::Done,
            (false, false) => Outcome::Missing(Error::new(&to.path, ErrorKind::NotFound)),
            (true, true) if self.remove_if_empty(to, on_stage) => self.rename(on_stage, to),
            (true, true) => Outcome::Blocked(Error::new(&to.path, ErrorKind::AlreadyExists)),
            (true, false) => self.rename(on_stage, to),
        }
    }

    /// Returns true if an empty directory at the old place of a moved directory could be removed.
    fn remove_if_empty(&self, empty: &Place, directory: &Place) -> bool {
        self.undoing
            && is_directory(empty)
            && is_directory(directory)
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
        let renamed = match self.rename {
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

    fn make_directory(&mut self, place: &Place, mode: Option<u32>) -> Outcome {
        let made = make_directory(place).and_then(|dir| match mode {
            // Only mode bits are used, for any content of the journal.
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

    fn remove_directory(&mut self, place: &Place) -> Outcome {
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
        self.is_changed = true;
        self.changed_directories.insert(directory_of(&place.path).to_owned());
    }
}

/// A place, if its directory exists.
pub(super) fn place(root: &Root, text: &Text) -> Result<Place, Error> {
    match text.path() {
        Some(below) => root.open(&below),
        None => Err(Error::new(root.directory(), ErrorKind::NotFound)),
    }
}

/// Creates a file, unless it exists. Returns true if it was created.
pub(super) fn create(temporaries: &Temporaries, place: &Place, content: &[u8]) -> (Outcome, bool) {
    if place.exists() {
        let outcome = match holds(place, content) {
            true => Outcome::Done,
            false => Outcome::Blocked(Error::new(&place.path, ErrorKind::AlreadyExists)),
        };
        return (outcome, false);
    }
    let create = || -> io::Result<()> {
        // A new file has the default mode.
        let mut new = temporaries.file_in(&place.dir, 0o666)?;
        new.file.write_all(content)?;
        new.file.sync_all()?;
        new.persist_new(&place.name)
    };
    changed(place, create())
}

/// Removes a created file. Returns true if it was removed.
pub(super) fn uncreate(place: &Place, content: &[u8]) -> (Outcome, bool) {
    if !place.exists() {
        return (Outcome::Done, false);
    }
    if !holds(place, content) {
        let error = Error::new(&place.path, ErrorKind::ModifiedSince);
        return (Outcome::Skipped(error), false);
    }
    changed(place, place.dir.remove_file(&place.name))
}

fn changed(place: &Place, changed: io::Result<()>) -> (Outcome, bool) {
    match changed {
        Ok(()) => (Outcome::Done, true),
        Err(error) => (Outcome::Blocked(Error::new(&place.path, ErrorKind::Write(error))), false),
    }
}

pub(super) fn is_not_found(error: &Error) -> bool {
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
fn make_directory(place: &Place) -> io::Result<Dir> {
    match place.dir.make(&place.name, 0o777) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_directory(place) => {}
        other => other?,
    }
    place.dir.child(&place.name)
}

fn is_directory(place: &Place) -> bool {
    let stamp = place.dir.stamp_of(&place.name);
    matches!(stamp, Ok(Some(it)) if it.kind == Kind::Directory)
}

/// Returns true if a regular file has this content.
pub(super) fn holds(place: &Place, content: &[u8]) -> bool {
    let found = place.content_of(content.len() as u64);
    matches!(found, Ok(Some(found)) if found == content)
}
