//! Decoded values, and the offset maps back to their source bytes.

use std::borrow::Cow;

#[cfg(feature = "html")]
use encoding_rs::{Encoding, UTF_8};

#[cfg(feature = "html")]
use crate::bytes::OffsetMap;
use crate::bytes::Span;
use crate::link::{Note, Notes};
use crate::source::Text;
#[cfg(feature = "html")]
use crate::source::decode_with_map;

/// Source text with charset and references decoded, and the offset maps to its bytes.
#[cfg(feature = "html")]
pub(super) struct Value<'s> {
    pub(super) text: Cow<'s, str>,
    start: usize,
    malformed: bool,
    /// From the decoded text to the text with references. None if there are no references.
    references: Option<OffsetMap>,
    /// From there to the source. None if the source is UTF-8 or ASCII.
    charset: Option<OffsetMap>,
}

#[cfg(feature = "html")]
impl<'s> Value<'s> {
    /// Decodes the charset of `span` of `bytes`, but not references.
    pub(super) fn of_bytes(bytes: &'s [u8], span: Span, encoding: &'static Encoding) -> Self {
        let source = &bytes[span.range()];
        let plain = std::str::from_utf8(source).ok();
        if let Some(text) = plain.filter(|text| encoding == UTF_8 || text.is_ascii()) {
            return Self::of_text(text, span.start);
        }
        let (text, map, malformed) = decode_with_map(source, encoding);
        Self {
            text: Cow::Owned(text),
            charset: Some(map),
            malformed: malformed.is_some(),
            ..Self::of_text("", span.start)
        }
    }

    /// A value of the text that begins at byte `start` of the source.
    pub(super) fn of_text(text: &'s str, start: usize) -> Self {
        Self {
            text: Cow::Borrowed(text),
            start,
            malformed: false,
            references: None,
            charset: None,
        }
    }

    /// Decodes references by `decode`, which returns the text and its offset map, or None if there are no references.
    pub(super) fn decoded(self, decode: impl FnOnce(&str) -> Option<(String, OffsetMap)>) -> Self {
        match decode(&self.text) {
            Some((text, map)) => Self {
                text: Cow::Owned(text),
                references: Some(map),
                ..self
            },
            None => self,
        }
    }

    /// The offset of its first byte in the source.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The source bytes for `span` of the decoded text.
    pub(super) fn to_source(&self, span: Span) -> Span {
        let led =
            |map: &Option<OffsetMap>, span| map.as_ref().map_or(span, |map| map.to_source(span));
        led(&self.charset, led(&self.references, span)).shifted(self.start)
    }

    /// The notes on the part `span` of a value. Ignores bytes elsewhere in it.
    pub(super) fn notes(&self, span: Span) -> Notes {
        if self.malformed && self.text[span.range()].contains('\u{FFFD}') {
            Notes::NONE.with(Note::Undecodable)
        } else {
            Notes::NONE
        }
    }
}

/// The notes on the part `span` of a decoded document.
pub(crate) fn notes_of(decoded: &Text<'_>, span: Span) -> Notes {
    let is_undecodable =
        decoded.malformed.is_some() && decoded.text[span.range()].contains('\u{FFFD}');
    match is_undecodable {
        true => Notes::NONE.with(Note::Undecodable),
        false => Notes::NONE,
    }
}

/// Strips leading and trailing C0 controls and spaces, and all tabs and line breaks (URL standard, section 4.4).
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
    if trimmed.contains(is_dropped) {
        Cow::Owned(trimmed.replace(is_dropped, ""))
    } else {
        trimmed
    }
}
