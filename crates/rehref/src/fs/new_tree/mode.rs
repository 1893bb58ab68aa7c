//! Modes of files and directories.

use std::fs::{File, Metadata};
use std::io;
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

use crate::fs::replace::dir::Dir;
#[cfg(unix)]
use crate::fs::replace::dir::stamp_of_file;
use crate::fs::replace::stamp::Stamp;

/// The permissions of a file or directory.
#[cfg(unix)]
pub(super) type Mode = u32;

/// Returns true if it is read-only.
#[cfg(not(unix))]
pub(super) type Mode = bool;

/// The mode without the setuid and setgid bits.
#[cfg(unix)]
pub(super) fn plain_mode(metadata: &Metadata) -> Mode {
    std::os::unix::fs::MetadataExt::mode(metadata) & 0o777
}

#[cfg(not(unix))]
pub(super) fn plain_mode(metadata: &Metadata) -> Mode {
    metadata.permissions().readonly()
}

#[cfg(unix)]
pub(super) fn set_mode(file: &File, mode: Mode) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
pub(super) fn set_mode(file: &File, mode: Mode) -> io::Result<()> {
    if mode {
        let mut permissions = file.metadata()?.permissions();
        permissions.set_readonly(true);
        file.set_permissions(permissions)?;
    }
    Ok(())
}

/// Returns true if a new directory has its final mode.
#[cfg(unix)]
pub(super) fn has_mode(stamp: &Stamp, mode: Mode) -> bool {
    stamp.mode & 0o777 == mode
}

#[cfg(not(unix))]
pub(super) fn has_mode(_: &Stamp, _: Mode) -> bool {
    true
}

#[cfg(unix)]
pub(super) fn set_directory_mode(dir: &Dir, mode: Mode) -> io::Result<()> {
    let is = dir.stamp()?.mode;
    if is & 0o777 == mode {
        return Ok(());
    }
    // Keep the setgid bit that the directory inherited.
    dir.set_mode(is & 0o7000 | mode)
}

#[cfg(not(unix))]
pub(super) fn set_directory_mode(_: &Dir, _: Mode) -> io::Result<()> {
    Ok(())
}

/// The mode for creating a file whose final mode is `mode`.
#[cfg(unix)]
pub(super) fn writable(mode: Mode) -> u32 {
    mode | 0o200
}

#[cfg(not(unix))]
pub(super) fn writable(_: Mode) -> u32 {
    0o666
}

/// The mode for creating a directory in which files can be created, whatever its final mode.
#[cfg(unix)]
pub(super) fn directory_mode(mode: Option<Mode>) -> u32 {
    mode.map_or(0o777, |mode| mode | 0o700)
}

#[cfg(not(unix))]
pub(super) fn directory_mode(_: Option<Mode>) -> u32 {
    0o777
}

/// A mode that the new files of a directory get as demanded, whatever the umask and the access
/// control list of the directory remove from other modes. Examining a file costs less than setting
/// its mode, and most files have one mode.
#[cfg(unix)]
#[derive(Debug, Default)]
pub(super) struct ExactMode(Mutex<Option<Mode>>);

#[cfg(unix)]
impl ExactMode {
    /// Gives a file that was created in the directory, with the mode [`writable`] of this one, its
    /// final mode.
    pub(super) fn give(&self, file: &File, mode: Mode) -> io::Result<()> {
        if writable(mode) == mode {
            let mut exact = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if *exact == Some(mode) {
                return Ok(());
            }
            if stamp_of_file(file)?.mode == mode {
                *exact = Some(mode);
                return Ok(());
            }
        }
        set_mode(file, mode)
    }
}

#[cfg(not(unix))]
#[derive(Debug, Default)]
pub(super) struct ExactMode(());

#[cfg(not(unix))]
impl ExactMode {
    pub(super) fn give(&self, file: &File, mode: Mode) -> io::Result<()> {
        set_mode(file, mode)
    }
}
