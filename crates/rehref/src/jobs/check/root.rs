//! The root of a check, and its URL.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::paths::real_path_below;
use crate::fs::{BaseMapping, BaseMappingError, Item, directory_of, directory_url};

/// The root of a check, its inputs and its URL.
pub(super) struct CheckRoot {
    /// The directory whose files links may refer to. `None` if each input has one of its own.
    pub(super) root: Option<PathBuf>,
    pub(super) inputs: Vec<Item>,
    pub(super) url: Option<String>,
    /// True if an input or the root was named. Otherwise the current directory is checked.
    pub(super) is_named: bool,
}

/// The reason that a directory cannot be checked.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckRootError {
    /// The URL, or its directory, is invalid.
    Base(BaseMappingError),
    /// This input is not in the directory that has the URL.
    OutsideOfBase(PathBuf),
    /// This input is not in this root.
    OutsideOfRoot(PathBuf, PathBuf),
    /// The root is not the directory that has the URL.
    OtherRoot(PathBuf),
    /// The URL could be that of several directories, such as these.
    SeveralDirectories(PathBuf, PathBuf),
    /// This input is neither a file nor a directory, so that its references have no targets.
    NotAPath(PathBuf),
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
            Self::OutsideOfRoot(path, root) => {
                write!(f, "{} is not in the root {}", path.display(), root.display())
            }
            Self::OtherRoot(root) => {
                write!(f, "the root {} is not the directory of the URL", root.display())
            }
            Self::SeveralDirectories(one, other) => {
                write!(f, "the URL could be that of {} or {}", one.display(), other.display())
            }
            Self::NotAPath(name) => {
                write!(f, "{}: only files and directories are checked", name.display())
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
    /// See [`Check::of_inputs`](super::Check::of_inputs).
    pub(super) fn new(
        inputs: Vec<Item>,
        root: Option<&Path>,
        base: Option<&OsStr>,
    ) -> Result<Self, CheckRootError> {
        let is_path = |item: &&Item| matches!(item, Item::Path(_));
        if let Some(item) = inputs.iter().find(|item| !is_path(item)) {
            return Err(CheckRootError::NotAPath(item.name().to_owned()));
        }
        let mut found = Self {
            root: root.map(Path::to_owned),
            is_named: !inputs.is_empty(),
            inputs,
            url: None,
        };
        match base.map(BaseMapping::parse).transpose()? {
            None => {}
            Some(BaseMapping::Uri(url)) => {
                found.url = Some(directory_url(&url)?);
                if root.is_none() {
                    found.only_directory()?;
                }
            }
            Some(BaseMapping::Tree { url, directory }) => {
                found.url = Some(url);
                if let Some(root) = root
                    && real(root)? != directory.path()
                {
                    return Err(CheckRootError::OtherRoot(root.to_owned()));
                }
                // The path as written is part of the names of documents.
                let written = base.and_then(BaseMapping::written_directory);
                found.root = Some(written.unwrap_or_else(|| directory.path().to_owned()));
            }
        }
        if let Some(root) = &found.root {
            if !root.is_dir() {
                return Err(CheckRootError::NotADirectory(root.clone()));
            }
            let real = real(root)?;
            let outside =
                found.inputs.iter().find(|item| real_path_below(&real, item.name()).is_none());
            if let Some(input) = outside.map(|item| item.name().to_owned()) {
                return Err(match found.url {
                    Some(_) => CheckRootError::OutsideOfBase(input),
                    None => CheckRootError::OutsideOfRoot(input, root.clone()),
                });
            }
        }
        if found.inputs.is_empty() {
            found.is_named = found.root.is_some();
            let input = found.root.as_deref().unwrap_or(Path::new("."));
            found.inputs.push(Item::Path(input.to_owned()));
        }
        Ok(found)
    }

    /// Refuses inputs in several directories: the URL could be that of each.
    fn only_directory(&self) -> Result<(), CheckRootError> {
        let mut directories = self.inputs.iter().map(|item| match item.name() {
            path if path.is_dir() => path,
            path => directory_of(path),
        });
        let first = directories.next();
        let other = first.and_then(|first| directories.find(|it| *it != first));
        match (first, other) {
            (Some(one), Some(other)) => {
                Err(CheckRootError::SeveralDirectories(one.to_owned(), other.to_owned()))
            }
            _ => Ok(()),
        }
    }
}

fn real(path: &Path) -> Result<PathBuf, CheckRootError> {
    path.canonicalize().map_err(|it| CheckRootError::System(path.to_owned(), it))
}
