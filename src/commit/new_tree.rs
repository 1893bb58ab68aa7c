//! A tree that is written beside the one that was read.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::replace::{builder, temporary_in};
use crate::error::{Error, ErrorKind};

/// A tree that is written beside the one that was read. Nothing outside of its folder is touched: a
/// symbolic link that stands in the way of a file is not followed. Folders are made as the system makes
/// new ones; files have the mode of their counterpart, without its setuid and setgid bits.
#[derive(Clone, Debug)]
pub struct NewTree {
    folder: PathBuf,
}

impl NewTree {
    /// A tree in this folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes `content` to the place `below` the folder, with the mode of the file `like`. A file
    /// that is there is replaced.
    ///
    /// # Errors
    /// When the system refuses, or a symbolic link stands in the way.
    pub fn write(&self, below: &Path, content: &[u8], like: &Path) -> Result<(), Error> {
        self.put(below, |folder, to| {
            let mut file = temporary_in(folder)?;
            file.write_all(content)?;
            let mode = plain_mode(fs::metadata(like)?.permissions());
            file.as_file().set_permissions(mode)?;
            file.persist(to)?;
            Ok(())
        })
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
        self.put(below, |folder, to| {
            let mut file = temporary_in(folder)?;
            io::copy(&mut source, file.as_file_mut())?;
            file.as_file()
                .set_permissions(plain_mode(metadata.permissions()))?;
            file.as_file().set_modified(metadata.modified()?)?;
            file.persist(to)?;
            Ok(())
        })
    }

    /// Makes a symbolic link that holds the same path as another. What is there is replaced.
    ///
    /// # Errors
    /// As [`NewTree::write`], and where the system has no symbolic links.
    pub fn copy_link(&self, below: &Path, from: &Path) -> Result<(), Error> {
        let target =
            fs::read_link(from).map_err(|error| Error::new(from, ErrorKind::Read(error)))?;
        self.put(below, |folder, to| {
            let link = builder().make_in(folder, |path| symlink(&target, path))?;
            link.into_temp_path().persist(to)?;
            Ok(())
        })
    }

    /// Makes the folders that lead to a place, and lets `write` fill it.
    fn put(
        &self,
        below: &Path,
        write: impl FnOnce(&Path, &Path) -> io::Result<()>,
    ) -> Result<(), Error> {
        let to = self.folder.join(below);
        let mut folder = self.folder.clone();
        for name in below.parent().into_iter().flat_map(Path::components) {
            folder.push(name);
            if folder.is_symlink() {
                return Err(Error::new(folder, ErrorKind::LinkInTheWay));
            }
        }
        let made = fs::create_dir_all(&folder).and_then(|()| write(&folder, &to));
        made.map_err(|error| Error::new(to, ErrorKind::Write(error)))
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

/// The mode without the bits that would let others act as the new owner.
#[cfg(unix)]
fn plain_mode(permissions: Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(permissions.mode() & 0o777)
}

#[cfg(not(unix))]
fn plain_mode(permissions: Permissions) -> Permissions {
    permissions
}

#[cfg(test)]
mod tests {
    use super::super::replace;
    use super::*;

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
        assert_eq!(replace(&from, b"new").unwrap(), 0);
        fs::hard_link(&from, folder.path().join("second")).unwrap();
        assert_eq!(replace(&from, b"newer").unwrap(), 1);
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
}
