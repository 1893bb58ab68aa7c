//! The names of files in a root.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::fs::journal::Root;

/// The root of a run, and the name that the user has for it. Files in it are named accordingly.
#[derive(Clone, Debug)]
pub(in crate::jobs) struct ShownRoot {
    /// The path without symbolic links, as in errors.
    root: PathBuf,
    /// The beginning of names.
    shown: PathBuf,
}

impl ShownRoot {
    /// A root with this name. Files in the current directory are named without it.
    pub(in crate::jobs) fn new(root: &Root, shown: &Path) -> Self {
        let shown = match shown == Path::new(".") {
            true => Path::new(""),
            false => shown,
        };
        Self { root: root.directory().to_owned(), shown: shown.to_owned() }
    }

    /// A root named after the first of these paths that is in it.
    pub(in crate::jobs) fn of_paths<'p>(
        root: &Root,
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> Option<Self> {
        let shown = paths.into_iter().find_map(|path| {
            let real = path.canonicalize().ok()?;
            let below = real.strip_prefix(root.directory()).ok()?;
            // The name of a symbolic link is not a path of its target.
            let directory = path.ancestors().nth(below.iter().count())?;
            (directory.join(below) == path).then(|| directory.to_owned())
        });
        shown.map(|shown| Self { root: root.directory().to_owned(), shown })
    }

    /// Returns the name of a file.
    pub(in crate::jobs) fn name_of(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.root) {
            Ok(below) if below != Path::new("") => self.shown.join(below),
            Ok(_) if self.shown == Path::new("") => PathBuf::from("."),
            Ok(_) => self.shown.clone(),
            Err(_) => path.to_owned(),
        }
    }

    /// Returns an error with the name of its file.
    pub(in crate::jobs) fn named(&self, error: Error) -> Error {
        let path = self.name_of(error.path());
        error.about(path)
    }
}
