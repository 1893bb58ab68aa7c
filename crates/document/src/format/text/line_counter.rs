//! Lines and columns in a text that comes in pieces.

use memchr::{memchr_iter, memrchr};

use crate::bytes::{Position, Span};

/// The line feeds of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineFeeds {
    count: usize,
    /// The offset of the last one.
    last: Option<usize>,
}

impl LineFeeds {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let last = memrchr(b'\n', bytes);
        Self { count: memchr_iter(b'\n', &bytes[..last.map_or(0, |last| last + 1)]).count(), last }
    }

    /// The position after bytes at this offset of the document that have these line feeds.
    pub(super) fn after(self, before: LinePosition, offset: usize) -> LinePosition {
        self.last.map_or(before, |last| LinePosition {
            line: before.line + self.count,
            start: offset + last + 1,
        })
    }
}

/// A position at which a part of a text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePosition {
    /// The number of the line, from 1.
    line: usize,
    /// The offset of the first byte of the line in the document.
    start: usize,
}

impl LinePosition {
    /// The beginning of a document.
    pub const BEGIN: Self = Self { line: 1, start: 0 };
}

/// Counts the lines of a text that is read in pieces. A text has a line feed exactly where its
/// document has one.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// The line at the end of the counted part.
    pub(super) at: LinePosition,
    /// The end of the counted part of the current text.
    pub(super) counted: usize,
}

impl Lines {
    /// Counts up to the character at `to`, unless it has been passed.
    pub(super) fn count(&mut self, text: &[u8], to: usize, to_source: impl Fn(Span) -> Span) {
        let new = &text[self.counted..to.max(self.counted)];
        let LineFeeds { count, last } = LineFeeds::of(new);
        if let Some(last) = last {
            let last = self.counted + last;
            self.at.line += count;
            self.at.start = to_source(Span::new(last, last + 1)).end;
        }
        self.counted += new.len();
    }

    /// Counts up to `len`, and continues in the text without its first `len` bytes.
    pub(super) fn forget(&mut self, text: &[u8], len: usize, to_source: impl Fn(Span) -> Span) {
        self.count(text, len, to_source);
        self.counted -= len;
    }

    /// The position of the byte at `at` of `bytes`, which begin at `start` in the document.
    pub(super) fn position_of(&self, bytes: &[u8], at: usize, start: usize) -> Position {
        let mut lines = self.clone();
        lines.count(bytes, at, |span| span.shifted(start));
        lines.position(start + at)
    }

    /// The position of the byte of the document at `offset`, in the current line.
    pub(super) fn position(&self, offset: usize) -> Position {
        Position { line: self.at.line, column: offset - self.at.start + 1 }
    }
}

/// The position of a link, computed on request.
pub struct LinkPosition<'s> {
    pub(super) lines: &'s mut Lines,
    pub(super) bytes: &'s [u8],
    /// The first byte of the link, in the text and in the document.
    pub(super) begins: (usize, usize),
    pub(super) to_source: &'s dyn Fn(Span) -> Span,
}

impl LinkPosition<'_> {
    /// The line and column of the link's first byte in the whole document, both from 1. Columns
    /// count bytes.
    pub fn get(&mut self) -> Position {
        let (in_text, in_document) = self.begins;
        self.lines.count(self.bytes, in_text, self.to_source);
        self.lines.position(in_document)
    }
}
