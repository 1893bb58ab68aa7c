//! The edits of a document.

use std::borrow::Cow;
use std::fmt;

use super::output_bases::BaseElements;
use crate::bytes::Span;
use crate::format::written::Written;
use crate::link::LinkId;

/// One replacement in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'e> {
    /// The replaced bytes.
    pub span: Span,
    /// The new bytes, in the document's charset and escaped for their place.
    pub new: &'e [u8],
    /// The new reference, before escaping. Characters that its place or the charset cannot hold are
    /// percent-encoded.
    pub reference: &'e str,
    /// The new target of the link. The reference if the base is unknown.
    pub new_uri: &'e str,
    /// The changed link.
    pub link: LinkId,
    /// The rule that made the edit.
    pub rule: &'static str,
    /// True if the edit removes the link with its attribute or element or, with the rule
    /// [`INTEGRITY`](Self::INTEGRITY), the attribute next to it. Then the reference and the URI are
    /// empty.
    pub removes: bool,
}

impl Edit<'_> {
    /// The name of the rule that removes `integrity` attributes.
    pub const INTEGRITY: &'static str = "integrity";

    /// The name of the rule that removes `crossorigin` attributes.
    pub const CROSSORIGIN: &'static str = "crossorigin";

    /// The name of the rule that updates references after moves of files.
    pub const MOVE: &'static str = "move";

    /// The name of the rule that removes parameters.
    pub const DROP_PARAMS: &'static str = "drop-param";

    /// The name of the rule that removes the extension of pages.
    pub const CLEAN_URLS: &'static str = "clean-urls";

    /// The name of the rule that adds a prefix to paths.
    pub const PATH_PREFIX: &'static str = "path-prefix";

    /// The name of the rule of a function.
    pub const FUNCTION: &'static str = "function";

    /// The names of rules in records.
    pub const RULES: &'static [&'static str] = &[
        "absolute",
        "relative",
        "root-relative",
        "map",
        "map-re",
        "mirror",
        Self::DROP_PARAMS,
        Self::CLEAN_URLS,
        Self::PATH_PREFIX,
        BaseElements::RULE,
        Self::INTEGRITY,
        Self::CROSSORIGIN,
        Self::MOVE,
        Self::FUNCTION,
    ];

    /// Returns true if only an attribute next to the link is removed.
    pub fn is_beside(&self) -> bool {
        self.removes && Self::removes_beside(self.rule)
    }

    /// Returns true for the rules that remove an attribute next to a link.
    fn removes_beside(rule: &str) -> bool {
        rule == Self::INTEGRITY || rule == Self::CROSSORIGIN
    }
}

/// The edits of a document, disjoint and in document order. They share buffers.
#[derive(Clone, Default)]
pub struct Edits {
    stored: Vec<Stored>,
    /// The references and new URIs.
    text: String,
    /// The new bytes that differ from the reference.
    bytes: Vec<u8>,
    /// The new bytes by link, with no spelling of the source kept. Only for edits that keep some.
    plain: Vec<(LinkId, Span)>,
}

/// An edit, with positions in the shared buffers.
#[derive(Clone, Copy)]
struct Stored {
    span: Span,
    new: New,
    reference: Span,
    new_uri: Span,
    link: LinkId,
    rule: &'static str,
    removes: bool,
}

/// The new bytes of an edit.
#[derive(Clone, Copy)]
enum New {
    /// The bytes of the reference.
    Reference,
    Bytes(Span),
}

impl Edits {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self { stored: Vec::with_capacity(count), ..Self::default() }
    }

    /// The number of edits.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// Edit number `number`, counted from 0.
    pub fn get(&self, number: usize) -> Option<Edit<'_>> {
        self.stored.get(number).map(|stored| self.edit(stored))
    }

    /// Iterates over the edits, in document order.
    pub fn iter(&self) -> Iter<'_> {
        Iter { edits: self, stored: self.stored.iter() }
    }

    fn edit(&self, stored: &Stored) -> Edit<'_> {
        Edit {
            span: stored.span,
            new: self.new_bytes(stored),
            reference: &self.text[stored.reference.range()],
            new_uri: &self.text[stored.new_uri.range()],
            link: stored.link,
            rule: stored.rule,
            removes: stored.removes,
        }
    }

    fn new_bytes(&self, stored: &Stored) -> &[u8] {
        match stored.new {
            New::Reference => self.text[stored.reference.range()].as_bytes(),
            New::Bytes(span) => &self.bytes[span.range()],
        }
    }

    /// Adds the edit that writes `written` for `reference`, whose target is `uri`. If `written`
    /// spells another reference, `resolve` returns its target.
    pub(super) fn push(
        &mut self,
        link: LinkId,
        rule: &'static str,
        written: &Written<'_>,
        reference: &str,
        uri: Cow<'_, str>,
        resolve: impl FnOnce(&str) -> Option<String>,
    ) {
        let (reference, uri) = match &written.reference {
            Some(other) if **other != *reference => {
                let other = &**other;
                let is_unresolved = uri == reference;
                let found = resolve(other).map(Cow::Owned);
                (other, found.unwrap_or(if is_unresolved { other.into() } else { uri }))
            }
            _ => (reference, uri),
        };
        let reference_span = self.append(reference);
        // Comparing long equal references costs as much as copying one.
        let new_uri = match std::ptr::eq(&*uri, reference) || uri == reference {
            true => reference_span,
            false => self.append(&uri),
        };
        let new = match written.reference {
            None => New::Reference,
            Some(_) => New::Bytes(self.append_bytes(&written.new)),
        };
        if let Some(plain) = &written.plain {
            let plain = self.append_bytes(plain);
            self.plain.push((link, plain));
        }
        self.stored.push(Stored {
            span: written.span,
            new,
            reference: reference_span,
            new_uri,
            link,
            rule,
            removes: false,
        });
    }

    /// Adds the edit that removes these bytes: a link, or its `integrity` attribute.
    pub(super) fn push_removal(&mut self, link: LinkId, rule: &'static str, span: Span) {
        let nothing = Span::new(self.text.len(), self.text.len());
        self.stored.push(Stored {
            span,
            new: New::Reference,
            reference: nothing,
            new_uri: nothing,
            link,
            rule,
            removes: true,
        });
    }

    /// The edits that remove links or attributes.
    pub(super) fn removals(&self) -> Self {
        let mut removals = self.clone();
        removals.stored.retain(|stored| stored.removes);
        removals
    }

    /// Sorts the edits into document order.
    pub(super) fn sort(&mut self) {
        self.stored.sort_by_key(|stored| stored.span.start);
    }

    fn append_bytes(&mut self, bytes: &[u8]) -> Span {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        Span::new(start, self.bytes.len())
    }

    fn append(&mut self, text: &str) -> Span {
        let start = self.text.len();
        self.text.push_str(text);
        Span::new(start, self.text.len())
    }

    /// Removes the kept spelling from the edits whose number satisfies `is_wrong`. Returns true if
    /// one had any.
    pub(super) fn write_plainly(&mut self, is_wrong: impl Fn(usize) -> bool) -> bool {
        let mut any = false;
        for (number, stored) in self.stored.iter_mut().enumerate() {
            if is_wrong(number)
                && let Ok(at) = self.plain.binary_search_by_key(&stored.link, |it| it.0)
            {
                stored.new = New::Bytes(self.plain.remove(at).1);
                any = true;
            }
        }
        any
    }

    /// Reverts the edits whose number satisfies `is_wrong`, and reports the link of each.
    pub(super) fn revert(
        &mut self,
        is_wrong: impl Fn(usize) -> bool,
        mut report: impl FnMut(LinkId),
    ) {
        let mut number = 0;
        self.stored.retain(|stored| {
            let stays = !is_wrong(number);
            number += 1;
            // An attribute next to the link is not about the link itself.
            if !stays && !Edit::removes_beside(stored.rule) {
                report(stored.link);
            }
            stays
        });
    }

    /// Returns `bytes` with the edits applied.
    pub(super) fn splice(&self, bytes: &[u8]) -> Vec<u8> {
        let grown: usize = self.stored.iter().map(|it| self.new_bytes(it).len()).sum();
        let mut out = Vec::with_capacity(bytes.len() + grown);
        let mut copied = 0;
        for edit in &self.stored {
            out.extend_from_slice(&bytes[copied..edit.span.start]);
            out.extend_from_slice(self.new_bytes(edit));
            copied = edit.span.end;
        }
        out.extend_from_slice(&bytes[copied..]);
        out
    }
}

/// An iterator over [`Edits`], in document order.
#[derive(Clone)]
pub struct Iter<'e> {
    edits: &'e Edits,
    stored: std::slice::Iter<'e, Stored>,
}

impl<'e> Iterator for Iter<'e> {
    type Item = Edit<'e>;

    fn next(&mut self) -> Option<Edit<'e>> {
        self.stored.next().map(|stored| self.edits.edit(stored))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.stored.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'e> IntoIterator for &'e Edits {
    type Item = Edit<'e>;
    type IntoIter = Iter<'e>;

    fn into_iter(self) -> Iter<'e> {
        self.iter()
    }
}

impl PartialEq for Edits {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl Eq for Edits {}

impl fmt::Debug for Edits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::{PatternMap, PrefixMap, Rule};

    fn id(offset: usize) -> LinkId {
        LinkId::of_span(Span::new(offset, offset))
    }

    fn edits() -> Edits {
        let mut edits = Edits::default();
        let literal = Written {
            span: Span::new(1, 2),
            new: b"x/"[..].into(),
            reference: None,
            plain: None,
            is_certain: true,
        };
        edits.push(id(1), "map", &literal, "x/", "http://h/x/".into(), |_| None);
        let escaped = Written::escaped(Span::new(2, 2), b"&amp;".to_vec(), "&");
        edits.push(id(2), "map", &escaped, "&", "&".into(), |_| None);
        // The written reference has another target than the intended one.
        let changed = Written::escaped(Span::new(4, 6), b"%20".to_vec(), "%20");
        edits.push(id(4), "map", &changed, " ", "http://h/ ".into(), |it| {
            Some(format!("http://h/{it}"))
        });
        edits
    }

    #[test]
    fn names_of_rules_include_that_of_each_rule() {
        // A new rule belongs here.
        let next = |rule: &Rule| match rule {
            Rule::Absolute => Some(Rule::Relative),
            Rule::Relative => Some(Rule::RootRelative),
            Rule::RootRelative => Some(Rule::Map(PrefixMap::default())),
            Rule::Map(_) => Some(Rule::Pattern(PatternMap::default())),
            Rule::Pattern(_) => Some(Rule::Mirror),
            Rule::Mirror => None,
        };
        for rule in std::iter::successors(Some(Rule::Absolute), next) {
            assert!(Edit::RULES.contains(&rule.name()), "{rule:?}");
        }
    }

    #[test]
    fn edits_give_reference_bytes_and_target() {
        let edits = edits();
        let fields = |edit: Edit<'_>| {
            (edit.new.to_vec(), edit.reference.to_owned(), edit.new_uri.to_owned())
        };
        let actual: Vec<_> = edits.iter().map(fields).collect();
        let expected =
            [("x/", "x/", "http://h/x/"), ("&amp;", "&", "&"), ("%20", "%20", "http://h/%20")];
        let expected = expected.map(|(new, reference, uri)| {
            (new.as_bytes().to_vec(), reference.to_owned(), uri.to_owned())
        });
        assert_eq!(actual, expected);
        assert_eq!(edits.get(1), edits.iter().nth(1));
        assert_eq!(edits.get(3), None);
        assert_eq!(edits.splice(b"0123456"), b"0x/&amp;23%206");
    }

    #[test]
    fn reverted_edits_are_removed() {
        let (mut some, mut links) = (edits(), Vec::new());
        some.revert(|number| number != 1, |link| links.push(link));
        assert_eq!((some.len(), links), (1, vec![id(1), id(4)]));
        assert_eq!(some.splice(b"0123456"), b"01&amp;23456");
        let mut same = Edits::default();
        let escaped = Written::escaped(Span::new(2, 2), b"&amp;".to_vec(), "&");
        same.push(id(2), "map", &escaped, "&", "&".into(), |_| None);
        assert_eq!(some, same);
        assert_ne!(some, edits());
    }
}
