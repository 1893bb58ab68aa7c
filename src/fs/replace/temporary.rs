//! Files under temporary names, in the directory that they are for: so renaming them cannot cross file systems.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::dir::Dir;

/// How their names begin. Walks pass them over.
const TEMPORARY: &str = ".rehref-";

/// How many characters that are chosen at random end their names.
const RANDOM: usize = 6;

/// How often another name is tried where one is taken.
const TRIES: usize = 1 << 10;

/// The temporary files of a run, or of none in particular.
#[derive(Clone, Debug)]
pub(in crate::fs) struct Temporaries {
    prefix: String,
}

impl Temporaries {
    /// Those that need not be found again.
    pub(in crate::fs) fn of_no_run() -> Self {
        let prefix = TEMPORARY.to_owned();
        Self { prefix }
    }

    /// Those of the run with this nonce, so that they are known from those of all others.
    #[cfg(feature = "serde")]
    pub(in crate::fs) fn of_run(nonce: &str) -> Self {
        let prefix = format!("{TEMPORARY}{nonce}-");
        Self { prefix }
    }

    /// Whether a file of this name is one of them.
    #[cfg(feature = "serde")]
    pub(in crate::fs) fn has(&self, name: &OsStr) -> bool {
        let random = name.as_encoded_bytes().strip_prefix(self.prefix.as_bytes());
        random.is_some_and(|it| it.len() == RANDOM && it.iter().all(u8::is_ascii_alphanumeric))
    }

    /// A new file, of this mode but for what the system takes away.
    pub(in crate::fs) fn file_in(&self, dir: &Arc<Dir>, mode: u32) -> io::Result<Temporary> {
        let (name, file) = self.named(|name| dir.create_new(name, mode))?;
        Ok(Temporary {
            dir: dir.clone(),
            name: Some(name),
            file,
        })
    }

    /// A new symbolic link with this target, in the place of what has this name.
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

/// Characters that cannot be guessed.
fn random() -> String {
    const CHARACTERS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    // Its keys come from the system.
    let mut number = RandomState::new().build_hasher().finish();
    let characters = std::iter::repeat_with(|| {
        let character = CHARACTERS[(number % CHARACTERS.len() as u64) as usize];
        number /= CHARACTERS.len() as u64;
        char::from(character)
    });
    characters.take(RANDOM).collect()
}

/// A file under a temporary name. It is gone again unless it is given another one.
#[derive(Debug)]
pub(in crate::fs) struct Temporary {
    dir: Arc<Dir>,
    /// Until it has another one.
    name: Option<OsString>,
    pub(in crate::fs) file: File,
}

impl Temporary {
    /// Gives it a name in its directory, in the place of what has that name.
    pub(in crate::fs) fn persist(mut self, name: &OsStr) -> io::Result<()> {
        if let Some(own) = &self.name {
            self.dir.rename(own, &self.dir, name)?;
        }
        self.name = None;
        Ok(())
    }

    /// The same, unless something has that name.
    pub(in crate::fs) fn persist_new(mut self, name: &OsStr) -> io::Result<()> {
        let Some(own) = &self.name else {
            return Ok(());
        };
        // Two names for a moment are better than a moment in which another file can be lost.
        if cfg!(not(target_os = "linux")) {
            match self.dir.link(own, &self.dir, name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {}
                done => return done,
            }
        }
        self.dir.rename_noreplace(own, &self.dir, name)?;
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
