//! A tree that is written beside the one that was read.

use std::collections::HashMap;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::replace::Temporaries;
use crate::error::{Error, ErrorKind};

/// A tree that is written beside the one that was read. Nothing outside of its folder is touched: a
/// symbolic link that stands in the way of a file is not followed. Files have the mode of their
/// counterpart, without its setuid and setgid bits, and so have the folders of
/// [`NewTree::make_folder`]; other folders are made as the system makes new ones.
///
/// A file that is there already is replaced at once, so that it is wholly old or wholly new at every moment. One
/// in a folder that was made for this tree is written in its place: nobody knows the folder yet, and to rename
/// each file would cost as much as to write it. Nothing waits until it is on the disk.
#[derive(Clone, Debug)]
pub struct NewTree {
    folder: PathBuf,
    /// The folders that files were put into, by their paths below `folder`.
    folders: Arc<Mutex<HashMap<PathBuf, Folder>>>,
}

/// What is known of a folder of the tree. It is no symbolic link.
#[derive(Clone, Copy, Debug)]
enum Folder {
    /// It was there.
    There,
    /// It was made for this tree, and has this mode in the end, if that is known.
    Made(Option<Mode>),
}

impl NewTree {
    /// A tree in this folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            folders: Arc::default(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes a folder at the place `below` the folder, unless it is there, and those that lead to it. If
    /// it is made, [`NewTree::finish`] gives it the mode of the folder `like`.
    ///
    /// # Errors
    /// As [`NewTree::write`].
    pub fn make_folder(&self, below: &Path, like: &Path) -> Result<(), Error> {
        let unreadable = |error| Error::new(like, ErrorKind::Read(error));
        let mode = plain_mode(&fs::metadata(like).map_err(unreadable)?);
        self.enter(below, Some(mode)).map(|_| ())
    }

    /// Gives the folders that were made their modes, now that all is in them. Errors go to `failed`.
    pub fn finish(&self, mut failed: impl FnMut(Error)) {
        let folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut modes: Vec<_> = folders
            .iter()
            .filter_map(|(below, folder)| match folder {
                Folder::Made(Some(mode)) => Some((below, *mode)),
                _ => None,
            })
            .collect();
        // What is in a folder that nobody may enter can be reached no more.
        modes.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        for (below, mode) in modes {
            let path = self.path(below);
            if let Err(error) = set_folder_mode(&path, mode) {
                failed(Error::new(path, ErrorKind::Write(error)));
            }
        }
    }

    /// Writes `content` to the place `below` the folder, with the mode of the file `like`. A file
    /// that is there is replaced.
    ///
    /// # Errors
    /// When the system refuses, or a symbolic link stands in the way.
    pub fn write(&self, below: &Path, content: &[u8], like: &Path) -> Result<(), Error> {
        let unreadable = |error| Error::new(like, ErrorKind::Read(error));
        let metadata = fs::metadata(like).map_err(unreadable)?;
        self.put(below, &metadata, |file| file.write_all(content))
    }

    /// Copies a file as it is, with its mode and its time of modification. A file that is there is
    /// replaced.
    ///
    /// # Errors
    /// As [`NewTree::write`].
    pub fn copy(&self, below: &Path, from: &Path) -> Result<(), Error> {
        let unreadable = |error| Error::new(from, ErrorKind::Read(error));
        // Opening a pipe would wait for somebody to write to it.
        if !fs::metadata(from).map_err(unreadable)?.is_file() {
            return Err(Error::new(from, ErrorKind::NotAFile));
        }
        let mut source = File::open(from).map_err(unreadable)?;
        let metadata = source.metadata().map_err(unreadable)?;
        let modified = metadata.modified().map_err(unreadable)?;
        self.put(below, &metadata, |file| {
            // The system copies by itself where it can, or lets both files share their blocks.
            io::copy(&mut source, file)?;
            file.set_modified(modified)
        })
    }

    /// The same where the file has been read: `content` is all that is in it.
    ///
    /// # Errors
    /// As [`NewTree::write`].
    pub fn copy_read(&self, below: &Path, content: &[u8], from: &Path) -> Result<(), Error> {
        let unreadable = |error| Error::new(from, ErrorKind::Read(error));
        let metadata = fs::metadata(from).map_err(unreadable)?;
        let modified = metadata.modified().map_err(unreadable)?;
        self.put(below, &metadata, |file| {
            file.write_all(content)?;
            file.set_modified(modified)
        })
    }

    /// Makes a symbolic link that holds the same path as another. What is there is replaced.
    ///
    /// # Errors
    /// As [`NewTree::write`], and where the system has no symbolic links.
    pub fn copy_link(&self, below: &Path, from: &Path) -> Result<(), Error> {
        let target =
            fs::read_link(from).map_err(|error| Error::new(from, ErrorKind::Read(error)))?;
        let to = self.path(below);
        let folder = below.parent().unwrap_or(Path::new(""));
        self.enter(folder, None)?;
        let made = || -> io::Result<()> {
            let temporaries = Temporaries::of_nobody();
            let link = temporaries
                .builder()
                .make_in(self.path(folder), |path| symlink(&target, path))?;
            Ok(link.into_temp_path().persist(&to)?)
        };
        made().map_err(|error| Error::new(&to, ErrorKind::Write(error)))
    }

    /// Makes the folders that lead to a place, and a file there that `fill` fills.
    fn put(
        &self,
        below: &Path,
        like: &Metadata,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Error> {
        let to = self.path(below);
        let folder = below.parent().unwrap_or(Path::new(""));
        let entered = self.enter(folder, None)?;
        let mode = plain_mode(like);
        let new = match entered {
            Folder::Made(_) => match create_new(&to, mode) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                // Somebody was quicker.
                made => Ok(made.ok()),
            },
            Folder::There => Ok(None),
        };
        let put = new.and_then(|new| match new {
            Some(mut file) => {
                let filled = fill(&mut file).and_then(|()| set_mode(&file, mode));
                // Nothing is better than a part.
                filled.inspect_err(|_| _ = fs::remove_file(&to))
            }
            None => {
                let mut file = Temporaries::of_nobody().file_in(&self.path(folder))?;
                fill(file.as_file_mut())?;
                set_mode(file.as_file(), mode)?;
                file.persist(&to)?;
                Ok(())
            }
        });
        put.map_err(|error| Error::new(to, ErrorKind::Write(error)))
    }

    /// What is known of the folder `below` the folder. It is looked for, and made if it is not there, but
    /// once: `mode` is what it has in the end if it is made now.
    fn enter(&self, below: &Path, mode: Option<Mode>) -> Result<Folder, Error> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = folders.get_mut(below) {
            if let (Folder::Made(unknown @ None), Some(_)) = (&mut *known, mode) {
                *unknown = mode;
            }
            return Ok(*known);
        }
        // From the root down, so that no link is passed.
        let ways: Vec<&Path> = below.ancestors().collect();
        let mut last = Folder::There;
        for way in ways.into_iter().rev() {
            if let Some(known) = folders.get(way) {
                last = *known;
                continue;
            }
            let mode = mode.filter(|_| way == below);
            last = self.make(way, mode)?;
            folders.insert(way.to_owned(), last);
        }
        Ok(last)
    }

    /// Makes a folder in one that is there.
    fn make(&self, below: &Path, mode: Option<Mode>) -> Result<Folder, Error> {
        let path = self.path(below);
        let is_root = below.as_os_str().is_empty();
        let mut made = create_folder(&path, mode);
        if let (true, Err(error), Some(parent)) = (is_root, &made, path.parent())
            && error.kind() == io::ErrorKind::NotFound
        {
            made = fs::create_dir_all(parent).and_then(|()| create_folder(&path, mode));
        }
        match made {
            Ok(()) => Ok(Folder::Made(mode)),
            Err(_) if !is_root && path.is_symlink() => {
                Err(Error::new(path, ErrorKind::LinkInTheWay))
            }
            Err(_) if path.is_dir() => Ok(Folder::There),
            Err(error) => Err(Error::new(path, ErrorKind::Write(error))),
        }
    }

    fn path(&self, below: &Path) -> PathBuf {
        match below.as_os_str().is_empty() {
            // Joined with nothing it would end in a slash, and a link there would be followed.
            true => self.folder.clone(),
            false => self.folder.join(below),
        }
    }
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// What others may do with a file or a folder.
#[cfg(unix)]
type Mode = u32;

/// Whether nobody may write to it.
#[cfg(not(unix))]
type Mode = bool;

/// The mode without the bits that would let others act as the new owner.
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
fn set_folder_mode(path: &Path, mode: Mode) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let is = fs::symlink_metadata(path)?.permissions().mode();
    if is & 0o777 == mode {
        return Ok(());
    }
    // That its files have its group is what it got from the folder it is in.
    fs::set_permissions(path, fs::Permissions::from_mode(is & 0o7000 | mode))
}

#[cfg(not(unix))]
fn set_folder_mode(_: &Path, _: Mode) -> io::Result<()> {
    Ok(())
}

/// A file that was not there, and is nobody else's business from the beginning if its mode says so.
fn create_new(path: &Path, mode: Mode) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode | 0o200);
    #[cfg(not(unix))]
    let _: Mode = mode;
    options.open(path)
}

/// A folder into which files can be put for now, whatever its mode is to be.
fn create_folder(path: &Path, mode: Option<Mode>) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    if let Some(mode) = mode {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, mode | 0o700);
    }
    #[cfg(not(unix))]
    let _: Option<Mode> = mode;
    builder.create(path)
}

#[cfg(test)]
mod tests {
    use super::super::replace;
    use super::*;
    #[cfg(unix)]
    use std::fs::Permissions;

    #[test]
    fn copies_keep_time_and_never_write_through_a_hard_link() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("a");
        fs::write(&from, "old").unwrap();
        let tree = NewTree::new(folder.path().join("tree"));
        tree.copy(Path::new("b/c"), &from).unwrap();
        let time = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        assert_eq!(time(&from), time(&folder.path().join("tree/b/c")));
        fs::hard_link(&from, folder.path().join("tree/linked")).unwrap();
        tree.write(Path::new("linked"), b"new", &from).unwrap();
        assert_eq!(fs::read(&from).unwrap(), b"old");
        assert_eq!(replace(&from, b"new").unwrap().links, 0);
        fs::hard_link(&from, folder.path().join("second")).unwrap();
        assert_eq!(replace(&from, b"newer").unwrap().links, 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_new_tree_has_no_file_that_acts_as_its_owner() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("a");
        fs::write(&from, "old").unwrap();
        fs::set_permissions(&from, Permissions::from_mode(0o6751)).unwrap();
        let tree = NewTree::new(folder.path().join("tree"));
        tree.copy(Path::new("b"), &from).unwrap();
        tree.write(Path::new("c"), b"new", &from).unwrap();
        for name in ["tree/b", "tree/c"] {
            let mode = fs::metadata(folder.path().join(name))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o7777, 0o751, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_new_tree_does_not_follow_links_out_of_itself() {
        let folder = tempfile::tempdir().unwrap();
        let (from, tree) = (folder.path().join("a"), folder.path().join("tree"));
        fs::write(&from, "new").unwrap();
        fs::create_dir(&tree).unwrap();
        fs::create_dir(folder.path().join("other")).unwrap();
        fs::write(folder.path().join("other/x"), "old").unwrap();
        symlink(Path::new("../other"), &tree.join("sub")).unwrap();
        symlink(Path::new("../other/x"), &tree.join("x")).unwrap();
        let new = NewTree::new(&tree);
        let error = new.copy(Path::new("sub/x"), &from).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::LinkInTheWay));
        // A link in the place of the file itself is replaced.
        new.copy(Path::new("x"), &from).unwrap();
        assert_eq!(fs::read(folder.path().join("other/x")).unwrap(), b"old");
        assert_eq!(fs::read(tree.join("x")).unwrap(), b"new");
        new.copy_link(Path::new("sub"), &tree.join("sub")).unwrap();
        assert_eq!(
            fs::read_link(tree.join("sub")).unwrap(),
            Path::new("../other")
        );
    }

    #[test]
    fn what_is_there_already_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("a");
        fs::write(&from, "old").unwrap();
        let tree = NewTree::new(folder.path().join("no/such/tree"));
        for content in ["one", "two"] {
            tree.write(Path::new("b/c"), content.as_bytes(), &from)
                .unwrap();
            tree.copy_read(Path::new("d"), content.as_bytes(), &from)
                .unwrap();
        }
        assert_eq!(fs::read(tree.folder().join("b/c")).unwrap(), b"two");
        assert_eq!(fs::read(tree.folder().join("d")).unwrap(), b"two");
        let again = NewTree::new(tree.folder());
        again.copy(Path::new("b/c"), &from).unwrap();
        assert_eq!(fs::read(tree.folder().join("b/c")).unwrap(), b"old");
        // A file is no folder.
        let error = again.copy(Path::new("d/e"), &from).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Write(_)));
        let names = fs::read_dir(tree.folder().join("b")).unwrap();
        assert_eq!(names.count(), 1, "nothing stays behind");
    }

    #[cfg(unix)]
    #[test]
    fn folders_that_are_made_get_their_modes_in_the_end() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let like = folder.path().join("like");
        fs::create_dir(&like).unwrap();
        let from = folder.path().join("a");
        fs::write(&from, "x").unwrap();
        fs::set_permissions(&like, Permissions::from_mode(0o6550)).unwrap();
        let root = folder.path().join("tree");
        let mode = |below: &str| {
            let metadata = fs::metadata(root.join(below)).unwrap();
            metadata.permissions().mode() & 0o6777
        };
        fs::create_dir_all(root.join("there")).unwrap();
        let old = mode("there");
        let tree = NewTree::new(&root);
        for name in ["there", "made", "made/empty"] {
            tree.make_folder(Path::new(name), &like).unwrap();
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
