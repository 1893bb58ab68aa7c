//! Fragments and anchors.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::quality::RandomState;

use crate::bytes::percent;
use crate::format::markdown::{Slugs, obsidian_heading, vitepress_id};
use crate::listing::fold_key;

/// The hash of an anchor. Of a tree only these are kept, 8 bytes each. Collisions within one file
/// are not expected.
fn hash_of(name: impl Hash) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    STATE.hash_one(name)
}

/// The anchors of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Anchors(Box<[u64]>);

impl Anchors {
    /// The anchors of a document whose headings have ids by this rule.
    pub(super) fn new(names: &[Cow<'_, str>], slugs: Slugs) -> Self {
        let mut numbers: Vec<u64> = match slugs {
            Slugs::Obsidian => names.iter().map(|it| hash_of(it.to_lowercase())).collect(),
            _ => names.iter().map(hash_of).collect(),
        };
        numbers.sort_unstable();
        numbers.dedup();
        Self(numbers.into())
    }

    /// Returns true if a fragment refers to one of them.
    pub(super) fn contains(&self, fragment: Fragment) -> bool {
        let has = |hash_of| self.0.binary_search(&hash_of).is_ok();
        has(fragment.written) || fragment.decoded != fragment.written && has(fragment.decoded)
    }
}

/// A fragment that refers to an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fragment {
    /// The hash of the fragment as written.
    written: u64,
    /// The hash of the percent-decoded fragment.
    decoded: u64,
}

impl Fragment {
    /// Hashes a fragment. `None` if it refers to the document in any case (HTML standard, section
    /// 7.4.6.4): it is `top`, or empty except for a directive such as `:~:text=`.
    pub(super) fn new(fragment: &str) -> Option<Self> {
        let fragment = without_directive(fragment);
        let written = hash_of(fragment);
        let decoded = decoded(fragment);
        if decoded.is_empty() || decoded.eq_ignore_ascii_case("top") {
            return None;
        }
        let decoded = match decoded {
            Cow::Borrowed(_) => written,
            Cow::Owned(decoded) => hash_of(&decoded),
        };
        Some(Self { written, decoded })
    }

    /// Hashes a fragment, and the id of a heading with its text: VitePress 2 derives the fragment of
    /// a link so.
    fn of_vitepress(text: &str) -> Option<Self> {
        let Self { decoded, .. } = Self::new(text)?;
        let id = vitepress_id(&self::decoded(without_directive(text)));
        Some(Self { written: hash_of(&id), decoded })
    }

    /// Hashes the text of a heading, or the name of a block after `^`, as Obsidian compares them.
    /// Only in Markdown links is it percent-encoded, and `%` does not count. `None` without any
    /// text.
    fn of_heading(text: &str) -> Option<Self> {
        let key = |text: &str| match text.trim_start().strip_prefix('^') {
            Some(_) => text.trim().to_lowercase(),
            None => obsidian_heading(text).to_lowercase(),
        };
        let (written, decoded) = (key(text), key(&decoded(text)));
        (!written.is_empty()).then(|| Self { written: hash_of(written), decoded: hash_of(decoded) })
    }
}

/// The parts of a fragment that must each refer to an anchor, in a document whose headings have ids
/// by this rule.
pub(super) fn parts(fragment: &str, slugs: Slugs) -> impl Iterator<Item = (&str, Fragment)> {
    // Headings of Obsidian may be nested: `#A#B`.
    let is_nested = slugs == Slugs::Obsidian;
    let mut parts = fragment.split(move |it| is_nested && it == '#');
    std::iter::from_fn(move || {
        parts.find_map(|part| {
            let found = match slugs {
                Slugs::Obsidian => Fragment::of_heading(part),
                Slugs::Vitepress => Fragment::of_vitepress(part),
                _ => Fragment::new(part),
            };
            Some((part, found?))
        })
    })
}

/// A fragment without its directive (URL Fragment Text Directives, section 3.2).
fn without_directive(fragment: &str) -> &str {
    // Few fragments have one, and searching one character is faster than three.
    match memchr::memchr(b'~', fragment.as_bytes()) {
        None => fragment,
        Some(_) => fragment.split(":~:").next().unwrap_or_default(),
    }
}

pub(super) fn decoded(fragment: &str) -> Cow<'_, str> {
    match percent::decode(fragment) {
        Cow::Borrowed(_) => Cow::Borrowed(fragment),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// A reference to the anchor with this name in the file of `reference`. The text of a path is not
/// percent-encoded.
pub(super) fn with_fragment(reference: &str, name: &str, is_encoded: bool) -> String {
    let end = reference.find('#').unwrap_or(reference.len());
    let mut out = format!("{}#", &reference[..end]);
    match is_encoded {
        true => percent::encode_path_segment(name.as_bytes(), &mut out),
        false => out.push_str(name),
    }
    out
}

/// The anchor names of a file, for finding similar ones.
#[derive(Clone, Debug, Default)]
pub struct AnchorNames {
    /// All names, concatenated, the shortest first.
    text: String,
    /// The end of each name.
    ends: Vec<usize>,
    /// The letters of each name.
    letters: Vec<Letters>,
    /// For each length in bytes: the number of shorter names.
    shorter: Vec<usize>,
    /// The hashes of the case-folded names, sorted, each with the position of its name.
    folded: Vec<(u64, u32)>,
}

/// The characters of a name: one bit for each of 64 classes.
#[derive(Clone, Copy, Debug)]
struct Letters(u64);

impl Letters {
    fn of(name: &str) -> Self {
        let bits = name.bytes().map(|byte| 1 << (byte & 63));
        Self(bits.fold(0, |letters, bit: u64| letters | bit))
    }

    /// The minimum number of letters that differ.
    fn apart(self, other: Self) -> usize {
        let missing = |a: u64, b: u64| (a & !b).count_ones();
        missing(self.0, other.0).max(missing(other.0, self.0)) as usize
    }
}

/// The maximum number of names that are compared with one, letter by letter.
const MAX_COMPARED: usize = 1000;

/// The maximum length of a name that is compared, in bytes.
const MAX_COMPARED_LEN: usize = 200;

/// The maximum length of a name that can be near to another, in bytes.
const MAX_NEAR_LEN: usize = 3 * MAX_COMPARED_LEN;

impl AnchorNames {
    /// The anchor names of a document.
    pub fn new(names: &[Cow<'_, str>]) -> Self {
        let mut sorted: Vec<&str> = names.iter().map(|name| &**name).collect();
        // The sort is stable: names of equal length keep their order in the document.
        sorted.sort_by_key(|name| name.len());
        let mut all = Self::default();
        for (at, name) in sorted.into_iter().enumerate() {
            // Further anchors of a larger page have no names.
            let place = u32::try_from(at).unwrap_or(u32::MAX);
            all.folded.push((hash_of(&*fold_key(name.as_bytes())), place));
            all.text.push_str(name);
            all.ends.push(all.text.len());
            all.letters.push(Letters::of(name));
            all.shorter.resize(name.len().min(MAX_NEAR_LEN) + 1, at);
        }
        all.folded.sort_unstable();
        all
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn name(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[at]]
    }

    /// The positions of the names with this length in bytes.
    fn of_length(&self, bytes: usize) -> Range<usize> {
        let shorter = |bytes| self.shorter.get(bytes).copied().unwrap_or(self.len());
        shorter(bytes)..shorter(bytes + 1)
    }

    /// The nearest name to that of `fragment`: the same in another case or normal form of Unicode,
    /// or the one with the fewest changed characters, at most a third of them.
    pub fn near(&self, fragment: &str) -> Option<&str> {
        let wanted = decoded(without_directive(fragment));
        if wanted.len() > MAX_COMPARED_LEN {
            return None;
        }
        let folded = hash_of(&*fold_key(wanted.as_bytes()));
        let first = self.folded.partition_point(|&(it, _)| it < folded);
        if let Some(&(_, at)) = self.folded.get(first).filter(|(it, _)| *it == folded) {
            return Some(self.name(at as usize));
        }
        let letters = Letters::of(&wanted);
        let most = wanted.chars().count() / 3;
        // Non-ASCII characters have several bytes.
        let bytes = if wanted.is_ascii() { most } else { 4 * most };
        let shortest = wanted.len().saturating_sub(bytes);
        // Names of similar length are more likely to be near.
        let mut lengths: Vec<usize> = (shortest..=wanted.len() + bytes).collect();
        lengths.sort_by_key(|len| len.abs_diff(wanted.len()));
        let names = lengths.into_iter().flat_map(|len| self.of_length(len));
        let mut best: Option<(usize, &str)> = None;
        for at in names.filter(|&at| letters.apart(self.letters[at]) <= bytes).take(MAX_COMPARED) {
            let name = self.name(at);
            let distance = strsim::osa_distance(&wanted, name);
            if distance <= most && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, name));
            }
        }
        best.map(|(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&'static str]) -> Vec<Cow<'static, str>> {
        names.iter().map(|&name| name.into()).collect()
    }

    #[test]
    fn a_fragment_refers_to_an_anchor_as_written_or_decoded() {
        let names = names(&["a%20b", "c d", "é", "\u{FFFD}"]);
        let anchors = Anchors::new(&names, Slugs::Github);
        let leads = |fragment| Fragment::new(fragment).map(|it| anchors.contains(it));
        assert_eq!(leads("a%20b"), Some(true));
        assert_eq!(leads("a b"), Some(false), "it is written, and not decoded");
        assert_eq!(leads("c%20d"), Some(true));
        assert_eq!(leads("c d"), Some(true));
        assert_eq!(leads("%C3%A9"), Some(true));
        assert_eq!(leads("é:~:text=x"), Some(true));
        assert_eq!(leads("%E9"), Some(true), "bytes that are no UTF-8 read as U+FFFD");
        assert_eq!(leads("x"), Some(false));
        for always in ["", "top", "TOP", "%74op", ":~:text=x"] {
            assert_eq!(leads(always), None, "{always}");
        }
    }

    #[test]
    fn headings_of_obsidian_are_compared_as_text() {
        let anchors =
            Anchors::new(&names(&["What's new in C", "Step 1 setup", "^a-1"]), Slugs::Obsidian);
        let leads =
            |fragment| parts(fragment, Slugs::Obsidian).all(|(_, part)| anchors.contains(part));
        for fragment in [
            "what's *new* in C++", "What's%20new%20in%20C", "Step 1: setup",
            "What's new in C#Step 1 setup", "^A-1", "%5Ea-1", "", "#",
        ] {
            assert!(leads(fragment), "{fragment}");
        }
        for fragment in ["new", "a-1", "^a", "Step 1 setup#none", "none#Step 1 setup", "top"] {
            assert!(!leads(fragment), "{fragment}");
        }
    }

    #[test]
    fn the_nearest_name_is_found() {
        let names = AnchorNames::new(&names(&["Install", "usage", "étude", "line-10"]));
        assert_eq!(names.near("install"), Some("Install"));
        assert_eq!(names.near("usgae"), Some("usage"));
        assert_eq!(names.near("%65\u{301}tude"), Some("étude"));
        assert_eq!(names.near("line-11"), Some("line-10"));
        assert_eq!(names.near("nothing"), None);
        assert_eq!(names.near("x"), None);
        assert_eq!(names.near(""), None);
    }
}
