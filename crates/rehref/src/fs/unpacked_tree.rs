//! The directory that receives the files of web archives.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal::is_writable;
use super::replace::dir::Dir;
use super::replace::stamp::{Access, Kind};
use super::replace::temporary::{Temporaries, Temporary};
use super::state_lock::{StateLock, error_of_lock};
use crate::error::{Error, ErrorKind};

/// The directory for the state of a run, below the root.
const STATE: &str = ".rehref";

/// The name of the runs in the names of their temporary files.
const RUN: &str = "unpack";

/// The modes of files and directories, before the umask. The state is private, as that of other
/// runs.
const FILE_MODE: u32 = 0o666;
const DIRECTORY_MODE: u32 = 0o777;
const STATE_MODE: u32 = 0o700;

/// The bytes that are compared or written at once.
const PIECE: usize = 64 << 10;

/// The most bytes of a line of the state.
const MAX_LINE: u64 = 1 << 20;

/// The result of writing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// It was created, or would be.
    New,
    /// It has this content already.
    Same,
    /// It had another content, and was replaced, or would be.
    Replaced,
}

/// The directory that receives the files of web archives. Nothing outside of it is written, and no
/// symbolic link in it is followed. At every moment a file is missing, or wholly old or new: it is
/// written below `.rehref` and then renamed.
#[derive(Debug)]
pub struct UnpackedTree {
    path: PathBuf,
    /// `None` in a dry run, if the directory does not exist.
    root: Option<Arc<Dir>>,
    /// The directory of temporary files. `None` in a dry run.
    state: Option<Arc<Dir>>,
    /// Keeps other runs out. `None` in a dry run.
    _lock: Option<StateLock>,
    replaces: bool,
    /// The open directories below the root, each in the one before it: files come directory by
    /// directory.
    open: Vec<(String, Arc<Dir>)>,
}

impl UnpackedTree {
    /// Opens the directory at `path`, and creates it if it does not exist. Locks it for this run,
    /// and removes temporary files of an interrupted one. With `replaces`, files with another
    /// content are replaced.
    ///
    /// # Errors
    /// If it is not a directory, cannot be created or written, or if another run is active there.
    pub fn create(path: &Path, replaces: bool) -> Result<Self, Error> {
        Self::look(path, replaces)?;
        let refused = |error| Error::new(path, ErrorKind::Write(error));
        std::fs::create_dir_all(path).map_err(refused)?;
        let root = Arc::new(Dir::open(path).map_err(refused)?);
        let state_path = path.join(STATE);
        let state = entered(&root, OsStr::new(STATE), Some(STATE_MODE))
            .map_err(|error| Error::new(&state_path, kind_of(error)))?
            .map(Arc::new);
        let mut lock = None;
        if let Some(state) = &state {
            let locked = StateLock::of(state).map_err(|error| error_of_lock(&state_path, error))?;
            lock = Some(locked.ok_or_else(|| Error::new(path, ErrorKind::Busy))?);
            let temporaries = Temporaries::of_run(RUN);
            let names = state.names().map_err(refused)?;
            for name in names.iter().filter(|name| temporaries.has(name)) {
                state.remove_file(name).map_err(refused)?;
            }
        }
        Ok(Self {
            path: path.to_owned(),
            root: Some(root),
            state,
            _lock: lock,
            replaces,
            open: Vec::new(),
        })
    }

    /// Opens the directory at `path` for a dry run, which writes nothing. It need not exist.
    ///
    /// # Errors
    /// If it is not a directory, or if a run could not create or write it.
    pub fn look(path: &Path, replaces: bool) -> Result<Self, Error> {
        let mut writable = path;
        let root = match Dir::open(path) {
            Ok(root) => Some(Arc::new(root)),
            Err(error) => {
                let existing = existing(path);
                writable = existing;
                match existing.is_dir() {
                    true if existing == path => {
                        return Err(Error::new(path, ErrorKind::Read(error)));
                    }
                    true => None,
                    false => return Err(Error::new(existing, ErrorKind::NotADirectory)),
                }
            }
        };
        let refused = |path: &Path, error| Error::new(path, ErrorKind::Write(error));
        is_writable(writable).map_err(|error| refused(writable, error))?;
        let state = path.join(STATE);
        let state_dir = root.as_ref().map(|root| entered(root, OsStr::new(STATE), None));
        let state_dir = state_dir.transpose();
        if let Some(Some(_)) = state_dir.map_err(|error| Error::new(&state, kind_of(error)))? {
            is_writable(&state).map_err(|error| refused(&state, error))?;
        }
        Ok(Self {
            path: path.to_owned(),
            root,
            state: None,
            _lock: None,
            replaces,
            open: Vec::new(),
        })
    }

    /// This directory for another thread. The lock is held by this one, which has to live as long.
    #[must_use]
    pub(crate) fn shared(&self) -> Self {
        Self {
            path: self.path.clone(),
            root: self.root.clone(),
            state: self.state.clone(),
            _lock: None,
            replaces: self.replaces,
            open: Vec::new(),
        }
    }

    /// Writes a file with this content below the root. `below` has `/` between names.
    ///
    /// # Errors
    /// If writing fails, something else is in place of the file or of a directory, or the file has
    /// another content and is not replaced.
    pub fn put(&mut self, below: &str, content: &[u8]) -> Result<Put, Error> {
        self.put_content(below, Content::Bytes(content))
    }

    /// Like [`put`](Self::put) with the content that `write` writes, which is not held. `write` is
    /// called once, also if nothing is written.
    ///
    /// # Errors
    /// Those of [`put`](Self::put), and of `write`.
    pub fn put_written(
        &mut self,
        below: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Put, Error> {
        let mut write = Some(write);
        let mut once = |out: &mut dyn Write| match write.take() {
            Some(write) => write(out),
            None => Ok(()),
        };
        let put = self.put_content(below, Content::Written(&mut once));
        let written = once(&mut io::sink());
        written.map_err(|error| Error::new(self.path.join(below), ErrorKind::Write(error)))?;
        put
    }

    fn put_content(&mut self, below: &str, mut content: Content<'_>) -> Result<Put, Error> {
        let (directory, name) = below.rsplit_once('/').unwrap_or(("", below));
        let error = |kind| Error::new(self.path.join(below), kind);
        if !is_below(below) {
            return Err(error(ErrorKind::Outside));
        }
        let name = OsStr::new(name);
        let makes = self.state.is_some();
        let Some(dir) = self.enter(directory, makes)? else {
            return Ok(Put::New);
        };
        let error = |kind| Error::new(self.path.join(below), kind);
        let refused = |refused| error(ErrorKind::Write(refused));
        let old = match dir.stamp_of(name).map_err(refused)? {
            None => None,
            Some(stamp) if stamp.kind == Kind::File => Some(stamp.len),
            Some(_) => return Err(error(ErrorKind::NotAFile)),
        };
        // What can be compared without a new file is. One that is written goes to a new file first.
        let is_same = match &mut content {
            _ if old.is_none() => false,
            Content::Written(_) if self.state.is_some() => false,
            content => content.is_of(&dir, name).map_err(refused)?,
        };
        let put = match old {
            _ if is_same => return Ok(Put::Same),
            None => Put::New,
            Some(_) => Put::Replaced,
        };
        let is_refused = put == Put::Replaced && !self.replaces;
        let is_written = matches!(content, Content::Written(_));
        let Some(state) = self.state.as_ref().filter(|_| is_written || !is_refused) else {
            return match is_refused {
                true => Err(error(ErrorKind::AlreadyExists)),
                false => Ok(put),
            };
        };
        let mut temporary = Temporaries::of_run(RUN).file_in(state, FILE_MODE).map_err(refused)?;
        let len = content.write_to(&mut temporary.file).map_err(refused)?;
        if is_written && old == Some(len) {
            let mut there = dir.file(name, Access::Read).map_err(refused)?;
            temporary.file.rewind().map_err(refused)?;
            if has_same_content(&mut temporary.file, &mut there).map_err(refused)? {
                return Ok(Put::Same);
            }
        }
        if is_refused {
            return Err(error(ErrorKind::AlreadyExists));
        }
        let persisted = match put {
            Put::New => temporary.persist_new_in(&dir, name),
            Put::Same | Put::Replaced => temporary.persist_in(&dir, name),
        };
        match (persisted, content) {
            (Ok(()), _) => Ok(put),
            // Another program created it first.
            (Err(refused), content) if refused.kind() == io::ErrorKind::AlreadyExists => {
                match content {
                    Content::Bytes(bytes) if is_file_with(&dir, name, bytes).unwrap_or(false) => {
                        Ok(Put::Same)
                    }
                    _ => Err(error(ErrorKind::AlreadyExists)),
                }
            }
            (Err(error), _) => Err(refused(error)),
        }
    }

    /// Creates a file without a name, for bytes that are needed later in the run: below `.rehref`, in
    /// a dry run in the directory or above it.
    pub(crate) fn scratch(&self) -> io::Result<File> {
        let state = match &self.state {
            Some(state) => state.clone(),
            None => Arc::new(Dir::open(existing(&self.path))?),
        };
        Temporaries::probe_in(&state, FILE_MODE)?.into_file()
    }

    /// Begins a file of the state of the run: below `.rehref`. `None` in a dry run.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn state_file(&self) -> Result<Option<StateFile>, Error> {
        let Some(state) = &self.state else {
            return Ok(None);
        };
        let new = Temporaries::of_run(RUN).file_in(state, FILE_MODE);
        let temporary = new.map_err(|error| self.state_error("", error))?;
        Ok(Some(StateFile { temporary, buffer: Vec::new(), failure: None }))
    }

    /// Gives a file of the state its name. An existing file with another content is replaced.
    ///
    /// # Errors
    /// If writing it failed.
    pub fn keep_state(&self, name: &str, file: StateFile) -> Result<(), Error> {
        let Some(state) = &self.state else {
            return Ok(());
        };
        let kept = || -> io::Result<()> {
            let mut temporary = file.finish()?;
            let name = OsStr::new(name);
            let len = temporary.file.metadata()?.len();
            let old = state.stamp_of(name)?;
            let is_same_len = old.is_some_and(|it| it.kind == Kind::File && it.len == len);
            temporary.file.rewind()?;
            let is_same = is_same_len && {
                let mut old = state.file(name, Access::Read)?;
                has_same_content(&mut temporary.file, &mut old)?
            };
            match is_same {
                true => Ok(()),
                false => temporary.persist_in(state, name),
            }
        };
        kept().map_err(|error| self.state_error(name, error))
    }

    /// The lines of a file of the state with their line breaks. A line that is too long is several
    /// ones without a line break. None if the file cannot be read, and in a dry run.
    pub fn state_lines(&self, name: &str) -> impl Iterator<Item = Vec<u8>> + use<> {
        let state = self.state.as_ref();
        let file = state.and_then(|state| state.file(OsStr::new(name), Access::Read).ok());
        let mut reader = file.map(BufReader::new);
        std::iter::from_fn(move || {
            let mut line = Vec::new();
            let mut limited = reader.as_mut()?.take(MAX_LINE);
            let read = limited.read_until(b'\n', &mut line).ok()?;
            (read > 0).then_some(line)
        })
    }

    /// Returns true if there is a file below the root. `below` has `/` between names.
    pub fn has_file(&mut self, below: &str) -> bool {
        let (directory, name) = below.rsplit_once('/').unwrap_or(("", below));
        if !is_below(below) {
            return false;
        }
        let Ok(Some(dir)) = self.enter(directory, false) else {
            return false;
        };
        let stamp = dir.stamp_of(OsStr::new(name));
        stamp.is_ok_and(|it| it.is_some_and(|it| it.kind == Kind::File))
    }

    fn state_error(&self, name: &str, error: io::Error) -> Error {
        Error::new(self.path.join(STATE).join(name), ErrorKind::Write(error))
    }

    /// Opens a directory below the root. If it does not exist, creates it with `makes`; otherwise
    /// `None`.
    fn enter(&mut self, below: &str, makes: bool) -> Result<Option<Arc<Dir>>, Error> {
        let names = || below.split('/').filter(|name| !name.is_empty());
        let is_open = |(open, name): &(&(String, Arc<Dir>), &str)| open.0 == *name;
        let common = self.open.iter().zip(names()).take_while(is_open).count();
        self.open.truncate(common);
        let last = self.open.last().map(|(_, dir)| dir);
        let Some(mut dir) = last.or(self.root.as_ref()).cloned() else {
            return Ok(None);
        };
        for name in names().skip(common) {
            let mode = makes.then_some(DIRECTORY_MODE);
            let found = entered(&dir, OsStr::new(name), mode);
            let found = found.map_err(|error| {
                let path = names().take(self.open.len() + 1);
                let path = path.fold(self.path.clone(), |path, name| path.join(name));
                Error::new(path, kind_of(error))
            })?;
            let Some(found) = found else {
                return Ok(None);
            };
            dir = Arc::new(found);
            self.open.push((name.to_owned(), dir.clone()));
        }
        Ok(Some(dir))
    }
}

/// The first of a directory and those above it that exists.
fn existing(path: &Path) -> &Path {
    let mut above = path.ancestors().filter(|it| !it.as_os_str().is_empty());
    let exists = |it: &&Path| std::fs::symlink_metadata(it).is_ok();
    above.find(exists).unwrap_or(Path::new("."))
}

/// The content of a file.
enum Content<'c> {
    Bytes(&'c [u8]),
    /// A function that writes it, to be called once.
    Written(&'c mut dyn FnMut(&mut dyn Write) -> io::Result<()>),
}

impl Content<'_> {
    /// Writes the content. Returns its length.
    fn write_to(&mut self, file: &mut File) -> io::Result<u64> {
        match self {
            Self::Bytes(bytes) => file.write_all(bytes)?,
            Self::Written(write) => {
                let mut buffered = BufWriter::with_capacity(PIECE, &mut *file);
                write(&mut buffered)?;
                buffered.flush()?;
            }
        }
        file.stream_position()
    }

    /// Returns true if a file has this content.
    fn is_of(&mut self, dir: &Dir, name: &OsStr) -> io::Result<bool> {
        match self {
            Self::Bytes(bytes) => is_file_with(dir, name, bytes),
            Self::Written(write) => {
                let mut compared = Compared { file: dir.file(name, Access::Read)?, is_same: true };
                write(&mut compared)?;
                let has_ended = compared.file.read(&mut [0])? == 0;
                Ok(compared.is_same && has_ended)
            }
        }
    }
}

/// Compares what is written with a file.
struct Compared {
    file: File,
    is_same: bool,
}

impl Write for Compared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_same {
            let mut there = vec![0; bytes.len().min(PIECE)];
            let bytes = &bytes[..there.len()];
            let len = read_piece(&mut self.file, &mut there)?;
            self.is_same = there[..len] == *bytes;
            return Ok(bytes.len());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file of the state of a run, which is written piece by piece.
#[derive(Debug)]
pub struct StateFile {
    temporary: Temporary,
    buffer: Vec<u8>,
    /// The first error.
    failure: Option<io::Error>,
}

impl StateFile {
    /// Appends bytes. An error is reported when the file is kept.
    pub fn write(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= PIECE {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.failure.is_none() {
            self.failure = self.temporary.file.write_all(&self.buffer).err();
        }
        self.buffer.clear();
    }

    fn finish(mut self) -> io::Result<Temporary> {
        self.flush();
        match self.failure {
            Some(error) => Err(error),
            None => Ok(self.temporary),
        }
    }
}

/// Opens a subdirectory, and creates it with this mode if there is one. `None` if it does not
/// exist.
fn entered(dir: &Dir, name: &OsStr, mode: Option<u32>) -> io::Result<Option<Dir>> {
    match (dir.stamp_of(name)?, mode) {
        (Some(stamp), _) if stamp.kind == Kind::Link => {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        (Some(_), _) => {}
        (None, Some(mode)) => match dir.make(name, mode) {
            // Another program created it first.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        },
        (None, None) => return Ok(None),
    }
    dir.child(name).map(Some)
}

/// The kind of an error of [`entered`].
fn kind_of(error: io::Error) -> ErrorKind {
    match error.kind() {
        io::ErrorKind::InvalidInput => ErrorKind::LinkInTheWay,
        io::ErrorKind::NotADirectory => ErrorKind::NotADirectory,
        _ => ErrorKind::Write(error),
    }
}

/// Returns true if a path is one of a file below the root, with names alone.
fn is_below(below: &str) -> bool {
    !below.split('/').any(|it| matches!(it, "" | "." | ".."))
}

/// Returns true if a name is that of a file with this content.
fn is_file_with(dir: &Dir, name: &OsStr, content: &[u8]) -> io::Result<bool> {
    let mut file = dir.file(name, Access::Read)?;
    if file.metadata()?.len() != content.len() as u64 {
        return Ok(false);
    }
    has_same_content(&mut file, &mut &*content)
}

/// Returns true if two readers have the same content.
fn has_same_content(one: &mut impl Read, other: &mut impl Read) -> io::Result<bool> {
    let mut buffers = [vec![0; PIECE], vec![0; PIECE]];
    loop {
        let [first, second] = &mut buffers;
        let len = read_piece(one, first)?;
        if len != read_piece(other, second)? || first[..len] != second[..len] {
            return Ok(false);
        }
        if len == 0 {
            return Ok(true);
        }
    }
}

/// Reads until the buffer is full or the reader ends. Returns the number of bytes.
fn read_piece(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match reader.read(&mut buffer[len..])? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    fn is_refused(put: Result<Put, Error>, expected: &str) {
        let error = put.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[test]
    fn files_are_written_once() {
        let files = Tree::empty();
        let root = files.at("a/b");
        let mut tree = UnpackedTree::create(&root, false).unwrap();
        for (content, expected) in [("one", Put::New), ("one", Put::Same)] {
            for below in ["x/y/z", "x/y/w", "x/v", "u"] {
                assert_eq!(tree.put(below, content.as_bytes()).unwrap(), expected);
            }
        }
        is_refused(tree.put("x/v", b"two"), "exists already");
        is_refused(tree.put("x/y", b"one"), "not a regular file");
        is_refused(tree.put("x/v/w", b"one"), "x/v: not a directory");
        for outside in ["../x", "x/../../y", "/x", "x//y", "x/", ".", ""] {
            is_refused(tree.put(outside, b"one"), "outside");
        }
        assert_eq!(files.read("a/b/x/v"), "one");
        drop(tree);
        let mut tree = UnpackedTree::create(&root, true).unwrap();
        assert_eq!(tree.put("x/v", b"two").unwrap(), Put::Replaced);
        assert_eq!(files.read("a/b/x/v"), "two");
        drop(tree);
        assert_eq!(files.count("a"), 1);
        assert_eq!(files.count("a/b/.rehref"), 0);
    }

    #[test]
    fn a_dry_run_writes_nothing() {
        let files = Tree::empty();
        let root = files.at("a");
        let mut tree = UnpackedTree::look(&root, false).unwrap();
        assert_eq!(tree.put("x/y", b"one").unwrap(), Put::New);
        assert!(!root.exists());
        files.write("a/x/y", "one");
        let mut tree = UnpackedTree::look(&root, false).unwrap();
        assert_eq!(tree.put("x/y", b"one").unwrap(), Put::Same);
        assert_eq!(tree.put("z/y", b"one").unwrap(), Put::New);
        is_refused(tree.put("x/y", b"two"), "exists already");
        assert_eq!(files.count("a"), 1);
    }

    #[test]
    fn what_cannot_be_a_directory_is_refused_in_a_dry_run_too() {
        let files = Tree::new(&[("file", "x"), ("tree/.rehref", "x")]);
        for (path, expected) in [
            ("file", "file: not a directory"),
            ("file/x/y", "file: not a directory"),
            ("tree", ".rehref: not a directory"),
        ] {
            for open in [UnpackedTree::look, UnpackedTree::create] {
                let refused = open(&files.at(path), true).unwrap_err();
                assert!(refused.to_string().ends_with(expected), "{refused}");
            }
        }
        UnpackedTree::look(Path::new("target/none/x"), true).unwrap();
        UnpackedTree::look(&files.at("x/y"), true).unwrap();
        assert_eq!(files.count("."), 2);
    }

    #[test]
    fn state_files_are_replaced_if_their_content_differs() {
        let files = Tree::empty();
        let tree = UnpackedTree::create(files.path(), false).unwrap();
        let put = |content: &str| {
            let mut file = tree.state_file().unwrap().unwrap();
            content.bytes().for_each(|byte| file.write(&[byte]));
            tree.keep_state("map", file).unwrap();
            assert_eq!(files.read(".rehref/map"), content);
            files.at(".rehref/map").metadata().unwrap().modified().unwrap()
        };
        let long = "x".repeat(3 * PIECE);
        let time = put(&long);
        assert_eq!(put(&long), time);
        assert_ne!(put(&(long.clone() + "y")), time);
        put(&(long + "z"));
        assert_eq!(files.count(".rehref"), 2, "the map and the lock");
        let dry = UnpackedTree::look(files.path(), false).unwrap();
        assert!(dry.state_file().unwrap().is_none());
    }

    #[test]
    fn only_one_run_is_active_in_a_directory() {
        let files = Tree::empty();
        let tree = UnpackedTree::create(files.path(), false).unwrap();
        let other = tree.state_file().unwrap();
        let refused = UnpackedTree::create(files.path(), true).unwrap_err();
        assert!(refused.to_string().contains("another run is active"), "{refused}");
        // It has removed no temporary file of the other run.
        assert_eq!(files.count(".rehref"), 2);
        UnpackedTree::look(files.path(), false).unwrap();
        drop((tree, other));
        assert_eq!(files.count(".rehref"), 0);
        // The lock of a run that was killed.
        files.write(".rehref/lock", "");
        UnpackedTree::create(files.path(), false).unwrap();
    }

    #[test]
    fn a_file_with_this_content_may_appear_during_the_run() {
        let files = Tree::new(&[("f", "one")]);
        let dir = Dir::open(files.path()).unwrap();
        let is_file = |name: &str, content: &str| {
            is_file_with(&dir, OsStr::new(name), content.as_bytes()).ok()
        };
        assert_eq!(is_file("f", "one"), Some(true));
        assert_eq!(is_file("f", "two"), Some(false));
        assert_eq!(is_file("f", "once"), Some(false));
        assert_eq!(is_file("g", "one"), None);
    }

    #[test]
    fn files_of_earlier_runs_are_found_and_directories_not_made() {
        let files = Tree::empty();
        let mut tree = UnpackedTree::create(files.path(), false).unwrap();
        tree.put("x/y", b"one").unwrap();
        assert!(tree.has_file("x/y"));
        for other in ["x/z", "z/y", "x", "../x/y", "/x/y", "x//y", ""] {
            assert!(!tree.has_file(other), "{other}");
        }
        assert!(!files.has("z"));
        let mut file = tree.state_file().unwrap().unwrap();
        file.write(b"a\nb");
        tree.keep_state("map", file).unwrap();
        let lines: Vec<_> = tree.state_lines("map").collect();
        assert_eq!(lines, [b"a\n".to_vec(), b"b".to_vec()]);
        assert_eq!(tree.state_lines("none").count(), 0);
    }

    #[test]
    fn temporary_files_of_an_interrupted_run_are_removed() {
        let files = Tree::empty();
        for name in [".rehref-unpack-abcDEF", "journal", ".rehref-abcDEF"] {
            files.write(format!(".rehref/{name}"), "x");
        }
        UnpackedTree::create(files.path(), false).unwrap();
        assert_eq!(files.count(".rehref"), 2);
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_are_not_followed() {
        let files = Tree::new(&[("b/f", "old")]);
        files.make("a");
        files.symlink("../b", "a/d");
        files.symlink("../b/f", "a/f");
        files.symlink("../b/none", "a/g");
        let root = files.at("a");
        let mut tree = UnpackedTree::create(&root, true).unwrap();
        is_refused(tree.put("d/f", b"new"), "symbolic link");
        is_refused(tree.put("d/x", b"new"), "symbolic link");
        is_refused(tree.put("f", b"new"), "not a regular file");
        is_refused(tree.put("g", b"new"), "not a regular file");
        assert_eq!(files.read("b/f"), "old");
        assert_eq!(files.count("b"), 1);
        drop(tree);
        files.remove("a/.rehref");
        files.symlink("../b", "a/.rehref");
        files.symlink("none", "c");
        for open in [UnpackedTree::look, UnpackedTree::create] {
            let refused = open(&root, false).unwrap_err();
            assert!(refused.to_string().contains("symbolic link"), "{refused}");
            let refused = open(&files.at("c"), false).unwrap_err();
            assert!(refused.to_string().ends_with("c: not a directory"));
        }
    }
}
