//! Maps from URI prefixes to URI prefixes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use smallvec::SmallVec;

use crate::uri::{Equivalence, Parts, has_dot_segments, is_plainly_normal, normalize};

/// Which URI prefixes become which others.
///
/// A prefix ends on the boundary of a segment: `http://h/a` is one of `http://h/a`, `http://h/a/b`
/// and `http://h/a?q`, and not of `http://h/ab`. URIs are compared as [`Equivalence::Scheme`] normalises
/// them, and what follows the prefix keeps its spelling; only where a URI has dot segments its path goes on
/// without them. The longest prefix wins.
///
/// What becomes a URI with a fragment is no prefix: nothing can follow that. Such an entry is about exactly its
/// old URI, apart from a fragment of the URI that is mapped, which then takes the place of that of the new one.
/// Longer URIs are mapped by the shorter prefixes, if at all. Behind a query what follows the prefix goes on, as
/// for `http://proxy/?url=`.
///
/// ```
/// use rehref::rewrite::PrefixMap;
///
/// let mut map = PrefixMap::default();
/// map.insert_entry("http://host/b~=http://n/c")?;
/// let uri = "HTTP://Host:80/b%7E/d%7e?x";
/// assert_eq!(map.get(uri).as_deref(), Some("http://n/c/d%7e?x"));
/// assert_eq!(map.get("http://host/a/../b~/d").as_deref(), Some("http://n/c/d"));
/// assert_eq!(map.get("http://host/b~d"), None);
///
/// map.insert_entry("http://host/b~/e=http://n/#e")?;
/// assert_eq!(map.get("http://host/b~/e#f").as_deref(), Some("http://n/#f"));
/// assert_eq!(map.get("http://host/b~/e/g").as_deref(), Some("http://n/c/e/g"));
/// # Ok::<(), rehref::rewrite::PrefixMapError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PrefixMap {
    entries: Vec<Entry>,
    old: Index,
}

/// A prefix, and what it becomes.
#[derive(Clone, Debug)]
struct Entry {
    /// The prefix as it is written.
    old: String,
    new: String,
}

impl Entry {
    /// Whether it is about its old URI alone: what follows that could not follow the new one.
    fn is_exact(&self) -> bool {
        self.new.contains('#')
    }
}

/// Why an entry is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrefixMapError {
    /// There is no `=` in it.
    NoSeparator,
    /// What stands before the `=` is no absolute URI.
    OldNotAbsolute,
    /// What stands after the `=` is no absolute URI.
    NewNotAbsolute,
    /// The same prefix, or one that is equivalent, is mapped already, to something else.
    Duplicate,
}

impl fmt::Display for PrefixMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSeparator => "no `=` between OLD and NEW",
            Self::OldNotAbsolute => "OLD is not an absolute URI",
            Self::NewNotAbsolute => "NEW is not an absolute URI",
            Self::Duplicate => "OLD is mapped already",
        })
    }
}

impl std::error::Error for PrefixMapError {}

impl PrefixMap {
    /// Adds an entry written `OLD=NEW`. Of several `=` the last one that an absolute URI follows
    /// separates the two.
    ///
    /// # Errors
    /// As [`PrefixMap::insert`], and [`PrefixMapError::NoSeparator`].
    pub fn insert_entry(&mut self, entry: &str) -> Result<(), PrefixMapError> {
        let splits = || {
            entry
                .rmatch_indices('=')
                .map(|(at, _)| (&entry[..at], &entry[at + 1..]))
        };
        let absolute = |&(_, new): &(&str, &str)| Parts::split(new).scheme.is_some();
        let found = splits().find(absolute).or_else(|| splits().next());
        let (old, new) = found.ok_or(PrefixMapError::NoSeparator)?;
        self.insert(old, new)
    }

    /// Lets `old`, as a prefix, become `new`.
    ///
    /// # Errors
    /// When one of them is not absolute, or `old` is there already and becomes something else.
    pub fn insert(&mut self, old: &str, new: &str) -> Result<(), PrefixMapError> {
        if Parts::split(old).scheme.is_none() {
            return Err(PrefixMapError::OldNotAbsolute);
        }
        if Parts::split(new).scheme.is_none() {
            return Err(PrefixMapError::NewNotAbsolute);
        }
        let key = key_of(old);
        if let Some(there) = self.old.get(&key) {
            return match self.entries[there].new == new {
                true => Ok(()),
                false => Err(PrefixMapError::Duplicate),
            };
        }
        self.old.insert(key.into_owned());
        self.entries.push(Entry {
            old: old.to_owned(),
            new: new.to_owned(),
        });
        Ok(())
    }

    /// Each new prefix under which something is mapped again: mapping a second time changes more. Linear in
    /// the entries.
    pub fn mapped_again(&self) -> impl Iterator<Item = &str> {
        let mut new: Vec<&str> = self.entries.iter().map(|entry| &*entry.new).collect();
        new.sort_unstable();
        new.dedup();
        // Those that an old prefix is under.
        let mut keys = Index::default();
        let mut by_key: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, uri) in new.iter().enumerate() {
            let key = key_of(uri);
            let at = keys
                .get(&key)
                .unwrap_or_else(|| keys.insert(key.into_owned()));
            by_key.entry(at).or_default().push(number);
        }
        let mut is_again: Vec<bool> = new
            .iter()
            .map(|new| self.get(new).is_some_and(|again| again != **new))
            .collect();
        for old in &self.old.keys {
            let above = keys.prefixes(old).into_iter();
            for key in above.filter(|&key| keys.keys[key].len() < old.len()) {
                // Each is found once, or a chain of prefixes would be gone through for every prefix below.
                for number in by_key.remove(&key).unwrap_or_default() {
                    is_again[number] = true;
                }
            }
        }
        let again = new.into_iter().zip(is_again);
        again.filter(|(_, is_again)| *is_again).map(|(new, _)| new)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What `uri` becomes, if one of the prefixes is its own.
    ///
    /// Linear in the URI, however many entries there are, and without an allocation where none is its own
    /// and it is spelled as it is normalised.
    pub fn get(&self, uri: &str) -> Option<String> {
        let key = normal(uri);
        let is_meant = |found: usize| {
            let follows = &key[self.old.keys[found].len()..];
            follows.is_empty() || follows.starts_with('#') || !self.entries[found].is_exact()
        };
        let found = self.old.longest_prefix(&key, is_meant)?;
        let Entry { old, new } = &self.entries[found];
        let len = self.old.keys[found].len();
        if self.entries[found].is_exact() {
            return Some(match uri.find('#').filter(|_| len < key.len()) {
                Some(fragment) => {
                    let end = new.find('#').unwrap_or(new.len());
                    format!("{}{}", &new[..end], &uri[fragment..])
                }
                None => new.clone(),
            });
        }
        let rest = rest(uri, &key, len, old);
        let old = if lacks_root(old) { old } else { &key[..len] };
        Some(join(old, new, rest))
    }
}

/// Texts that are looked for as prefixes that end on a boundary.
#[derive(Clone, Debug, Default)]
struct Index {
    keys: Vec<String>,
    /// The keys by their hashes: several where these are the same.
    by_hash: HashMap<u64, SmallVec<[u32; 1]>>,
    /// Which lengths there are, a bit each: where there is no key of that length, nothing is looked up.
    lengths: Vec<u64>,
}

impl Index {
    /// Adds a key that is not there, and says which number it has.
    fn insert(&mut self, key: String) -> usize {
        let number = self.keys.len();
        let (word, bit) = (key.len() / 64, key.len() % 64);
        if self.lengths.len() <= word {
            self.lengths.resize(word + 1, 0);
        }
        self.lengths[word] |= 1 << bit;
        let hash = key.bytes().fold(HASH_START, hash);
        // So many are never held in memory.
        let stored = u32::try_from(number).unwrap_or(u32::MAX);
        self.by_hash.entry(hash).or_default().push(stored);
        self.keys.push(key);
        number
    }

    /// The number of this very key.
    fn get(&self, key: &str) -> Option<usize> {
        self.longest_prefix(key, |found| self.keys[found].len() == key.len())
    }

    /// The longest key that is a prefix of `text`, of those that are meant.
    fn longest_prefix(&self, text: &str, is_meant: impl Fn(usize) -> bool) -> Option<usize> {
        let candidates = self.candidates(text);
        let found = candidates.into_iter().rev();
        let mut found = found.map(|number| number as usize);
        found.find(|&number| text.starts_with(&self.keys[number]) && is_meant(number))
    }

    /// All keys that are prefixes of `text`, the shortest first. A key is compared only where its hash is that
    /// of the text up to there.
    fn prefixes(&self, text: &str) -> Vec<usize> {
        let candidates = self.candidates(text).into_iter();
        let candidates = candidates.map(|number| number as usize);
        candidates
            .filter(|&number| text.starts_with(&self.keys[number]))
            .collect()
    }

    /// The keys that have the hash and the length of a prefix of `text` that ends on a boundary: the shortest
    /// first, and nearly always prefixes.
    fn candidates(&self, text: &str) -> SmallVec<[u32; 8]> {
        let mut found = SmallVec::new();
        if self.keys.is_empty() {
            return found;
        }
        let bytes = text.as_bytes();
        // A path does not end between the slashes that an authority begins with.
        let colon = memchr::memchr(b':', bytes).unwrap_or(bytes.len());
        let within_slashes = match bytes.get(colon..colon + 3) {
            Some(b"://") => colon + 2,
            _ => 0,
        };
        let mut as_map = HASH_START;
        // What is longer than all keys is not looked at.
        for end in 1..=bytes.len().min(self.lengths.len() * 64 - 1) {
            as_map = hash(as_map, bytes[end - 1]);
            let is_boundary = bytes[end - 1] == b'/'
                || bytes
                    .get(end)
                    .is_none_or(|it| matches!(it, b'/' | b'?' | b'#'));
            let has_length = self.lengths[end / 64] >> (end % 64) & 1 != 0;
            if is_boundary
                && has_length
                && end != within_slashes
                && let Some(same) = self.by_hash.get(&as_map)
            {
                let of_length = |number: &&u32| self.keys[**number as usize].len() == end;
                found.extend(same.iter().filter(of_length).copied());
            }
        }
        found
    }
}

/// FNV-1a: it can be gone on with byte by byte, so that the hashes of all prefixes cost what that of the whole
/// does.
fn hash(as_map: u64, byte: u8) -> u64 {
    (as_map ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
}

const HASH_START: u64 = 0xCBF2_9CE4_8422_2325;

/// What a prefix is looked up by: the URI as it is normalised; but the authority that is empty gets no path, so
/// that `http://` is a prefix of all URIs that begin so.
fn key_of(old: &str) -> Cow<'_, str> {
    let parts = Parts::split(old);
    let ends = parts.path.is_empty() && parts.query.is_none() && parts.fragment.is_none();
    if parts.authority == Some("") && ends {
        return Cow::Owned(old.to_ascii_lowercase());
    }
    let key = normal(old);
    // `file://localhost` is no prefix of `file://h`.
    match lacks_root(old) && key.ends_with("//") {
        true => Cow::Owned(format!("{key}/")),
        false => key,
    }
}

/// The URI as it is normalised; borrowed where that is easy to see.
fn normal(uri: &str) -> Cow<'_, str> {
    match is_plainly_normal(uri) {
        true => Cow::Borrowed(uri),
        false => Cow::Owned(normalize(uri, Equivalence::Scheme)),
    }
}

/// What follows in `uri` the prefix that, normalised, is the first `len` bytes of `key`; `old` is how the
/// prefix is written. It keeps its spelling, unless segments went with dots.
fn rest<'u>(uri: &'u str, key: &'u str, len: usize, old: &str) -> &'u str {
    let root = authority_end(key);
    // `http://h` is looked for as `http://h/`, and the slash is none of it.
    let len = if lacks_root(old) { root } else { len };
    let path = Parts::split(uri).path;
    if uri == key || has_dot_segments(path) {
        return &key[len..];
    }
    if len == root {
        return &uri[authority_end(uri)..];
    }
    let mut delimiters = count(&key[..len]);
    if path.is_empty() && key[root..].starts_with('/') && len > root {
        // The root is in the prefix and not in the URI.
        delimiters -= 1;
        if len == root + 1 {
            return &uri[authority_end(uri)..];
        }
    }
    // But for those with dots, normalising neither takes delimiters away nor brings others in.
    let mut places = uri
        .bytes()
        .enumerate()
        .filter(|(_, byte)| is_delimiter(*byte));
    let at = match (
        key.as_bytes().get(len.wrapping_sub(1)),
        delimiters.checked_sub(1),
    ) {
        (Some(b'/'), Some(last)) => places.nth(last).map(|(at, _)| at + 1),
        _ => places.nth(delimiters).map(|(at, _)| at),
    };
    &uri[at.unwrap_or(uri.len())..]
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'#')
}

fn count(text: &str) -> usize {
    text.bytes().filter(|&byte| is_delimiter(byte)).count()
}

/// Where the authority of a URI ends.
fn authority_end(uri: &str) -> usize {
    let parts = Parts::split(uri);
    let scheme = parts.scheme.map_or(0, |it| it.len() + 1);
    scheme + parts.authority.map_or(0, |it| "//".len() + it.len())
}

/// Whether a prefix ends after its authority, so that the slash after that is none of it.
fn lacks_root(old: &str) -> bool {
    let parts = Parts::split(old);
    parts.authority.is_some_and(|it| !it.is_empty())
        && parts.path.is_empty()
        && parts.query.is_none()
        && parts.fragment.is_none()
}

/// `new` and what followed `old`. A slash at the end of one of them is neither doubled nor lost.
fn join(old: &str, new: &str, rest: &str) -> String {
    if new.ends_with('/') && rest.starts_with('/') && !old.ends_with('/') {
        return format!("{new}{}", &rest[1..]);
    }
    let is_under = old.ends_with('/') && !rest.is_empty() && !rest.starts_with(['?', '#']);
    let separator = if is_under && !new.ends_with('/') {
        "/"
    } else {
        ""
    };
    format!("{new}{separator}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[&str]) -> PrefixMap {
        let mut map = PrefixMap::default();
        for entry in entries {
            map.insert_entry(entry).unwrap();
        }
        map
    }

    #[test]
    fn prefixes_end_on_segments_and_the_longest_wins() {
        let map = map(&[
            "http://h/a=http://n/x",
            "http://h/a/b=http://n/y",
            "http://o/=http://n/z",
        ]);
        let get = |uri| map.get(uri);
        assert_eq!(get("http://h/a").as_deref(), Some("http://n/x"));
        assert_eq!(get("HTTP://H/a/c?q#f").as_deref(), Some("http://n/x/c?q#f"));
        assert_eq!(get("http://h/a?q").as_deref(), Some("http://n/x?q"));
        assert_eq!(get("http://h/a/b/c").as_deref(), Some("http://n/y/c"));
        assert_eq!(get("http://o/c").as_deref(), Some("http://n/z/c"));
        assert_eq!(get("http://o/?q").as_deref(), Some("http://n/z?q"));
        assert_eq!(get("http://h/ab"), None);
        assert_eq!(get("http://h/A"), None);
        assert_eq!(get("http://o").as_deref(), Some("http://n/z"));
        assert_eq!(get("http://oo"), None);
        assert_eq!(get("http://h/é"), None);
    }

    #[test]
    fn what_is_mapped_again_is_told() {
        let again = |entries| {
            map(entries)
                .mapped_again()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(again(&["http://a/=http://a/b/"]), ["http://a/b/"]);
        assert_eq!(
            again(&["http://n/x=http://o/", "http://a=http://n/"]),
            ["http://n/"]
        );
        assert!(again(&["http://n.example/=http://m/", "http://a/=http://n"]).is_empty());
        assert!(again(&["http://a/=http://b/"]).is_empty());
    }

    #[test]
    fn nothing_but_another_fragment_follows_a_fragment() {
        let map = map(&[
            "http://o/=http://n/?q",
            "http://p=http://n/#z",
            "http://h/a=http://n/x",
            "http://h/a/b=http://n/?b#z",
            "http://h/a#c=http://n/#d",
        ]);
        for (uri, expected) in [
            ("http://o/", Some("http://n/?q")),
            ("HTTP://O:80#f", Some("http://n/?q#f")),
            ("http://o/x", Some("http://n/?q/x")),
            ("http://p", Some("http://n/#z")),
            ("http://p/#frag", Some("http://n/#frag")),
            ("http://p?q", None),
            ("http://h/a/%62", Some("http://n/?b#z")),
            ("http://h/a/b#%7e", Some("http://n/?b#%7e")),
            ("http://h/a/b#", Some("http://n/?b#")),
            ("http://h/a/b/", Some("http://n/x/b/")),
            ("http://h/a/b?q#f", Some("http://n/x/b?q#f")),
            ("http://h/a#c", Some("http://n/#d")),
            ("http://h/a#c/d", Some("http://n/x#c/d")),
        ] {
            assert_eq!(map.get(uri).as_deref(), expected, "{uri}");
        }
    }

    #[test]
    fn slashes_at_the_ends_of_prefixes() {
        assert_eq!(
            map(&["http://o=http://n/"]).get("http://o/x").as_deref(),
            Some("http://n/x")
        );
        assert_eq!(
            map(&["http://o/=http://n"]).get("http://o/x").as_deref(),
            Some("http://n/x")
        );
    }

    #[test]
    fn entries_split_at_the_last_equals_sign_before_a_uri() {
        let map = map(&["http://h/?a=b=http://n/?c=d"]);
        assert_eq!(map.get("http://h/?a=b").as_deref(), Some("http://n/?c=d"));
        let refused = |entry| PrefixMap::default().insert_entry(entry).unwrap_err();
        assert_eq!(refused("http://h/"), PrefixMapError::NoSeparator);
        assert_eq!(refused("/a=http://h/"), PrefixMapError::OldNotAbsolute);
        assert_eq!(refused("http://h/=/a"), PrefixMapError::NewNotAbsolute);
    }

    #[test]
    fn uris_are_compared_normalised_and_keep_their_spelling() {
        let map = map(&[
            "HTTP://Host/a/../b%7e=http://n/1",
            "http://host/b~/c=http://n/2/",
            "http://q?x=http://n/3",
            "http://r=http://n/4",
            "file:///a=http://n/5",
            "http://s/%2f/=http://n/6/",
            "mailto:a@B=mailto:c@d",
            "foo://host:1=http://n/7",
            "gopher://localhost:70=http://n/8",
        ]);
        for (uri, expected) in [
            ("http://host/b~", "http://n/1"),
            ("http://HOST:80/b%7E/%7e?%7E#%7e", "http://n/1/%7e?%7E#%7e"),
            ("http://host/x/../b~/d", "http://n/1/d"),
            ("http://host/./b~/d?a/../b", "http://n/1/d?a/../b"),
            ("http://host/b~/%2E%2E/b~/%63?x", "http://n/2/?x"),
            ("http://host:/b~/%63/e", "http://n/2/e"),
            ("http://host/b~//c", "http://n/1//c"),
            ("http://s/%2f//", "http://n/6//"),
            ("http://host/b~/c/", "http://n/2/"),
            ("http://Q?x", "http://n/3"),
            ("http://q/?x#f", "http://n/3#f"),
            ("http://q:80?x#f/", "http://n/3#f/"),
            ("http://R", "http://n/4"),
            ("http://R/", "http://n/4/"),
            ("http://R?q", "http://n/4?q"),
            ("http://r:/a%7e", "http://n/4/a%7e"),
            ("http://r/x/../y", "http://n/4/y"),
            ("file://localhost/a/b", "http://n/5/b"),
            ("gopher://localhost", "http://n/8"),
            ("http://s/%2F/%2f", "http://n/6/%2f"),
            ("mailto:a@b?subject=x", "mailto:c@d?subject=x"),
            ("FOO://HOST:1/x", "http://n/7/x"),
            ("foo://host:1?x", "http://n/7?x"),
        ] {
            assert_eq!(map.get(uri).as_deref(), Some(expected), "{uri}");
        }
        for uri in [
            "http://host/B~",
            "http://host:8/b~",
            "http://host/b~c",
            "https://host/b~",
            "http://q",
            "http://q?xy",
            "http://q/x",
            "foo://host",
            "http://s//",
            "",
            "/b~",
            "host",
        ] {
            assert_eq!(map.get(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_scheme_is_a_prefix() {
        let map = map(&["http:=https:", "ftp://=http://ftp."]);
        let get = |uri| map.get(uri);
        assert_eq!(get("HTTP://h:80/a?b").as_deref(), Some("https://h:80/a?b"));
        assert_eq!(get("ftp://h/a").as_deref(), Some("http://ftp./h/a"));
        assert_eq!(get("https://h/a"), None);
        // And a root without an authority is none of what has one.
        let map = self::map(&["http:/=http://n"]);
        assert_eq!(map.get("http://h/"), None);
        assert_eq!(map.get("http:/a").as_deref(), Some("http://n/a"));
    }

    #[test]
    fn equivalent_prefixes_are_the_same() {
        let mut map = map(&["http://h/~a=http://n/"]);
        assert_eq!(map.insert("HTTP://h:80/%7ea", "http://n/"), Ok(()));
        assert_eq!(map.len(), 1);
        let twice = map.insert("http://h/%7Ea", "http://m/");
        assert_eq!(twice, Err(PrefixMapError::Duplicate));
    }
}
