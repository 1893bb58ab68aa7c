//! Values decoded, and the way back to the bytes that spell them.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use super::charref::{self, Within};
use crate::document::decode_with_map;
use crate::find::{Note, Notes};
use crate::span::{OffsetMap, Span};

/// Source text with its charset and character references decoded, and the way back.
pub(in crate::find) struct Value<'s> {
    pub(super) text: Cow<'s, str>,
    start: usize,
    malformed: bool,
    /// From the decoded text to the text with references; none where there are no references.
    references: Option<OffsetMap>,
    /// From there to the source; none where that is UTF-8 or ASCII.
    charset: Option<OffsetMap>,
}

impl<'s> Value<'s> {
    /// The value that `span` of `bytes` spells.
    pub(super) fn decode(
        bytes: &'s [u8],
        span: Span,
        encoding: &'static Encoding,
        within: Within,
    ) -> Self {
        Self::decode_charset(bytes, span, encoding).with_references(within)
    }

    /// The same where there are no character references.
    pub(super) fn decode_charset(bytes: &'s [u8], span: Span, encoding: &'static Encoding) -> Self {
        let source = &bytes[span.range()];
        let plain = std::str::from_utf8(source).ok();
        if let Some(text) = plain.filter(|text| encoding == UTF_8 || text.is_ascii()) {
            return Self::plain(text, span.start);
        }
        let (text, map, malformed) = decode_with_map(source, encoding);
        Self {
            text: Cow::Owned(text),
            charset: Some(map),
            malformed: malformed.is_some(),
            ..Self::plain("", span.start)
        }
    }

    /// The value of a text that begins at `start`.
    pub(super) fn of_text(text: &'s str, start: usize, within: Within) -> Self {
        Self::plain(text, start).with_references(within)
    }

    /// The same where there are no character references.
    pub(super) fn plain(text: &'s str, start: usize) -> Self {
        Self {
            text: Cow::Borrowed(text),
            start,
            malformed: false,
            references: None,
            charset: None,
        }
    }

    fn with_references(self, within: Within) -> Self {
        match charref::decode(&self.text, within) {
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
