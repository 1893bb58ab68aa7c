//! The directory of a check, and its URL.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::fs::{BaseMapping, BaseMappingError, directory_url};

/// The directory of a check, and its URL.
pub(super) struct CheckRoot {
    /// The directory that has the URL.
    pub(super) root: PathBuf,
    /// The directory whose documents are checked: the root, or one below it.
    pub(super) start: PathBuf,
    pub(super) url: Option<String>,
    /// Whether the directory was named: it is not the current one by default.
    pub(super) is_named: bool,
}

/// The reason that a directory cannot be checked.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckRootError {
    /// The URL, or its directory, is invalid.
    Base(BaseMappingError),
    /// This directory is not in the one that has the URL.
    OutsideOfBase(PathBuf),
    /// The system cannot resolve the path.
    System(PathBuf, io::Error),
    /// This is not a directory.
    NotADirectory(PathBuf),
}

impl fmt::Display for CheckRootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base(error) => error.fmt(f),
            Self::OutsideOfBase(path) => {
                write!(f, "{} is not in the directory of the URL", path.display())
            }
            Self::System(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NotADirectory(path) => write!(f, "{}: not a directory", path.display()),
        }
    }
}

impl std::error::Error for CheckRootError {}

impl From<BaseMappingError> for CheckRootError {
    fn from(error: BaseMappingError) -> Self {
        Self::Base(error)
    }
}

impl CheckRoot {
    /// The given directory, by default that of the base or the current one. `base` is its URL, or `URL=DIR` for a
    /// directory that contains it.
    pub(super) fn new(given: Option<&Path>, base: Option<&OsStr>) -> Result<Self, CheckRootError> {
        let start = given.unwrap_or(Path::new(".")).to_owned();
        let mut found = Self {
            root: start.clone(),
            start,
            url: None,
            is_named: given.is_some(),
        };
        match base.map(BaseMapping::parse).transpose()? {
            None => {}
            Some(BaseMapping::Uri(url)) => found.url = Some(directory_url(&url)?),
            Some(BaseMapping::Tree { url, directory }) => {
                found.url = Some(url);
                let directory = directory.path();
                if let Some(given) = given {
                    let real = given.canonicalize();
                    let real = real.map_err(|it| CheckRootError::System(given.to_owned(), it))?;
                    let Ok(below) = real.strip_prefix(directory) else {
                        return Err(CheckRootError::OutsideOfBase(given.to_owned()));
                    };
                    if below != Path::new("") {
                        found.root = directory.to_owned();
                        found.start = directory.join(below);
                    }
                } else {
                    // The path as written is part of the names of documents.
                    let written = base.and_then(BaseMapping::written_directory);
                    found.root = written.unwrap_or_else(|| directory.to_owned());
                    found.start.clone_from(&found.root);
                    found.is_named = true;
                }
            }
        }
        match found.start.is_dir() {
            true => Ok(found),
            false => Err(CheckRootError::NotADirectory(found.start)),
        }
    }
}
