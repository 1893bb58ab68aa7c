//! Edits, and the bytes that they bring.

use std::borrow::Cow;
use std::fmt;

use crate::bytes::Span;
use crate::format::written::Written;
use crate::link::Integrity;

/// One replacement in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'e> {
    /// The bytes that go.
    pub span: Span,
    /// The bytes that come, in the document's charset and escaped for their place.
    pub new: &'e [u8],
    /// The new reference, before escaping. What its place or the charset cannot hold is percent-encoded.
    pub reference: &'e str,
    /// Where the link leads now.
    pub new_uri: &'e str,
    /// Which link of the document it changes, counted from 0.
    pub link: usize,
    /// The rule that said so.
    pub rule: &'static str,
    /// Whether something goes: the link with its attribute or element, or by the rule
    /// [`Integrity::RULE`] what stands beside it. Then the reference and the URI are empty.
    pub removes: bool,
}

impl Edit<'_> {
    /// Whether only what stands beside the link goes: its integrity.
    pub(super) fn is_beside(&self) -> bool {
        self.removes && self.rule == Integrity::RULE
    }
}

/// The edits of a document, in the order of their places, and disjoint. What they bring is kept together.
#[derive(Clone, Default)]
pub struct Edits {
    stored: Vec<Stored>,
    /// The references and new URIs.
    text: String,
    /// The new bytes, where they are not the reference.
    bytes: Vec<u8>,
    /// The new bytes without the spelling of the source, by the number of the link, for edits that keep some of that.
    plain: Vec<(usize, Span)>,
}

/// An edit, with places in what is kept together.
#[derive(Clone, Copy)]
struct Stored {
    span: Span,
    new: New,
    reference: Span,
    new_uri: Span,
    link: usize,
    rule: &'static str,
    removes: bool,
}

/// The new bytes of an edit.
#[derive(Clone, Copy)]
enum New {
    /// Those of the reference.
    Reference,
    Bytes(Span),
}

impl Edits {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            stored: Vec::with_capacity(count),
            ..Self::default()
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// Edit number `number`, from 0.
    pub fn get(&self, number: usize) -> Option<Edit<'_>> {
        self.stored.get(number).map(|stored| self.edit(stored))
    }

    /// Each of them.
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            edits: self,
            stored: self.stored.iter(),
        }
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

    /// Adds the edit that writes `written` for `reference`, which leads to `uri`. Where the one is not the
    /// other, `resolve` says where it leads.
    pub(super) fn push(
        &mut self,
        link: usize,
        rule: &'static str,
        written: &Written<'_>,
        reference: &str,
        uri: Cow<'_, str>,
        resolve: impl FnOnce(&str) -> Option<String>,
    ) {
        let (reference, uri) = match &written.reference {
            Some(other) if **other != *reference => {
                let found = resolve(other).map_or(uri, Cow::Owned);
                (&**other, found)
            }
            _ => (reference, uri),
        };
        let reference_span = self.append(reference);
        // To compare two that are long and equal takes as long as to copy one.
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

    /// Adds the edit by which a link goes, or what stands beside it, with these bytes.
    pub(super) fn push_removal(&mut self, link: usize, rule: &'static str, span: Span) {
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

    /// Those that are to be made once the others are, by which links go: with the numbers that the links have
    /// then.
    pub(super) fn without_removals(&self) -> Self {
        let mut rest = self.clone();
        let mut gone = 0;
        rest.stored.retain_mut(|stored| {
            gone += usize::from(stored.removes && stored.rule != Integrity::RULE);
            stored.link -= gone.min(stored.link);
            !stored.removes
        });
        rest
    }

    /// Those by which something goes.
    pub(super) fn removals(&self) -> Self {
        let mut removals = self.clone();
        removals.stored.retain(|stored| stored.removes);
        removals
    }

    /// Puts them in the order of their places.
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

    /// Writes those for whose number `is_wrong` says so without the spelling of the source that they keep. Returns
    /// whether there was one.
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

    /// Takes back those for whose number `is_wrong` says so, and says of each which link it was of.
    pub(super) fn take_back(
        &mut self,
        is_wrong: impl Fn(usize) -> bool,
        mut told: impl FnMut(usize),
    ) {
        let mut number = 0;
        self.stored.retain(|stored| {
            let stays = !is_wrong(number);
            number += 1;
            // What stands beside a link says nothing of that.
            if !stays && stored.rule != Integrity::RULE {
                told(stored.link);
            }
            stays
        });
    }

    /// These bytes with the edits made.
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

/// Each of some [`Edits`], in order.
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

    fn edits() -> Edits {
        let mut edits = Edits::default();
        let literal = Written {
            span: Span::new(1, 2),
            new: b"x/"[..].into(),
            reference: None,
            plain: None,
            is_certain: true,
        };
        edits.push(0, "map", &literal, "x/", "http://h/x/".into(), |_| None);
        let escaped = Written::escaped(Span::new(2, 2), b"&amp;".to_vec(), "&");
        edits.push(1, "map", &escaped, "&", "&".into(), |_| None);
        // What is written leads elsewhere than what was meant.
        let changed = Written::escaped(Span::new(4, 6), b"%20".to_vec(), "%20");
        edits.push(2, "map", &changed, " ", "http://h/ ".into(), |it| {
            Some(format!("http://h/{it}"))
        });
        edits
    }

    #[test]
    fn edits_say_what_they_bring() {
        let edits = edits();
        let told = |edit: Edit<'_>| {
            (
                edit.new.to_vec(),
                edit.reference.to_owned(),
                edit.new_uri.to_owned(),
            )
        };
        let told: Vec<_> = edits.iter().map(told).collect();
        let expected = [
            ("x/", "x/", "http://h/x/"),
            ("&amp;", "&", "&"),
            ("%20", "%20", "http://h/%20"),
        ];
        let expected = expected.map(|(new, reference, uri)| {
            (
                new.as_bytes().to_vec(),
                reference.to_owned(),
                uri.to_owned(),
            )
        });
        assert_eq!(told, expected);
        assert_eq!(edits.get(1), edits.iter().nth(1));
        assert_eq!(edits.get(3), None);
        assert_eq!(edits.splice(b"0123456"), b"0x/&amp;23%206");
    }

    #[test]
    fn edits_taken_back_are_gone() {
        let (mut some, mut links) = (edits(), Vec::new());
        some.take_back(|number| number != 1, |link| links.push(link));
        assert_eq!((some.len(), links), (1, vec![0, 2]));
        assert_eq!(some.splice(b"0123456"), b"01&amp;23456");
        let mut same = Edits::default();
        let escaped = Written::escaped(Span::new(2, 2), b"&amp;".to_vec(), "&");
        same.push(1, "map", &escaped, "&", "&".into(), |_| None);
        assert_eq!(some, same);
        assert_ne!(some, edits());
    }
}
