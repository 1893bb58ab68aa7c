//! Decoded values, and the offset maps back to their source bytes.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::bytes::{OffsetMap, OffsetMapBuilder, Span};
use crate::link::{Note, Notes};
use crate::source::decode_with_map;

/// Source text with charset and references decoded, and the offset maps to its bytes.
pub(in crate::format) struct Value<'s> {
    pub(in crate::format) text: Cow<'s, str>,
    start: usize,
    malformed: bool,
    /// From the decoded text to the text with references. None if there are no references.
    references: Option<OffsetMap>,
    /// From there to the source. None if the source is UTF-8 or ASCII.
    charset: Option<OffsetMap>,
}

impl<'s> Value<'s> {
    /// Decodes the charset of `span` of `bytes`, but not references.
    pub(in crate::format) fn of_bytes(
        bytes: &'s [u8],
        span: Span,
        encoding: &'static Encoding,
    ) -> Self {
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
    pub(in crate::format) fn of_text(text: &'s str, start: usize) -> Self {
        Self { text: Cow::Borrowed(text), start, malformed: false, references: None, charset: None }
    }

    /// Decodes references by `decode`, which returns the text and its offset map, or None if there
    /// are no references.
    pub(in crate::format) fn decoded(
        self,
        decode: impl FnOnce(&str) -> Option<(String, OffsetMap)>,
    ) -> Self {
        match decode(&self.text) {
            Some((text, map)) => Self { text: Cow::Owned(text), references: Some(map), ..self },
            None => self,
        }
    }

    /// The offset of its first byte in the source.
    pub(in crate::format) fn start(&self) -> usize {
        self.start
    }

    /// The source bytes for `span` of the decoded text.
    pub(in crate::format) fn to_source(&self, span: Span) -> Span {
        let led =
            |map: &Option<OffsetMap>, span| map.as_ref().map_or(span, |map| map.to_source(span));
        led(&self.charset, led(&self.references, span)).shifted(self.start)
    }

    /// The offset in the decoded text of the byte at `source`, or of the text after it. Cost:
    /// logarithmic.
    pub(in crate::format) fn position(&self, source: usize) -> usize {
        let (mut low, mut high) = (0, self.text.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.to_source(Span::new(middle, middle)).start < source {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // A link begins and ends with whole characters, unless the value is not that of the link.
        (low..=self.text.len())
            .find(|&at| self.text.is_char_boundary(at))
            .unwrap_or(self.text.len())
    }

    /// The notes on the part `span` of a value. Ignores bytes elsewhere in it.
    pub(in crate::format) fn notes(&self, span: Span) -> Notes {
        if self.malformed && self.text[span.range()].contains('\u{FFFD}') {
            Notes::NONE.with(Note::Undecodable)
        } else {
            Notes::NONE
        }
    }
}

/// Decodes the references of `text`. `None` if there are none. `find` returns the first offset from
/// the given one on where a reference may begin. `read` returns the length of the reference at an
/// offset, and the one or two characters that it refers to.
pub(super) fn decode_references(
    text: &str,
    find: impl Fn(usize) -> Option<usize>,
    read: impl Fn(usize) -> Option<(usize, char, Option<char>)>,
) -> Option<(String, OffsetMap)> {
    let mut next = Some(find(0)?);
    let mut out = String::with_capacity(text.len());
    let mut map = OffsetMapBuilder::default();
    let mut copied = 0;
    while let Some(at) = next {
        let mut end = at + 1;
        if let Some((len, first, second)) = read(at) {
            out.push_str(&text[copied..at]);
            map.push(at - copied, 1, 1);
            let before = out.len();
            out.push(first);
            out.extend(second);
            map.push(1, out.len() - before, len);
            end = at + len;
            copied = end;
        }
        next = find(end);
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    map.push(text.len() - copied, 1, 1);
    Some((out, map.finish()))
}
