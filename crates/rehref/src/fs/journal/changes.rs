//! The changes of a file in a plan.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::values::{Borrowed, Text};

/// A change: its offset, the old bytes and the new bytes.
pub(super) type Change<'c> = (u64, &'c [u8], &'c [u8]);

/// The changes of a file, in the order of its old content, disjoint. They share a buffer, since a
/// page may have a link for every few bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The offset of each change in the old content, and the lengths of its old and its new bytes.
    stored: Vec<(u64, u32, u32)>,
    /// The old and the new bytes of each.
    bytes: Vec<u8>,
}

impl Changes {
    /// The number of changes.
    pub(super) fn len(&self) -> usize {
        self.stored.len()
    }

    /// The changes.
    pub(super) fn iter(&self) -> impl Iterator<Item = Change<'_>> + Clone {
        let mut rest = &*self.bytes;
        self.stored.iter().map(move |&(at, old_len, new_len)| {
            let (old, after) = rest.split_at(old_len as usize);
            let (new, after) = after.split_at(new_len as usize);
            rest = after;
            (at, old, new)
        })
    }

    /// The changes; or those that undo them, with their offsets in the new content.
    pub(super) fn directed(&self, undoing: bool) -> impl Iterator<Item = Change<'_>> + Clone {
        let mut grown = 0_i128;
        self.iter().map(move |(at, old, new)| match undoing {
            false => (at, old, new),
            true => {
                let there = u64::try_from(i128::from(at) + grown).unwrap_or(u64::MAX);
                grown += new.len() as i128 - old.len() as i128;
                (there, new, old)
            }
        })
    }

    /// Adds a change after the others. Returns false if it is too long: a document has at most 1
    /// GiB.
    fn push(&mut self, (at, old, new): Change<'_>) -> bool {
        let (Ok(old_len), Ok(new_len)) = (u32::try_from(old.len()), u32::try_from(new.len()))
        else {
            return false;
        };
        self.stored.push((at, old_len, new_len));
        self.bytes.extend_from_slice(old);
        self.bytes.extend_from_slice(new);
        true
    }
}

/// The ranges of a content that changes replace, each with its new bytes. `None` if the old bytes
/// do not match.
pub(super) fn ranges<'c>(
    content: &[u8],
    changes: impl Iterator<Item = Change<'c>> + Clone,
) -> Option<impl Iterator<Item = (Range<usize>, &'c [u8])> + Clone> {
    let range = |(at, old, new): Change<'c>| {
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        (start..start.saturating_add(old.len()), new)
    };
    let mut end = 0;
    for change in changes.clone() {
        let (range, _) = range(change);
        if range.start < end || content.get(range.clone())? != change.1 {
            return None;
        }
        end = range.end;
    }
    Some(changes.map(range))
}

impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let changes = self.iter();
        serializer.collect_seq(changes.map(|(at, old, new)| (at, Borrowed(old), Borrowed(new))))
    }
}

impl<'de> Deserialize<'de> for Changes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Stored;

        impl<'de> Visitor<'de> for Stored {
            type Value = Changes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("changes")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Changes, A::Error> {
                let mut changes = Changes::default();
                while let Some((at, old, new)) = seq.next_element::<(u64, Text, Text)>()? {
                    if !changes.push((at, &old.0, &new.0)) {
                        return Err(A::Error::custom("a change that is too long"));
                    }
                }
                Ok(changes)
            }
        }

        deserializer.deserialize_seq(Stored)
    }
}

impl<'c> FromIterator<Change<'c>> for Changes {
    fn from_iter<I: IntoIterator<Item = Change<'c>>>(changes: I) -> Self {
        let mut all = Self::default();
        let are_short = changes.into_iter().all(|change| all.push(change));
        debug_assert!(are_short, "a document has at most 1 GiB");
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::pieces::pieces;

    fn changed(content: &[u8], changes: &Changes, undoing: bool) -> Option<Vec<u8>> {
        let ranges = ranges(content, changes.directed(undoing))?;
        Some(pieces(content, ranges).collect::<Vec<_>>().concat())
    }

    #[test]
    fn changes_are_made_and_undone() {
        let changes: [Change<'_>; 3] = [(0, b"a", b"xyz"), (2, b"cd", b""), (5, b"", b"!")];
        let changes: Changes = changes.into_iter().collect();
        assert_eq!(changes.len(), 3);
        let new = changed(b"abcdef", &changes, false).unwrap();
        assert_eq!(new, b"xyzbe!f");
        assert_eq!(changed(&new, &changes, true).unwrap(), b"abcdef");
        let json = serde_json::to_string(&changes).unwrap();
        assert_eq!(json, r#"[[0,"a","xyz"],[2,"cd",""],[5,"","!"]]"#);
        assert_eq!(serde_json::from_str::<Changes>(&json).unwrap(), changes);
    }

    #[test]
    fn changes_of_another_content_are_not_made() {
        let of = |content: &[u8], changes: &[Change<'_>]| {
            changed(content, &changes.iter().copied().collect(), false)
        };
        assert_eq!(of(b"ab", &[(1, b"x", b"")]), None);
        assert_eq!(of(b"ab", &[(3, b"", b"x")]), None);
        assert_eq!(of(b"ab", &[(u64::MAX, b"b", b"x")]), None);
        assert_eq!(of(b"ab", &[(1, b"b", b"x"), (0, b"a", b"y")]), None);
        assert_eq!(of(b"ab", &[]), Some(b"ab".to_vec()));
    }
}
