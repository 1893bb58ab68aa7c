//! Operations in directories, by path, for systems without directory handles.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::stamp::{Access, Kind, Stamp};

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

pub(super) fn stamp_of_metadata(metadata: &Metadata) -> Stamp {
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
        time: (i64::try_from(time.as_secs()).unwrap_or_default(), i64::from(time.subsec_nanos())),
    }
}

pub(super) fn stamp(dir: &Handle) -> io::Result<Stamp> {
    fs::metadata(dir).map(|it| stamp_of_metadata(&it))
}

pub(super) fn stamp_of(dir: &Handle, name: &OsStr) -> io::Result<Stamp> {
    fs::symlink_metadata(dir.join(name)).map(|it| stamp_of_metadata(&it))
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

pub(super) fn create_nameless(_: &Handle, _: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
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

pub(super) fn names(dir: &Handle) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(dir)?;
    entries.map(|it| it.map(|it| it.file_name())).collect()
}

pub(super) fn sync(_: &Handle) -> io::Result<()> {
    Ok(())
}
