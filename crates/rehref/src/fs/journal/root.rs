//! The root directory of a run.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::tasks::{RunTasks, for_each};
use crate::error::{Error, ErrorKind};
use crate::fs::directory_of;
use crate::fs::replace::Place;
use crate::fs::replace::dir::Dir;
use crate::fs::replace::stamp::Kind;

/// The directory in the root with the state of runs.
pub(super) const STATE: &str = ".rehref";

/// The root directory of a run. Nothing outside of it is changed: a path outside of it, by `..` or
/// by a symbolic link, is rejected when a step is planned, and again when it is applied.
#[derive(Clone, Debug)]
pub struct Root {
    /// Without symbolic links.
    directory: PathBuf,
    /// The open directory in which all operations are done, even if its path changes.
    dir: Arc<Dir>,
}

impl PartialEq for Root {
    fn eq(&self, other: &Self) -> bool {
        self.directory == other.directory
    }
}

impl Eq for Root {}

impl Root {
    /// The root at this directory.
    ///
    /// # Errors
    /// If it is not a directory, or cannot be opened.
    pub fn new(directory: &Path) -> Result<Self, Error> {
        let refused = |error| Error::new(directory, ErrorKind::Read(error));
        let real = directory.canonicalize().map_err(refused)?;
        Self::of_real(real).map_err(refused)
    }

    /// The root at a path without symbolic links.
    pub(super) fn of_real(directory: PathBuf) -> io::Result<Self> {
        let dir = Arc::new(Dir::open_real(&directory)?);
        Ok(Self { directory, dir })
    }

    /// The deepest directory that contains all of these files and directories, with symbolic links
    /// followed. For one directory, the directory itself. Missing paths are ignored.
    ///
    /// # Errors
    /// If none of them exists, or they have no directory in common.
    pub fn holding<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<Self, Error> {
        let mut common: Option<PathBuf> = None;
        let mut missing = Error::new("", ErrorKind::NotFound);
        for path in paths {
            let real = match path.canonicalize() {
                Ok(real) => real,
                Err(error) => {
                    missing = Error::new(path, ErrorKind::Read(error));
                    continue;
                }
            };
            let directory = if real.is_dir() { &real } else { directory_of(&real) };
            common = Some(match common {
                None => directory.to_owned(),
                Some(other) => {
                    let shared = other.ancestors().find(|it| directory.starts_with(it));
                    let outside = || Error::new(path, ErrorKind::Outside);
                    shared.ok_or_else(outside)?.to_owned()
                }
            });
        }
        let directory = common.ok_or(missing)?;
        Self::of_real(directory.clone())
            .map_err(|error| Error::new(directory, ErrorKind::Read(error)))
    }

    /// The directory, without symbolic links.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The path of the state of runs, for messages.
    pub(super) fn state(&self) -> PathBuf {
        self.directory.join(STATE)
    }

    pub(super) fn dir(&self) -> &Arc<Dir> {
        &self.dir
    }

    /// The path below the root of an entry that need not exist. A relative path is relative to the
    /// root.
    pub(super) fn place(&self, path: &Path) -> Result<PathBuf, Error> {
        let full = self.directory.join(path);
        let outside = || Error::new(&full, ErrorKind::Outside);
        let name = full.file_name().ok_or_else(outside)?;
        let parent = directory_of(&full);
        for ancestor in parent.ancestors() {
            let real = match ancestor.canonicalize() {
                Ok(real) => real,
                Err(error) if is_absence(&error) => continue,
                Err(error) => return Err(Error::new(&full, ErrorKind::Read(error))),
            };
            let rest = parent.strip_prefix(ancestor).unwrap_or(Path::new(""));
            if rest.components().any(|it| !matches!(it, Component::Normal(_))) {
                break;
            }
            let below = self.below(&real.join(rest).join(name));
            return below.map_err(|kind| Error::new(&full, kind));
        }
        Err(outside())
    }

    /// The path below the root of an existing file, with symbolic links followed.
    pub(super) fn file(&self, path: &Path) -> Result<PathBuf, Error> {
        let full = self.directory.join(path);
        let real = full.canonicalize();
        let real = real.map_err(|error| Error::new(&full, ErrorKind::Read(error)))?;
        self.below(&real).map_err(|kind| Error::new(full, kind))
    }

    /// Converts a path without symbolic links to one below the root. Fails if writing to it is not
    /// allowed.
    fn below(&self, real: &Path) -> Result<PathBuf, ErrorKind> {
        let below = real.strip_prefix(&self.directory);
        let below = below.map_err(|_| ErrorKind::Outside)?;
        check_place(below)?;
        Ok(below.to_owned())
    }

    /// Syncs directories to disk, which are the root or below it. Errors that `is_ignored` is true
    /// for do not count.
    pub(super) fn sync_all(
        &self,
        run_tasks: &RunTasks<'_>,
        directories: BTreeSet<PathBuf>,
        is_ignored: impl Fn(&io::Error) -> bool + Sync,
    ) -> Result<(), Error> {
        let work = |directory: PathBuf| match self.sync(&directory) {
            Err(error) if !is_ignored(&error) => {
                Err(Error::new(directory, ErrorKind::Write(error)))
            }
            _ => Ok(()),
        };
        for_each(run_tasks, &|| false, directories.into_iter(), work, drop).map(drop)
    }

    fn sync(&self, directory: &Path) -> io::Result<()> {
        let below = directory.strip_prefix(&self.directory).unwrap_or(Path::new(""));
        let mut dir = self.dir.clone();
        for component in below.components() {
            dir = Arc::new(dir.child(component.as_os_str())?);
        }
        dir.sync()
    }

    /// Opens the directory of a place. Fails if a symbolic link has been put in its path. The path
    /// may be from a journal that was written by hand.
    pub(super) fn open(&self, below: &Path) -> Result<Place, Error> {
        let full = || self.directory.join(below);
        let error = |kind| Error::new(full(), kind);
        check_place(below).map_err(|misplaced| error(misplaced.into()))?;
        let name = below.file_name().ok_or_else(|| error(ErrorKind::Outside))?;
        let mut dir = self.dir.clone();
        for component in below.parent().into_iter().flat_map(Path::components) {
            let name = component.as_os_str();
            dir = match dir.child(name) {
                Ok(child) => Arc::new(child),
                Err(refused) => {
                    let stamp = dir.stamp_of(name);
                    let is_link = matches!(stamp, Ok(Some(it)) if it.kind == Kind::Link);
                    return Err(error(match is_link {
                        true => ErrorKind::LinkInTheWay,
                        false if is_absence(&refused) => ErrorKind::NotFound,
                        false => ErrorKind::Read(refused),
                    }));
                }
            };
        }
        Ok(Place { dir, name: name.to_owned(), path: full() })
    }
}

/// The reason why writing is not allowed at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misplaced {
    /// Not a plain path below the root: an absolute path would replace the root, and `..` would
    /// leave it.
    Outside,
    /// In the state of a version control system or of this program.
    ToolState,
}

impl From<Misplaced> for ErrorKind {
    fn from(misplaced: Misplaced) -> Self {
        match misplaced {
            Misplaced::Outside => Self::Outside,
            Misplaced::ToolState => Self::ToolState,
        }
    }
}

/// Checks that a run may write at a path below its root.
pub(super) fn check_place(path: &Path) -> Result<(), Misplaced> {
    if path.as_os_str().is_empty() {
        return Err(Misplaced::Outside);
    }
    for component in path.components() {
        match component {
            Component::Normal(name) if is_tool_state(name) => return Err(Misplaced::ToolState),
            Component::Normal(_) => {}
            _ => return Err(Misplaced::Outside),
        }
    }
    Ok(())
}

/// Returns true for the name of a directory with the state of a version control system or of this
/// program, whose content may be executed. Includes names that some file system considers equal: in
/// another case, with a final dot, or with characters that HFS+ ignores. `CVS` counts only in upper
/// case, since pages about CVS may be in `cvs`.
pub fn is_tool_state(name: &OsStr) -> bool {
    const NAMES: [&str; 5] = [".git", ".hg", ".svn", STATE, "git~1"];
    let is_ignored = |it: &char| matches!(it, '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}');
    let name = name.to_string_lossy();
    let name: String = name.chars().filter(|it| !is_ignored(it)).collect();
    // In NTFS, the rest is the name of a stream.
    let name = name.split(':').next().unwrap_or_default();
    let name = name.trim_end_matches(['.', ' ']);
    name == "CVS" || NAMES.iter().any(|it| name.eq_ignore_ascii_case(it))
}

/// Returns true for an error that means a missing entry.
pub(super) fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns true if the path exists, even as a broken symbolic link.
pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Renames a file, directory or symbolic link; fails if the target exists.
///
/// On systems without an atomic operation, the target is checked first.
///
/// # Errors
/// If renaming fails, or the target exists.
pub fn rename_noreplace(from: &Path, to: &Path) -> io::Result<()> {
    let ends = |path| Some((Dir::open(directory_of(path)), Path::file_name(path)?));
    let (Some((from_dir, from)), Some((to_dir, to))) = (ends(from), ends(to)) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    from_dir?.rename_noreplace(from, &to_dir?, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    #[test]
    fn root_contains_all_paths() {
        let tree = Tree::new(&[("a/b/x", ""), ("a/b/c/y", "")]);
        tree.make("a/d");
        let root = |names: &[&str]| {
            let paths: Vec<_> = names.iter().map(|name| tree.at(name)).collect();
            Root::holding(paths.iter().map(PathBuf::as_path)).map(|root| root.directory)
        };
        assert_eq!(root(&["a/b"]).unwrap(), tree.at("a/b"));
        assert_eq!(root(&["a/b/x", "none"]).unwrap(), tree.at("a/b"));
        assert_eq!(root(&["a/b/x", "a/b/c/y"]).unwrap(), tree.at("a/b"));
        assert_eq!(root(&["a/b/x", "a/d"]).unwrap(), tree.at("a"));
        assert!(root(&["none"]).is_err());
    }

    #[test]
    fn rename_noreplace_never_overwrites() {
        let tree = Tree::new(&[("a", "a"), ("b", "b")]);
        assert!(rename_noreplace(&tree.at("a"), &tree.at("b")).is_err());
        assert_eq!(tree.read("b"), "b");
        rename_noreplace(&tree.at("a"), &tree.at("c")).unwrap();
        assert_eq!(tree.read("c"), "a");
    }

    #[test]
    fn tool_state_is_recognized_by_name() {
        for name in [
            ".git", ".GIT", ".git.", ".git ", ".g\u{200C}it", "git~1", ".git::$INDEX_ALLOCATION",
            ".hg", ".svn", "CVS", ".rehref",
        ] {
            assert!(is_tool_state(name.as_ref()), "{name}");
        }
        for name in [".github", ".gitignore", "git", "cvs", "svn", ".", "rehref", ":"] {
            assert!(!is_tool_state(name.as_ref()), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_outside_of_the_root_are_rejected() {
        let tree = Tree::new(&[("other/x", ""), ("site/a/y", "")]);
        tree.symlink("../other", "site/out");
        tree.symlink("../other/x", "site/x");
        tree.symlink("a", "site/in");
        let root = Root::new(&tree.at("site")).unwrap();
        for path in ["out/x", "../other/x", "none/../../x", ".rehref/plan", ".", "a/.git/x"] {
            assert!(root.place(Path::new(path)).is_err(), "{path}");
        }
        assert!(root.file(Path::new("x")).is_err());
        assert_eq!(root.place(Path::new("x")).unwrap(), Path::new("x"));
        assert_eq!(root.place(Path::new("in/y")).unwrap(), Path::new("a/y"));
        assert_eq!(root.file(Path::new("in/y")).unwrap(), Path::new("a/y"));
        assert_eq!(root.place(Path::new("n/m/y")).unwrap(), Path::new("n/m/y"));
        for path in ["", "/etc/x", "a/../../x", "../x", "./a/y"] {
            let refused = root.open(Path::new(path)).unwrap_err();
            assert!(matches!(refused.kind(), ErrorKind::Outside), "{path}");
        }
        for path in [".rehref/x", "a/.git/hooks/x", ".svn", "CVS/Root"] {
            let refused = root.open(Path::new(path)).unwrap_err();
            assert!(matches!(refused.kind(), ErrorKind::ToolState), "{path}");
        }
        assert!(root.open(Path::new("in/y")).is_err());
        assert!(root.open(Path::new("a/y")).is_ok());
    }
}
