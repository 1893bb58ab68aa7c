//! Maps from URI prefixes to URI prefixes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use smallvec::SmallVec;

use crate::uri::{Equivalence, Parts, has_dot_segments, is_plainly_normal, normalize};

/// A map of URI prefixes. The longest matching prefix wins.
///
/// A prefix ends at a segment boundary: `http://h/a` matches `http://h/a`, `http://h/a/b` and `http://h/a?q`, but not
/// `http://h/ab`. URIs are compared as normalized by [`Equivalence::Scheme`]. The rest of the URI keeps its spelling,
/// but loses dot segments if the URI has any.
///
/// Scheme, user and port are part of a prefix: `https://h/` does not match `http://h/`, so each scheme needs an entry.
/// A reference such as `//h/a` has no scheme of its own. It matches only in a document with a URL.
///
/// An entry whose new URI has a fragment matches only its exact old URI, since nothing can follow a fragment. A fragment
/// of the mapped URI replaces that of the new one. Longer URIs are mapped by shorter prefixes, if any match. If the new
/// URI has a query, the rest is appended to it, as for `http://proxy/?url=`.
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

/// A prefix and its replacement.
#[derive(Clone, Debug)]
struct Entry {
    /// The prefix as written.
    old: String,
    new: String,
}

impl Entry {
    /// Returns true if the entry matches only its old URI: nothing can follow the new one.
    fn is_exact(&self) -> bool {
        self.new.contains('#')
    }
}

/// The reason an entry was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrefixMapError {
    /// The entry has no `=`.
    NoSeparator,
    /// The text before the `=` is not an absolute URI.
    OldNotAbsolute,
    /// The text after the `=` is not an absolute URI.
    NewNotAbsolute,
    /// The prefix or an equivalent one is already mapped to another URI.
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
    /// Adds an entry written `OLD=NEW`. The separator is the last `=` followed by an absolute URI.
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

    /// Maps the prefix `old` to `new`.
    ///
    /// # Errors
    /// If one of them is not absolute, or `old` is already mapped to another URI.
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

    /// Returns each new prefix under which URIs are mapped again, so that a second run changes more. Linear in the
    /// entries.
    pub fn mapped_again(&self) -> impl Iterator<Item = &str> {
        let mut new: Vec<&str> = self.entries.iter().map(|entry| &*entry.new).collect();
        new.sort_unstable();
        new.dedup();
        // New prefixes of an old prefix.
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
                // Find each once. Otherwise a chain of prefixes would be searched for every prefix below it.
                for number in by_key.remove(&key).unwrap_or_default() {
                    is_again[number] = true;
                }
            }
        }
        let again = new.into_iter().zip(is_again);
        again.filter(|(_, is_again)| *is_again).map(|(new, _)| new)
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the map is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Maps `uri`. Returns None if no prefix matches.
    ///
    /// Cost: linear in the URI, whatever the number of entries. Allocates nothing if no prefix matches and the URI is
    /// normalized.
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

/// A set of prefixes that end at a boundary.
#[derive(Clone, Debug, Default)]
struct Index {
    keys: Vec<String>,
    /// The keys by hash. Keys with equal hashes share an entry.
    by_hash: HashMap<u64, SmallVec<[u32; 1]>>,
    /// A bit set of the lengths of keys. Other lengths are not looked up.
    lengths: Vec<u64>,
}

impl Index {
    /// Adds a new key, and returns its number.
    fn insert(&mut self, key: String) -> usize {
        let number = self.keys.len();
        let (word, bit) = (key.len() / 64, key.len() % 64);
        if self.lengths.len() <= word {
            self.lengths.resize(word + 1, 0);
        }
        self.lengths[word] |= 1 << bit;
        let hash = key.bytes().fold(HASH_START, hash);
        // Memory ends before this many keys.
        let stored = u32::try_from(number).unwrap_or(u32::MAX);
        self.by_hash.entry(hash).or_default().push(stored);
        self.keys.push(key);
        number
    }

    /// The number of exactly this key.
    fn get(&self, key: &str) -> Option<usize> {
        self.longest_prefix(key, |found| self.keys[found].len() == key.len())
    }

    /// The longest prefix of `text` among the keys that satisfy `is_meant`.
    fn longest_prefix(&self, text: &str, is_meant: impl Fn(usize) -> bool) -> Option<usize> {
        let candidates = self.candidates(text);
        let found = candidates.into_iter().rev();
        let mut found = found.map(|number| number as usize);
        found.find(|&number| text.starts_with(&self.keys[number]) && is_meant(number))
    }

    /// All keys that are prefixes of `text`, the shortest first. Keys are compared only if the hashes are equal.
    fn prefixes(&self, text: &str) -> Vec<usize> {
        let candidates = self.candidates(text).into_iter();
        let candidates = candidates.map(|number| number as usize);
        candidates
            .filter(|&number| text.starts_with(&self.keys[number]))
            .collect()
    }

    /// The keys with the hash and length of a prefix of `text` that ends at a boundary, the shortest first. Nearly always
    /// these are prefixes.
    fn candidates(&self, text: &str) -> SmallVec<[u32; 8]> {
        let mut found = SmallVec::new();
        if self.keys.is_empty() {
            return found;
        }
        let bytes = text.as_bytes();
        // There is no boundary between the slashes before an authority.
        let colon = memchr::memchr(b':', bytes).unwrap_or(bytes.len());
        let within_slashes = match bytes.get(colon..colon + 3) {
            Some(b"://") => colon + 2,
            _ => 0,
        };
        let mut as_map = HASH_START;
        // Skip the text beyond the longest key.
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

/// FNV-1a, an incremental hash: hashing all prefixes costs as much as hashing the whole text.
fn hash(as_map: u64, byte: u8) -> u64 {
    (as_map ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
}

const HASH_START: u64 = 0xCBF2_9CE4_8422_2325;

/// The key of a prefix: the normalized URI. An empty authority gets no path, so that `http://` is a prefix of all URIs
/// that begin so.
fn key_of(old: &str) -> Cow<'_, str> {
    let parts = Parts::split(old);
    let ends = parts.path.is_empty() && parts.query.is_none() && parts.fragment.is_none();
    if parts.authority == Some("") && ends {
        return Cow::Owned(old.to_ascii_lowercase());
    }
    let key = normal(old);
    // `file://localhost` is not a prefix of `file://h`.
    match lacks_root(old) && key.ends_with("//") {
        true => Cow::Owned(format!("{key}/")),
        false => key,
    }
}

/// The normalized URI, borrowed if it is recognizably normal.
fn normal(uri: &str) -> Cow<'_, str> {
    match is_plainly_normal(uri) {
        true => Cow::Borrowed(uri),
        false => Cow::Owned(normalize(uri, Equivalence::Scheme)),
    }
}

/// The rest of `uri` after the prefix that is the first `len` bytes of `key` when normalized. `old` is the prefix as
/// written. The rest keeps its spelling, unless dot segments are removed.
fn rest<'u>(uri: &'u str, key: &'u str, len: usize, old: &str) -> &'u str {
    let root = authority_end(key);
    // The key of `http://h` is `http://h/`, whose slash is not part of the prefix.
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
    // Except in dot segments, normalizing neither removes nor adds delimiters.
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

/// Returns true if a prefix ends after its authority, so that the next slash is not part of it.
fn lacks_root(old: &str) -> bool {
    let parts = Parts::split(old);
    parts.authority.is_some_and(|it| !it.is_empty())
        && parts.path.is_empty()
        && parts.query.is_none()
        && parts.fragment.is_none()
}

/// Joins `new` and the rest after `old`. A slash at the end of either is neither doubled nor lost.
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
    fn new_prefixes_that_are_mapped_again_are_reported() {
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
    fn only_another_fragment_replaces_a_fragment() {
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
    fn trailing_slashes_are_neither_doubled_nor_lost() {
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
    fn uris_are_compared_normalized_and_keep_their_spelling() {
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
        // A root without an authority is not a prefix of URIs with one.
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
