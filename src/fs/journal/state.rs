//! The directory that holds the state of runs, and who may write in it.

use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use super::root::{Root, STATE};
use crate::error::{Error, ErrorKind};
use crate::fs::replace::Place;
use crate::fs::replace::dir::{Dir, stamp_of_file};
use crate::fs::replace::stamp::{Access, Kind, Stamp};
use crate::fs::replace::temporary::Temporaries;

/// How often the lock is tried for where another run removes it at the same moment.
const TRIES: usize = 16;

/// The plan of the last run, and how far it has come.
const JOURNAL: &str = "journal";

/// The same while the plan is written.
const DRAFT: &str = "journal.new";

/// What is there while a process is at work.
const LOCK: &str = "lock";

/// Where files lie while others take their places.
const STAGE: &str = "stage";

/// What keeps git from seeing the folder.
const IGNORE: &str = ".gitignore";

/// For its owner alone: in the journal stands what was in files that others may not read.
const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_FOLDER: u32 = 0o700;

/// The folder with the state of runs, which no other run writes meanwhile. When it is let go of, it is removed
/// if nothing is left in it.
#[derive(Debug)]
pub(super) struct State {
    root: Root,
    dir: Arc<Dir>,
    own: Own,
    /// Held as long as it is open.
    _lock: File,
}

impl State {
    /// The state in a root, if there is any.
    pub(super) fn existing(root: &Root) -> Result<Option<Self>, Error> {
        match root.dir().stamp_of(STATE.as_ref()) {
            Ok(None) => Ok(None),
            Ok(Some(_)) => Self::locked(root).map(Some),
            Err(error) => Err(Error::new(root.state(), ErrorKind::Read(error))),
        }
    }

    /// The folder of the state in a root, if there is any, only to be looked at.
    pub(super) fn look(root: &Root) -> Result<Option<Dir>, Error> {
        match root.dir().child(STATE.as_ref()) {
            Ok(dir) => Ok(Some(dir)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            // Through a link the state would lie elsewhere.
            Err(_) => Err(Error::new(root.state(), ErrorKind::LinkInTheWay)),
        }
    }

    /// The state, made where there is none.
    pub(super) fn locked(root: &Root) -> Result<Self, Error> {
        let folder = root.state();
        let refused = |error| Error::new(&folder, ErrorKind::Write(error));
        for _ in 0..TRIES {
            match root.dir().make(STATE.as_ref(), PRIVATE_FOLDER) {
                Ok(()) => root.dir().sync().map_err(refused)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refused(error)),
            }
            let Some(dir) = Self::look(root)? else {
                // Whoever had it has just removed it.
                continue;
            };
            let dir = Arc::new(dir);
            let own = match Own::of(&dir) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(refused)?,
            };
            own.check(&dir.stamp().map_err(refused)?)
                .map_err(|error| Error::new(&folder, ErrorKind::Read(error)))?;
            let lock = match dir.file(LOCK.as_ref(), Access::Create) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                    return Err(Error::new(folder.join(LOCK), ErrorKind::NotAFile));
                }
                other => other.map_err(refused)?,
            };
            let stamp = stamp_of_file(&lock).map_err(refused)?;
            own.check(&stamp)
                .map_err(|error| Error::new(folder.join(LOCK), ErrorKind::Read(error)))?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::new(root.folder(), ErrorKind::Busy));
                }
                Err(TryLockError::Error(error)) => return Err(refused(error)),
            }
            // Whoever had it may have removed it before this was locked.
            if names(&dir, LOCK, &lock) {
                let root = root.clone();
                // For convenience only: a run does not depend on it.
                let ignore = dir.create_new(IGNORE.as_ref(), 0o666);
                let _: io::Result<()> = ignore.and_then(|mut file| file.write_all(b"*\n"));
                return Ok(Self {
                    root,
                    dir,
                    own,
                    _lock: lock,
                });
            }
        }
        Err(Error::new(root.folder(), ErrorKind::Busy))
    }

    pub(super) fn dir(&self) -> &Arc<Dir> {
        &self.dir
    }

    /// What a name in it is called, for messages.
    fn path(&self, name: &str) -> PathBuf {
        self.root.state().join(name)
    }

    pub(super) fn journal_path(&self) -> PathBuf {
        self.path(JOURNAL)
    }

    pub(super) fn draft_path(&self) -> PathBuf {
        self.path(DRAFT)
    }

    /// The journal, if there is one, of the user who runs this.
    pub(super) fn journal(&self) -> Result<Option<File>, Error> {
        let refused = |error| Error::new(self.journal_path(), ErrorKind::Read(error));
        let Some(file) = journal_in(&self.dir, &self.root, Access::ReadWrite)? else {
            return Ok(None);
        };
        let stamp = stamp_of_file(&file).map_err(refused)?;
        self.own.check(&stamp).map_err(refused)?;
        Ok(Some(file))
    }

    /// The same where the state is only looked at.
    pub(super) fn look_at_journal(root: &Root) -> Result<Option<File>, Error> {
        let dir = Self::look(root)?;
        let file = dir.map(|dir| journal_in(&dir, root, Access::Read));
        file.transpose().map(Option::flatten)
    }

    /// Whether what the root holds as its journal is this file.
    pub(super) fn has_journal(&self, file: &File) -> bool {
        let dir = self.root.dir().child(STATE.as_ref());
        dir.is_ok_and(|dir| names(&dir, JOURNAL, file))
    }

    /// Creates the file that a plan is written to.
    pub(super) fn draft(&self) -> io::Result<Draft> {
        Ok(Draft {
            file: self.dir.create_new(DRAFT.as_ref(), PRIVATE_FILE)?,
            dir: self.dir.clone(),
            is_whole: false,
        })
    }

    /// Where files lie while others take their places.
    pub(super) fn stage(&self) -> Stage {
        Stage {
            state: self.dir.clone(),
            path: self.path(STAGE),
            dir: None,
        }
    }

    /// Removes what a killed run left of a plan that was never whole.
    pub(super) fn remove_draft(&self) -> Result<(), Error> {
        self.absent(DRAFT, Dir::remove_file)
    }

    /// Removes the stage, on which nothing may be any more.
    pub(super) fn remove_stage(&self) -> Result<(), Error> {
        self.absent(STAGE, Dir::remove_dir)
    }

    /// Removes the journal of a run that has been taken back.
    pub(super) fn remove_journal(&self) -> Result<(), Error> {
        self.absent(JOURNAL, Dir::remove_file)?;
        let synced = self.dir.sync();
        synced.map_err(|error| Error::new(self.root.state(), ErrorKind::Write(error)))
    }

    fn absent(
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
        // While it is locked: who opens it meanwhile sees afterwards that it is another one.
        let _: io::Result<()> = self.dir.remove_file(LOCK.as_ref());
        let _: io::Result<()> = self.root.dir().remove_dir(STATE.as_ref());
    }
}

/// Where files lie while others take their places.
#[derive(Debug)]
pub(super) struct Stage {
    state: Arc<Dir>,
    path: PathBuf,
    /// Once it is there.
    dir: Option<Arc<Dir>>,
}

impl Stage {
    /// Makes the folder, unless it is there.
    pub(super) fn make(&mut self) -> Result<(), Error> {
        let mut made = || -> io::Result<()> {
            match self.state.make(STAGE.as_ref(), PRIVATE_FOLDER) {
                Ok(()) => self.state.sync()?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            self.dir = Some(Arc::new(self.state.child(STAGE.as_ref())?));
            Ok(())
        };
        made().map_err(|error| Error::new(&self.path, ErrorKind::Write(error)))
    }

    /// The place of a number, once there is a stage.
    pub(super) fn place(&self, number: u64) -> Option<Place> {
        let name = number.to_string();
        Some(Place {
            dir: self.dir.clone()?,
            path: self.path.join(&name),
            name: name.into(),
        })
    }
}

/// What a plan is written to. It is gone again unless it becomes the journal.
#[derive(Debug)]
pub(super) struct Draft {
    dir: Arc<Dir>,
    pub(super) file: File,
    is_whole: bool,
}

impl Draft {
    /// Puts it on the disk, in the place of the journal of the last run.
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

/// Whether a name in a directory is that of the file.
fn names(dir: &Dir, name: &str, file: &File) -> bool {
    match (dir.stamp_of(name.as_ref()), stamp_of_file(file)) {
        (Ok(Some(there)), Ok(known)) => {
            there.kind == Kind::File && there.identity == known.identity
        }
        _ => false,
    }
}

/// Who this user is to the file system of the state: whose new files are, and whether they keep their mode.
#[derive(Clone, Copy, Debug)]
struct Own {
    user: u32,
    has_modes: bool,
}

impl Own {
    fn of(dir: &Arc<Dir>) -> io::Result<Self> {
        let probe = Temporaries::of_no_run().file_in(dir, PRIVATE_FILE)?;
        let stamp = stamp_of_file(&probe.file)?;
        Ok(Self {
            user: stamp.owner,
            has_modes: stamp.mode & OTHERS_WRITE == 0,
        })
    }

    /// That something belongs to this user, and no other may write to it: it says what is to be done.
    fn check(self, stamp: &Stamp) -> io::Result<()> {
        let (owner, own, mode) = (stamp.owner, self.user, stamp.mode);
        let message = if owner != own {
            format!("it belongs to another user (uid {owner}, not {own}), and is not trusted")
        } else if self.has_modes && mode & OTHERS_WRITE != 0 {
            format!("other users may write to it (mode {mode:04o}), so it is not trusted")
        } else {
            return Ok(());
        };
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    }
}

/// That the group, or all others, may write to it.
const OTHERS_WRITE: u32 = 0o022;
