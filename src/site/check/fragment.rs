//! Fragments, and the anchors that they name.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use crate::bytes::percent;
use crate::site::fold;

/// What stands for an anchor: of a tree only these are kept, 8 bytes for each. That two names of one file have
/// the same number is not to be expected.
fn number(name: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// The anchors of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Anchors(Box<[u64]>);

impl Anchors {
    pub(super) fn new(names: &[Cow<'_, str>]) -> Self {
        let mut numbers: Vec<u64> = names.iter().map(number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Self(numbers.into())
    }

    /// Whether a fragment leads to one of them.
    pub(super) fn have(&self, fragment: Fragment) -> bool {
        let has = |number| self.0.binary_search(&number).is_ok();
        has(fragment.written) || fragment.decoded != fragment.written && has(fragment.decoded)
    }
}

/// A fragment that names an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fragment {
    /// The number of the anchor that is written like it.
    written: u64,
    /// That of the one that it is once percent-encoding is undone.
    decoded: u64,
}

impl Fragment {
    /// What a fragment names; nothing where it leads to the document whatever stands in it (HTML standard,
    /// section 7.4.6.4): if it is empty but for a directive such as `:~:text=`, or `top`.
    pub(super) fn new(fragment: &str) -> Option<Self> {
        let fragment = without_directive(fragment);
        let written = number(fragment);
        let decoded = decoded(fragment);
        if decoded.is_empty() || decoded.eq_ignore_ascii_case("top") {
            return None;
        }
        let decoded = match decoded {
            Cow::Borrowed(_) => written,
            Cow::Owned(decoded) => number(&decoded),
        };
        Some(Self { written, decoded })
    }
}

/// A fragment without its directive (URL Fragment Text Directives, section 3.2).
fn without_directive(fragment: &str) -> &str {
    // Few fragments have one: a look for one character is quicker than for three.
    match memchr::memchr(b'~', fragment.as_bytes()) {
        None => fragment,
        Some(_) => fragment.split(":~:").next().unwrap_or_default(),
    }
}

fn decoded(fragment: &str) -> Cow<'_, str> {
    match percent::decode(fragment) {
        Cow::Borrowed(_) => Cow::Borrowed(fragment),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// The names of the anchors of a file, for those who look for one that is like another.
#[derive(Clone, Debug, Default)]
pub struct AnchorNames {
    /// All of them, one after another, the shortest first.
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// Which letters each has.
    letters: Vec<Letters>,
    /// How many are shorter than so many bytes.
    shorter: Vec<usize>,
    /// What they are where case makes no difference, as numbers and sorted, each with the place of its name.
    folded: Vec<(u64, u32)>,
}

/// Which characters a name has: a bit for each of 64 classes.
#[derive(Clone, Copy, Debug)]
struct Letters(u64);

impl Letters {
    fn of(name: &str) -> Self {
        let bits = name.bytes().map(|byte| 1 << (byte & 63));
        Self(bits.fold(0, |letters, bit: u64| letters | bit))
    }

    /// How many letters have to change at least to come from one to the other.
    fn apart(self, other: Self) -> usize {
        let missing = |a: u64, b: u64| (a & !b).count_ones();
        missing(self.0, other.0).max(missing(other.0, self.0)) as usize
    }
}

/// How many names are compared with one, letter by letter.
const MOST_COMPARED: usize = 1000;

/// The longest name that is compared with others, in bytes.
const LONGEST_COMPARED: usize = 200;

/// No name is near to another that is more than that many bytes long.
const LONGEST_NEAR: usize = 3 * LONGEST_COMPARED;

impl AnchorNames {
    /// Those of a document.
    pub fn new(names: &[Cow<'_, str>]) -> Self {
        let mut sorted: Vec<&str> = names.iter().map(|name| &**name).collect();
        // Of equal length the first of the document stays the first.
        sorted.sort_by_key(|name| name.len());
        let mut all = Self::default();
        for (at, name) in sorted.into_iter().enumerate() {
            // A page with more anchors than that has no names for the rest.
            let place = u32::try_from(at).unwrap_or(u32::MAX);
            all.folded.push((number(&*fold(name.as_bytes())), place));
            all.text.push_str(name);
            all.ends.push(all.text.len());
            all.letters.push(Letters::of(name));
            all.shorter.resize(name.len().min(LONGEST_NEAR) + 1, at);
        }
        all.folded.sort_unstable();
        all
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn name(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[at]]
    }

    /// The places of the names that are so many bytes long.
    fn of_length(&self, bytes: usize) -> Range<usize> {
        let shorter = |bytes| self.shorter.get(bytes).copied().unwrap_or(self.len());
        shorter(bytes)..shorter(bytes + 1)
    }

    /// The name that is nearest to what `fragment` names: the same in other case or another normal form of
    /// Unicode, or the one from which the fewest characters have to change, if that is at most a third of them.
    pub fn near(&self, fragment: &str) -> Option<&str> {
        let wanted = decoded(without_directive(fragment));
        if wanted.len() > LONGEST_COMPARED {
            return None;
        }
        let folded = number(&*fold(wanted.as_bytes()));
        let first = self.folded.partition_point(|&(it, _)| it < folded);
        if let Some(&(_, at)) = self.folded.get(first).filter(|(it, _)| *it == folded) {
            return Some(self.name(at as usize));
        }
        let letters = Letters::of(&wanted);
        let most = wanted.chars().count() / 3;
        // Of other characters each has several bytes.
        let bytes = if wanted.is_ascii() { most } else { 4 * most };
        let shortest = wanted.len().saturating_sub(bytes);
        // Those of like length are more likely to be near.
        let mut lengths: Vec<usize> = (shortest..=wanted.len() + bytes).collect();
        lengths.sort_by_key(|len| len.abs_diff(wanted.len()));
        let names = lengths.into_iter().flat_map(|len| self.of_length(len));
        let mut best: Option<(usize, &str)> = None;
        for at in names
            .filter(|&at| letters.apart(self.letters[at]) <= bytes)
            .take(MOST_COMPARED)
        {
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
    fn a_fragment_names_an_anchor_as_written_or_decoded() {
        let anchors = Anchors::new(&names(&["a%20b", "c d", "é", "\u{FFFD}"]));
        let leads = |fragment| Fragment::new(fragment).map(|it| anchors.have(it));
        assert_eq!(leads("a%20b"), Some(true));
        assert_eq!(leads("a b"), Some(false), "it is written, and not decoded");
        assert_eq!(leads("c%20d"), Some(true));
        assert_eq!(leads("c d"), Some(true));
        assert_eq!(leads("%C3%A9"), Some(true));
        assert_eq!(leads("é:~:text=x"), Some(true));
        assert_eq!(
            leads("%E9"),
            Some(true),
            "bytes that are no UTF-8 read as U+FFFD"
        );
        assert_eq!(leads("x"), Some(false));
        for always in ["", "top", "TOP", "%74op", ":~:text=x"] {
            assert_eq!(leads(always), None, "{always}");
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
