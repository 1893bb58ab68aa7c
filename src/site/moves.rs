//! Which paths of a tree become which others.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use super::{Entry, Id, Listing, fold};

/// What moves in a tree: files and folders from their paths to others, all at once. So two may change places.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// From where to where, in the order in which they were given.
    list: Vec<Move>,
    by_from: HashMap<Vec<u8>, usize>,
    /// The folders that nothing is left in, deepest first.
    emptied: Vec<Vec<u8>>,
    /// The folders that have to be made, outermost first.
    missing: Vec<Vec<u8>>,
}

/// One move. Paths are as in a [`Listing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it lies.
    pub from: Vec<u8>,
    /// Where it will.
    pub to: Vec<u8>,
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveError {
    /// There is nothing at the first path.
    NotThere(Move),
    /// It is the tree's own folder, or would become that.
    Root(Move),
    /// It would go into itself.
    IntoItself(Move),
    /// The same path is to go to two places, or lies in a folder that is moved too.
    Duplicate(Move),
    /// At the new path something is there, or would be: the second path. Their names need not be equal: to a
    /// file system that knows no difference between cases, or between the normal forms of Unicode, they are.
    Collision(Move, Vec<u8>),
    /// A file would have to be a folder: the second path.
    NoFolder(Move, Vec<u8>),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
        match self {
            Self::NotThere(it) => write!(f, "{}: there is no such file or folder", text(&it.from)),
            Self::Root(it) => write!(
                f,
                "{}: the tree's own folder cannot be moved",
                text(&it.from)
            ),
            Self::IntoItself(it) => {
                write!(
                    f,
                    "{}: cannot go into itself, to {}",
                    text(&it.from),
                    text(&it.to)
                )
            }
            Self::Duplicate(it) => {
                write!(
                    f,
                    "{}: it, or a folder that it lies in, is moved twice",
                    text(&it.from)
                )
            }
            Self::Collision(it, other) => write!(
                f,
                "{}: cannot become {}: {} is there, or would be",
                text(&it.from),
                text(&it.to),
                text(other)
            ),
            Self::NoFolder(it, file) => {
                let (from, to) = (text(&it.from), text(&it.to));
                write!(f, "{from}: cannot become {to}: {} is a file", text(file))
            }
        }
    }
}

impl std::error::Error for MoveError {}

impl MoveError {
    /// The move that cannot be made.
    pub fn moved(&self) -> &Move {
        match self {
            Self::NotThere(it)
            | Self::Root(it)
            | Self::IntoItself(it)
            | Self::Duplicate(it)
            | Self::Collision(it, _)
            | Self::NoFolder(it, _) => it,
        }
    }
}

impl Moves {
    /// These moves in the tree of `listing`. What moves to where it lies already is left out.
    ///
    /// # Errors
    /// Where one cannot be made: nothing is overwritten, also not on a file system to which some different names
    /// are equal. Cost: linear in the listing.
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
                return Err(MoveError::NotThere(moved));
            }
            if is_under(&moved.to, &moved.from) {
                return Err(MoveError::IntoItself(moved));
            }
            // The folder that it lies in may be left empty, but is there as long as it lies in it.
            if is_under(&moved.from, &moved.to) {
                let folder = moved.to.clone();
                return Err(MoveError::Collision(moved, folder));
            }
            let number = made.list.len();
            if made.by_from.insert(moved.from.clone(), number).is_some() {
                return Err(MoveError::Duplicate(moved));
            }
            made.list.push(moved);
        }
        for moved in &made.list {
            if ancestors(&moved.from).any(|folder| made.by_from.contains_key(folder)) {
                return Err(MoveError::Duplicate(moved.clone()));
            }
        }
        made.find_emptied(listing);
        made.refuse_collisions(listing)?;
        made.find_missing(listing);
        Ok(made)
    }

    /// The same, but each file on its own, and each folder that holds nothing: the folders that they lie in stay
    /// where they are, if anything is left in them.
    ///
    /// # Errors
    /// As [`Moves::new`].
    pub fn expanded(&self, listing: &Listing) -> Result<Self, MoveError> {
        let filled: HashSet<&[u8]> = listing.iter().map(|(_, path, _)| parent(path)).collect();
        let is_single = |path: &[u8], entry| entry != Entry::Folder || !filled.contains(path);
        let single = listing
            .iter()
            .filter(|(_, path, entry)| is_single(path, *entry));
        let moved = single.filter_map(|(_, path, _)| match self.new_path(path) {
            Cow::Owned(to) => Some(Move {
                from: path.to_vec(),
                to,
            }),
            Cow::Borrowed(_) => None,
        });
        Self::new(listing, moved)
    }

    /// Each of them, in the order in which they were given.
    pub fn iter(&self) -> std::slice::Iter<'_, Move> {
        self.list.iter()
    }

    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The folders that have to be made, each after the one that it lies in.
    pub fn missing_folders(&self) -> impl Iterator<Item = &[u8]> {
        self.missing.iter().map(Vec::as_slice)
    }

    /// The folders that the moves leave empty, each before the one that it lies in.
    pub fn emptied_folders(&self) -> impl Iterator<Item = &[u8]> {
        self.emptied.iter().map(Vec::as_slice)
    }

    /// Where a path will be: the same, if neither it nor a folder that it lies in moves. Costs one look-up for
    /// each folder that it lies in.
    pub fn new_path<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        match self.moving(path) {
            Some(Move { from, to }) => Cow::Owned([to, &path[from.len()..]].concat()),
            None => Cow::Borrowed(path),
        }
    }

    /// The move of what lies at a path: its own, or that of a directory that it lies in.
    pub fn moving(&self, path: &[u8]) -> Option<&Move> {
        let mut above = std::iter::once(path).chain(ancestors(path));
        above.find_map(|above| Some(&self.list[*self.by_from.get(above)?]))
    }

    /// The moves back.
    pub fn reversed(&self) -> impl Iterator<Item = Move> {
        self.list.iter().map(|moved| Move {
            from: moved.to.clone(),
            to: moved.from.clone(),
        })
    }

    /// The tree once all has moved and the emptied folders are gone.
    pub fn applied_to(&self, listing: &Listing) -> Listing {
        let mut after = Listing::default();
        let gone: HashSet<&[u8]> = self.emptied_folders().collect();
        for folder in self.missing_folders() {
            after.insert(folder, Entry::Folder);
        }
        let mut numbers: Vec<Option<Id>> = vec![after.id(b"")];
        for (_, path, entry) in listing.iter().skip(1) {
            let stays = !gone.contains(path);
            numbers.push(stays.then(|| after.insert(&self.new_path(path), entry)));
        }
        for (number, (_, path, entry)) in listing.iter().enumerate() {
            if let (Some(new), Entry::Link(to)) = (numbers[number], entry) {
                let led = leads_on(path, listing.name(to), after.name(new));
                let there = led.and_then(|path| after.id(&path));
                let to = numbers[to.number()].filter(|to| there == Some(*to));
                after.set(new, to.map_or(Entry::Nowhere, Entry::Link));
            }
        }
        after
    }

    /// Finds the folders that nothing is left in, and nothing comes to.
    fn find_emptied(&mut self, listing: &Listing) {
        // What comes to a folder keeps it, and those that it lies in.
        let kept: HashSet<&[u8]> = self.list.iter().flat_map(|it| ancestors(&it.to)).collect();
        let sources: BTreeSet<&[u8]> = self.list.iter().map(|it| parent(&it.from)).collect();
        if sources.iter().all(|folder| folder.is_empty()) {
            return;
        }
        let mut left: HashMap<&[u8], usize> = HashMap::new();
        for (_, path, _) in listing.iter().skip(1) {
            *left.entry(parent(path)).or_default() += 1;
        }
        let mut gone: Vec<&[u8]> = self.list.iter().map(|it| it.from.as_slice()).collect();
        while let Some(path) = gone.pop() {
            let folder = parent(path);
            let Some(count) = left.get_mut(folder) else {
                continue;
            };
            *count -= 1;
            if *count == 0 && !folder.is_empty() && !kept.contains(folder) {
                self.emptied.push(folder.to_vec());
                gone.push(folder);
            }
        }
        self.emptied
            .sort_by_key(|folder| (std::cmp::Reverse(depth(folder)), folder.clone()));
    }

    /// Refuses what would stand where something else does, or in a file.
    fn refuse_collisions(&self, listing: &Listing) -> Result<(), MoveError> {
        let gone: HashSet<&[u8]> = self.emptied_folders().collect();
        // What each folded path will hold: its spelling, and whether that is a folder.
        let mut there: HashMap<Vec<u8>, (Vec<u8>, bool)> = HashMap::with_capacity(listing.len());
        for (_, path, entry) in listing.iter() {
            if !gone.contains(path) && matches!(self.new_path(path), Cow::Borrowed(_)) {
                let is_folder = entry == Entry::Folder;
                there.insert(fold(path).into_owned(), (path.to_vec(), is_folder));
            }
        }
        for moved in &self.list {
            let folded = fold(&moved.to).into_owned();
            if let Some((other, _)) = there.get(&folded) {
                return Err(MoveError::Collision(moved.clone(), other.clone()));
            }
            let is_folder =
                listing.id(&moved.from).map(|id| listing.entry(id)) == Some(Entry::Folder);
            there.insert(folded, (moved.to.clone(), is_folder));
        }
        // What lies in a folder that moves comes with it, and may be in the way too.
        for moved in &self.list {
            for folder in ancestors(&moved.to).filter(|folder| !folder.is_empty()) {
                let id = listing
                    .id(folder)
                    .filter(|id| listing.entry(*id) == Entry::Folder);
                let stays =
                    matches!(self.new_path(folder), Cow::Borrowed(_)) && !gone.contains(folder);
                if id.is_some() && stays {
                    continue;
                }
                let folded = fold(folder).into_owned();
                match there.get(&folded) {
                    Some((other, true)) if other == folder => {}
                    Some((other, true)) => {
                        return Err(MoveError::Collision(moved.clone(), other.clone()));
                    }
                    Some((other, false)) => {
                        return Err(MoveError::NoFolder(moved.clone(), other.clone()));
                    }
                    None => {
                        there.insert(folded, (folder.to_vec(), true));
                    }
                }
            }
        }
        // A move may go into a folder that another brings along, where something of that name is.
        let targets = self.targets();
        let goes_into_moved = |it: &&Move| ancestors(&it.to).any(|it| targets.contains(it));
        let into_moved: Vec<&Move> = self.list.iter().filter(goes_into_moved).collect();
        if !into_moved.is_empty() {
            let brought: HashMap<Vec<u8>, Vec<u8>> = listing
                .iter()
                .filter_map(|(_, path, _)| match self.new_path(path) {
                    Cow::Owned(new) if !self.by_from.contains_key(path) => {
                        Some((fold(&new).into_owned(), new))
                    }
                    _ => None,
                })
                .collect();
            for moved in into_moved {
                if let Some(other) = brought.get(&*fold(&moved.to)) {
                    return Err(MoveError::Collision(moved.clone(), other.clone()));
                }
            }
        }
        Ok(())
    }

    fn targets(&self) -> HashSet<&[u8]> {
        self.list.iter().map(|it| it.to.as_slice()).collect()
    }

    /// Finds the folders that targets lie in and that are not there.
    fn find_missing(&mut self, listing: &Listing) {
        let targets = self.targets();
        let mut missing = BTreeSet::new();
        for moved in &self.list {
            for folder in ancestors(&moved.to).filter(|folder| !folder.is_empty()) {
                let stays = listing.id(folder).is_some()
                    && matches!(self.new_path(folder), Cow::Borrowed(_));
                let is_brought =
                    targets.contains(folder) || ancestors(folder).any(|it| targets.contains(it));
                if !stays && !is_brought {
                    missing.insert((depth(folder), folder.to_vec()));
                }
            }
        }
        self.missing = missing.into_iter().map(|(_, folder)| folder).collect();
    }
}

/// Where a symbolic link from `path` to `target` leads once it lies at `new`, if it is relative, as nearly all in
/// trees are: what it says does not change. None where that is outside of the tree.
fn leads_on(path: &[u8], target: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let names = |path| <[u8]>::split(path, |byte: &u8| *byte == b'/').filter(|it| !it.is_empty());
    let from: Vec<&[u8]> = names(parent(path)).collect();
    let to: Vec<&[u8]> = names(target).collect();
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut led: Vec<&[u8]> = names(parent(new)).collect();
    led.truncate(led.len().checked_sub(from.len() - same)?);
    led.extend(&to[same..]);
    Some(led.join(&b'/'))
}

/// The folders that a path lies in, from the innermost to the tree's own.
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

/// The folder that a path lies in.
pub(super) fn parent(path: &[u8]) -> &[u8] {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    &path[..slash.unwrap_or(0)]
}

fn is_under(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with(b"/"))
}

fn depth(path: &[u8]) -> usize {
    path.iter().filter(|&&byte| byte == b'/').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(files: &[&str], moves: &[(&str, &str)]) -> Result<(Listing, Moves), MoveError> {
        let listing = Listing::of_files(files);
        let moves = moves.iter().map(|(from, to)| Move {
            from: from.as_bytes().to_vec(),
            to: to.as_bytes().to_vec(),
        });
        let moves = Moves::new(&listing, moves)?;
        Ok((listing, moves))
    }

    /// The files after the moves, and the folders made and removed.
    fn after(files: &[&str], pairs: &[(&str, &str)]) -> (Vec<String>, Vec<String>, Vec<String>) {
        let (listing, moves) = moves(files, pairs).unwrap();
        let text = |path: &[u8]| String::from_utf8(path.to_vec()).unwrap();
        let applied = moves.applied_to(&listing);
        let files = applied.iter().filter(|(_, _, entry)| *entry == Entry::File);
        let mut files: Vec<String> = files.map(|(_, path, _)| text(path)).collect();
        files.sort();
        // No folder is left that holds nothing, and each that holds something is there.
        for (_, path, entry) in applied.iter().skip(1) {
            let is_used = files.iter().any(|file| is_under(file.as_bytes(), path));
            assert!(entry == Entry::File || is_used, "{}", text(path));
        }
        let made = moves.missing_folders().map(text).collect();
        let gone = moves.emptied_folders().map(text).collect();
        (files, made, gone)
    }

    fn strings(list: &[&str]) -> Vec<String> {
        list.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn folders_are_made_and_removed() {
        assert_eq!(
            after(&["a/b/x", "c"], &[("a/b/x", "d/e/x")]),
            (
                strings(&["c", "d/e/x"]),
                strings(&["d", "d/e"]),
                strings(&["a/b", "a"])
            )
        );
        assert_eq!(
            after(&["a/b/x", "a/y"], &[("a/b", "b")]),
            (strings(&["a/y", "b/x"]), vec![], vec![])
        );
        // What comes to a folder keeps it.
        assert_eq!(
            after(&["a/x", "b/y"], &[("a/x", "b/x"), ("b/y", "a/y")]),
            (strings(&["a/y", "b/x"]), vec![], vec![])
        );
    }

    #[test]
    fn swaps_rotations_and_case() {
        assert_eq!(after(&["a", "b"], &[("a", "b"), ("b", "a")]).0, ["a", "b"]);
        assert_eq!(after(&["a", "b"], &[("a", "b"), ("b", "c")]).0, ["b", "c"]);
        assert_eq!(after(&["a/x"], &[("a", "A")]).0, ["A/x"]);
        assert_eq!(after(&["a/x"], &[("a/x", "a/X")]).0, ["a/X"]);
        assert_eq!(
            after(&["a/x", "b/y"], &[("a", "n"), ("b", "n/b")]).0,
            ["n/b/y", "n/x"]
        );
        assert!(moves(&["a"], &[("a", "a")]).unwrap().1.is_empty());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |files: &[&str], pairs: &[(&str, &str)]| {
            let error = moves(files, pairs).unwrap_err();
            error.to_string()
        };
        assert_eq!(
            refused(&["a"], &[("b", "c")]),
            "b: there is no such file or folder"
        );
        assert_eq!(
            refused(&["a/x"], &[("a", "a/b")]),
            "a: cannot go into itself, to a/b"
        );
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
            assert!(
                message.ends_with(&format!(": {other} is there, or would be")),
                "{message}"
            );
        }
        assert_eq!(
            refused(&["a", "b"], &[("a", "b/c")]),
            "a: cannot become b/c: b is a file"
        );
        assert!(refused(&["a/x"], &[("a", "b"), ("a/x", "c")]).contains("twice"));
        assert!(refused(&["a"], &[("a", "b"), ("a", "c")]).contains("twice"));
    }

    #[test]
    fn symbolic_links_say_what_they_said() {
        let mut listing = Listing::of_files(["a/x", "b/y"]);
        let file = listing.id(b"a/x").unwrap();
        listing.insert(b"a/l", Entry::Link(file));
        listing.insert(b"l", Entry::Link(file));
        let entry = |from: &str, to: &str, link: &str| {
            let moved = Move {
                from: from.into(),
                to: to.into(),
            };
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
    fn paths_follow_their_folder() {
        let (_, moves) = moves(&["a/b/x", "ab"], &[("a", "n/m")]).unwrap();
        let new = |path: &str| String::from_utf8(moves.new_path(path.as_bytes()).into()).unwrap();
        assert_eq!(new("a"), "n/m");
        assert_eq!(new("a/b/x"), "n/m/b/x");
        assert_eq!(new("a/none"), "n/m/none");
        assert_eq!(new("ab"), "ab");
        assert_eq!(new(""), "");
    }
}
