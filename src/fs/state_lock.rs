//! The lock of the directory for the state of a run.

use std::fs::{File, TryLockError};
use std::io;
use std::sync::Arc;

use super::journal::{LOCK, TRIES};
use super::replace::dir::Dir;
use super::replace::stamp::Access;

/// The lock of a directory with the state of a run: that of a journal, so that no run edits files there. It is removed on drop.
#[derive(Debug)]
pub(super) struct StateLock {
    dir: Arc<Dir>,
    /// The lock is held while this file is open.
    _file: File,
}

impl StateLock {
    /// Locks a directory. `None` if another run is active there. File systems without locks have none.
    pub(super) fn of(dir: &Arc<Dir>) -> io::Result<Option<Self>> {
        for _ in 0..TRIES {
            let file = dir.file(LOCK.as_ref(), Access::Create)?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                return Ok(None);
            }
            // Another process may have removed it before this one locked it.
            if dir.names_file(LOCK.as_ref(), &file) {
                let dir = dir.clone();
                return Ok(Some(Self { dir, _file: file }));
            }
        }
        Ok(None)
    }
}

impl Drop for StateLock {
    fn drop(&mut self) {
        // Removed while locked: a process that opens it meanwhile detects that it was replaced.
        let _: io::Result<()> = self.dir.remove_file(LOCK.as_ref());
    }
}
