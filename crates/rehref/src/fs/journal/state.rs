//! The directory with the state of runs, and its permissions.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use super::root::{Root, STATE};
use crate::error::{Error, ErrorKind};
use crate::fs::replace::Place;
use crate::fs::replace::dir::{Dir, stamp_of_file};
use crate::fs::replace::stamp::{Access, Kind, Stamp};
use crate::fs::replace::temporary::Temporaries;
use crate::fs::state_lock::{Attempt, LOCK, LockFile, StateLock, TRIES, error_of_lock};

/// The plan and progress of the last run.
const JOURNAL: &str = "journal";

/// The plan while it is written.
const DRAFT: &str = "journal.new";

/// Temporary places of moved entries.
const STAGE: &str = "stage";

/// Excludes the directory from git.
const IGNORE: &str = ".gitignore";

/// Private, since the journal contains the content of files that may be private.
const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_DIRECTORY: u32 = 0o700;

/// The locked directory with the state of runs. On drop it is removed if it has no other content.
#[derive(Debug)]
pub(super) struct State {
    root: Root,
    dir: Arc<Dir>,
    current_user: CurrentUser,
    /// `None` once it is released.
    lock: Option<StateLock>,
}

impl State {
    /// Locks the state in a root, if it exists.
    pub(super) fn existing(root: &Root) -> Result<Option<Self>, Error> {
        match root.dir().stamp_of(STATE.as_ref()) {
            Ok(None) => Ok(None),
            Ok(Some(_)) => Self::locked(root).map(Some),
            Err(error) => Err(Error::new(root.state(), ErrorKind::Read(error))),
        }
    }

    /// Opens the state in a root without locking it, if it exists.
    pub(super) fn look(root: &Root) -> Result<Option<Dir>, Error> {
        match root.dir().child(STATE.as_ref()) {
            Ok(dir) => Ok(Some(dir)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            // A symbolic link would move the state elsewhere.
            Err(_) => Err(Error::new(root.state(), ErrorKind::LinkInTheWay)),
        }
    }

    /// Locks the state in a root, and creates it if it does not exist.
    pub(super) fn locked(root: &Root) -> Result<Self, Error> {
        let directory = root.state();
        let refused = |error| Error::new(&directory, ErrorKind::Write(error));
        for _ in 0..TRIES {
            match root.dir().make(STATE.as_ref(), PRIVATE_DIRECTORY) {
                Ok(()) => root.dir().sync().map_err(refused)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refused(error)),
            }
            let Some(dir) = Self::look(root)? else {
                // Another process has just removed it.
                continue;
            };
            let dir = Arc::new(dir);
            let current_user = match CurrentUser::of(&dir) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(refused)?,
            };
            current_user
                .check(&dir.stamp().map_err(refused)?)
                .map_err(|error| Error::new(&directory, ErrorKind::Read(error)))?;
            let file = match LockFile::open(&dir) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(|error| error_of_lock(&directory, error))?,
            };
            let stamp = file.stamp().map_err(refused)?;
            current_user
                .check(&stamp)
                .map_err(|error| Error::new(directory.join(LOCK), ErrorKind::Read(error)))?;
            let lock = match file.lock() {
                Attempt::Locked(lock) => lock,
                Attempt::Busy => break,
                Attempt::Removed => continue,
                Attempt::Refused(lock, error) => {
                    drop(lock);
                    return Err(refused(error));
                }
            };
            // Only for convenience; errors do not matter.
            let ignore = dir.create_new(IGNORE.as_ref(), 0o666);
            let _: io::Result<()> = ignore.and_then(|mut file| file.write_all(b"*\n"));
            return Ok(Self { root: root.clone(), dir, current_user, lock: Some(lock) });
        }
        Err(Error::new(root.directory(), ErrorKind::Busy))
    }

    pub(super) fn dir(&self) -> &Arc<Dir> {
        &self.dir
    }

    /// The path of a file in it, for messages.
    fn path(&self, name: &str) -> PathBuf {
        self.root.state().join(name)
    }

    pub(super) fn journal_path(&self) -> PathBuf {
        self.path(JOURNAL)
    }

    pub(super) fn draft_path(&self) -> PathBuf {
        self.path(DRAFT)
    }

    /// Opens the journal, if it exists, and checks its owner.
    pub(super) fn journal(&self) -> Result<Option<File>, Error> {
        let refused = |error| Error::new(self.journal_path(), ErrorKind::Read(error));
        let Some(file) = journal_in(&self.dir, &self.root, Access::ReadWrite)? else {
            return Ok(None);
        };
        let stamp = stamp_of_file(&file).map_err(refused)?;
        self.current_user.check(&stamp).map_err(refused)?;
        Ok(Some(file))
    }

    /// Opens the journal for reading, without a lock.
    pub(super) fn look_at_journal(root: &Root) -> Result<Option<File>, Error> {
        let dir = Self::look(root)?;
        let file = dir.map(|dir| journal_in(&dir, root, Access::Read));
        file.transpose().map(Option::flatten)
    }

    /// Returns true if a root has a journal that [`State::journal`] would open, though it may be
    /// locked.
    pub(super) fn has_own_journal(root: &Root) -> bool {
        let Ok(Some(dir)) = Self::look(root) else {
            return false;
        };
        let dir = Arc::new(dir);
        let stamps = (dir.stamp(), dir.stamp_of(JOURNAL.as_ref()));
        let (Ok(state), Ok(Some(journal))) = stamps else {
            return false;
        };
        let is_own = |user: CurrentUser| user.check(&state).and_then(|()| user.check(&journal));
        journal.kind == Kind::File && CurrentUser::of(&dir).and_then(is_own).is_ok()
    }

    /// Returns true if a root has an entry with the name of the journal, of any kind and owner, or
    /// if that is unknown.
    pub(super) fn may_have_journal(root: &Root) -> bool {
        match Self::look(root) {
            Ok(Some(dir)) => !matches!(dir.stamp_of(JOURNAL.as_ref()), Ok(None)),
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// Returns true if this file is the current journal of the root.
    pub(super) fn has_journal(&self, file: &File) -> bool {
        let dir = self.root.dir().child(STATE.as_ref());
        dir.is_ok_and(|dir| dir.names_file(JOURNAL.as_ref(), file))
    }

    /// Creates the draft of a journal.
    pub(super) fn draft(&self) -> io::Result<Draft> {
        Ok(Draft {
            file: self.dir.create_new(DRAFT.as_ref(), PRIVATE_FILE)?,
            dir: self.dir.clone(),
            is_whole: false,
        })
    }

    /// Temporary places of moved entries.
    pub(super) fn stage(&self) -> Stage {
        Stage { state: self.dir.clone(), path: self.path(STAGE), dir: None }
    }

    /// Removes the incomplete draft of a killed run.
    pub(super) fn remove_draft(&self) -> Result<(), Error> {
        self.remove_if_present(DRAFT, Dir::remove_file)
    }

    /// Removes the stage, which must be empty.
    pub(super) fn remove_stage(&self) -> Result<(), Error> {
        self.remove_if_present(STAGE, Dir::remove_dir)
    }

    /// Removes the journal of a run that was undone.
    pub(super) fn remove_journal(&self) -> Result<(), Error> {
        self.remove_if_present(JOURNAL, Dir::remove_file)?;
        let synced = self.dir.sync();
        synced.map_err(|error| Error::new(self.root.state(), ErrorKind::Write(error)))
    }

    fn remove_if_present(
        &self,
        name: &str,
        remove: impl Fn(&Dir, &OsStr) -> io::Result<()>,
    ) -> Result<(), Error> {
        match remove(&self.dir, name.as_ref()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::new(self.path(name), ErrorKind::Write(error)))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        let is_own = |name: &std::ffi::OsString| [IGNORE, LOCK].iter().any(|own| name == *own);
        if self.dir.names().is_ok_and(|names| names.iter().all(is_own)) {
            let _: io::Result<()> = self.dir.remove_file(IGNORE.as_ref());
        }
        self.lock = None;
        let _: io::Result<()> = self.root.dir().remove_dir(STATE.as_ref());
    }
}

/// Temporary places of moved entries.
#[derive(Debug)]
pub(super) struct Stage {
    state: Arc<Dir>,
    path: PathBuf,
    /// `None` until it is created.
    dir: Option<Arc<Dir>>,
}

impl Stage {
    /// Creates the directory, unless it exists.
    pub(super) fn make(&mut self) -> Result<(), Error> {
        let mut made = || -> io::Result<()> {
            match self.state.make(STAGE.as_ref(), PRIVATE_DIRECTORY) {
                Ok(()) => self.state.sync()?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            self.dir = Some(Arc::new(self.state.child(STAGE.as_ref())?));
            Ok(())
        };
        made().map_err(|error| Error::new(&self.path, ErrorKind::Write(error)))
    }

    /// The place of a number. `None` until the stage is created.
    pub(super) fn place(&self, number: u64) -> Option<Place> {
        let name = number.to_string();
        Some(Place { dir: self.dir.clone()?, path: self.path.join(&name), name: name.into() })
    }
}

/// The draft of a journal. It is deleted unless it becomes the journal.
#[derive(Debug)]
pub(super) struct Draft {
    dir: Arc<Dir>,
    pub(super) file: File,
    is_whole: bool,
}

impl Draft {
    /// Syncs the draft to disk, and renames it to the journal.
    pub(super) fn become_journal(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        let (from, to) = (DRAFT.as_ref(), JOURNAL.as_ref());
        self.dir.rename(from, &self.dir, to)?;
        self.is_whole = true;
        self.dir.sync()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_whole {
            let _: io::Result<()> = self.dir.remove_file(DRAFT.as_ref());
        }
    }
}

fn journal_in(dir: &Dir, root: &Root, access: Access) -> Result<Option<File>, Error> {
    let path = || root.state().join(JOURNAL);
    match dir.file(JOURNAL.as_ref(), access) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            Err(Error::new(path(), ErrorKind::NotAFile))
        }
        Err(error) => Err(Error::new(path(), ErrorKind::Read(error))),
    }
}

/// The current user as seen by the file system of the state: the owner of new files, and true if
/// they keep their mode.
#[derive(Clone, Copy, Debug)]
struct CurrentUser {
    user: u32,
    has_modes: bool,
}

impl CurrentUser {
    fn of(dir: &Arc<Dir>) -> io::Result<Self> {
        Temporaries::of_output().sweep(dir);
        let probe = Temporaries::probe_in(dir, PRIVATE_FILE)?;
        let stamp = stamp_of_file(&probe.file)?;
        Ok(Self { user: stamp.owner, has_modes: stamp.mode & OTHERS_WRITE == 0 })
    }

    /// Checks that a file belongs to this user, and that no other user may write to it, since its
    /// content is executed.
    fn check(self, stamp: &Stamp) -> io::Result<()> {
        let (owner, current_user, mode) = (stamp.owner, self.user, stamp.mode);
        let message = if owner != current_user {
            format!(
                "it belongs to another user (uid {owner}, not {current_user}), and is not trusted"
            )
        } else if self.has_modes && mode & OTHERS_WRITE != 0 {
            format!("other users may write to it (mode {mode:04o}), so it is not trusted")
        } else {
            return Ok(());
        };
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    }
}

/// The write permissions of group and others.
const OTHERS_WRITE: u32 = 0o022;
