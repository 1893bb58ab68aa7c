//! Maps from URI prefixes to URI prefixes.

use std::borrow::Cow;
use std::collections::HashMap;

use smallvec::SmallVec;

use super::map_entry::{PrefixMapError, Side, active_scheme, split_entry};
use crate::link::WindowsPath;
use crate::uri::{
    Domain, Equivalence, Parts, default_port, has_dot_segments, is_plainly_normal, normalize,
};

/// A map of URI prefixes. The longest matching prefix wins.
///
/// A prefix ends at a segment boundary: `http://h/a` matches `http://h/a`, `http://h/a/b` and
/// `http://h/a?q`, but not `http://h/ab`. URIs are compared as normalized by
/// [`Equivalence::Scheme`], and hosts as [domains](Domain). The rest of the URI keeps its spelling,
/// but loses dot segments if the URI has any. A map of a scheme, such as `http:` to `https:`,
/// removes an explicit default port of the old scheme.
///
/// Scheme, user and port are part of a prefix: `https://h/` does not match `http://h/`. A host
/// without a scheme, which a port and a path may follow, is a prefix of URLs of http and https:
/// `old.example/docs`. If the new prefix has no scheme, that of the URL stays. An entry with a
/// scheme wins over one without for the same prefix.
///
/// Either side may be a path of Windows, `\\\\server\share\a` or `P:\a`. Servers and drives match in any
/// case of ASCII letters, and so do the paths on them. The new reference keeps the spelling of the
/// old one, unless its scheme changes.
///
/// A reference such as `//h/a` has no scheme. In a document without a URL, entries for http and
/// https match it.
///
/// An entry whose new URI has a fragment matches only its exact old URI, since nothing can follow a
/// fragment. A fragment of the mapped URI replaces that of the new one. Longer URIs are mapped by
/// shorter prefixes, if any match. If the new URI has a query, the rest is appended to it, as for
/// `http://proxy/?url=`.
///
/// ```
/// use rehref_document::rewrite::PrefixMap;
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
/// # Ok::<(), rehref_document::rewrite::PrefixMapError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PrefixMap {
    /// The entries of each key.
    entries: Vec<Entry>,
    old: Index,
}

/// The replacements for the URIs that begin with a key.
#[derive(Clone, Debug, Default)]
struct Entry {
    prefix: Option<Replacement>,
    /// Only for the old URI itself, with any fragment.
    exact: Option<Replacement>,
}

/// A prefix and its replacement.
#[derive(Clone, Debug)]
struct Replacement {
    /// The prefix as written, with a scheme.
    old: String,
    new: String,
    /// True if the prefix was written without a scheme.
    is_any_scheme: bool,
    /// True if a URI keeps its scheme.
    keeps_scheme: bool,
    /// True for an entry of a report.
    is_of_report: bool,
}

impl Entry {
    /// The replacement for a URI that is the old one or below it.
    fn replacement(&self, is_whole: bool) -> Option<&Replacement> {
        let exact = self.exact.as_ref().filter(|_| is_whole);
        exact.or(self.prefix.as_ref())
    }
}

impl PrefixMap {
    /// Adds an entry written `OLD=NEW`. The first `=` that a URL follows ends OLD, or else the
    /// first that a host follows. A `=` in the query of OLD does so only if it is the only one.
    ///
    /// # Errors
    /// Those of [`PrefixMap::insert`], and [`PrefixMapError::NoSeparator`] and
    /// [`PrefixMapError::Ambiguous`].
    pub fn insert_entry(&mut self, entry: &str) -> Result<(), PrefixMapError> {
        let (old, new) = split_entry(entry)?;
        self.insert(old, new)
    }

    /// Maps the prefix `old` to `new`, for an entry of a file, whose author may be unknown. Unlike
    /// [`PrefixMap::insert`], it maps no URL to one of the schemes `javascript`, `vbscript` and
    /// `data`.
    ///
    /// # Errors
    /// Those of [`PrefixMap::insert`], and [`PrefixMapError::ActiveScheme`].
    pub fn insert_of_file(&mut self, old: &str, new: &str) -> Result<(), PrefixMapError> {
        // A new side without a scheme keeps the old one.
        let keeps_scheme = !matches!(Side::of(new), Some(Side::Url(_)));
        let scheme = active_scheme(new).or_else(|| active_scheme(old).filter(|_| keeps_scheme));
        match scheme {
            Some(scheme) => Err(PrefixMapError::ActiveScheme(scheme)),
            None => self.insert(old, new),
        }
    }

    /// Maps the prefix `old` to `new`.
    ///
    /// # Errors
    /// If one of them is neither absolute nor a host, or `old` is already mapped to another URI.
    pub fn insert(&mut self, old: &str, new: &str) -> Result<(), PrefixMapError> {
        let as_uri = |side| WindowsPath::of_map(side).map(WindowsPath::uri);
        let (old_path, new_path) = (as_uri(old), as_uri(new));
        let (old, new) = (old_path.as_deref().unwrap_or(old), new_path.as_deref().unwrap_or(new));
        let side = Side::of(old).ok_or(PrefixMapError::OldNotAbsolute)?;
        if let Some(name) = side.file_name() {
            return Err(PrefixMapError::FileName(name.to_owned()));
        }
        let new = Side::of(new).ok_or(PrefixMapError::NewNotAbsolute)?;
        match side {
            Side::Url(old) => self.insert_url(old, new, false),
            Side::Host(host) => {
                for scheme in ["http", "https"] {
                    self.insert_url(&format!("{scheme}://{host}"), new, true)?;
                }
                Ok(())
            }
        }
    }

    fn insert_url(
        &mut self,
        old: &str,
        new: Side<'_>,
        is_any_scheme: bool,
    ) -> Result<(), PrefixMapError> {
        let Parts { scheme, authority, .. } = Parts::split(old);
        let scheme = scheme.unwrap_or_default();
        let (new, keeps_scheme) = match new {
            Side::Url(new) => {
                let same = Parts::split(new).scheme;
                let is_same = same.is_some_and(|it| it.eq_ignore_ascii_case(scheme));
                (new.to_owned(), is_same && !is_any_scheme)
            }
            Side::Host(_) if authority.is_none() => return Err(PrefixMapError::NewNotAbsolute),
            Side::Host(host) => (format!("{scheme}://{host}"), true),
        };
        // Nothing can follow a fragment.
        let is_exact = new.contains('#');
        let replacement = Replacement {
            old: old.to_owned(),
            new,
            is_any_scheme,
            keeps_scheme,
            is_of_report: false,
        };
        self.insert_replacement(replacement, is_exact)
    }

    /// Maps the URI `old` to `new`, both absolute, for an entry of a report, whose author may be
    /// unknown. Longer URIs are not mapped. A fragment of the mapped URI replaces that of `new`,
    /// unless `old` has one too.
    ///
    /// In text, which may be a script, a `new` with an `&` does not replace a URI without one: a
    /// shell would read a command after it.
    ///
    /// # Errors
    /// If one of them is not absolute, or `old` is already mapped to another URI.
    pub fn insert_exact(&mut self, old: &str, new: &str) -> Result<(), PrefixMapError> {
        let is_absolute = |uri| Parts::split(uri).scheme.is_some();
        match (is_absolute(old), is_absolute(new)) {
            (false, _) => Err(PrefixMapError::OldNotAbsolute),
            (_, false) => Err(PrefixMapError::NewNotAbsolute),
            (true, true) => {
                let replacement = Replacement {
                    old: old.to_owned(),
                    new: new.to_owned(),
                    is_any_scheme: false,
                    keeps_scheme: false,
                    is_of_report: true,
                };
                self.insert_replacement(replacement, true)
            }
        }
    }

    fn insert_replacement(
        &mut self,
        replacement: Replacement,
        is_exact: bool,
    ) -> Result<(), PrefixMapError> {
        let key = key_of(&replacement.old);
        let number = match self.old.get(&key) {
            Some(number) => number,
            None => {
                self.entries.push(Entry::default());
                self.old.insert(key.into_owned())
            }
        };
        let entry = &mut self.entries[number];
        let there = match is_exact {
            true => &mut entry.exact,
            false => &mut entry.prefix,
        };
        match there {
            Some(there) if there.is_any_scheme == replacement.is_any_scheme => {
                return match there.new == replacement.new {
                    true => Ok(()),
                    false => Err(PrefixMapError::Duplicate),
                };
            }
            // An entry with a scheme is more specific.
            Some(_) if replacement.is_any_scheme => {}
            _ => *there = Some(replacement),
        }
        Ok(())
    }

    /// Returns each new prefix under which URIs are mapped again, so that a second run changes
    /// more. Linear in the entries.
    pub fn mapped_again(&self) -> impl Iterator<Item = &str> {
        // One of the two replacements for a host is enough.
        let is_twin =
            |it: &Replacement| it.is_any_scheme && it.keeps_scheme && it.old.starts_with("https:");
        // Each with false if longer URIs are mapped too.
        let mut new: Vec<(&str, bool)> = Vec::new();
        for Entry { prefix, exact } in &self.entries {
            let prefix = prefix.iter().filter(|it| !is_twin(it));
            new.extend(prefix.map(|it| (&*it.new, false)));
            let exact = exact.iter().filter(|it| !is_twin(it));
            new.extend(exact.map(|it| (&*it.new, true)));
        }
        new.sort_unstable();
        new.dedup_by_key(|(new, _)| *new);
        // New prefixes of an old prefix.
        let mut keys = Index::default();
        let mut by_key: HashMap<usize, Vec<usize>> = HashMap::new();
        let prefixes = new.iter().enumerate().filter(|(_, (_, is_exact))| !is_exact);
        for (number, (uri, _)) in prefixes {
            let key = key_of(uri);
            let at = keys.get(&key).unwrap_or_else(|| keys.insert(key.into_owned()));
            by_key.entry(at).or_default().push(number);
        }
        let mut is_again: Vec<bool> =
            new.iter().map(|(new, _)| self.get(new).is_some_and(|again| again != **new)).collect();
        for old in &self.old.keys {
            let above = keys.prefixes(old).into_iter();
            for key in above.filter(|&key| keys.keys[key].len() < old.len()) {
                // Find each once. Otherwise a chain of prefixes would be searched for every prefix
                // below it.
                for number in by_key.remove(&key).unwrap_or_default() {
                    is_again[number] = true;
                }
            }
        }
        let again = new.into_iter().zip(is_again);
        again.filter(|(_, is_again)| *is_again).map(|((new, _), _)| new)
    }

    /// The number of prefixes and URIs that are mapped. A host without a scheme is two.
    pub fn len(&self) -> usize {
        let entries = self.entries.iter();
        entries.map(|it| it.prefix.iter().count() + it.exact.iter().count()).sum()
    }

    /// Returns true if the map is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Maps `uri`. Returns None if no prefix matches.
    ///
    /// Cost: linear in the URI, whatever the number of entries. Allocates nothing if no prefix
    /// matches and the URI is normalized.
    pub fn get(&self, uri: &str) -> Option<String> {
        let key = normal(uri);
        let found = self.find(&key)?;
        Some(found.replace(uri, &key))
    }

    /// Returns true if an entry of a report adds an `&` to this URI.
    pub(super) fn divides(&self, uri: &str) -> bool {
        let found = self.find(&normal(uri));
        let is_dividing = |it: &Replacement| it.is_of_report && it.new.contains('&');
        !uri.contains('&') && found.is_some_and(|it| is_dividing(it.replacement))
    }

    /// Returns true if an entry has exactly this URI, or this URI without its fragment.
    pub(super) fn has_exactly(&self, uri: &str) -> bool {
        let key = normal(uri);
        let end = key.find('#').unwrap_or(key.len());
        self.find(&key).is_some_and(|found| found.len >= end)
    }

    /// Maps a reference that begins with `//`, in a document whose scheme is unknown: by the
    /// longest prefix of http or https. The new reference has no scheme if the entry does not
    /// change it.
    pub(super) fn get_without_scheme(&self, reference: &str) -> Option<String> {
        let uris = ["https", "http"].map(|scheme| format!("{scheme}:{reference}"));
        let [https, http] = uris.each_ref().map(|uri| {
            let key = normal(uri);
            let found = self.find(&key)?;
            let colon = uri.find(':')?;
            let rank = (found.len - colon, !found.replacement.is_any_scheme);
            Some((rank, colon, found.replacement.keeps_scheme, found.replace(uri, &key)))
        });
        let (_, colon, keeps_scheme, new) = match (https, http) {
            (Some(https), Some(http)) if http.0 > https.0 => http,
            (https, http) => https.or(http)?,
        };
        Some(match keeps_scheme {
            true => new[colon + 1..].to_owned(),
            false => new,
        })
    }

    /// The replacement for a normalized URI.
    fn find(&self, key: &str) -> Option<Match<'_>> {
        let replacement = |found: usize| {
            let follows = &key[self.old.keys[found].len()..];
            let is_whole = follows.is_empty() || follows.starts_with('#');
            self.entries[found].replacement(is_whole)
        };
        let found = without_case(Cow::Borrowed(key));
        let found = self.old.longest_prefix(&found, |found| replacement(found).is_some())?;
        let entry = &self.entries[found];
        let replacement = replacement(found)?;
        Some(Match {
            replacement,
            len: self.old.keys[found].len(),
            is_exact: entry.exact.as_ref().is_some_and(|it| std::ptr::eq(it, replacement)),
        })
    }
}

/// The replacement for a URI.
struct Match<'m> {
    replacement: &'m Replacement,
    /// The length of the prefix of the normalized URI.
    len: usize,
    is_exact: bool,
}

impl Match<'_> {
    /// Maps the matched URI, whose normalized form is `key`.
    fn replace(&self, uri: &str, key: &str) -> String {
        let Replacement { old, new, .. } = self.replacement;
        let len = self.len;
        if self.is_exact {
            return match uri.find('#').filter(|_| len < key.len()) {
                Some(fragment) => {
                    let end = new.find('#').unwrap_or(new.len());
                    format!("{}{}", &new[..end], &uri[fragment..])
                }
                None => new.clone(),
            };
        }
        let rest = rest(uri, key, len, old);
        let old = if lacks_root(old) { old } else { &key[..len] };
        let scheme = Parts::split(key).scheme;
        let rest =
            match scheme.filter(|_| len < authority_end(key) && !self.replacement.keeps_scheme) {
                Some(scheme) => without_default_port(scheme, rest),
                None => rest.into(),
            };
        join(old, new, &rest)
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

    /// All keys that are prefixes of `text`, the shortest first. Keys are compared only if the
    /// hashes are equal.
    fn prefixes(&self, text: &str) -> Vec<usize> {
        let candidates = self.candidates(text).into_iter();
        let candidates = candidates.map(|number| number as usize);
        candidates.filter(|&number| text.starts_with(&self.keys[number])).collect()
    }

    /// The keys with the hash and length of a prefix of `text` that ends at a boundary, the
    /// shortest first. Nearly always these are prefixes.
    fn candidates(&self, text: &str) -> SmallVec<[u32; 8]> {
        let mut found = SmallVec::new();
        if self.keys.is_empty() {
            return found;
        }
        let bytes = text.as_bytes();
        // The position between the slashes before an authority is not a boundary.
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
                || bytes.get(end).is_none_or(|it| matches!(it, b'/' | b'?' | b'#'));
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

/// The key of a prefix: the normalized URI. An empty authority gets no path, so that `http://` is a
/// prefix of all URIs that begin so.
fn key_of(old: &str) -> Cow<'_, str> {
    let parts = Parts::split(old);
    let ends = parts.path.is_empty() && parts.query.is_none() && parts.fragment.is_none();
    if parts.authority == Some("") && ends {
        return Cow::Owned(old.to_ascii_lowercase());
    }
    let key = without_case(normal(old));
    // `file://localhost` is not a prefix of `file://h`.
    match lacks_root(old) && key.ends_with("//") {
        true => Cow::Owned(format!("{key}/")),
        false => key,
    }
}

/// The key of a file of Windows, on a server or a drive, whose case does not count.
fn without_case(key: Cow<'_, str>) -> Cow<'_, str> {
    let is_of_windows = key.strip_prefix("file://").is_some_and(|it| match it.as_bytes() {
        [b'/', drive, b':', ..] => drive.is_ascii_alphabetic(),
        [b'/', ..] | [] => false,
        _ => true,
    });
    match is_of_windows {
        true => Cow::Owned(key.to_ascii_lowercase()),
        false => key,
    }
}

/// The normalized URI, with its domain in ASCII. Borrowed if it is recognizably normal.
fn normal(uri: &str) -> Cow<'_, str> {
    let normal = match is_plainly_normal(uri) {
        true => Cow::Borrowed(uri),
        false => Cow::Owned(normalize(uri, Equivalence::Scheme)),
    };
    with_ascii_domain(&normal).map_or(normal, Cow::Owned)
}

/// The URI with its domain in ASCII. `None` if it is so already.
fn with_ascii_domain(uri: &str) -> Option<String> {
    // Most URIs: a search is faster than to split.
    if uri.is_ascii() && memchr::memchr(b'%', uri.as_bytes()).is_none() {
        return None;
    }
    let parts = Parts::split(uri);
    let (authority, host) = parts.authority.zip(parts.host())?;
    if host.is_ascii() && !host.contains('%') {
        return None;
    }
    let domain = Domain::of(host)?;
    let user = authority.rfind('@').map_or(0, |at| at + 1);
    let (before, after) = uri.split_at(authority_end(uri) - authority.len() + user);
    Some(format!("{before}{}{}", domain.ascii, &after[host.len()..]))
}

/// The rest of `uri` after the prefix that is the first `len` bytes of `key` when normalized. `old`
/// is the prefix as written. The rest keeps its spelling, unless dot segments are removed.
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
    let mut places = uri.bytes().enumerate().filter(|(_, byte)| is_delimiter(*byte));
    let at = match (key.as_bytes().get(len.wrapping_sub(1)), delimiters.checked_sub(1)) {
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

/// The end of the authority of a URI.
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

/// The rest of a URI after its scheme, without a port that is the default of this scheme: under
/// another scheme it would be a wrong one.
fn without_default_port<'r>(scheme: &str, rest: &'r str) -> Cow<'r, str> {
    let start = if rest.starts_with("//") { "//".len() } else { 0 };
    let end = rest[start..].find(['/', '?', '#']).map_or(rest.len(), |at| start + at);
    let (before, after) = rest.split_at(end);
    let port = default_port(scheme).map(|port| format!(":{port}"));
    match port.and_then(|port| before.strip_suffix(&*port)) {
        Some(before) => Cow::Owned(format!("{before}{after}")),
        None => Cow::Borrowed(rest),
    }
}

/// Joins `new` and the rest after `old`. A slash at the end of either is neither doubled nor lost.
fn join(old: &str, new: &str, rest: &str) -> String {
    if new.ends_with('/') && rest.starts_with('/') && !old.ends_with('/') {
        return format!("{new}{}", &rest[1..]);
    }
    let is_under = old.ends_with('/') && !rest.is_empty() && !rest.starts_with(['?', '#']);
    let separator = if is_under && !new.ends_with('/') { "/" } else { "" };
    format!("{new}{separator}{rest}")
}

#[cfg(test)]
mod tests;
