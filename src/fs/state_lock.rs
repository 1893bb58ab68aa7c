//! The lock of the directory with the state of a run.

use std::fs::{File, TryLockError};
use std::io;
use std::sync::Arc;

use super::replace::dir::{Dir, stamp_of_file};
use super::replace::stamp::{Access, Stamp};

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
}

/// The lock of a directory. Its file is removed on drop.
#[derive(Debug)]
pub(super) struct StateLock {
    dir: Arc<Dir>,
    /// The lock is held while this file is open.
    _file: File,
}

impl LockFile {
    /// Opens the file, and creates it if it does not exist. Fails with `NotFound` if another run removed the directory, and
    /// with `InvalidInput` if it is not a file.
    pub(super) fn open(dir: &Arc<Dir>) -> io::Result<Self> {
        let file = dir.file(LOCK.as_ref(), Access::Create)?;
        let dir = dir.clone();
        Ok(Self { dir, file })
    }

    pub(super) fn stamp(&self) -> io::Result<Stamp> {
        stamp_of_file(&self.file)
    }

    /// Locks the file, without waiting.
    pub(super) fn lock(self) -> io::Result<Attempt> {
        let Self { dir, file } = self;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Attempt::Busy),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        match dir.names_file(LOCK.as_ref(), &file) {
            true => Ok(Attempt::Locked(StateLock { dir, _file: file })),
            false => Ok(Attempt::Removed),
        }
    }
}

impl StateLock {
    /// Locks a directory. `None` if another run is active there.
    #[cfg(feature = "unpack")]
    pub(super) fn of(dir: &Arc<Dir>) -> io::Result<Option<Self>> {
        for _ in 0..TRIES {
            match LockFile::open(dir)?.lock()? {
                Attempt::Locked(lock) => return Ok(Some(lock)),
                Attempt::Busy => return Ok(None),
                Attempt::Removed => {}
            }
        }
        Ok(None)
    }
}

impl Drop for StateLock {
    fn drop(&mut self) {
        // Removed while locked: a process that opens it meanwhile detects that it was removed.
        let _: io::Result<()> = self.dir.remove_file(LOCK.as_ref());
    }
}
