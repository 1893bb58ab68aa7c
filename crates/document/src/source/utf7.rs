//! UTF-7 (RFC 2152): base64 text between ASCII characters. A charset of mail, not one of the
//! Encoding standard.

use memchr::memchr;

use crate::bytes::digits::base64;
use crate::bytes::{OffsetMap, OffsetMapBuilder};

/// Returns true for a label of UTF-7.
pub fn is_label(label: &str) -> bool {
    const LABELS: [&str; 6] = [
        "utf-7", "utf7", "unicode-1-1-utf-7", "unicode-2-0-utf-7", "x-unicode-2-0-utf-7",
        "csUnicode11UTF7",
    ];
    let label = label.trim();
    LABELS.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// Decodes `bytes`, with a map. `None` if they are not ASCII, and so not UTF-7.
///
/// Each shifted piece is one unit of the map, with its `+` and its `-`. An invalid piece is
/// unchanged, since URLs have `+` characters that were not encoded. Linear.
pub fn decode(bytes: &[u8]) -> Option<(String, OffsetMap)> {
    let source = std::str::from_utf8(bytes).ok().filter(|it| it.is_ascii())?;
    let mut text = String::with_capacity(source.len());
    let mut map = OffsetMapBuilder::default();
    let mut at = 0;
    while let Some(found) = memchr(b'+', &bytes[at..]) {
        let plus = at + found;
        text.push_str(&source[at..plus]);
        map.push(found, 1, 1);
        let digits = bytes[plus + 1..].iter();
        let len = digits.take_while(|byte| base64(**byte).is_some()).count();
        let shifted = &bytes[plus + 1..][..len];
        let is_closed = bytes.get(plus + 1 + len) == Some(&b'-');
        at = plus + 1 + len;
        match shifted_text(shifted) {
            _ if len == 0 && is_closed => {
                text.push('+');
                map.push(1, 1, 2);
                at += 1;
            }
            Some(piece) if len > 0 => {
                at += usize::from(is_closed);
                text.push_str(&piece);
                map.push(1, piece.len(), at - plus);
            }
            _ => {
                text.push_str(&source[plus..at]);
                map.push(at - plus, 1, 1);
            }
        }
    }
    text.push_str(&source[at..]);
    map.push(source.len() - at, 1, 1);
    Some((text, map.finish()))
}

/// The text of a shifted piece, which is UTF-16. The unused bits of its last digit are zero.
fn shifted_text(digits: &[u8]) -> Option<String> {
    let mut units = Vec::with_capacity(digits.len() * 3 / 8);
    let (mut bits, mut count) = (0_u32, 0);
    for digit in digits {
        bits = bits << 6 | u32::from(base64(*digit)?);
        count += 6;
        if count >= 16 {
            count -= 16;
            units.push((bits >> count) as u16);
            bits &= (1 << count) - 1;
        }
    }
    if count >= 6 || bits != 0 {
        return None;
    }
    String::from_utf16(&units).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Span;
    use proptest::prelude::*;

    fn text(source: &str) -> String {
        decode(source.as_bytes()).expect("ASCII").0
    }

    #[test]
    fn the_examples_of_the_rfc() {
        assert_eq!(text("A+ImIDkQ."), "A\u{2262}\u{391}.");
        assert_eq!(text("Hi Mom -+Jjo--!"), "Hi Mom -\u{263A}-!");
        assert_eq!(text("+ZeVnLIqe-"), "\u{65E5}\u{672C}\u{8A9E}");
        assert_eq!(text("1 +- 1 +AD0- 2"), "1 + 1 = 2");
    }

    #[test]
    fn text_that_is_not_encoded_stays() {
        for source in ["", "+", "c++", "a+b", "?q=foo+bar", "+AD0x-", "+2D0-"] {
            assert_eq!(text(source), source);
        }
        assert_eq!(decode("\u{e9}".as_bytes()), None);
        assert_eq!(text(&"+a".repeat(100_000)).len(), 200_000);
    }

    #[test]
    fn a_url_leads_back() {
        let source = "x http://a.example/?b+AD0-1+ACY-c y";
        let (text, map) = decode(source.as_bytes()).expect("ASCII");
        assert_eq!(text, "x http://a.example/?b=1&c y");
        assert_eq!(map.to_source(Span::new(2, 25)), Span::new(2, 33));
    }

    #[test]
    fn labels() {
        assert!(is_label("UTF-7"));
        assert!(is_label(" unicode-1-1-utf-7"));
        assert!(!is_label("utf-8"));
    }

    /// Shifts every character that is not direct, each separately.
    fn encoded(text: &str) -> String {
        use base64::Engine as _;
        let mut out = String::new();
        for character in text.chars() {
            match character {
                'a'..='z' | ' ' | '/' | ':' | '.' | '?' => out.push(character),
                other => {
                    let mut units = [0; 2];
                    let units = other.encode_utf16(&mut units).iter();
                    let bytes: Vec<u8> = units.flat_map(|unit| unit.to_be_bytes()).collect();
                    let digits = base64::engine::general_purpose::STANDARD_NO_PAD.encode(bytes);
                    out.push_str(&format!("+{digits}-"));
                }
            }
        }
        out
    }

    proptest! {
        #[test]
        fn encoded_text_is_decoded_again(written in "[a-z /:.?+=&\u{e9}\u{4e2d}\u{1F600}-]{0,60}") {
            let source = encoded(&written);
            let (text, map) = decode(source.as_bytes()).expect("ASCII");
            prop_assert_eq!(&text, &written);
            prop_assert_eq!(map.source_len(), source.len());
        }

        #[test]
        fn any_text_is_some_text(source in "[+a-zA-Z0-9/ -]{0,60}") {
            let (text, map) = decode(source.as_bytes()).expect("ASCII");
            prop_assert_eq!(map.source_len(), source.len());
            prop_assert!(map.to_source(Span::new(0, text.len())).end <= source.len());
        }
    }
}
