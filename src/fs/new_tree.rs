//! A new tree of files, written next to the one that was read.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::directory_of;
use super::replace::dir::Dir;
use super::replace::stamp::Kind;
use super::replace::temporary::Temporaries;
use crate::error::{Error, ErrorKind};

/// A new tree of files, written next to the one that was read. Nothing outside of its directory is changed:
/// symbolic links in place of files are not followed, even if they appear while the tree is written. Files
/// have the mode of their counterpart, without setuid and setgid bits, and so have the directories of
/// [`NewTree::make_directory`]. Other directories get the default mode.
///
/// An existing file is an error, unless the tree [replaces files](NewTree::replacing_files): then it is replaced
/// atomically. In a directory that was created for this tree, a file is written in place: no other program uses
/// the directory yet, and renaming each file would cost as much as writing it. Nothing is synced to disk.
#[derive(Clone, Debug)]
pub struct NewTree {
    directory: PathBuf,
    /// Whether existing files are replaced.
    replaces: bool,
    known: Arc<Mutex<Known>>,
}

/// The directories of the tree, by their paths below its root.
#[derive(Debug, Default)]
struct Known {
    directories: HashMap<PathBuf, Directory>,
    /// The root of the tree.
    root: Option<Arc<Dir>>,
    /// The open directories, the last used first: files come directory by directory.
    open: VecDeque<(PathBuf, Arc<Dir>)>,
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
    /// Its final mode, if known.
    mode: Option<Mode>,
    /// Its identity, to detect that another directory replaced it.
    identity: Option<(u64, u64)>,
}

impl NewTree {
    /// A tree in this directory, which need not exist yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            replaces: false,
            known: Arc::default(),
        }
    }

    /// The same tree, which replaces existing files.
    #[must_use]
    pub fn replacing_files(self) -> Self {
        Self {
            replaces: true,
            ..self
        }
    }

    /// The directory of the tree.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Creates the root of the tree, unless it exists, and checks that files can be created in it. If it is
    /// created, [`NewTree::finish`] gives it the mode of the directory `like`.
    ///
    /// # Errors
    /// If the root is not a directory, or cannot be created or written.
    pub fn make_root(&self, like: Option<&Path>) -> Result<(), Error> {
        let root = Path::new("");
        let (dir, directory) = match like {
            Some(like) => self.enter(root, Some(mode_of(like)?))?,
            None => self.enter(root, None)?,
        };
        if matches!(directory, Directory::There) {
            let probe = Temporaries::of_no_run().file_in(&dir, 0o600);
            probe.map_err(|error| Error::new(&self.directory, ErrorKind::Write(error)))?;
        }
        Ok(())
    }

    /// Creates the directory `below` the root and its parents, unless they exist. If it is created,
    /// [`NewTree::finish`] gives it the mode of the directory `like`.
    ///
    /// # Errors
    /// Those of [`NewTree::write`].
    pub fn make_directory(&self, below: &Path, like: &Path) -> Result<(), Error> {
        self.enter(below, Some(mode_of(like)?)).map(|_| ())
    }

    /// Sets the final modes of the created directories. Errors are passed to `report_error`.
    pub fn finish(&self, mut report_error: impl FnMut(Error)) {
        let mut known = self.known();
        let mut modes: Vec<_> = known
            .directories
            .iter()
            .filter_map(|(below, directory)| match directory {
                Directory::Made(Made {
                    mode: Some(mode), ..
                }) => Some((below.clone(), *mode)),
                _ => None,
            })
            .collect();
        // Deepest first, since the content of a directory without search permission cannot be reached.
        modes.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        for (below, mode) in modes {
            let entered = self.enter_known(&mut known, &below, None);
            let set = entered.and_then(|(dir, _)| {
                let set = set_directory_mode(&dir, mode);
                set.map_err(|error| Error::new(self.path(&below), ErrorKind::Write(error)))
            });
            set.unwrap_or_else(&mut report_error);
        }
    }

    /// Writes `content` to the file `below` the root, with the mode of the file `like`.
    ///
    /// # Errors
    /// If writing fails, a symbolic link is in place of a directory, or the file exists and is not replaced.
    pub fn write(&self, below: &Path, content: &[u8], like: &Path) -> Result<(), Error> {
        let unreadable = |error| Error::new(like, ErrorKind::Read(error));
        let metadata = fs::metadata(like).map_err(unreadable)?;
        self.put(below, &metadata, |file| file.write_all(content))
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

    /// Copies a file whose content has been read.
    ///
    /// # Errors
    /// Those of [`NewTree::write`].
    pub fn copy_read(&self, below: &Path, content: &[u8], from: &Path) -> Result<(), Error> {
        let unreadable = |error| Error::new(from, ErrorKind::Read(error));
        let metadata = fs::metadata(from).map_err(unreadable)?;
        let modified = metadata.modified().map_err(unreadable)?;
        self.put(below, &metadata, |file| {
            file.write_all(content)?;
            file.set_modified(modified)
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
        let (dir, _) = self.enter(below.parent().unwrap_or(Path::new("")), None)?;
        let made = match self.replaces {
            true => Temporaries::of_no_run().replace_by_link(&dir, &target, name),
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
        let (dir, directory) = self.enter(below.parent().unwrap_or(Path::new("")), None)?;
        let mode = plain_mode(like);
        let new = match directory {
            // Private from the beginning, if its mode is.
            Directory::Made(_) => match dir.create_new(name, writable(mode)) {
                // Another program created it first.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && self.replaces => {
                    Ok(None)
                }
                made => made.map(Some),
            },
            Directory::There => Ok(None),
        };
        let put = new.and_then(|new| match new {
            Some(mut file) => {
                let filled = fill(&mut file).and_then(|()| set_mode(&file, mode));
                // No file is better than a partial one.
                filled.inspect_err(|_| _ = dir.remove_file(name))
            }
            None => {
                let mut new = Temporaries::of_no_run().file_in(&dir, 0o600)?;
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

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the directory `below` the root, and creates it if it does not exist. `mode` is its final mode if
    /// it is created.
    fn enter(&self, below: &Path, mode: Option<Mode>) -> Result<(Arc<Dir>, Directory), Error> {
        self.enter_known(&mut self.known(), below, mode)
    }

    fn enter_known(
        &self,
        known: &mut Known,
        below: &Path,
        mode: Option<Mode>,
    ) -> Result<(Arc<Dir>, Directory), Error> {
        let mut opened = known.opened(below);
        // From the root down, so that no symbolic link is followed.
        if opened.is_none() {
            let ways: Vec<&Path> = below.ancestors().collect();
            let mut parent: Option<Arc<Dir>> = None;
            for way in ways.into_iter().rev() {
                let mode = mode.filter(|_| way == below);
                let dir = match (known.opened(way), parent) {
                    (Some(dir), _) => dir,
                    (None, Some(parent)) => self.step(known, &parent, way, mode)?,
                    (None, None) => self.begin(known, mode)?,
                };
                parent = Some(dir);
            }
            opened = parent;
        }
        let (Some(dir), Some(directory)) = (opened, known.directories.get_mut(below)) else {
            return Err(Error::new(self.path(below), ErrorKind::Outside));
        };
        if let Directory::Made(made) = directory {
            made.mode = made.mode.or(mode);
        }
        Ok((dir, *directory))
    }

    /// Opens the root of the tree, or creates it.
    fn begin(&self, known: &mut Known, mode: Option<Mode>) -> Result<Arc<Dir>, Error> {
        let path = &self.directory;
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
        let (dir, is_new) = open().map_err(|error| Error::new(path, ErrorKind::Write(error)))?;
        let directory = match is_new {
            true => Directory::Made(Made {
                mode,
                identity: dir.stamp().ok().and_then(|it| it.identity),
            }),
            false => Directory::There,
        };
        known.directories.insert(PathBuf::new(), directory);
        let dir = Arc::new(dir);
        known.root = Some(dir.clone());
        Ok(dir)
    }

    /// Opens a subdirectory, or creates it.
    fn step(
        &self,
        known: &mut Known,
        parent: &Dir,
        below: &Path,
        mode: Option<Mode>,
    ) -> Result<Arc<Dir>, Error> {
        let name = self.name(below)?;
        let error = |kind| Error::new(self.path(below), kind);
        let refused = |refused| error(ErrorKind::Write(refused));
        let is_known = known.directories.contains_key(below);
        let made = match is_known {
            true => Err(io::ErrorKind::AlreadyExists.into()),
            false => parent.make(name, directory_mode(mode)),
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
        let identity = dir.stamp().map_err(refused)?.identity;
        match known.directories.get(below) {
            Some(Directory::Made(made)) if made.identity != identity => {
                return Err(error(ErrorKind::Replaced));
            }
            Some(_) => {}
            None => {
                let directory = match made {
                    Ok(()) => Directory::Made(Made { mode, identity }),
                    Err(_) => Directory::There,
                };
                known.directories.insert(below.to_owned(), directory);
            }
        }
        let dir = Arc::new(dir);
        known.open.truncate(MAX_OPEN - 1);
        known.open.push_front((below.to_owned(), dir.clone()));
        Ok(dir)
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
    fn opened(&self, below: &Path) -> Option<Arc<Dir>> {
        if below.as_os_str().is_empty() {
            return self.root.clone();
        }
        let mut open = self.open.iter();
        open.find_map(|(path, dir)| (path == below).then(|| dir.clone()))
    }
}

/// The mode of the directory at a path.
fn mode_of(path: &Path) -> Result<Mode, Error> {
    let metadata = fs::metadata(path);
    let metadata = metadata.map_err(|error| Error::new(path, ErrorKind::Read(error)))?;
    Ok(plain_mode(&metadata))
}

/// The permissions of a file or directory.
#[cfg(unix)]
type Mode = u32;

/// Whether it is read-only.
#[cfg(not(unix))]
type Mode = bool;

/// The mode without the setuid and setgid bits.
#[cfg(unix)]
fn plain_mode(metadata: &Metadata) -> Mode {
    std::os::unix::fs::MetadataExt::mode(metadata) & 0o777
}

#[cfg(not(unix))]
fn plain_mode(metadata: &Metadata) -> Mode {
    metadata.permissions().readonly()
}

#[cfg(unix)]
fn set_mode(file: &File, mode: Mode) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(file: &File, mode: Mode) -> io::Result<()> {
    if mode {
        let mut permissions = file.metadata()?.permissions();
        permissions.set_readonly(true);
        file.set_permissions(permissions)?;
    }
    Ok(())
}

#[cfg(unix)]
fn set_directory_mode(dir: &Dir, mode: Mode) -> io::Result<()> {
    let is = dir.stamp()?.mode;
    if is & 0o777 == mode {
        return Ok(());
    }
    // Keep the setgid bit that the directory inherited.
    dir.set_mode(is & 0o7000 | mode)
}

#[cfg(not(unix))]
fn set_directory_mode(_: &Dir, _: Mode) -> io::Result<()> {
    Ok(())
}

/// The mode for creating a file whose final mode is `mode`.
#[cfg(unix)]
fn writable(mode: Mode) -> u32 {
    mode | 0o200
}

#[cfg(not(unix))]
fn writable(_: Mode) -> u32 {
    0o666
}

/// The mode for creating a directory in which files can be created, whatever its final mode.
#[cfg(unix)]
fn directory_mode(mode: Option<Mode>) -> u32 {
    mode.map_or(0o777, |mode| mode | 0o700)
}

#[cfg(not(unix))]
fn directory_mode(_: Option<Mode>) -> u32 {
    0o777
}

#[cfg(test)]
mod tests {
    use super::super::replace;
    use super::*;
    #[cfg(unix)]
    use std::{fs::Permissions, os::unix::fs::symlink};

    #[test]
    fn copies_keep_time_and_never_write_through_a_hard_link() {
        let directory = tempfile::tempdir().unwrap();
        let from = directory.path().join("a");
        fs::write(&from, "old").unwrap();
        let tree = NewTree::new(directory.path().join("tree"));
        tree.copy(Path::new("b/c"), &from).unwrap();
        let tree = tree.replacing_files();
        let time = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        assert_eq!(time(&from), time(&directory.path().join("tree/b/c")));
        fs::hard_link(&from, directory.path().join("tree/linked")).unwrap();
        tree.write(Path::new("linked"), b"new", &from).unwrap();
        assert_eq!(fs::read(&from).unwrap(), b"old");
        assert_eq!(replace(&from, b"new").unwrap().links, 0);
        fs::hard_link(&from, directory.path().join("second")).unwrap();
        assert_eq!(replace(&from, b"newer").unwrap().links, 1);
    }

    #[cfg(unix)]
    #[test]
    fn setuid_bits_are_not_copied() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let from = directory.path().join("a");
        fs::write(&from, "old").unwrap();
        fs::set_permissions(&from, Permissions::from_mode(0o6751)).unwrap();
        let tree = NewTree::new(directory.path().join("tree"));
        tree.copy(Path::new("b"), &from).unwrap();
        tree.write(Path::new("c"), b"new", &from).unwrap();
        for name in ["tree/b", "tree/c"] {
            let mode = fs::metadata(directory.path().join(name))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o7777, 0o751, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_in_the_new_tree_are_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let (from, tree) = (directory.path().join("a"), directory.path().join("tree"));
        fs::write(&from, "new").unwrap();
        fs::create_dir(&tree).unwrap();
        fs::create_dir(directory.path().join("other")).unwrap();
        fs::write(directory.path().join("other/x"), "old").unwrap();
        symlink(Path::new("../other"), tree.join("sub")).unwrap();
        symlink(Path::new("../other/x"), tree.join("x")).unwrap();
        let new = NewTree::new(&tree).replacing_files();
        let error = new.copy(Path::new("sub/x"), &from).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::LinkInTheWay));
        // A symbolic link in place of the file is replaced.
        new.copy(Path::new("x"), &from).unwrap();
        assert_eq!(fs::read(directory.path().join("other/x")).unwrap(), b"old");
        assert_eq!(fs::read(tree.join("x")).unwrap(), b"new");
        new.copy_link(Path::new("sub"), &tree.join("sub")).unwrap();
        assert_eq!(
            fs::read_link(tree.join("sub")).unwrap(),
            Path::new("../other")
        );
    }

    #[test]
    fn files_that_appear_during_a_run_are_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::write(path("a"), "new").unwrap();
        fs::create_dir_all(path("tree/there")).unwrap();
        let tree = NewTree::new(path("tree"));
        tree.write(Path::new("made/a"), b"new", &path("a")).unwrap();
        let mut below = vec!["there/x", "made/x"];
        for name in &below {
            fs::write(path("tree").join(name), "mine").unwrap();
        }
        #[cfg(unix)]
        symlink("x", path("tree/there/link")).unwrap();
        #[cfg(unix)]
        below.push("there/link");
        for name in below.into_iter().map(Path::new) {
            let error = tree.write(name, b"new", &path("a")).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AlreadyExists), "{error}");
            let error = tree.copy(name, &path("a")).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AlreadyExists), "{error}");
            assert_eq!(fs::read(path("tree").join(name)).unwrap(), b"mine");
        }
        #[cfg(unix)]
        {
            symlink("a", path("link")).unwrap();
            let error = tree.copy_link(Path::new("made/x"), &path("link"));
            let error = error.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AlreadyExists), "{error}");
        }
        assert_eq!(
            fs::read_dir(path("tree/there")).unwrap().count(),
            if cfg!(unix) { 2 } else { 1 }
        );
    }

    #[test]
    fn existing_files_are_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let from = directory.path().join("a");
        fs::write(&from, "old").unwrap();
        let tree = NewTree::new(directory.path().join("no/such/tree")).replacing_files();
        for content in ["one", "two"] {
            tree.write(Path::new("b/c"), content.as_bytes(), &from)
                .unwrap();
            tree.copy_read(Path::new("d"), content.as_bytes(), &from)
                .unwrap();
        }
        assert_eq!(fs::read(tree.directory().join("b/c")).unwrap(), b"two");
        assert_eq!(fs::read(tree.directory().join("d")).unwrap(), b"two");
        let again = NewTree::new(tree.directory()).replacing_files();
        again.copy(Path::new("b/c"), &from).unwrap();
        assert_eq!(fs::read(tree.directory().join("b/c")).unwrap(), b"old");
        // A file is not a directory.
        let error = again.copy(Path::new("d/e"), &from).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Write(_)));
        let names = fs::read_dir(tree.directory().join("b")).unwrap();
        assert_eq!(names.count(), 1, "nothing stays behind");
    }

    #[cfg(unix)]
    #[test]
    fn created_directories_get_their_modes_last() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let like = directory.path().join("like");
        fs::create_dir(&like).unwrap();
        let from = directory.path().join("a");
        fs::write(&from, "x").unwrap();
        fs::set_permissions(&like, Permissions::from_mode(0o6550)).unwrap();
        let root = directory.path().join("tree");
        let mode = |below: &str| {
            let metadata = fs::metadata(root.join(below)).unwrap();
            metadata.permissions().mode() & 0o6777
        };
        fs::create_dir_all(root.join("there")).unwrap();
        let old = mode("there");
        let tree = NewTree::new(&root);
        for name in ["there", "made", "made/empty"] {
            tree.make_directory(Path::new(name), &like).unwrap();
        }
        tree.copy(Path::new("made/file"), &from).unwrap();
        tree.finish(|error| panic!("{error}"));
        assert_eq!(mode("made"), 0o550);
        assert_eq!(mode("made/empty"), 0o550);
        assert_eq!(mode("there"), old);
        // So that it can be removed.
        fs::set_permissions(root.join("made"), Permissions::from_mode(0o750)).unwrap();
    }
}
