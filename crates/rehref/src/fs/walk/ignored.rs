//! Files that git ignores.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::Gitignore;

use super::git_config::GitConfig;
use super::git_files::{own_rules, rules, text_of};
use crate::fs::paths::path_of_bytes;

/// The use of git's rules in walks: `.gitignore`, `.git/info/exclude` and `core.excludesFile`. On by
/// default.
///
/// Walks leave out what git ignores below the walked directory, if that is in a work tree.
/// Repositories below it have rules of their own. As in ripgrep, the rules hold for tracked files,
/// too. A walked directory that is itself ignored is walked whole.
///
/// Files with rules or settings of git are read up to 1 MiB.
#[derive(Clone, Debug)]
pub struct GitIgnore {
    is_on: bool,
    /// The files and directories that were left out. Copies share it.
    skipped: Arc<AtomicUsize>,
}

impl Default for GitIgnore {
    fn default() -> Self {
        Self { is_on: true, skipped: Arc::default() }
    }
}

impl GitIgnore {
    /// Walks have what git ignores.
    pub fn off() -> Self {
        Self { is_on: false, ..Self::default() }
    }

    /// The number of files and directories that the walks of these options have left out so far.
    /// The content of such a directory is not counted.
    pub fn skipped(&self) -> usize {
        self.skipped.load(Ordering::Relaxed)
    }

    /// The rules for the entries of a directory. `None` if they are off.
    pub(crate) fn rules(&self, directory: &Path) -> Option<GitRules> {
        self.is_on.then(|| GitRules::new(directory, Arc::clone(&self.skipped)))
    }
}

/// The rules of git for the entries of a directory tree. Those of each directory are read once.
///
/// The rules of the deepest directory go first, then `.git/info/exclude` and the file that
/// `core.excludesFile` names. Directories above the tree count up to that of the repository.
#[derive(Debug)]
pub(crate) struct GitRules {
    /// The top of the tree, as an absolute path.
    root: PathBuf,
    /// The state of each directory, by its path below the root.
    directories: Mutex<HashMap<PathBuf, State>>,
    skipped: Arc<AtomicUsize>,
}

/// The facts about a directory.
#[derive(Clone, Debug)]
enum State {
    /// It is not in a repository, or in an ignored directory that was named.
    Free,
    /// git ignores it.
    Ignored,
    /// These rules hold for its entries.
    Ruled(Arc<Rules>),
}

/// The rules for the entries of a directory.
#[derive(Debug)]
struct Rules {
    /// Those of its `.gitignore`.
    own: Gitignore,
    /// Those of the repository, if it is the top of one. Directories above are of another one then.
    repository: Option<[Gitignore; 2]>,
    /// True if the repository ignores the case of names.
    ignores_case: bool,
    above: Option<Arc<Rules>>,
}

impl Rules {
    /// The rules of a directory, if it or one above it is a repository.
    fn new(directory: &Path, above: Option<&Arc<Self>>) -> Option<Arc<Self>> {
        let has_repository = directory.join(".git").exists();
        let (repository, ignores_case) = match above {
            _ if has_repository => {
                let of_git = git_directory(directory);
                let config = GitConfig::of_repository(&of_git);
                let rules = |file: &Path| rules(directory, file, config.ignores_case);
                let exclude = rules(&of_git.join("info/exclude"));
                let global = config.excludes(directory).map(|file| rules(&file));
                let repository = [exclude, global.unwrap_or_else(Gitignore::empty)];
                (Some(repository), config.ignores_case)
            }
            Some(above) => (None, above.ignores_case),
            None => return None,
        };
        let own = own_rules(directory, ignores_case);
        Some(Arc::new(Self { own, repository, ignores_case, above: above.cloned() }))
    }

    fn ignore(&self, path: &Path, is_directory: bool) -> bool {
        for directory in std::iter::successors(Some(self), |it| it.above.as_deref()) {
            let of_repository = directory.repository.iter().flatten();
            for rules in [&directory.own].into_iter().chain(of_repository) {
                match rules.matched(path, is_directory) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
            if directory.repository.is_some() {
                break;
            }
        }
        false
    }
}

/// The directory of a repository that all its work trees share. In a linked work tree or a submodule,
/// `.git` is a file that names another directory (gitrepository-layout).
fn git_directory(top: &Path) -> PathBuf {
    let dot_git = top.join(".git");
    match named_in(&dot_git, b"gitdir:") {
        None => dot_git,
        Some(private) => {
            let private = top.join(private);
            match named_in(&private.join("commondir"), b"") {
                None => private,
                Some(common) => private.join(common),
            }
        }
    }
}

/// The path after a key in a file of git, if it is such a file.
fn named_in(file: &Path, key: &[u8]) -> Option<PathBuf> {
    let text = text_of(file)?;
    Some(path_of_bytes(text.strip_prefix(key)?.trim_ascii()))
}

impl State {
    /// The state of a directory below one in this state.
    fn below(&self, directory: &Path) -> Self {
        let above = match self {
            Self::Ignored => return Self::Ignored,
            // A symbolic link is not a directory for git.
            Self::Ruled(rules) if rules.ignore(directory, !directory.is_symlink()) => {
                return Self::Ignored;
            }
            Self::Ruled(rules) => Some(rules),
            Self::Free => None,
        };
        Rules::new(directory, above).map_or(Self::Free, Self::Ruled)
    }
}

impl GitRules {
    fn new(directory: &Path, skipped: Arc<AtomicUsize>) -> Self {
        let root = directory.canonicalize();
        let root = root.unwrap_or_else(|_| directory.to_owned());
        let top = root.ancestors().find(|it| it.join(".git").exists());
        let mut state = State::Free;
        for directory in top.into_iter().flat_map(|top| from_top(top, &root)) {
            state = state.below(directory);
        }
        if matches!(state, State::Ignored) {
            // It was named.
            state = State::Free;
        }
        let directories = Mutex::new(HashMap::from([(PathBuf::new(), state)]));
        Self { root, directories, skipped }
    }

    /// Returns true if git ignores the entry at this path below the root, or a directory that it is
    /// in. Counts the one that is ignored. A symbolic link is not a directory.
    pub(crate) fn ignore(&self, below: &Path, is_directory: bool) -> bool {
        let directories = self.directories.lock();
        let mut directories = directories.unwrap_or_else(PoisonError::into_inner);
        let state = match below.parent() {
            Some(directory) => self.state(&mut directories, directory),
            // The root itself.
            None => State::Free,
        };
        match state {
            State::Free => false,
            // The directory is counted.
            State::Ignored => true,
            State::Ruled(rules) => {
                let is_ignored = rules.ignore(&self.root.join(below), is_directory);
                self.count(is_ignored);
                is_ignored
            }
        }
    }

    fn count(&self, is_ignored: bool) {
        self.skipped.fetch_add(usize::from(is_ignored), Ordering::Relaxed);
    }

    fn state(&self, directories: &mut HashMap<PathBuf, State>, below: &Path) -> State {
        if let Some(state) = directories.get(below) {
            return state.clone();
        }
        // The root is there, so the path has a parent.
        let above = below.parent().map_or(State::Free, |above| self.state(directories, above));
        let state = above.below(&self.root.join(below));
        self.count(matches!((&above, &state), (State::Ruled(_), State::Ignored)));
        directories.insert(below.to_owned(), state.clone());
        state
    }
}

/// The directories from `top` down to `bottom`, which is below it.
fn from_top<'p>(top: &Path, bottom: &'p Path) -> impl Iterator<Item = &'p Path> + use<'p> {
    let depth = bottom.components().count() - top.components().count();
    let mut directories: Vec<_> = bottom.ancestors().take(depth + 1).collect();
    directories.reverse();
    directories.into_iter()
}
