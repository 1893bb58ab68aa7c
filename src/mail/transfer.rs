//! Transfer encodings: how the bytes of a part are written in a message (RFC 2045, section 6).
//!
//! A body is decoded once, by the encoding that its own header names. What no encoder writes is common in
//! mail, and RFC 2045 advises to go on all the same (section 6.7, notes): a `=` that begins no escape stays
//! as it is, and bytes that are no base64 are passed over (section 6.8). [`Decoded::repaired`] tells.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use memchr::{memchr, memchr_iter, memchr2_iter, memrchr};

use crate::span::{OffsetMap, OffsetMapBuilder};

/// From how many bytes on a line is too long for a word, and so base64 wherever it stands, if it is made
/// of nothing else.
const STRONG_LINE: usize = 40;

/// How long a line is that an encoder breaks because it is full: RFC 2045, section 6.7, rule 5 allows 76
/// characters. Some take a few more.
const FULL_LINE: std::ops::RangeInclusive<usize> = 60..=80;

/// How a body is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Not at all: `7bit`, `8bit` and `binary`.
    Identity,
    /// Quoted-printable (section 6.7).
    QuotedPrintable,
    /// Base64 (section 6.8).
    Base64,
    /// In a way that nobody has registered, or by a name that is misspelt.
    Unknown,
}

impl Encoding {
    /// The encoding that the value of a Content-Transfer-Encoding field names.
    ///
    /// Comments, quotes and what stands after the name do not count, nor does a hyphen in it: `7-bit` and
    /// `"base64";` are found in mail. A field without a value is as none.
    pub fn of(value: &[u8]) -> Self {
        let mut name = Vec::new();
        let mut comments = 0_usize;
        let mut bytes = value.iter().copied();
        while let Some(byte) = bytes.next() {
            match byte {
                b'(' => comments += 1,
                b')' => comments = comments.saturating_sub(1),
                b'\\' if comments > 0 => _ = bytes.next(),
                _ if comments > 0 => {}
                b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' if name.is_empty() => {}
                b'-' | b'_' => {}
                _ if byte.is_ascii_alphanumeric() && name.len() < 32 => {
                    name.push(byte.to_ascii_lowercase());
                }
                // `;base64` would be a parameter without a name before it.
                _ => break,
            }
        }
        match name.as_slice() {
            b"" | b"7bit" | b"8bit" | b"binary" => Self::Identity,
            b"quotedprintable" => Self::QuotedPrintable,
            b"base64" => Self::Base64,
            _ => Self::Unknown,
        }
    }
}

/// A decoded body.
#[derive(Clone, Debug)]
pub struct Decoded<'a> {
    /// What was encoded; borrowed where that is the same.
    pub bytes: Cow<'a, [u8]>,
    /// Where in the body each byte of it comes from.
    pub map: Map,
    /// The body was not as the encoding has it, and was read all the same.
    pub repaired: bool,
}

impl<'a> Decoded<'a> {
    /// A body that says itself what it says.
    fn as_it_is(bytes: &'a [u8], repaired: bool) -> Self {
        Self {
            bytes: Cow::Borrowed(bytes),
            map: Map::Identity,
            repaired,
        }
    }
}

/// How offsets of decoded bytes lead back to the encoded ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Map {
    /// They are the same.
    Identity,
    /// By this map: an escape is a unit of one byte, a soft line break one of none.
    Units(OffsetMap),
    /// Not at all: in base64 no bytes of their own spell a byte, and nothing can be written there in place.
    None,
}

/// Decodes a body. What is encoded in an unknown way is given back as it is (RFC 2045, section 6.4).
///
/// Linear in the length of the body.
pub fn decode(encoding: Encoding, bytes: &[u8]) -> Decoded<'_> {
    match encoding {
        Encoding::Identity | Encoding::Unknown => Decoded::as_it_is(bytes, false),
        Encoding::QuotedPrintable => quoted_printable(bytes),
        Encoding::Base64 => base64(bytes),
    }
}

/// What a `=` begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    /// This byte.
    Byte(u8),
    /// A line break that is none, of so many bytes.
    Soft(usize),
    /// Nothing: it is a mistake.
    None,
}

impl Escape {
    /// What the `=` means after which `after` stands.
    fn before(after: &[u8]) -> Self {
        if let [high, low, ..] = after
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            return Self::Byte(high << 4 | low);
        }
        // Blanks before the line end were added on the way (section 6.7, rule 3).
        let blanks = after.iter().take_while(|byte| is_blank(**byte)).count();
        match &after[blanks..] {
            [] | [b'\r'] => Self::Soft(1 + after.len()),
            [b'\n', ..] => Self::Soft(1 + blanks + 1),
            [b'\r', b'\n', ..] => Self::Soft(1 + blanks + 2),
            _ => Self::None,
        }
    }
}

/// Decodes quoted-printable: jumps from one `=` or line end to the next, and copies what is between them.
fn quoted_printable(bytes: &[u8]) -> Decoded<'_> {
    let mut out = Output::new(bytes);
    let mut repaired = false;
    for at in memchr2_iter(b'=', b'\n', bytes) {
        // The line end of a soft break is read already.
        if at < out.read {
            continue;
        }
        if bytes[at] == b'\n' {
            let line_end = at - usize::from(at > out.read && bytes[at - 1] == b'\r');
            out.drop_blanks_before(line_end);
            continue;
        }
        match Escape::before(&bytes[at + 1..]) {
            Escape::Byte(byte) => out.replace(at, "=XX".len(), Some(byte)),
            Escape::Soft(len) => out.replace(at, len, None),
            Escape::None => repaired = true,
        }
    }
    // The line break before a boundary belongs to that: so the last line of a body has none.
    out.drop_blanks_before(bytes.len());
    let (bytes, map) = out.finish();
    Decoded {
        bytes,
        map,
        repaired,
    }
}

/// What is decoded from left to right.
struct Output<'a> {
    source: &'a [u8],
    /// How many bytes of the source are dealt with.
    read: usize,
    bytes: Vec<u8>,
    map: OffsetMapBuilder,
}

impl<'a> Output<'a> {
    fn new(source: &'a [u8]) -> Self {
        Self {
            source,
            read: 0,
            bytes: Vec::new(),
            map: OffsetMapBuilder::default(),
        }
    }

    /// Copies what stands before `at`, and reads the `len` bytes there as one byte or none.
    fn replace(&mut self, at: usize, len: usize, byte: Option<u8>) {
        if self.read == 0 {
            self.bytes.reserve_exact(self.source.len());
        }
        self.bytes.extend_from_slice(&self.source[self.read..at]);
        self.map.push(at - self.read, 1, 1);
        self.bytes.extend(byte);
        self.map.push(1, usize::from(byte.is_some()), len);
        self.read = at + len;
    }

    /// Leaves out the blanks before `line_end`; but not one that was an escape.
    fn drop_blanks_before(&mut self, line_end: usize) {
        let line = &self.source[self.read.min(line_end)..line_end];
        let blanks = line.iter().rev().take_while(|byte| is_blank(**byte));
        match blanks.count() {
            0 => {}
            len => self.replace(line_end - len, len, None),
        }
    }

    fn finish(mut self) -> (Cow<'a, [u8]>, Map) {
        if self.read == 0 {
            return (Cow::Borrowed(self.source), Map::Identity);
        }
        let rest = &self.source[self.read..];
        self.bytes.extend_from_slice(rest);
        self.map.push(rest.len(), 1, 1);
        (Cow::Owned(self.bytes), Map::Units(self.map.finish()))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The value of a hexadecimal digit, in either case: section 6.7 has upper case only, and bids decoders to
/// bear the other.
pub(super) fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

/// Whether a body of which no header says so is quoted-printable beyond doubt.
///
/// Every `=` in it begins an escape in upper case or a soft line break, one of these breaks stands at the end
/// of a full line, and there are
///
/// * a soft break and two escapes, or two soft breaks and an escape. An escape counts that has a letter, such
///   as `=3D` and `=C3`, or is a blank at a line end: `=10` may be what a query or a setting ends with.
/// * or two soft breaks within words, on full lines. Between blanks a `=` ends many a line of source code.
///
/// A line that could be base64 does not count: its `=` may be padding. Linear.
pub fn looks_quoted_printable(bytes: &[u8]) -> bool {
    let (mut escapes, mut breaks, mut full, mut within_words) =
        (0_usize, 0_usize, 0_usize, 0_usize);
    let mut next = 0;
    for at in memchr_iter(b'=', bytes) {
        if at < next {
            return false;
        }
        let after = &bytes[at + 1..];
        match Escape::before(after) {
            Escape::Byte(byte) => {
                let digits = &after[..2];
                if digits.iter().any(u8::is_ascii_lowercase) {
                    return false;
                }
                let ends_line = matches!(after[2..], [b'\n', ..] | [b'\r', b'\n', ..]);
                let has_letter = digits.iter().any(u8::is_ascii_uppercase);
                escapes += usize::from(has_letter || byte == b' ' && ends_line);
                next = at + "=XX".len();
            }
            Escape::Soft(len) => {
                let Some(b'\n') = bytes.get(at + len - 1) else {
                    return false;
                };
                next = at + len;
                let line = line_before(&bytes[..at]);
                if line.iter().all(|&byte| is_base64(byte)) {
                    continue;
                }
                breaks += 1;
                if FULL_LINE.contains(&(line.len() + 1)) {
                    full += 1;
                    let blank_after = bytes.get(next).is_none_or(u8::is_ascii_whitespace);
                    let blank_before = line.last().is_none_or(u8::is_ascii_whitespace);
                    within_words += usize::from(!blank_before && !blank_after);
                }
            }
            Escape::None => return false,
        }
    }
    let by_escapes = breaks > 0 && escapes > 0 && breaks + escapes > 2;
    full > 0 && (by_escapes || within_words > 1)
}

/// The line that `text` ends within, or as much of it as tells that it is too long.
fn line_before(text: &[u8]) -> &[u8] {
    let near = &text[text.len().saturating_sub(2 * FULL_LINE.end())..];
    &near[memrchr(b'\n', near).map_or(0, |at| at + 1)..]
}

/// Decodes base64.
///
/// What mail-parser takes is clean: base64, padding wherever a piece of it ends, and white space. Else, or if
/// there are words in it,
///
/// * it is base64 up to its last line that is that alone, if there is such a [`Body`], and what follows is text:
///   mailing lists append their footer without asking how the body is encoded;
/// * or it is all text that a header calls base64 by mistake: see [`is_text`];
/// * or it is base64 with other bytes in it. These are passed over (section 6.8).
fn base64(bytes: &[u8]) -> Decoded<'_> {
    if memchr(b' ', bytes).is_none()
        && let Some(decoded) = base64_decode(bytes)
        && (!decoded.is_empty() || is_white(bytes))
    {
        return Decoded {
            bytes: Cow::Owned(decoded),
            map: Map::None,
            repaired: false,
        };
    }
    let body = Body::find(bytes);
    if let Some(mut decoded) = body.decode(bytes) {
        let rest = &bytes[body.end..];
        let repaired = body.has_others || !is_white(rest);
        if !is_white(rest) {
            decoded.extend_from_slice(rest);
        }
        return Decoded {
            bytes: Cow::Owned(decoded),
            map: Map::None,
            repaired,
        };
    }
    match Some(bytes).filter(|it| !is_text(it)).and_then(filtered) {
        Some(decoded) if !decoded.is_empty() => Decoded {
            bytes: Cow::Owned(decoded),
            map: Map::None,
            repaired: true,
        },
        _ => Decoded::as_it_is(bytes, true),
    }
}

/// The part of a body before a footer.
///
/// It ends with the last line that is base64 alone: of those from the first on, each as long as that, one shorter
/// and no more; and after anything else, such as a blank line, padding or a line of text, only of lines that are too
/// long for words ([`STRONG_LINE`]).
#[derive(Clone, Copy, Debug, Default)]
struct Body {
    end: usize,
    /// How many bytes of base64 its lines have, padding too.
    len: usize,
    is_padded: bool,
    /// There are lines in it that are something else.
    has_others: bool,
}

impl Body {
    fn find(bytes: &[u8]) -> Self {
        let mut body = Self::default();
        let mut full = 0;
        let mut goes_on = true;
        let mut others = false;
        let mut start = 0;
        while start < bytes.len() {
            let end = memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |len| start + len);
            let line = bytes[start..end].trim_ascii();
            let padding = line.iter().rev().take_while(|byte| **byte == b'=');
            let padding = padding.count();
            let (digits, _) = line.split_at(line.len() - padding);
            let is_pure =
                !line.is_empty() && padding <= 2 && digits.iter().all(|&byte| is_base64(byte));
            if is_pure && (goes_on || line.len() >= STRONG_LINE) {
                if !goes_on || body.end == 0 {
                    full = line.len();
                }
                body.end = start + bytes[start..end].trim_ascii_end().len();
                body.len += line.len();
                body.is_padded = padding > 0;
                body.has_others |= others;
                goes_on = line.len() >= full && !body.is_padded;
            } else {
                others |= !line.is_empty();
                goes_on = body.end == 0 && !others;
            }
            start = end + 1;
        }
        body
    }

    /// What it says, if it is base64 on good evidence: four digits for each three bytes, and either padding,
    /// or too long for a word, or what comes out is text.
    fn decode(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let is_long = self.len >= STRONG_LINE;
        if self.len == 0 || !self.len.is_multiple_of(4) && !is_long {
            return None;
        }
        let body = &bytes[..self.end];
        if self.has_others && is_text(body) {
            return None;
        }
        let decoded = if self.has_others {
            filtered(body)?
        } else {
            base64_decode(body)?
        };
        let is_plain = || {
            let text = std::str::from_utf8(&decoded).ok()?;
            let is_control = |it: char| it.is_control() && !it.is_whitespace();
            (!text.contains(is_control)).then_some(())
        };
        (is_long || self.is_padded || is_plain().is_some()).then_some(decoded)
    }
}

/// Decodes what of `bytes` is base64.
fn filtered(bytes: &[u8]) -> Option<Vec<u8>> {
    let is_kept = |byte: &u8| is_base64(*byte) || *byte == b'=';
    let kept: Vec<u8> = bytes.iter().copied().filter(is_kept).collect();
    base64_decode(&kept)
}

/// Whether `bytes` are text and no base64, even with some damage: more than a quarter of what is not white is
/// outside its alphabet, or there is white space within it for each 20 bytes: words are short, lines of base64 long.
fn is_text(bytes: &[u8]) -> bool {
    let (mut visible, mut others, mut gaps) = (0_usize, 0_usize, 0_usize);
    let mut after_white = false;
    for &byte in bytes {
        if byte.is_ascii_whitespace() {
            after_white = visible > 0;
            continue;
        }
        visible += 1;
        others += usize::from(!is_base64(byte) && byte != b'=');
        gaps += usize::from(after_white);
        after_white = false;
    }
    others * 4 > visible || gaps * 20 > visible
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

fn is_white(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;
    use mail_parser::decoders::quoted_printable::quoted_printable_decode;
    use proptest::prelude::*;

    fn qp(bytes: &[u8]) -> (String, bool) {
        let decoded = decode(Encoding::QuotedPrintable, bytes);
        let text = String::from_utf8_lossy(&decoded.bytes).into_owned();
        (text, decoded.repaired)
    }

    fn b64(text: &str) -> (String, bool) {
        let decoded = decode(Encoding::Base64, text.as_bytes());
        if let Map::Units(_) = decoded.map {
            panic!("base64 has no units");
        }
        assert_eq!(
            decoded.map == Map::Identity,
            matches!(decoded.bytes, Cow::Borrowed(_))
        );
        let text = String::from_utf8_lossy(&decoded.bytes).into_owned();
        (text, decoded.repaired)
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

    /// Quoted-printable as RFC 2045 has it; lines end in CRLF.
    fn encode_qp(bytes: &[u8]) -> Vec<u8> {
        let mut out: Vec<u8> = Vec::new();
        let mut column = 0;
        let mut rest = bytes;
        while let [byte, after @ ..] = rest {
            rest = after;
            if *byte == b'\n' {
                out.extend(b"\r\n");
                column = 0;
                continue;
            }
            let ends_line = after.first().is_none_or(|byte| *byte == b'\n');
            let piece = match byte {
                b'=' => b"=3D".to_vec(),
                b' ' | b'\t' if !ends_line => vec![*byte],
                0x21..=0x7E => vec![*byte],
                _ => format!("={byte:02X}").into_bytes(),
            };
            if column + piece.len() > 75 {
                out.extend(b"=\r\n");
                column = 0;
            }
            column += piece.len();
            out.extend(piece);
        }
        out
    }

    #[test]
    fn names_of_encodings() {
        for (value, encoding) in [
            ("base64", Encoding::Base64),
            (" BASE64 ; x=y", Encoding::Base64),
            ("(a (b\\)) c) \"base64\"", Encoding::Base64),
            ("base64(c)", Encoding::Base64),
            ("base64\r\n charset=utf-8", Encoding::Base64),
            ("Quoted-Printable", Encoding::QuotedPrintable),
            ("quoted-printable;", Encoding::QuotedPrintable),
            ("", Encoding::Identity),
            (" (none) ", Encoding::Identity),
            ("7bit", Encoding::Identity),
            ("8-bit", Encoding::Identity),
            ("8BIT, x", Encoding::Identity),
            ("binary", Encoding::Identity),
            ("x-uuencode", Encoding::Unknown),
            ("base", Encoding::Unknown),
        ] {
            assert_eq!(Encoding::of(value.as_bytes()), encoding, "{value}");
        }
    }

    #[test]
    fn escapes_and_breaks() {
        let good = |text: &str| (text.to_owned(), false);
        assert_eq!(qp(b"a=3Db=C3=A9=c3=a9"), good("a=b\u{e9}\u{e9}"));
        assert_eq!(qp(b"a=\r\nb=\nc= \t\r\nd= \ne"), good("abcde"));
        assert_eq!(qp(b"a="), good("a"));
        assert_eq!(qp(b"a= \r"), good("a"));
        assert_eq!(qp(b"a \t\r\nb \n\n \nc  "), good("a\r\nb\n\n\nc"));
        assert_eq!(qp(b"a=20\r\nb=20 \n=20"), good("a \r\nb \n "));
        assert_eq!(qp(b"=\r\n \r\nx"), good("\r\nx"));
        assert_eq!(qp(b"=3D3D=3D=\n41"), good("=3D=41"), "decoded once");
        assert_eq!(qp(b"\n"), good("\n"));
        assert_eq!(qp(b""), good(""));
    }

    #[test]
    fn a_stray_equals_sign_stays() {
        for text in ["a=b", "=G0", "=4", "==", "a= b", "=4\n", "=\rx"] {
            let expected = if text == "==" { "=" } else { text };
            assert_eq!(qp(text.as_bytes()), (expected.to_owned(), true), "{text:?}");
        }
        assert_eq!(qp(b"==3D"), ("==".to_owned(), true));
        let decoded = decode(Encoding::QuotedPrintable, b"a=b c\r\n");
        assert!(matches!(decoded.bytes, Cow::Borrowed(_)));
        assert_eq!(decoded.map, Map::Identity);
    }

    #[test]
    fn a_url_leads_back_over_its_soft_break() {
        let body = b"x http://a.example/=\r\n?q=3D1 y";
        let decoded = decode(Encoding::QuotedPrintable, body);
        assert_eq!(&*decoded.bytes, b"x http://a.example/?q=1 y");
        let Map::Units(map) = decoded.map else {
            panic!("there are escapes");
        };
        assert_eq!(map.to_source(Span::new(2, 23)), Span::new(2, 28));
        assert_eq!(map.to_source(Span::new(21, 22)), Span::new(24, 27));
        assert_eq!(map.silent_before(19), 3);
    }

    #[test]
    fn clean_base64() {
        let good = |text: &str| (text.to_owned(), false);
        assert_eq!(b64("SGVsbG8="), good("Hello"));
        assert_eq!(b64("SGVs\r\nbG8"), good("Hello"), "padding missing");
        assert_eq!(b64("SGVsbG8=\nSGVsbG8=\n"), good("HelloHello"));
        assert_eq!(b64("SGVsbG8= \r\n\r\n"), good("Hello"));
        assert_eq!(b64(""), good(""));
        assert_eq!(b64("\r\n"), good(""));
    }

    #[test]
    fn damaged_base64() {
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
    fn text_that_is_called_base64() {
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
        let texts = [
            "Hi!\n".to_owned(),
            "Somebody wrote this letter.\n".repeat(12),
            "xyz".repeat(57),
        ];
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
    fn only_strong_evidence_is_quoted_printable() {
        let full = "this is a line of a letter that somebody wrote and that is broken whe=";
        for (text, expected) in [
            (format!("{full}\nre it is full, {full}\nre"), true),
            (format!("{full}\r\nre it is full, =C3=A9 =3D\r\n"), true),
            (format!("{full}\r\nre it is full, =3D =\r\nx"), true),
            (format!("{full}\nre\n=20\n=20\n"), true),
            (format!("{full}\nre it is full"), false),
            (format!("{full}\nre it is full, =3D"), false),
            (format!("{full}\nre, =3D =3D =c3"), false),
            (format!("{full}\nre, =3D =3D a == b"), false),
            (format!("{full}\nre, =3D =3D http://a.example/?a=b"), false),
            (format!("{full}\nre, x=10 y=20"), false),
            (format!("{full}\nre, =3D =3D ="), false),
            ("a =\n b\nc =\n d\n".to_owned(), false),
            ("a=3Db=3Dc".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(looks_quoted_printable(text.as_bytes()), expected, "{text}");
        }
        let code = format!(
            "    let {} =\n        value;\n",
            "a_long_name: Type".repeat(4)
        );
        assert!(!looks_quoted_printable(code.repeat(3).as_bytes()));
        let base64 = format!("{}=\n", "abcdefghijk".repeat(6));
        assert!(!looks_quoted_printable(base64.repeat(3).as_bytes()));
    }

    /// Bytes as mail has them, with many that mean something.
    fn mail_bytes() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![
            4 => any::<u8>(),
            4 => Just(b'a'),
            3 => Just(b' '),
            2 => Just(b'='),
            2 => Just(b'\n'),
            1 => Just(b'\t'),
        ];
        proptest::collection::vec(byte, 0..300)
    }

    /// Pieces that are quoted-printable in some way, or nearly.
    fn qp_soup() -> impl Strategy<Value = Vec<u8>> {
        let pieces = vec![
            "=3D", "=c3", "=20", "=\r\n", "=\n", "= \n", "=", "\r\n", "\n", "\r", " ", "\t",
            "word", "4", "=4", "\u{e9}",
        ];
        let piece = proptest::sample::select(pieces);
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat().into_bytes())
    }

    proptest! {
        #[test]
        fn what_is_encoded_comes_back(bytes in mail_bytes()) {
            let encoded = encode_qp(&bytes);
            let decoded = decode(Encoding::QuotedPrintable, &encoded);
            let mut expected = Vec::new();
            for byte in &bytes {
                match byte {
                    b'\n' => expected.extend(b"\r\n"),
                    _ => expected.push(*byte),
                }
            }
            prop_assert_eq!(&*decoded.bytes, &expected);
            prop_assert!(!decoded.repaired);
            // mail-parser writes every line end as it has met one; here all are CRLF.
            prop_assert_eq!(quoted_printable_decode(&encoded), Some(expected));

            let decoded = decode(Encoding::Base64, &encoded);
            prop_assert!(decoded.bytes.len() <= encoded.len());
        }

        #[test]
        fn spans_lead_back_to_what_spells_them(body in qp_soup()) {
            let decoded = decode(Encoding::QuotedPrintable, &body);
            let Map::Units(map) = decoded.map else {
                prop_assert_eq!(decoded.map, Map::Identity);
                prop_assert_eq!(&*decoded.bytes, &body);
                return Ok(());
            };
            prop_assert_eq!(map.source_len(), body.len());
            let mut end = 0;
            for (at, byte) in decoded.bytes.iter().enumerate() {
                let span = map.to_source(Span::new(at, at + 1));
                prop_assert!(span.start >= end);
                prop_assert_eq!(span.start - end, map.silent_before(at));
                end = span.end;
                match &body[span.range()] {
                    [plain] => prop_assert_eq!(plain, byte),
                    escape => {
                        let text = std::str::from_utf8(&escape[1..]).unwrap();
                        prop_assert_eq!(escape[0], b'=');
                        prop_assert_eq!(u8::from_str_radix(text, 16), Ok(*byte));
                    }
                }
            }
            if !decoded.repaired {
                let again = decode(Encoding::QuotedPrintable, &body[..end]);
                prop_assert_eq!(again.bytes, decoded.bytes);
            }
        }

        #[test]
        fn base64_comes_back(bytes in proptest::collection::vec(any::<u8>(), 0..300), width in 1_usize..20) {
            let encoded = encode_b64(&bytes, width * 4);
            let decoded = decode(Encoding::Base64, encoded.as_bytes());
            prop_assert_eq!(&*decoded.bytes, &bytes);
            prop_assert!(!decoded.repaired);
        }

        #[test]
        fn any_bytes_are_some_body(bytes in mail_bytes()) {
            for encoding in [Encoding::Identity, Encoding::Base64, Encoding::QuotedPrintable] {
                let decoded = decode(encoding, &bytes);
                prop_assert!(decoded.bytes.len() <= bytes.len());
            }
            looks_quoted_printable(&bytes);
        }
    }
}
