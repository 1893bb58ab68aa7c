//! Edits, and the bytes that they bring.

use std::borrow::Cow;
use std::fmt;

use super::escape::Written;
use crate::span::Span;

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
}

/// The edits of a document, in the order of their places, and disjoint. What they bring is kept in one buffer.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Edits {
    stored: Vec<Stored>,
    /// Of each the new bytes, then the reference and the new URI if those are something else.
    buffer: Vec<u8>,
}

/// An edit, with places in the buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stored {
    span: Span,
    new: Span,
    reference: Span,
    new_uri: Span,
    link: usize,
    rule: &'static str,
}

impl Edits {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            stored: Vec::with_capacity(count),
            buffer: Vec::new(),
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

    /// Drops all but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.stored.truncate(len);
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
        let bytes = |span: Span| &self.buffer[span.range()];
        let text = |span| std::str::from_utf8(bytes(span)).unwrap_or_default();
        Edit {
            span: stored.span,
            new: bytes(stored.new),
            reference: text(stored.reference),
            new_uri: text(stored.new_uri),
            link: stored.link,
            rule: stored.rule,
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
        let new = self.append(&written.new);
        let reference_span = match &written.reference {
            Some(_) => self.append(reference.as_bytes()),
            None => new,
        };
        // To compare two that are long and equal takes as long as to copy one.
        let new_uri = match std::ptr::eq(&*uri, reference) || uri == reference {
            true => reference_span,
            false => self.append(uri.as_bytes()),
        };
        self.stored.push(Stored {
            span: written.span,
            new,
            reference: reference_span,
            new_uri,
            link,
            rule,
        });
    }

    fn append(&mut self, bytes: &[u8]) -> Span {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(bytes);
        Span::new(start, self.buffer.len())
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
            if !stays {
                told(stored.link);
            }
            stays
        });
    }

    /// These bytes with the edits made.
    pub(super) fn splice(&self, bytes: &[u8]) -> Vec<u8> {
        let grown: usize = self.stored.iter().map(|it| it.new.len()).sum();
        let mut out = Vec::with_capacity(bytes.len() + grown);
        let mut copied = 0;
        for edit in &self.stored {
            out.extend_from_slice(&bytes[copied..edit.span.start]);
            out.extend_from_slice(&self.buffer[edit.new.range()]);
            copied = edit.span.end;
        }
        out.extend_from_slice(&bytes[copied..]);
        out
    }
}

/// Each of some edits, in order.
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

impl fmt::Debug for Edits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
