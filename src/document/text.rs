//! Decoding a document, with the way back to its bytes.

use std::borrow::Cow;

use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP, UTF_8};

use super::Charset;
use crate::span::{OffsetMap, OffsetMapBuilder, Span};

/// A document's text, and where in the document each byte of it comes from.
#[derive(Clone, Debug)]
pub struct Text<'d> {
    /// The text, without a byte order mark.
    pub text: Cow<'d, str>,
    /// The first byte of the document that is invalid in the charset, if one is; such bytes are read
    /// as U+FFFD.
    pub malformed: Option<usize>,
    bom_len: usize,
    /// None where text and source differ in nothing but the byte order mark.
    map: Option<OffsetMap>,
}

impl<'d> Text<'d> {
    /// The text of `bytes`, which begin with the charset's byte order mark if it has one.
    pub fn decode(bytes: &'d [u8], charset: Charset) -> Self {
        let bom_len = charset.bom_len();
        let body = &bytes[bom_len..];
        if charset.encoding() == UTF_8
            && let Ok(text) = std::str::from_utf8(body)
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

    /// The bytes of the document that spell the bytes `span` of the text.
    ///
    /// In ISO-2022-JP they begin with the escape sequence that their first character needs, if it
    /// stands right before it: without that they would spell something else.
    pub fn to_source(&self, span: Span) -> Span {
        let Some(map) = &self.map else {
            return span.shifted(self.bom_len);
        };
        let mut source = map.to_source(span);
        if self
            .text
            .as_bytes()
            .get(span.start)
            .is_some_and(|byte| !byte.is_ascii())
        {
            source.start -= map.silent_before(span.start);
        }
        source.shifted(self.bom_len)
    }
}

/// Decodes in runs where bytes are ASCII and byte by byte elsewhere, noting how many bytes of source
/// each piece of text took. The third value is the offset of the first
/// byte that is invalid.
pub(crate) fn decode_with_map(
    bytes: &[u8],
    encoding: &'static Encoding,
) -> (String, OffsetMap, Option<usize>) {
    let mut decoding = Decoding {
        encoding,
        bytes,
        decoder: encoding.new_decoder_without_bom_handling(),
        map: OffsetMapBuilder::default(),
        text: String::with_capacity(bytes.len() + bytes.len() / 2),
        read: 0,
        pending: 0,
        malformed: None,
    };
    // Whether the decoder holds nothing back, so that ASCII may go past it.
    let mut neutral = encoding.is_ascii_compatible();
    while decoding.read < bytes.len() {
        if neutral {
            let ascii = Encoding::ascii_valid_up_to(&bytes[decoding.read..]);
            decoding.copy_ascii(ascii);
            neutral = false;
        } else {
            let byte = bytes[decoding.read];
            let before = decoding.text.len();
            decoding.step(&bytes[decoding.read..=decoding.read], false);
            neutral = encoding.is_ascii_compatible()
                && byte.is_ascii()
                && decoding.pending == 0
                && decoding.text.as_bytes()[before..].ends_with(&[byte]);
        }
    }
    while !decoding.step(b"", true) {}
    decoding.map.push(1, 0, decoding.pending);
    (decoding.text, decoding.map.finish(), decoding.malformed)
}

struct Decoding<'d> {
    encoding: &'static Encoding,
    bytes: &'d [u8],
    decoder: Decoder,
    map: OffsetMapBuilder,
    text: String,
    /// How many bytes of source the decoder has taken in.
    read: usize,
    /// How many of them, the last ones, have given no text yet.
    pending: usize,
    /// The offset of the first invalid byte.
    malformed: Option<usize>,
}

impl Decoding<'_> {
    fn copy_ascii(&mut self, len: usize) {
        let run = &self.bytes[self.read..self.read + len];
        self.text.extend(run.iter().map(|&byte| char::from(byte)));
        self.map.push(len, 1, 1);
        self.read += len;
    }

    /// Gives the decoder `input`, a byte or nothing, and attributes what comes out. Returns whether
    /// the decoder took it without complaint.
    fn step(&mut self, input: &[u8], last: bool) -> bool {
        let mut buffer = [0; 16];
        let (result, read, written) =
            self.decoder
                .decode_to_utf8_without_replacement(input, &mut buffer, last);
        self.read += read;
        self.pending += read;
        self.attribute(std::str::from_utf8(&buffer[..written]).unwrap_or_default());
        let DecoderResult::Malformed(_, taken_after) = result else {
            return true;
        };
        let taken_after = usize::from(taken_after).min(self.pending);
        (self.read, self.pending) = (self.read - taken_after, self.pending - taken_after);
        self.malformed.get_or_insert(self.read - self.pending);
        self.attribute("\u{FFFD}");
        (self.read, self.pending) = (self.read + taken_after, taken_after);
        false
    }

    /// Says that the pending bytes spell the text `new`.
    fn attribute(&mut self, new: &str) {
        let Some(last) = new.chars().next_back() else {
            return;
        };
        // The escape sequences of ISO-2022-JP spell no text: a link after one does not begin with it.
        let escape = |pending: usize| self.bytes[self.read - pending] == 0x1B;
        while self.encoding == ISO_2022_JP && self.pending > 3 && escape(self.pending) {
            self.map.push(1, 0, 3);
            self.pending -= 3;
        }
        let before_last = new.len() - last.len_utf8();
        if before_last > 0 && self.pending > 1 && last.is_ascii() {
            // What the decoder held back, and the byte that set it free.
            self.map.push(1, before_last, self.pending - 1);
            self.map.push(1, 1, 1);
        } else {
            self.map.push(1, new.len(), self.pending);
        }
        self.text.push_str(new);
        self.pending = 0;
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
    fn utf16_in_both_orders() {
        let (text, spans) = decoded("utf-16le", b"\xFF\xFEa\0\x2D\x4E\x34\xD8\x1E\xDDb\0");
        assert_eq!(text, "a中𝄞b");
        assert_eq!(spans, [(2, 4), (4, 6), (6, 10), (10, 12)]);
        assert_eq!(decoded("utf-16be", b"\0a\0b").1, [(0, 2), (2, 4)]);
    }

    #[test]
    fn multi_byte_encodings() {
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
    fn broken_sequences_keep_the_next_character_apart() {
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
        fn decodes_as_encoding_rs_does_and_spans_tile_the_source(
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
                prop_assert!(span.end >= end, "{:?} goes back before {}", span, end);
                end = span.end;
            }
        }
    }
}
