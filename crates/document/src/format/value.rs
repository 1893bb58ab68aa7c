//! Functions that the readers of several languages share.

use std::borrow::Cow;

use crate::bytes::Span;
use crate::link::{Note, Notes};
use crate::source::Text;

/// The notes on the part `span` of a decoded document.
pub(crate) fn notes_of(decoded: &Text<'_>, span: Span) -> Notes {
    let is_undecodable =
        decoded.malformed.is_some() && decoded.text[span.range()].contains('\u{FFFD}');
    match is_undecodable {
        true => Notes::NONE.with(Note::Undecodable),
        false => Notes::NONE,
    }
}

/// Strips leading and trailing C0 controls and spaces, and all tabs and line breaks (URL standard,
/// section 4.4).
pub(crate) fn strip(value: Cow<'_, str>) -> Cow<'_, str> {
    if !value.bytes().any(|byte| byte <= b' ') {
        return value;
    }
    let is_dropped = |character: char| matches!(character, '\t' | '\n' | '\r');
    let is_blank = |character: char| character <= ' ';
    let trimmed = match value {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(is_blank)),
        Cow::Owned(text) => Cow::Owned(text.trim_matches(is_blank).to_owned()),
    };
    if trimmed.contains(is_dropped) { Cow::Owned(trimmed.replace(is_dropped, "")) } else { trimmed }
}
