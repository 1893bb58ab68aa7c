//! Moves from paths that a user names.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::larger::{common, name_above};
use crate::fs::journal::is_tool_state;
use crate::fs::{bytes_of_path, path_of_bytes};
use crate::jobs::error::{JobError, PathReason};
use crate::listing::Move;

/// Converts paths to paths below the root.
pub(super) struct Below<'r> {
    /// Without symbolic links.
    root: PathBuf,
    /// As the user names it.
    shown: &'r Path,
}

impl<'r> Below<'r> {
    pub(super) fn new(shown: &'r Path) -> Result<Self, JobError> {
        let root = shown.canonicalize().map_err(JobError::system(shown))?;
        Ok(Self { root, shown })
    }

    /// Returns the moves of sources to a target, as `mv` has them: into an existing directory, or
    /// into a new one if the name of the target ends in a slash; else the target is the new name.
    pub(super) fn of_sources(&self, sources: &[PathBuf], to: &Path) -> Result<Vec<Move>, JobError> {
        let is_directory = to.is_dir() || ends_in_slash(to);
        if sources.len() > 1 && !is_directory {
            return Err(JobError::path(to, PathReason::MissingDirectory));
        }
        let found = sources.iter().map(|from| {
            refuse_file_as_directory(from, from)?;
            // A directory may be its own target in another case.
            let is_itself =
                matches!((from.canonicalize(), to.canonicalize()), (Ok(a), Ok(b)) if a == b);
            let to = match from.file_name() {
                Some(name) if is_directory && !is_itself => to.join(name),
                _ => to.to_owned(),
            };
            let moved = self.one(from, &to)?;
            match moved.from == moved.to {
                true => Err(JobError::path(from, PathReason::SamePath)),
                false => Ok(moved),
            }
        });
        found.collect()
    }

    /// Returns a move that was made already.
    pub(super) fn of_moved(&self, old: &Path, new: &Path) -> Result<Move, JobError> {
        refuse_file_as_directory(old, new)?;
        self.one(old, new)
    }

    /// Returns the path of a file in the tree, which need not exist.
    pub(super) fn of_file(&self, path: &Path) -> Result<Vec<u8>, JobError> {
        let below = self.below(path)?;
        match below.is_empty() {
            true => Err(JobError::path(path, PathReason::IsRoot)),
            false => Ok(below),
        }
    }

    /// Returns the move of a row of a list.
    pub(super) fn of_row(&self, from: &Path, to: &Path) -> Result<Move, JobError> {
        if from.as_os_str().is_empty() || to.as_os_str().is_empty() {
            return Err(JobError::EmptyPath);
        }
        refuse_file_as_directory(from, from)?;
        self.one(from, to)
    }

    /// Returns the move from path to path.
    fn one(&self, from: &Path, to: &Path) -> Result<Move, JobError> {
        // After a slash the target is a directory.
        let to = match from.file_name() {
            Some(name) if ends_in_slash(to) => &to.join(name),
            _ => to,
        };
        let moved = Move { from: self.below(from)?, to: self.below(to)? };
        for (path, below) in [(from, &moved.from), (to, &moved.to)] {
            if below.is_empty() {
                return Err(JobError::path(path, PathReason::IsRoot));
            }
        }
        // Tools rely on their state, and no pages are there.
        let mut names = moved.to.split(|&byte| byte == b'/');
        let is_state = |name: &&[u8]| is_tool_state(path_of_bytes(name).as_os_str());
        if let Some(name) = names.find(is_state) {
            let name = String::from_utf8_lossy(name).into_owned();
            return Err(JobError::path(to, PathReason::ToolState(name)));
        }
        Ok(moved)
    }

    /// Returns a path below the root, which need not exist. The last name is not resolved: it may
    /// be a symbolic link.
    fn below(&self, path: &Path) -> Result<Vec<u8>, JobError> {
        let absolute = std::path::absolute(path).map_err(JobError::system(path))?;
        let (parent, name) = match (absolute.parent(), absolute.components().next_back()) {
            (Some(parent), Some(Component::Normal(name))) => (parent, name),
            // It ends in `..`, or is the root of the file system.
            _ => (absolute.as_path(), OsStr::new("")),
        };
        for ancestor in parent.ancestors() {
            let Ok(real) = ancestor.canonicalize() else {
                continue;
            };
            let rest = parent.strip_prefix(ancestor).unwrap_or(Path::new(""));
            if rest.components().any(|it| !matches!(it, Component::Normal(_))) {
                break;
            }
            let full = real.join(rest).join(name);
            return match full.strip_prefix(&self.root) {
                Ok(below) => Ok(bytes_of_path(below).into_owned()),
                Err(_) => Err(JobError::path(path, self.reason_outside(path, &full))),
            };
        }
        Err(JobError::path(path, PathReason::LeavesMissingDirectory))
    }
}

impl Below<'_> {
    /// Returns the reason why a path outside of the root, whose real path is `full`, cannot be
    /// used.
    fn reason_outside(&self, path: &Path, full: &Path) -> PathReason {
        let below = self.shown.join(path);
        if path.is_relative() && !full.exists() && below.exists() {
            return PathReason::BelowRoot(below);
        }
        let common = common(&self.root, full.parent().unwrap_or(full));
        PathReason::OutsideRoot {
            root: self.root.clone(),
            common: common.map(|it| name_above(&self.root, &it, self.shown)),
        }
    }
}

/// Refuses a path that ends in `/` or `/.`, as those of directories, if there is a file at `place`.
fn refuse_file_as_directory(path: &Path, place: &Path) -> Result<(), JobError> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let names_directory = ends_in_slash(path) || bytes.ends_with(b"/.");
    // Without the `/` or `/.` at the end, which the system refuses for files.
    let place: PathBuf = place.components().collect();
    if names_directory && !place.is_dir() && place.symlink_metadata().is_ok() {
        return Err(JobError::path(path, PathReason::NotADirectory));
    }
    Ok(())
}

fn ends_in_slash(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.last().is_some_and(|&last| std::path::is_separator(char::from(last)))
}
