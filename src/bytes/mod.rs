//! Byte positions: spans, their place as line and column, and maps between a text and the bytes it
//! was decoded from.

pub(crate) mod digits;
mod lines;
mod offsets;
pub mod percent;

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
    /// In debug builds, when `end` is before `start`.
    pub const fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    /// How many bytes it covers.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether it covers no byte. An empty attribute value has such a span.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The same span as a range, to index with.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The span moved `by` bytes to the right.
    pub const fn shifted(self, by: usize) -> Self {
        Self {
            start: self.start + by,
            end: self.end + by,
        }
    }
}

/// The spans that spell one link, in order: nearly always one, several where it was broken over
/// lines.
pub type Spans = smallvec::SmallVec<[Span; 1]>;
