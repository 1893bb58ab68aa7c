//! Temporary files, in the directory of the file that they will replace, so that renaming never crosses file
//! systems.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::dir::Dir;

/// The prefix of their names. Walks skip them.
const TEMPORARY: &str = ".rehref-";

/// The number of random characters at the end of their names.
const RANDOM: usize = 6;

/// The number of attempts to find an unused name.
const TRIES: usize = 1 << 10;

/// The names of temporary files, of a run or not.
#[derive(Clone, Debug)]
pub(in crate::fs) struct Temporaries {
    prefix: String,
}

impl Temporaries {
    /// Names that need not be recognized later.
    pub(in crate::fs) fn of_no_run() -> Self {
        let prefix = TEMPORARY.to_owned();
        Self { prefix }
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
        Ok(Temporary {
            dir: dir.clone(),
            name: Some(name),
            file,
        })
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
