//! Encoded words: non-ASCII text in header fields (RFC 2047).

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, WINDOWS_1252};
use mail_parser::decoders::base64::base64_decode;

use crate::bytes::digits::hex;
use crate::bytes::{OffsetMap, OffsetMapBuilder};
use crate::source::utf7;

/// The text of an unstructured field value with its encoded words decoded, and a map to the value.
/// `None` if it has no encoded words.
///
/// White space between two encoded words is dropped (section 6.2), as are the line breaks of
/// folding in it. Text outside of words is unchanged. Each word is one unit of the map. If a
/// character is divided among words of one charset and encoding, against section 5, these words are
/// one unit.
///
/// Words are decoded anywhere, also where section 5 forbids them, such as in quotes or next to a
/// letter, since real mail has such words. Spaces and question marks in a word are accepted. Other
/// malformed words are unchanged.
///
/// Linear: an unclosed word is read only up to the start of the next one.
pub fn decode(value: &str) -> Option<(String, OffsetMap)> {
    let mut text = String::new();
    let mut map = OffsetMapBuilder::default();
    let mut copied = 0;
    let mut at = 0;
    let mut follows_word = false;
    while let Some(found) = value[at..].find("=?") {
        let start = at + found;
        let Some(first) = Word::at(value, start) else {
            at = start + "=?".len() - 1;
            continue;
        };
        let between = &value[copied..start];
        if follows_word && is_white(between) {
            map.push(1, 0, between.len());
        } else {
            text.push_str(between);
            map.push(between.len(), 1, 1);
        }
        let words = first.with_following(value);
        let end = words.last().map_or(start, |word| word.end);
        decode_run(&words, &mut text, &mut map);
        (at, copied, follows_word) = (end, end, true);
    }
    if !follows_word {
        return None;
    }
    text.push_str(&value[copied..]);
    map.push(value.len() - copied, 1, 1);
    Some((text, map.finish()))
}

/// An encoded word.
#[derive(Clone, Debug)]
struct Word<'v> {
    start: usize,
    end: usize,
    /// The charset as written, without the language.
    charset: &'v str,
    is_base64: bool,
    bytes: Vec<u8>,
}

impl<'v> Word<'v> {
    /// The word that begins with the `=?` at `start`.
    fn at(value: &'v str, start: usize) -> Option<Self> {
        let charset_start = start + "=?".len();
        let rest = &value[charset_start..];
        let charset_len = rest.bytes().take_while(|&byte| is_token(byte)).count();
        let (charset, rest) = rest.split_at(charset_len);
        let (is_base64, text) = match rest.as_bytes() {
            [b'?', b'B' | b'b', b'?', ..] => (true, &rest["?B?".len()..]),
            [b'?', b'Q' | b'q', b'?', ..] => (false, &rest["?Q?".len()..]),
            _ => return None,
        };
        let len = text_len(text.as_bytes())?;
        let end = value.len() - text.len() + len + "?=".len();
        let text = &text[..len];
        // The language (RFC 2231, section 5).
        let charset = charset.split_once('*').map_or(charset, |(name, _)| name);
        let bytes =
            if is_base64 { base64_decode(text.as_bytes())? } else { decode_q(text.as_bytes()) };
        Some(Self { start, end, charset, is_base64, bytes })
    }

    /// This word and the following ones with the same charset and encoding, separated only by white
    /// space.
    fn with_following(self, value: &'v str) -> Vec<Self> {
        let mut words = vec![self];
        while let Some(last) = words.last() {
            let rest = &value[last.end..];
            let next = value.len() - rest.trim_start_matches(is_fold).len();
            if !value[next..].starts_with("=?") {
                break;
            }
            match Self::at(value, next) {
                Some(word)
                    if word.is_base64 == last.is_base64
                        && word.charset.eq_ignore_ascii_case(last.charset) =>
                {
                    words.push(word);
                }
                _ => break,
            }
        }
        words
    }
}

/// Decodes consecutive words of one charset and encoding.
///
/// A word that ends within a character is decoded together with the next. Only in UTF-8 does each
/// byte show if a character begins with it. In other charsets, a run with such a word is decoded as
/// a whole.
fn decode_run(words: &[Word<'_>], text: &mut String, map: &mut OffsetMapBuilder) {
    let Some((last, before)) = words.split_last() else {
        return;
    };
    let encoding = Encoding::for_label_no_replacement(last.charset.as_bytes());
    let is_cut = |word: &Word<'_>| is_cut(&word.bytes, encoding.unwrap_or(UTF_8));
    let is_whole = encoding.is_some_and(|it| it != UTF_8) && before.iter().any(is_cut);
    let mut read = None;
    for unit in words.chunk_by(|before, _| is_whole || is_cut(before)) {
        let [first, following @ ..] = unit else {
            continue;
        };
        let mut bytes = Cow::Borrowed(first.bytes.as_slice());
        for word in following {
            bytes.to_mut().extend_from_slice(&word.bytes);
        }
        let end = following.last().unwrap_or(first).end;
        map.push(1, 0, first.start - read.unwrap_or(first.start));
        let utf7 = Some(&bytes).filter(|_| utf7::is_label(last.charset));
        let decoded = match utf7.and_then(|bytes| utf7::decode(bytes)) {
            Some((text, _)) => Cow::Owned(text),
            None => in_charset(&bytes, encoding),
        };
        text.push_str(&decoded);
        map.push(1, decoded.len(), end - first.start);
        read = Some(end);
    }
}

/// The text of `bytes`. In an unknown charset, they are read as UTF-8 if valid, and as windows-1252
/// otherwise.
fn in_charset<'b>(bytes: &'b [u8], encoding: Option<&'static Encoding>) -> Cow<'b, str> {
    if let Some(encoding) = encoding {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// Returns true if `bytes` end within a character.
fn is_cut(bytes: &[u8], encoding: &'static Encoding) -> bool {
    if encoding == ISO_2022_JP {
        // A word must end in ASCII mode (section 3). If it does not, the next word continues in its
        // mode.
        let escape = bytes.rsplit(|&byte| byte == 0x1B).next();
        return escape.is_some_and(|it| {
            it.len() < bytes.len() && !it.starts_with(b"(B") && !it.starts_with(b"(J")
        });
    }
    if encoding.is_single_byte() || bytes.last().is_none_or(u8::is_ascii) && encoding == UTF_8 {
        return false;
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut buffer = [0; 256];
    let mut rest = bytes;
    loop {
        let (result, read, _, _) = decoder.decode_to_utf8(rest, &mut buffer, false);
        rest = &rest[read..];
        if result == encoding_rs::CoderResult::InputEmpty {
            break;
        }
    }
    // Bytes that the decoder has held back are an error now.
    let (_, _, _, had_errors) = decoder.decode_to_utf8(b"", &mut buffer, true);
    had_errors
}

/// The length of the text of a word at the start of `text`: up to the first `?=`. `None` if the
/// line or the value ends before, another word begins, or the text has a byte that words do not
/// have.
fn text_len(text: &[u8]) -> Option<usize> {
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'?' if text.get(at + 1) == Some(&b'=') => return Some(at),
            b'?' if at > 0 && text[at - 1] == b'=' => return None,
            b' '..=b'~' | b'\t' => {}
            _ => return None,
        }
    }
    None
}

/// The bytes of a word in the Q encoding (section 4.2): quoted-printable without line breaks, and
/// `_` for a space. A `=` without a valid escape is kept.
fn decode_q(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, after) {
            (b'_', _) => bytes.push(b' '),
            (b'=', [high, low, after @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high << 4 | low);
                    rest = after;
                }
                _ => bytes.push(b'='),
            },
            _ => bytes.push(*byte),
        }
    }
    bytes
}

/// Returns true if the name of a charset may have this byte (section 2: a token).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"()<>@,;:\"/[]?.=".contains(&byte)
}

fn is_fold(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

fn is_white(text: &str) -> bool {
    text.chars().all(is_fold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Span;
    use proptest::prelude::*;

    fn text(value: &str) -> String {
        decode(value).map_or_else(|| format!("none: {value}"), |(text, _)| text)
    }

    /// The source of each character.
    fn sources<'v>(value: &'v str, decoded: &(String, OffsetMap)) -> Vec<&'v str> {
        let (text, map) = decoded;
        let spans = text.char_indices().map(|(at, character)| {
            let span = map.to_source(Span::new(at, at + character.len_utf8()));
            &value[span.range()]
        });
        spans.collect()
    }

    #[test]
    fn examples_of_section_8_are_decoded() {
        for (value, expected) in [
            ("=?US-ASCII?Q?Keith_Moore?= <k@a.example>", "Keith Moore <k@a.example>"),
            ("=?ISO-8859-1?Q?Keld_J=F8rn?= x", "Keld J\u{f8}rn x"),
            (
                "=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=\r\n =?ISO-8859-2?B?dSB1bmRlcnN0YW5kIHRoZSBleGFtcGxlLg==?=",
                "If you can read this you understand the example.",
            ),
            ("(=?ISO-8859-1?Q?a?=)", "(a)"),
            ("(=?ISO-8859-1?Q?a?= b)", "(a b)"),
            ("(=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=)", "(ab)"),
            ("(=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=)", "(ab)"),
            ("(=?ISO-8859-1?Q?a?=\r\n    =?ISO-8859-1?Q?b?=)", "(ab)"),
            ("(=?ISO-8859-1?Q?a_b?=)", "(a b)"),
            ("(=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=)", "(a b)"),
        ] {
            assert_eq!(text(value), expected);
        }
    }

    #[test]
    fn charsets_and_languages_are_read() {
        assert_eq!(text("=?utf-8*en?q?a=c3=A9?="), "a\u{e9}");
        assert_eq!(text("=?Shift_JIS?B?k/qWew==?="), "\u{65e5}\u{672c}");
        assert_eq!(text("=?iso-2022-jp?B?GyRCRnxLXBsoQg==?="), "\u{65e5}\u{672c}");
        assert_eq!(text("=?unknown-8bit?Q?=C3=A9?="), "\u{e9}");
        assert_eq!(text("=?unknown-8bit?Q?=E9?="), "\u{e9}");
        assert_eq!(text("=?iso-2022-kr?Q?a?="), "a", "no replacement");
        assert_eq!(text("=??Q?=C3=A9?="), "\u{e9}");
    }

    #[test]
    fn forbidden_bytes_in_words_are_accepted() {
        assert_eq!(text("\"x=?utf-8?Q?a b?c=?=y\""), "\"xa b?c=y\"");
        assert_eq!(text("=?utf-8?Q?what??="), "what?");
        assert_eq!(text("=?utf-8?B?w6k?="), "\u{e9}", "padding missing");
        assert_eq!(text("=?utf-8?Q??=x=?utf-8?B??="), "x");
        assert_eq!(text("=?utf-8?Q?a?==?utf-8?Q?b?="), "ab");
    }

    #[test]
    fn malformed_words_are_kept() {
        for value in [
            "", "plain", "=?", "=?utf-8?", "=?utf-8?X?a?=", "=?utf-8?Q?a", "=?utf-8?Q?a\r\n b?=",
            "=?utf-8?Q?\u{e9}?=", "=?utf-8?B?!!?=", "=?utf 8?Q?a?=", "=?=?=?=?",
        ] {
            assert!(decode(value).is_none(), "{value}");
        }
        let value = "=?utf-8?Q?a =?utf-8?Q?b?=\r\n =?utf-8?Q?c";
        assert_eq!(text(value), "=?utf-8?Q?a b\r\n =?utf-8?Q?c");
    }

    #[test]
    fn divided_characters_are_joined() {
        let value = "x =?utf-8?Q?a=E4=BD?= =?UTF-8?Q?=A0b?=\r\n =?utf-8?Q?c?= y";
        let decoded = decode(value).unwrap();
        assert_eq!(decoded.0, "x a\u{4f60}bc y");
        let both = &value[2..38];
        assert!(both.ends_with("=A0b?="));
        let expected = ["x", " ", both, both, both, "=?utf-8?Q?c?=", " ", "y"];
        assert_eq!(sources(value, &decoded), expected);
        assert_eq!(text("=?gb2312?B?xA==?= =?gb2312?B?47rD?="), "\u{4f60}\u{597d}");
        assert_eq!(
            text("=?iso-2022-jp?B?GyRCRnw=?= =?iso-2022-jp?B?S1wbKEI=?="),
            "\u{65e5}\u{672c}"
        );
        assert_eq!(text("=?utf-8?Q?=E4?= =?utf-8?B?vaA=?="), "\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn words_map_to_their_spans() {
        let value = "See =?utf-8?Q?http://a.ex?= \r\n =?utf-8?Q?ample/?= now";
        let decoded = decode(value).unwrap();
        assert_eq!(decoded.0, "See http://a.example/ now");
        let span = decoded.1.to_source(Span::new(4, 21));
        assert_eq!(&value[span.range()], &value[4..value.len() - 4]);
        let now = decoded.1.to_source(Span::new(22, 25));
        assert_eq!(&value[now.range()], "now");
    }

    #[test]
    fn many_unclosed_words_take_linear_time() {
        for piece in ["=?", "=?utf-8?q?a", "=?utf-8?b?a ", "=?utf-8?q?a?=", "=?a?q?", "=?utf-8?q??"]
        {
            decode(&piece.repeat(100_000));
        }
    }

    proptest! {
        #[test]
        fn plain_text_maps_to_itself(
            pieces in proptest::collection::vec(proptest::sample::select(vec![
                "=?utf-8?Q?", "=?utf-8?B?", "=?gb2312?q?", "w6k=", "=C3", "=A9", "?=", "=", "?", "_",
                " ", "\r\n ", "word", "\u{e9}", "=?utf-8?Q?x=E4?=", "=?utf-8?Q?y?=", "=?gb2312?Q?z?=",
            ]), 0..30),
        ) {
            let value = pieces.concat();
            let Some(decoded) = decode(&value) else {
                return Ok(());
            };
            let (text, map) = &decoded;
            prop_assert_eq!(map.source_len(), value.len());
            let mut end = 0;
            for (at, character) in text.char_indices() {
                let span = map.to_source(Span::new(at, at + character.len_utf8()));
                let source = &value[span.range()];
                if source.starts_with("=?") {
                    prop_assert!(source.ends_with("?="));
                } else {
                    prop_assert_eq!(source, character.to_string());
                }
                prop_assert!(span.end >= end);
                end = span.end;
            }
        }

        #[test]
        fn encoded_text_is_decoded(words in proptest::collection::vec(".{0,12}", 1..6)) {
            let word = |text: &String| {
                let hex: String = text.bytes().map(|byte| format!("={byte:02X}")).collect();
                format!("=?utf-8?q?{hex}?=")
            };
            let value: Vec<String> = words.iter().map(word).collect();
            prop_assert_eq!(text(&value.join("\r\n ")), words.concat());
            prop_assert_eq!(text(&value.join(" x ")), words.join(" x "));
        }
    }
}
