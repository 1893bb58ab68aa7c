//! Values decoded, and the way back to the bytes that spell them.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::bytes::{OffsetMap, Span, Spans};
use crate::link::{Note, Notes};
use crate::source::decode_with_map;

/// Source text with its charset and references decoded, and the way back.
pub(super) struct Value<'s> {
    pub(super) text: Cow<'s, str>,
    start: usize,
    malformed: bool,
    /// From the decoded text to the text with references; none where there are no references.
    references: Option<OffsetMap>,
    /// From there to the source; none where that is UTF-8 or ASCII.
    charset: Option<OffsetMap>,
}

impl<'s> Value<'s> {
    /// What `span` of `bytes` spells, without regard to references.
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

    /// The same of a text that begins at `start`.
    pub(super) fn of_text(text: &'s str, start: usize) -> Self {
        Self {
            text: Cow::Borrowed(text),
            start,
            malformed: false,
            references: None,
            charset: None,
        }
    }

    /// The same with its references decoded, by something that gives the text and the way back, or none where
    /// there are no references.
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

    /// The bytes of the source that spell the bytes `span` of the decoded text.
    pub(super) fn to_source(&self, span: Span) -> Span {
        let led =
            |map: &Option<OffsetMap>, span| map.as_ref().map_or(span, |map| map.to_source(span));
        led(&self.charset, led(&self.references, span)).shifted(self.start)
    }

    /// The notes on the part `span` of a value: bytes elsewhere in it say nothing about it.
    pub(super) fn notes(&self, span: Span) -> Notes {
        if self.malformed && self.text[span.range()].contains('\u{FFFD}') {
            Notes::NONE.with(Note::Undecodable)
        } else {
            Notes::NONE
        }
    }
}

/// The pieces of `text` under `spans`, put together; borrowed where `text` is and there is one.
pub(crate) fn join<'t>(text: &Cow<'t, str>, spans: &Spans) -> Cow<'t, str> {
    match (spans.as_slice(), text) {
        ([span], Cow::Borrowed(text)) => Cow::Borrowed(&text[span.range()]),
        (spans, text) => spans
            .iter()
            .map(|span| &text[span.range()])
            .collect::<String>()
            .into(),
    }
}

/// What the URL parser does before it parses: C0 controls and blanks at both ends, and tabs and
/// line breaks anywhere, are no part of the URL (URL standard, section 4.4).
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
