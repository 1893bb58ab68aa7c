//! Escapes within a URL in a string literal of a text without a syntax: JSON in logs, in SQL and in
//! other JSON, and the quoted fields of logs.
//!
//! A backslash is not a URI character (RFC 3986, appendix A), so without an escape it ends the URL.

use memchr::memrchr;

use super::chars::is_stop;

/// The number of bytes before a URL in which its string begins, within its line.
const LOOK_BACK: usize = 512;

/// The maximum number of quotes that are read backward.
const MOST_QUOTES: usize = 32;

/// The maximum number of backslashes before an escaped character. JSON in JSON doubles them.
const MOST_BACKSLASHES: usize = 16;

/// The string literal around a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    /// The quote that begins and ends it.
    quote: u8,
    /// The number of backslashes before its quotes.
    backslashes: usize,
    /// True if it begins with the URL.
    begins: bool,
}

/// An escape in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Escape {
    len: usize,
    c: char,
}

impl Literal {
    /// The string literal in which the URL at `start` is: it begins right before the URL, or before
    /// it in the line where a value begins. Constant time.
    pub(super) fn around(text: &str, start: usize) -> Option<Self> {
        let bytes = &text.as_bytes()[..start];
        let from = start.saturating_sub(LOOK_BACK);
        let from = memrchr(b'\n', &bytes[from..]).map_or(from, |at| from + at + 1);
        let line = &bytes[from..];
        if let [before @ .., quote @ (b'"' | b'\'')] = line {
            let backslashes = backslashes_at_end(before);
            return Some(Self { quote: *quote, backslashes, begins: true });
        }
        let (mut end, mut fewest) = (line.len(), usize::MAX);
        for _ in 0..MOST_QUOTES {
            end = memrchr(b'"', &line[..end])?;
            let backslashes = backslashes_at_end(&line[..end]);
            let before = line[..end - backslashes].trim_ascii_end();
            let begins_value = before.last().is_none_or(|byte| b":,[{=(".contains(byte));
            if begins_value && backslashes < fewest {
                return Some(Self { quote: b'"', backslashes, begins: false });
            }
            fewest = fewest.min(backslashes);
        }
        None
    }

    /// A literal in which the escape at the start of `rest` is one. Every escape that is part of a
    /// URL is one, whatever its literal is.
    fn of_escape(rest: &str) -> Self {
        let quote = rest.trim_start_matches('\\').bytes().next().unwrap_or_default();
        Self { quote, backslashes: 0, begins: true }
    }

    /// The length of the escape at the start of `rest`, which begins with a backslash; 0 if it ends a
    /// URL in this literal.
    pub(super) fn escape_len(self, rest: &[u8]) -> usize {
        match is_escaped_equal(rest) {
            true => ESCAPED_EQUAL,
            false => self.escape(rest).map_or(0, |escape| escape.len),
        }
    }

    /// The escape at the start of `rest`, which begins with a backslash, if the URL continues.
    fn escape(self, rest: &[u8]) -> Option<Escape> {
        let backslashes = leading_backslashes(rest);
        let after = &rest[backslashes..];
        let (&first, rest) = after.split_first()?;
        let (len, c) = match first {
            b'/' => (1, '/'),
            b'=' => (1, '='),
            b'u' => {
                let (len, c) = utf16(rest)?;
                // A control, a space or a delimiter ends the URL also where it is escaped.
                (1 + len, Some(c).filter(|c| !is_stop(*c))?)
            }
            b'x' if self.begins => {
                let (len, c) = utf8(rest)?;
                (1 + len, Some(c).filter(|c| *c == '"' || !is_stop(*c))?)
            }
            // A quote within a quoted field.
            quote if self.begins && quote == self.quote && backslashes > self.backslashes => {
                let continues = rest.first().is_some_and(|it| !is_stop(char::from(*it)));
                (1, Some(char::from(quote)).filter(|_| continues)?)
            }
            _ => return None,
        };
        Some(Escape { len: backslashes + len, c })
    }
}

fn leading_backslashes(bytes: &[u8]) -> usize {
    bytes.iter().take(MOST_BACKSLASHES).take_while(|byte| **byte == b'\\').count()
}

fn backslashes_at_end(bytes: &[u8]) -> usize {
    bytes.iter().rev().take(MOST_BACKSLASHES).take_while(|byte| **byte == b'\\').count()
}

/// The number of four digits at the start of `digits`.
fn hex(digits: &[u8]) -> Option<u16> {
    let digits = digits.first_chunk::<4>()?;
    digits.iter().try_fold(0, |number, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(number << 4 | u16::try_from(digit).ok()?)
    })
}

/// The character of an escape after its `u`: four hexadecimal digits, or a surrogate pair such as
/// `d83d\ude00` (RFC 8259, section 7). Also the length of the escape after the first `u`.
fn utf16(rest: &[u8]) -> Option<(usize, char)> {
    let first = hex(rest)?;
    if let Some(c) = char::from_u32(u32::from(first)) {
        return Some((4, c));
    }
    let after = &rest[4..];
    let backslashes = leading_backslashes(after);
    let second = hex(after[backslashes..].strip_prefix(b"u")?)?;
    let c = char::decode_utf16([first, second]).next()?.ok()?;
    Some((4 + backslashes + 5, c))
}

/// The character that escapes of bytes spell in UTF-8, such as `d0\xb6`, and their length after the
/// first `x`.
fn utf8(rest: &[u8]) -> Option<(usize, char)> {
    let byte = |at: usize| {
        let digits = std::str::from_utf8(rest.get(at..at + 2)?).ok()?;
        let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
        is_hex.then(|| u8::from_str_radix(digits, 16).ok()).flatten()
    };
    let mut bytes = [byte(0)?, 0, 0, 0];
    let count = match bytes[0] {
        0..0x80 => 1,
        0xC2..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0..0xF5 => 4,
        _ => return None,
    };
    for (number, other) in bytes.iter_mut().enumerate().take(count).skip(1) {
        let at = number * 4;
        rest.get(at - 2..at).filter(|it| *it == b"\\x")?;
        *other = byte(at)?;
    }
    let c = std::str::from_utf8(&bytes[..count]).ok()?.chars().next()?;
    Some((count * 4 - 2, c))
}

/// The length of the escape at the start of `rest`, which begins with a backslash, in a URL within
/// `literal`; 0 if it ends the URL. Constant time.
pub(super) fn len(rest: &str, literal: impl FnOnce() -> Option<Literal>) -> usize {
    let bytes = rest.as_bytes();
    if is_escaped_equal(bytes) {
        return ESCAPED_EQUAL;
    }
    let literal = if may_begin(bytes) { literal() } else { None };
    literal.map_or(0, |literal| literal.escape_len(bytes))
}

/// The length of `\=`, by which CEF and LEEF write the `=` within a value.
const ESCAPED_EQUAL: usize = 2;

fn is_escaped_equal(rest: &[u8]) -> bool {
    matches!(rest, [_, b'=', after, ..] if !is_stop(char::from(*after)))
}

/// Returns true if [`len`] may be more than 0 where `rest` continues a URL.
#[inline]
pub(super) fn may_begin(rest: &[u8]) -> bool {
    matches!(rest, [b'\\', b'/' | b'u' | b'x' | b'"' | b'\'' | b'\\' | b'=', ..])
}

/// The length of the `//` with escapes at the start of `rest`, and of the escapes alone.
pub(super) fn slashes(rest: &[u8]) -> Option<usize> {
    let slash = |rest: &[u8]| {
        let backslashes = leading_backslashes(rest);
        let after = rest.get(backslashes..).filter(|_| backslashes > 0)?;
        let is_code = |code: &[u8]| code.eq_ignore_ascii_case(b"u002f");
        match after.first()? {
            b'/' => Some(backslashes + 1),
            _ => after.get(..5).filter(|it| is_code(it)).map(|code| backslashes + code.len()),
        }
    };
    let first = slash(rest)?;
    Some(first + slash(&rest[first..])?)
}

/// `written`, a URL with escapes, without them.
#[cold]
pub(super) fn unescaped(written: &str) -> String {
    let mut value = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        value.push_str(&rest[..at]);
        rest = &rest[at..];
        let escape = Literal::of_escape(rest).escape(rest.as_bytes());
        let Escape { len, c } = escape.unwrap_or(Escape { len: 1, c: '\\' });
        value.push(c);
        rest = &rest[len..];
    }
    value.push_str(rest);
    value
}

/// `new` as a text writes it in place of `written`, a URL with escapes. What both have at their
/// beginnings and ends keeps its spelling, and any other character that of one before it.
pub(super) fn respelled(written: &str, new: &str) -> String {
    let old = spelled(written);
    let count = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        pairs.take_while(|(old, new)| old == new).count()
    };
    let least = old.len().min(new.chars().count());
    let lead = count(&mut old.iter().map(|it| it.0).zip(new.chars()).take(least));
    let tail = old.iter().rev().map(|it| it.0).zip(new.chars().rev());
    let tail = count(&mut tail.take(least - lead));
    let middle = new.chars().count() - lead - tail;
    let mut value: String = old[..lead].iter().map(|it| it.1).collect();
    for c in new.chars().skip(lead).take(middle) {
        match old.iter().find(|(other, _)| *other == c) {
            Some((_, spelling)) => value.push_str(spelling),
            None => value.push(c),
        }
    }
    value.extend(old[old.len() - tail..].iter().map(|it| it.1));
    value
}

/// The characters of `written`, each with its spelling.
fn spelled(written: &str) -> Vec<(char, &str)> {
    let mut spelled = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some(first) = rest.chars().next() {
        let escape =
            if first == '\\' { Literal::of_escape(rest).escape(rest.as_bytes()) } else { None };
        let Escape { len, c } = escape.unwrap_or(Escape { len: first.len_utf8(), c: first });
        let (spelling, after) = rest.split_at(len);
        spelled.push((c, spelling));
        rest = after;
    }
    spelled
}

#[cfg(test)]
mod tests {
    use crate::format::text::{TextOptions, scan};

    fn urls(text: &str) -> Vec<String> {
        let mut urls = Vec::new();
        scan(text, &TextOptions::default(), |url| urls.push(url.reference(text).into_owned()));
        urls
    }

    #[test]
    fn escapes_of_json_are_undone_at_any_depth() {
        for text in [
            r#"{"u":"https://a/b?c=1\u0026d=2"}"#,
            r#"{"u":"https:\/\/a\/b?c=1\u0026d=2"}"#,
            r#"{"u":"https:\u002F\u002fa\u002Fb?c=1\u0026d=2"}"#,
            r#"{"u": "see https:\/\/a\/b?c=1\u0026d=2 there"}"#,
            r#"2026-01-01 INFO {"a": 1, "u": "see \"https:\/\/a\/b?c=1\u0026d=2\" there"}"#,
            r#"{"l":"{\"u\":\"https://a/b?c=1\\u0026d=2\"}\n"}"#,
            r#"(1,'{\"u\":\"https:\\/\\/a\\/b?c=1&d=2\"}');"#,
            r#"{"u":"https:\\/\\/a\\/b?c=1\\u0026d=2"}"#,
            r#"["\u003chttps://a/b?c=1\u0026d=2\u003e"]"#,
            "cs1=https://a/b?c\\=1&d\\=2 cs2=e",
            r#""https://a/b?c=1\x26d=2""#,
        ] {
            assert_eq!(urls(text), ["https://a/b?c=1&d=2"], "{text}");
        }
    }

    #[test]
    fn escapes_of_other_characters_are_undone() {
        assert_eq!(urls(r#"{"u":"https://a/\u00e9\ud83d\ude00"}"#), ["https://a/é😀"]);
        assert_eq!(
            urls(r#""GET" "https://a/\xD0\xB6?q=\x22b\x22c" "UA""#),
            ["https://a/ж?q=\"b\"c"]
        );
        assert_eq!(urls(r#""https://a/?q=\"b\"&c=1" "UA""#), [r#"https://a/?q="b"&c=1"#]);
    }

    #[test]
    fn unchanged_characters_keep_their_escapes() {
        for (written, new, expected) in [
            (r"http:\/\/a\/b?c=1\u0026d", "http://x.y/b?c=1&d", r"http:\/\/x.y\/b?c=1\u0026d"),
            (r"http://a/?b\=1&c\=2", "http://x/?c=2", r"http://x/?c\=2"),
            (r"http://a/b\'c", "http://x/b'c", r"http://x/b\'c"),
            (r"http:\/\/a\/b", "http://x/y/z", r"http:\/\/x\/y\/z"),
            ("http://a/b", "http://a/b", "http://a/b"),
        ] {
            assert_eq!(super::respelled(written, new), expected);
        }
    }

    #[test]
    fn backslash_elsewhere_ends_the_url() {
        for (text, expected) in [
            (r"s/https:\/\/a\/b/c/", &[][..]),
            (r#"{"x": https://a/\u0026"#, &["https://a/"]),
            (r#"{"x":"https://a/\nb"}"#, &["https://a/"]),
            (r#"{"x":"https://a/\u0022b"}"#, &["https://a/"]),
            (r#"{"x":"https://a/\u00"}"#, &["https://a/"]),
            (r"https://a/b\=", &["https://a/b"]),
        ] {
            assert_eq!(urls(text), expected, "{text}");
        }
    }
}
