//! The nearest name to one that is not there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::{Entry, Id, Listing};

/// What lies nearest to a path that leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// The same name in other case or in another normal form of Unicode: a file system that makes no such
    /// difference finds it.
    Folded(Id),
    /// A name that is like it in the same folder, or the same name in another folder.
    Similar(Id),
}

impl Near {
    /// What lies there.
    pub fn id(self) -> Id {
        match self {
            Self::Folded(id) | Self::Similar(id) => id,
        }
    }
}

/// The form in which names are equal to a file system that knows no difference between cases nor between the
/// normal forms of Unicode. A name that is not UTF-8 only loses the case of its ASCII letters.
pub fn fold(name: &[u8]) -> Cow<'_, [u8]> {
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

/// How many names of one folder, or of one spelling, are looked at.
const MOST_COMPARED: usize = 1000;

/// How many answers are remembered.
const MOST_REMEMBERED: usize = 100_000;

/// What has to be known to find near names. It is worked out when it is first asked for: where no link is broken
/// nobody needs it.
#[derive(Debug, Default)]
pub(super) struct Lazy {
    names: OnceLock<Names>,
    /// What was answered for a path: the same broken link is often on each page.
    answers: Mutex<HashMap<Box<[u8]>, Option<Near>>>,
}

#[derive(Debug)]
struct Names {
    folded: HashMap<Box<[u8]>, Id>,
    in_folder: HashMap<Box<[u8]>, Vec<Id>>,
    of_name: HashMap<Box<[u8]>, Vec<Id>>,
}

impl Lazy {
    pub(super) fn find(&self, listing: &Listing, path: &[u8]) -> Option<Near> {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&answer) = answers().get(path) {
            return answer;
        }
        // Others need not wait for it: at worst it is worked out twice.
        let answer = self.work_out(listing, path);
        let mut answers = answers();
        if answers.len() < MOST_REMEMBERED {
            answers.insert(path.into(), answer);
        }
        answer
    }

    fn work_out(&self, listing: &Listing, path: &[u8]) -> Option<Near> {
        let names = self.names.get_or_init(|| Names::of(listing));
        if let Some(&id) = names.folded.get(&*fold(path)) {
            return Some(Near::Folded(id));
        }
        let (folder, name) = split(path);
        let similar = names.similar(listing, folder, name);
        let elsewhere = || names.elsewhere(listing, folder, name);
        similar.or_else(elsewhere).map(Near::Similar)
    }
}

impl Names {
    fn of(listing: &Listing) -> Self {
        let mut names = Self {
            folded: HashMap::with_capacity(listing.len()),
            in_folder: HashMap::new(),
            of_name: HashMap::with_capacity(listing.len()),
        };
        for (id, path, entry) in listing.iter().skip(1) {
            let leads_to = match entry {
                Entry::File | Entry::Folder => Some(entry),
                _ => listing.resolved(path).map(|(_, entry)| entry),
            };
            // A symbolic link that leads nowhere is no better than what was looked for.
            if matches!(leads_to, None | Some(Entry::Nowhere)) {
                continue;
            }
            names.folded.entry((*fold(path)).into()).or_insert(id);
            // Nobody knows what lies behind one that leads out of the tree.
            if leads_to == Some(Entry::Outside) {
                continue;
            }
            let (folder, name) = split(path);
            names.in_folder.entry(folder.into()).or_default().push(id);
            if entry == Entry::File {
                names.of_name.entry(name.into()).or_default().push(id);
            }
        }
        names
    }

    /// The name in a folder from which the fewest letters have to change, if that is at most a third of them.
    fn similar(&self, listing: &Listing, folder: &[u8], name: &[u8]) -> Option<Id> {
        let wanted = String::from_utf8_lossy(name);
        let letters = wanted.chars().count();
        // From how many letters on a distance is too much.
        let mut too_much = letters.div_ceil(3) + 1;
        let mut nearest = None;
        let mut compared = 0;
        for &id in self.in_folder.get(folder)? {
            let (_, there) = split(listing.name(id));
            let there = String::from_utf8_lossy(there);
            // So many letters at least come or go.
            if there.chars().count().abs_diff(letters) >= too_much {
                continue;
            }
            let distance = distance(&wanted, &there);
            if distance < too_much {
                nearest = Some(id);
                too_much = distance;
            }
            compared += 1;
            // None is nearer than one letter.
            if too_much <= 1 || compared == MOST_COMPARED {
                break;
            }
        }
        nearest
    }

    /// The file of this name in the folder that has the most in common with the one it was looked for in.
    fn elsewhere(&self, listing: &Listing, folder: &[u8], name: &[u8]) -> Option<Id> {
        let same = self.of_name.get(name)?.iter().take(MOST_COMPARED);
        let common = |id: &&Id| {
            let there = split(listing.name(**id)).0;
            let common = there.iter().zip(folder).take_while(|(a, b)| a == b).count();
            (
                common,
                std::cmp::Reverse(there.len()),
                std::cmp::Reverse(**id),
            )
        };
        same.max_by_key(common).copied()
    }
}

/// How many letters have to change, come, go, or change places with the next. What two names begin and end with
/// alike makes no difference, and is not compared.
fn distance(a: &str, b: &str) -> usize {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(it, _): (char, char)| it.len_utf8();
    let begin: usize = a.chars().zip(b.chars()).take_while(same).map(length).sum();
    let (a, b) = (&a[begin..], &b[begin..]);
    let ends = a.chars().rev().zip(b.chars().rev());
    let end: usize = ends.take_while(same).map(length).sum();
    strsim::osa_distance(&a[..a.len() - end], &b[..b.len() - end])
}

/// The folder of a path, and the name in it.
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
    fn case_and_normal_forms_fold() {
        assert_eq!(*fold(b"Index.HTML"), *b"index.html");
        assert_eq!(
            fold("E\u{301}t\u{e9}".as_bytes()),
            fold("\u{c9}te\u{301}".as_bytes())
        );
        assert_ne!(fold(b"a"), fold(b"b"));
        assert_eq!(*fold(b"A\xFF"), *b"a\xFF");
    }

    #[test]
    fn the_nearest_is_found() {
        let listing = Listing::of_files([
            "a/Index.html",
            "a/overview.html",
            "b/picture.png",
            "c/d/picture.png",
            "cafe\u{301}",
        ]);
        let lazy = Lazy::default();
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
    fn what_is_alike_at_the_ends_makes_no_difference() {
        let names = [
            "", "a", "ab", "ba", "aab", "aba", "abab", "baab", "é", "éa", "aé", "bbaa",
        ];
        for a in names {
            for b in names {
                assert_eq!(distance(a, b), strsim::osa_distance(a, b), "{a} {b}");
            }
        }
    }

    #[test]
    fn what_leads_nowhere_is_not_near() {
        let mut listing = Listing::of_files(["a/x"]);
        listing.insert(b"a/guide.htm", Entry::Nowhere);
        listing.insert(b"a/guide.htmx", Entry::Outside);
        let ring = listing.insert(b"a/guid.html", Entry::Nowhere);
        listing.set(ring, Entry::Link(ring));
        let find = |listing: &Listing, path: &str| Lazy::default().find(listing, path.as_bytes());
        assert_eq!(find(&listing, "a/guide.html"), None);
        assert_eq!(find(&listing, "a/Guide.htm"), None);
        let file = listing.insert(b"a/guides.htmx", Entry::File);
        assert_eq!(find(&listing, "a/guide.html"), Some(Near::Similar(file)));
    }

    #[test]
    fn the_first_of_the_nearest_is_the_answer_each_time() {
        let names = [
            "n-0005.html",
            "n-0111.html",
            "n-0221.html",
            "n-0223.html",
            "n-02.html",
        ];
        let listing = Listing::of_files(names);
        let lazy = Lazy::default();
        for _ in 0..2 {
            let near = lazy.find(&listing, b"n-0222.html").map(Near::id);
            assert_eq!(near, listing.id(b"n-0221.html"));
            assert_eq!(lazy.find(&listing, b"else"), None);
        }
        assert_eq!(lazy.answers.lock().unwrap().len(), 2);
    }
}
