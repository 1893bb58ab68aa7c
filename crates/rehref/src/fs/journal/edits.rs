//! Applying and undoing the edits of a plan, by several threads.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Read};
use std::path::PathBuf;

use super::changes::ranges;
use super::in_place::{is_half_written, overwrite};
use super::journal_file::{Steps, Unparsed};
use super::line::EditStep;
use super::root::{Root, is_absence};
use super::tasks::{Flow, RunTasks, for_each};
use super::values::{Fingerprint, Text, Time};
use crate::error::{Error, ErrorKind};
use crate::fs::directory_of;
use crate::fs::pieces::pieces;
use crate::fs::replace::dir::{stamp_of_file, stamp_of_metadata};
use crate::fs::replace::stamp::{Access, Kind, Stamp};
use crate::fs::replace::temporary::Temporaries;
use crate::fs::replace::{Place, Replaced, keep_old, prepared};

/// The number of edits after which their directories are synced to disk. Until then their paths are
/// held.
const BATCH: usize = 1 << 16;

/// The settings for applying or undoing edits.
pub(super) struct Editing<'r> {
    pub(super) root: &'r Root,
    pub(super) temporaries: &'r Temporaries,
    pub(super) undoing: bool,
    /// True if a killed process may have left half-written files.
    pub(super) was_interrupted: bool,
    /// Edits that were skipped when the others were applied.
    pub(super) skipped: &'r HashSet<u64>,
    pub(super) run_tasks: &'r RunTasks<'r>,
    pub(super) stop: &'r (dyn Fn() -> bool + Sync),
}

/// The result of the edits.
#[derive(Default)]
pub(super) struct Edited {
    /// The number of files with the wanted content.
    pub(super) files: u64,
    /// True if this process changed one of them.
    pub(super) is_new: bool,
    /// The number of changes in these files.
    pub(super) changes: u64,
    pub(super) problems: Vec<Error>,
    /// Edits skipped because the file had changed.
    pub(super) skipped: Vec<u64>,
    /// True if a system error occurred.
    pub(super) failed: bool,
    pub(super) linked: Vec<(PathBuf, u64)>,
    pub(super) stripped: Vec<PathBuf>,
}

/// A step that was done or skipped.
struct Worked {
    number: u64,
    path: PathBuf,
    /// The number of changes.
    changes: u64,
    outcome: Result<Outcome, Error>,
}

/// The result for one file.
enum Outcome {
    /// Edited.
    Done(Replaced),
    /// It had the wanted content already.
    Already,
    /// It has neither the old nor the new content.
    Skipped(Error),
}

/// A file that is written in place.
struct Found<'f> {
    place: &'f Place,
    stamp: Stamp,
    content: &'f [u8],
    /// True if it has neither the content before the step nor that after it.
    is_half: bool,
}

impl Editing<'_> {
    /// Applies or undoes all edits. All changes are then synced to disk.
    pub(super) fn all(&self, mut steps: Steps) -> Result<(Flow, Edited), Error> {
        let mut edited = Edited::default();
        loop {
            let mut left = BATCH;
            let mut touched = BTreeSet::new();
            let batch = steps.by_ref().take(BATCH);
            let flow = for_each(
                self.run_tasks,
                self.stop,
                batch,
                |step| self.work(step?),
                |worked| {
                    left -= 1;
                    self.note(worked, &mut edited, &mut touched);
                },
            );
            self.root.sync_all(self.run_tasks, touched, |_| false)?;
            let flow = flow?;
            if flow == Flow::Stopped || left > 0 {
                return Ok((flow, edited));
            }
        }
    }

    /// Does a step. Fails if the journal cannot be read.
    fn work(&self, step: Unparsed) -> Result<Worked, Error> {
        let number = step.number;
        let step = step.edit()?;
        let path = self.root.directory().join(step.path.path().unwrap_or_default());
        let changes = step.links.unwrap_or(step.changes.len() as u64);
        Ok(Worked { number, path, changes, outcome: self.edit(&step) })
    }

    /// Notes the result of a step, and the directory to be synced.
    fn note(&self, worked: Worked, edited: &mut Edited, touched: &mut BTreeSet<PathBuf>) {
        let Worked { number, path, changes, outcome } = worked;
        match outcome {
            Ok(Outcome::Skipped(error)) => {
                // An edit that was skipped has nothing to undo.
                if !(self.undoing && self.skipped.contains(&number)) {
                    edited.problems.push(error);
                }
                edited.skipped.push(number);
            }
            Ok(became) => {
                edited.files += 1;
                edited.is_new |= matches!(became, Outcome::Done(_));
                edited.changes += changes;
                let directory = directory_of(&path);
                if !touched.contains(directory) {
                    touched.insert(directory.to_owned());
                }
                if let Outcome::Done(replaced) = became {
                    if replaced.is_stripped {
                        edited.stripped.push(path.clone());
                    }
                    if replaced.links > 0 {
                        edited.linked.push((path, replaced.links));
                    }
                }
            }
            Err(error) => {
                edited.failed = true;
                edited.problems.push(error);
            }
        }
    }

    /// Applies or undoes an edit, without syncing the directory.
    fn edit(&self, step: &EditStep) -> Result<Outcome, Error> {
        let unknown = || Error::new(self.root.directory(), ErrorKind::NotFound);
        let path = step.path.path().ok_or_else(unknown)?;
        let place = match self.root.open(&path) {
            Ok(place) => place,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound) => {
                return Ok(Outcome::Skipped(error));
            }
            Err(error) => return Err(error),
        };
        let path = &place.path;
        let unchanged = || {
            let kind = match self.undoing {
                true => ErrorKind::ModifiedSince,
                false => ErrorKind::Changed,
            };
            Ok(Outcome::Skipped(Error::new(path, kind)))
        };
        let stamp = match place.dir.stamp_of(&place.name) {
            Ok(Some(stamp)) => stamp,
            Ok(None) => return Ok(Outcome::Skipped(Error::new(path, ErrorKind::NotFound))),
            Err(error) => return Err(Error::new(path, ErrorKind::Read(error))),
        };
        let (from, to) = match self.undoing {
            false => (step.old, step.new),
            true => (step.new, step.old),
        };
        let backup = step.backup.as_ref().and_then(|it| it.path());
        let backup = backup.and_then(|it| self.root.open(&it).ok());
        let may_be_half = self.was_interrupted && step.content.is_some();
        let has_known_length = [from.len, to.len].contains(&stamp.len);
        if stamp.kind != Kind::File || !has_known_length && !may_be_half {
            return unchanged();
        }
        let unreadable = |error| Error::new(path, ErrorKind::Read(error));
        let (file, metadata) = place.dir.known_file(&place.name).map_err(unreadable)?;
        if metadata.permissions().readonly() {
            return Ok(Outcome::Skipped(Error::new(path, ErrorKind::ReadOnly)));
        }
        let stamp = stamp_of_metadata(&metadata);
        // One byte more, so that the end is found without a larger buffer.
        let mut content = Vec::with_capacity(usize::try_from(stamp.len).unwrap_or_default() + 1);
        let read = (&file).take(stamp.len + 1).read_to_end(&mut content);
        read.map_err(unreadable)?;
        let found = Fingerprint::of([&*content]);
        let refused = |error| Error::new(path, ErrorKind::Write(error));
        if found == to {
            if self.undoing {
                remove_backup(backup.as_ref(), &content).map_err(refused)?;
            }
            return Ok(Outcome::Already);
        }
        if let Some(old) = &step.content {
            let found = Found { place: &place, stamp, content: &content, is_half: found != from };
            let written = self.write_in_place(step, &old.0, &found, backup.as_ref());
            return match written.map_err(refused)? {
                true => Ok(Outcome::Done(Replaced { links: 0, is_stripped: false })),
                false => unchanged(),
            };
        }
        if found != from {
            return unchanged();
        }
        // The new content is not held: with a link for every few bytes, the changes take as much.
        let ranges = ranges(&content, step.changes.directed(self.undoing));
        let is_new = |ranges: &_| Fingerprint::of_changed(&content, Clone::clone(ranges)) == to;
        let Some(ranges) = ranges.filter(is_new) else {
            return unchanged();
        };
        let new = || pieces(&content, ranges.clone());
        if !self.undoing
            && let Some(backup) = &backup
        {
            keep_old(self.temporaries, &place, backup, true).map_err(refused)?;
        }
        let put = || -> io::Result<Option<Replaced>> {
            let time = step.time.filter(|_| self.undoing).and_then(Time::system);
            let old = (&file, &metadata);
            let (new_file, replaced) = prepared(self.temporaries, &place.dir, new(), old, time)?;
            // Do not lose changes made since the file was read.
            if !is_unchanged(&place, &stamp) {
                return Ok(None);
            }
            new_file.persist(&place.name)?;
            if self.undoing && backup.is_some() {
                let new: Vec<u8> = new().flatten().copied().collect();
                remove_backup(backup.as_ref(), &new)?;
            }
            Ok(Some(replaced))
        };
        match put().map_err(refused)? {
            Some(replaced) => Ok(Outcome::Done(replaced)),
            None => unchanged(),
        }
    }

    /// Writes the new or old content of a file in place. Returns false if the file has another
    /// content than the step expects.
    fn write_in_place(
        &self,
        step: &EditStep,
        old: &[u8],
        found: &Found<'_>,
        backup: Option<&Place>,
    ) -> io::Result<bool> {
        let ranges = ranges(old, step.changes.iter());
        let new = ranges.map(|ranges| pieces(old, ranges).collect::<Vec<_>>().concat());
        let Some(new) = new.filter(|new| Fingerprint::of([&**new]) == step.new) else {
            return Ok(false);
        };
        let may_be_half = self.was_interrupted && is_half_written(found.content, old, &new);
        if Fingerprint::of([old]) != step.old || found.is_half && !may_be_half {
            return Ok(false);
        }
        if let (Some(backup), false, false) = (backup, self.undoing, found.is_half) {
            keep_old(self.temporaries, found.place, backup, false)?;
        }
        let Place { dir, name, .. } = found.place;
        let file = dir.file(name, Access::ReadWrite)?;
        // Do not lose changes made since the file was read.
        if !stamp_of_file(&file)?.is_same_content(&found.stamp) {
            return Ok(false);
        }
        let wanted = if self.undoing { old } else { &new };
        overwrite(&file, found.content, wanted)?;
        if self.undoing {
            // Only the owner may set the time.
            let time = step.time.and_then(Time::system);
            let _: Option<io::Result<()>> = time.map(|it| file.set_modified(it));
            remove_backup(backup, wanted)?;
        }
        Ok(true)
    }
}

/// Checks that a file has its content before or after the edit.
pub(super) fn check_content(step: &EditStep, place: &Place) -> Result<(), Error> {
    let unreadable = |error: io::Error| match is_absence(&error) {
        true => Error::new(&place.path, ErrorKind::NotFound),
        false => Error::new(&place.path, ErrorKind::Read(error)),
    };
    let stamp = place.dir.stamp_of(&place.name).map_err(unreadable)?;
    let Some(stamp) = stamp else {
        return Err(Error::new(&place.path, ErrorKind::NotFound));
    };
    if [step.old.len, step.new.len].contains(&stamp.len)
        && let Some(content) = place.content_of(stamp.len).map_err(unreadable)?
        && [step.old, step.new].contains(&Fingerprint::of([&*content]))
    {
        return Ok(());
    }
    Err(Error::new(&place.path, ErrorKind::ModifiedSince))
}

/// Returns true if a file has not changed since its metadata was read.
fn is_unchanged(place: &Place, old: &Stamp) -> bool {
    let now = place.dir.stamp_of(&place.name);
    matches!(now, Ok(Some(now)) if now.is_same_content(old))
}

/// Removes the backup, if it has this content again.
fn remove_backup(backup: Option<&Place>, content: &[u8]) -> io::Result<()> {
    let Some(backup) = backup else {
        return Ok(());
    };
    match backup.content_of(content.len() as u64) {
        Ok(Some(found)) if found == content => backup.dir.remove_file(&backup.name),
        // A file system that does not allow the name has no such file.
        Err(error) if error.kind() != io::ErrorKind::InvalidFilename => Err(error),
        _ => Ok(()),
    }
}

/// Removes temporary files that a killed run left next to the files that it writes.
pub(super) fn sweep(
    root: &Root,
    temporaries: &Temporaries,
    files: impl Iterator<Item = Result<Text, Error>>,
) -> Result<(), Error> {
    let mut last = PathBuf::new();
    for path in files {
        let Some(path) = path?.path() else {
            continue;
        };
        // Files are mostly in the order of paths.
        if directory_of(&path) == last {
            continue;
        }
        let Ok(place) = root.open(&path) else {
            continue;
        };
        last = directory_of(&path).to_owned();
        for name in place.dir.names().unwrap_or_default() {
            let stamp = || place.dir.stamp_of(&name);
            let is_file = || matches!(stamp(), Ok(Some(it)) if it.kind == Kind::File);
            if temporaries.has(&name) && is_file() {
                // Files that cannot be removed are harmless.
                let _: io::Result<()> = place.dir.remove_file(&name);
            }
        }
    }
    Ok(())
}
