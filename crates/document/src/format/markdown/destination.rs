//! Destinations, titles and labels (CommonMark, sections 4.7 and 6.3).

use std::borrow::Cow;

use memchr::memchr2;

use super::line::{is_blank, is_space};
use crate::bytes::Span;
use crate::format::markup::charref::complete_reference_at;

/// The maximum depth of parentheses in a destination. The standard demands at least 3;
/// implementations have this limit.
pub(super) const MOST_PARENTHESES: usize = 32;

/// The maximum length of a label in characters (CommonMark, section 4.7).
const LONGEST_LABEL: usize = 999;

/// A destination in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Destination {
    /// The bytes that spell it, without `<` and `>`.
    pub(super) span: Span,
    /// True if it is in `<` and `>`.
    pub(super) is_bracketed: bool,
    /// The offset after it.
    pub(super) end: usize,
}

/// The destination at `at`. A bare one may be empty.
pub(super) fn destination(text: &[u8], at: usize) -> Option<Destination> {
    if text.get(at) == Some(&b'<') {
        let mut end = at + 1;
        loop {
            match text.get(end)? {
                b'>' => break,
                b'<' | b'\n' | b'\r' => return None,
                b'\\' if text.get(end + 1).is_some_and(u8::is_ascii_punctuation) => end += 2,
                _ => end += 1,
            }
        }
        return Some(Destination {
            span: Span::new(at + 1, end),
            is_bracketed: true,
            end: end + 1,
        });
    }
    let (mut end, mut open) = (at, 0);
    while let Some(&byte) = text.get(end) {
        match byte {
            b'(' if open == MOST_PARENTHESES => return None,
            b'(' => open += 1,
            b')' if open == 0 => break,
            b')' => open -= 1,
            b'\\' if text.get(end + 1).is_some_and(u8::is_ascii_punctuation) => end += 1,
            b'\0' => {}
            byte if byte.is_ascii_control() || byte == b' ' => break,
            _ => {}
        }
        end += 1;
    }
    // Only a blank or the end of the link may follow: not another control character.
    let is_ended = text.get(end).is_none_or(|&byte| byte == b')' || is_space(byte));
    (open == 0 && is_ended).then_some(Destination {
        span: Span::new(at, end),
        is_bracketed: false,
        end,
    })
}

/// The offset after the title at `at`, with its delimiters.
pub(super) fn end_of_title(text: &[u8], at: usize) -> Option<usize> {
    let open = *text.get(at)?;
    let close = match open {
        b'"' | b'\'' => open,
        b'(' => b')',
        _ => return None,
    };
    let mut at = at + 1;
    loop {
        at += match close {
            b')' => text[at..].iter().position(|byte| matches!(byte, b'(' | b')' | b'\\'))?,
            _ => memchr2(close, b'\\', &text[at..])?,
        };
        match text[at] {
            byte if byte == close => return Some(at + 1),
            b'\\' => at += 2,
            _ => return None,
        }
        if at > text.len() {
            return None;
        }
    }
}

/// The offset after the white space at `at`, with at most one line end. A text of a block has no
/// blank lines.
pub(super) fn skip_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| !is_space(byte)).unwrap_or(rest.len())
}

/// The offset after the blanks at `at`.
pub(super) fn skip_blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| !is_blank(byte)).unwrap_or(rest.len())
}

/// The offset of the `]` of the label whose content begins at `at`. The content is without
/// brackets, except for escaped ones.
pub(super) fn end_of_label(text: &[u8], at: usize) -> Option<usize> {
    // No character has more than four bytes.
    let limit = text.len().min(at + 4 * LONGEST_LABEL + 1);
    let mut end = at;
    while end < limit {
        match text[end] {
            b']' => return is_short(&text[at..end]).then_some(end),
            b'[' => return None,
            b'\\' if text.get(end + 1).is_some_and(u8::is_ascii_punctuation) => end += 2,
            _ => end += 1,
        }
    }
    None
}

/// Returns true if a text is not too long for a label.
pub(super) fn is_short(label: &[u8]) -> bool {
    // Bytes of UTF-8 that continue a character are not counted.
    label.len() <= LONGEST_LABEL
        || label.len() <= 4 * LONGEST_LABEL
            && label.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() <= LONGEST_LABEL
}

/// A label in the form in which labels are compared: in one case of letters, with white space
/// collapsed. `None` if it is blank.
pub(super) fn normalized_label(label: &str) -> Option<Box<str>> {
    let mut normalized = String::with_capacity(label.len());
    for word in label.split(|it: char| u8::try_from(it).is_ok_and(is_space)) {
        if word.is_empty() {
            continue;
        }
        if !normalized.is_empty() {
            normalized.push(' ');
        }
        normalized.push_str(word);
    }
    if normalized.is_empty() {
        return None;
    }
    if normalized.is_ascii() {
        normalized.make_ascii_uppercase();
    } else {
        // Together, the two are nearly Unicode's case folding: `ẞ` and `SS` are equal.
        normalized = normalized.to_lowercase().to_uppercase();
    }
    Some(normalized.into())
}

/// A unit of a destination: a character, an escape or a character reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit<'s> {
    /// The bytes that spell it.
    pub(super) source: &'s str,
    /// The characters that it spells.
    pub(super) first: char,
    pub(super) second: Option<char>,
}

/// The units of the destination that `source` spells (CommonMark, sections 2.4 and 2.5).
pub(super) fn units(source: &str) -> impl Iterator<Item = Unit<'_>> {
    let mut rest = source;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (len, first, second) = match first {
            '\\' => match rest.as_bytes().get(1) {
                Some(byte) if byte.is_ascii_punctuation() => (2, char::from(*byte), None),
                _ => (1, first, None),
            },
            '&' => complete_reference_at(rest).unwrap_or((1, first, None)),
            '\0' => (1, '\u{FFFD}', None),
            _ => (first.len_utf8(), first, None),
        };
        let source = &rest[..len];
        rest = &rest[len..];
        Some(Unit { source, first, second })
    })
}

/// The reference that a destination spells.
pub(super) fn decoded(source: &str) -> Cow<'_, str> {
    let is_special = |byte: &u8| matches!(byte, b'\\' | b'&' | b'\0');
    if !source.as_bytes().iter().any(is_special) {
        return source.into();
    }
    let mut text = String::with_capacity(source.len());
    for unit in units(source) {
        text.push(unit.first);
        text.extend(unit.second);
    }
    match text == source {
        true => source.into(),
        false => text.into(),
    }
}
