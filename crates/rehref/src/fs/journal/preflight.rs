//! Checks for errors that the system would return during a run, without writing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::root::Root;
use crate::error::{Error, ErrorKind};
use crate::fs::directory_of;
use crate::fs::walk::device;

/// The place and metadata of a file that may be edited.
pub(super) fn editable(root: &Root, path: &Path) -> Result<(PathBuf, fs::Metadata), Error> {
    let path = root.file(path)?;
    let full = root.directory().join(&path);
    let metadata =
        fs::metadata(&full).map_err(|error| Error::new(&full, ErrorKind::Read(error)))?;
    if !metadata.is_file() {
        return Err(Error::new(full, ErrorKind::NotAFile));
    }
    if metadata.permissions().readonly() {
        return Err(Error::new(full, ErrorKind::ReadOnly));
    }
    if let Err(error) = is_writable(directory_of(&full)) {
        return Err(Error::new(full, ErrorKind::Write(error)));
    }
    Ok((path, metadata))
}

/// Checks that names in the directory may be changed.
#[cfg(unix)]
pub(in crate::fs) fn is_writable(directory: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    let allowed = access(directory, Access::WRITE_OK | Access::EXEC_OK);
    allowed.map_err(io::Error::from)
}

#[cfg(not(unix))]
pub(in crate::fs) fn is_writable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The maximum length of a file name on nearly all file systems, in bytes.
const LONGEST_NAME: usize = 255;

/// Checks that the file systems of today allow the name of a new file.
pub(super) fn may_be_named(path: &Path) -> io::Result<()> {
    match path.iter().any(|name| name.len() > LONGEST_NAME) {
        true => Err(io::Error::from(io::ErrorKind::InvalidFilename)),
        false => Ok(()),
    }
}

/// Checks that a path below `root` may be renamed to another.
pub(super) fn may_move(root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    may_be_named(to)?;
    let (from, to) = (root.join(from), root.join(to));
    // Missing directories are created in the innermost existing one.
    let there = to.ancestors().skip(1).find(|directory| directory.is_dir());
    let (from, to) = (directory_of(&from), there.unwrap_or(root));
    if device(&fs::metadata(from)?) != device(&fs::metadata(to)?) {
        return Err(io::Error::from(io::ErrorKind::CrossesDevices));
    }
    is_writable(from)?;
    is_writable(to)
}
