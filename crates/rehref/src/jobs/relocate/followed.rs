//! The renames that a run follows, as paths in its tree.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use super::larger::name_above;
use super::paths::Below;
use super::renames::{OldContent, Rename, Renames};
use crate::jobs::edits::NotFollowed;
use crate::jobs::error::{JobError, PathReason};
use crate::listing::{Entry, Listing, Move, fold_key};

/// The renames of a run, as paths in its tree.
#[derive(Debug, Default)]
pub(super) struct Followed {
    pub(super) moves: Vec<Move>,
    /// Directories whose files were all renamed to another directory.
    pub(super) directories: Vec<Move>,
    /// For the path of a file before the run: the content that it had at its old path.
    pub(super) contents: HashMap<Vec<u8>, OldContent>,
    /// For files whose old path is taken again, by their path: the old path.
    pub(super) taken: HashMap<Vec<u8>, Vec<u8>>,
    /// Renames that are not followed, or only in part.
    pub(super) problems: Vec<(PathBuf, PathBuf, NotFollowed)>,
}

/// A path in a tree, or outside of it.
enum InTree {
    Inside(Vec<u8>),
    Outside,
}

impl Followed {
    /// Finds the renames in a tree with the files `now`.
    pub(super) fn new(
        renames: &Renames,
        below: &Below<'_>,
        now: &Listing,
    ) -> Result<Self, JobError> {
        let mut followed = Self::default();
        let mut directories = Directories::default();
        let mut inside = Vec::new();
        for rename in &renames.files {
            let (old, new) = (in_tree(below, &rename.old)?, in_tree(below, &rename.new)?);
            let problem = match (old, new) {
                (InTree::Outside, InTree::Outside) => continue,
                (InTree::Outside, InTree::Inside(_)) => NotFollowed::FromOutside,
                (InTree::Inside(old), InTree::Outside) => {
                    directories.exclude(&old);
                    NotFollowed::ToOutside
                }
                (InTree::Inside(old), InTree::Inside(new)) if now.id(&new).is_none() => {
                    directories.exclude(&old);
                    NotFollowed::Missing
                }
                (InTree::Inside(from), InTree::Inside(to)) => {
                    directories.add(&from, &to);
                    inside.push((rename, Move { from, to }));
                    continue;
                }
            };
            followed.problem(rename, problem);
        }
        for path in &renames.removed {
            if let InTree::Inside(path) = in_tree(below, path)? {
                directories.exclude(&path);
            }
        }
        let targets: HashSet<&[u8]> = inside.iter().map(|(_, it)| it.to.as_slice()).collect();
        let others = now.iter().filter(|(_, path, _)| !targets.contains(path));
        let mut taken: HashSet<_> = others.map(|(_, path, _)| fold_key(path)).collect();
        let existing = taken.clone();
        let is_respelled = |path: &[u8]| {
            let mut missing = directories_of(path).filter(|it| now.id(it).is_none());
            missing.any(|it| existing.contains(&fold_key(it)))
        };
        let (whole, others) = directories.moved(now);
        let is_whole: HashSet<&[u8]> = whole.iter().map(|it| it.from.as_slice()).collect();
        for (rename, moved) in &inside {
            let content = rename.content.clone();
            if directories_of(&moved.from).any(|it| is_whole.contains(it)) {
                followed.contents.insert(moved.from.clone(), content);
            } else if is_below_file(&moved.from, now)
                || is_respelled(&moved.from)
                || !taken.insert(fold_key(&moved.from))
            {
                followed.problem(rename, NotFollowed::Taken);
                let (to, from) = (moved.to.clone(), moved.from.clone());
                followed.taken.insert(to, from);
                followed.contents.insert(moved.to.clone(), content);
            } else {
                followed.contents.insert(moved.from.clone(), content);
                followed.moves.push(moved.clone());
            }
        }
        followed.moves.extend(whole);
        followed.directories = others;
        Ok(followed)
    }

    fn problem(&mut self, rename: &Rename, problem: NotFollowed) {
        let (old, new) = (rename.old.clone(), rename.new.clone());
        self.problems.push((old, new, problem));
    }
}

/// Returns true if a directory of a path is a file now.
fn is_below_file(path: &[u8], now: &Listing) -> bool {
    let mut found = directories_of(path).filter_map(|it| now.id(it));
    found.any(|id| now.entry(id) != Entry::Directory)
}

fn in_tree(below: &Below<'_>, path: &Path) -> Result<InTree, JobError> {
    match below.of_file(path) {
        Ok(path) => Ok(InTree::Inside(path)),
        Err(JobError::Path(
            _,
            PathReason::OutsideRoot { .. } | PathReason::BelowRoot(_) | PathReason::IsRoot,
        )) => Ok(InTree::Outside),
        Err(error) => Err(error),
    }
}

/// Returns the name of an absolute path for messages, relative to a root with the name `shown`.
pub(super) fn name_of(root: &Path, path: &Path, shown: &Path) -> PathBuf {
    if path.is_relative() {
        return path.to_owned();
    }
    let mut name = PathBuf::new();
    for component in name_above(root, path, shown).components() {
        let last = name.components().next_back();
        match (component, last) {
            (Component::ParentDir, Some(Component::Normal(_))) => drop(name.pop()),
            (Component::CurDir, _) => {}
            _ => name.push(component),
        }
    }
    name
}

/// The new place of an old directory, and the number of its files.
#[derive(Debug)]
struct Renamed {
    /// The only directory to which its files were renamed.
    to: Option<Vec<u8>>,
    files: usize,
}

/// The old directories of renamed and removed files.
#[derive(Debug, Default)]
struct Directories(HashMap<Vec<u8>, Renamed>);

impl Directories {
    /// Adds a renamed file. Costs one look-up per level of the path.
    fn add(&mut self, from: &[u8], to: &[u8]) {
        let (mut from, mut to) = (from, Some(to));
        while let Some((directory, name)) = split(from) {
            // The names below both directories have to be the same.
            let new = to.and_then(split).filter(|(_, it)| *it == name);
            to = new.map(|(directory, _)| directory);
            self.count(directory, to);
            from = directory;
        }
    }

    /// Adds a file that has no new path in the tree.
    fn exclude(&mut self, path: &[u8]) {
        for directory in directories_of(path) {
            self.count(directory, None);
        }
    }

    fn count(&mut self, directory: &[u8], to: Option<&[u8]>) {
        let first = || Renamed { to: to.map(<[u8]>::to_vec), files: 0 };
        let renamed = self.0.entry(directory.to_vec()).or_insert_with(first);
        renamed.files += 1;
        if renamed.to.as_deref() != to {
            renamed.to = None;
        }
    }

    /// Returns the directories that no longer exist and whose files are all in another one: first
    /// those that brought all of its files, without directories in them, then the others.
    fn moved(self, now: &Listing) -> (Vec<Move>, Vec<Move>) {
        let mut files: HashMap<&[u8], usize> = HashMap::new();
        for (_, path, _) in now.iter().filter(|(_, _, it)| *it != Entry::Directory) {
            for directory in directories_of(path) {
                *files.entry(directory).or_default() += 1;
            }
        }
        let moved = self.0.into_iter().filter_map(|(from, renamed)| {
            let to = renamed.to.filter(|_| now.id(&from).is_none())?;
            let is_whole = files.get(to.as_slice()) == Some(&renamed.files);
            Some((Move { from, to }, is_whole))
        });
        let (mut whole, others): (Vec<_>, Vec<_>) = moved.partition(|(_, is_whole)| *is_whole);
        let all: HashSet<Vec<u8>> = whole.iter().map(|(it, _)| it.from.clone()).collect();
        let is_outer = |moved: &Move| !directories_of(&moved.from).any(|it| all.contains(it));
        whole.retain(|(moved, _)| is_outer(moved));
        let others = others.into_iter().map(|(moved, _)| moved).filter(is_outer);
        let mut whole: Vec<Move> = whole.into_iter().map(|(moved, _)| moved).collect();
        whole.sort_by(|a, b| a.from.cmp(&b.from));
        (whole, others.collect())
    }
}

/// The directories of a path below the root, from the innermost.
fn directories_of(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::successors(split(path), |(directory, _)| split(directory))
        .map(|(directory, _)| directory)
}

/// Splits a path into its directory below the root and its name.
fn split(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let slash = path.iter().rposition(|&byte| byte == b'/')?;
    Some((&path[..slash], &path[slash + 1..]))
}
