//! The changes of a document, without the document.

use std::ops::Range;

use crate::bytes::Span;
use crate::fs::pieces;
use crate::rewrite::Output;
use crate::source::Charset;

/// The result of one pass, if the document changes.
pub(super) enum New {
    /// The new content.
    Content(Vec<u8>),
    /// The edits only, which take less memory than the new content.
    Changes(Changes),
}

/// The edits of a document that is rewritten in one pass: about five bytes each, and the new bytes.
#[derive(Default)]
pub(super) struct Changes {
    /// Three numbers for each edit, in groups of seven bits: the lengths of the bytes that stay
    /// before it, of its old bytes, and of its new ones.
    lengths: Vec<u8>,
    new: Vec<u8>,
    /// The beginning of the rewritten document.
    head: Vec<u8>,
}

/// The sizes in bytes that most pages need. To make a vector longer, an allocator may have to wait
/// for another thread.
const USUAL_LENGTHS: usize = 512;
const USUAL_NEW: usize = 4 << 10;

impl Changes {
    /// The replaced bytes and the new ones.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Range<usize>, &[u8])> + Clone {
        let (mut lengths, mut new, mut end) = (&*self.lengths, &*self.new, 0);
        std::iter::repeat_with(move || {
            let start = end + next_length(&mut lengths)?;
            end = start + next_length(&mut lengths)?;
            let (bytes, rest) = new.split_at(next_length(&mut lengths)?);
            new = rest;
            Some((start..end, bytes))
        })
        .map_while(|it| it)
    }

    /// The pieces of the new content.
    pub(super) fn pieces<'c>(&'c self, old: &'c [u8]) -> impl Iterator<Item = &'c [u8]> {
        pieces(old, self.iter())
    }

    /// The most that the new content may be longer than the old one.
    pub(super) fn most_added(&self) -> usize {
        self.new.len()
    }

    fn add_to_head(&mut self, bytes: &[u8]) {
        let room = Charset::PRESCAN - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

impl Output for Changes {
    fn edit(&mut self, kept: &[u8], old: Span, new: &[u8]) {
        if self.lengths.is_empty() {
            self.lengths.reserve(USUAL_LENGTHS);
            self.new.reserve(USUAL_NEW);
            self.head.reserve_exact(Charset::PRESCAN);
        }
        for length in [kept.len(), old.len(), new.len()] {
            push_length(length, &mut self.lengths);
        }
        self.new.extend_from_slice(new);
        self.add_to_head(kept);
        self.add_to_head(new);
    }

    fn end(&mut self, kept: &[u8]) {
        self.add_to_head(kept);
    }

    fn head(&self) -> &[u8] {
        &self.head
    }
}

/// Appends a number, the lowest seven bits first. The highest bit of a byte means that another
/// follows.
fn push_length(mut length: usize, lengths: &mut Vec<u8>) {
    while length > 0x7F {
        lengths.push(0x80 | (length & 0x7F) as u8);
        length >>= 7;
    }
    lengths.push(length as u8);
}

/// Takes the first number. `None` at the end.
fn next_length(lengths: &mut &[u8]) -> Option<usize> {
    let (mut length, mut bits) = (0, 0);
    loop {
        let (&byte, rest) = lengths.split_first()?;
        *lengths = rest;
        length |= usize::from(byte & 0x7F) << bits;
        if byte < 0x80 {
            return Some(length);
        }
        bits += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_those_that_were_made() {
        let old = vec![b'o'; 1 << 22];
        let edits =
            [(0..0, 1), (5..133, 128), (133..300, 0), (400..401, 1 << 21), (1 << 21..1 << 22, 127)];
        let (mut changes, mut end, mut whole) = (Changes::default(), 0, Vec::new());
        for (range, len) in &edits {
            let (kept, new) = (&old[end..range.start], vec![b'n'; *len]);
            changes.edit(kept, Span::new(range.start, range.end), &new);
            whole.extend_from_slice(&[kept, &new].concat());
            end = range.end;
        }
        changes.end(&old[end..]);
        let found: Vec<_> = changes.iter().map(|(range, new)| (range, new.len())).collect();
        assert_eq!(found, edits);
        assert_eq!(changes.head(), &whole[..Charset::PRESCAN]);
    }
}
