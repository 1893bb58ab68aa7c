//! The lock of the directory with the state of a run.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::replace::dir::{Dir, stamp_of_file};
use super::replace::stamp::{Access, Stamp};
use crate::error::{Error, ErrorKind};

/// The number of attempts to lock, in case another run removes the lock at the same time.
pub(super) const TRIES: usize = 16;

/// The name of the lock. It exists while a run is active.
pub(super) const LOCK: &str = "lock";

/// The file of the lock, not locked yet.
pub(super) struct LockFile {
    dir: Arc<Dir>,
    file: File,
}

/// The result of an attempt to lock.
pub(super) enum Attempt {
    Locked(StateLock),
    /// Another run is active.
    Busy,
    /// Another run removed the file before it was locked.
    Removed,
    /// The file system has no locks, or refused this one. The file exists nevertheless.
    Refused(StateLock, io::Error),
}

/// The lock of a directory. Its file is removed on drop.
#[derive(Debug)]
pub(super) struct StateLock {
    dir: Arc<Dir>,
    /// The lock is held while this file is open.
    _file: File,
}

impl LockFile {
    /// Opens the file, and creates it if it does not exist. Fails with `NotFound` if another run
    /// removed the directory, and with `InvalidInput` if it is not a file.
    pub(super) fn open(dir: &Arc<Dir>) -> io::Result<Self> {
        let file = dir.file(LOCK.as_ref(), Access::Create)?;
        let dir = dir.clone();
        Ok(Self { dir, file })
    }

    pub(super) fn stamp(&self) -> io::Result<Stamp> {
        stamp_of_file(&self.file)
    }

    /// Locks the file, without waiting.
    pub(super) fn lock(self) -> Attempt {
        let Self { dir, file } = self;
        let error = match file.try_lock() {
            Ok(()) => None,
            Err(TryLockError::WouldBlock) => return Attempt::Busy,
            Err(TryLockError::Error(error)) => Some(error),
        };
        if !dir.names_file(LOCK.as_ref(), &file) {
            return Attempt::Removed;
        }
        let lock = StateLock { dir, _file: file };
        match error {
            None => Attempt::Locked(lock),
            Some(error) => Attempt::Refused(lock, error),
        }
    }
}

impl StateLock {
    /// Locks a directory. `None` if another run is active there. File systems without locks have
    /// none.
    pub(super) fn of(dir: &Arc<Dir>) -> io::Result<Option<Self>> {
        for _ in 0..TRIES {
            match LockFile::open(dir)?.lock() {
                Attempt::Locked(lock) | Attempt::Refused(lock, _) => return Ok(Some(lock)),
                Attempt::Busy => return Ok(None),
                Attempt::Removed => {}
            }
        }
        Ok(None)
    }
}

/// The error if the file cannot be opened in this directory.
pub(super) fn error_of_lock(directory: &Path, error: io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::InvalidInput => ErrorKind::NotAFile,
        _ => ErrorKind::Write(error),
    };
    Error::new(directory.join(LOCK), kind)
}

impl Drop for StateLock {
    fn drop(&mut self) {
        // Removed while locked: a process that opens it meanwhile detects that it was removed.
        let _: io::Result<()> = self.dir.remove_file(LOCK.as_ref());
    }
}
