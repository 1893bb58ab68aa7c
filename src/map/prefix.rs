//! Maps from URI prefixes to URI prefixes.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

use crate::uri::Parts;

/// Which URI prefixes become which others.
///
/// A prefix ends on the boundary of a segment: `http://h/a` is one of `http://h/a`, `http://h/a/b`
/// and `http://h/a?q`, and not of `http://h/ab`. Scheme and host are compared without regard to
/// case, the rest byte by byte. The longest prefix wins.
#[derive(Clone, Debug, Default)]
pub struct PrefixMap {
    entries: HashMap<String, String>,
    /// The lengths of the prefixes: only these need to be looked up.
    lengths: BTreeSet<usize>,
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
    /// The same prefix is mapped already, to something else.
    Twice,
}

impl fmt::Display for PrefixMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSeparator => "no `=` between OLD and NEW",
            Self::OldNotAbsolute => "OLD is not an absolute URI",
            Self::NewNotAbsolute => "NEW is not an absolute URI",
            Self::Twice => "OLD is mapped already",
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
        let key = folded(old).into_owned();
        if self.entries.get(&key).is_some_and(|there| there != new) {
            return Err(PrefixMapError::Twice);
        }
        self.lengths.insert(key.len());
        self.entries.insert(key, new.to_owned());
        Ok(())
    }

    /// Each new prefix under which something is mapped again: mapping a second time changes more.
    pub fn mapped_again(&self) -> impl Iterator<Item = &str> {
        let is_mapped = |new: &&str| {
            let folded = folded(new);
            let below = |old: &String| *old != *folded && is_prefix(&folded, old);
            self.get(new).is_some_and(|again| again != **new) || self.entries.keys().any(below)
        };
        let mut found: Vec<&str> = self.entries.values().map(String::as_str).collect();
        found.sort_unstable();
        found.dedup();
        found
            .into_iter()
            .filter(is_mapped)
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What `uri` becomes, if one of the prefixes is its own. Costs one look-up for each different
    /// length of a prefix, however many there are.
    pub fn get(&self, uri: &str) -> Option<String> {
        let key = folded(uri);
        self.lengths.range(..=key.len()).rev().find_map(|&len| {
            let old = key.get(..len).filter(|old| is_prefix(old, &key))?;
            let new = self.entries.get(old)?;
            Some(join(old, new, &uri[len..]))
        })
    }
}

/// Whether `prefix` is one of `uri` and ends on the boundary of a segment in it.
fn is_prefix(prefix: &str, uri: &str) -> bool {
    uri.strip_prefix(prefix).is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(['/', '?', '#']) || prefix.ends_with('/')
    })
}

/// `new` and what followed `old`. A slash at the end of one of them is neither doubled nor lost.
fn join(old: &str, new: &str, rest: &str) -> String {
    if new.ends_with('/') && rest.starts_with('/') {
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

/// The URI with its scheme and host in lower case (RFC 3986, section 6.2.2.1). As long as before.
fn folded(uri: &str) -> Cow<'_, str> {
    let parts = Parts::split(uri);
    let scheme = parts.scheme.map_or(0, |scheme| scheme.len() + 1);
    let authority = parts.authority.map_or("", |authority| authority);
    let host_start = if parts.authority.is_some() {
        scheme + 2 + authority.rfind('@').map_or(0, |at| at + 1)
    } else {
        scheme
    };
    let host_end = if parts.authority.is_some() {
        scheme + 2 + authority.len()
    } else {
        scheme
    };
    let has_upper = |text: &str| text.bytes().any(|byte| byte.is_ascii_uppercase());
    if !has_upper(&uri[..scheme]) && !has_upper(&uri[host_start..host_end]) {
        return Cow::Borrowed(uri);
    }
    let mut folded = uri.to_owned();
    folded[..scheme].make_ascii_lowercase();
    folded[host_start..host_end].make_ascii_lowercase();
    Cow::Owned(folded)
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
        assert_eq!(get("http://o"), None);
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
}
