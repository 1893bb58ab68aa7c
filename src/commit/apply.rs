//! Doing what a plan says, and taking it back.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::edits::{self, Editing};
use super::journal::{Journal, State};
use super::line::{Counts, Line, MakeStep, MoveStep, Phase, RemoveStep, Text};
use super::replace::{builder, folder_of, sync_folder};
use super::root::{Root, is_absence, is_there, rename_new};
use crate::error::{Error, ErrorKind};

/// What renames a file, folder or symbolic link. It must not overwrite anything.
pub type Rename<'o> = dyn Fn(&Path, &Path) -> io::Result<()> + 'o;

/// How a run is applied or taken back.
#[derive(Clone, Copy)]
pub struct ApplyOptions<'o> {
    /// How many files are edited at a time.
    pub jobs: NonZeroUsize,
    /// What moves are done by: [`rename_new`], or what also tells others of it.
    pub rename: &'o Rename<'o>,
    /// Asked before each step whether the run is to end here; it then is interrupted.
    pub stop: &'o (dyn Fn() -> bool + Sync),
}

impl Default for ApplyOptions<'_> {
    fn default() -> Self {
        Self {
            jobs: NonZeroUsize::MIN,
            rename: &rename_new,
            stop: &|| false,
        }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It has not been applied to its end: it can be resumed or taken back.
    Interrupted,
    /// It has been applied, and can be taken back.
    Finished,
    /// It was being taken back, and not to the end: that can be gone on with.
    UndoInterrupted,
    /// It has been taken back, but for what had changed meanwhile; that can be tried again.
    Undone,
}

/// What came of applying a run or taking it back.
#[derive(Debug)]
pub struct Applied {
    /// How far it has come now. A run that has been taken back without problems leaves nothing behind.
    pub state: RunState,
    /// What is done now: in this process or in one before. Of an undo, what is as it was before the run; what
    /// another process took back before the files were at their old places counts no more.
    pub done: Counts,
    /// What was left alone, since it is not as expected, and what the system refused; in the order of the
    /// steps.
    pub problems: Vec<Error>,
    /// Edited files that have other hard links, which keep the old content, and how many.
    pub linked: Vec<(PathBuf, u64)>,
}

/// A plan that is on the disk, to be applied or taken back. No other run can begin in its root as long as it is
/// there.
#[derive(Debug)]
pub struct Run {
    root: Root,
    state: State,
    journal: Journal,
    /// Whether a killed process may have left temporary files.
    is_reopened: bool,
}

impl Run {
    pub(super) fn new(root: Root, state: State, journal: Journal, is_reopened: bool) -> Self {
        Self {
            root,
            state,
            journal,
            is_reopened,
        }
    }

    /// The last run in a root, if there was one, and it was not taken back.
    ///
    /// # Errors
    /// When another run is at work there ([`ErrorKind::Busy`]), or the journal cannot be read.
    pub fn open(root: &Root) -> Result<Option<Self>, Error> {
        let Some(state) = State::existing(root)? else {
            return Ok(None);
        };
        state.remove_draft()?;
        let journal = Journal::open(state.journal())?;
        Ok(journal.map(|journal| Self::new(root.clone(), state, journal, true)))
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

    /// How many steps it has of each kind.
    pub fn counts(&self) -> Counts {
        self.journal.counts
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
        let mut work = Work::new(&self, options, false);
        for phase in Phase::ALL {
            if (phase as usize) < self.journal.progress.phases {
                work.count_all(phase, &self.journal);
                continue;
            }
            if !self.journal.has(phase) {
                continue;
            }
            let flow = work.phase(phase, &self.journal, self.is_reopened)?;
            work.sync()?;
            let skipped = std::mem::take(&mut work.skipped);
            work.blocked |= !skipped.is_empty() && self.journal.has_moves();
            if phase == Phase::Edits
                && !(skipped.is_empty() && self.journal.progress.skipped.is_empty())
            {
                self.journal.note(Line::Skipped(skipped))?;
            }
            if flow == Flow::Stopped || work.blocked {
                return Ok(work.end(RunState::Interrupted));
            }
            if self.journal.has_moves() {
                self.journal.note(Line::Done(phase))?;
            }
        }
        let applied = work.end(RunState::Finished);
        if !self.journal.progress.finished {
            self.journal.note(Line::Finished)?;
        }
        self.state.remove_stage()?;
        Ok(applied)
    }

    /// Takes the run back, as far as it was applied: all phases backwards. Edited files get their old content
    /// and time.
    ///
    /// What is no more as the run left it is left alone. If nothing was, nothing remains of the run.
    ///
    /// # Errors
    /// When the journal cannot be read or written. The undo is interrupted then.
    pub fn undo(mut self, options: &ApplyOptions<'_>) -> Result<Applied, Error> {
        if !self.journal.progress.undoing {
            self.journal.note(Line::Undo)?;
        }
        let mut work = Work::new(&self, options, true);
        // Edits that could not be taken back are tried again.
        let left = self.journal.progress.phases.max(1);
        for phase in Phase::ALL.into_iter().rev() {
            if !self.journal.has(phase) {
                continue;
            }
            if phase as usize >= left {
                continue;
            }
            let flow = work.phase(phase, &self.journal, self.is_reopened)?;
            work.sync()?;
            if flow == Flow::Stopped || work.blocked {
                return Ok(work.end(RunState::UndoInterrupted));
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

impl Journal {
    /// Whether there is anything to do in a phase.
    fn has(&self, phase: Phase) -> bool {
        let on_stage = || self.moves.iter().any(|step| step.stage.is_some());
        match phase {
            Phase::Edits => self.counts.files > 0,
            Phase::Leave | Phase::Arrive => on_stage(),
            Phase::Folders => self.folders.iter().any(|step| !step.staged),
            Phase::Moves => self.moves.iter().any(|step| step.stage.is_none()),
            Phase::Removals => self.removals.iter().any(|step| !step.staged),
            Phase::Creates => self.counts.created > 0,
        }
    }

    /// Whether there is anything to do but edits.
    fn has_moves(&self) -> bool {
        Phase::ALL[1..].iter().any(|&phase| self.has(phase))
    }
}

/// Whether to go on after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    /// The run was asked to end.
    Stopped,
}

/// What is done in this process.
struct Work<'r> {
    root: Root,
    stage: PathBuf,
    options: &'r ApplyOptions<'r>,
    undoing: bool,
    /// Folders in which names have changed since they were last on the disk.
    touched: BTreeSet<PathBuf>,
    /// Whether the next phase must not begin.
    blocked: bool,
    /// Edits left alone, by their number.
    skipped: Vec<u64>,
    already_skipped: std::collections::HashSet<u64>,
    applied: Applied,
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
    fn new(run: &Run, options: &'r ApplyOptions<'r>, undoing: bool) -> Self {
        Self {
            root: run.root.clone(),
            stage: run.state.stage(),
            options,
            undoing,
            touched: BTreeSet::new(),
            blocked: false,
            skipped: Vec::new(),
            already_skipped: run.journal.progress.skipped.clone(),
            applied: Applied {
                state: run.state(),
                done: Counts::default(),
                problems: Vec::new(),
                linked: Vec::new(),
            },
        }
    }

    fn end(&mut self, state: RunState) -> Applied {
        Applied {
            state,
            done: self.applied.done,
            problems: std::mem::take(&mut self.applied.problems),
            linked: std::mem::take(&mut self.applied.linked),
        }
    }

    /// Counts a phase that another process did.
    fn count_all(&mut self, phase: Phase, journal: &Journal) {
        let (done, all) = (&mut self.applied.done, journal.counts);
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

    fn phase(&mut self, phase: Phase, journal: &Journal, is_reopened: bool) -> Result<Flow, Error> {
        match phase {
            Phase::Edits => self.edits(journal, is_reopened),
            Phase::Creates => self.creates(journal, is_reopened),
            Phase::Leave => self.in_order(leaving(journal)),
            Phase::Folders => self.in_order(made(journal, false).map(Step::Make).collect()),
            Phase::Moves => self.in_order(moved(journal, false).map(Step::Move).collect()),
            Phase::Removals => self.in_order(removed(journal, false).map(Step::Remove).collect()),
            Phase::Arrive => self.in_order(arriving(journal)),
        }
    }

    /// What was renamed, made or removed is lasting only when its folders are on the disk.
    fn sync(&mut self) -> Result<(), Error> {
        for folder in std::mem::take(&mut self.touched) {
            match sync_folder(&folder) {
                // A folder may have been moved or removed since.
                Err(error) if !is_absence(&error) => {
                    return Err(Error::new(folder, ErrorKind::Write(error)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn edits(&mut self, journal: &Journal, is_reopened: bool) -> Result<Flow, Error> {
        if is_reopened {
            edits::sweep(&self.root, journal.edits())?;
        }
        let editing = Editing {
            root: &self.root,
            undoing: self.undoing,
            skipped: &self.already_skipped,
            jobs: self.options.jobs,
            stop: self.options.stop,
        };
        let edited = editing.all(journal.edits())?;
        self.applied.done.files += edited.files;
        self.applied.done.changes += edited.changes;
        self.applied.linked.extend(edited.linked);
        self.blocked |= edited.failed;
        self.skipped = edited.skipped;
        self.applied.problems.extend(edited.problems);
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
            let made = make_folder(&self.stage);
            made.map_err(|error| Error::new(&self.stage, ErrorKind::Write(error)))?;
            self.touched.insert(folder_of(&self.stage).to_owned());
        }
        for step in steps {
            if (self.options.stop)() {
                return Ok(Flow::Stopped);
            }
            let outcome = self.step(step)?;
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
            Outcome::Done => return count(&mut self.applied.done),
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
        self.applied.problems.push(problem);
    }

    fn step(&mut self, step: Step<'_>) -> Result<Outcome, Error> {
        let root = self.root.clone();
        let path = |text: &Text| match text.path() {
            Some(below) => root.path(&below),
            None => Err(Error::new(root.folder(), ErrorKind::Gone)),
        };
        // Where a folder is not there any more, there is nothing in it.
        let outcome = match step {
            Step::Move(step) => match (path(&step.from), path(&step.to)) {
                (Ok(from), Ok(to)) => match self.undoing {
                    false => self.transfer(&from, &to),
                    true => self.transfer(&to, &from),
                },
                (from, to) => refused(from, to),
            },
            Step::Leave(step) => match path(&step.from) {
                Ok(from) => self.stage(step, &from),
                Err(error) if self.is_settled(step, true) && is_gone(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
            Step::Arrive(step) => match path(&step.to) {
                Ok(to) => self.stage_back(step, &to),
                Err(error) if self.is_settled(step, false) && is_gone(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
            Step::Make(step) => match path(&step.path) {
                Ok(folder) if self.undoing => self.remove_folder(&folder),
                Ok(folder) => self.make_folder(&folder, None),
                Err(error) if self.undoing && is_gone(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
            Step::Remove(step) => match path(&step.path) {
                Ok(folder) if self.undoing => self.make_folder(&folder, step.mode),
                Ok(folder) => self.remove_folder(&folder),
                Err(error) if !self.undoing && is_gone(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            },
        };
        Ok(outcome)
    }

    /// Moves something from a place that nothing else takes to one that was free.
    fn transfer(&mut self, from: &Path, to: &Path) -> Outcome {
        match (is_there(from), is_there(to)) {
            (true, false) => self.rename(from, to),
            (false, true) => Outcome::Done,
            (true, true) => Outcome::Blocked(Error::new(to, ErrorKind::Occupied)),
            (false, false) => Outcome::Missing(Error::new(from, ErrorKind::Gone)),
        }
    }

    /// Lets something leave for the stage, or takes that back.
    fn stage(&mut self, step: &MoveStep, from: &Path) -> Outcome {
        let on_stage = self.on_stage(step);
        match self.undoing {
            false => self.put_on_stage(from, &on_stage),
            true => self.take_from_stage(&on_stage, from),
        }
    }

    /// Lets something arrive from the stage, or takes that back.
    fn stage_back(&mut self, step: &MoveStep, to: &Path) -> Outcome {
        let on_stage = self.on_stage(step);
        match self.undoing {
            false => self.take_from_stage(&on_stage, to),
            true => self.put_on_stage(to, &on_stage),
        }
    }

    /// What is on the stage has left its place, whatever is there now.
    fn put_on_stage(&mut self, from: &Path, on_stage: &Path) -> Outcome {
        match (is_there(on_stage), is_there(from)) {
            (true, _) => Outcome::Done,
            (false, true) => self.rename(from, on_stage),
            (false, false) => Outcome::Missing(Error::new(from, ErrorKind::Gone)),
        }
    }

    /// What is not on the stage any more has arrived.
    fn take_from_stage(&mut self, on_stage: &Path, to: &Path) -> Outcome {
        match (is_there(on_stage), is_there(to)) {
            (false, true) => Outcome::Done,
            (false, false) => Outcome::Missing(Error::new(to, ErrorKind::Gone)),
            (true, true) => Outcome::Blocked(Error::new(to, ErrorKind::Occupied)),
            (true, false) => self.rename(on_stage, to),
        }
    }

    fn on_stage(&self, step: &MoveStep) -> PathBuf {
        self.stage.join(step.stage.unwrap_or_default().to_string())
    }

    /// Whether a step was done before, of which the folder is not there now: because that moved on.
    fn is_settled(&self, step: &MoveStep, leaves: bool) -> bool {
        leaves != self.undoing && is_there(&self.on_stage(step))
    }

    fn rename(&mut self, from: &Path, to: &Path) -> Outcome {
        match (self.options.rename)(from, to) {
            Ok(()) => {
                self.touch(from);
                self.touch(to);
                Outcome::Done
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Outcome::Blocked(Error::new(to, ErrorKind::Occupied))
            }
            Err(error) => Outcome::Blocked(Error::new(to, ErrorKind::Write(error))),
        }
    }

    fn make_folder(&mut self, path: &Path, mode: Option<u32>) -> Outcome {
        let made = make_folder(path).and_then(|()| set_mode(path, mode));
        self.touch(path);
        match made {
            Ok(()) => Outcome::Done,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Outcome::Blocked(Error::new(path, ErrorKind::Occupied))
            }
            Err(error) => Outcome::Blocked(Error::new(path, ErrorKind::Write(error))),
        }
    }

    fn remove_folder(&mut self, path: &Path) -> Outcome {
        match fs::remove_dir(path) {
            Ok(()) => {
                self.touch(path);
                Outcome::Done
            }
            Err(error) if is_absence(&error) => Outcome::Done,
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                Outcome::Left(Error::new(path, ErrorKind::NotEmpty))
            }
            Err(error) => Outcome::Left(Error::new(path, ErrorKind::Write(error))),
        }
    }

    fn touch(&mut self, path: &Path) {
        self.touched.insert(folder_of(path).to_owned());
    }

    fn creates(&mut self, journal: &Journal, is_reopened: bool) -> Result<Flow, Error> {
        for step in journal.creates() {
            if (self.options.stop)() {
                return Ok(Flow::Stopped);
            }
            let step = step?.create()?;
            let path = match step.path.path() {
                Some(below) => self.root.path(&below),
                None => Err(Error::new(self.root.folder(), ErrorKind::Gone)),
            };
            let outcome = match path {
                Ok(path) => {
                    if is_reopened {
                        edits::sweep_folder(folder_of(&path));
                    }
                    match self.undoing {
                        false => self.create(&path, &step.content.0),
                        true => self.uncreate(&path, &step.content.0),
                    }
                }
                Err(error) if self.undoing && is_gone(&error) => Outcome::Done,
                Err(error) => Outcome::Blocked(error),
            };
            self.note(outcome, |done| done.created += 1);
        }
        Ok(Flow::On)
    }

    fn create(&mut self, path: &Path, content: &[u8]) -> Outcome {
        if is_there(path) {
            return match holds(path, content) {
                true => Outcome::Done,
                false => Outcome::Blocked(Error::new(path, ErrorKind::Occupied)),
            };
        }
        let create = || -> io::Result<()> {
            let mut builder = builder();
            // A new file has the mode that the system gives new files.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(folder_of(path))?;
            file.write_all(content)?;
            file.as_file().sync_all()?;
            file.persist_noclobber(path)?;
            Ok(())
        };
        match create() {
            Ok(()) => {
                self.touch(path);
                Outcome::Done
            }
            Err(error) => Outcome::Blocked(Error::new(path, ErrorKind::Write(error))),
        }
    }

    fn uncreate(&mut self, path: &Path, content: &[u8]) -> Outcome {
        if !is_there(path) {
            return Outcome::Done;
        }
        if !holds(path, content) {
            return Outcome::Left(Error::new(path, ErrorKind::NotAsLeft));
        }
        match fs::remove_file(path) {
            Ok(()) => {
                self.touch(path);
                Outcome::Done
            }
            Err(error) => Outcome::Blocked(Error::new(path, ErrorKind::Write(error))),
        }
    }
}

/// A step that is done in its order.
#[derive(Clone, Copy)]
enum Step<'j> {
    Move(&'j MoveStep),
    Leave(&'j MoveStep),
    Arrive(&'j MoveStep),
    Make(&'j MakeStep),
    Remove(&'j RemoveStep),
}

fn made(journal: &Journal, staged: bool) -> impl Iterator<Item = &MakeStep> {
    let steps = journal.folders.iter();
    steps.filter(move |step| step.staged == staged)
}

fn moved(journal: &Journal, staged: bool) -> impl Iterator<Item = &MoveStep> {
    let steps = journal.moves.iter();
    steps.filter(move |step| step.stage.is_some() == staged)
}

fn removed(journal: &Journal, staged: bool) -> impl Iterator<Item = &RemoveStep> {
    let steps = journal.removals.iter();
    steps.filter(move |step| step.staged == staged)
}

/// What leaves for the stage, the deepest first: a folder goes after what leaves it, and after the folders in it
/// that are removed.
fn leaving(journal: &Journal) -> Vec<Step<'_>> {
    let moves = moved(journal, true).map(|step| (depth(&step.from), Step::Leave(step)));
    let removals = removed(journal, true).map(|step| (depth(&step.path), Step::Remove(step)));
    let mut steps: Vec<_> = moves.chain(removals).collect();
    steps.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
    steps.into_iter().map(|(_, step)| step).collect()
}

/// What arrives from the stage, the highest first: a folder comes before what arrives in it.
fn arriving(journal: &Journal) -> Vec<Step<'_>> {
    let moves = moved(journal, true).map(|step| (depth(&step.to), Step::Arrive(step)));
    let folders = made(journal, true).map(|step| (depth(&step.path), Step::Make(step)));
    let mut steps: Vec<_> = moves.chain(folders).collect();
    steps.sort_by_key(|(depth, _)| *depth);
    steps.into_iter().map(|(_, step)| step).collect()
}

fn depth(path: &Text) -> usize {
    path.path().map_or(0, |path| path.components().count())
}

fn is_gone(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Gone)
}

/// What is to be said where one of two places cannot be used.
fn refused(from: Result<PathBuf, Error>, to: Result<PathBuf, Error>) -> Outcome {
    match (from, to) {
        (Err(error), _) | (_, Err(error)) => Outcome::Blocked(error),
        (Ok(from), Ok(_)) => Outcome::Blocked(Error::new(from, ErrorKind::Gone)),
    }
}

/// Makes a folder, unless it is there.
fn make_folder(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists
                && fs::symlink_metadata(path).is_ok_and(|it| it.is_dir()) =>
        {
            Ok(())
        }
        other => other,
    }
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    mode.map_or(Ok(()), |mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    })
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: Option<u32>) -> io::Result<()> {
    Ok(())
}

/// Whether a regular file has this content.
fn holds(path: &Path, content: &[u8]) -> bool {
    let is_file = |it: fs::Metadata| it.is_file() && it.len() == content.len() as u64;
    fs::symlink_metadata(path).is_ok_and(is_file)
        && fs::read(path).is_ok_and(|bytes| bytes == content)
}
