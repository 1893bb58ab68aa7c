//! Byte positions: spans, lines and columns, and maps from decoded text to its source bytes.

pub mod digits;
mod lines;
mod offsets;
pub mod percent;

use std::borrow::Cow;
use std::ops::Range;

pub use lines::{LineIndex, Position};
pub use offsets::{OffsetMap, OffsetMapBuilder};

/// A range of bytes `[start, end)`, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The span `[start, end)`.
    ///
    /// # Panics
    /// In debug builds, if `end` is before `start`.
    #[inline]
    pub const fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    /// The length in bytes.
    #[inline]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns true if the span has no bytes, such as that of an empty attribute value.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The span as a range, for indexing.
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The span moved `by` bytes to the right.
    #[inline]
    pub const fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }
}

/// The spans of one link, in order: nearly always one, several for a link broken over lines.
pub type Spans = smallvec::SmallVec<[Span; 1]>;

/// Joins the pieces of `text` at `spans`. Borrowed for one piece of a borrowed text.
#[inline]
pub fn join<'t>(text: &Cow<'t, str>, spans: &Spans) -> Cow<'t, str> {
    match (spans.as_slice(), text) {
        ([span], Cow::Borrowed(text)) => Cow::Borrowed(&text[span.range()]),
        (spans, text) => spans.iter().map(|span| &text[span.range()]).collect::<String>().into(),
    }
}

/// The spans, each two joined if only a gap is between them.
pub fn without_gaps(spans: &Spans, is_gap: impl Fn(Span) -> bool) -> Spans {
    let mut joined = Spans::new();
    for &span in spans {
        match joined.last_mut() {
            Some(last) if is_gap(Span::new(last.end, span.start)) => last.end = span.end,
            _ => joined.push(span),
        }
    }
    joined
}
