//! Moves of paths within a tree.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use super::{Entry, Id, Listing, fold_key};

/// A set of moves of files and directories in a tree. They happen at the same time, so two entries
/// may be exchanged.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The moves, in the given order.
    list: Vec<Move>,
    by_from: HashMap<Vec<u8>, usize>,
    /// Directories whose files all move to one other directory, one by one. Each move is about the
    /// directory alone.
    directories: HashMap<Vec<u8>, Move>,
    /// The directories that become empty, deepest first.
    emptied: Vec<Vec<u8>>,
    /// The directories that have to be created, outermost first.
    missing: Vec<Vec<u8>>,
}

/// One move. Paths are as in a [`Listing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The old path.
    pub from: Vec<u8>,
    /// The new path.
    pub to: Vec<u8>,
}

/// The reason why a move is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveError {
    /// The old path does not exist.
    NotFound(Move),
    /// The old or new path is the root of the tree.
    Root(Move),
    /// The new path is within the old one.
    IntoItself(Move),
    /// The path, or a directory that contains it, is moved twice.
    Duplicate(Move),
    /// The new path exists already, or will: the second path. The names may differ: they are equal
    /// to a file system that ignores case or normal forms of Unicode.
    Collision(Move, Vec<u8>),
    /// A file is in place of a directory: the second path.
    NoDirectory(Move, Vec<u8>),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
        write!(f, "{}: {}", name(&self.moved().from), self.reason(name))
    }
}

impl std::error::Error for MoveError {}

impl MoveError {
    /// The reason, with these names of paths.
    pub fn reason(&self, name: impl Fn(&[u8]) -> String) -> String {
        let to = name(&self.moved().to);
        match self {
            Self::NotFound(_) => "no such file or directory".to_owned(),
            Self::Root(_) => "the root of the tree cannot be moved or replaced".to_owned(),
            Self::IntoItself(_) => format!("cannot be moved into itself, to {to}"),
            Self::Duplicate(_) => "it, or a directory that contains it, is moved twice".to_owned(),
            Self::Collision(_, other) if *other == self.moved().to => {
                format!("cannot be moved to {to}, which exists or will exist")
            }
            Self::Collision(_, other) => {
                let other = name(other);
                format!("cannot be moved to {to}: {other} exists or will exist")
            }
            Self::NoDirectory(_, file) => {
                format!("cannot be moved to {to}: {} is a file", name(file))
            }
        }
    }

    /// The impossible move.
    pub fn moved(&self) -> &Move {
        match self {
            Self::NotFound(it)
            | Self::Root(it)
            | Self::IntoItself(it)
            | Self::Duplicate(it)
            | Self::Collision(it, _)
            | Self::NoDirectory(it, _) => it,
        }
    }
}

impl Moves {
    /// Checks these moves in the tree of `listing`. Moves to the same path are dropped.
    ///
    /// # Errors
    /// If a move is impossible. Nothing is ever overwritten, even on a file system that considers
    /// different names equal. Linear in the listing.
    pub fn new(
        listing: &Listing,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Self, MoveError> {
        let mut made = Self::default();
        for moved in moves {
            if moved.from == moved.to {
                continue;
            }
            if moved.from.is_empty() || moved.to.is_empty() {
                return Err(MoveError::Root(moved));
            }
            if listing.id(&moved.from).is_none() {
                return Err(MoveError::NotFound(moved));
            }
            if is_under(&moved.to, &moved.from) {
                return Err(MoveError::IntoItself(moved));
            }
            // Its directory may become empty, but exists as long as it contains the entry.
            if is_under(&moved.from, &moved.to) {
                let directory = moved.to.clone();
                return Err(MoveError::Collision(moved, directory));
            }
            let number = made.list.len();
            if made.by_from.insert(moved.from.clone(), number).is_some() {
                return Err(MoveError::Duplicate(moved));
            }
            made.list.push(moved);
        }
        for moved in &made.list {
            if ancestors(&moved.from).any(|directory| made.by_from.contains_key(directory)) {
                return Err(MoveError::Duplicate(moved.clone()));
            }
        }
        made.find_emptied(listing);
        made.check_collisions(listing)?;
        made.find_missing(listing);
        Ok(made)
    }

    /// Expands the moves to one for each file and each empty directory. Other directories remain if
    /// they are not empty afterwards.
    ///
    /// # Errors
    /// Those of [`Moves::new`].
    pub fn expanded(&self, listing: &Listing) -> Result<Self, MoveError> {
        let filled: HashSet<&[u8]> = listing.iter().map(|(_, path, _)| parent(path)).collect();
        let is_single = |path: &[u8], entry| entry != Entry::Directory || !filled.contains(path);
        let single = listing.iter().filter(|(_, path, entry)| is_single(path, *entry));
        let moved = single.filter_map(|(_, path, _)| match self.new_path(path) {
            Cow::Owned(to) => Some(Move { from: path.to_vec(), to }),
            Cow::Borrowed(_) => None,
        });
        Self::new(listing, moved)
    }

    /// Adds directories whose files all move to one other directory, one by one: references to the
    /// directories follow.
    #[must_use]
    pub fn with_directories(mut self, directories: impl IntoIterator<Item = Move>) -> Self {
        let directories = directories.into_iter();
        self.directories.extend(directories.map(|it| (it.from.clone(), it)));
        self
    }

    /// The moves, in the given order.
    pub fn iter(&self) -> std::slice::Iter<'_, Move> {
        self.list.iter()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The directories that have to be created, each after its parent.
    pub fn missing_directories(&self) -> impl Iterator<Item = &[u8]> {
        self.missing.iter().map(Vec::as_slice)
    }

    /// The directories that become empty, each before its parent.
    pub fn emptied_directories(&self) -> impl Iterator<Item = &[u8]> {
        self.emptied.iter().map(Vec::as_slice)
    }

    /// The new path of an entry. Unchanged if neither it nor a directory that contains it moves.
    /// Costs one look-up per level of the path.
    pub fn new_path<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        match self.moving(path) {
            Some(Move { from, to }) => Cow::Owned([to, &path[from.len()..]].concat()),
            None => Cow::Borrowed(path),
        }
    }

    /// The move of an entry: the move of the entry itself, or that of a directory that contains it.
    pub fn moving(&self, path: &[u8]) -> Option<&Move> {
        let mut above = std::iter::once(path).chain(ancestors(path));
        let moved = above.find_map(|above| Some(&self.list[*self.by_from.get(above)?]));
        moved.or_else(|| self.directories.get(path))
    }

    /// The inverse moves.
    pub fn reversed(&self) -> impl Iterator<Item = Move> {
        self.list.iter().map(|moved| Move { from: moved.to.clone(), to: moved.from.clone() })
    }

    /// The tree after the moves, without the emptied directories.
    pub fn applied_to(&self, listing: &Listing) -> Listing {
        let mut after = Listing::default();
        let emptied: HashSet<&[u8]> = self.emptied_directories().collect();
        for directory in self.missing_directories() {
            after.insert(directory, Entry::Directory);
        }
        let mut numbers: Vec<Option<Id>> = vec![after.id(b"")];
        for (_, path, entry) in listing.iter().skip(1) {
            let stays = !emptied.contains(path);
            numbers.push(stays.then(|| after.insert(&self.new_path(path), entry)));
        }
        for (number, (_, path, entry)) in listing.iter().enumerate() {
            if let (Some(new), Entry::Link(to)) = (numbers[number], entry) {
                let new_target = moved_target(path, listing.name(to), after.name(new));
                let there = new_target.and_then(|path| after.id(&path));
                let to = numbers[to.number()].filter(|to| there == Some(*to));
                after.set(new, to.map_or(Entry::Nowhere, Entry::Link));
            }
        }
        after
    }

    /// Finds the directories that become empty, and are not a target.
    fn find_emptied(&mut self, listing: &Listing) {
        // A directory with new entries stays, and so do its parents.
        let kept: HashSet<&[u8]> = self.list.iter().flat_map(|it| ancestors(&it.to)).collect();
        let sources: BTreeSet<&[u8]> = self.list.iter().map(|it| parent(&it.from)).collect();
        if sources.iter().all(|directory| directory.is_empty()) {
            return;
        }
        let mut left: HashMap<&[u8], usize> = HashMap::new();
        for (_, path, _) in listing.iter().skip(1) {
            *left.entry(parent(path)).or_default() += 1;
        }
        let mut emptied: Vec<&[u8]> = self.list.iter().map(|it| it.from.as_slice()).collect();
        while let Some(path) = emptied.pop() {
            let directory = parent(path);
            let Some(count) = left.get_mut(directory) else {
                continue;
            };
            *count -= 1;
            if *count == 0 && !directory.is_empty() && !kept.contains(directory) {
                self.emptied.push(directory.to_vec());
                emptied.push(directory);
            }
        }
        self.emptied
            .sort_by_key(|directory| (std::cmp::Reverse(depth(directory)), directory.clone()));
    }

    /// Fails if a target exists, or is within a file.
    fn check_collisions(&self, listing: &Listing) -> Result<(), MoveError> {
        let emptied: HashSet<&[u8]> = self.emptied_directories().collect();
        // For each folded path: its spelling, and true if it is a directory.
        let mut there: HashMap<Vec<u8>, (Vec<u8>, bool)> = HashMap::with_capacity(listing.len());
        for (_, path, entry) in listing.iter() {
            if !emptied.contains(path) && matches!(self.new_path(path), Cow::Borrowed(_)) {
                let is_directory = entry == Entry::Directory;
                there.insert(fold_key(path).into_owned(), (path.to_vec(), is_directory));
            }
        }
        for moved in &self.list {
            let folded = fold_key(&moved.to).into_owned();
            if let Some((other, _)) = there.get(&folded) {
                return Err(MoveError::Collision(moved.clone(), other.clone()));
            }
            let is_directory =
                listing.id(&moved.from).map(|id| listing.entry(id)) == Some(Entry::Directory);
            there.insert(folded, (moved.to.clone(), is_directory));
        }
        // The content of a moved directory may be in the way too.
        for moved in &self.list {
            for directory in ancestors(&moved.to).filter(|directory| !directory.is_empty()) {
                let id = listing.id(directory).filter(|id| listing.entry(*id) == Entry::Directory);
                let stays = matches!(self.new_path(directory), Cow::Borrowed(_))
                    && !emptied.contains(directory);
                if id.is_some() && stays {
                    continue;
                }
                let folded = fold_key(directory).into_owned();
                match there.get(&folded) {
                    Some((other, true)) if other == directory => {}
                    Some((other, true)) => {
                        return Err(MoveError::Collision(moved.clone(), other.clone()));
                    }
                    Some((other, false)) => {
                        return Err(MoveError::NoDirectory(moved.clone(), other.clone()));
                    }
                    None => {
                        there.insert(folded, (directory.to_vec(), true));
                    }
                }
            }
        }
        // A target may be in a moved directory that has an entry of that name.
        let targets = self.targets();
        let goes_into_moved = |it: &&Move| ancestors(&it.to).any(|it| targets.contains(it));
        let into_moved: Vec<&Move> = self.list.iter().filter(goes_into_moved).collect();
        if !into_moved.is_empty() {
            let brought: HashMap<Vec<u8>, Vec<u8>> = listing
                .iter()
                .filter_map(|(_, path, _)| match self.new_path(path) {
                    Cow::Owned(new) if !self.by_from.contains_key(path) => {
                        Some((fold_key(&new).into_owned(), new))
                    }
                    _ => None,
                })
                .collect();
            for moved in into_moved {
                if let Some(other) = brought.get(&*fold_key(&moved.to)) {
                    return Err(MoveError::Collision(moved.clone(), other.clone()));
                }
            }
        }
        Ok(())
    }

    fn targets(&self) -> HashSet<&[u8]> {
        self.list.iter().map(|it| it.to.as_slice()).collect()
    }

    /// Finds the missing directories of targets.
    fn find_missing(&mut self, listing: &Listing) {
        let targets = self.targets();
        let mut missing = BTreeSet::new();
        for moved in &self.list {
            for directory in ancestors(&moved.to).filter(|directory| !directory.is_empty()) {
                let stays = listing.id(directory).is_some()
                    && matches!(self.new_path(directory), Cow::Borrowed(_));
                let is_brought = targets.contains(directory)
                    || ancestors(directory).any(|it| targets.contains(it));
                if !stays && !is_brought {
                    missing.insert((depth(directory), directory.to_vec()));
                }
            }
        }
        self.missing = missing.into_iter().map(|(_, directory)| directory).collect();
    }
}

/// The target of a relative symbolic link to `target` after it was moved from `path` to `new`: its
/// content does not change. Nearly all links in trees are relative. `None` if the target is outside
/// of the tree.
fn moved_target(path: &[u8], target: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let names = |path| <[u8]>::split(path, |byte: &u8| *byte == b'/').filter(|it| !it.is_empty());
    let from: Vec<&[u8]> = names(parent(path)).collect();
    let to: Vec<&[u8]> = names(target).collect();
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut new_target: Vec<&[u8]> = names(parent(new)).collect();
    new_target.truncate(new_target.len().checked_sub(from.len() - same)?);
    new_target.extend(&to[same..]);
    Some(new_target.join(&b'/'))
}

/// The directories that contain a path, from the innermost to the root.
fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = path;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        rest = parent(rest);
        Some(rest)
    })
}

/// The directory that contains a path.
pub(super) fn parent(path: &[u8]) -> &[u8] {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    &path[..slash.unwrap_or(0)]
}

fn is_under(path: &[u8], directory: &[u8]) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with(b"/"))
}

fn depth(path: &[u8]) -> usize {
    path.iter().filter(|&&byte| byte == b'/').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(files: &[&str], moves: &[(&str, &str)]) -> Result<(Listing, Moves), MoveError> {
        let listing = Listing::of_files(files);
        let moves = moves.iter().map(|&(from, to)| Move { from: from.into(), to: to.into() });
        let moves = Moves::new(&listing, moves)?;
        Ok((listing, moves))
    }

    /// The files after the moves, and the directories created and removed.
    fn after(files: &[&str], pairs: &[(&str, &str)]) -> (Vec<String>, Vec<String>, Vec<String>) {
        let (listing, moves) = moves(files, pairs).unwrap();
        let text = |path: &[u8]| String::from_utf8(path.to_vec()).unwrap();
        let applied = moves.applied_to(&listing);
        let files = applied.iter().filter(|(_, _, entry)| *entry == Entry::File);
        let mut files: Vec<String> = files.map(|(_, path, _)| text(path)).collect();
        files.sort();
        // No empty directory remains, and each needed one exists.
        for (_, path, entry) in applied.iter().skip(1) {
            let is_used = files.iter().any(|file| is_under(file.as_bytes(), path));
            assert!(entry == Entry::File || is_used, "{}", text(path));
        }
        let made = moves.missing_directories().map(text).collect();
        let emptied = moves.emptied_directories().map(text).collect();
        (files, made, emptied)
    }

    fn strings(list: &[&str]) -> Vec<String> {
        list.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn directories_are_created_and_removed() {
        assert_eq!(
            after(&["a/b/x", "c"], &[("a/b/x", "d/e/x")]),
            (strings(&["c", "d/e/x"]), strings(&["d", "d/e"]), strings(&["a/b", "a"]))
        );
        assert_eq!(
            after(&["a/b/x", "a/y"], &[("a/b", "b")]),
            (strings(&["a/y", "b/x"]), vec![], vec![])
        );
        // A directory with new entries stays.
        assert_eq!(
            after(&["a/x", "b/y"], &[("a/x", "b/x"), ("b/y", "a/y")]),
            (strings(&["a/y", "b/x"]), vec![], vec![])
        );
    }

    #[test]
    fn entries_may_be_exchanged_rotated_and_change_case() {
        assert_eq!(after(&["a", "b"], &[("a", "b"), ("b", "a")]).0, ["a", "b"]);
        assert_eq!(after(&["a", "b"], &[("a", "b"), ("b", "c")]).0, ["b", "c"]);
        assert_eq!(after(&["a/x"], &[("a", "A")]).0, ["A/x"]);
        assert_eq!(after(&["a/x"], &[("a/x", "a/X")]).0, ["a/X"]);
        assert_eq!(after(&["a/x", "b/y"], &[("a", "n"), ("b", "n/b")]).0, ["n/b/y", "n/x"]);
        assert!(moves(&["a"], &[("a", "a")]).unwrap().1.is_empty());
    }

    #[test]
    fn impossible_moves_are_rejected() {
        let refused = |files: &[&str], pairs: &[(&str, &str)]| {
            let error = moves(files, pairs).unwrap_err();
            error.to_string()
        };
        assert_eq!(refused(&["a"], &[("b", "c")]), "b: no such file or directory");
        assert_eq!(refused(&["a/x"], &[("a", "a/b")]), "a: cannot be moved into itself, to a/b");
        for (files, pairs, other) in [
            (&["a", "b"][..], &[("a", "b")][..], "b"),
            (&["a", "B"], &[("a", "b")], "B"),
            (&["a", "caf\u{e9}"], &[("a", "cafe\u{301}")], "caf\u{e9}"),
            (&["a", "b"], &[("a", "c"), ("b", "C")], "c"),
            (&["a", "D/x"], &[("a", "d/y")], "D"),
            (&["a", "b/c/x", "y"], &[("b", "n"), ("y", "n/C")], "n/c"),
            (&["a/a/x"], &[("a/a", "a")], "a"),
        ] {
            let message = refused(files, pairs);
            let collisions = [
                format!(" cannot be moved to {other}, which exists or will exist"),
                format!(": {other} exists or will exist"),
            ];
            assert!(collisions.iter().any(|end| message.ends_with(end)), "{message}");
        }
        assert_eq!(refused(&["a", "b"], &[("a", "b/c")]), "a: cannot be moved to b/c: b is a file");
        assert!(refused(&["a/x"], &[("a", "b"), ("a/x", "c")]).contains("twice"));
        assert!(refused(&["a"], &[("a", "b"), ("a", "c")]).contains("twice"));
    }

    #[test]
    fn symbolic_links_keep_their_content() {
        let mut listing = Listing::of_files(["a/x", "b/y"]);
        let file = listing.id(b"a/x").unwrap();
        listing.insert(b"a/l", Entry::Link(file));
        listing.insert(b"l", Entry::Link(file));
        let entry = |from: &str, to: &str, link: &str| {
            let moved = Move { from: from.into(), to: to.into() };
            let moves = Moves::new(&listing, [moved]).unwrap();
            let after = moves.applied_to(&listing);
            let id = after.id(link.as_bytes()).unwrap();
            match after.entry(id) {
                Entry::Link(to) => after.name(to).to_vec(),
                _ => Vec::new(),
            }
        };
        assert_eq!(entry("a", "c", "c/l"), b"c/x");
        assert_eq!(entry("a", "c", "l"), b"");
        assert_eq!(entry("a/l", "b/l", "b/l"), b"");
        assert_eq!(entry("a/x", "a/z", "a/l"), b"");
        assert_eq!(entry("b/y", "z", "a/l"), b"a/x");
        assert_eq!(entry("l", "m", "m"), b"a/x");
    }

    #[test]
    fn paths_follow_their_directory() {
        let (_, moves) = moves(&["a/b/x", "ab"], &[("a", "n/m")]).unwrap();
        let new = |path: &str| String::from_utf8(moves.new_path(path.as_bytes()).into()).unwrap();
        assert_eq!(new("a"), "n/m");
        assert_eq!(new("a/b/x"), "n/m/b/x");
        assert_eq!(new("a/none"), "n/m/none");
        assert_eq!(new("ab"), "ab");
        assert_eq!(new(""), "");
    }
}
