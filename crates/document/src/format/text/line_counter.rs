//! Lines and columns in a text that comes in pieces.

use encoding_rs::Encoding;
use memchr::{memchr_iter, memrchr};

use super::surroundings::words_around;
use crate::bytes::{Position, Span};

/// The line feeds of a part of a text.
#[derive(Clone, Copy, Debug)]
pub struct LineFeeds {
    count: usize,
    /// The offset after the last one.
    after_last: Option<usize>,
}

impl LineFeeds {
    /// No line feed.
    pub(super) const NONE: Self = Self { count: 0, after_last: None };

    /// Those of bytes that begin at `offset` in the document.
    pub(super) fn of(bytes: &[u8], offset: usize) -> Self {
        let end = memrchr(b'\n', bytes).map(|last| last + 1);
        let count = memchr_iter(b'\n', &bytes[..end.unwrap_or(0)]).count();
        Self { count, after_last: end.map(|end| offset + end) }
    }

    /// The position after the part, where `before` is its beginning.
    pub fn after(self, before: LinePosition) -> LinePosition {
        self.after_last
            .map_or(before, |start| LinePosition { line: before.line + self.count, start })
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

    /// The beginning of a part at this offset, as if it began a document.
    pub(super) fn of_part(offset: usize) -> Self {
        Self { line: 1, start: offset }
    }

    /// The position in the document, if this is one in a part that begins at `beginning`.
    pub(super) fn from(self, beginning: Self) -> Self {
        match self.line {
            1 => beginning,
            line => Self { line: beginning.line + line - 1, start: self.start },
        }
    }

    /// The position of the byte of the document at `offset`, which is in the line.
    pub(super) fn of_byte(self, offset: usize) -> Position {
        Position { line: self.line, column: offset - self.start + 1 }
    }
}

/// Counts the lines of a text that is read in pieces. A text has a line feed exactly where its
/// document has one.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// The line at the end of the counted part.
    pub(super) at: LinePosition,
    /// The end of the counted part of the current text.
    pub(super) counted: usize,
    /// False if the whole text counts as one line.
    pub(super) is_counting: bool,
}

impl Lines {
    /// Counts up to the character at `to`, unless it has been passed.
    pub(super) fn count(&mut self, text: &[u8], to: usize, to_source: impl Fn(Span) -> Span) {
        let new = &text[self.counted..to.max(self.counted)];
        if !self.is_counting {
            self.counted += new.len();
            return;
        }
        let LineFeeds { count, after_last } = LineFeeds::of(new, self.counted);
        if let Some(end) = after_last {
            self.at.line += count;
            self.at.start = to_source(Span::new(end - 1, end)).end;
        }
        self.counted += new.len();
    }

    /// Counts up to `len`, and continues in the text without its first `len` bytes.
    pub(super) fn forget(&mut self, text: &[u8], len: usize, to_source: impl Fn(Span) -> Span) {
        self.count(text, len, to_source);
        self.counted -= len;
    }

    /// The line of the byte at `at` of `bytes`, which begin at `start` in the document.
    pub(super) fn line_of(&self, bytes: &[u8], at: usize, start: usize) -> LinePosition {
        let mut lines = self.clone();
        lines.count(bytes, at, |span| span.shifted(start));
        lines.at
    }
}

/// The position of a link, computed on request.
pub struct LinkPosition<'s> {
    pub(super) lines: &'s mut Lines,
    pub(super) bytes: &'s [u8],
    /// The encoding of the bytes.
    pub(super) encoding: &'static Encoding,
    /// The first byte of the link, in the text and in the document.
    pub(super) begins: (usize, usize),
    /// The end of the link in the text.
    pub(super) ends: usize,
    pub(super) to_source: &'s dyn Fn(Span) -> Span,
}

impl LinkPosition<'_> {
    /// The line and column of the link's first byte in the whole document, both from 1. Columns
    /// count bytes.
    pub fn get(&mut self) -> Position {
        self.from(LinePosition::BEGIN)
    }

    /// The same, if the link is in a part that was [searched
    /// independently](super::TextStream::of_part) and begins at `beginning`.
    pub fn from(&mut self, beginning: LinePosition) -> Position {
        let (in_text, in_document) = self.begins;
        self.lines.count(self.bytes, in_text, self.to_source);
        self.lines.at.from(beginning).of_byte(in_document)
    }

    /// [The words around](super::words_around) the link.
    pub fn words_around(&self) -> Option<String> {
        words_around(self.bytes, self.begins.0..self.ends, self.encoding)
    }
}
