//! The journal of a run: its owner, its lines, and appending to it.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::line::{
    Counts, CreateStep, EditStep, Line, MakeStep, MoveStep, Phase, RemoveStep, VERSION,
};
use super::origin::Origin;
use super::root::{Misplaced, Root, check_place};
use super::state::State;
use super::tasks::{RunTasks, for_each};
use super::values::Text;
use crate::error::{Error, ErrorKind, JournalOrigin};

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// The number of phases done; during an undo, the number left to undo.
    pub(super) phases: usize,
    pub(super) undoing: bool,
    pub(super) finished: bool,
    /// The edits that were skipped.
    pub(super) skipped: HashSet<u64>,
}

impl Progress {
    fn note(&mut self, line: Line) -> Result<(), &'static str> {
        match line {
            Line::Done(phase) if !self.undoing => self.phases = phase as usize + 1,
            Line::Finished if !self.undoing => {
                (self.finished, self.phases) = (true, Phase::ALL.len());
            }
            Line::Skipped(edits) if !self.undoing => self.skipped = edits.into_iter().collect(),
            Line::Undo(phase) if !self.undoing => {
                (self.undoing, self.phases) = (true, phase as usize + 1);
            }
            Line::Undone(phase) if self.undoing => self.phases = phase as usize,
            _ => return Err("not in its place"),
        }
        Ok(())
    }

    /// Returns true if the run has to be resumed or undone before another one may begin.
    pub(super) fn is_interrupted(&self) -> bool {
        match self.undoing {
            true => self.phases > 0,
            false => !self.finished,
        }
    }
}

/// The journal of a run with a complete plan.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: Arc<File>,
    /// The end of the last complete line.
    end: u64,
    /// The nonce in the names of its temporary files.
    pub(super) nonce: String,
    origin: Option<Origin>,
    pub(super) counts: Counts,
    pub(super) directories: Vec<MakeStep>,
    pub(super) moves: Vec<MoveStep>,
    pub(super) removals: Vec<RemoveStep>,
    pub(super) progress: Progress,
}

impl Journal {
    /// Opens and checks a journal. Edits and new files are only counted, and read later.
    pub(super) fn open(state: &State) -> Result<Option<Self>, Error> {
        let file = state.journal()?;
        let path = state.journal_path();
        file.map(|file| Self::read(path, file)).transpose()
    }

    /// Opens a journal only to read its progress.
    pub(super) fn look(root: &Root) -> Result<Option<Self>, Error> {
        let file = State::look_at_journal(root)?;
        let path = root.state().join("journal");
        file.map(|file| Self::read(path, file)).transpose()
    }

    fn read(path: PathBuf, file: File) -> Result<Self, Error> {
        let unreadable = |error| Error::new(&path, ErrorKind::Read(error));
        let file = Arc::new(file);
        let mut journal = Self {
            file: file.clone(),
            path: path.clone(),
            end: 0,
            nonce: String::new(),
            origin: None,
            counts: Counts::default(),
            directories: Vec::new(),
            moves: Vec::new(),
            removals: Vec::new(),
            progress: Progress::default(),
        };
        let mut seen = Counts::default();
        let mut planned = None;
        let mut lines = Lines::new(file);
        while lines.advance().map_err(unreadable)? {
            let fault = |message: String| {
                let line = lines.number;
                Error::new(&path, ErrorKind::Journal { line, message })
            };
            let is_step = |mark: &[u8]| planned.is_none() && lines.line.starts_with(mark);
            if is_step(EDIT) {
                seen.files += 1;
            } else if is_step(CREATE) {
                seen.created += 1;
            } else {
                let line = serde_json::from_slice(&lines.line);
                let line = line.map_err(|error| fault(error.to_string()))?;
                let told = match line {
                    Line::Journal { version, nonce, origin, .. } if lines.number == 1 => {
                        journal.origin = origin;
                        match (version, is_nonce(&nonce)) {
                            (VERSION, true) => {
                                journal.nonce = nonce;
                                Ok(())
                            }
                            (VERSION, false) => Err("a nonce is of letters and digits"),
                            _ => Err("of another version of this program"),
                        }
                    }
                    _ if lines.number == 1 => Err("no journal begins like this"),
                    Line::MakeDirectory(step) if planned.is_none() => {
                        seen.made += 1;
                        let checked = check_places([&step.path]);
                        journal.directories.push(step);
                        checked
                    }
                    Line::Move(step) if planned.is_none() => {
                        seen.moves += 1;
                        let checked = check_places([&step.from, &step.to]);
                        journal.moves.push(step);
                        checked
                    }
                    Line::RemoveDirectory(step) if planned.is_none() => {
                        seen.removed += 1;
                        let checked = check_places([&step.path]);
                        journal.removals.push(step);
                        checked
                    }
                    Line::Planned(counts) if planned.is_none() => {
                        planned = Some(counts);
                        Ok(())
                    }
                    line if planned.is_some() => journal.progress.note(line),
                    _ => Err("not in its place"),
                };
                told.map_err(|message| fault(message.to_owned()))?;
            }
            journal.end = lines.end;
        }
        let fault = |message: &str| {
            let (line, message) = (lines.number, message.to_owned());
            Error::new(&path, ErrorKind::Journal { line, message })
        };
        journal.counts = planned.ok_or_else(|| fault("the plan is not whole"))?;
        seen.changes = journal.counts.changes;
        if seen != journal.counts {
            return Err(fault("steps are missing"));
        }
        Ok(journal)
    }

    /// The origin of the journal, if it does not belong to this root.
    pub(super) fn foreign(&self, root: &Root) -> Result<Option<JournalOrigin>, Error> {
        let here = Origin::here(root.directory());
        let here = here.map_err(|error| Error::new(root.directory(), ErrorKind::Read(error)))?;
        Ok(Origin::compare(self.origin.as_ref(), &here))
    }

    /// Fails if this run was interrupted, since no other run may begin then. Resuming is suggested
    /// only for a journal that belongs to the root.
    pub(super) fn refuse_interrupted(&self, root: &Root) -> Result<(), Error> {
        if !self.progress.is_interrupted() {
            return Ok(());
        }
        Err(match self.foreign(root)? {
            Some(origin) => Error::new(&self.path, ErrorKind::ForeignJournal(origin)),
            None => Error::new(root.directory(), ErrorKind::Interrupted),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if the journal file still exists, so that the run can be undone.
    pub(super) fn is_in(&self, state: &State) -> bool {
        state.has_journal(&self.file)
    }

    /// Checks that all edits and new files are in the root, so that a manipulated journal is
    /// rejected before anything is done.
    pub(super) fn check_places(&self, run_tasks: &RunTasks<'_>) -> Result<(), Error> {
        let steps = self.edits().chain(self.creates());
        let check = |step: Result<Unparsed, Error>| step?.check_places();
        for_each(run_tasks, &|| false, steps, check, drop).map(drop)
    }

    /// Appends a line, and syncs it to disk.
    pub(super) fn note(&mut self, line: Line) -> Result<(), Error> {
        let refused = |error: io::Error| Error::new(&self.path, ErrorKind::Write(error));
        let bytes = line_of(&line).map_err(refused)?;
        let write = || {
            let mut file = &*self.file;
            // A partial line of a killed run does not count.
            file.set_len(self.end)?;
            file.seek(SeekFrom::Start(self.end))?;
            file.write_all(&bytes)?;
            file.sync_all()
        };
        write().map_err(refused)?;
        self.end += bytes.len() as u64;
        let noted = self.progress.note(line);
        debug_assert!(noted.is_ok());
        Ok(())
    }

    /// The edits, in order.
    pub(super) fn edits(&self) -> Steps {
        Steps::new(self, EDIT)
    }

    /// The files to be created, in order.
    pub(super) fn creates(&self) -> Steps {
        Steps::new(self, CREATE)
    }

    /// Returns true if a phase has steps.
    pub(super) fn has(&self, phase: Phase) -> bool {
        let on_stage = || self.moves.iter().any(|step| step.stage.is_some());
        match phase {
            Phase::Edits => self.counts.files > 0,
            Phase::Leave | Phase::Arrive => on_stage(),
            Phase::Directories => self.directories.iter().any(|step| !step.staged),
            Phase::Moves => self.moves.iter().any(|step| step.stage.is_none()),
            Phase::Removals => self.removals.iter().any(|step| !step.staged),
            Phase::Creates => self.counts.created > 0,
        }
    }

    /// The last phase that may have been started. Phases without steps are not recorded.
    pub(super) fn begun(&self) -> Phase {
        let open = Phase::ALL[self.progress.phases..].iter();
        let mut open = open.filter(|&&phase| self.has(phase));
        open.next().copied().unwrap_or(Phase::Creates)
    }

    /// Returns true if the plan has steps other than edits.
    pub(super) fn has_moves(&self) -> bool {
        Phase::ALL[1..].iter().any(|&phase| self.has(phase))
    }
}

/// A random nonce, different for each run.
pub(super) fn new_nonce() -> String {
    // The keys are random numbers from the system.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Returns true if a nonce is valid in a file name. A journal may be written by hand.
fn is_nonce(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_alphanumeric())
}

/// The beginning of lines that may be too many to hold in memory.
const EDIT: &[u8] = br#"{"edit":"#;
const CREATE: &[u8] = br#"{"create":"#;

/// Serializes a line, with its line break.
pub(super) fn line_of(line: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The complete lines of a journal.
struct Lines {
    reader: BufReader<Pieces>,
    line: Vec<u8>,
    /// The number of the line, from 1.
    number: usize,
    /// The end of the line.
    end: u64,
}

impl Lines {
    fn new(file: Arc<File>) -> Self {
        Self {
            reader: BufReader::with_capacity(1 << 16, Pieces { file, at: 0 }),
            line: Vec::new(),
            number: 0,
            end: 0,
        }
    }

    /// Reads the next line. A line without a line break does not count.
    fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        let len = self.reader.read_until(b'\n', &mut self.line)?;
        if self.line.last() != Some(&b'\n') {
            return Ok(false);
        }
        self.number += 1;
        self.end += len as u64;
        Ok(true)
    }
}

/// A reader of a file from its beginning, independent of its path and of other readers.
struct Pieces {
    file: Arc<File>,
    at: u64,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.at)?;
        #[cfg(not(unix))]
        let read = {
            let mut file = &*self.file;
            file.seek(SeekFrom::Start(self.at))?;
            file.read(buffer)?
        };
        self.at += read as u64;
        Ok(read)
    }
}

/// The steps of one kind in a journal, with their numbers. One thread reads them, and many parse
/// them.
pub(super) struct Steps {
    path: PathBuf,
    mark: &'static [u8],
    lines: Lines,
    next: u64,
    ended: bool,
}

/// A step that is not parsed yet.
pub(super) struct Unparsed {
    pub(super) number: u64,
    journal: PathBuf,
    line_number: usize,
    line: Vec<u8>,
}

impl Unparsed {
    fn parse(self) -> Result<Line, Error> {
        serde_json::from_slice(&self.line).map_err(|error| {
            let (line, message) = (self.line_number, error.to_string());
            Error::new(self.journal, ErrorKind::Journal { line, message })
        })
    }

    pub(super) fn edit(self) -> Result<EditStep, Error> {
        let (journal, line) = (self.journal.clone(), self.line_number);
        match self.parse()? {
            Line::Edit(step) => {
                let places = [&step.path].into_iter().chain(&step.backup);
                let checked = check_places(places);
                checked.map_err(|message| fault(journal, line, message))?;
                Ok(step)
            }
            _ => Err(fault(journal, line, "not in its place")),
        }
    }

    pub(super) fn create(self) -> Result<CreateStep, Error> {
        let (journal, line) = (self.journal.clone(), self.line_number);
        match self.parse()? {
            Line::Create(step) => {
                let checked = check_places([&step.path]);
                checked.map_err(|message| fault(journal, line, message))?;
                Ok(step)
            }
            _ => Err(fault(journal, line, "not in its place")),
        }
    }

    fn check_places(self) -> Result<(), Error> {
        match self.line.starts_with(EDIT) {
            true => self.edit().map(drop),
            false => self.create().map(drop),
        }
    }
}

/// Checks that a run may write to these paths.
fn check_places<'t>(paths: impl IntoIterator<Item = &'t Text>) -> Result<(), &'static str> {
    for text in paths {
        let path = text.path().ok_or("a path that this system cannot have")?;
        check_place(&path).map_err(|misplaced| match misplaced {
            Misplaced::Outside => "a path outside of the root of the run",
            Misplaced::ToolState => "a path in .git, .hg, .svn, CVS or .rehref",
        })?;
    }
    Ok(())
}

fn fault(journal: PathBuf, line: usize, message: &str) -> Error {
    let message = message.to_owned();
    Error::new(journal, ErrorKind::Journal { line, message })
}

impl Steps {
    fn new(journal: &Journal, mark: &'static [u8]) -> Self {
        Self {
            path: journal.path.clone(),
            mark,
            lines: Lines::new(journal.file.clone()),
            next: 0,
            ended: false,
        }
    }

    fn read(&mut self) -> io::Result<Option<Unparsed>> {
        let lines = &mut self.lines;
        while lines.advance()? {
            if lines.line.starts_with(self.mark) {
                self.next += 1;
                return Ok(Some(Unparsed {
                    number: self.next - 1,
                    journal: self.path.clone(),
                    line_number: lines.number,
                    line: std::mem::take(&mut lines.line),
                }));
            }
            if lines.line.starts_with(br#"{"planned":"#) {
                break;
            }
        }
        Ok(None)
    }
}

impl Iterator for Steps {
    type Item = Result<Unparsed, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read();
        self.ended = !matches!(read, Ok(Some(_)));
        let unreadable = |error| Error::new(&self.path, ErrorKind::Read(error));
        read.map_err(unreadable).transpose()
    }
}
