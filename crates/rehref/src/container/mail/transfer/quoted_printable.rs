//! Quoted-printable (RFC 2045, section 6.7).

use crate::bytes::digits::hex;
use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2_iter, memmem, memrchr, memrchr2};

use super::base64;
use super::decoded::{Decoded, Map};
use crate::bytes::OffsetMapBuilder;

/// The length of a full line, which an encoder breaks. RFC 2045, section 6.7, rule 5 allows 76
/// characters; some encoders take a few more.
const FULL_LINE: std::ops::RangeInclusive<usize> = 60..=80;

/// The meaning of a `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    /// An escaped byte.
    Byte(u8),
    /// A soft line break, with its length in bytes.
    Soft(usize),
    /// None: invalid.
    None,
}

impl Escape {
    /// The meaning of a `=` before `after`.
    fn before(after: &[u8]) -> Self {
        if let [high, low, ..] = after
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            return Self::Byte(high << 4 | low);
        }
        // White space before a line break was added in transit (section 6.7, rule 3).
        let blanks = after.iter().take_while(|byte| is_blank(**byte)).count();
        match &after[blanks..] {
            [] | [b'\r'] => Self::Soft(1 + after.len()),
            [b'\n', ..] => Self::Soft(1 + blanks + 1),
            [b'\r', b'\n', ..] => Self::Soft(1 + blanks + 2),
            _ => Self::None,
        }
    }
}

/// Decodes quoted-printable: copies the text between each `=` and line break.
pub(super) fn decode(bytes: &[u8], buffer: Vec<u8>) -> Decoded<'_> {
    decode_within(bytes, std::slice::from_ref(&(0..bytes.len())), buffer)
}

/// Decodes only these ranges of a body, which are in order, into `buffer`.
pub(crate) fn decode_within<'b>(
    bytes: &'b [u8],
    parts: &[Range<usize>],
    buffer: Vec<u8>,
) -> Decoded<'b> {
    let mut out = Output::new(bytes, buffer);
    let mut repaired = false;
    for part in parts {
        let start = part.start.max(out.read);
        repaired |= decode_part(&mut out, start, part.end);
    }
    // The line break before a boundary belongs to the boundary, so the last line of a body has
    // none.
    if parts.last().is_some_and(|part| part.end == bytes.len()) {
        out.drop_blanks_before(bytes.len());
    }
    let (bytes, map) = out.finish();
    Decoded { bytes, map, repaired }
}

/// Decodes the bytes from `start` to `end`. Returns true if a `=` was invalid.
fn decode_part(out: &mut Output<'_>, start: usize, end: usize) -> bool {
    let bytes = out.source;
    let mut repaired = false;
    let mut next = start;
    let stops = memchr2_iter(b'=', b'\n', bytes.get(start..end).unwrap_or_default());
    for at in stops.map(|found| start + found) {
        // The line break of a soft break is read already.
        if at < next {
            continue;
        }
        if bytes[at] == b'\n' {
            let line_end = at - usize::from(at > out.read && bytes[at - 1] == b'\r');
            out.drop_blanks_before(line_end);
        } else {
            match Escape::before(&bytes[at + 1..]) {
                Escape::Byte(_) => out.escapes(at),
                Escape::Soft(len) => out.skip(at, len),
                Escape::None => repaired = true,
            }
        }
        next = out.read.max(at + 1);
    }
    repaired
}

/// Decoded bytes, from left to right.
struct Output<'a> {
    source: &'a [u8],
    /// The number of source bytes read.
    read: usize,
    bytes: Vec<u8>,
    map: OffsetMapBuilder,
}

impl<'a> Output<'a> {
    fn new(source: &'a [u8], buffer: Vec<u8>) -> Self {
        Self { source, read: 0, bytes: buffer, map: OffsetMapBuilder::default() }
    }

    /// Copies the source up to `at`.
    fn copy_until(&mut self, at: usize) {
        if self.read == 0 {
            self.bytes.reserve_exact(self.source.len());
            // Two runs for each line of 76 characters that ends with a soft break.
            self.map = OffsetMapBuilder::with_capacity(self.source.len() / 32);
        }
        self.bytes.extend_from_slice(&self.source[self.read..at]);
        self.map.push(at - self.read, 1, 1);
        self.read = at;
    }

    /// Decodes consecutive escapes at `at`; non-ASCII characters have several.
    fn escapes(&mut self, at: usize) {
        self.copy_until(at);
        let before = self.bytes.len();
        while let [b'=', high, low, ..] = &self.source[self.read..]
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            self.bytes.push(high << 4 | low);
            self.read += "=XX".len();
        }
        self.map.push(self.bytes.len() - before, 1, "=XX".len());
    }

    /// Skips the `len` bytes at `at`, which have no text.
    fn skip(&mut self, at: usize, len: usize) {
        self.copy_until(at);
        self.map.push(1, 0, len);
        self.read = at + len;
    }

    /// Skips white space before `line_end`, but not escaped white space.
    fn drop_blanks_before(&mut self, line_end: usize) {
        let line = &self.source[self.read.min(line_end)..line_end];
        let blanks = line.iter().rev().take_while(|byte| is_blank(**byte));
        match blanks.count() {
            0 => {}
            len => self.skip(line_end - len, len),
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

/// Returns true if an undeclared body is certainly quoted-printable.
///
/// Every `=` begins an escape in upper case or a soft line break; one of these breaks ends a full
/// line; and the text has
///
/// - a soft break and two escapes, or two soft breaks and an escape. Only escapes with a letter
///   count, such as `=3D` and `=C3`, or of white space at the end of a line: `=10` may be the end
///   of a query or setting.
/// - or two soft breaks within words, on full lines. After white space, `=` ends many lines of
///   source code.
///
/// A line that could be base64 does not count, since its `=` may be padding. Linear.
pub(crate) fn looks_quoted_printable(bytes: &[u8]) -> bool {
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
                if line.iter().all(|&byte| base64::is_digit(byte)) {
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

/// The line at the end of `text`, or enough of it to exceed a full line.
fn line_before(text: &[u8]) -> &[u8] {
    let near = &text[text.len().saturating_sub(2 * FULL_LINE.end())..];
    &near[memrchr(b'\n', near).map_or(0, |at| at + 1)..]
}

/// The ranges of quoted-printable in HTML that is declared as unencoded, in which attributes have
/// an escape instead of the `=` before a value. A range ends at an attribute with a plain `=`,
/// since the text that mail programs and lists add before and after the page may be unencoded.
/// Linear.
pub(crate) fn quoted_printable_html(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    if memmem::find(bytes, b"=3D").is_none() {
        return parts;
    }
    // The start of a possible range, and true if it is encoded.
    let (mut start, mut is_encoded) = (0, false);
    for at in memchr_iter(b'=', bytes) {
        match Equals::at(bytes, at) {
            Equals::Escaped => {
                start = start.min(at);
                is_encoded = true;
            }
            Equals::Plain => {
                if is_encoded {
                    parts.push(start..at);
                }
                let tag = memchr(b'>', &bytes[at..]);
                (start, is_encoded) = (tag.map_or(bytes.len(), |len| at + len), false);
            }
            Equals::Other => {}
        }
    }
    if is_encoded {
        parts.push(start..bytes.len());
    }
    parts
}

/// The role of a `=` in HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Equals {
    /// The escaped `=` of an attribute.
    Escaped,
    /// The `=` of an attribute with a quoted value.
    Plain,
    /// Something else.
    Other,
}

impl Equals {
    fn at(bytes: &[u8], at: usize) -> Self {
        /// The maximum length of an attribute name, and of the distance to the beginning of its
        /// tag, in bytes.
        const LOOK_BACK: usize = 1024;
        let after = &bytes[at + 1..];
        let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\''));
        let found = match after {
            [b'3', b'D', value @ ..] => {
                let is_url = value.get(..4).is_some_and(|it| it.eq_ignore_ascii_case(b"http"));
                match is_quote(value.first()) || is_url {
                    true => Self::Escaped,
                    false => return Self::Other,
                }
            }
            _ if is_quote(after.first()) => Self::Plain,
            _ => return Self::Other,
        };
        let before = &bytes[at.saturating_sub(LOOK_BACK)..at];
        let is_of_name =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'_');
        let name = before.iter().rev().take_while(is_of_name).count();
        let before = &before[..before.len() - name];
        let is_attribute = name > 0
            && before.last().is_some_and(u8::is_ascii_whitespace)
            && memrchr2(b'<', b'>', before).is_some_and(|tag| before[tag] == b'<');
        if is_attribute { found } else { Self::Other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Span;
    use crate::container::mail::transfer::tests::mail_bytes;
    use mail_parser::decoders::quoted_printable::quoted_printable_decode;
    use proptest::prelude::*;

    fn qp(bytes: &[u8]) -> (String, bool) {
        let decoded = decode(bytes, Vec::new());
        let text = String::from_utf8_lossy(&decoded.bytes).into_owned();
        (text, decoded.repaired)
    }

    /// Quoted-printable by RFC 2045; lines end in CRLF.
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
    fn escaped_attributes_identify_encoded_html() {
        let read = |page: &str| {
            let parts = quoted_printable_html(page.as_bytes());
            let decoded = decode_within(page.as_bytes(), &parts, Vec::new());
            String::from_utf8_lossy(&decoded.bytes).into_owned()
        };
        assert_eq!(read("<a href=3D\"x\">caf=C3=A9 =\n"), "<a href=\"x\">caf\u{e9} ");
        assert_eq!(read("<a href=3D'x'>=3D"), "<a href='x'>=");
        assert_eq!(read("<a\nhref=3Dhttp://x>=3D"), "<a\nhref=http://x>=");
        for plain in [
            "<a href=\"?a=3D\">=3D", "<a href=\"x\">=C3=A9", "<a href=3Dx>", "<a>href=3D\"x\"",
            "a=3D\"x\"", "<a href=\"x\"> b=3D\"y\"",
        ] {
            assert_eq!(read(plain), plain);
        }
        assert_eq!(
            read("<a href=\"?b=AB\">=C3=A9</a> =20<b href=3D\"x\">=3D</b><i id=\"=20\">=20"),
            "<a href=\"?b=AB\">\u{e9}</a>  <b href=\"x\">=</b><i id=\"=20\">=20"
        );
        assert_eq!(read("<a class=\"=20\" href=3D\"x\">=20"), "<a class=\"=20\" href=\"x\"> ");
        assert_eq!(read("<a href=3D\"x\" class=\"=20\">=20"), "<a href=\"x\" class=\"=20\">=20");
    }

    #[test]
    fn escapes_and_soft_breaks_are_decoded() {
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
    fn a_stray_equals_sign_is_unchanged() {
        for text in ["a=b", "=G0", "=4", "==", "a= b", "=4\n", "=\rx"] {
            let expected = if text == "==" { "=" } else { text };
            assert_eq!(qp(text.as_bytes()), (expected.to_owned(), true), "{text:?}");
        }
        assert_eq!(qp(b"==3D"), ("==".to_owned(), true));
        let decoded = decode(b"a=b c\r\n", Vec::new());
        assert!(matches!(decoded.bytes, Cow::Borrowed(_)));
        assert_eq!(decoded.map, Map::Identity);
    }

    #[test]
    fn a_url_with_a_soft_break_maps_to_source() {
        let body = b"x http://a.example/=\r\n?q=3D1 y";
        let decoded = decode(body, Vec::new());
        assert_eq!(&*decoded.bytes, b"x http://a.example/?q=1 y");
        let Map::Units(map) = decoded.map else {
            panic!("there are escapes");
        };
        assert_eq!(map.to_source(Span::new(2, 23)), Span::new(2, 28));
        assert_eq!(map.to_source(Span::new(21, 22)), Span::new(24, 27));
        assert_eq!(map.skipped_before(19), 3);
    }

    #[test]
    fn only_strong_evidence_is_quoted_printable() {
        let full = "this is a line of a letter that somebody wrote and that is broken whe=";
        for (text, expected) in [
            (format!("{full}\n{full}\nre it is full"), true),
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
        let code = format!("    let {} =\n        value;\n", "a_long_name: Type".repeat(4));
        assert!(!looks_quoted_printable(code.repeat(3).as_bytes()));
        let base64 = format!("{}=\n", "abcdefghijk".repeat(6));
        assert!(!looks_quoted_printable(base64.repeat(3).as_bytes()));
    }

    /// Pieces that are valid or nearly valid quoted-printable.
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
        fn quoted_printable_round_trips(bytes in mail_bytes()) {
            let encoded = encode_qp(&bytes);
            let decoded = decode(&encoded, Vec::new());
            let mut expected = Vec::new();
            for byte in &bytes {
                match byte {
                    b'\n' => expected.extend(b"\r\n"),
                    _ => expected.push(*byte),
                }
            }
            prop_assert_eq!(&*decoded.bytes, &expected);
            prop_assert!(!decoded.repaired);
            // mail-parser writes every line break like the first one; here all are CRLF.
            prop_assert_eq!(quoted_printable_decode(&encoded), Some(expected));
        }

        #[test]
        fn spans_map_to_their_source(body in qp_soup()) {
            let decoded = decode(&body, Vec::new());
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
                prop_assert_eq!(span.start - end, map.skipped_before(at));
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
        }
    }
}
