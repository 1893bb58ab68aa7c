//! Plans of runs, written to disk before anything is changed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::edit::Edit;
use super::journal_file::{Journal, line_of, new_nonce};
use super::line::{Counts, CreateStep, Line, MakeStep, MoveStep, RemoveStep, VERSION};
use super::origin::Origin;
use super::preflight::{is_writable, may_move};
use super::root::{Root, exists};
use super::run::Run;
use super::state::{self, State};
use super::values::Text;
use crate::error::{Error, ErrorKind};
use crate::fs::replace::Owner;
use crate::fs::replace::temporary::Temporaries;

/// Writes a plan to disk, into the directory `.rehref` of its root. Nothing else changes until the
/// plan is applied. If dropped before it is finished, it leaves nothing behind.
///
/// Steps may be added in any order: see [`Run::apply`] for the order in which they are done. Edits
/// and new files are written immediately; each edit keeps 16 bytes in memory. Moves and directories
/// are kept in memory until the plan is finished.
///
/// ```
/// use rehref::fs::journal::{ApplyOptions, Edit, PlanWriter, Root, Run, RunState};
/// # let directory = tempfile::tempdir()?;
/// # std::fs::write(directory.path().join("a.html"), "<a href=b>")?;
///
/// let root = Root::new(directory.path())?;
/// let mut plan = PlanWriter::begin(&root)?;
/// let change = (8..9, &b"http://h/b"[..]);
/// plan.edit(Edit::new(&root, "a.html".as_ref(), b"<a href=b>", [change], None)?)?;
/// plan.make_directory("new".as_ref())?;
/// plan.rename("a.html".as_ref(), "new/a.html".as_ref())?;
/// if let Some(run) = plan.finish()? {
///     let applied = run.apply(&ApplyOptions::default())?;
///     assert_eq!(applied.state, RunState::Finished);
/// }
/// assert_eq!(std::fs::read(directory.path().join("new/a.html"))?, b"<a href=http://h/b>");
///
/// if let Some(run) = Run::open(&root)? {
///     run.undo(&ApplyOptions::default())?;
/// }
/// assert_eq!(std::fs::read(directory.path().join("a.html"))?, b"<a href=b>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlanWriter {
    root: Root,
    draft: Option<Draft>,
    state: Option<State>,
    /// For each directory and owner: true if the owner can own new files in the directory.
    can_give_to: HashMap<(PathBuf, Owner), bool>,
    edited: HashSet<u128>,
    created: Vec<PathBuf>,
    directories: Vec<PathBuf>,
    moves: Vec<(PathBuf, PathBuf)>,
    removals: Vec<(PathBuf, Option<u32>)>,
    counts: Counts,
    is_broken: bool,
    replaces: bool,
    /// True if this is a dry run.
    is_dry_run: bool,
}

#[derive(Debug)]
struct Draft {
    path: PathBuf,
    file: BufWriter<Unbuffered>,
    /// The owner of new files of this process.
    owner: Owner,
}

/// The draft of the journal.
#[derive(Debug)]
struct Unbuffered(state::Draft);

impl Write for Unbuffered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.file.flush()
    }
}

impl PlanWriter {
    /// Begins a plan. Nothing is written before the first step.
    ///
    /// # Errors
    /// If another run is active in this root ([`ErrorKind::Busy`]), one was interrupted in it
    /// ([`ErrorKind::Interrupted`], or [`ErrorKind::ForeignJournal`] if its journal is from
    /// elsewhere), or its journal cannot be read.
    pub fn begin(root: &Root) -> Result<Self, Error> {
        let state = State::existing(root)?;
        let replaces = match &state {
            Some(state) => may_begin(root, state)?,
            None => false,
        };
        Ok(Self::new(root, state, replaces))
    }

    /// Begins a dry run of a plan: nothing is written, and it cannot be applied. It fails, or its
    /// steps fail, in every case in which a real plan would, if that can be detected without
    /// writing.
    ///
    /// # Errors
    /// If a run was interrupted in this root ([`ErrorKind::Interrupted`]), its journal cannot be
    /// read, or a journal could not be written in it.
    pub fn dry_run(root: &Root) -> Result<Self, Error> {
        let directory = match State::look(root)? {
            Some(state) => state.path().to_owned(),
            None => root.directory().to_owned(),
        };
        is_writable(&directory).map_err(|error| Error::new(&directory, ErrorKind::Write(error)))?;
        let journal = Journal::look(root)?;
        journal.map_or(Ok(()), |it| it.refuse_interrupted(root))?;
        Ok(Self { is_dry_run: true, ..Self::new(root, None, false) })
    }

    fn new(root: &Root, state: Option<State>, replaces: bool) -> Self {
        Self {
            root: root.clone(),
            draft: None,
            state,
            can_give_to: HashMap::new(),
            edited: HashSet::new(),
            created: Vec::new(),
            directories: Vec::new(),
            moves: Vec::new(),
            removals: Vec::new(),
            counts: Counts::default(),
            is_broken: false,
            replaces,
            is_dry_run: false,
        }
    }

    /// Adds an edit, at most one for each file. A file that is also moved is edited at its old
    /// place.
    ///
    /// # Errors
    /// If the file has an edit already; or if it belongs to a user or group to which this process
    /// cannot give a new file, and is not writable either: otherwise it is written in place. The
    /// plan is then unchanged. If the plan cannot be written, it becomes unusable.
    pub fn edit(&mut self, mut edit: Edit) -> Result<(), Error> {
        self.begin_draft()?;
        let owner = self.draft.as_ref().map(|it| it.owner);
        if owner.is_some_and(|own| own != edit.owner) && !self.can_give(&edit) {
            let in_place = edit.write_in_place(&self.root);
            in_place.map_err(|error| self.error(&edit.path, ErrorKind::Write(error)))?;
        }
        if !self.edited.insert(key(&edit.path)) {
            return Err(self.error(&edit.path, ErrorKind::Duplicate));
        }
        self.counts.files += 1;
        self.counts.changes += edit.changes;
        self.write(&edit.line)
    }

    /// Returns true if the replacement of an edited file can be given to its owner. This is tried:
    /// once for each owner, and if that fails, once for each directory too, since new files in some
    /// directories have the right group already.
    fn can_give(&mut self, edit: &Edit) -> bool {
        let state = self.state.as_ref().map(|state| state.dir().clone());
        let directory = self.root.open(&edit.path).ok().map(|place| place.dir);
        let mut directories = [state, directory].into_iter().flatten();
        directories.any(|directory| {
            let can_give = self.can_give_to.entry((directory.path().to_owned(), edit.owner));
            *can_give.or_insert_with_key(|(_, owner)| {
                let new = Temporaries::probe_in(&directory, 0o600);
                new.and_then(|new| owner.give(&new.file)).is_ok()
            })
        })
    }

    /// Adds the creation of a directory. Missing parents are separate steps.
    ///
    /// # Errors
    /// If the path is outside of the root, or the plan cannot be written.
    pub fn make_directory(&mut self, path: &Path) -> Result<(), Error> {
        let path = self.root.place(path)?;
        self.directories.push(path);
        self.counts.made += 1;
        self.begin_draft()
    }

    /// Adds a move of a file, of a directory with its content, or of a symbolic link. Moves never
    /// overwrite. An entry that is itself moved away is not in the way, so names can be exchanged,
    /// or changed in case.
    ///
    /// # Errors
    /// If the entry does not exist, a path is outside of the root, or the plan cannot be written;
    /// or if the move would fail later: the name is too long, the target is on another file system,
    /// or a directory is not writable.
    pub fn rename(&mut self, from: &Path, to: &Path) -> Result<(), Error> {
        let (from, to) = (self.root.place(from)?, self.root.place(to)?);
        if !exists(&self.root.directory().join(&from)) {
            return Err(self.error(&from, ErrorKind::NotFound));
        }
        // Report errors now, before anything is edited.
        may_move(self.root.directory(), &from, &to)
            .map_err(|error| self.error(&to, ErrorKind::Write(error)))?;
        self.moves.push((from, to));
        self.counts.moves += 1;
        self.begin_draft()
    }

    /// Adds the creation of a file.
    ///
    /// # Errors
    /// If the path is outside of the root, or the plan cannot be written.
    pub fn create(&mut self, path: &Path, content: &[u8]) -> Result<(), Error> {
        let path = self.root.place(path)?;
        let line = line_of(&Line::Create(CreateStep {
            path: Text::of_path(&path),
            content: Text(content.to_vec()),
        }));
        let line = line.map_err(|error| self.error(&path, ErrorKind::Write(error)))?;
        self.created.push(path);
        self.counts.created += 1;
        self.write(&line)
    }

    /// Adds the removal of a directory, which must be empty by then.
    ///
    /// # Errors
    /// If it is not a directory or outside of the root, or the plan cannot be written.
    pub fn remove_directory(&mut self, path: &Path) -> Result<(), Error> {
        let path = self.root.place(path)?;
        let metadata = fs::symlink_metadata(self.root.directory().join(&path));
        let metadata = metadata.map_err(|error| self.error(&path, ErrorKind::Read(error)))?;
        if !metadata.is_dir() {
            let error = io::Error::from(io::ErrorKind::NotADirectory);
            return Err(self.error(&path, ErrorKind::Write(error)));
        }
        self.removals.push((path, mode(&metadata)));
        self.counts.removed += 1;
        self.begin_draft()
    }

    /// Returns true if the plan has no steps.
    pub fn is_empty(&self) -> bool {
        self.counts == Counts::default()
    }

    /// Returns true if writing the plan failed, so that it cannot be applied.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Returns true if finishing this plan makes a finished run impossible to undo.
    pub fn replaces_run(&self) -> bool {
        self.replaces && !self.is_empty()
    }

    /// Finishes the plan. It is then on disk, in place of that of the last run, and the tree is
    /// unchanged. Returns `None` for a plan without steps, which writes nothing.
    ///
    /// # Errors
    /// If something is in the way of a step, the directory for a target will not exist, a place is
    /// named twice, or the plan cannot be written. Nothing has then changed.
    pub fn finish(mut self) -> Result<Option<Run>, Error> {
        if self.is_empty() {
            return Ok(None);
        }
        if self.is_broken {
            let error = io::Error::other("the plan is not whole");
            return Err(self.error(Path::new(""), ErrorKind::Write(error)));
        }
        self.check()?;
        if self.is_dry_run {
            return Ok(None);
        }
        let staged = self.staged();
        for line in self.tail(&staged) {
            let bytes = line_of(&line);
            let bytes = bytes
                .map_err(|error| Error::new(self.root.directory(), ErrorKind::Write(error)))?;
            self.write(&bytes)?;
        }
        // The last declared is dropped first: the draft, then the lock.
        let (Some(state), Some(draft)) = (self.state.take(), self.draft.take()) else {
            return Ok(None);
        };
        let ended = match draft.file.into_inner() {
            Ok(Unbuffered(draft)) => draft.become_journal(),
            Err(error) => Err(error.into_error()),
        };
        ended.map_err(|error| Error::new(state.journal_path(), ErrorKind::Write(error)))?;
        let opened = Journal::open(&state)?;
        Ok(opened.map(|journal| Run::new(self.root, state, journal, false)))
    }

    /// The lines after the edits and new files.
    fn tail(&self, staged: &[bool]) -> Vec<Line> {
        let on_stage = || self.moves.iter().zip(staged).filter(|(_, staged)| **staged);
        let sources: HashSet<_> = on_stage().map(|((from, _), _)| from.as_path()).collect();
        let targets: HashSet<_> = on_stage().map(|((_, to), _)| to.as_path()).collect();
        let is_in =
            |path: &Path, ends: &HashSet<&Path>| path.ancestors().any(|it| ends.contains(it));
        let mut lines = Vec::new();
        let mut directories = self.directories.clone();
        directories.sort_by_key(|path| path.components().count());
        for path in directories {
            let staged = is_in(&path, &targets);
            let path = Text::of_path(&path);
            lines.push(Line::MakeDirectory(MakeStep { path, staged }));
        }
        let mut names = 0..;
        for ((from, to), staged) in self.moves.iter().zip(staged) {
            lines.push(Line::Move(MoveStep {
                from: Text::of_path(from),
                to: Text::of_path(to),
                stage: staged.then(|| names.next()).flatten(),
            }));
        }
        let mut removals = self.removals.clone();
        removals.sort_by_key(|(path, _)| std::cmp::Reverse(path.components().count()));
        for (path, mode) in removals {
            let staged = is_in(&path, &sources);
            let path = Text::of_path(&path);
            lines.push(Line::RemoveDirectory(RemoveStep { path, mode, staged }));
        }
        lines.push(Line::Planned(self.counts));
        lines
    }

    /// Checks that nothing is in the way of a target, that its directory will exist, and that no
    /// place is named twice.
    fn check(&self) -> Result<(), Error> {
        let sources: HashSet<_> = self.moves.iter().map(|(from, _)| like(from)).collect();
        // An entry that is moved away or removed is not in the way.
        let removed: HashSet<_> = self.removals.iter().map(|(path, _)| like(path)).collect();
        let gives_way = |path: &Path| {
            removed.contains(&like(path)) || path.ancestors().any(|it| sources.contains(&like(it)))
        };
        let places = |ends: fn(&(PathBuf, PathBuf)) -> &PathBuf| -> HashSet<&Path> {
            self.moves.iter().map(|it| ends(it).as_path()).collect()
        };
        let (leave, arrive) = (places(|(from, _)| from), places(|(_, to)| to));
        let made: HashSet<&Path> = self.directories.iter().map(PathBuf::as_path).collect();
        let will_be_there = |directory: &Path| {
            directory == Path::new("")
                || made.contains(directory)
                || directory.ancestors().any(|it| arrive.contains(it))
                || !directory.ancestors().any(|it| leave.contains(it))
                    && self.root.directory().join(directory).is_dir()
        };
        let mut seen = HashSet::new();
        let arriving = self.moves.iter().map(|(_, to)| to);
        for path in arriving.chain(&self.created).chain(&self.directories) {
            if !seen.insert(path) {
                return Err(self.error(path, ErrorKind::Duplicate));
            }
            if exists(&self.root.directory().join(path)) && !gives_way(path) {
                return Err(self.error(path, ErrorKind::AlreadyExists));
            }
            if let Some(directory) = path.parent().filter(|directory| !will_be_there(directory)) {
                let error = io::Error::from(io::ErrorKind::NotFound);
                return Err(self.error(directory, ErrorKind::Write(error)));
            }
        }
        let mut seen = HashSet::new();
        let leaving = self.moves.iter().map(|(from, _)| from);
        for path in leaving.chain(self.removals.iter().map(|(path, _)| path)) {
            if !seen.insert(path) {
                return Err(self.error(path, ErrorKind::Duplicate));
            }
        }
        Ok(())
    }

    /// The moves that use the stage: those with an end that is, contains or is in an end of another
    /// move, so that their order would matter; those whose ends may be the same name to the file
    /// system; and those with a directory that is created at their source or removed at their
    /// target.
    fn staged(&self) -> Vec<bool> {
        #[derive(Default)]
        struct Place {
            moves: Vec<usize>,
            is_disputed: bool,
        }
        let mut places: HashMap<PathBuf, Place> = HashMap::new();
        for (number, (from, to)) in self.moves.iter().enumerate() {
            for path in [from, to] {
                let place = places.entry(like(path)).or_default();
                place.is_disputed |= !place.moves.is_empty();
                place.moves.push(number);
            }
        }
        let mut staged = vec![false; self.moves.len()];
        for (number, (from, to)) in self.moves.iter().enumerate() {
            for path in [from, to] {
                for directory in like(path).ancestors().skip(1) {
                    if let Some(place) = places.get_mut(directory) {
                        place.is_disputed = true;
                        staged[number] = true;
                    }
                }
            }
        }
        let removals = self.removals.iter().map(|(path, _)| path);
        for path in self.directories.iter().chain(removals) {
            for directory in like(path).ancestors() {
                if let Some(place) = places.get_mut(directory) {
                    place.is_disputed = true;
                }
            }
        }
        for place in places.values().filter(|place| place.is_disputed) {
            place.moves.iter().for_each(|&number| staged[number] = true);
        }
        staged
    }

    fn error(&self, below: &Path, kind: ErrorKind) -> Error {
        Error::new(self.root.directory().join(below), kind)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.begin_draft()?;
        let Some(draft) = &mut self.draft else {
            return Ok(());
        };
        let written = draft.file.write_all(bytes);
        let written = written.map_err(|error| Error::new(&draft.path, ErrorKind::Write(error)));
        self.is_broken |= written.is_err();
        written
    }

    /// Creates the draft, for the first step.
    fn begin_draft(&mut self) -> Result<(), Error> {
        if self.draft.is_none() && !self.is_dry_run {
            let draft = self.new_draft().inspect_err(|_| self.is_broken = true)?;
            self.draft = Some(draft);
        }
        Ok(())
    }

    fn new_draft(&mut self) -> Result<Draft, Error> {
        let state = match self.state.take() {
            Some(state) => state,
            None => {
                let state = State::locked(&self.root)?;
                // Another run may have begun and ended since this one was begun.
                self.replaces = may_begin(&self.root, &state)?;
                state
            }
        };
        let path = state.draft_path();
        let draft = state.draft();
        self.state = Some(state);
        let root = self.root.directory();
        let made = || -> io::Result<Draft> {
            let draft = draft?;
            let owner = Owner::of(&draft.file.metadata()?);
            let mut draft = Draft {
                path: path.clone(),
                file: BufWriter::with_capacity(1 << 16, Unbuffered(draft)),
                owner,
            };
            let by = concat!("rehref ", env!("CARGO_PKG_VERSION")).to_owned();
            let first = line_of(&Line::Journal {
                version: VERSION,
                by,
                nonce: new_nonce(),
                // On an overlay file system, creating the state may have replaced the root.
                origin: Some(Origin::here(root)?),
            })?;
            draft.file.write_all(&first)?;
            Ok(draft)
        };
        made().map_err(|error| Error::new(&path, ErrorKind::Write(error)))
    }
}

/// Checks that no run was interrupted, so that a new one may replace the last. Returns true if the
/// last run can be undone.
fn may_begin(root: &Root, state: &State) -> Result<bool, Error> {
    state.remove_draft()?;
    let journal = Journal::open(state)?;
    if let Some(journal) = &journal {
        journal.refuse_interrupted(root)?;
    }
    state.remove_stage()?;
    Ok(journal.is_some_and(|it| !it.progress.undoing))
}

/// A key that is equal for paths that some file system may consider equal: in lower case, and with
/// all non-ASCII names equal, since they may differ only in normal form. Two different paths with
/// the same key only cost a detour by the stage.
fn like(path: &Path) -> PathBuf {
    path.iter()
        .map(|name| match name.to_str() {
            Some(name) if name.is_ascii() => name.to_ascii_lowercase(),
            _ => "\u{FFFD}".to_owned(),
        })
        .collect()
}

fn key(path: &Path) -> u128 {
    xxh3_128(path.as_os_str().as_encoded_bytes())
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(metadata.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    /// The result of a plan in a directory with the files `a` and `d/b`.
    fn planned(
        plan: impl FnOnce(&mut PlanWriter) -> Result<(), Error>,
    ) -> Result<Option<Run>, Error> {
        let tree = Tree::new(&[("a", ""), ("d/b", "")]);
        let mut writer = PlanWriter::begin(&Root::new(tree.path()).unwrap())?;
        plan(&mut writer)?;
        let finished = writer.finish();
        assert_eq!(tree.has(".rehref"), matches!(finished, Ok(Some(_))));
        finished
    }

    fn path(name: &str) -> &Path {
        Path::new(name)
    }

    #[test]
    fn impossible_steps_are_rejected_before_any_change() {
        use ErrorKind::{AlreadyExists, Duplicate, NotFound, Outside, ToolState, Write};
        let kind = |result: Result<Option<Run>, Error>| result.unwrap_err();
        let onto = kind(planned(|it| it.rename(path("a"), path("d/b"))));
        assert!(matches!(onto.kind(), AlreadyExists), "{onto}");
        let none = kind(planned(|it| it.rename(path("c"), path("e"))));
        assert!(matches!(none.kind(), NotFound), "{none}");
        let out = kind(planned(|it| it.rename(path("a"), path("../e"))));
        assert!(matches!(out.kind(), Outside), "{out}");
        let own = kind(planned(|it| it.create(path(".rehref/x"), b"")));
        assert!(matches!(own.kind(), ToolState), "{own}");
        let homeless = kind(planned(|it| it.rename(path("a"), path("e/a"))));
        assert!(matches!(homeless.kind(), Write(_)), "{homeless}");
        let moved = kind(planned(|it| {
            it.rename(path("d"), path("e"))?;
            it.create(path("d/x"), b"")
        }));
        assert!(matches!(moved.kind(), Write(_)), "{moved}");
        let twice = kind(planned(|it| {
            it.rename(path("a"), path("c"))?;
            it.rename(path("d/b"), path("c"))
        }));
        assert!(matches!(twice.kind(), Duplicate), "{twice}");
        assert!(planned(|_| Ok(())).unwrap().is_none());
        let exchanged = planned(|it| {
            it.rename(path("a"), path("d"))?;
            it.rename(path("d"), path("a"))
        });
        assert!(exchanged.unwrap().is_some());
    }

    #[test]
    fn only_conflicting_moves_use_the_stage() {
        let staged = |moves: &[(&str, &str)]| {
            let tree = Tree::empty();
            let mut writer = PlanWriter::begin(&Root::new(tree.path()).unwrap()).unwrap();
            let moves = moves.iter().map(|(from, to)| (from.into(), to.into()));
            writer.moves = moves.collect();
            writer.staged()
        };
        assert_eq!(staged(&[("a", "b"), ("c", "d")]), [false, false]);
        assert_eq!(staged(&[("a", "A"), ("c", "d")]), [true, false]);
        assert_eq!(staged(&[("\u{E9}", "e\u{301}")]), [true]);
        assert_eq!(staged(&[("a", "b"), ("B", "c"), ("d", "e")]), [true, true, false]);
        assert_eq!(staged(&[("a", "b"), ("c", "b/x")]), [true, true]);
        assert_eq!(staged(&[("a/x", "c"), ("a", "b")]), [true, true]);
        assert_eq!(staged(&[("a", "a/x")]), [true]);
    }
}
