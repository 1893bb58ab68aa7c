//! Walking directories.

mod git_config;
mod git_files;
mod ignored;
mod larger;
mod listing;
mod sites;
mod types;

pub use ignored::GitIgnore;
pub(in crate::fs) use larger::device;
pub use larger::{documents_outside, repository_above};
pub use listing::{
    ignores_case, is_listed_whole, is_same_owner, list, list_to_depth, names_in, presence,
};
pub use sites::{layouts, site_of};
pub use types::{Types, UnknownType};

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use globset::{Glob, GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use super::Item;
use crate::error::{Error, ErrorKind};
use crate::fs::paths::path_below;

/// Directories with the state of a tool and no documents.
const PRIVATE: [&str; 5] = [".git", ".hg", ".svn", "CVS", ".rehref"];

/// The prefix of temporary files that a killed run may leave behind.
const TEMPORARY: &str = ".rehref-";

/// Options for walking directories.
#[derive(Clone, Debug, Default)]
pub struct WalkOptions {
    /// Take only files that these globs take; all if empty.
    pub globs: Globs,
    /// Skip files and directories that match one of these globs.
    pub excludes: Globs,
    /// Skip files and directories below this directory that match one of these globs. Globs with a
    /// `/` are matched with paths below it.
    pub excludes_below: Option<(PathBuf, Globs)>,
    /// Take only files of these types.
    pub types: Types,
    /// Skip files and directories that git ignores.
    pub gitignore: GitIgnore,
    /// The maximum depth; 1 is the content of the directory itself.
    pub max_depth: Option<usize>,
    /// True to follow symbolic links in the directory.
    pub follow: bool,
    /// True to return entries that are not files too: directories, before their content,
    /// symbolic links that are not followed, and special files.
    pub whole: bool,
    /// The file that the run writes, which is not taken.
    pub output: Option<PathBuf>,
}

/// A list of globs. A glob without a `/` is matched with names, one with a `/` with paths below the
/// walked directory. One that begins with `!` leaves out what it matches. Of several that match,
/// the last decides.
///
/// ```
/// use rehref::fs::Globs;
///
/// assert!(Globs::new(&["*.html", "!draft-*"]).is_ok());
/// assert!(Globs::new(&["../*.html"]).is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Globs {
    names: GlobSet,
    paths: GlobSet,
    /// The number of each glob in `names`, in the order in which they were given.
    name_numbers: Vec<usize>,
    /// The number of each glob in `paths`.
    path_numbers: Vec<usize>,
    /// True if each glob takes what it matches.
    takes: Vec<bool>,
    /// The globs as written, and whether they have matched an entry of a walk. Copies share it.
    matched: Arc<[(String, AtomicBool)]>,
}

/// An invalid glob.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlobError {
    /// The syntax is wrong, for this reason.
    Syntax(globset::Error),
    /// The glob is empty.
    Empty,
    /// No path below a directory has a name that is empty, `.` or `..`, as this glob demands.
    NoPath(String),
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Empty => f.write_str("a glob is empty"),
            Self::NoPath(glob) => write!(
                f,
                "{glob:?} matches no path below a directory, because of an empty name, `.` or `..`"
            ),
        }
    }
}

impl std::error::Error for GlobError {}

impl Globs {
    /// Compiles patterns: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of directories. A `/`
    /// at the beginning has no effect. One at the end means a directory, with everything in it.
    ///
    /// # Errors
    /// If a pattern is invalid or can match nothing.
    pub fn new(patterns: &[impl AsRef<str>]) -> Result<Self, GlobError> {
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let mut globs = Self::default();
        for (number, pattern) in patterns.iter().enumerate() {
            let pattern = pattern.as_ref();
            let (takes, glob) = match pattern.strip_prefix('!') {
                Some(glob) => (false, glob),
                None => (true, pattern),
            };
            globs.takes.push(takes);
            if !glob.contains('/') {
                if glob.is_empty() {
                    return Err(GlobError::Empty);
                }
                names.add(Glob::new(glob).map_err(GlobError::Syntax)?);
                globs.name_numbers.push(number);
                continue;
            }
            let path = glob.trim_start_matches("./").trim_matches('/');
            if path.split('/').any(|name| matches!(name, "" | "." | "..")) {
                return Err(GlobError::NoPath(pattern.to_owned()));
            }
            let mut add = |path: &str| {
                let mut glob = globset::GlobBuilder::new(path);
                let glob = glob.literal_separator(true).build();
                paths.add(glob.map_err(GlobError::Syntax)?);
                globs.path_numbers.push(number);
                Ok(())
            };
            add(path)?;
            if glob.ends_with('/') {
                add(&format!("{path}/**"))?;
            }
        }
        let unmatched = patterns.iter().map(|it| (it.as_ref().to_owned(), AtomicBool::new(false)));
        globs.matched = unmatched.collect();
        globs.names = names.build().map_err(GlobError::Syntax)?;
        globs.paths = paths.build().map_err(GlobError::Syntax)?;
        Ok(globs)
    }

    fn is_empty(&self) -> bool {
        self.takes.is_empty()
    }

    /// The globs, as written, that have matched no file and no directory in the walks of these
    /// options so far. In a directory that is skipped, nothing is matched.
    pub fn unmatched(&self) -> impl Iterator<Item = &str> {
        let unmatched = self.matched.iter().filter(|(_, it)| !it.load(Ordering::Relaxed));
        unmatched.map(|(glob, _)| glob.as_str())
    }

    /// Returns true if the last glob that matches takes its matches. `None` if no glob matches.
    fn decision(&self, name: &OsStr, below_root: &Path) -> Option<bool> {
        let names = self.names.matches(name).into_iter();
        let names = names.map(|at| self.name_numbers[at]);
        let paths = self.paths.matches(below_root).into_iter();
        let paths = paths.map(|at| self.path_numbers[at]);
        let mut last = None;
        for number in names.chain(paths) {
            self.matched[number].1.store(true, Ordering::Relaxed);
            last = last.max(Some(number));
        }
        Some(self.takes[last?])
    }

    /// Returns true if a directory may contain files that are taken.
    fn enters(&self, name: &OsStr, below_root: &Path) -> bool {
        self.decision(name, below_root) != Some(false)
    }

    /// Returns true if a file is taken. One that no glob matches is, unless a glob takes others.
    fn takes(&self, name: &OsStr, below_root: &Path) -> bool {
        let decision = self.decision(name, below_root);
        decision.unwrap_or_else(|| !self.takes.contains(&true))
    }

    /// Returns true if the last glob that matches does not begin with `!`.
    fn is_match(&self, name: &OsStr, below_root: &Path) -> bool {
        self.decision(name, below_root) == Some(true)
    }
}

/// An entry of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkEntry {
    /// The item.
    pub item: Item,
    /// The directory that was walked, as named. `None` for an item that was named itself.
    pub root: Option<PathBuf>,
    /// The kind of the entry.
    pub kind: EntryKind,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A directory that is walked.
    Directory,
    /// A symbolic link that is not followed.
    Link,
    /// A device, a pipe or a socket in a directory.
    Special,
}

impl WalkOptions {
    /// Walks items: in their order and, within a directory, in the order of names. Named files are
    /// taken regardless of the globs.
    pub fn walk(&self, items: Vec<Item>) -> Walk<'_> {
        Walk { tree: self, items: items.into_iter(), directory: None }
    }

    /// Returns true if no option excludes files, apart from the rules of git.
    pub fn takes_all(&self) -> bool {
        let takes_all_names = self.globs.is_empty()
            && self.excludes.is_empty()
            && self.excludes_below.is_none()
            && self.types.is_empty();
        takes_all_names && self.max_depth.is_none()
    }

    /// All entries of a directory, which comes first itself.
    pub(super) fn entries(
        &self,
        root: PathBuf,
    ) -> impl Iterator<Item = Result<DirEntry, Error>> + '_ {
        let DirectoryWalk { root, entries } = self.walk_directory(root);
        entries.map(move |entry| entry.map_err(|error| error_of(error, &root)))
    }

    fn walk_directory(&self, root: PathBuf) -> DirectoryWalk<'_> {
        let mut walk = WalkDir::new(&root)
            .follow_links(self.follow)
            // By name, since the entries of a directory share its path.
            .sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()));
        if let Some(depth) = self.max_depth {
            walk = walk.max_depth(depth);
        }
        let (globs, excludes) = (&self.globs, &self.excludes);
        let output = self.output.as_ref().and_then(|it| it.canonicalize().ok());
        let below = root.clone();
        let ignored = self.gitignore.rules(&root);
        let absolute = self.excludes_below.as_ref().map(|(directory, globs)| {
            let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
            (real(directory), globs, real(&root))
        });
        let is_excluded_below = move |name: &OsStr, path: &Path| {
            absolute.as_ref().is_some_and(|(directory, globs, root)| {
                let path = root.join(path);
                path.strip_prefix(directory).is_ok_and(|below| globs.is_match(name, below))
            })
        };
        let enters = move |entry: &DirEntry| {
            let name = entry.file_name();
            // In a linked work tree, `.git` is a file.
            let is_private = PRIVATE
                .iter()
                .any(|it| name == *it && (entry.file_type().is_dir() || *it == ".git"));
            let is_temporary = name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
            let path = || below_root(entry.path(), &below);
            let is_excluded = !excludes.is_empty() && excludes.is_match(name, path())
                || is_excluded_below(name, path())
                || entry.file_type().is_dir() && !globs.is_empty() && !globs.enters(name, path());
            let is_output = || {
                let output = output.as_ref().filter(|it| it.file_name() == Some(name));
                output.is_some_and(|it| entry.path().canonicalize().is_ok_and(|path| path == *it))
            };
            let is_taken =
                entry.depth() == 0 || !is_private && !is_temporary && !is_excluded && !is_output();
            let is_directory = entry.file_type().is_dir() && !entry.path_is_symlink();
            is_taken && !ignored.as_ref().is_some_and(|it| it.ignore(path(), is_directory))
        };
        let entries = walk.into_iter().filter_entry(Box::new(enters) as EntryFilter<'_>);
        DirectoryWalk { root, entries }
    }

    /// The kind of an entry, if it is taken.
    fn kind_of(&self, entry: &DirEntry, root: &Path) -> Option<EntryKind> {
        let file_type = entry.file_type();
        let kind = if file_type.is_file() {
            EntryKind::File
        } else if !self.whole {
            return None;
        } else if file_type.is_dir() || entry.depth() == 0 {
            // A symbolic link that was named and walked is a directory too.
            EntryKind::Directory
        } else if file_type.is_symlink() {
            EntryKind::Link
        } else {
            EntryKind::Special
        };
        let path = || below_root(entry.path(), root);
        let is_of_type =
            kind != EntryKind::File || self.types.is_empty() || self.types.takes(path());
        let is_taken =
            is_of_type && (self.globs.is_empty() || self.globs.takes(entry.file_name(), path()));
        is_taken.then_some(kind)
    }
}

fn below_root<'p>(path: &'p Path, root: &Path) -> &'p Path {
    path_below(path, root).unwrap_or(path)
}

type EntryFilter<'t> = Box<dyn FnMut(&DirEntry) -> bool + Send + 't>;

struct DirectoryWalk<'t> {
    root: PathBuf,
    entries: walkdir::FilterEntry<walkdir::IntoIter, EntryFilter<'t>>,
}

/// The iterator of [`WalkOptions::walk`]. An unreadable directory is an error; the walk continues.
pub struct Walk<'t> {
    tree: &'t WalkOptions,
    items: std::vec::IntoIter<Item>,
    directory: Option<DirectoryWalk<'t>>,
}

impl Iterator for Walk<'_> {
    type Item = Result<WalkEntry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(directory) = &mut self.directory {
                for entry in directory.entries.by_ref() {
                    let entry = match entry {
                        Ok(entry) => entry,
                        Err(error) => return Some(Err(error_of(error, &directory.root))),
                    };
                    if let Some(kind) = self.tree.kind_of(&entry, &directory.root) {
                        let root = Some(directory.root.clone());
                        return Some(Ok(WalkEntry {
                            item: Item::Path(entry.into_path()),
                            root,
                            kind,
                        }));
                    }
                }
                self.directory = None;
            }
            match self.items.next()? {
                Item::Path(path) if path.is_dir() => {
                    self.directory = Some(self.tree.walk_directory(path));
                }
                item => {
                    return Some(Ok(WalkEntry { item, root: None, kind: EntryKind::File }));
                }
            }
        }
    }
}

fn error_of(error: walkdir::Error, root: &Path) -> Error {
    let path = error.path().unwrap_or(root).to_owned();
    let is_loop = error.loop_ancestor().is_some();
    match error.into_io_error() {
        Some(error) if !is_loop => Error::new(path, ErrorKind::Read(error)),
        _ => Error::new(path, ErrorKind::Loop),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    fn names(tree: &WalkOptions, root: &Path) -> Vec<String> {
        let walk = tree.walk(vec![Item::Path(root.to_owned())]);
        let name = |found: Result<WalkEntry, Error>| {
            let found = found.unwrap();
            let path = found.item.file().unwrap().strip_prefix(root).unwrap().to_owned();
            path.to_str().unwrap().replace('\\', "/")
        };
        walk.map(name).collect()
    }

    #[test]
    fn directories_are_walked_sorted_without_tool_state() {
        let files = ["b/x.html", "b/.h/y.txt", "a.html", ".git/config", "b/CVS/Root", "c/z.htm"];
        let tree = Tree::new(&files.map(|name| (name, "")));
        let root = tree.path();
        let globs = |patterns: &[&str]| Globs::new(patterns).unwrap();
        let all = WalkOptions::default();
        assert_eq!(names(&all, root), ["a.html", "b/.h/y.txt", "b/x.html", "c/z.htm"]);
        assert_eq!(names(&all, &root.join(".git")), ["config"], "named, so entered");
        let only = WalkOptions { globs: globs(&["*.html"]), ..WalkOptions::default() };
        assert_eq!(names(&only, root), ["a.html", "b/x.html"]);
        let only = WalkOptions { globs: globs(&["b/**/*.txt"]), ..WalkOptions::default() };
        assert_eq!(names(&only, root), ["b/.h/y.txt"]);
        let without = WalkOptions { excludes: globs(&["b"]), ..WalkOptions::default() };
        assert_eq!(names(&without, root), ["a.html", "c/z.htm"]);
        let without = WalkOptions { excludes: globs(&["./b/.h/"]), ..WalkOptions::default() };
        assert_eq!(names(&without, root), ["a.html", "b/x.html", "c/z.htm"]);
        let shallow = WalkOptions { max_depth: Some(1), ..WalkOptions::default() };
        assert_eq!(names(&shallow, root), ["a.html"]);
        assert!(Globs::new(&["["]).is_err());
    }

    #[test]
    fn the_last_glob_that_matches_decides() {
        let files = ["a.html", "b.txt", "d/c.html", "d/e/f.html", "d/g.txt"];
        let tree = Tree::new(&files.map(|name| (name, "")));
        let root = tree.path();
        for (patterns, expected) in [
            (&["!*.html"][..], &["b.txt", "d/g.txt"][..]),
            (&["*.html", "!c.*"], &["a.html", "d/e/f.html"]),
            (&["!*.html", "a.*"], &["a.html"]),
            (&["!d", "*.html"], &["a.html"]),
            (&["!d/e"], &["a.html", "b.txt", "d/c.html", "d/g.txt"]),
            (&["!/d/e/"], &["a.html", "b.txt", "d/c.html", "d/g.txt"]),
            (&["d/"], &["d/c.html", "d/e/f.html", "d/g.txt"]),
            (&["d/**", "!**/f.*", "d/**/f.html"], &["d/c.html", "d/e/f.html", "d/g.txt"]),
        ] {
            let globs = Globs::new(patterns).unwrap();
            let options = WalkOptions { globs, ..WalkOptions::default() };
            assert_eq!(names(&options, root), expected, "{patterns:?}");
        }
        let globs = Globs::new(&["*.html", "*.md", "!d/e", "!none/**", "d/*.txt"]).unwrap();
        let options = WalkOptions { globs: globs.clone(), ..WalkOptions::default() };
        assert_eq!(globs.unmatched().count(), 5);
        assert_eq!(names(&options, root), ["a.html", "d/c.html", "d/g.txt"]);
        assert_eq!(globs.unmatched().collect::<Vec<_>>(), ["*.md", "!none/**"]);
        for invalid in ["", "!", "../*.html", "a/../b", "a//b", "a/./b", "/"] {
            assert!(Globs::new(&[invalid]).is_err(), "{invalid}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_are_followed_only_on_request() {
        let tree = Tree::new(&[("a/x", "")]);
        let root = tree.path();
        tree.symlink("a", "b");
        assert_eq!(names(&WalkOptions::default(), root), ["a/x"]);
        assert_eq!(names(&WalkOptions::default(), &root.join("b")), ["x"], "named, so followed");
        let follow = WalkOptions { follow: true, ..WalkOptions::default() };
        assert_eq!(names(&follow, root), ["a/x", "b/x"]);
        tree.symlink("..", "a/up");
        let found: Vec<_> = follow.walk(vec![Item::Path(root.to_owned())]).collect();
        assert!(
            found
                .iter()
                .any(|it| matches!(it, Err(error) if matches!(error.kind(), ErrorKind::Loop)))
        );
    }
}
