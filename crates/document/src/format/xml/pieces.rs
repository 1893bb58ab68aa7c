//! The text of an element, divided by comments and the borders of CDATA sections.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::input::Input;
use crate::bytes::{Span, Spans};
use crate::format::markup::value::Value;
use crate::format::markup::xml_value::Within;
use crate::link::{Notes, Quoting};

/// The source of a text: the bytes of each piece.
pub(super) type PieceSpans = SmallVec<[(Span, Within); 1]>;

/// The decoded text of an element, with a map to its source.
pub(super) struct Pieces<'s> {
    /// The text, if there are several pieces.
    joined: Option<Cow<'s, str>>,
    /// At least one.
    pieces: SmallVec<[Piece<'s>; 1]>,
}

struct Piece<'s> {
    /// The offset in the text.
    start: usize,
    value: Value<'s>,
    quoting: Quoting,
    source: Span,
}

/// The source of a part of the text.
pub(super) struct PartSource {
    /// The bytes, in the order of the text. There are several if a border divides them, and at
    /// least one.
    pub(super) spans: Spans,
    pub(super) notes: Notes,
    /// The quoting of the first of them.
    pub(super) quoting: Quoting,
}

impl<'s> Pieces<'s> {
    /// Decodes the text at `spans`. There is at least one.
    pub(super) fn of(input: &Input<'s, '_>, spans: &[(Span, Within)]) -> Self {
        let mut start = 0;
        let pieces = spans.iter().map(|&(source, within)| {
            let value = input.decode(source, within);
            let piece = Piece { start, quoting: quoting(within), source, value };
            start += piece.value.text.len();
            piece
        });
        let pieces: SmallVec<[Piece<'s>; 1]> = pieces.collect();
        let is_one = pieces.len() == 1;
        let joined = (!is_one).then(|| pieces.iter().map(|piece| &*piece.value.text).collect());
        Self { joined, pieces }
    }

    /// The decoded text.
    pub(super) fn text(&self) -> &Cow<'s, str> {
        match &self.joined {
            Some(joined) => joined,
            None => &self.pieces[0].value.text,
        }
    }

    /// The source of `part` of the text. Cost: logarithmic in the number of pieces, and linear in
    /// those of the part.
    pub(super) fn source_of(&self, part: Span) -> PartSource {
        let ends_before = |piece: &Piece<'_>| {
            let end = piece.start + piece.value.text.len();
            end < part.start || end == part.start && !part.is_empty()
        };
        let first = self.pieces.partition_point(ends_before);
        let first = first.min(self.pieces.len() - 1);
        let mut found = PartSource {
            spans: Spans::new(),
            notes: Notes::NONE,
            quoting: self.pieces[first].quoting,
        };
        for piece in &self.pieces[first..] {
            if piece.start >= part.end && !found.spans.is_empty() {
                break;
            }
            let len = piece.value.text.len();
            let start = part.start.max(piece.start) - piece.start;
            let end = part.end.min(piece.start + len).max(piece.start) - piece.start;
            let within = Span::new(start.min(len), end.min(len));
            if within.is_empty() && !part.is_empty() {
                continue;
            }
            found.spans.push(piece.value.to_source(within));
            found.notes = piece.value.notes(within).iter().fold(found.notes, Notes::with);
        }
        found
    }

    /// The offset in the text of the byte at `source`, or of the text after it.
    pub(super) fn position(&self, source: usize) -> usize {
        let after = self.pieces.partition_point(|it| it.source.end < source);
        match self.pieces.get(after) {
            Some(piece) => piece.start + piece.value.position(source),
            None => self.text().len(),
        }
    }
}

/// The quoting of a piece of text.
pub(super) fn quoting(within: Within) -> Quoting {
    match within {
        Within::Cdata => Quoting::Cdata,
        Within::Content | Within::Attribute => Quoting::Content,
    }
}
