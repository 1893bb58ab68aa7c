//! The CSS tokens that may contain or hide a URL (CSS Syntax Level 3, section 4). Preprocessing is
//! done on the fly: every line break is a newline, and a NUL is read as U+FFFD.
//!
//! The tokens are those of any encoding in which the bytes of ASCII characters are not part of
//! another one: in tokens, all other bytes are equal. So only values are decoded.

use std::borrow::Cow;

use crate::bytes::Span;
use crate::format::value::strip;

/// The content of a string, or of a `url()` without quotes.
pub(super) struct Value {
    /// The bytes between the quotes or parentheses, without surrounding white space in parentheses.
    pub(super) content: Span,
    /// The end of the token.
    pub(super) end: usize,
    /// True if the token has no value: a line break ends the string, or a character in the URL is
    /// not escaped.
    pub(super) is_bad: bool,
}

/// The offset of the first byte at or after `at` for which `is` is true, or the end.
///
/// Reads whole chunks first. If `is` has no branches (`|`, not `||`), compilers turn that into
/// vector code: long strings and `data:` URLs are skipped ten times as fast, and sheets are read
/// one and a half times as fast.
pub(super) fn find(bytes: &[u8], at: usize, is: impl Fn(u8) -> bool) -> usize {
    let mut at = at;
    while let Some(chunk) = bytes[at..].first_chunk::<32>() {
        if chunk.iter().fold(0, |any, &byte| any | u8::from(is(byte))) != 0 {
            break;
        }
        at += chunk.len();
    }
    let found = bytes[at..].iter().position(|&byte| is(byte));
    found.map_or(bytes.len(), |found| at + found)
}

pub(super) fn is_space(byte: u8) -> bool {
    byte == b' ' || byte == b'\t' || is_newline(byte)
}

fn is_newline(byte: u8) -> bool {
    (byte == b'\n') | (byte == b'\r') | (byte == b'\x0C')
}

pub(super) fn skip_space(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|&&byte| is_space(byte)).count()
}

/// Skips white space and comments.
pub(super) fn skip_blank(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        at = skip_space(bytes, at);
        if !bytes[at..].starts_with(b"/*") {
            return at;
        }
        at = comment_end(bytes, at);
    }
}

/// The end of the comment that begins at `at`.
pub(super) fn comment_end(bytes: &[u8], at: usize) -> usize {
    // The asterisk that opens it does not close it.
    let mut at = at + 3;
    while let Some(slash) = bytes.get(at..).and_then(|rest| memchr::memchr(b'/', rest)) {
        at += slash + 1;
        if bytes[at - 2] == b'*' {
            return at;
        }
    }
    bytes.len()
}

/// Returns true if the byte may be part of a name, unescaped.
pub(super) fn is_name(byte: u8) -> bool {
    byte == b'-' || byte.is_ascii_digit() || is_name_start(byte)
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 || byte == 0
}

/// Returns true if an escape begins at `at` (section 4.3.8). A backslash at the end is one.
pub(super) fn is_escape(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'\\') && !bytes.get(at + 1).is_some_and(|&byte| is_newline(byte))
}

/// Returns true if a name begins at `at` (section 4.3.9).
pub(super) fn starts_name(bytes: &[u8], at: usize) -> bool {
    let starts = |at| bytes.get(at).is_some_and(|&byte| is_name_start(byte));
    match bytes.get(at) {
        Some(b'-') => {
            starts(at + 1) || bytes.get(at + 1) == Some(&b'-') || is_escape(bytes, at + 1)
        }
        _ => starts(at) || is_escape(bytes, at),
    }
}

/// The end of the name that continues at `at`.
pub(super) fn name_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        at += bytes[at..].iter().take_while(|&&it| is_name(it)).count();
        if !is_escape(bytes, at) {
            return at;
        }
        at = escape(bytes, at).1;
    }
}

/// Returns true if a name is `expected`, in any case and with any escapes.
pub(super) fn name_is(name: &[u8], expected: &str) -> bool {
    let mut at = 0;
    let decoded = std::iter::from_fn(|| {
        let (character, end) = match name.get(at) {
            Some(b'\\') => escape(name, at),
            _ => character(name, at)?,
        };
        at = end;
        Some(character)
    });
    decoded.map(|character| character.to_ascii_lowercase()).eq(expected.chars())
}

/// The character at `at`, and its end. `None` at the end.
fn character(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let rest = &bytes[at..];
    let chunk = rest[..rest.len().min(4)].utf8_chunks().next()?;
    Some(match chunk.valid().chars().next() {
        Some(character) => (character, at + character.len_utf8()),
        None => (char::REPLACEMENT_CHARACTER, at + chunk.invalid().len()),
    })
}

/// The character of the escape at `at`, and the end of the escape (section 4.3.7).
fn escape(bytes: &[u8], at: usize) -> (char, usize) {
    const NONE: char = char::REPLACEMENT_CHARACTER;
    let start = at + 1;
    let digits = bytes[start..].iter().take(6).take_while(|it| it.is_ascii_hexdigit()).count();
    if digits == 0 {
        return match character(bytes, start) {
            None => (NONE, bytes.len()),
            Some(('\0', end)) => (NONE, end),
            Some(escaped) => escaped,
        };
    }
    let end = start + digits;
    let digit = |code, &it: &u8| code * 16 + char::from(it).to_digit(16).unwrap_or(0);
    let code = bytes[start..end].iter().fold(0, digit);
    let character = char::from_u32(code).filter(|&it| it != '\0');
    let end = match bytes.get(end) {
        Some(&byte) if is_newline(byte) => newline_end(bytes, end),
        Some(b' ' | b'\t') => end + 1,
        _ => end,
    };
    (character.unwrap_or(NONE), end)
}

/// The end of the line break at `at`.
fn newline_end(bytes: &[u8], at: usize) -> usize {
    at + if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 }
}

/// The string whose opening quote is at `at` (section 4.3.5).
pub(super) fn string(bytes: &[u8], at: usize) -> Value {
    let (quote, start) = (bytes[at], at + 1);
    let value =
        |content_end, end, is_bad| Value { content: Span::new(start, content_end), end, is_bad };
    let mut at = start;
    loop {
        at = find(bytes, at, |byte| (byte == quote) | (byte == b'\\') | is_newline(byte));
        match bytes.get(at) {
            None => return value(at, at, false),
            Some(&byte) if byte == quote => return value(at, at + 1, false),
            Some(b'\\') => match bytes.get(at + 1) {
                Some(&byte) if is_newline(byte) => at = newline_end(bytes, at + 1),
                _ => at = escape(bytes, at).1,
            },
            Some(_) => return value(at, at, true),
        }
    }
}

/// The unquoted URL that begins at `at`, after white space (section 4.3.6).
pub(super) fn url(bytes: &[u8], at: usize) -> Value {
    let start = at;
    let value =
        |content_end, end, is_bad| Value { content: Span::new(start, content_end), end, is_bad };
    let mut at = start;
    loop {
        at = find(bytes, at, |byte| {
            // Controls and the space; quotes and parentheses; the backslash; DEL.
            (byte.wrapping_sub(1) < b' ')
                | (byte == b'"')
                | (byte.wrapping_sub(b'\'') < 3)
                | (byte == b'\\')
                | (byte == 0x7F)
        });
        match bytes.get(at) {
            None => return value(at, at, false),
            Some(b')') => return value(at, at + 1, false),
            Some(b'\\') if is_escape(bytes, at) => at = escape(bytes, at).1,
            Some(&byte) if is_space(byte) => {
                let content_end = at;
                at = skip_space(bytes, at);
                return match bytes.get(at) {
                    None => value(content_end, at, false),
                    Some(b')') => value(content_end, at + 1, false),
                    Some(_) => value(content_end, bad_url_end(bytes, at), true),
                };
            }
            Some(_) => return value(at, bad_url_end(bytes, at), true),
        }
    }
}

/// The end of the bad URL with an error at `at` (section 4.3.14).
fn bad_url_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(found) = bytes.get(at..).and_then(|it| memchr::memchr2(b')', b'\\', it)) {
        at += found;
        if bytes[at] == b')' {
            return at + 1;
        }
        // No other byte of an escape is one of these two.
        at += 2;
    }
    bytes.len()
}

/// The reference in a value, and its bytes without surrounding white space.
pub(super) fn decode(text: &str, content: Span, is_string: bool) -> (Span, Cow<'_, str>) {
    let is_blank = |character: char| matches!(character, '\x01'..=' ');
    let raw = &text[content.range()];
    if memchr::memchr2(b'\\', 0, raw.as_bytes()).is_none() {
        let begun = raw.trim_start_matches(is_blank);
        let start = content.end - begun.len();
        let trimmed = begun.trim_end_matches(is_blank);
        return (Span::new(start, start + trimmed.len()), strip(Cow::Borrowed(trimmed)));
    }
    let mut out = String::with_capacity(raw.len());
    // From the first character that is not white space, or is escaped, to the last.
    let mut span: Option<Span> = None;
    let mut at = content.start;
    while let Some(character) = text[at..content.end].chars().next() {
        let start = at;
        at += character.len_utf8();
        match (character, text.as_bytes().get(at)) {
            ('\\', None) if is_string => {}
            ('\\', Some(&byte)) if is_newline(byte) => at = newline_end(text.as_bytes(), at),
            ('\\', _) => {
                let (character, end) = escape(text.as_bytes(), start);
                out.push(character);
                at = end;
            }
            ('\0', _) => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(character),
        }
        if !is_blank(character) {
            span = Some(Span::new(span.map_or(start, |span| span.start), at));
        }
    }
    let nothing = Span::new(content.start, content.start);
    (span.unwrap_or(nothing), strip(Cow::Owned(out)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_searches_chunks_and_the_rest() {
        let is = |byte| byte == b'x';
        for len in 0..80 {
            let mut bytes = vec![b'a'; len];
            assert_eq!(find(&bytes, 0, is), len);
            assert_eq!(find(&bytes, len, is), len);
            for at in 0..len {
                bytes[at] = b'x';
                assert_eq!(find(&bytes, 0, is), at);
                assert_eq!(find(&bytes, at, is), at);
                bytes[at] = b'a';
            }
        }
    }

    #[test]
    fn comments_end() {
        let ends = |text: &str| comment_end(text.as_bytes(), 0);
        assert_eq!(ends("/**/ */"), 4);
        assert_eq!(ends("/*/ */"), 6);
        assert_eq!(ends("/* * / **/x"), 10);
        assert_eq!(ends("/*"), 2);
        assert_eq!(ends("/*/"), 3);
        assert_eq!(skip_blank(b" /**/\t/* a */x", 0), 13);
    }

    #[test]
    fn escapes_are_decoded() {
        let escape = |text: &str| escape(text.as_bytes(), 0);
        assert_eq!(escape("\\41 b"), ('A', 4));
        assert_eq!(escape("\\41b"), ('\u{41B}', 4));
        assert_eq!(escape("\\000041b"), ('A', 7));
        assert_eq!(escape("\\000041 b"), ('A', 8));
        assert_eq!(escape("\\41\r\n"), ('A', 5));
        assert_eq!(escape("\\41\n\n"), ('A', 4));
        assert_eq!(escape("\\g"), ('g', 2));
        assert_eq!(escape("\\é"), ('é', 3));
        for none in ["\\", "\\0", "\\d800", "\\110000", "\\\0"] {
            assert_eq!(escape(none), ('\u{FFFD}', none.len()), "{none:?}");
        }
    }

    #[test]
    fn names_are_recognized() {
        let bytes = |text: &str| starts_name(text.as_bytes(), 0);
        assert!(["a", "-a", "--", "é", "\\41", "-\\41", "_", "\\"].map(bytes) == [true; 8]);
        assert!(["", "-", "1", "-1", "\\\n", "-\\\n", "+a"].map(bytes) == [false; 7]);
        assert_eq!(name_end("a-1\\.\\31 é(".as_bytes(), 0), 11);
        let name_is = |name: &str, expected| name_is(name.as_bytes(), expected);
        assert!(name_is("u\\52 L", "url"));
        assert!(name_is("URL", "url") && name_is("\\0075\\R\\l", "url"));
        assert!(!["ur", "urls", "u\\72rl"].iter().any(|it| name_is(it, "url")));
    }

    #[test]
    fn bad_urls_end_at_the_next_parenthesis() {
        for (text, end) in [
            ("a b)c", 4),
            ("a(b))c", 4),
            ("a\"\\))c", 5),
            ("a \\", 3),
            ("a \\)b)c", 6),
            ("a\\\n)c", 4),
            ("a\x7F", 2),
            ("a b", 3),
        ] {
            let url = url(text.as_bytes(), 0);
            assert!(url.is_bad, "{text:?}");
            assert_eq!(url.end, end, "{text:?}");
        }
    }

    #[test]
    fn values_are_decoded_and_stripped() {
        let decoded = |text: &'static str| {
            let (span, reference) = decode(text, Span::new(0, text.len()), true);
            (&text[span.range()], reference.into_owned())
        };
        let is = |raw, reference: &str| (raw, reference.to_owned());
        assert_eq!(decoded(" \x01 a b\t "), is("a b", "a b"));
        assert_eq!(decoded("a\tb"), is("a\tb", "ab"));
        assert_eq!(decoded(" \\41  "), is("\\41 ", "A"));
        assert_eq!(decoded("\\20 a\\ "), is("\\20 a\\ ", "a"));
        assert_eq!(decoded("a\\\r\nb\\\n"), is("a\\\r\nb\\\n", "ab"));
        assert_eq!(decoded("a\\"), is("a\\", "a"));
        assert_eq!(decoded("\0"), is("\0", "\u{FFFD}"));
        assert_eq!(decoded("  "), is("", ""));
        let (span, reference) = decode("a\\", Span::new(0, 2), false);
        assert_eq!((span.len(), &*reference), (2, "a\u{FFFD}"));
    }
}
