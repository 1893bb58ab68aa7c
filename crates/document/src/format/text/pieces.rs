//! A bare URL that is joined over line breaks.

use super::bare::Body;
use super::join;
use super::text_url::{Others, TextUrl};
use crate::bytes::{Span, Spans};
use crate::format::options::{Hyphen, TextOptions};
use crate::link::Delimiter;

/// The maximum number of pieces of a bare URL.
pub(super) const MOST_PIECES: usize = 16;

/// The maximum length of a piece, in bytes: programs do not break longer lines.
pub(super) const LONGEST_PIECE: usize = 1024;

/// The pieces of a bare URL, in different lines.
pub(super) struct Pieces {
    spans: Spans,
    others: Others,
    doubtful: bool,
    /// The characters of the last piece.
    pub(super) last: Span,
    /// The end of the text that was read.
    pub(super) reach: usize,
}

impl Pieces {
    pub(super) fn new(start: usize, stop: usize) -> Self {
        Self {
            spans: Spans::new(),
            others: Others::default(),
            doubtful: false,
            last: Span::new(start, stop),
            reach: stop,
        }
    }

    /// Continues the URL at `next`, and over further line breaks. Returns the end of the URL, or
    /// `None` if it does not continue.
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
            let ends = end.unwrap_or_else(|| body.end(text, self.last.start, self.last.end));
            body.skip(text, self.last.end, found.at);
            let stop = body.run(text, found.at);
            self.reach = self.reach.max(stop);
            let piece_end = body.end(text, found.at, stop);
            if piece_end == found.at || !is_line(Span::new(found.at, stop)) {
                break;
            }
            if found.doubtful && self.others.shorter.is_none() && ends > self.last.start {
                self.others.shorter = Some((self.spans.len(), ends));
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

    /// Ends the last piece and begins the `next` one.
    pub(super) fn push(&mut self, next: join::Next, hyphen: Hyphen) {
        let mut span = self.last;
        if next.hyphen > 0 {
            let at = span.end - next.hyphen;
            self.others.hyphens.push(at);
            span.end = if join::drops_hyphen(hyphen, next.hyphen) { at } else { span.end };
        }
        if !span.is_empty() {
            self.spans.push(span);
        }
        self.doubtful |= next.doubtful;
    }

    pub(super) fn finish(mut self, end: usize, delimiter: Delimiter) -> TextUrl {
        self.spans.push(Span::new(self.last.start, end));
        let url = TextUrl::whole(self.last.start, end, delimiter);
        TextUrl { spans: self.spans, doubtful: self.doubtful, ..url }.with(self.others)
    }
}
