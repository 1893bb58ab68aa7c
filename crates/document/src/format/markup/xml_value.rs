//! Values with their charset and references decoded, and a map to the source.

use encoding_rs::Encoding;

use crate::bytes::{OffsetMap, Span};
use crate::format::markup::value::{Value, decode_references};

/// The context of a text, which determines its decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Within {
    /// An attribute: references are decoded, and each white space character is a space (XML 1.0,
    /// section 3.3.3).
    Attribute,
    /// An element: references are decoded.
    Content,
    /// A CDATA section: nothing is decoded.
    Cdata,
}

/// The value of the bytes `span` of the source.
pub(in crate::format) fn value<'s>(
    source: &'s [u8],
    span: Span,
    encoding: &'static Encoding,
    within: Within,
) -> Value<'s> {
    Value::of_bytes(source, span, encoding).decoded(|text| decode(text, within))
}

/// Decodes `text`. `None` if there is nothing to decode.
fn decode(text: &str, within: Within) -> Option<(String, OffsetMap)> {
    let bytes = text.as_bytes();
    let find = |from: usize| {
        let found = match within {
            Within::Attribute => {
                bytes[from..].iter().position(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r'))
            }
            Within::Content => memchr::memchr(b'&', &bytes[from..]),
            Within::Cdata => None,
        };
        found.map(|found| from + found)
    };
    decode_references(text, find, |at| {
        let read = match bytes[at] {
            b'&' => reference_at(&text[at..]),
            // A line break counts as one character (section 2.11).
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => Some((2, ' ')),
            _ => Some((1, ' ')),
        };
        read.map(|(len, character)| (len, character, None))
    })
}

/// The reference at the start of `text`: its length in bytes, and its character. Entities of a
/// document type are not known.
fn reference_at(text: &str) -> Option<(usize, char)> {
    let name = text.strip_prefix('&')?;
    for (entity, character) in
        [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("apos;", '\'')]
    {
        if name.starts_with(entity) {
            return Some((1 + entity.len(), character));
        }
    }
    let number = name.strip_prefix('#')?;
    let (radix, digits) = match number.strip_prefix('x') {
        Some(digits) => (16, digits),
        None => (10, number),
    };
    let count = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let character = u32::from_str_radix(&digits[..count], radix).ok();
    let character = character.and_then(char::from_u32).filter(|it| is_char(*it))?;
    let is_whole = digits[count..].starts_with(';');
    is_whole.then(|| (text.len() - digits.len() + count + 1, character))
}

/// Returns true if XML allows the character (XML 1.0, section 2.2).
pub fn is_char(character: char) -> bool {
    !matches!(
        character,
        '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}'
    )
}

/// Returns true if `source` refers to an entity that only the document type defines: then the value
/// is unknown.
pub fn names_entity(source: &str) -> bool {
    memchr::memchr_iter(b'&', source.as_bytes()).any(|at| {
        let name = &source[at + 1..];
        let is_name = |it: char| {
            it.is_ascii_alphanumeric() || matches!(it, '_' | ':' | '-' | '.') || !it.is_ascii()
        };
        let end = name.find(|it| !is_name(it));
        let begins = name.starts_with(|it: char| {
            it.is_ascii_alphabetic() || matches!(it, '_' | ':') || !it.is_ascii()
        });
        begins
            && end.is_some_and(|end| name[end..].starts_with(';'))
            && reference_at(&source[at..]).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str, within: Within) -> String {
        decode(text, within).map_or_else(|| text.to_owned(), |(out, _)| out)
    }

    #[test]
    fn references_are_decoded() {
        let cases = [
            ("a&amp;b&lt;&gt;&quot;&apos;", "a&b<>\"'"),
            ("&#38;&#x26;&#x1F310;", "&&\u{1F310}"),
            // None of these is a reference.
            ("?a=1&b=2&amp", "?a=1&b=2&amp"),
            ("&AMP;&eacute;&site;", "&AMP;&eacute;&site;"),
            ("&#X26;&#38 &#;&#x;&;&", "&#X26;&#38 &#;&#x;&;&"),
            (
                "&#0;&#xD800;&#x110000;&#1;&#xFFFF;&#99999999999;",
                "&#0;&#xD800;&#x110000;&#1;&#xFFFF;&#99999999999;",
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(decoded(source, Within::Attribute), expected, "{source}");
            assert_eq!(decoded(source, Within::Content), expected, "{source}");
            assert_eq!(decoded(source, Within::Cdata), source);
        }
    }

    #[test]
    fn white_space_in_attributes_is_normalized() {
        assert_eq!(decoded("a\tb\r\nc\rd\ne&#10;", Within::Attribute), "a b c d e\n");
        assert_eq!(decoded("a\tb\r\n", Within::Content), "a\tb\r\n");
    }

    #[test]
    fn map_gives_source_offsets() {
        let source = "é&amp;\r\n&#x20AC;c".as_bytes();
        let span = Span::new(0, source.len());
        let value = value(source, span, encoding_rs::UTF_8, Within::Attribute);
        assert_eq!(value.text, "é& €c");
        let spans = [(0, 2), (2, 3), (3, 4), (4, 7), (7, 8)];
        let sources = spans.map(|(start, end)| value.to_source(Span::new(start, end)));
        let ranges = sources.map(Span::range);
        assert_eq!(ranges, [0..2, 2..7, 7..9, 9..17, 17..18]);
    }

    #[test]
    fn entities_of_a_document_type_are_detected() {
        for unknown in ["&site;/x", "a&eacute;", "&amp;&a.b;", "&é;"] {
            assert!(names_entity(unknown), "{unknown}");
        }
        for known in ["", "&amp;&#38;&apos;", "?a=1&b=2", "?a=1&b=2;", "& ;", "&;", "&#x;"] {
            assert!(!names_entity(known), "{known}");
        }
    }
}
