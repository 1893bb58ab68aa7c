//! The documents whose links a run did not read.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::format::UnreadKind;
use crate::fs::GitIgnore;

/// The documents whose links a run did not read or cannot rewrite, by kind. Their relative
/// references may be broken.
///
/// Files of kinds without links do not count: images, video, audio, fonts, programs. In JSON an
/// object: `{".docx":2}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnreadDocuments(
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, usize>"))]
    BTreeMap<UnreadKind, usize>,
);

impl UnreadDocuments {
    /// Counts a document.
    pub(crate) fn add(&mut self, kind: UnreadKind) {
        *self.0.entry(kind).or_default() += 1;
    }

    /// Counts the files and directories that a walk left out, since git ignores them.
    pub(crate) fn add_ignored(&mut self, walk: &GitIgnore) {
        if let skipped @ 1.. = walk.skipped() {
            self.0.insert(UnreadKind::GitIgnored, skipped);
        }
    }

    /// Returns true without any document.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kinds with their numbers, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (UnreadKind, usize)> {
        self.0.iter().map(|(kind, count)| (*kind, *count))
    }

    /// A message such as `2 .docx files, 1 .pdf file: links not read; 1 gzip file: not rewritten`.
    /// `None` without any document.
    pub fn message(&self) -> Option<String> {
        let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
        for (kind, count) in self.iter() {
            let (noun, nouns, what) = match kind {
                UnreadKind::Text(_) => ("file", "files", "relative links not read"),
                UnreadKind::NotRewritten(_) => ("file", "files", "not rewritten"),
                UnreadKind::GitIgnored => ("path", "paths", "not read"),
                UnreadKind::UnreadableDirectory => ("directory", "directories", "links not read"),
                UnreadKind::Part(_) => ("part", "parts", "links not read"),
                UnreadKind::TextUrls(_) | UnreadKind::PageText(_) => {
                    ("file", "files", "URLs in text not read")
                }
                UnreadKind::Called(_) => ("file", "files", "read as text, as the name says"),
                UnreadKind::Vocabulary => (
                    "file of another vocabulary", "files of other vocabularies",
                    "relative links not read",
                ),
                _ => ("file", "files", "links not read"),
            };
            let name = match kind {
                UnreadKind::UnreadableDirectory => UnreadKind::Unreadable.as_str(),
                UnreadKind::Vocabulary => "XML",
                _ => kind.as_str(),
            };
            let noun = if count == 1 { noun } else { nouns };
            let text = format!("{count} {name} {noun}");
            match groups.iter_mut().find(|(it, _)| *it == what) {
                Some((_, texts)) => texts.push(text),
                None => groups.push((what, vec![text])),
            }
        }
        let groups = groups.iter().map(|(what, texts)| format!("{}: {what}", texts.join(", ")));
        let groups: Vec<String> = groups.collect();
        (!groups.is_empty()).then(|| groups.join("; "))
    }
}

impl serde::Serialize for UnreadDocuments {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A part of a message may have the name of a kind of file.
        let mut names = BTreeMap::<&str, usize>::new();
        for (kind, count) in self.iter() {
            *names.entry(kind.as_str()).or_default() += count;
        }
        names.serialize(serializer)
    }
}

impl AddAssign for UnreadDocuments {
    fn add_assign(&mut self, other: Self) {
        for (kind, count) in other.0 {
            *self.0.entry(kind).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_groups_kinds_by_what_is_missing() {
        let mut unread = UnreadDocuments::default();
        assert_eq!(unread.message(), None);
        for kind in [
            UnreadKind::NotRewritten("gzip"),
            UnreadKind::Text(".rst"),
            UnreadKind::Document(".docx"),
            UnreadKind::UnreadableDirectory,
            UnreadKind::Document(".docx"),
            UnreadKind::Unreadable,
        ] {
            unread.add(kind);
        }
        let message = "2 .docx files, 1 unreadable file, 1 unreadable directory: links not read; \
                       1 .rst file: relative links not read; 1 gzip file: not rewritten";
        assert_eq!(unread.message().as_deref(), Some(message));
    }
}
