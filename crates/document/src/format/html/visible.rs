//! URLs in the text of a page as its readers see it. Possible word breaks and zero-width characters
//! are invisible, so they are gaps in a URL.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::page::Page;
use super::token::{RawText, TextKind};
use crate::bytes::{Span, Spans, join};
use crate::format::markup::charref::Within;
use crate::format::markup::value::Value;
use crate::format::text;
use crate::format::text::Join;
use crate::format::text::TextOptions;
use crate::format::text::link_of_url;
use crate::link::{Note, ParsedLink};

/// The pieces of a text with a `wbr` between them.
#[derive(Default)]
pub(super) struct Visible<'s> {
    pieces: SmallVec<[Value<'s>; 1]>,
    /// The end of the last piece.
    end: usize,
}

impl<'s> Visible<'s> {
    /// Returns true if no text is pending.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Finds the URLs in character data.
    pub(super) fn urls(
        &mut self,
        page: &Page<'s, '_>,
        span: Span,
        kind: TextKind,
        found: &mut dyn FnMut(ParsedLink<'s>),
    ) {
        let options = page.options;
        let TextOptions { abbreviated, emails, .. } = options.text;
        let continues = wbr_len(&page.bytes[span.end..]) > 0;
        if !self.pieces.is_empty() && !self.follows_wbr(page, span.start) {
            self.end(page, found);
        }
        let is_first = self.pieces.is_empty();
        let source = &page.bytes[span.range()];
        let may_hold = || abbreviated || emails || memchr::memchr2(b':', b'&', source).is_some();
        if is_first && !continues && !may_hold() {
            return;
        }
        let value = match kind {
            TextKind::Data | TextKind::Raw(RawText::Rcdata) => page.decode(span, Within::Text),
            TextKind::Raw(_) | TextKind::Cdata => page.decode_plain(span),
        };
        let has_unseen = || !value.text.is_ascii() && value.text.contains(is_unseen);
        if !is_first || continues || has_unseen() {
            self.pieces.push(value);
            self.end = span.end;
            if !continues {
                self.end(page, found);
            }
            return;
        }
        text::scan(&value.text, &options.text_joining(Join::Angle), |url| {
            let spans = url.spans.iter().map(|&span| value.to_source(span)).collect();
            let reference = url.unescaped(join(&value.text, &url.spans));
            let mut link = link_of_url(&url, &value.text, spans, reference);
            let notes = url.spans.iter().map(|&span| value.notes(span));
            for note in notes.flat_map(|notes| notes.iter()) {
                link.notes = link.notes.with(note);
            }
            found(link);
        });
    }

    /// Returns true if only `wbr` tags are between the last piece and `start`.
    fn follows_wbr(&self, page: &Page<'s, '_>, start: usize) -> bool {
        let mut between = &page.bytes[self.end.min(start)..start];
        while let len @ 1.. = wbr_len(between) {
            between = &between[len..];
        }
        between.is_empty()
    }

    /// Ends the text at a tag other than `wbr`. `tag` is the offset of the tag.
    pub(super) fn end_before_tag(
        &mut self,
        page: &Page<'s, '_>,
        tag: usize,
        found: &mut dyn FnMut(ParsedLink<'s>),
    ) {
        if !self.is_empty() && wbr_len(&page.bytes[tag..]) == 0 {
            self.end(page, found);
        }
    }

    /// Finds the URLs of the text that has ended.
    pub(super) fn end(&mut self, page: &Page<'s, '_>, found: &mut dyn FnMut(ParsedLink<'s>)) {
        let pieces = std::mem::take(&mut self.pieces);
        if pieces.is_empty() {
            return;
        }
        let seen = Seen::of(&pieces);
        let options = page.options.text_joining(Join::Angle);
        text::scan(&seen.text, &options, |url| {
            let reference = url.reference(&seen.text).into_owned();
            let mut spans = Spans::new();
            let mut link = link_of_url(&url, &seen.text, Spans::new(), Cow::Owned(reference));
            for (value, span) in url.spans.iter().flat_map(|&span| seen.pieces_of(span)) {
                for note in value.notes(span).iter() {
                    link.notes = link.notes.with(note);
                }
                spans.push(value.to_source(span));
            }
            if spans.len() > 1 {
                link.notes = link.notes.with(Note::Rejoined);
            }
            link.spans = spans;
            found(link);
        });
    }
}

/// The length of the leading tag if it is a `wbr`, else 0.
pub(super) fn wbr_len(bytes: &[u8]) -> usize {
    let is_wbr = bytes.get(..4).is_some_and(|it| it.eq_ignore_ascii_case(b"<wbr"))
        && matches!(bytes.get(4), Some(b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r'));
    match is_wbr {
        true => memchr::memchr(b'>', bytes).map_or(0, |at| at + 1),
        false => 0,
    }
}

/// Returns true if a character is invisible unless the line breaks at it.
pub(super) fn is_unseen(character: char) -> bool {
    matches!(character, '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// A text without its gaps.
struct Seen<'v, 's> {
    values: &'v [Value<'s>],
    text: String,
    runs: Vec<Run>,
}

/// A run of the text without a gap in its piece.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The start in the text.
    start: usize,
    len: usize,
    piece: usize,
    /// The start in the piece.
    at: usize,
}

impl<'v, 's> Seen<'v, 's> {
    fn of(values: &'v [Value<'s>]) -> Self {
        let mut seen = Self { values, text: String::new(), runs: Vec::new() };
        // Whether a URL may have begun: there is a colon after the last white space.
        let mut in_url = false;
        for (piece, value) in values.iter().enumerate() {
            if piece > 0 && !in_url {
                // The next text is a separate word.
                seen.text.push('\n');
            }
            let mut at = 0;
            while at < value.text.len() {
                let rest = &value.text[at..];
                let len = rest.find(is_unseen).unwrap_or(rest.len());
                in_url = after(in_url, &rest[..len]);
                let gap = rest[len..].chars().next().map_or(0, char::len_utf8);
                // Before a URL, an unseen character separates it from the text before.
                let kept = len + if in_url { 0 } else { gap };
                seen.push(piece, at, &rest[..kept]);
                at += len + gap;
            }
        }
        seen
    }

    fn push(&mut self, piece: usize, at: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        self.runs.push(Run { start: self.text.len(), len: text.len(), piece, at });
        self.text.push_str(text);
    }

    /// The pieces that spell `span` of the text, each with its span.
    fn pieces_of(&self, span: Span) -> impl Iterator<Item = (&'v Value<'s>, Span)> {
        let first = self.runs.partition_point(|run| run.start + run.len <= span.start);
        let runs = self.runs[first..].iter().take_while(move |run| run.start < span.end);
        runs.map(move |run| {
            let start = span.start.max(run.start) - run.start;
            let end = span.end.min(run.start + run.len) - run.start;
            (&self.values[run.piece], Span::new(run.at + start, run.at + end))
        })
    }
}

/// Returns true if a URL may have begun in or before `text`.
fn after(in_url: bool, text: &str) -> bool {
    match text.rfind(char::is_whitespace) {
        Some(at) => text[at..].contains(':'),
        None => in_url || text.contains(':'),
    }
}
