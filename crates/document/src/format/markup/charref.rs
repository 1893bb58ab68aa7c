//! Character references (HTML standard, section 13.2.5.72 and on).

use encoding_rs::Encoding;
use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use memchr::memchr2;

use crate::bytes::{OffsetMap, Span};
use crate::format::markup::value::{Value, decode_references};

/// The context of the text. In an attribute, a name without `;` before `=` or an alphanumeric is
/// not a reference, so that `?a=b&copy=c` keeps its classifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    Attribute,
    Text,
}

/// The value of the bytes `span`, with charset and character references decoded.
pub(in crate::format) fn value<'s>(
    bytes: &'s [u8],
    span: Span,
    encoding: &'static Encoding,
    within: Within,
) -> Value<'s> {
    Value::of_bytes(bytes, span, encoding).decoded(|text| decode(text, within))
}

/// Decodes the character references of `text`, and replaces NULs with U+FFFD. `None` if there is
/// nothing to decode.
pub(in crate::format) fn decode(text: &str, within: Within) -> Option<(String, OffsetMap)> {
    let bytes = text.as_bytes();
    let find = |from: usize| memchr2(b'&', 0, &bytes[from..]).map(|found| from + found);
    decode_references(text, find, |at| match bytes[at] {
        0 => Some((1, '\u{FFFD}', None)),
        _ => reference_at(&text[at..], within),
    })
}

/// Returns true if `text` begins with a character reference.
pub(crate) fn begins_with_reference(text: &str, within: Within) -> bool {
    reference_at(text, within).is_some()
}

/// The complete reference at the start of `text`, by the rules of CommonMark, section 2.5: its
/// length in bytes, and the one or two characters that it refers to.
pub(crate) fn complete_reference_at(text: &str) -> Option<(usize, char, Option<char>)> {
    let name = text.strip_prefix('&')?;
    if let Some(number) = name.strip_prefix('#') {
        let (radix, prefix, most) = match number.starts_with(['x', 'X']) {
            true => (16, 1, 6),
            false => (10, 0, 7),
        };
        let digits =
            number[prefix..].bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
        let end = prefix + digits;
        if !(1..=most).contains(&digits) || !number[end..].starts_with(';') {
            return None;
        }
        let number = u32::from_str_radix(&number[prefix..end], radix).ok()?;
        let character = char::from_u32(number).filter(|&it| it != '\0');
        return Some((end + 3, character.unwrap_or('\u{FFFD}'), None));
    }
    let len = name.bytes().take(LONGEST_NAME).take_while(u8::is_ascii_alphanumeric).count();
    let name = name.get(..=len).filter(|name| name.ends_with(';'))?;
    let &(first, second) = NAMED_ENTITIES.get(name)?;
    let character = |code| char::from_u32(code).filter(|&it| it != '\0');
    Some((len + 2, character(first)?, character(second)))
}

/// The length of the longest name of a character, without the semicolon.
const LONGEST_NAME: usize = 31;

/// The reference at the start of `text`: its length in bytes, and the one or two characters that it
/// refers to.
fn reference_at(text: &str, within: Within) -> Option<(usize, char, Option<char>)> {
    let name = text.strip_prefix('&')?;
    if let Some(number) = name.strip_prefix('#') {
        let (len, character) = numeric(number)?;
        return Some((2 + len, character, None));
    }
    let (len, first, second) = named(name)?;
    let next = name.as_bytes().get(len);
    let continues = next.is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric());
    if within == Within::Attribute && name.as_bytes()[len - 1] != b';' && continues {
        return None;
    }
    Some((1 + len, first, second))
}

/// The longest name of the standard's table at the start of `text`. The table has every prefix of
/// its names, so the search ends where no name can follow.
fn named(text: &str) -> Option<(usize, char, Option<char>)> {
    let mut longest = None;
    for (at, character) in text.char_indices() {
        if !character.is_ascii_alphanumeric() && character != ';' {
            break;
        }
        let Some(&(first, second)) = NAMED_ENTITIES.get(&text[..=at]) else {
            break;
        };
        if let Some(first) = char::from_u32(first).filter(|&first| first != '\0') {
            let second = char::from_u32(second).filter(|&second| second != '\0');
            longest = Some((at + 1, first, second));
        }
    }
    longest
}

/// The number in `&#38;` or `&#x26;`, without the `&#`.
fn numeric(text: &str) -> Option<(usize, char)> {
    let hexadecimal = text.starts_with(['x', 'X']);
    let (radix, prefix) = if hexadecimal { (16, 1) } else { (10, 0) };
    let digits =
        text[prefix..].bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    if digits == 0 {
        return None;
    }
    let end = prefix + digits;
    let semicolon = usize::from(text[end..].starts_with(';'));
    // A number of more than 32 bits is out of range anyway.
    let number = u32::from_str_radix(&text[prefix..end], radix).unwrap_or(u32::MAX);
    let character = match number {
        0 => '\u{FFFD}',
        0x80..=0x9F => {
            let replaced = C1_REPLACEMENTS[(number - 0x80) as usize];
            replaced.or_else(|| char::from_u32(number)).unwrap_or('\u{FFFD}')
        }
        // Surrogates, and numbers after the last code point.
        _ => char::from_u32(number).unwrap_or('\u{FFFD}'),
    };
    Some((end + semicolon, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str, within: Within) -> String {
        decode(text, within).map_or_else(|| text.to_owned(), |(out, _)| out)
    }

    #[test]
    fn references_in_attributes() {
        let cases = [
            ("a&amp;b", "a&b"),
            ("a&ampb", "a&ampb"),
            ("a&amp=b", "a&amp=b"),
            ("a&amp", "a&"),
            ("a&amp b", "a& b"),
            ("?a&copy=c", "?a&copy=c"),
            ("?a&copy;=c", "?a©=c"),
            ("x&notit;y", "x&notit;y"),
            ("x&notin;y", "x∉y"),
            ("&#x2F;&#47;&#47x&#x2fg", "//\u{2f}x/g"),
            ("&#0;&#x110000;&#xD800;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&#x80;&#x81;", "€\u{81}"),
            ("&#;&#x;&;&", "&#;&#x;&;&"),
            ("&nosuch;", "&nosuch;"),
            ("&NotEqualTilde;", "≂̸"),
            ("a\0b", "a\u{FFFD}b"),
            ("&é;", "&é;"),
        ];
        for (source, expected) in cases {
            assert_eq!(decoded(source, Within::Attribute), expected, "{source}");
        }
    }

    #[test]
    fn names_in_text_need_no_semicolon() {
        assert_eq!(decoded("a&ampb&copy=c&notit;", Within::Text), "a&b©=c¬it;");
    }

    #[test]
    fn complete_references_end_with_a_semicolon() {
        let cases = [
            ("&amp;b", Some((5, '&', None))),
            ("&amp", None),
            ("&copy=c", None),
            ("&NotEqualTilde;", Some((15, '≂', Some('\u{338}')))),
            ("&CounterClockwiseContourIntegral;", Some((33, '∳', None))),
            ("&nosuch;", None),
            ("&;", None),
            ("&#47;", Some((5, '/', None))),
            ("&#x2F;a", Some((6, '/', None))),
            ("&#X80;", Some((6, '\u{80}', None))),
            ("&#0;", Some((4, '\u{FFFD}', None))),
            ("&#xD800;", Some((8, '\u{FFFD}', None))),
            ("&#12345678;", None),
            ("&#x1234567;", None),
            ("&#;", None),
            ("&#x;", None),
            ("&é;", None),
            ("&", None),
        ];
        for (text, expected) in cases {
            assert_eq!(complete_reference_at(text), expected, "{text}");
        }
    }

    #[test]
    fn map_gives_source_offsets() {
        let (out, map) = decode("é&amp;b&#x20AC;c", Within::Attribute).unwrap();
        assert_eq!(out, "é&b€c");
        assert_eq!(map.to_source(Span::new(2, 3)), Span::new(2, 7));
        assert_eq!(map.to_source(Span::new(3, 7)), Span::new(7, 16));
        assert_eq!(map.to_source(Span::new(7, 8)), Span::new(16, 17));
    }
}
