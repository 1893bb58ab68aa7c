//! Open directories. Operations in an open directory are not affected by later changes of its path.
//! Otherwise another user with write access to a parent could replace it with a symbolic link
//! between a check and an operation.
//!
//! On systems without such handles, paths are used, and that race remains.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::stamp::{Access, Kind, Stamp};
#[cfg(not(unix))]
use super::system_by_path as system;
#[cfg(unix)]
use super::system_unix as system;

/// An open directory.
#[derive(Debug)]
pub(in crate::fs) struct Dir {
    /// The path when it was opened.
    path: PathBuf,
    handle: system::Handle,
}

impl Dir {
    /// Opens the directory at a path.
    pub(in crate::fs) fn open(path: &Path) -> io::Result<Self> {
        let handle = system::open(path)?;
        let path = path.to_owned();
        Ok(Self { path, handle })
    }

    /// Opens the directory at an absolute path that had no symbolic links; fails if it has now.
    pub(in crate::fs) fn open_real(path: &Path) -> io::Result<Self> {
        let handle = system::open_real(path)?;
        let path = path.to_owned();
        Ok(Self { path, handle })
    }

    /// Opens a subdirectory. Fails for anything else, even a symbolic link to a directory.
    pub(in crate::fs) fn child(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.path.join(name);
        let handle = system::child(&self.handle, name)?;
        Ok(Self { path, handle })
    }

    /// The path when it was opened.
    pub(in crate::fs) fn path(&self) -> &Path {
        &self.path
    }

    pub(in crate::fs) fn stamp(&self) -> io::Result<Stamp> {
        system::stamp(&self.handle)
    }

    /// The metadata of a name. `None` if it does not exist.
    pub(in crate::fs) fn stamp_of(&self, name: &OsStr) -> io::Result<Option<Stamp>> {
        match system::stamp_of(&self.handle, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        }
    }

    /// Returns true if the name exists, even as a broken symbolic link.
    pub(in crate::fs) fn has(&self, name: &OsStr) -> bool {
        matches!(self.stamp_of(name), Ok(Some(_)))
    }

    /// Returns true if the name is that of this open file.
    pub(in crate::fs) fn names_file(&self, name: &OsStr, file: &File) -> bool {
        match (self.stamp_of(name), stamp_of_file(file)) {
            (Ok(Some(there)), Ok(known)) => {
                there.kind == Kind::File && there.identity == known.identity
            }
            _ => false,
        }
    }

    /// Opens a regular file; never blocks on a pipe. Fails with `InvalidInput` for other files.
    pub(in crate::fs) fn file(&self, name: &OsStr, access: Access) -> io::Result<File> {
        // Opening a device may have side effects.
        match self.stamp_of(name)? {
            Some(stamp) if stamp.kind != Kind::File => {
                return Err(io::ErrorKind::InvalidInput.into());
            }
            None if access != Access::Create => return Err(io::ErrorKind::NotFound.into()),
            _ => {}
        }
        self.opened(name, access).map(|(file, _)| file)
    }

    /// Opens a file for reading that was a regular one when its metadata was read. Fails with
    /// `InvalidInput` if it is another one now.
    pub(in crate::fs) fn known_file(&self, name: &OsStr) -> io::Result<(File, Metadata)> {
        self.opened(name, Access::Read)
    }

    fn opened(&self, name: &OsStr, access: Access) -> io::Result<(File, Metadata)> {
        let file = system::file(&self.handle, name, access)?;
        let metadata = file.metadata()?;
        match metadata.is_file() {
            true => Ok((file, metadata)),
            false => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// Creates a file that must not exist.
    pub(in crate::fs) fn create_new(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        system::create_new(&self.handle, name, mode)
    }

    /// Creates a file without a name, if the system and the file system can.
    pub(super) fn create_nameless(&self, mode: u32) -> io::Result<File> {
        system::create_nameless(&self.handle, mode)
    }

    /// Creates a directory that must not exist.
    pub(in crate::fs) fn make(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        system::make(&self.handle, name, mode)
    }

    /// Renames an entry, and replaces an existing one.
    pub(in crate::fs) fn rename(&self, from: &OsStr, to: &Self, name: &OsStr) -> io::Result<()> {
        system::rename(&self.handle, from, &to.handle, name)
    }

    /// Renames an entry; fails if the target exists. On systems without an atomic operation, the
    /// target is checked first.
    pub(in crate::fs) fn rename_noreplace(
        &self,
        from: &OsStr,
        to: &Self,
        name: &OsStr,
    ) -> io::Result<()> {
        if let Some(done) = system::rename_noreplace(&self.handle, from, &to.handle, name) {
            return done;
        }
        if to.has(name) {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists));
        }
        self.rename(from, to, name)
    }

    /// Creates a hard link.
    pub(in crate::fs) fn link(&self, from: &OsStr, to: &Self, name: &OsStr) -> io::Result<()> {
        system::link(&self.handle, from, &to.handle, name)
    }

    /// Creates a symbolic link.
    pub(in crate::fs) fn symlink(&self, target: &Path, name: &OsStr) -> io::Result<()> {
        system::symlink(target, &self.handle, name)
    }

    pub(in crate::fs) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        system::remove_file(&self.handle, name)
    }

    pub(in crate::fs) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        system::remove_dir(&self.handle, name)
    }

    /// Sets the mode of the directory itself, on systems with modes.
    pub(in crate::fs) fn set_mode(&self, mode: u32) -> io::Result<()> {
        system::set_mode(&self.handle, mode)
    }

    /// The names in the directory.
    pub(in crate::fs) fn names(&self) -> io::Result<Vec<OsString>> {
        system::names(&self.handle)
    }

    /// Syncs the directory to disk, which makes renames durable.
    pub(in crate::fs) fn sync(&self) -> io::Result<()> {
        system::sync(&self.handle)
    }
}

/// The metadata of an open file.
pub(in crate::fs) fn stamp_of_file(file: &File) -> io::Result<Stamp> {
    file.metadata().map(|it| stamp_of_metadata(&it))
}

/// The metadata of an open file, as the standard library has it.
pub(in crate::fs) fn stamp_of_metadata(metadata: &Metadata) -> Stamp {
    system::stamp_of_metadata(metadata)
}
