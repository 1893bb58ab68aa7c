//! What the system would refuse amid a run, as far as that can be known without writing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::root::Root;
use crate::error::{Error, ErrorKind};
use crate::fs::replace::folder_of;

/// The place of a file that may be edited, and what is known of it.
pub(super) fn editable(root: &Root, path: &Path) -> Result<(PathBuf, fs::Metadata), Error> {
    let path = root.file(path)?;
    let full = root.folder().join(&path);
    let metadata =
        fs::metadata(&full).map_err(|error| Error::new(&full, ErrorKind::Read(error)))?;
    if !metadata.is_file() {
        return Err(Error::new(full, ErrorKind::NotAFile));
    }
    if metadata.permissions().readonly() {
        return Err(Error::new(full, ErrorKind::ReadOnly));
    }
    if let Err(error) = is_writable(folder_of(&full)) {
        return Err(Error::new(full, ErrorKind::Write(error)));
    }
    Ok((path, metadata))
}

/// Whether names in the folder may be changed, as far as that can be known before.
#[cfg(unix)]
pub(super) fn is_writable(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    let allowed = access(folder, Access::WRITE_OK | Access::EXEC_OK);
    allowed.map_err(io::Error::from)
}

#[cfg(not(unix))]
pub(super) fn is_writable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The longest name of a file, in bytes, on nearly all file systems.
const LONGEST_NAME: usize = 255;

/// Whether what lies at one path below `root` may be renamed to another, as far as that can be said beforehand.
pub(super) fn may_move(root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    if to.iter().any(|name| name.len() > LONGEST_NAME) {
        return Err(io::Error::from(io::ErrorKind::InvalidFilename));
    }
    let (from, to) = (root.join(from), root.join(to));
    // Folders that are missing are made in the innermost that is there.
    let there = to.ancestors().skip(1).find(|folder| folder.is_dir());
    let (from, to) = (folder_of(&from), there.unwrap_or(root));
    if device(&fs::metadata(from)?) != device(&fs::metadata(to)?) {
        return Err(io::Error::from(io::ErrorKind::CrossesDevices));
    }
    is_writable(from)?;
    is_writable(to)
}

/// The file system that something lies on.
#[cfg(unix)]
fn device(metadata: &fs::Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::dev(metadata))
}

#[cfg(not(unix))]
fn device(_: &fs::Metadata) -> Option<u64> {
    None
}
