//! Operations in open directories, by handle.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};

use super::stamp::{Access, Kind, Stamp};

pub(super) type Handle = OwnedFd;

/// Searching a directory does not require reading its names.
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

/// Other systems require that the directory is readable.
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

pub(super) fn stamp_of_metadata(metadata: &Metadata) -> Stamp {
    Stamp {
        kind: match metadata.file_type() {
            it if it.is_file() => Kind::File,
            it if it.is_dir() => Kind::Directory,
            it if it.is_symlink() => Kind::Link,
            _ => Kind::Other,
        },
        identity: Some((metadata.dev(), metadata.ino())),
        owner: metadata.uid(),
        mode: metadata.mode() & 0o7777,
        len: metadata.len(),
        time: (metadata.mtime(), metadata.mtime_nsec()),
    }
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
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(dir, name, flags, mode_of(mode))?.into())
}

#[cfg(target_os = "linux")]
pub(super) fn create_nameless(dir: &Handle, mode: u32) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(dir, ".", flags, mode_of(mode))?.into())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn create_nameless(_: &Handle, _: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
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
        // Some file systems do not support it.
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
    // Uses the name `.`, since the mode of a search-only handle cannot be changed.
    let mode = mode_of(mode);
    Ok(rustix::fs::chmodat(dir, ".", mode, AtFlags::empty())?)
}

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

/// Opens the directory again, for reading.
fn readable(dir: &Handle) -> io::Result<Handle> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(dir, ".", flags, Mode::empty())?)
}
