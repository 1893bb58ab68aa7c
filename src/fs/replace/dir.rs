//! Directories that are open. What is done in one of them is done there, wherever its path leads by then: whoever may
//! write beside it could otherwise put a symbolic link in its place between a look and a step.
//!
//! Where the system has no such handles, paths take their place, and that moment is left.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use self::unix as system;

#[cfg(not(unix))]
use self::by_path as system;

/// A directory that is open.
#[derive(Debug)]
pub(in crate::fs) struct Dir {
    /// What it was called when it was opened.
    path: PathBuf,
    handle: system::Handle,
}

/// What there is under a name. Symbolic links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// What is known of a file or a directory without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) struct Stamp {
    pub(in crate::fs) kind: Kind,
    /// The device and the inode, where there are such.
    pub(in crate::fs) identity: Option<(u64, u64)>,
    pub(in crate::fs) owner: u32,
    pub(in crate::fs) mode: u32,
    pub(in crate::fs) len: u64,
    /// The time of modification.
    time: (i64, i64),
}

impl Stamp {
    /// Whether the same file has most probably the same content.
    #[cfg(feature = "serde")]
    pub(in crate::fs) fn is_same_content(&self, other: &Self) -> bool {
        (self.kind, self.identity, self.len, self.time)
            == (other.kind, other.identity, other.len, other.time)
    }
}

/// How a file that is there is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) enum Access {
    Read,
    ReadWrite,
    /// It is created, for its owner alone, if it is not there.
    Create,
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

#[cfg(unix)]
mod unix {
    use super::*;
    use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
    use std::os::fd::OwnedFd;

    pub(super) type Handle = OwnedFd;

    /// To pass through a directory, its names need not be readable.
    #[cfg(target_os = "linux")]
    const PASS: OFlags = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    const PASS: OFlags = OFlags::RDONLY;

    const DIRECTORY: OFlags = PASS.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    pub(super) fn open(path: &Path) -> io::Result<Handle> {
        Ok(rustix::fs::open(path, DIRECTORY, Mode::empty())?)
    }

    #[cfg(target_os = "linux")]
    pub(super) fn open_real(path: &Path) -> io::Result<Handle> {
        use std::path::Component;
        let mut handle = open(Path::new("/"))?;
        for component in path.components() {
            if let Component::Normal(name) = component {
                handle = child(&handle, name)?;
            }
        }
        Ok(handle)
    }

    /// Elsewhere nobody passes a directory whose names may not be read.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn open_real(path: &Path) -> io::Result<Handle> {
        let flags = DIRECTORY | OFlags::NOFOLLOW;
        Ok(rustix::fs::open(path, flags, Mode::empty())?)
    }

    pub(super) fn child(dir: &Handle, name: &OsStr) -> io::Result<Handle> {
        let flags = DIRECTORY | OFlags::NOFOLLOW;
        Ok(rustix::fs::openat(dir, name, flags, Mode::empty())?)
    }

    fn of(stat: &Stat) -> Stamp {
        Stamp {
            kind: match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => Kind::File,
                FileType::Directory => Kind::Directory,
                FileType::Symlink => Kind::Link,
                _ => Kind::Other,
            },
            #[allow(clippy::unnecessary_cast)] // The types are not the same on all systems.
            identity: Some((stat.st_dev as u64, stat.st_ino as u64)),
            owner: stat.st_uid,
            #[allow(clippy::unnecessary_cast)]
            mode: stat.st_mode as u32 & 0o7777,
            len: stat.st_size as u64,
            #[allow(clippy::unnecessary_cast)]
            time: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        }
    }

    pub(super) fn stamp(dir: &Handle) -> io::Result<Stamp> {
        Ok(of(&rustix::fs::fstat(dir)?))
    }

    pub(super) fn stamp_of(dir: &Handle, name: &OsStr) -> io::Result<Stamp> {
        let stat = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(of(&stat))
    }

    pub(super) fn stamp_of_file(file: &File) -> io::Result<Stamp> {
        Ok(of(&rustix::fs::fstat(file)?))
    }

    pub(super) fn file(dir: &Handle, name: &OsStr, access: Access) -> io::Result<File> {
        let flags = match access {
            Access::Read => OFlags::RDONLY,
            Access::ReadWrite => OFlags::RDWR,
            Access::Create => OFlags::RDWR | OFlags::CREATE,
        };
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(rustix::fs::openat(dir, name, flags, mode)?.into())
    }

    #[allow(clippy::unnecessary_cast)]
    fn mode_of(mode: u32) -> Mode {
        Mode::from_raw_mode(mode as rustix::fs::RawMode)
    }

    pub(super) fn create_new(dir: &Handle, name: &OsStr, mode: u32) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(dir, name, flags, mode_of(mode))?.into())
    }

    pub(super) fn make(dir: &Handle, name: &OsStr, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(dir, name, mode_of(mode))?)
    }

    pub(super) fn rename(dir: &Handle, from: &OsStr, to: &Handle, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(dir, from, to, name)?)
    }

    #[cfg(target_os = "linux")]
    pub(super) fn rename_noreplace(
        dir: &Handle,
        from: &OsStr,
        to: &Handle,
        name: &OsStr,
    ) -> Option<io::Result<()>> {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(dir, from, to, name, RenameFlags::NOREPLACE) {
            Ok(()) => Some(Ok(())),
            // Not every file system knows it.
            Err(Errno::INVAL | Errno::NOSYS) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn rename_noreplace(
        _: &Handle,
        _: &OsStr,
        _: &Handle,
        _: &OsStr,
    ) -> Option<io::Result<()>> {
        None
    }

    pub(super) fn link(dir: &Handle, from: &OsStr, to: &Handle, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::linkat(dir, from, to, name, AtFlags::empty())?)
    }

    pub(super) fn symlink(target: &Path, dir: &Handle, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, dir, name)?)
    }

    pub(super) fn remove_file(dir: &Handle, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(dir, name, AtFlags::empty())?)
    }

    pub(super) fn remove_dir(dir: &Handle, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)?)
    }

    pub(super) fn set_mode(dir: &Handle, mode: u32) -> io::Result<()> {
        // The name is one in itself: a handle that only passes takes no mode.
        let mode = mode_of(mode);
        Ok(rustix::fs::chmodat(dir, ".", mode, AtFlags::empty())?)
    }

    #[cfg(feature = "serde")]
    pub(super) fn names(dir: &Handle) -> io::Result<Vec<OsString>> {
        use std::os::unix::ffi::OsStringExt;
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::new(readable(dir)?)? {
            let name = entry?.file_name().to_bytes().to_vec();
            if name != b"." && name != b".." {
                names.push(OsString::from_vec(name));
            }
        }
        Ok(names)
    }

    pub(super) fn sync(dir: &Handle) -> io::Result<()> {
        Ok(rustix::fs::fsync(readable(dir)?)?)
    }

    /// The same directory, opened for more than to pass.
    fn readable(dir: &Handle) -> io::Result<Handle> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(dir, ".", flags, Mode::empty())?)
    }
}

#[cfg(not(unix))]
mod by_path {
    use super::*;
    use std::fs::{self, Metadata, OpenOptions};
    use std::time::UNIX_EPOCH;

    pub(super) type Handle = PathBuf;

    pub(super) fn open(path: &Path) -> io::Result<Handle> {
        match fs::metadata(path)?.is_dir() {
            true => Ok(path.to_owned()),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn open_real(path: &Path) -> io::Result<Handle> {
        open(path)
    }

    pub(super) fn child(dir: &Handle, name: &OsStr) -> io::Result<Handle> {
        let path = dir.join(name);
        match fs::symlink_metadata(&path)?.is_dir() {
            true => Ok(path),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn of(metadata: &Metadata) -> Stamp {
        let time = metadata.modified().ok();
        let time = time.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
        let time = time.unwrap_or_default();
        Stamp {
            kind: match metadata.file_type() {
                it if it.is_file() => Kind::File,
                it if it.is_dir() => Kind::Directory,
                it if it.is_symlink() => Kind::Link,
                _ => Kind::Other,
            },
            identity: None,
            owner: 0,
            mode: 0,
            len: metadata.len(),
            time: (
                i64::try_from(time.as_secs()).unwrap_or_default(),
                i64::from(time.subsec_nanos()),
            ),
        }
    }

    pub(super) fn stamp(dir: &Handle) -> io::Result<Stamp> {
        fs::metadata(dir).map(|it| of(&it))
    }

    pub(super) fn stamp_of(dir: &Handle, name: &OsStr) -> io::Result<Stamp> {
        fs::symlink_metadata(dir.join(name)).map(|it| of(&it))
    }

    pub(super) fn stamp_of_file(file: &File) -> io::Result<Stamp> {
        file.metadata().map(|it| of(&it))
    }

    pub(super) fn file(dir: &Handle, name: &OsStr, access: Access) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(access != Access::Read);
        let options = options.create(access == Access::Create).truncate(false);
        options.open(dir.join(name))
    }

    pub(super) fn create_new(dir: &Handle, name: &OsStr, _: u32) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        options.open(dir.join(name))
    }

    pub(super) fn make(dir: &Handle, name: &OsStr, _: u32) -> io::Result<()> {
        fs::create_dir(dir.join(name))
    }

    pub(super) fn rename(dir: &Handle, from: &OsStr, to: &Handle, name: &OsStr) -> io::Result<()> {
        fs::rename(dir.join(from), to.join(name))
    }

    pub(super) fn rename_noreplace(
        _: &Handle,
        _: &OsStr,
        _: &Handle,
        _: &OsStr,
    ) -> Option<io::Result<()>> {
        None
    }

    pub(super) fn link(dir: &Handle, from: &OsStr, to: &Handle, name: &OsStr) -> io::Result<()> {
        fs::hard_link(dir.join(from), to.join(name))
    }

    pub(super) fn symlink(_: &Path, _: &Handle, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn remove_file(dir: &Handle, name: &OsStr) -> io::Result<()> {
        fs::remove_file(dir.join(name))
    }

    pub(super) fn remove_dir(dir: &Handle, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(dir.join(name))
    }

    pub(super) fn set_mode(_: &Handle, _: u32) -> io::Result<()> {
        Ok(())
    }

    #[cfg(feature = "serde")]
    pub(super) fn names(dir: &Handle) -> io::Result<Vec<OsString>> {
        let entries = fs::read_dir(dir)?;
        entries.map(|it| it.map(|it| it.file_name())).collect()
    }

    pub(super) fn sync(_: &Handle) -> io::Result<()> {
        Ok(())
    }
}
