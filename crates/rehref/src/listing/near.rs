//! The nearest existing name to a missing one.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::{Entry, Id, Listing};
use crate::bytes::percent;

/// The nearest entry to a missing path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// The entry with this name in another case or Unicode normal form. A file system that ignores
    /// these differences finds it.
    Folded(Id),
    /// The page of a path in another form, such as `about.html` for `about`; a similar name in the
    /// same directory; or the same name in another directory.
    Similar(Id),
}

impl Near {
    /// The entry.
    pub fn id(self) -> Id {
        match self {
            Self::Folded(id) | Self::Similar(id) => id,
        }
    }
}

/// The key of a name that is equal for names that a file system may consider equal: without
/// differences of case and of normal form of Unicode. A name that is not UTF-8 only loses the case
/// of its ASCII letters.
pub fn fold_key(name: &[u8]) -> Cow<'_, [u8]> {
    if name.is_ascii() {
        return match name.iter().any(u8::is_ascii_uppercase) {
            true => Cow::Owned(name.to_ascii_lowercase()),
            false => Cow::Borrowed(name),
        };
    }
    match std::str::from_utf8(name) {
        Ok(text) if is_nfc(text) && text.chars().all(|it| !it.is_uppercase()) => {
            Cow::Borrowed(name)
        }
        Ok(text) => {
            let lower = text.nfc().flat_map(char::to_lowercase);
            Cow::Owned(lower.nfc().collect::<String>().into_bytes())
        }
        Err(_) => Cow::Owned(name.to_ascii_lowercase()),
    }
}

/// The number of names of a large directory that are compared with a missing one, on each side of
/// its position. A similar name begins or ends in the same way, so it is near in one of two orders:
/// that of the names, or of the reversed names.
const NEIGHBORS: usize = 16;

/// The size of a directory whose names are all compared.
const SMALL_DIRECTORY: usize = 4 * NEIGHBORS;

/// The maximum number of cached answers.
const MAX_CACHED: usize = 100_000;

/// An index for finding near names, built on the first use: most trees have no broken links.
#[derive(Debug, Default)]
pub struct NearIndex {
    names: OnceLock<Names>,
    /// The answers for paths: the same broken link is often on each page.
    answers: Mutex<HashMap<Box<[u8]>, Option<Near>>>,
}

#[derive(Debug)]
struct Names {
    folded: HashMap<Box<[u8]>, Id>,
    in_directory: HashMap<Box<[u8]>, Directory>,
    of_name: HashMap<Box<[u8]>, Vec<Id>>,
}

/// The entries of a directory.
#[derive(Debug, Default)]
struct Directory {
    /// In the order of names.
    forward: Vec<Id>,
    /// For a large directory: in the order of reversed names.
    backward: Vec<Id>,
}

impl Directory {
    fn sort(&mut self, listing: &Listing) {
        let name = |id: &Id| split(listing.name(*id)).1;
        self.forward.sort_by(|a, b| name(a).cmp(name(b)));
        if self.forward.len() > SMALL_DIRECTORY {
            self.backward.clone_from(&self.forward);
            let reversed = |id: &Id| name(id).iter().rev();
            self.backward.sort_by(|a, b| reversed(a).cmp(reversed(b)));
        }
    }

    /// Candidates for names similar to `name`, possibly repeated. Their number is bounded.
    fn candidates(&self, listing: &Listing, name: &[u8]) -> impl Iterator<Item = Id> {
        let there = |id: &Id| split(listing.name(*id)).1;
        let by_beginning = |id: &Id| there(id) < name;
        let by_end = |id: &Id| there(id).iter().rev().lt(name.iter().rev());
        let (forward, backward) = match self.backward.is_empty() {
            true => (&self.forward[..], &[][..]),
            false => (
                around(&self.forward, self.forward.partition_point(by_beginning)),
                around(&self.backward, self.backward.partition_point(by_end)),
            ),
        };
        forward.iter().chain(backward).copied()
    }
}

/// The neighbors of a position.
fn around(ids: &[Id], at: usize) -> &[Id] {
    &ids[at.saturating_sub(NEIGHBORS)..(at + NEIGHBORS).min(ids.len())]
}

impl NearIndex {
    /// The nearest entry to a missing path.
    pub fn find(&self, listing: &Listing, path: &[u8]) -> Option<Near> {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&answer) = answers().get(path) {
            return answer;
        }
        // Without the lock held: at worst it is computed twice.
        let answer = self.compute(listing, path);
        let mut answers = answers();
        if answers.len() < MAX_CACHED {
            answers.insert(path.into(), answer);
        }
        answer
    }

    fn compute(&self, listing: &Listing, path: &[u8]) -> Option<Near> {
        let names = self.names.get_or_init(|| Names::of(listing));
        if let Some(&id) = names.folded.get(&*fold_key(path)) {
            return Some(Near::Folded(id));
        }
        if let Some(id) = names.page(listing, path) {
            return Some(Near::Similar(id));
        }
        let (directory, name) = split(path);
        let similar = names.similar(listing, directory, name);
        let elsewhere = || names.elsewhere(listing, directory, name);
        similar.or_else(elsewhere).map(Near::Similar)
    }
}

impl Names {
    fn of(listing: &Listing) -> Self {
        let mut names = Self {
            folded: HashMap::with_capacity(listing.len()),
            in_directory: HashMap::new(),
            of_name: HashMap::with_capacity(listing.len()),
        };
        for (id, path, entry) in listing.iter().skip(1) {
            let resolved = match entry {
                Entry::File | Entry::Directory => Some(entry),
                _ => listing.resolved(path).map(|(_, entry)| entry),
            };
            // A broken symbolic link is not better than a missing file.
            if matches!(resolved, None | Some(Entry::Nowhere)) {
                continue;
            }
            names.folded.entry((*fold_key(path)).into()).or_insert(id);
            // The content of a target outside of the tree is unknown.
            if resolved == Some(Entry::Outside) {
                continue;
            }
            let (directory, name) = split(path);
            let directory = names.in_directory.entry(directory.into()).or_default();
            directory.forward.push(id);
            if entry == Entry::File {
                names.of_name.entry(name.into()).or_default().push(id);
            }
        }
        for directory in names.in_directory.values_mut() {
            directory.sort(listing);
        }
        for same in names.of_name.values_mut() {
            same.sort_by_key(|&id| split(listing.name(id)).0);
        }
        names
    }

    /// The page that a path without an extension, with another one, or with the name of an index
    /// file refers to on many servers. Also if the path was percent-encoded twice.
    fn page(&self, listing: &Listing, path: &[u8]) -> Option<Id> {
        let find = |key: &[u8]| {
            let found = self.folded.get(key).copied();
            found.filter(|id| matches!(listing.resolved(listing.name(*id)), Some((_, Entry::File))))
        };
        let of_path = |path: &[u8]| {
            let mut stems = vec![path];
            let (directory, name) = split(path);
            let (stem, extension) = split_page(name);
            if !extension.is_empty() {
                stems.push(&path[..path.len() - name.len() + stem.len()]);
            }
            if stem == b"index" {
                stems.push(directory);
            }
            stems.iter().find_map(|stem| other_form(fold_key(stem).into_owned(), find))
        };
        of_path(path).or_else(|| {
            let text = std::str::from_utf8(path).ok().filter(|it| it.contains('%'))?;
            let decoded = percent::decode(text);
            find(&fold_key(&decoded)).or_else(|| of_path(&decoded))
        })
    }

    /// The name in a directory with the fewest changed letters, at most a third of them; the first
    /// of several. In a large directory only [neighbors](NEIGHBORS) are compared, so each look-up
    /// is bounded.
    fn similar(&self, listing: &Listing, directory: &[u8], name: &[u8]) -> Option<Id> {
        let wanted = String::from_utf8_lossy(name);
        let letters = wanted.chars().count();
        let directory = self.in_directory.get(directory)?;
        let mut nearest: Option<(usize, Id)> = None;
        for id in directory.candidates(listing, name) {
            let most = nearest.map_or(letters.div_ceil(3), |(distance, _)| distance);
            let (_, there) = split(listing.name(id));
            let there = String::from_utf8_lossy(there);
            // The difference in length is a lower bound.
            if there.chars().count().abs_diff(letters) > most {
                continue;
            }
            let this = (distance(&wanted, &there), id);
            if this.0 <= most && nearest.is_none_or(|nearest| this < nearest) {
                nearest = Some(this);
            }
        }
        nearest.map(|(_, id)| id)
    }

    /// The file of this name in the directory that has the most in common with the one searched.
    fn elsewhere(&self, listing: &Listing, directory: &[u8], name: &[u8]) -> Option<Id> {
        let same = self.of_name.get(name)?;
        let place = same.partition_point(|&id| split(listing.name(id)).0 < directory);
        // In sorted order, a directory has the most in common with its neighbors.
        let same = around(same, place);
        let common = |id: &&Id| {
            let there = split(listing.name(**id)).0;
            let common = there.iter().zip(directory).take_while(|(a, b)| a == b).count();
            (common, std::cmp::Reverse(there.len()), std::cmp::Reverse(**id))
        };
        same.iter().max_by_key(common).copied()
    }
}

/// The extensions of pages.
const PAGES: [&[u8]; 5] = [b"html", b"htm", b"xhtml", b"md", b"markdown"];

/// The name of a page without its extension, and the extension. Empty if it is not that of a page.
fn split_page(name: &[u8]) -> (&[u8], &[u8]) {
    let dot = name.iter().rposition(|&byte| byte == b'.').unwrap_or(0);
    let extension = name.get(dot + 1..).unwrap_or_default();
    match dot > 0 && PAGES.iter().any(|it| extension.eq_ignore_ascii_case(it)) {
        true => (&name[..dot], extension),
        false => (name, b""),
    }
}

/// Calls `find` with the pages that a path without an extension may be, until it finds one: a file,
/// or the index file of a directory.
fn other_form<T>(mut path: Vec<u8>, find: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    let stem = path.len();
    let index: &[u8] = if stem == 0 { b"index." } else { b"/index." };
    // The root of the tree is not a file.
    let is_named = path.first().is_some_and(|&it| it != b'.');
    let before = [is_named.then_some(&b"."[..]), Some(index)];
    before.into_iter().flatten().find_map(|before| {
        PAGES.iter().find_map(|extension| {
            path.truncate(stem);
            path.extend_from_slice(before);
            path.extend_from_slice(extension);
            find(&path)
        })
    })
}

/// The edit distance: letters changed, inserted, deleted, or exchanged with the next. The common
/// prefix and suffix are skipped.
fn distance(a: &str, b: &str) -> usize {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(it, _): (char, char)| it.len_utf8();
    let begin: usize = a.chars().zip(b.chars()).take_while(same).map(length).sum();
    let (a, b) = (&a[begin..], &b[begin..]);
    let ends = a.chars().rev().zip(b.chars().rev());
    let end: usize = ends.take_while(same).map(length).sum();
    strsim::osa_distance(&a[..a.len() - end], &b[..b.len() - end])
}

/// The directory and the name of a path.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_normal_forms_are_folded() {
        assert_eq!(*fold_key(b"Index.HTML"), *b"index.html");
        assert_eq!(fold_key("E\u{301}t\u{e9}".as_bytes()), fold_key("\u{c9}te\u{301}".as_bytes()));
        assert_ne!(fold_key(b"a"), fold_key(b"b"));
        assert_eq!(*fold_key(b"A\xFF"), *b"a\xFF");
    }

    #[test]
    fn the_nearest_is_found() {
        let listing = Listing::of_files([
            "a/Index.html", "a/overview.html", "b/picture.png", "c/d/picture.png", "cafe\u{301}",
        ]);
        let lazy = NearIndex::default();
        let near = |path: &str| {
            let found = lazy.find(&listing, path.as_bytes())?;
            let name = String::from_utf8_lossy(listing.name(found.id())).into_owned();
            Some((matches!(found, Near::Folded(_)), name))
        };
        let answer = |folded, name: &str| Some((folded, name.to_owned()));
        assert_eq!(near("a/index.html"), answer(true, "a/Index.html"));
        assert_eq!(near("A/INDEX.html/"), answer(true, "a/Index.html"));
        assert_eq!(near("caf\u{e9}"), answer(true, "cafe\u{301}"));
        assert_eq!(near("a/overveiw.html"), answer(false, "a/overview.html"));
        assert_eq!(near("c/picture.png"), answer(false, "c/d/picture.png"));
        assert_eq!(near("a/picture.png"), answer(false, "b/picture.png"));
        assert_eq!(near("a/nothing.like.it"), None);
    }

    #[test]
    fn pages_are_near_without_their_extension_and_as_index_files() {
        let listing = Listing::of_files([
            "about.html", "old.htm", "docs/index.html", "docs/Guide.html", "docs/notes.md",
            "a b.html", "blog.html", "blog/post.html", "img.png", "v1.2.html",
        ]);
        let lazy = NearIndex::default();
        let near = |path: &str| {
            let found = lazy.find(&listing, path.as_bytes())?;
            Some(String::from_utf8_lossy(listing.name(found.id())).into_owned())
        };
        for (path, page) in [
            ("about", "about.html"),
            ("about/", "about.html"),
            ("About", "about.html"),
            ("about.htm", "about.html"),
            ("about.xhtml", "about.html"),
            ("about/index.html", "about.html"),
            ("about/index", "about.html"),
            ("old", "old.htm"),
            ("old.html", "old.htm"),
            ("docs.html", "docs/index.html"),
            ("docs/index", "docs/index.html"),
            ("docs/index.htm", "docs/index.html"),
            ("docs/guide", "docs/Guide.html"),
            ("docs/notes.html", "docs/notes.md"),
            ("docs/notes/index.html", "docs/notes.md"),
            ("a b", "a b.html"),
            ("a%20b", "a b.html"),
            ("a%20b.html", "a b.html"),
            ("blog/post/", "blog/post.html"),
            ("v1.2", "v1.2.html"),
        ] {
            assert_eq!(near(path).as_deref(), Some(page), "{path}");
        }
        for path in ["img", "none", "index", "html"] {
            assert_eq!(near(path), None, "{path}");
        }
    }

    /// In a large directory not all names are compared, but these are found.
    #[test]
    fn similar_names_of_a_large_directory_are_found() {
        let names =
            (0..5000).map(|number| format!("d/{:04}-page-{number:04}.html", number * 7 % 5000));
        let more = ["d/Introduction.txt", "d/zebra_crossing.html"].map(str::to_owned);
        let listing = Listing::of_files(names.chain(more));
        let lazy = NearIndex::default();
        let near = |name: &str| {
            let near = lazy.find(&listing, format!("d/{name}").as_bytes())?;
            Some(String::from_utf8_lossy(listing.name(near.id())).into_owned())
        };
        let found = |name: &str| Some(format!("d/{name}"));
        assert_eq!(near("0007-page-0001.htm"), found("0007-page-0001.html"));
        assert_eq!(near("007-page-0001.html"), found("0007-page-0001.html"));
        assert_eq!(near("0007-pgae-0001.html"), found("0007-page-0001.html"));
        assert_eq!(near("introdcution.txt"), found("Introduction.txt"));
        assert_eq!(near("zebra-crossing.html"), found("zebra_crossing.html"));
        assert_eq!(near("nothing"), None);
    }

    #[test]
    fn a_look_up_compares_a_bounded_number_of_names() {
        for count in [10, 1000, 20_000] {
            let listing = Listing::of_files((0..count).map(|number| format!("{number:06}.html")));
            let names = Names::of(&listing);
            let directory = &names.in_directory[&b""[..]];
            assert!(directory.candidates(&listing, b"004242x.html").count() <= SMALL_DIRECTORY);
        }
    }

    #[test]
    fn the_same_name_in_the_closest_directory_is_near() {
        let files = (0..500).flat_map(|a| (0..4).map(move |b| format!("{a:03}/{b}/x/index.html")));
        let listing = Listing::of_files(files);
        let near = NearIndex::default().find(&listing, b"250/2/index.html").unwrap();
        assert_eq!(listing.name(near.id()), b"250/2/x/index.html");
    }

    #[test]
    fn common_prefix_and_suffix_make_no_difference() {
        let names = ["", "a", "ab", "ba", "aab", "aba", "abab", "baab", "é", "éa", "aé", "bbaa"];
        for a in names {
            for b in names {
                assert_eq!(distance(a, b), strsim::osa_distance(a, b), "{a} {b}");
            }
        }
    }

    #[test]
    fn broken_symbolic_links_are_not_near() {
        let mut listing = Listing::of_files(["a/x"]);
        listing.insert(b"a/guide.htm", Entry::Nowhere);
        listing.insert(b"a/guide.htmx", Entry::Outside);
        let ring = listing.insert(b"a/guid.html", Entry::Nowhere);
        listing.set(ring, Entry::Link(ring));
        let find =
            |listing: &Listing, path: &str| NearIndex::default().find(listing, path.as_bytes());
        assert_eq!(find(&listing, "a/guide.html"), None);
        assert_eq!(find(&listing, "a/Guide.htm"), None);
        let file = listing.insert(b"a/guides.htmx", Entry::File);
        assert_eq!(find(&listing, "a/guide.html"), Some(Near::Similar(file)));
    }

    #[test]
    fn the_first_of_equally_near_names_is_found() {
        let names = ["n-0005.html", "n-0111.html", "n-0221.html", "n-0223.html", "n-02.html"];
        let listing = Listing::of_files(names);
        let lazy = NearIndex::default();
        for _ in 0..2 {
            let near = lazy.find(&listing, b"n-0222.html").map(Near::id);
            assert_eq!(near, listing.id(b"n-0221.html"));
            assert_eq!(lazy.find(&listing, b"else"), None);
        }
        assert_eq!(lazy.answers.lock().unwrap().len(), 2);
    }
}
