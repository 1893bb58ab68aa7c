//! The text of a block without the prefixes of its containers.

use std::borrow::Cow;

use super::line::after_line_end;
use crate::bytes::{OffsetMap, OffsetMapBuilder, Span, Spans};

/// The text of a block, with a map to the document.
pub(super) struct Joined<'t> {
    pub(super) text: Cow<'t, str>,
    /// The offset of the first byte in the document.
    start: usize,
    /// None if the text is a part of the document without gaps.
    map: Option<OffsetMap>,
}

impl<'t> Joined<'t> {
    /// The lines of a block. Each is the part of a line that belongs to it, without the line end.
    pub(super) fn of_lines(text: &'t str, lines: &[Span]) -> Self {
        let bytes = text.as_bytes();
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
            return Self::of_slice("", 0);
        };
        let ends = |line: &Span| after_line_end(bytes, line.end);
        if lines.windows(2).all(|pair| ends(&pair[0]) == pair[1].start) {
            return Self::of_slice(&text[first.start..last.end], first.start);
        }
        let mut joined = String::with_capacity(last.end - first.start);
        let mut map = OffsetMapBuilder::with_capacity(2 * lines.len());
        let mut at = first.start;
        for (number, line) in lines.iter().enumerate() {
            let is_last = number + 1 == lines.len();
            let end = if is_last { line.end } else { ends(line) };
            map.push(1, 0, line.start - at);
            map.push(end - line.start, 1, 1);
            joined.push_str(&text[line.start..end]);
            at = end;
        }
        Self { text: joined.into(), start: first.start, map: Some(map.finish()) }
    }

    /// A part of the document that begins at `start`.
    pub(super) fn of_slice(text: &'t str, start: usize) -> Self {
        Self { text: text.into(), start, map: None }
    }

    /// The cell of a table, whose escaped pipes are undone (GFM, section 4.10).
    pub(super) fn of_cell(text: &'t str, start: usize) -> Self {
        let mut pipes = memchr::memmem::find_iter(text.as_bytes(), b"\\|").peekable();
        if pipes.peek().is_none() {
            return Self::of_slice(text, start);
        }
        let mut joined = String::with_capacity(text.len());
        let mut map = OffsetMapBuilder::default();
        let mut at = 0;
        for pipe in pipes {
            joined.push_str(&text[at..pipe]);
            map.push(pipe - at, 1, 1);
            joined.push('|');
            map.push(1, 1, 2);
            at = pipe + 2;
        }
        joined.push_str(&text[at..]);
        map.push(text.len() - at, 1, 1);
        Self { text: joined.into(), start, map: Some(map.finish()) }
    }

    /// The bytes of the document for `span` of the text, without gaps between them.
    pub(super) fn to_source(&self, span: Span) -> Spans {
        match &self.map {
            None => smallvec::smallvec![span.shifted(self.start)],
            Some(map) => {
                let mut spans = map.pieces(span);
                for span in &mut spans {
                    *span = span.shifted(self.start);
                }
                spans
            }
        }
    }
}
