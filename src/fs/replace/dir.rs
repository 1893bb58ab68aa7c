//! Directories that are open. What is done in one of them is done there, wherever its path leads by then: whoever may
//! write beside it could otherwise put a symbolic link in its place between a look and a step.
//!
//! Where the system has no such handles, paths take their place, and that moment is left.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::stamp::{Access, Kind, Stamp};
#[cfg(not(unix))]
use super::system_by_path as system;
#[cfg(unix)]
use super::system_unix as system;

/// A directory that is open.
#[derive(Debug)]
pub(in crate::fs) struct Dir {
    /// What it was called when it was opened.
    path: PathBuf,
    handle: system::Handle,
}

impl Dir {
    /// Opens the directory that a path leads to.
    pub(in crate::fs) fn open(path: &Path) -> io::Result<Self> {
        let handle = system::open(path)?;
        let path = path.to_owned();
        Ok(Self { path, handle })
    }

    /// The same for an absolute path without symbolic links, of which it may have become one meanwhile.
    pub(in crate::fs) fn open_real(path: &Path) -> io::Result<Self> {
        let handle = system::open_real(path)?;
        let path = path.to_owned();
        Ok(Self { path, handle })
    }

    /// Opens a directory in this one; fails where there is anything else, be it a link to a directory.
    pub(in crate::fs) fn child(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.path.join(name);
        let handle = system::child(&self.handle, name)?;
        Ok(Self { path, handle })
    }

    /// What it was called when it was opened.
    pub(in crate::fs) fn path(&self) -> &Path {
        &self.path
    }

    pub(in crate::fs) fn stamp(&self) -> io::Result<Stamp> {
        system::stamp(&self.handle)
    }

    /// What is known of a name in it; `None` where there is nothing.
    pub(in crate::fs) fn stamp_of(&self, name: &OsStr) -> io::Result<Option<Stamp>> {
        match system::stamp_of(&self.handle, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        }
    }

    /// Whether there is something of this name, be it a link that leads nowhere.
    pub(in crate::fs) fn has(&self, name: &OsStr) -> bool {
        matches!(self.stamp_of(name), Ok(Some(_)))
    }

    /// Opens a regular file, without waiting for whoever holds the other end of a pipe. `InvalidInput` means that it
    /// is none.
    pub(in crate::fs) fn file(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let not_a_file = || io::Error::from(io::ErrorKind::InvalidInput);
        // To open a device may do something.
        match self.stamp_of(name)? {
            Some(stamp) if stamp.kind != Kind::File => return Err(not_a_file()),
            None if access != Access::Create => return Err(io::ErrorKind::NotFound.into()),
            _ => {}
        }
        let file = system::file(&self.handle, name, access)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(not_a_file()),
        }
    }

    /// Creates a file that was not there.
    pub(in crate::fs) fn create_new(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        system::create_new(&self.handle, name, mode)
    }

    /// Makes a directory that was not there.
    pub(in crate::fs) fn make(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        system::make(&self.handle, name, mode)
    }

    /// Renames something, also onto something else.
    pub(in crate::fs) fn rename(&self, from: &OsStr, to: &Self, name: &OsStr) -> io::Result<()> {
        system::rename(&self.handle, from, &to.handle, name)
    }

    /// Renames something, and never onto something else. Where the system has no such renaming, it is looked first
    /// whether something is there.
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

    /// Gives a file a second name.
    pub(in crate::fs) fn link(&self, from: &OsStr, to: &Self, name: &OsStr) -> io::Result<()> {
        system::link(&self.handle, from, &to.handle, name)
    }

    /// Makes a symbolic link.
    pub(in crate::fs) fn symlink(&self, target: &Path, name: &OsStr) -> io::Result<()> {
        system::symlink(target, &self.handle, name)
    }

    pub(in crate::fs) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        system::remove_file(&self.handle, name)
    }

    pub(in crate::fs) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        system::remove_dir(&self.handle, name)
    }

    /// Gives the directory itself a mode, where there are such.
    pub(in crate::fs) fn set_mode(&self, mode: u32) -> io::Result<()> {
        system::set_mode(&self.handle, mode)
    }

    /// The names in it.
    #[cfg(feature = "serde")]
    pub(in crate::fs) fn names(&self) -> io::Result<Vec<OsString>> {
        system::names(&self.handle)
    }

    /// Puts its names on the disk: a rename is lasting then.
    pub(in crate::fs) fn sync(&self) -> io::Result<()> {
        system::sync(&self.handle)
    }
}

/// What is known of a file that is open.
pub(in crate::fs) fn stamp_of_file(file: &File) -> io::Result<Stamp> {
    system::stamp_of_file(file)
}
