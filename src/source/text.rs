//! Decoding a document, with a map to its bytes.

use std::borrow::Cow;

use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP, UTF_8};

use super::Charset;
use super::utf8::from_utf8;
use crate::bytes::{OffsetMap, OffsetMapBuilder, Span};

/// The decoded text of a document, with a map to its bytes.
#[derive(Clone, Debug)]
pub struct Text<'d> {
    /// The text, without a byte order mark.
    pub text: Cow<'d, str>,
    /// The offset of the first byte that is invalid in the charset. Invalid bytes are decoded as U+FFFD.
    pub malformed: Option<usize>,
    bom_len: usize,
    /// `None` if text and source differ only in the byte order mark.
    map: Option<OffsetMap>,
}

impl<'d> Text<'d> {
    /// Decodes `bytes`, which begin with the charset's byte order mark if it has one.
    pub fn decode(bytes: &'d [u8], charset: Charset) -> Self {
        let bom_len = charset.bom_len();
        let body = &bytes[bom_len..];
        if charset.encoding() == UTF_8
            && let Some(text) = from_utf8(body)
        {
            return Self {
                text: Cow::Borrowed(text),
                malformed: None,
                bom_len,
                map: None,
            };
        }
        let (text, map, malformed) = decode_with_map(body, charset.encoding());
        Self {
            text: Cow::Owned(text),
            malformed: malformed.map(|at| at + bom_len),
            bom_len,
            map: Some(map),
        }
    }

    /// The document bytes of the text bytes `span`.
    ///
    /// In ISO-2022-JP they include the escape sequence directly before the first character that needs it;
    /// without it the bytes would decode to other characters.
    pub fn to_source(&self, span: Span) -> Span {
        let Some(map) = &self.map else {
            return span.shifted(self.bom_len);
        };
        source_span(map, self.text.as_bytes().get(span.start), span).shifted(self.bom_len)
    }
}

/// The source bytes of the text bytes `span`, whose first byte is `first`.
fn source_span(map: &OffsetMap, first: Option<&u8>, span: Span) -> Span {
    let mut source = map.to_source(span);
    if first.is_some_and(|byte| !byte.is_ascii()) {
        source.start -= map.skipped_before(span.start);
    }
    source
}

/// Decodes `bytes`. The third value is the offset of the first invalid byte.
pub(crate) fn decode_with_map(
    bytes: &[u8],
    encoding: &'static Encoding,
) -> (String, OffsetMap, Option<usize>) {
    let mut decoder = TextDecoder::new(encoding);
    decoder.text.reserve(bytes.len() + bytes.len() / 2);
    decoder.push(bytes, true);
    let malformed = decoder.malformed.map(|malformed| malformed.source);
    (decoder.text, decoder.map.finish(), malformed)
}

/// An incremental decoder with a map to the source. ASCII is mapped in runs. Elsewhere each byte is decoded
/// separately, to count the source bytes of each piece of text.
pub(crate) struct TextDecoder {
    encoding: &'static Encoding,
    decoder: Decoder,
    map: OffsetMapBuilder,
    text: String,
    /// The offset of `text` in the whole text.
    text_start: usize,
    /// The number of source bytes read.
    read: usize,
    /// The last source bytes read, which have no text yet.
    pending: Vec<u8>,
    /// Whether the decoder has no pending state, so that ASCII may bypass it.
    is_idle: bool,
    malformed: Option<Malformed>,
}

/// The first invalid byte of a source, and the offset of its U+FFFD in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Malformed {
    source: usize,
    text: usize,
}

impl TextDecoder {
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        Self {
            encoding,
            decoder: encoding.new_decoder_without_bom_handling(),
            map: OffsetMapBuilder::default(),
            text: String::new(),
            text_start: 0,
            read: 0,
            pending: Vec::new(),
            is_idle: encoding.is_ascii_compatible(),
            malformed: None,
        }
    }

    /// The decoded text that was not discarded.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The number of the last bytes that have no text yet.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// The source bytes of the bytes `span` of [`text`](Self::text).
    pub(crate) fn to_source(&self, span: Span) -> Span {
        let first = self.text.as_bytes().get(span.start);
        source_span(self.map.as_map(), first, span.shifted(self.text_start))
    }

    /// The offset of the first invalid byte, and that of its U+FFFD in [`text`](Self::text) if it was not
    /// discarded.
    pub(crate) fn malformed(&self) -> Option<(usize, Option<usize>)> {
        let Malformed { source, text } = self.malformed?;
        Some((source, text.checked_sub(self.text_start)))
    }

    /// Discards the first `len` bytes of the text.
    pub(crate) fn forget(&mut self, len: usize) {
        self.text.drain(..len);
        self.text_start += len;
        self.map.discard_before(self.text_start);
    }

    /// Decodes `bytes`. With `last`, no more bytes follow.
    pub(crate) fn push(&mut self, bytes: &[u8], last: bool) {
        if self.encoding == UTF_8 {
            self.push_utf8(bytes, last);
        } else {
            self.push_legacy(bytes, last);
        }
        if last {
            self.map.push(1, 0, self.pending.len());
        }
    }

    fn push_utf8(&mut self, bytes: &[u8], last: bool) {
        let joined;
        let mut bytes = bytes;
        if !self.pending.is_empty() {
            self.read -= self.pending.len();
            self.pending.extend_from_slice(bytes);
            joined = std::mem::take(&mut self.pending);
            bytes = &joined;
        }
        // The usual case, much faster.
        if let Some(valid) = from_utf8(bytes) {
            self.text.push_str(valid);
            self.map.push(valid.len(), 1, 1);
            self.read += valid.len();
            return;
        }
        let mut left = bytes.len();
        for chunk in bytes.utf8_chunks() {
            let (valid, invalid) = (chunk.valid(), chunk.invalid());
            self.text.push_str(valid);
            self.map.push(valid.len(), 1, 1);
            self.read += valid.len();
            left -= valid.len() + invalid.len();
            if invalid.is_empty() {
                continue;
            }
            let is_cut = std::str::from_utf8(invalid).is_err_and(|it| it.error_len().is_none());
            if left == 0 && is_cut && !last {
                self.pending.extend_from_slice(invalid);
                self.read += invalid.len();
            } else {
                self.note_malformed(self.read);
                self.text.push('\u{FFFD}');
                self.map.push(1, '\u{FFFD}'.len_utf8(), invalid.len());
                self.read += invalid.len();
            }
        }
    }

    fn push_legacy(&mut self, bytes: &[u8], last: bool) {
        let mut at = 0;
        while at < bytes.len() {
            if self.is_idle {
                let ascii = Encoding::ascii_valid_up_to(&bytes[at..]);
                self.copy_ascii(&bytes[at..at + ascii]);
                at += ascii;
                self.is_idle = false;
            } else {
                let byte = bytes[at];
                let before = self.text.len();
                let (read, _) = self.step(&bytes[at..=at], false);
                at += read;
                self.is_idle = self.encoding.is_ascii_compatible()
                    && byte.is_ascii()
                    && self.pending.is_empty()
                    && self.text.as_bytes()[before..].ends_with(&[byte]);
            }
        }
        while last && !self.step(b"", true).1 {}
    }

    fn copy_ascii(&mut self, run: &[u8]) {
        self.text.extend(run.iter().map(|&byte| char::from(byte)));
        self.map.push(run.len(), 1, 1);
        self.read += run.len();
    }

    /// Decodes `input`, one byte or none, and maps the output. Returns the number of bytes read, and whether
    /// they were valid.
    fn step(&mut self, input: &[u8], last: bool) -> (usize, bool) {
        let mut buffer = [0; 16];
        let (result, read, written) =
            self.decoder
                .decode_to_utf8_without_replacement(input, &mut buffer, last);
        self.read += read;
        self.pending.extend_from_slice(&input[..read]);
        self.map_pending(std::str::from_utf8(&buffer[..written]).unwrap_or_default());
        let DecoderResult::Malformed(_, taken_after) = result else {
            return (read, true);
        };
        let taken_after = usize::from(taken_after).min(self.pending.len());
        let after = self.pending.split_off(self.pending.len() - taken_after);
        self.note_malformed(self.read - taken_after - self.pending.len());
        self.map_pending("\u{FFFD}");
        self.pending = after;
        if read > 0 && !self.pending.is_empty() {
            // The decoder still has the unit after a lone surrogate, which comes before the next byte.
            self.step(b"", false);
        }
        (read, false)
    }

    /// Maps the text `new` to the pending bytes.
    fn map_pending(&mut self, new: &str) {
        // The escape sequences of ISO-2022-JP have no text: a link after one does not begin with it.
        let mut skipped = 0;
        let escape = |pending: &[u8]| pending.len() > 3 && pending[0] == 0x1B;
        while self.encoding == ISO_2022_JP && escape(&self.pending[skipped..]) {
            skipped += 3;
        }
        self.map.push(skipped / 3, 0, 3);
        self.pending.drain(..skipped);
        let Some(last) = new.chars().next_back() else {
            return;
        };
        let before_last = new.len() - last.len_utf8();
        if before_last > 0 && self.pending.len() > 1 && last.is_ascii() {
            // The text that the decoder held back, and the byte that released it.
            self.map.push(1, before_last, self.pending.len() - 1);
            self.map.push(1, 1, 1);
        } else {
            self.map.push(1, new.len(), self.pending.len());
        }
        self.text.push_str(new);
        self.pending.clear();
    }

    /// Records that the bytes at `source` are invalid, before U+FFFD is appended to the text.
    fn note_malformed(&mut self, source: usize) {
        let text = self.text_start + self.text.len();
        self.malformed.get_or_insert(Malformed { source, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(label: &str, bytes: &[u8]) -> (String, Vec<(usize, usize)>) {
        let charset = Charset::named(label, bytes).unwrap();
        let text = Text::decode(bytes, charset);
        let spans = text.text.char_indices().map(|(at, character)| {
            let span = text.to_source(Span::new(at, at + character.len_utf8()));
            (span.start, span.end)
        });
        let spans = spans.collect();
        (text.text.into_owned(), spans)
    }

    #[test]
    fn utf16_is_decoded_in_both_byte_orders() {
        let (text, spans) = decoded("utf-16le", b"\xFF\xFEa\0\x2D\x4E\x34\xD8\x1E\xDDb\0");
        assert_eq!(text, "a中𝄞b");
        assert_eq!(spans, [(2, 4), (4, 6), (6, 10), (10, 12)]);
        assert_eq!(decoded("utf-16be", b"\0a\0b").1, [(0, 2), (2, 4)]);
        let (text, spans) = decoded("utf-16be", b"\xD8\0\0\n\0a\xD8\0\xD8\0\0b");
        assert_eq!(text, "\u{FFFD}\na\u{FFFD}\u{FFFD}b");
        assert_eq!(spans, [(0, 2), (2, 4), (4, 6), (6, 8), (8, 10), (10, 12)]);
    }

    #[test]
    fn multi_byte_encodings_are_mapped() {
        let (text, spans) = decoded("shift_jis", b"a\x93\xFAb\xB1");
        assert_eq!(text, "a日bｱ");
        assert_eq!(spans, [(0, 1), (1, 3), (3, 4), (4, 5)]);
        let (text, spans) = decoded("gb18030", b"\xD6\xD0\x81\x30\x81\x30x");
        assert_eq!(text, "中\u{80}x");
        assert_eq!(spans, [(0, 2), (2, 6), (6, 7)]);
    }

    #[test]
    fn escape_sequences_belong_to_the_characters_that_need_them() {
        let (text, spans) = decoded("iso-2022-jp", b"a\x1B$B\x46\x7C\x1B(Bb\x1B$B");
        assert_eq!(text, "a日b");
        assert_eq!(spans, [(0, 1), (1, 6), (9, 10)]);
    }

    #[test]
    fn invalid_sequences_exclude_the_next_character() {
        let (text, spans) = decoded("shift_jis", b"\x93<a");
        assert_eq!(text, "\u{FFFD}<a");
        assert_eq!(spans, [(0, 1), (1, 2), (2, 3)]);
        let (text, spans) = decoded("utf-8", b"a\xE4\xB8<\xFF");
        assert_eq!(text, "a\u{FFFD}<\u{FFFD}");
        assert_eq!(spans, [(0, 1), (1, 3), (3, 4), (4, 5)]);
        let text = Text::decode(b"a\xE4\xB8<", Charset::named("utf-8", b"").unwrap());
        assert_eq!(text.malformed, Some(1));
    }

    proptest! {
        #[test]
        fn text_equals_that_of_encoding_rs_and_spans_tile_the_source(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0x1B), Just(b'a'), Just(b'<')], 0..60),
            label in proptest::sample::select(vec![
                "utf-8", "utf-16le", "utf-16be", "shift_jis", "gb18030", "big5", "euc-jp", "euc-kr",
                "iso-2022-jp", "windows-1252", "koi8-r",
            ]),
        ) {
            let charset = Charset::named(label, b"").unwrap();
            let text = Text::decode(&bytes, charset);
            let (expected, _) = charset.encoding().decode_without_bom_handling(&bytes);
            prop_assert_eq!(&text.text, &expected);
            let mut end = 0;
            for (at, character) in text.text.char_indices() {
                let span = text.to_source(Span::new(at, at + character.len_utf8()));
                prop_assert!(span.end <= bytes.len());
                prop_assert!(span.end >= end, "{:?} begins before {}", span, end);
                end = span.end;
            }
        }
    }
}
