//! Base64 (RFC 2045, section 6.8).

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mail_parser::decoders::base64::base64_decode;
use memchr::{memchr, memchr_iter};

use super::decoded::{Decoded, Map};
use crate::bytes::{OffsetMap, OffsetMapBuilder};
use crate::format::mail::lines::trim_line_end;

/// The minimum length of a line that is too long for a word, and so base64 if it has only base64
/// digits.
const STRONG_LINE: usize = 40;

/// Decodes base64 into `buffer`, which is empty.
///
/// Lines in the form of encoders are decoded line by line ([`decode_lines`]). mail-parser decodes
/// other clean base64: digits, white space, and padding at the end of each piece. Other bodies, and
/// those with words, are one of:
///
/// - base64 up to the last line that is only base64 ([`Body`]), then text: mailing lists append
///   footers regardless of the encoding;
/// - text that is declared as base64 by mistake ([`is_text`]);
/// - base64 with other bytes in it, which are skipped (section 6.8).
pub(super) fn decode(bytes: &[u8], buffer: Vec<u8>) -> Decoded<'_> {
    if let Some((decoded, map)) = decode_lines(bytes, buffer) {
        return Decoded { map: Map::Cover(map), bytes: Cow::Owned(decoded), repaired: false };
    }
    decode_by_rules(bytes)
}

/// Decodes lines of whole groups of four digits and line breaks. Only the last line may have
/// padding. `None` for any other body. The result is that of all rules ([`decode_by_rules`]).
fn decode_lines(bytes: &[u8], mut decoded: Vec<u8>) -> Option<(Vec<u8>, OffsetMap)> {
    decoded.reserve(bytes.len() / 4 * 3 + 3);
    let mut lines = Lines::new(bytes);
    let mut start = 0;
    let line_ends = memchr_iter(b'\n', bytes).map(|at| at + 1);
    for end in line_ends.chain([bytes.len()]) {
        let line = &bytes[start..end];
        start = end;
        let digits = trim_line_end(line);
        if digits.is_empty() || !digits.len().is_multiple_of(4) {
            // Only the end of the last line, or line breaks after it.
            let is_end = line.iter().chain(&bytes[end..]).all(|byte| matches!(byte, b'\r' | b'\n'));
            if !is_end || decoded.is_empty() {
                return None;
            }
            lines.other_bytes(&bytes[end - line.len()..]);
            break;
        }
        STANDARD.decode_vec(digits, &mut decoded).ok()?;
        match digits.ends_with(b"=") {
            false => lines.digits(digits.len(), line.len()),
            true if bytes[end..].iter().all(|byte| matches!(byte, b'\r' | b'\n')) => {
                lines.other_bytes(&bytes[end - line.len()..]);
                break;
            }
            true => return None,
        }
    }
    let map = lines.finish(decoded.len(), 0);
    Some((decoded, map))
}

/// Decodes any base64: see [`decode`].
fn decode_by_rules(bytes: &[u8]) -> Decoded<'_> {
    if memchr(b' ', bytes).is_none()
        && let Some(decoded) = base64_decode(bytes)
        && (!decoded.is_empty() || is_white(bytes))
    {
        return Decoded {
            map: Map::Cover(map_of(bytes, decoded.len(), 0)),
            bytes: Cow::Owned(decoded),
            repaired: false,
        };
    }
    let body = Body::find(bytes);
    if let Some(mut decoded) = body.decode(bytes) {
        let rest = &bytes[body.end..];
        let len = decoded.len();
        let repaired = body.has_others || !is_white(rest);
        if !is_white(rest) {
            decoded.extend_from_slice(rest);
        }
        return Decoded {
            map: Map::Cover(map_of(&bytes[..body.end], len, decoded.len() - len)),
            bytes: Cow::Owned(decoded),
            repaired,
        };
    }
    match Some(bytes).filter(|it| !is_text(it)).and_then(filtered) {
        Some(decoded) if !decoded.is_empty() => Decoded {
            map: Map::Cover(map_of(bytes, decoded.len(), 0)),
            bytes: Cow::Owned(decoded),
            repaired: true,
        },
        _ => Decoded::unchanged(bytes, true),
    }
}

/// The part of a body before a footer.
///
/// It ends with the last line of base64 alone. The first lines have to be of equal length, with one
/// shorter line at the end. After anything else, such as a blank line, padding or a line of text,
/// only lines too long for words count ([`STRONG_LINE`]).
#[derive(Clone, Copy, Debug, Default)]
struct Body {
    end: usize,
    /// The number of base64 bytes in its lines, with padding.
    len: usize,
    is_padded: bool,
    /// True if it has other lines too.
    has_others: bool,
}

impl Body {
    fn find(bytes: &[u8]) -> Self {
        let mut body = Self::default();
        let mut full_len = 0;
        let mut continues = true;
        let mut others = false;
        let mut start = 0;
        while start < bytes.len() {
            let end = memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |len| start + len);
            let line = bytes[start..end].trim_ascii();
            let padding = line.iter().rev().take_while(|byte| **byte == b'=');
            let padding = padding.count();
            let (digits, _) = line.split_at(line.len() - padding);
            let is_pure =
                !line.is_empty() && padding <= 2 && digits.iter().all(|&byte| is_digit(byte));
            if is_pure && (continues || line.len() >= STRONG_LINE) {
                if !continues || body.end == 0 {
                    full_len = line.len();
                }
                body.end = start + bytes[start..end].trim_ascii_end().len();
                body.len += line.len();
                body.is_padded = padding > 0;
                body.has_others |= others;
                continues = line.len() >= full_len && !body.is_padded;
            } else {
                others |= !line.is_empty();
                continues = body.end == 0 && !others;
            }
            start = end + 1;
        }
        body
    }

    /// Decodes it if the evidence for base64 is good: four digits for each three bytes; and
    /// padding, or lines too long for words, or decoded text.
    fn decode(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let is_long = self.len >= STRONG_LINE;
        if self.len == 0 || !self.len.is_multiple_of(4) && !is_long {
            return None;
        }
        let body = &bytes[..self.end];
        if self.has_others && is_text(body) {
            return None;
        }
        let decoded = if self.has_others { filtered(body)? } else { base64_decode(body)? };
        let is_plain = || {
            let text = std::str::from_utf8(&decoded).ok()?;
            let is_control = |it: char| it.is_control() && !it.is_whitespace();
            (!text.contains(is_control)).then_some(())
        };
        (is_long || self.is_padded || is_plain().is_some()).then_some(decoded)
    }
}

/// Decodes `bytes` without those outside of the base64 alphabet.
fn filtered(bytes: &[u8]) -> Option<Vec<u8>> {
    let is_kept = |byte: &u8| is_digit(*byte) || *byte == b'=';
    let kept: Vec<u8> = bytes.iter().copied().filter(is_kept).collect();
    base64_decode(&kept)
}

/// Returns true if `bytes` are text and not base64, even damaged base64: more than a quarter of the
/// visible bytes are outside of its alphabet, or white space occurs every 20 bytes. Words are
/// short, lines of base64 long.
fn is_text(bytes: &[u8]) -> bool {
    let (mut visible, mut others, mut gaps) = (0_usize, 0_usize, 0_usize);
    let mut after_white = false;
    for &byte in bytes {
        if byte.is_ascii_whitespace() {
            after_white = visible > 0;
            continue;
        }
        visible += 1;
        others += usize::from(!is_digit(byte) && byte != b'=');
        gaps += usize::from(after_white);
        after_white = false;
    }
    others * 4 > visible || gaps * 20 > visible
}

/// Returns true for a base64 digit.
pub(super) fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// Returns true if a line has only base64 digits.
fn is_of_digits(line: &[u8]) -> bool {
    // Without an early exit the loop is vectorized.
    line.iter().fold(true, |all, &byte| all & is_digit(byte))
}

/// Maps `len` decoded bytes to `body`: four digits, with the bytes between them, are a unit of
/// three decoded bytes. `rest` bytes after them were not encoded. If the lengths do not match, all
/// of it is one unit. Linear.
fn map_of(body: &[u8], len: usize, rest: usize) -> OffsetMap {
    let mut lines = Lines::new(body);
    let mut start = 0;
    let line_ends = memchr_iter(b'\n', body).map(|at| at + 1);
    for end in line_ends.chain([body.len()]) {
        let line = &body[start..end];
        start = end;
        let digits = line.trim_ascii_end();
        let is_whole = lines.unit.digits == 0 && digits.len().is_multiple_of(4);
        match is_whole && is_of_digits(digits) {
            true => lines.digits(digits.len(), line.len()),
            false => lines.other_bytes(line),
        }
    }
    lines.finish(len, rest)
}

/// The map of lines of base64.
struct Lines {
    map: OffsetMapBuilder,
    unit: Unit,
    body_len: usize,
}

impl Lines {
    fn new(body: &[u8]) -> Self {
        Self {
            // Two runs for each line of 76 digits, the usual length.
            map: OffsetMapBuilder::with_capacity(body.len() / 32),
            unit: Unit::default(),
            body_len: body.len(),
        }
    }

    /// Adds a line of `len` bytes, whose first `digits` bytes are whole groups of digits.
    fn digits(&mut self, digits: usize, len: usize) {
        self.unit.end(&mut self.map);
        self.map.push(digits / 4, 3, 4);
        self.unit.bytes = len - digits;
    }

    /// Adds any other bytes.
    fn other_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.unit.bytes += 1;
            match byte {
                _ if is_digit(byte) => self.unit.digits += 1,
                b'=' if self.unit.digits > 0 => self.unit.end(&mut self.map),
                _ => {}
            }
            if self.unit.digits == 4 {
                self.unit.end(&mut self.map);
            }
        }
    }

    fn finish(mut self, len: usize, rest: usize) -> OffsetMap {
        self.unit.end(&mut self.map);
        if self.map.as_map().text_len() != len {
            self.map = OffsetMapBuilder::default();
            self.map.push(1, len, self.body_len);
        }
        self.map.push(rest, 1, 1);
        self.map.finish()
    }
}

/// A group of digits that are decoded together.
#[derive(Clone, Copy, Debug, Default)]
struct Unit {
    digits: usize,
    /// The number of source bytes, with those between the digits.
    bytes: usize,
}

impl Unit {
    /// Ends the unit.
    fn end(&mut self, map: &mut OffsetMapBuilder) {
        map.push(1, self.digits * 6 / 8, self.bytes);
        *self = Self::default();
    }
}

fn is_white(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn b64(text: &str) -> (String, bool) {
        let decoded = decode(text.as_bytes(), Vec::new());
        match &decoded.map {
            Map::Identity => assert!(matches!(decoded.bytes, Cow::Borrowed(_))),
            Map::Cover(map) => {
                assert_eq!(map.text_len(), decoded.bytes.len(), "{text}");
                assert!(map.source_len() <= text.len(), "{text}");
            }
            Map::Units(_) => panic!("base64 has no units"),
        }
        let text = String::from_utf8_lossy(&decoded.bytes).into_owned();
        (text, decoded.repaired)
    }

    /// The source bytes of `piece` in the decoded `text`, with neighboring bytes.
    fn covering<'t>(text: &'t str, piece: &str) -> &'t str {
        let decoded = decode(text.as_bytes(), Vec::new());
        let Map::Cover(map) = &decoded.map else { panic!("{text}: not decoded") };
        let at = memchr::memmem::find(&decoded.bytes, piece.as_bytes()).expect("it is there");
        let span = map.to_source(crate::bytes::Span::new(at, at + piece.len()));
        &text[span.range()]
    }

    #[test]
    fn digits_cover_decoded_bytes() {
        // "see http://a.example/ now"
        let whole = "c2VlIGh0dHA6Ly9hLmV4YW1wbGUvIG5vdw==";
        let url = "IGh0dHA6Ly9hLmV4YW1wbGUv";
        assert_eq!(covering(whole, "http://a.example/"), url);
        let lines = "c2VlIGh0dHA6Ly9hLmV4\r\nYW1wbGUvIG5vdw==\r\n";
        assert_eq!(covering(lines, "http://a.example/"), "IGh0dHA6Ly9hLmV4\r\nYW1wbGUv");
        let odd = "c2VlIGh0dHA6Ly9hLm\nV4YW1wbGUvIG5vdw==";
        assert_eq!(covering(odd, "http://a.example/"), "IGh0dHA6Ly9hLm\nV4YW1wbGUv");
        let footer = format!("{whole}\n-- \na footer of the list\n");
        assert_eq!(covering(&footer, "http://a.example/"), url);
        assert_eq!(covering(&footer, "footer"), "footer");
        let pieces = "c2VlIA==\naHR0cDovL2EuZXhhbXBsZS8gbm93\n";
        assert_eq!(covering(pieces, "http://a.example/"), "aHR0cDovL2EuZXhhbXBsZS8g");
    }

    /// Base64 in lines of `width`.
    fn encode_b64(bytes: &[u8], width: usize) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::new();
        for (at, chunk) in bytes.chunks(3).enumerate() {
            if at > 0 && at * 4 % width == 0 {
                out.push_str("\r\n");
            }
            let mut three = [0; 4];
            three[1..=chunk.len()].copy_from_slice(chunk);
            let bits = u32::from_be_bytes(three);
            for place in 0..4 {
                if place <= chunk.len() {
                    let digit = bits >> (18 - 6 * place) & 63;
                    out.push(char::from(DIGITS[digit as usize]));
                } else {
                    out.push('=');
                }
            }
        }
        out
    }

    #[test]
    fn clean_base64_is_decoded() {
        let good = |text: &str| (text.to_owned(), false);
        assert_eq!(b64("SGVsbG8="), good("Hello"));
        assert_eq!(b64("SGVs\r\nbG8"), good("Hello"), "padding missing");
        assert_eq!(b64("SGVsbG8=\nSGVsbG8=\n"), good("HelloHello"));
        assert_eq!(b64("SGVsbG8= \r\n\r\n"), good("Hello"));
        assert_eq!(b64(""), good(""));
        assert_eq!(b64("\r\n"), good(""));
    }

    #[test]
    fn damaged_base64_is_repaired() {
        let text = "All that there is to be said about it, http://a.example/ and more. ".repeat(3);
        let encoded = encode_b64(text.as_bytes(), 76);
        let fixed = (text.clone(), true);
        assert_eq!(b64(&encoded.replace("\r\n", "!\r\n")), fixed);
        assert_eq!(b64(&format!("> {}", encoded.replace('\n', "\n> "))), fixed);
        let mut bytes = encoded.clone();
        bytes.insert(30, '\0');
        assert_eq!(b64(&bytes), fixed);
        assert_eq!(b64("SGVs!bG8="), ("Hello".to_owned(), true));
    }

    #[test]
    fn text_declared_as_base64_is_kept() {
        for text in [
            "This is text, and not base64 at all.\n",
            "this is text without any mark\n",
            "Hello\n\nSincerely\nSomebody Else, http://a.example/b\n",
            "<p><a href='http://a.example/'>x</a></p>\n",
            "\u{4f60}\u{597d}\n",
            "!!!",
            "=",
        ] {
            assert_eq!(b64(text), (text.to_owned(), true));
        }
    }

    #[test]
    fn a_footer_is_kept() {
        let footers = [
            "\n_______________________________________________\nList mailing list\nList@a.example\nhttp://a.example/\n",
            "\r\n\r\nUnsubscribe\r\nhere: http://a.example/u?=1\r\n",
            "\n-- \nthis is free software\n",
        ];
        let texts =
            ["Hi!\n".to_owned(), "Somebody wrote this letter.\n".repeat(12), "xyz".repeat(57)];
        for footer in footers {
            for text in &texts {
                for width in [20, 60, 76] {
                    let body = encode_b64(text.as_bytes(), width) + footer;
                    assert_eq!(b64(&body), (format!("{text}{footer}"), true), "{body}");
                }
            }
        }
    }

    #[test]
    fn lines_of_encoders_need_no_rules() {
        for (text, expected) in [
            ("SGVs\r\nbG8=\r\n", true),
            ("SGVs\nSGVs\n\n", true),
            ("SGVs", true),
            ("SGVs\nbG8", false),
            ("SGVsbG8=\nSGVs\n", false),
            ("SGVs \n", false),
            ("SGV\nsbG8=", false),
            ("\nSGVs", false),
            ("SGVsbG9=", false),
        ] {
            let found = decode_lines(text.as_bytes(), Vec::new());
            assert_eq!(found.is_some(), expected, "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(crate::tier::cases(5_000))]

        #[test]
        fn lines_are_decoded_as_by_the_rules(
            pieces in proptest::collection::vec(proptest::sample::select(vec![
                "SGVs", "bG8=", "QQ==", "QR==", "QUJ=", "A", "ab+/", "=", "==", "\n", "\n", "\r\n", "\r", " ", "\t", "\x0C", "-", "\0",
                "c2VlIGh0dHA6Ly9hLmV4YW1wbGUvIG5vdyBhbmQgbW9yZSB3b3Jkcw==", "c2VlIGh0dHA6Ly9hLmV4YW1wbGUv",
            ]), 0..12),
        ) {
            let text = pieces.concat();
            if let Some((decoded, map)) = decode_lines(text.as_bytes(), Vec::new()) {
                let by_rules = decode_by_rules(text.as_bytes());
                prop_assert_eq!(decoded, &*by_rules.bytes, "{:?}", text);
                prop_assert_eq!(Map::Cover(map), by_rules.map, "{:?}", text);
                prop_assert!(!by_rules.repaired);
            }
        }

        #[test]
        fn base64_round_trips(bytes in proptest::collection::vec(any::<u8>(), 0..300), width in 1_usize..20) {
            let encoded = encode_b64(&bytes, width * 4);
            let decoded = decode(encoded.as_bytes(), Vec::new());
            prop_assert_eq!(&*decoded.bytes, &bytes);
            prop_assert!(!decoded.repaired);
        }
    }
}
