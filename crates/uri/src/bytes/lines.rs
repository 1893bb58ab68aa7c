use std::fmt;

use memchr::memchr_iter;

/// A line and column in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1. A line ends with LF; a CR before the LF belongs to the line.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
}

/// `LINE:COLUMN`
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl Position {
    /// The position of the first byte.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// Converts byte offsets to lines and columns.
///
/// Scans forward from the last offset, so increasing offsets cost one pass over the bytes in total,
/// and no table of lines is stored. A smaller offset than the last starts a new scan from the top.
#[derive(Clone, Debug)]
pub struct LineIndex<'d> {
    bytes: &'d [u8],
    line_feed: LineFeed,
    line: usize,
    line_start: usize,
    scanned: usize,
}

/// The bytes of a line feed in the document's encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineFeed {
    Byte,
    Utf16 { low_byte_at: usize },
}

impl<'d> LineIndex<'d> {
    /// An index over bytes in any encoding except UTF-16: those in which the byte 0x0A is always a
    /// line feed.
    pub fn new(bytes: &'d [u8]) -> Self {
        Self { bytes, line_feed: LineFeed::Byte, line: 1, line_start: 0, scanned: 0 }
    }

    /// An index over UTF-16 whose code units start at even offsets.
    pub fn utf16(bytes: &'d [u8], big_endian: bool) -> Self {
        let line_feed = LineFeed::Utf16 { low_byte_at: usize::from(big_endian) };
        Self { line_feed, ..Self::new(bytes) }
    }

    /// The line and column of the byte at `offset`. Offsets past the end count as the end.
    pub fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.bytes.len());
        if offset < self.scanned {
            (self.line, self.line_start, self.scanned) = (1, 0, 0);
        }
        let from = self.scanned;
        for at in memchr_iter(b'\n', &self.bytes[from..offset]) {
            let Some(end) = self.line_end(from + at) else {
                continue;
            };
            // In UTF-16 the second byte of the line feed may be past `offset`; the next line begins
            // after both.
            if end <= offset {
                self.line += 1;
                self.line_start = end;
            }
        }
        self.scanned = self.line_start.max(offset & !usize::from(self.line_feed != LineFeed::Byte));
        Position { line: self.line, column: offset - self.line_start + 1 }
    }

    /// The offsets at which the lines begin. Linear, and 8 bytes of memory per line.
    pub fn line_starts(&self) -> Vec<usize> {
        let line_feeds = memchr_iter(b'\n', self.bytes);
        let ends = line_feeds.filter_map(|at| self.line_end(at));
        std::iter::once(0).chain(ends).collect()
    }

    /// The end of the line feed that the byte 0x0A at `at` is part of, if it is.
    fn line_end(&self, at: usize) -> Option<usize> {
        match self.line_feed {
            LineFeed::Byte => Some(at + 1),
            LineFeed::Utf16 { low_byte_at } => {
                let unit = at & !1;
                let other = unit + 1 - low_byte_at;
                let is_whole = at - unit == low_byte_at && self.bytes.get(other) == Some(&0);
                is_whole.then_some(unit + 2)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_bytes_from_one() {
        let mut index = LineIndex::new("a\r\nüb\n\nc".as_bytes());
        let at = |index: &mut LineIndex<'_>, offset| {
            let Position { line, column } = index.position(offset);
            (line, column)
        };
        assert_eq!(at(&mut index, 0), (1, 1));
        assert_eq!(at(&mut index, 2), (1, 3));
        assert_eq!(at(&mut index, 3), (2, 1));
        assert_eq!(at(&mut index, 5), (2, 3));
        assert_eq!(at(&mut index, 8), (4, 1));
        assert_eq!(at(&mut index, 99), (4, 2));
        assert_eq!(at(&mut index, 1), (1, 2), "going back is allowed");
    }

    #[test]
    fn utf16_line_feeds_are_whole_code_units() {
        // U+0A00 and U+000A U+0041, in both byte orders: only the second holds a line feed.
        let little: &[u8] = &[0x00, 0x0A, 0x0A, 0x00, 0x41, 0x00];
        let big: &[u8] = &[0x0A, 0x00, 0x00, 0x0A, 0x00, 0x41];
        for (bytes, big_endian) in [(little, false), (big, true)] {
            let mut index = LineIndex::utf16(bytes, big_endian);
            assert_eq!(index.position(2), Position { line: 1, column: 3 });
            assert_eq!(index.position(3), Position { line: 1, column: 4 });
            assert_eq!(index.position(4), Position { line: 2, column: 1 });
        }
    }
}
