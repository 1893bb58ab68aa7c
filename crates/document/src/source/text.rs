//! Decoding a document, with a map to its bytes.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, Decoder, DecoderResult, EUC_JP, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8,
};

use super::Charset;
use super::character_index::CharacterIndex;
use super::utf8::from_utf8;
use crate::bytes::{OffsetMap, OffsetMapBuilder, Span};

/// The decoded text of a document, with a map to its bytes.
#[derive(Clone, Debug)]
pub struct Text<'d> {
    /// The text, without a byte order mark.
    pub text: Cow<'d, str>,
    /// The offset of the first byte that is invalid in the charset. Invalid bytes are decoded as
    /// U+FFFD.
    pub malformed: Option<usize>,
    bom_len: usize,
    map: Map,
}

/// A map from the text to the source without its byte order mark.
#[derive(Clone, Debug)]
enum Map {
    /// Text and source are equal.
    Same,
    /// Each character is a byte.
    Characters(CharacterIndex),
    Runs(OffsetMap),
}

impl<'d> Text<'d> {
    /// Decodes `bytes`, which begin with the charset's byte order mark if it has one.
    pub fn decode(bytes: &'d [u8], charset: Charset) -> Self {
        let bom_len = charset.bom_len();
        let body = &bytes[bom_len..];
        if charset.encoding() == UTF_8
            && let Some(text) = from_utf8(body)
        {
            return Self { text: Cow::Borrowed(text), malformed: None, bom_len, map: Map::Same };
        }
        let (text, map, malformed) = match charset.encoding().is_single_byte() {
            true => {
                let (text, index, malformed) = CharacterIndex::decode(body, charset.encoding());
                (text, Map::Characters(index), malformed)
            }
            false => {
                let (text, map, malformed) = decode_with_map(body, charset.encoding());
                (text, Map::Runs(map), malformed)
            }
        };
        Self { text: Cow::Owned(text), malformed: malformed.map(|at| at + bom_len), bom_len, map }
    }

    /// The document bytes of the text bytes `span`.
    ///
    /// In ISO-2022-JP they include the escape sequence directly before the first character that
    /// needs it; without it the bytes would decode to other characters.
    pub fn to_source(&self, span: Span) -> Span {
        let source = match &self.map {
            Map::Same => span,
            Map::Characters(index) => index.to_source(&self.text, span),
            Map::Runs(map) => source_span(map, self.text.as_bytes().get(span.start), span),
        };
        source.shifted(self.bom_len)
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

/// An incremental decoder with a map to the source. Text whose characters have one or two bytes is
/// decoded in pieces, in a third of the time. Elsewhere each byte is decoded separately, to count
/// the source bytes of each piece of text.
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
    /// True if the decoder has no pending state, so that ASCII may bypass it.
    is_idle: bool,
    malformed: Option<Malformed>,
    /// The number of source bytes up to which each byte is decoded separately, since one of them is
    /// invalid.
    careful_until: usize,
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
            careful_until: 0,
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

    /// The offset of the first invalid byte, and that of its U+FFFD in [`text`](Self::text) if it
    /// was not discarded.
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
                at += match self.read < self.careful_until {
                    true => self.copy_ascii(&bytes[at..]),
                    false => self.push_units(&bytes[at..]),
                };
                self.is_idle = at == bytes.len();
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

    /// Copies the ASCII that `bytes` begin with. Returns its length.
    fn copy_ascii(&mut self, bytes: &[u8]) -> usize {
        let ascii = &bytes[..Encoding::ascii_valid_up_to(bytes)];
        self.text.push_str(from_utf8(ascii).unwrap_or_default());
        self.map.push(ascii.len(), 1, 1);
        self.read += ascii.len();
        ascii.len()
    }

    /// Decodes the characters of one and of two bytes that `bytes` begin with. Returns the number
    /// of bytes that were read, which is less than that of these characters where one is invalid.
    fn push_units(&mut self, bytes: &[u8]) -> usize {
        let mut read = 0;
        while read < bytes.len() && self.read >= self.careful_until {
            match self.push_piece(&bytes[read..]) {
                0 => break,
                len => read += len,
            }
        }
        read
    }

    /// Decodes a piece of text: see [`push_units`](Self::push_units).
    fn push_piece(&mut self, bytes: &[u8]) -> usize {
        let encoding = self.encoding;
        if bytes.first_chunk::<LONG>().is_some_and(|it| it.is_ascii()) {
            return self.copy_ascii(bytes);
        }
        let (len, units) = units(encoding, bytes);
        // In a string, its whole spare room would be filled first.
        let mut buffer = [0; LONGEST_TEXT];
        let (result, _, written) =
            self.decoder.decode_to_utf8_without_replacement(&bytes[..len], &mut buffer, false);
        let text = from_utf8(&buffer[..written]).unwrap_or_default();
        if result != DecoderResult::InputEmpty || text.chars().count() != units {
            self.decoder = encoding.new_decoder_without_bom_handling();
            self.careful_until = self.read + len;
            return self.copy_ascii(&bytes[..len]);
        }
        let mut source = 0;
        let (mut count, mut unit) = (0, (1, 1));
        for c in text.chars() {
            let width = c.len_utf8();
            let next = match width {
                1 => (1, 1),
                _ => (width, unit_len(encoding, &bytes[source..]).unwrap_or(1)),
            };
            if next != unit {
                self.map.push(count, unit.0, unit.1);
                (count, unit) = (0, next);
            }
            count += 1;
            source += next.1;
        }
        self.map.push(count, unit.0, unit.1);
        self.text.push_str(text);
        self.read += len;
        len
    }

    /// Decodes `input`, one byte or none, and maps the output. Returns the number of bytes read,
    /// and true if they were valid.
    fn step(&mut self, input: &[u8], last: bool) -> (usize, bool) {
        let mut buffer = [0; 16];
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(input, &mut buffer, last);
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
            // The decoder still has the unit after a lone surrogate, which comes before the next
            // byte.
            self.step(b"", false);
        }
        (read, false)
    }

    /// Maps the text `new` to the pending bytes.
    fn map_pending(&mut self, new: &str) {
        // The escape sequences of ISO-2022-JP have no text: a link after one does not begin with
        // it.
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

/// The number of bytes that are decoded at once. If one of them is invalid, all are decoded again.
const PIECE: usize = 1 << 10;

/// The shortest ASCII text that is copied, not decoded.
const LONG: usize = 128;

/// The length of a buffer for the text of a piece.
const LONGEST_TEXT: usize = 4 * PIECE;

/// The length of the characters of one and of two bytes that `bytes` begin with, up to about
/// [`PIECE`], and their number.
fn units(encoding: &'static Encoding, bytes: &[u8]) -> (usize, usize) {
    let most = PIECE.min(bytes.len());
    if encoding.is_single_byte() {
        return (most, most);
    }
    let (mut len, mut units) = (0, 0);
    while len < most {
        let unit = match bytes[len].is_ascii() {
            true => Some(1),
            false => unit_len(encoding, &bytes[len..]),
        };
        let Some(unit) = unit else { break };
        len += unit;
        units += 1;
    }
    (len, units)
}

/// The length of the character that `bytes` begin with, which is not ASCII. `None` if it may have
/// more than two bytes, may be two characters, or is incomplete.
#[inline]
fn unit_len(encoding: &'static Encoding, bytes: &[u8]) -> Option<usize> {
    let [lead, rest @ ..] = bytes else {
        return None;
    };
    if encoding.is_single_byte() {
        return Some(1);
    }
    let is_single = encoding == SHIFT_JIS && matches!(lead, 0x80 | 0xA1..=0xDF)
        || encoding == GBK && *lead == 0x80
        || encoding == GB18030 && *lead == 0x80;
    if is_single {
        return Some(1);
    }
    let is_longer = encoding == BIG5 && *lead == 0x88 || encoding == EUC_JP && *lead == 0x8F;
    match rest {
        [0x40..=0xFF, ..] if !is_longer => Some(2),
        _ => None,
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
        fn pieces_are_decoded_like_single_bytes(
            units in proptest::collection::vec(
                prop_oneof![
                    8 => proptest::sample::select(vec![
                        &b"a"[..], b"\n", b"words of a text ", b"<", b"@", b"\x83\x5C", b"\x88\xEA", b"\xB1", b"\xD6\xD0", b"\x8F\xA2\xAF",
                        b"\xA4\xA2", b"\x88\x62", b"\xB0\xA1", b"\x82\xA0\x82\xA2\x93\xFA", b"\xE9", b"\x80", b"\x81\x30\x81\x30", b"\x8E\xB1",
                    ]).prop_map(<[u8]>::to_vec),
                    1 => proptest::collection::vec(any::<u8>(), 0..3),
                ],
                0..400,
            ),
            cut in any::<proptest::sample::Index>(),
            encoding in proptest::sample::select(vec![
                SHIFT_JIS, GBK, GB18030, BIG5, EUC_JP, encoding_rs::EUC_KR, encoding_rs::WINDOWS_1252, encoding_rs::KOI8_R,
                encoding_rs::WINDOWS_874, encoding_rs::X_USER_DEFINED,
            ]),
        ) {
            let bytes = units.concat();
            let (first, rest) = bytes.split_at(cut.index(bytes.len() + 1));
            let decode = |careful_until| {
                let mut decoder = TextDecoder { careful_until, ..TextDecoder::new(encoding) };
                decoder.push(first, false);
                decoder.push(rest, true);
                (decoder.text, decoder.map.finish(), decoder.malformed)
            };
            prop_assert_eq!(decode(0), decode(usize::MAX));
        }

        #[test]
        fn text_of_single_bytes_has_the_spans_of_its_map(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), 0x80..=0xFFu8, Just(b'a')], 0..3000),
            encoding in proptest::sample::select(vec![
                encoding_rs::WINDOWS_1252, encoding_rs::KOI8_R, encoding_rs::WINDOWS_874, encoding_rs::X_USER_DEFINED,
            ]),
            spans in proptest::collection::vec(any::<[proptest::sample::Index; 2]>(), 20),
        ) {
            let charset = Charset::named(encoding.name(), b"").unwrap();
            let text = Text::decode(&bytes, charset);
            let (expected, map, malformed) = decode_with_map(&bytes, encoding);
            prop_assert_eq!(&text.text, &expected);
            prop_assert_eq!(text.malformed, malformed);
            for span in spans {
                let [a, b] = span.map(|at| at.index(expected.len() + 2));
                let span = Span::new(a.min(b), a.max(b));
                prop_assert_eq!(text.to_source(span), map.to_source(span), "{:?}", span);
            }
        }

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
