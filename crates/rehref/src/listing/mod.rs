//! Listings of trees of files, moves within them, and the nearest names to missing ones.

mod moves;
mod near;

pub use moves::{Move, MoveError, Moves};
pub use near::{Near, NearIndex, fold_key};

use foldhash::fast::RandomState;
use indexmap::IndexMap;

/// The kind of file at a path of the file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// No file.
    Missing,
    /// Unknown: the system denies access.
    Unknown,
}

/// The number of an entry in a [`Listing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u32);

impl Id {
    /// The number, from 0. The root of the tree is 0.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// An entry of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link to another entry of the tree.
    Link(Id),
    /// A symbolic link to a target outside of the tree, or a special file.
    Outside,
    /// A broken symbolic link.
    Nowhere,
}

/// The maximum number of symbolic links on a path.
const MAX_LINKS: usize = 16;

/// The paths of a tree, below its root and with `/` between names. They are bytes, since names need
/// not be text.
///
/// Memory: about 100 bytes per path, and its length.
#[derive(Clone, Debug)]
pub struct Listing {
    entries: IndexMap<Box<[u8]>, Entry, RandomState>,
    /// True if the tree has symbolic links, which paths may have to follow.
    has_links: bool,
}

impl Default for Listing {
    fn default() -> Self {
        let mut entries = IndexMap::default();
        entries.insert(Box::default(), Entry::Directory);
        Self { entries, has_links: false }
    }
}

impl Listing {
    /// A listing of these files and their directories.
    pub fn of_files(files: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        let mut listing = Self::default();
        for file in files {
            listing.insert(file.as_ref(), Entry::File);
        }
        listing
    }

    /// Adds an entry at `path`, and its directories. Keeps existing entries.
    pub fn insert(&mut self, path: &[u8], entry: Entry) -> Id {
        if let Some(there) = self.id(path) {
            return there;
        }
        if let Some(slash) = path.iter().rposition(|&byte| byte == b'/') {
            self.insert(&path[..slash], Entry::Directory);
        }
        self.has_links |= !matches!(entry, Entry::File | Entry::Directory);
        let (number, _) = self.entries.insert_full(path.into(), entry);
        // A tree of more than 2^32 files cannot be listed.
        Id(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Changes the entry of an existing path.
    pub fn set(&mut self, id: Id, entry: Entry) {
        self.has_links |= !matches!(entry, Entry::File | Entry::Directory);
        self.entries[id.number()] = entry;
    }

    /// The number of paths, including the root.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the tree has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// The number of the entry at exactly this path.
    pub fn id(&self, path: &[u8]) -> Option<Id> {
        let number = self.entries.get_index_of(path)?;
        u32::try_from(number).ok().map(Id)
    }

    /// The path of a number.
    ///
    /// # Panics
    /// If the number is of another listing.
    pub fn name(&self, id: Id) -> &[u8] {
        match self.entries.get_index(id.number()) {
            Some((name, _)) => name,
            None => panic!("a number of another listing"),
        }
    }

    /// The entry of a number.
    ///
    /// # Panics
    /// If the number is of another listing.
    pub fn entry(&self, id: Id) -> Entry {
        self.entries[id.number()]
    }

    /// All paths with their entries, in the order of insertion.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Id, &[u8], Entry)> {
        let entries = self.entries.iter().enumerate();
        entries.map(|(number, (name, entry))| (Id(number as u32), &**name, *entry))
    }

    /// The entry at `path`, with symbolic links followed.
    pub fn resolved(&self, path: &[u8]) -> Option<(Id, Entry)> {
        let mut found = self.id(path);
        match found.map(|id| (id, self.entry(id))) {
            Some((id, entry @ (Entry::File | Entry::Directory))) => return Some((id, entry)),
            None if !self.has_links => return None,
            _ => {}
        }
        let mut path = path.to_vec();
        for _ in 0..MAX_LINKS {
            match found.map(|id| (id, self.entry(id))) {
                Some((_, Entry::Link(to))) => found = Some(to),
                Some(other) => return Some(other),
                None => {
                    // By a symbolic link to a directory.
                    let (link, rest) = self.link_in(&path)?;
                    let next = match self.entry(link) {
                        Entry::Link(to) => [self.name(to), b"/", rest].concat(),
                        _ => return Some((link, self.entry(link))),
                    };
                    let next = next.strip_prefix(b"/").map(<[u8]>::to_vec).unwrap_or(next);
                    found = self.id(&next);
                    path = next;
                }
            }
        }
        None
    }

    /// The first symbolic link on a path, and the rest of the path.
    fn link_in<'p>(&self, path: &'p [u8]) -> Option<(Id, &'p [u8])> {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        slashes.map(|(at, _)| at).find_map(|at| {
            let id = self.id(&path[..at])?;
            let is_link = !matches!(self.entry(id), Entry::File | Entry::Directory);
            is_link.then_some((id, &path[at + 1..]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserting_a_file_adds_its_directories() {
        let listing = Listing::of_files(["a/b/c", "a/d"]);
        let entry = |path: &str| listing.id(path.as_bytes()).map(|id| listing.entry(id));
        assert_eq!(entry(""), Some(Entry::Directory));
        assert_eq!(entry("a/b"), Some(Entry::Directory));
        assert_eq!(entry("a/d"), Some(Entry::File));
        assert_eq!(entry("b"), None);
        assert_eq!(listing.len(), 5);
        assert_eq!(listing.name(listing.id(b"a/d").unwrap()), b"a/d");
    }

    #[test]
    fn links_are_followed_within_the_tree() {
        let mut listing = Listing::of_files(["a/b/c"]);
        let directory = listing.id(b"a/b").unwrap();
        let file = listing.id(b"a/b/c").unwrap();
        let link = listing.insert(b"l", Entry::Link(directory));
        listing.insert(b"m", Entry::Link(link));
        listing.insert(b"x/out", Entry::Outside);
        let ring = listing.insert(b"ring", Entry::Nowhere);
        listing.set(ring, Entry::Link(ring));
        let root = listing.id(b"").unwrap();
        listing.insert(b"self", Entry::Link(root));
        let resolved = |path: &str| listing.resolved(path.as_bytes());
        assert_eq!(resolved("l/c"), Some((file, Entry::File)));
        assert_eq!(resolved("m/c"), Some((file, Entry::File)));
        assert_eq!(resolved("self/self/m/c"), Some((file, Entry::File)));
        assert_eq!(resolved("l"), Some((directory, Entry::Directory)));
        assert_eq!(resolved("l/d"), None);
        assert_eq!(resolved("ring"), None);
        assert_eq!(resolved("ring/x"), None);
        assert!(matches!(resolved("x/out/y"), Some((_, Entry::Outside))));
    }
}
