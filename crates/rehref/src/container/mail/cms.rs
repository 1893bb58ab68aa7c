//! The signed content of an S/MIME part whose signature is opaque (RFC 8551, section 3.5.2).
//!
//! Such a part is `SignedData` (RFC 5652, section 5), and has the signed message in the clear. Mail
//! programs write it with lengths that are known or not, and with the message in pieces, so BER is
//! read (X.690, section 8). No signature is verified.

use std::borrow::Cow;
use std::ops::Range;

use crate::bytes::{OffsetMap, OffsetMapBuilder};

/// The object identifier of `SignedData`: 1.2.840.113549.1.7.2.
const SIGNED_DATA: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02";

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;
const OCTET_STRING: u8 = 0x04;
/// The bit of a value that consists of others.
const CONSTRUCTED: u8 = 0x20;
/// `[0] EXPLICIT`
const EXPLICIT_0: u8 = 0xA0;

/// The maximum nesting of values without a length.
const MAX_DEPTH: usize = 16;

/// The content of signed data, in the bytes that encode it.
#[derive(Debug)]
pub(super) struct Signed {
    pieces: Vec<Range<usize>>,
}

impl Signed {
    /// Reads the beginning of `bytes`. `None` if they are not signed data. The content may be
    /// absent: a certificate, or a signature of another part.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader { bytes, at: 0 };
        let info = reader.enter(SEQUENCE, Some(bytes.len()))?;
        let kind = reader.enter(OBJECT_IDENTIFIER, info)??;
        if bytes.get(reader.at..kind)? != SIGNED_DATA {
            return None;
        }
        reader.at = kind;
        let outer = reader.enter(EXPLICIT_0, info)?;
        let signed = reader.enter(SEQUENCE, outer)?;
        // The version, and the algorithms.
        reader.skip(signed)?;
        reader.skip(signed)?;
        let content = reader.enter(SEQUENCE, signed)?;
        reader.skip(content)?;
        let mut pieces = Vec::new();
        if let Some(value) = reader.enter(EXPLICIT_0, content) {
            reader.octets(value, &mut pieces, 0)?;
        }
        Some(Self { pieces })
    }

    /// The content, with a map to `bytes`, the bytes that encode it.
    pub(super) fn content<'b>(&self, bytes: &'b [u8]) -> (Cow<'b, [u8]>, Position) {
        match &self.pieces[..] {
            [] => (Cow::Borrowed(b""), Position::At(0)),
            [piece] => (Cow::Borrowed(&bytes[piece.clone()]), Position::At(piece.start)),
            pieces => {
                let mut content = Vec::new();
                let mut map = OffsetMapBuilder::default();
                let mut end = 0;
                for piece in pieces {
                    map.push(1, 0, piece.start - end);
                    map.push(piece.len(), 1, 1);
                    content.extend_from_slice(&bytes[piece.clone()]);
                    end = piece.end;
                }
                (Cow::Owned(content), Position::Mapped(map.finish()))
            }
        }
    }
}

/// The position of a content in the bytes that encode it.
#[derive(Debug)]
pub(super) enum Position {
    At(usize),
    Mapped(OffsetMap),
}

/// The end of a value, if it has a length.
type End = Option<usize>;

/// A reader of BER.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    /// Reads the tag and the length of a value. A value that is cut ends with the bytes.
    fn head(&mut self) -> Option<(u8, End)> {
        let (&tag, rest) = self.bytes.get(self.at..)?.split_first()?;
        let (&first, rest) = rest.split_first()?;
        self.at += 2;
        let len = match first {
            0x80 => return (tag & CONSTRUCTED != 0).then_some((tag, None)),
            0..0x80 => usize::from(first),
            _ => {
                let count = usize::from(first & 0x7F);
                let digits = rest.get(..count).filter(|_| count <= size_of::<usize>())?;
                self.at += count;
                digits.iter().fold(0, |len, digit| len << 8 | usize::from(*digit))
            }
        };
        Some((tag, Some(self.at.saturating_add(len).min(self.bytes.len()))))
    }

    /// Enters the value at the current position, if it has this tag and is within `outer`.
    fn enter(&mut self, tag: u8, outer: End) -> Option<End> {
        let start = self.at;
        let found = self.head().filter(|_| outer.is_none_or(|end| start < end));
        match found {
            Some((found, end)) if found == tag => Some(end),
            _ => {
                self.at = start;
                None
            }
        }
    }

    /// Skips a value within `outer`.
    fn skip(&mut self, outer: End) -> Option<()> {
        if outer.is_some_and(|end| self.at >= end) {
            return None;
        }
        let mut open = 0;
        loop {
            match self.head()? {
                // The end of a value without a length.
                (0, _) if open > 0 => open -= 1,
                (_, Some(end)) => self.at = end,
                (_, None) if open == MAX_DEPTH => return None,
                (_, None) => open += 1,
            }
            if open == 0 {
                return Some(());
            }
        }
    }

    /// Collects the pieces of a string of bytes within `outer`.
    fn octets(&mut self, outer: End, pieces: &mut Vec<Range<usize>>, depth: usize) -> Option<()> {
        let is_over = |at: usize| outer.is_some_and(|end| at >= end) || at >= self.bytes.len();
        if is_over(self.at) || depth > MAX_DEPTH {
            return None;
        }
        match self.head()? {
            (OCTET_STRING, Some(end)) => {
                pieces.push(self.at..end);
                self.at = end;
            }
            (tag, inner) if tag == OCTET_STRING | CONSTRUCTED => loop {
                let is_end = match inner {
                    Some(end) => self.at >= end,
                    None => self.bytes.get(self.at).is_none_or(|tag| *tag == 0),
                };
                if is_end {
                    self.at += if inner.is_none() { 2 } else { 0 };
                    break;
                }
                self.octets(inner, pieces, depth + 1)?;
            },
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value with a length in one or more bytes.
    fn value(tag: u8, content: &[u8]) -> Vec<u8> {
        let len = content.len();
        let head = match u8::try_from(len) {
            Ok(len @ 0..0x80) => vec![tag, len],
            _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
        };
        [head, content.to_vec()].concat()
    }

    /// A value without a length.
    fn open(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[tag, 0x80], content, &[0, 0]].concat()
    }

    type Wrap = fn(u8, &[u8]) -> Vec<u8>;

    fn signed(wrap: Wrap, content: &[u8]) -> Vec<u8> {
        let version = value(0x02, b"\x01");
        let algorithms = wrap(0x31, &wrap(SEQUENCE, &value(OBJECT_IDENTIFIER, b"\x2A")));
        let kind = value(OBJECT_IDENTIFIER, b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01");
        let content = match content {
            [] => kind,
            content => [kind, wrap(EXPLICIT_0, content)].concat(),
        };
        let data = [version, algorithms, wrap(SEQUENCE, &content), value(0x31, b"x")].concat();
        let kind = value(OBJECT_IDENTIFIER, SIGNED_DATA);
        wrap(SEQUENCE, &[kind, wrap(EXPLICIT_0, &wrap(SEQUENCE, &data))].concat())
    }

    fn content(bytes: &[u8]) -> Option<String> {
        let found = Signed::read(bytes)?;
        let (content, position) = found.content(bytes);
        // Each byte is at its position.
        for at in 0..content.len() {
            let source = match &position {
                Position::At(start) => start + at,
                Position::Mapped(map) => map.to_source(crate::bytes::Span::new(at, at + 1)).start,
            };
            assert_eq!(bytes[source], content[at]);
        }
        Some(String::from_utf8_lossy(&content).into_owned())
    }

    #[test]
    fn signed_content_is_read() {
        let long = "x".repeat(300);
        for wrap in [value as Wrap, open as Wrap] {
            for text in ["Content-Type: text/plain\r\n\r\na", &*long] {
                let whole = value(OCTET_STRING, text.as_bytes());
                assert_eq!(content(&signed(wrap, &whole)).as_deref(), Some(text));
                let pieces: Vec<u8> = text
                    .as_bytes()
                    .chunks(7)
                    .flat_map(|piece| value(OCTET_STRING, piece))
                    .collect();
                for wrap_pieces in [value as Wrap, open as Wrap] {
                    let pieces = wrap_pieces(OCTET_STRING | CONSTRUCTED, &pieces);
                    assert_eq!(content(&signed(wrap, &pieces)).as_deref(), Some(text));
                    let nested = wrap_pieces(OCTET_STRING | CONSTRUCTED, &pieces);
                    assert_eq!(content(&signed(wrap, &nested)).as_deref(), Some(text));
                }
            }
            assert_eq!(content(&signed(wrap, b"")).as_deref(), Some(""));
        }
    }

    #[test]
    fn other_and_damaged_data_is_not_signed() {
        let whole = signed(value, &value(OCTET_STRING, b"text"));
        for end in 0..whole.len() {
            let found = content(&whole[..end]);
            assert!(found.is_none_or(|it| "text".starts_with(&it)), "{end}");
        }
        // Enveloped data.
        let at = whole.windows(9).position(|it| it == SIGNED_DATA).unwrap();
        let mut enveloped = whole.clone();
        enveloped[at + 8] = 3;
        assert_eq!(content(&enveloped), None);
        for deep in [b"\x30\x80".repeat(1000), b"\x24\x80".repeat(1000)] {
            assert_eq!(content(&deep), None);
            assert_eq!(content(&signed(open, &deep)), None);
        }
        for bytes in [&b""[..], b"\x30", b"\x30\x84", b"\x30\xFF\xFF", b"text"] {
            assert_eq!(content(bytes), None);
        }
    }
}
