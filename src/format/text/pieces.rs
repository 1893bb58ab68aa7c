//! A bare URL that is put together over line ends.

use super::bare::Body;
use super::join;
use super::options::{Hyphen, TextOptions};
use super::text_url::{Hyphens, TextUrl};
use crate::bytes::{Span, Spans};
use crate::link::Delimiter;

/// The most pieces that a bare URL is put together of.
pub(super) const MOST_PIECES: usize = 16;

/// The longest of them, in bytes: no line is longer that a program broke.
pub(super) const LONGEST_PIECE: usize = 1024;

/// The pieces of a bare URL, in different lines.
pub(super) struct Pieces {
    spans: Spans,
    hyphens: Hyphens,
    doubtful: bool,
    /// Where the last one begins, and where its characters stop.
    pub(super) last: Span,
    /// How far the text was read.
    pub(super) reach: usize,
}

impl Pieces {
    pub(super) fn new(start: usize, stop: usize) -> Self {
        Self {
            spans: Spans::new(),
            hyphens: Hyphens::new(),
            doubtful: false,
            last: Span::new(start, stop),
            reach: stop,
        }
    }

    /// Reads the URL on from `next`, and over further line ends if it goes on there too. Returns where
    /// it ends, if it goes on at all.
    pub(super) fn join(
        &mut self,
        text: &str,
        body: &mut Body,
        (mut read, next): (join::Read, join::Next),
        options: &TextOptions,
    ) -> Option<usize> {
        let mut next = Some(next);
        let mut end = None;
        let is_line = |piece: Span| piece.len() <= LONGEST_PIECE;
        while let Some(found) =
            next.filter(|_| is_line(self.last) && self.spans.len() < MOST_PIECES)
        {
            body.skip(text, self.last.end, found.at);
            let stop = body.run(text, found.at);
            self.reach = self.reach.max(stop);
            let piece_end = body.end(text, found.at, stop);
            if piece_end == found.at || !is_line(Span::new(found.at, stop)) {
                break;
            }
            self.push(found, options.hyphen);
            self.last = Span::new(found.at, stop);
            end = Some(piece_end);
            read.before = read.piece.len();
            read.piece = self.last;
            next = join::next(text, read, options);
        }
        end
    }

    /// The last piece is whole, and the `next` one begins.
    pub(super) fn push(&mut self, next: join::Next, hyphen: Hyphen) {
        let mut span = self.last;
        if next.hyphen > 0 {
            let at = span.end - next.hyphen;
            self.hyphens.push(at);
            span.end = if hyphen == Hyphen::Drop { at } else { span.end };
        }
        if !span.is_empty() {
            self.spans.push(span);
        }
        self.doubtful |= next.doubtful;
    }

    pub(super) fn finish(mut self, end: usize, cue: Delimiter) -> TextUrl {
        self.spans.push(Span::new(self.last.start, end));
        TextUrl {
            spans: self.spans,
            cue,
            doubtful: self.doubtful,
            longer: None,
            hyphens: self.hyphens,
        }
    }
}
