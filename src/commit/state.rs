//! The directory that holds the state of runs, and who may write in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::replace::sync_folder;
use super::root::Root;
use crate::error::{Error, ErrorKind};

/// How often the lock is tried for where somebody removes it at the same moment.
const TRIES: usize = 16;

/// The plan of the last run, and how far it has come.
const JOURNAL: &str = "journal";

/// What is there while a process is at work.
const LOCK: &str = "lock";

/// What keeps git from seeing the folder.
const IGNORE: &str = ".gitignore";

/// The folder with the state of runs, which nobody else writes meanwhile. When it is let go of, it is removed
/// if nothing is left in it.
#[derive(Debug)]
pub(super) struct State {
    folder: PathBuf,
    /// Held as long as it is open.
    _lock: File,
}

impl State {
    /// The state in a root, if there is any.
    pub(super) fn existing(root: &Root) -> Result<Option<Self>, Error> {
        let folder = root.state();
        match fs::symlink_metadata(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::new(folder, ErrorKind::Read(error))),
            Ok(_) => Self::locked(root).map(Some),
        }
    }

    /// Through a link the state would lie elsewhere.
    pub(super) fn refuse_link(folder: &Path) -> Result<(), Error> {
        match fs::symlink_metadata(folder).is_ok_and(|it| it.is_dir()) {
            true => Ok(()),
            false => Err(Error::new(folder, ErrorKind::LinkInTheWay)),
        }
    }

    /// The same, made where there is none.
    pub(super) fn locked(root: &Root) -> Result<Self, Error> {
        let folder = root.state();
        let refused = |error| Error::new(&folder, ErrorKind::Write(error));
        for _ in 0..TRIES {
            match new_folder().create(&folder) {
                Ok(()) => sync_folder(root.folder()).map_err(refused)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refused(error)),
            }
            Self::refuse_link(&folder)?;
            let path = folder.join(LOCK);
            let mut options = OpenOptions::new();
            let lock = match options.write(true).create(true).truncate(false).open(&path) {
                // Whoever had it has just removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(refused)?,
            };
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::new(root.folder(), ErrorKind::Busy));
                }
                Err(TryLockError::Error(error)) => return Err(refused(error)),
            }
            // Whoever had it may have removed it before this was locked.
            if is_same(&lock, &path) {
                let _lock = lock;
                // For convenience only: a run does not depend on it.
                let mut ignore = OpenOptions::new();
                let ignore = ignore
                    .write(true)
                    .create_new(true)
                    .open(folder.join(IGNORE));
                let _: io::Result<()> = ignore.and_then(|mut file| file.write_all(b"*\n"));
                return Ok(Self { folder, _lock });
            }
        }
        Err(Error::new(root.folder(), ErrorKind::Busy))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.folder.join(JOURNAL)
    }

    /// The same where the state is only looked at.
    pub(super) fn journal_of(root: &Root) -> PathBuf {
        root.state().join(JOURNAL)
    }

    /// The journal while its plan is written.
    pub(super) fn draft(&self) -> PathBuf {
        self.folder.join("journal.new")
    }

    /// Where files lie while others take their places.
    pub(super) fn stage(&self) -> PathBuf {
        self.folder.join("stage")
    }

    /// Removes what a killed run left of a plan that was never whole.
    pub(super) fn remove_draft(&self) -> Result<(), Error> {
        absent(&self.draft(), |path| fs::remove_file(path))
    }

    /// Removes the stage, on which nothing may be any more.
    pub(super) fn remove_stage(&self) -> Result<(), Error> {
        absent(&self.stage(), |path| fs::remove_dir(path))
    }

    /// Removes the journal of a run that has been taken back.
    pub(super) fn remove_journal(&self) -> Result<(), Error> {
        absent(&self.journal(), |path| fs::remove_file(path))?;
        self.sync()
    }

    pub(super) fn sync(&self) -> Result<(), Error> {
        let synced = sync_folder(&self.folder);
        synced.map_err(|error| Error::new(&self.folder, ErrorKind::Write(error)))
    }
}

impl Drop for State {
    fn drop(&mut self) {
        let is_own = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|it| [IGNORE, LOCK].iter().any(|own| it.file_name() == *own))
        };
        if fs::read_dir(&self.folder).is_ok_and(|mut it| it.all(is_own)) {
            let _: io::Result<()> = fs::remove_file(self.folder.join(IGNORE));
        }
        // While it is locked: who opens it meanwhile sees afterwards that it is another one.
        let _: io::Result<()> = fs::remove_file(self.folder.join(LOCK));
        let _: io::Result<()> = fs::remove_dir(&self.folder);
    }
}

/// A folder that only its owner may enter: in the journal stands what was in files that others may not read.
fn new_folder() -> fs::DirBuilder {
    #[allow(unused_mut)]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

fn absent(path: &Path, remove: impl Fn(&Path) -> io::Result<()>) -> Result<(), Error> {
    match remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::new(path, ErrorKind::Write(error)))
        }
        _ => Ok(()),
    }
}

/// Whether the file is the one that the path names.
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |it: &fs::Metadata| (it.dev(), it.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(a), Ok(b)) if of(&a) == of(&b))
}

#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> bool {
    path.exists()
}
