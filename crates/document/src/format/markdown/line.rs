//! A line, read from left to right with its columns.

use memchr::memchr2;

/// The position in a line. Tab stops are 4 columns apart, counted from the start of the line
/// (CommonMark, section 2.2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    bytes: &'t [u8],
    /// The offset of the next byte in the document.
    pub(super) at: usize,
    /// The offset of the line end.
    pub(super) end: usize,
    /// The offset of the next line.
    pub(super) next: usize,
    column: usize,
}

/// The white space at the position in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indent {
    /// Its width in columns.
    pub(super) columns: usize,
    /// The offset of the byte after it.
    pub(super) end: usize,
}

impl<'t> Line<'t> {
    /// The line that begins at `start`. `None` at the end of the document.
    pub(super) fn at(bytes: &'t [u8], start: usize) -> Option<Self> {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let len = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        Some(Self {
            bytes,
            at: start,
            end: start + len,
            next: after_line_end(bytes, start + len),
            column: 0,
        })
    }

    /// The white space at the position.
    #[inline]
    pub(super) fn indent(&self) -> Indent {
        let mut column = self.column;
        let mut end = self.at;
        while end < self.end {
            match self.bytes[end] {
                b' ' => column += 1,
                b'\t' => column += 4 - column % 4,
                _ => break,
            }
            end += 1;
        }
        Indent { columns: column - self.column, end }
    }

    /// Moves over `columns` columns of white space. A tab may be divided.
    pub(super) fn advance(&mut self, columns: usize) {
        let to = self.column + columns;
        while self.column < to && self.at < self.end {
            let next = match self.bytes[self.at] {
                b' ' => self.column + 1,
                b'\t' => self.column + 4 - self.column % 4,
                _ => return,
            };
            if next > to {
                self.column = to;
                return;
            }
            self.column = next;
            self.at += 1;
        }
    }

    /// Moves to `to`, over the white space `indent` and then over characters other than tabs.
    pub(super) fn move_to(&mut self, indent: Indent, to: usize) {
        self.column += indent.columns + (to - indent.end);
        self.at = to;
    }

    /// The bytes from `from` to the line end.
    pub(super) fn rest(&self, from: usize) -> &'t [u8] {
        &self.bytes[from..self.end]
    }
}

/// The offset after the line end at `at`: LF, CR LF, CR, or the end of the document.
pub(super) fn after_line_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        [] => at,
        [b'\r', b'\n', ..] => at + 2,
        _ => at + 1,
    }
}

/// Returns true for the white space within lines.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns true for white space, also line ends.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Trims blanks at both ends.
pub(super) fn trim_blanks(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes
        && is_blank(*first)
    {
        bytes = rest;
    }
    while let [rest @ .., last] = bytes
        && is_blank(*last)
    {
        bytes = rest;
    }
    bytes
}
