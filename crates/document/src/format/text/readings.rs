//! The readings of a bare URL at the end of a line, if it continued in the lines below.

use super::bare::{Body, Reading};
use super::join::{deeper, hyphen_len, starts_link};
use super::lines::{self, Margin};
use super::markup::Markup;
use super::pieces::{LONGEST_PIECE, MOST_PIECES};
use super::tail::Tail;
use super::text_url::TextUrl;
use super::{chars, scheme};
use crate::bytes::{Span, Spans};
use crate::format::options::{Iri, TextOptions};
use crate::link::Delimiter;

/// Returns true if the URL may continue in the next line: nothing but punctuation follows it in its
/// line, and the next line is not empty.
pub(in crate::format) fn may_continue(text: &str, url: &TextUrl) -> bool {
    let Some(last) = url.spans.last() else {
        return false;
    };
    let is_bare = matches!(url.delimiter, Delimiter::Bare | Delimiter::Prefix);
    is_bare
        && (url.spans.len() > 1
            || lines::line_below(text.as_bytes(), end_of_punctuation(text, last.end)).is_some())
}

/// The end of the punctuation at `end`, after a URL.
fn end_of_punctuation(text: &str, end: usize) -> usize {
    let after = text[end..].trim_start_matches(|c| chars::is_trimmed(c, Iri::Auto));
    text.len() - after.len()
}

/// The end of the line of the URL `url`, which has only punctuation after it, and the start of the
/// text in the next line. `None` if the URL cannot continue there. `last` is the previous URL, from
/// its last piece. Constant time.
fn line_end(text: &str, url: Span, last: Span) -> Option<(usize, usize)> {
    let stop = end_of_punctuation(text, url.end);
    let (next_line, _) = lines::line_below(text.as_bytes(), stop)?;
    let margin = Margin::of_line(text, url.start, last);
    Some((stop, deeper(text, margin.skip(text, next_line))))
}

/// The continuation of a URL after its first line, without a hyphen at the end of it, in its longer
/// [readings].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Next {
    /// With this byte.
    Byte(u8),
    /// In several ways.
    Any,
}

impl Next {
    /// `None` if there are no longer readings. `last` is the previous URL, from its last piece.
    /// Constant time.
    pub(in crate::format) fn of(text: &str, url: &TextUrl, last: Span) -> Option<Self> {
        let &[only] = url.spans.as_slice() else {
            return Some(Self::Any);
        };
        let (stop, next) = line_end(text, only, last)?;
        let at = if stop > only.end { only.end } else { next };
        let byte = *text.as_bytes().get(at)?;
        let ends = [&text[only.range()], &text[only.start..stop]];
        Some(match ends.iter().all(|line| hyphen_len(line) == 0) {
            true => Self::Byte(byte),
            false => Self::Any,
        })
    }

    /// Returns true if a longer reading may continue with `byte`.
    pub(in crate::format) fn may_be(self, byte: u8) -> bool {
        match self {
            Self::Byte(next) => next == byte,
            Self::Any => true,
        }
    }
}

/// The number of bytes on each side of a line break that are enough to search for its joined form
/// elsewhere.
const BEFORE_LINE_END: usize = 24;
const AFTER_LINE_END: usize = 8;

/// Returns true if `holds` is true for the bytes before and after the line break after `url`, which
/// are adjacent in a URL that continues there, with or without the hyphen at the line end. Returns
/// false if no word follows. `last` is the previous URL, from its last piece. Constant time.
pub(in crate::format) fn around_line_end(
    text: &str,
    url: &TextUrl,
    last: Span,
    mut holds: impl FnMut(&[u8], &[u8]) -> bool,
) -> bool {
    let (stop, at) = match url.spans.as_slice() {
        [first, second, ..] => (first.end, second.start),
        [only] => match line_end(text, *only, last) {
            Some(found) => found,
            None => return false,
        },
        [] => return false,
    };
    let bytes = text.as_bytes();
    let next = &bytes[at..text.len().min(at + AFTER_LINE_END)];
    if !next.first().is_some_and(|byte| chars::class(*byte) != chars::Class::Stop) {
        return false;
    }
    // Later characters may be punctuation of the sentence.
    let word = next.iter().skip(1);
    let word = word.take_while(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let next = &next[..1 + word.count()];
    let before = &text[..stop];
    let mut holds_from =
        |stop: usize| holds(&bytes[stop.saturating_sub(BEFORE_LINE_END)..stop], next);
    let hyphen = hyphen_len(before);
    holds_from(stop) || hyphen > 0 && holds_from(stop - hyphen)
}

/// The readings of a bare URL at the end of a line: in its own line, in this and the next line, and
/// so on, as long as each line is one word. Each reading is a list of pieces. `last` is the
/// previous URL, from its last piece.
///
/// Ignores the look of the lines. Constant time.
pub(in crate::format) fn readings(
    text: &str,
    url: &TextUrl,
    last: Span,
    options: &TextOptions,
) -> Vec<Spans> {
    let mut readings = Vec::new();
    let Some(&Span { start, .. }) = url.spans.first() else {
        return readings;
    };
    let within = limited(text, start);
    let Some(len) = within[start..].find(':') else {
        return readings;
    };
    let colon = start + len;
    let slashes = within[colon + 1..].starts_with("//");
    let from = colon + 1 + if slashes { 2 } else { 0 };
    let host = scheme::authority(&text[start..colon], &within[from..]).filter(|_| slashes);
    let host = host.filter(|host| !host.has_user());
    let host = Span::new(from, from + host.map_or(0, |host| host.text.len()));
    let markup = Markup::before(text, start);
    let mut body = Body::new(Reading::Text(options.iri), from, host, markup)
        .with_abbreviated(options.abbreviated);
    let margin = Margin::of_line(text, start, last);
    let mut whole = Spans::new();
    let mut piece = Span::new(start, body.run(within, from));
    let mut end = body.end(text, from, piece.end);
    while end > piece.start && piece.len() <= LONGEST_PIECE && readings.len() < MOST_PIECES {
        let mut reading = whole.clone();
        reading.push(Span::new(piece.start, end));
        readings.push(reading);
        let Some((next_line, _)) = lines::line_below(text.as_bytes(), piece.end) else {
            break;
        };
        let at = margin.skip(text, next_line);
        let at = deeper(text, at);
        let tail = Tail::new(&text[at..], LONGEST_PIECE);
        if tail.word.is_empty() || starts_link(tail.word) || tail.is_assigned() {
            break;
        }
        body.skip(text, piece.end, at);
        whole.push(piece);
        piece = Span::new(at, body.run(limited(text, at), at));
        end = body.end(text, at, piece.end);
    }
    readings
}

/// The text up to the point where a piece that begins at `start` is too long.
fn limited(text: &str, start: usize) -> &str {
    let limit = text.len().min(start + LONGEST_PIECE + 8);
    let limit = (start..=limit).rev().find(|at| text.is_char_boundary(*at));
    &text[..limit.unwrap_or(start)]
}
