//! A new tree of files, written next to the one that was read.

mod mode;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::directory_of;
use super::pieces::write_pieces;
use super::replace::dir::Dir;
use super::replace::stamp::{Kind, Stamp};
use super::replace::temporary::Temporaries;
use crate::error::{Error, ErrorKind};
use mode::{
    ExactMode, Mode, directory_mode, has_mode, plain_mode, set_directory_mode, set_mode, writable,
};

/// A new tree of files, written next to the one that was read. Nothing outside of its directory is
/// changed: symbolic links in place of files are not followed, even if they appear while the tree
/// is written. Files have the mode of their counterpart, without setuid and setgid bits, and so
/// have the directories given to [`NewTree::make_root`]. Other directories get the default mode.
///
/// An existing file is an error, unless the tree [replaces files](NewTree::replacing_files): then
/// it is replaced atomically. In a directory that was created for this tree, a file is written in
/// place: no other program uses the directory yet, and renaming each file would cost as much as
/// writing it. Nothing is synced to disk.
#[derive(Clone, Debug)]
pub struct NewTree {
    directory: PathBuf,
    /// True if existing files are replaced.
    replaces: bool,
    known: Arc<Mutex<Known>>,
    /// Held while a directory is opened or created, so that threads with open directories need not
    /// wait for that.
    entering: Arc<Mutex<()>>,
}

/// The directories of the tree, by their paths below its root.
#[derive(Debug, Default)]
struct Known {
    /// The directories whose modes those of the tree get.
    originals: BTreeMap<PathBuf, PathBuf>,
    directories: HashMap<PathBuf, Directory>,
    /// The root of the tree.
    root: Option<Arc<OpenDirectory>>,
    /// The open directories, the last used first: files come directory by directory.
    open: VecDeque<(PathBuf, Arc<OpenDirectory>)>,
}

/// The maximum number of open directories.
const MAX_OPEN: usize = 8;

/// A directory of the tree. It is not a symbolic link.
#[derive(Clone, Copy, Debug)]
enum Directory {
    /// It existed before.
    There,
    /// It was created for this tree.
    Made(Made),
}

#[derive(Clone, Copy, Debug)]
struct Made {
    /// Its final mode, if it has another one until the tree is finished.
    mode: Option<Mode>,
    /// Its identity, to detect that another directory replaced it.
    identity: Option<(u64, u64)>,
}

/// An open directory of the tree.
#[derive(Debug)]
struct OpenDirectory {
    dir: Arc<Dir>,
    is_made: bool,
    exact: ExactMode,
}

impl NewTree {
    /// A tree in this directory, which need not exist yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            replaces: false,
            known: Arc::default(),
            entering: Arc::default(),
        }
    }

    /// Returns the tree, which then replaces existing files.
    #[must_use]
    pub fn replacing_files(self) -> Self {
        Self { replaces: true, ..self }
    }

    /// The directory of the tree.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Creates the root of the tree, unless it exists, and checks that files can be created in it.
    /// `originals` has, for the paths of directories below the root, those whose modes they get if
    /// they are created; the empty path is that of the root. They are created with their first
    /// files, private ones private from the beginning.
    ///
    /// # Errors
    /// If the root is not a directory, or cannot be created or written.
    pub fn make_root(&self, originals: BTreeMap<PathBuf, PathBuf>) -> Result<(), Error> {
        self.known().originals = originals;
        let root = self.enter(Path::new(""))?;
        if !root.is_made {
            let probe = Temporaries::probe_in(&root.dir, 0o600);
            probe.map_err(|error| Error::new(&self.directory, ErrorKind::Write(error)))?;
        }
        Ok(())
    }

    /// Creates the directories given to [`NewTree::make_root`] that do not exist, since they have
    /// no files. Errors are passed to `report_error`.
    pub fn make_directories(&self, mut report_error: impl FnMut(Error)) {
        let known = self.known();
        let is_missing = |below: &&PathBuf| !known.directories.contains_key(*below);
        let missing: Vec<PathBuf> = known.originals.keys().filter(is_missing).cloned().collect();
        drop(known);
        for below in missing {
            if let Err(error) = self.enter(&below) {
                report_error(error);
            }
        }
    }

    /// Sets the final modes of the created directories. Errors are passed to `report_error`.
    pub fn finish(&self, mut report_error: impl FnMut(Error)) {
        let mut modes: Vec<(PathBuf, Mode)> = self
            .known()
            .directories
            .iter()
            .filter_map(|(below, directory)| match directory {
                Directory::Made(Made { mode: Some(mode), .. }) => Some((below.clone(), *mode)),
                _ => None,
            })
            .collect();
        // Deepest first, since the content of a directory without search permission cannot be
        // reached.
        modes.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        for (below, mode) in modes {
            let entered = self.enter(&below);
            let set = entered.and_then(|directory| {
                let set = set_directory_mode(&directory.dir, mode);
                set.map_err(|error| Error::new(self.path(&below), ErrorKind::Write(error)))
            });
            set.unwrap_or_else(&mut report_error);
        }
    }

    /// Writes `content` to the file `below` the root, with the mode of a file with the metadata
    /// `like`.
    ///
    /// # Errors
    /// If writing fails, a symbolic link is in place of a directory, or the file exists and is not
    /// replaced.
    pub fn write(&self, below: &Path, content: &[u8], like: &Metadata) -> Result<(), Error> {
        self.put(below, like, |file| file.write_all(content))
    }

    /// Writes a content in pieces, at most `most` bytes, as [`write`](Self::write) does.
    pub(crate) fn write_pieces<'p>(
        &self,
        below: &Path,
        pieces: impl IntoIterator<Item = &'p [u8]>,
        most: usize,
        like: &Metadata,
    ) -> Result<(), Error> {
        self.put(below, like, |file| write_pieces(pieces, most, file))
    }

    /// Copies a file with its mode and modification time.
    ///
    /// # Errors
    /// Those of [`NewTree::write`].
    pub fn copy(&self, below: &Path, from: &Path) -> Result<(), Error> {
        let unreadable = |error| Error::new(from, ErrorKind::Read(error));
        // Opening a pipe would block.
        if !fs::metadata(from).map_err(unreadable)?.is_file() {
            return Err(Error::new(from, ErrorKind::NotAFile));
        }
        let mut source = File::open(from).map_err(unreadable)?;
        let metadata = source.metadata().map_err(unreadable)?;
        let modified = metadata.modified().map_err(unreadable)?;
        self.put(below, &metadata, |file| {
            // The system may copy the file itself, or share its blocks.
            io::copy(&mut source, file)?;
            file.set_modified(modified)
        })
    }

    /// Copies a file whose content and metadata have been read.
    ///
    /// # Errors
    /// Those of [`NewTree::write`].
    pub fn copy_read(&self, below: &Path, content: &[u8], like: &Metadata) -> Result<(), Error> {
        self.put(below, like, |file| {
            file.write_all(content)?;
            file.set_modified(like.modified()?)
        })
    }

    /// Copies a symbolic link without changing its target.
    ///
    /// # Errors
    /// Those of [`NewTree::write`], and if the system has no symbolic links.
    pub fn copy_link(&self, below: &Path, from: &Path) -> Result<(), Error> {
        let target =
            fs::read_link(from).map_err(|error| Error::new(from, ErrorKind::Read(error)))?;
        let name = self.name(below)?;
        let OpenDirectory { dir, .. } = &*self.enter(below.parent().unwrap_or(Path::new("")))?;
        let made = match self.replaces {
            true => Temporaries::of_output().replace_by_link(dir, &target, name),
            false => dir.symlink(&target, name),
        };
        made.map_err(|error| self.unwritten(below, error))
    }

    /// Creates the parent directories of a file, and the file, whose content `fill` writes.
    fn put(
        &self,
        below: &Path,
        like: &Metadata,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Error> {
        let name = self.name(below)?;
        let directory = self.enter(below.parent().unwrap_or(Path::new("")))?;
        let dir = &directory.dir;
        let mode = plain_mode(like);
        let new = match directory.is_made {
            // Private from the beginning, if its mode is.
            true => match dir.create_new(name, writable(mode)) {
                // Another program created it first.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && self.replaces => {
                    Ok(None)
                }
                made => made.map(Some),
            },
            false => Ok(None),
        };
        let put = new.and_then(|new| match new {
            Some(mut file) => {
                let filled = fill(&mut file).and_then(|()| directory.exact.give(&file, mode));
                // No file is better than a partial one.
                filled.inspect_err(|_| _ = dir.remove_file(name))
            }
            None => {
                let mut new = Temporaries::of_output().file_in(dir, 0o600)?;
                fill(&mut new.file)?;
                set_mode(&new.file, mode)?;
                match self.replaces {
                    true => new.persist(name),
                    false => new.persist_new(name),
                }
            }
        });
        put.map_err(|error| self.unwritten(below, error))
    }

    /// The error of a file that could not be written.
    fn unwritten(&self, below: &Path, error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Error::new(self.path(below), ErrorKind::AlreadyExists),
            // One error for all files of the directory.
            io::ErrorKind::PermissionDenied => {
                let directory = below.parent().unwrap_or(Path::new(""));
                Error::new(self.path(directory), ErrorKind::Write(error))
            }
            _ => Error::new(self.path(below), ErrorKind::Write(error)),
        }
    }

    fn name<'p>(&self, below: &'p Path) -> Result<&'p OsStr, Error> {
        let outside = || Error::new(self.path(below), ErrorKind::Outside);
        below.file_name().ok_or_else(outside)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the directory `below` the root, and creates it if it does not exist.
    fn enter(&self, below: &Path) -> Result<Arc<OpenDirectory>, Error> {
        if let Some(opened) = self.known().opened(below) {
            return Ok(opened);
        }
        let _turn = (self.entering.lock()).unwrap_or_else(PoisonError::into_inner);
        self.enter_in_turn(below)
    }

    fn enter_in_turn(&self, below: &Path) -> Result<Arc<OpenDirectory>, Error> {
        if let Some(opened) = self.known().opened(below) {
            return Ok(opened);
        }
        // From the root down, so that no symbolic link is followed.
        let Some(parent) = below.parent() else {
            return self.begin();
        };
        let parent = self.enter_in_turn(parent)?;
        self.step(&parent.dir, below)
    }

    /// The mode of a new directory, unless it is the default.
    fn mode_of(&self, below: &Path) -> Result<Option<Mode>, Error> {
        let original = self.known().originals.get(below).cloned();
        original.map(|it| mode_of(&it)).transpose()
    }

    /// Opens the root of the tree, or creates it.
    fn begin(&self) -> Result<Arc<OpenDirectory>, Error> {
        let path = &self.directory;
        let mode = self.mode_of(Path::new(""))?;
        let open = || -> io::Result<(Dir, bool)> {
            // A name such as `..` is that of an existing directory.
            let Some(name) = path.file_name() else {
                return Ok((Dir::open(path)?, false));
            };
            fs::create_dir_all(directory_of(path))?;
            let parent = Dir::open(directory_of(path))?;
            match parent.make(name, directory_mode(mode)) {
                Ok(()) => Ok((parent.child(name)?, true)),
                // A symbolic link named by the user is followed.
                Err(error) => match Dir::open(path) {
                    Ok(dir) => Ok((dir, false)),
                    Err(_) => Err(error),
                },
            }
        };
        let refused = |error| Error::new(path, ErrorKind::Write(error));
        let (dir, is_made) = open().map_err(refused)?;
        let directory = match is_made {
            true => Directory::made(&dir.stamp().map_err(refused)?, mode),
            false => {
                Temporaries::of_output().sweep(&dir);
                Directory::There
            }
        };
        let opened = Arc::new(OpenDirectory::new(dir, directory));
        let mut known = self.known();
        known.directories.insert(PathBuf::new(), directory);
        known.root = Some(opened.clone());
        Ok(opened)
    }

    /// Opens a subdirectory, or creates it.
    fn step(&self, parent: &Dir, below: &Path) -> Result<Arc<OpenDirectory>, Error> {
        let name = self.name(below)?;
        let error = |kind| Error::new(self.path(below), kind);
        let refused = |refused| error(ErrorKind::Write(refused));
        let is_known = self.known().directories.contains_key(below);
        let (mode, made) = match is_known {
            true => (None, Err(io::ErrorKind::AlreadyExists.into())),
            false => {
                let mode = self.mode_of(below)?;
                (mode, parent.make(name, directory_mode(mode)))
            }
        };
        let dir = match (&made, parent.child(name)) {
            (_, Ok(dir)) => dir,
            (Ok(()), Err(error)) => return Err(refused(error)),
            (Err(_), Err(_)) => {
                let stamp = parent.stamp_of(name);
                return Err(match (stamp, made) {
                    (Ok(Some(stamp)), _) if stamp.kind == Kind::Link => {
                        error(ErrorKind::LinkInTheWay)
                    }
                    (_, Err(error)) => refused(error),
                    (_, Ok(())) => error(ErrorKind::NotFound),
                });
            }
        };
        let stamp = dir.stamp().map_err(refused)?;
        let mut known = self.known();
        let directory = match known.directories.get(below) {
            Some(Directory::Made(made)) if made.identity != stamp.identity => {
                return Err(error(ErrorKind::Replaced));
            }
            Some(directory) => *directory,
            None => {
                let directory = match made {
                    Ok(()) => Directory::made(&stamp, mode),
                    Err(_) => {
                        Temporaries::of_output().sweep(&dir);
                        Directory::There
                    }
                };
                known.directories.insert(below.to_owned(), directory);
                directory
            }
        };
        let opened = Arc::new(OpenDirectory::new(dir, directory));
        known.open.truncate(MAX_OPEN - 1);
        known.open.push_front((below.to_owned(), opened.clone()));
        Ok(opened)
    }

    fn path(&self, below: &Path) -> PathBuf {
        match below.as_os_str().is_empty() {
            true => self.directory.clone(),
            false => self.directory.join(below),
        }
    }
}

impl Known {
    /// The directory, if it is open.
    fn opened(&mut self, below: &Path) -> Option<Arc<OpenDirectory>> {
        let name = below.as_os_str();
        if name.is_empty() {
            return self.root.clone();
        }
        let at = (self.open.iter()).position(|(path, _)| path.as_os_str() == name)?;
        let found = self.open.remove(at)?;
        let opened = found.1.clone();
        self.open.push_front(found);
        Some(opened)
    }
}

impl Directory {
    /// A new directory with its final mode.
    fn made(stamp: &Stamp, mode: Option<Mode>) -> Self {
        Self::Made(Made {
            mode: mode.filter(|mode| !has_mode(stamp, *mode)),
            identity: stamp.identity,
        })
    }
}

impl OpenDirectory {
    fn new(dir: Dir, directory: Directory) -> Self {
        Self {
            dir: Arc::new(dir),
            is_made: matches!(directory, Directory::Made(_)),
            exact: ExactMode::default(),
        }
    }
}

/// The mode of the directory at a path.
fn mode_of(path: &Path) -> Result<Mode, Error> {
    let metadata = fs::metadata(path);
    let metadata = metadata.map_err(|error| Error::new(path, ErrorKind::Read(error)))?;
    Ok(plain_mode(&metadata))
}

#[cfg(test)]
mod tests {
    use super::super::replace;
    use super::*;
    use crate::files::Tree;

    fn metadata(path: &Path) -> Metadata {
        fs::metadata(path).unwrap()
    }

    #[test]
    fn copies_keep_time_and_never_write_through_a_hard_link() {
        let files = Tree::new(&[("a", "old")]);
        let from = files.at("a");
        let tree = NewTree::new(files.at("tree"));
        tree.copy(Path::new("b/c"), &from).unwrap();
        let tree = tree.replacing_files();
        let time = |name| metadata(&files.at(name)).modified().unwrap();
        assert_eq!(time("a"), time("tree/b/c"));
        fs::hard_link(&from, files.at("tree/linked")).unwrap();
        tree.write(Path::new("linked"), b"new", &metadata(&from)).unwrap();
        assert_eq!(files.read("a"), "old");
        assert_eq!(replace(&from, b"new").unwrap().links, 0);
        fs::hard_link(&from, files.at("second")).unwrap();
        assert_eq!(replace(&from, b"newer").unwrap().links, 1);
    }

    #[cfg(unix)]
    #[test]
    fn setuid_bits_are_not_copied() {
        let files = Tree::new(&[("a", "old")]);
        files.set_mode("a", 0o6751);
        let from = files.at("a");
        let tree = NewTree::new(files.at("tree"));
        tree.copy(Path::new("b"), &from).unwrap();
        tree.write(Path::new("c"), b"new", &metadata(&from)).unwrap();
        for name in ["tree/b", "tree/c"] {
            assert_eq!(files.mode(name), 0o751, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_in_the_new_tree_are_not_followed() {
        let files = Tree::new(&[("a", "new"), ("other/x", "old")]);
        files.make("tree");
        files.symlink("../other", "tree/sub");
        files.symlink("../other/x", "tree/x");
        let (from, sub) = (files.at("a"), files.at("tree/sub"));
        let new = NewTree::new(files.at("tree")).replacing_files();
        let error = new.copy(Path::new("sub/x"), &from).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::LinkInTheWay));
        // A symbolic link in place of the file is replaced.
        new.copy(Path::new("x"), &from).unwrap();
        assert_eq!(files.read("other/x"), "old");
        assert_eq!(files.read("tree/x"), "new");
        new.copy_link(Path::new("sub"), &sub).unwrap();
        assert_eq!(fs::read_link(&sub).unwrap(), Path::new("../other"));
    }

    #[test]
    fn files_that_appear_during_a_run_are_not_replaced() {
        let files = Tree::new(&[("a", "new"), ("tree/there/x", "mine")]);
        let from = files.at("a");
        let tree = NewTree::new(files.at("tree"));
        tree.write(Path::new("made/a"), b"new", &metadata(&from)).unwrap();
        files.write("tree/made/x", "mine");
        let mut below = vec!["there/x", "made/x"];
        #[cfg(unix)]
        files.symlink("x", "tree/there/link");
        #[cfg(unix)]
        below.push("there/link");
        for name in below.into_iter().map(Path::new) {
            let error = tree.write(name, b"new", &metadata(&from)).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AlreadyExists), "{error}");
            let error = tree.copy(name, &from).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AlreadyExists), "{error}");
            assert_eq!(files.read(tree.directory().join(name)), "mine");
        }
        #[cfg(unix)]
        {
            files.symlink("a", "link");
            let error = tree.copy_link(Path::new("made/x"), &files.at("link")).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AlreadyExists), "{error}");
        }
        assert_eq!(files.count("tree/there"), if cfg!(unix) { 2 } else { 1 });
    }

    #[test]
    fn existing_files_are_replaced() {
        let files = Tree::new(&[("a", "old")]);
        let from = files.at("a");
        let tree = NewTree::new(files.at("no/such/tree")).replacing_files();
        for content in ["one", "two"] {
            tree.write(Path::new("b/c"), content.as_bytes(), &metadata(&from)).unwrap();
            tree.copy_read(Path::new("d"), content.as_bytes(), &metadata(&from)).unwrap();
        }
        assert_eq!(files.read("no/such/tree/b/c"), "two");
        assert_eq!(files.read("no/such/tree/d"), "two");
        let again = NewTree::new(tree.directory()).replacing_files();
        again.copy(Path::new("b/c"), &from).unwrap();
        assert_eq!(files.read("no/such/tree/b/c"), "old");
        // A file is not a directory.
        let error = again.copy(Path::new("d/e"), &from).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Write(_)));
        assert_eq!(files.count("no/such/tree/b"), 1, "nothing stays behind");
    }

    #[cfg(unix)]
    #[test]
    fn each_file_of_a_directory_has_its_own_mode() {
        let files = Tree::new(&[("a", "x")]);
        let tree = NewTree::new(files.at("tree"));
        // A usual umask removes the write permission of others.
        let modes = [0o644, 0o644, 0o666, 0o644, 0o600, 0o444, 0o777, 0o644, 0o666];
        for (number, mode) in modes.into_iter().enumerate() {
            files.set_mode("a", mode);
            let below = PathBuf::from(format!("d/{number}"));
            tree.write(&below, b"new", &metadata(&files.at("a"))).unwrap();
            assert_eq!(files.mode(tree.directory().join(below)), mode, "{number}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn created_directories_get_their_modes_last() {
        let files = Tree::new(&[("a", "x")]);
        files.make("like");
        files.set_mode("like", 0o6550);
        files.make("tree/there");
        let old = files.mode("tree/there");
        let tree = NewTree::new(files.at("tree"));
        let names = ["there", "made", "made/empty"];
        let originals = names.map(|name| (name.into(), files.at("like")));
        tree.make_root(originals.into()).unwrap();
        tree.copy(Path::new("made/file"), &files.at("a")).unwrap();
        assert!(!files.has("tree/made/empty"));
        tree.make_directories(|error| panic!("{error}"));
        tree.finish(|error| panic!("{error}"));
        assert_eq!(files.mode("tree/made"), 0o550);
        assert_eq!(files.mode("tree/made/empty"), 0o550);
        assert_eq!(files.mode("tree/there"), old);
        // So that it can be removed.
        files.set_mode("tree/made", 0o750);
    }
}
