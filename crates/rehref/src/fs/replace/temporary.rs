//! Temporary files, in the directory of the file that they will replace, so that renaming never
//! crosses file systems.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::dir::Dir;
use super::stamp::Access;

/// The prefix of their names. Walks skip them.
const TEMPORARY: &str = ".rehref-";

/// The number of random characters at the end of their names.
const RANDOM: usize = 6;

/// The number of attempts to find an unused name.
const TRIES: usize = 1 << 10;

/// The prefix of the names of files that become output.
const OUTPUT: &str = ".rehref-out-";

/// The names of temporary files, of a run or not.
#[derive(Clone, Debug)]
pub(in crate::fs) struct Temporaries {
    prefix: String,
}

impl Temporaries {
    /// Names of files that become output, without a journal. [`sweep`](Self::sweep) removes those
    /// of a killed process.
    pub(in crate::fs) fn of_output() -> Self {
        let prefix = OUTPUT.to_owned();
        Self { prefix }
    }

    /// Creates a file that is only examined. If the system allows it, the file has no name, so that
    /// a killed process leaves none.
    pub(in crate::fs) fn probe_in(dir: &Arc<Dir>, mode: u32) -> io::Result<Temporary> {
        match dir.create_nameless(mode) {
            Ok(file) => Ok(Temporary { dir: dir.clone(), name: None, file }),
            Err(_) => Self::of_output().file_in(dir, mode),
        }
    }

    /// Names that identify the run with this nonce.
    pub(in crate::fs) fn of_run(nonce: &str) -> Self {
        let prefix = format!("{TEMPORARY}{nonce}-");
        Self { prefix }
    }

    /// Returns true if the name is one of these.
    pub(in crate::fs) fn has(&self, name: &OsStr) -> bool {
        let random = name.as_encoded_bytes().strip_prefix(self.prefix.as_bytes());
        random.is_some_and(|it| it.len() == RANDOM && it.iter().all(u8::is_ascii_alphanumeric))
    }

    /// Creates a temporary file with this mode, restricted by the umask.
    pub(in crate::fs) fn file_in(&self, dir: &Arc<Dir>, mode: u32) -> io::Result<Temporary> {
        let (name, file) = self.named(|name| dir.create_new(name, mode))?;
        // Ends with the process: see `sweep`. Where files have no locks, none is removed.
        let _ = file.try_lock();
        Ok(Temporary { dir: dir.clone(), name: Some(name), file })
    }

    /// Removes the files with these names in a directory that killed processes left. Files that
    /// cannot be removed are harmless.
    pub(in crate::fs) fn sweep(&self, dir: &Dir) {
        let names = dir.names().unwrap_or_default();
        for name in names.iter().filter(|name| self.has(name)) {
            let file = dir.file(name, Access::Read);
            if file.is_ok_and(|it| it.try_lock().is_ok()) {
                let _: io::Result<()> = dir.remove_file(name);
            }
        }
    }

    /// Creates a symbolic link with this target, replacing an existing entry.
    pub(in crate::fs) fn replace_by_link(
        &self,
        dir: &Dir,
        target: &Path,
        name: &OsStr,
    ) -> io::Result<()> {
        let (temporary, ()) = self.named(|name| dir.symlink(target, name))?;
        let renamed = dir.rename(&temporary, dir, name);
        renamed.inspect_err(|_| _ = dir.remove_file(&temporary))
    }

    fn named<T>(&self, make: impl Fn(&OsStr) -> io::Result<T>) -> io::Result<(OsString, T)> {
        for _ in 0..TRIES {
            let name = OsString::from(format!("{}{}", self.prefix, random()));
            match make(&name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|it| (name, it)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// Unpredictable characters.
fn random() -> String {
    const CHARACTERS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    // The keys are random numbers from the system.
    let mut number = RandomState::new().build_hasher().finish();
    let characters = std::iter::repeat_with(|| {
        let character = CHARACTERS[(number % CHARACTERS.len() as u64) as usize];
        number /= CHARACTERS.len() as u64;
        char::from(character)
    });
    characters.take(RANDOM).collect()
}

/// A temporary file. It is deleted unless it is renamed.
#[derive(Debug)]
pub(in crate::fs) struct Temporary {
    dir: Arc<Dir>,
    /// `None` after it was renamed.
    name: Option<OsString>,
    pub(in crate::fs) file: File,
}

impl Temporary {
    /// The file without its name.
    pub(in crate::fs) fn into_file(self) -> io::Result<File> {
        // The name goes when `self` does.
        self.file.try_clone()
    }

    /// Renames the file within its directory, replacing an existing entry.
    pub(in crate::fs) fn persist(self, name: &OsStr) -> io::Result<()> {
        let dir = self.dir.clone();
        self.persist_in(&dir, name)
    }

    /// Moves the file to another directory of the file system, replacing an existing entry.
    pub(in crate::fs) fn persist_in(mut self, dir: &Dir, name: &OsStr) -> io::Result<()> {
        if let Some(own) = &self.name {
            self.dir.rename(own, dir, name)?;
        }
        self.name = None;
        Ok(())
    }

    /// Renames the file within its directory; fails if the name exists.
    pub(in crate::fs) fn persist_new(self, name: &OsStr) -> io::Result<()> {
        let dir = self.dir.clone();
        self.persist_new_in(&dir, name)
    }

    /// Moves the file to another directory of the file system; fails if the name exists.
    pub(in crate::fs) fn persist_new_in(mut self, dir: &Dir, name: &OsStr) -> io::Result<()> {
        let Some(own) = &self.name else {
            return Ok(());
        };
        // A short time with two names is better than a race that can lose another file.
        if cfg!(not(target_os = "linux")) {
            match self.dir.link(own, dir, name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {}
                done => return done,
            }
        }
        self.dir.rename_noreplace(own, dir, name)?;
        self.name = None;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _: io::Result<()> = self.dir.remove_file(name);
        }
    }
}
