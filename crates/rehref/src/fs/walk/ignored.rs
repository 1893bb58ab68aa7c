//! Files that git ignores.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};
use walkdir::DirEntry;

/// The rules of git about the files of a walk, those of deeper directories last.
///
/// As in git, the rules of the deepest directory go first, then `.git/info/exclude` and the file
/// that `core.excludesFile` names. Directories above the walked one count up to that of the
/// repository. Rules hold for files that git tracks, too.
pub(super) struct Ignored {
    /// The walked directory, as an absolute path.
    root: PathBuf,
    directories: Vec<Directory>,
}

/// The rules of a directory.
struct Directory {
    /// Its depth below the walked directory, which is at depth 0, as are those above it.
    depth: usize,
    /// Its `.gitignore`.
    rules: Gitignore,
    /// The rules of the repository, if it is the directory of one. Those of directories above are
    /// of another one then.
    repository: Option<[Gitignore; 2]>,
}

impl Directory {
    fn new(path: &Path, depth: usize) -> Self {
        let repository = path.join(".git").exists().then(|| {
            let exclude = rules(path, &path.join(".git/info/exclude"));
            let global = gitconfig_excludes_path().map(|file| rules(path, &file));
            [exclude, global.unwrap_or_else(Gitignore::empty)]
        });
        Self { depth, rules: rules(path, &path.join(".gitignore")), repository }
    }
}

/// The rules in a file, for paths below a directory. Lines that are not rules are skipped, as by
/// git.
fn rules(directory: &Path, file: &Path) -> Gitignore {
    let mut rules = GitignoreBuilder::new(directory);
    rules.add(file);
    rules.build().unwrap_or_else(|_| Gitignore::empty())
}

impl Ignored {
    /// The rules for a walk of this directory.
    pub(super) fn new(directory: &Path) -> Self {
        let root = directory.canonicalize();
        let root = root.unwrap_or_else(|_| directory.to_owned());
        let mut directories = vec![Directory::new(&root, 0)];
        for above in root.ancestors().skip(1) {
            if directories.last().is_some_and(|it| it.repository.is_some()) {
                break;
            }
            directories.push(Directory::new(above, 0));
        }
        // Without a repository, only the walked directory has rules.
        if directories.last().is_none_or(|it| it.repository.is_none()) {
            directories.truncate(1);
        }
        directories.reverse();
        Self { root, directories }
    }

    /// Returns true if git ignores an entry, which is at this path below the walked directory.
    /// Entries come in the order of a walk, so that the rules of a directory are read once.
    pub(super) fn ignores(&mut self, entry: &DirEntry, below: &Path) -> bool {
        let depth = entry.depth();
        if depth == 0 {
            return false;
        }
        while self.directories.last().is_some_and(|it| it.depth >= depth) {
            self.directories.pop();
        }
        let path = self.root.join(below);
        let is_directory = entry.file_type().is_dir();
        let is_ignored = self.decision(&path, is_directory);
        if is_directory && !is_ignored {
            self.directories.push(Directory::new(&path, depth));
        }
        is_ignored
    }

    fn decision(&self, path: &Path, is_directory: bool) -> bool {
        decision(self.directories.iter().rev(), path, is_directory)
    }
}

/// Returns true if the rules of these directories, the deepest first, ignore a path.
fn decision<'d>(
    directories: impl Iterator<Item = &'d Directory>,
    path: &Path,
    is_directory: bool,
) -> bool {
    for directory in directories {
        let of_repository = directory.repository.iter().flatten();
        for rules in [&directory.rules].into_iter().chain(of_repository) {
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

/// Says of single files whether a walk that leaves out what git ignores would leave them out. The
/// rules of a directory are read once, and only if a file in it is asked for.
#[derive(Default)]
pub struct IgnoredByGit {
    /// By walked directory and by directory in it.
    directories: Mutex<HashMap<PathBuf, HashMap<PathBuf, State>>>,
}

/// The facts about a directory.
#[derive(Clone)]
enum State {
    /// It is not in a repository.
    Elsewhere,
    /// git ignores it.
    Ignored,
    /// These rules hold for its files. The path is that of the directory, without symbolic links.
    Read(PathBuf, Arc<Chain>),
}

/// The rules for the files of a directory: its own, and those of the ones above.
struct Chain {
    own: Directory,
    above: Option<Arc<Chain>>,
}

impl Chain {
    fn directories(&self) -> impl Iterator<Item = &Directory> {
        std::iter::successors(Some(self), |it| it.above.as_deref()).map(|it| &it.own)
    }
}

impl IgnoredByGit {
    /// Returns true if a walk of the directory `root`, in a repository of git, finds this file, and
    /// git ignores it.
    pub fn contains(&self, file: &Path, root: &Path) -> bool {
        let (Some(directory), Some(name)) = (file.parent(), file.file_name()) else {
            return false;
        };
        let trees = self.directories.lock();
        let mut trees = trees.unwrap_or_else(PoisonError::into_inner);
        let states = match trees.get_mut(root) {
            Some(states) => states,
            None => trees.entry(root.to_owned()).or_default(),
        };
        match Self::state(states, directory, root) {
            State::Elsewhere => false,
            State::Ignored => true,
            State::Read(path, rules) => decision(rules.directories(), &path.join(name), false),
        }
    }

    fn state(states: &mut HashMap<PathBuf, State>, directory: &Path, root: &Path) -> State {
        // The path of a directory in the root begins with that of the root, or the root is the
        // current one.
        let below = directory.strip_prefix(root);
        let is_root =
            below.map_or(directory.as_os_str().is_empty(), |it| it.as_os_str().is_empty());
        if let Some(state) = states.get(directory) {
            return state.clone();
        }
        let above = directory.parent().zip(directory.file_name());
        let state = match above {
            Some((above, name)) if !is_root => match Self::state(states, above, root) {
                State::Read(above, rules) => {
                    let path = above.join(name);
                    match decision(rules.directories(), &path, true) {
                        true => State::Ignored,
                        false => {
                            let (own, above) = (Directory::new(&path, 0), Some(rules));
                            State::Read(path, Arc::new(Chain { own, above }))
                        }
                    }
                }
                State::Elsewhere if directory.join(".git").exists() => Self::outermost(directory),
                other => other,
            },
            _ => Self::outermost(root),
        };
        states.insert(directory.to_owned(), state.clone());
        state
    }

    /// The state of a directory by its own rules and those above it.
    fn outermost(directory: &Path) -> State {
        let Ignored { root, directories } = Ignored::new(directory);
        let is_repository = directories.iter().any(|it| it.repository.is_some());
        let mut chain = None;
        for own in directories {
            chain = Some(Arc::new(Chain { own, above: chain }));
        }
        match chain.filter(|_| is_repository) {
            Some(chain) => State::Read(root, chain),
            None => State::Elsewhere,
        }
    }
}
