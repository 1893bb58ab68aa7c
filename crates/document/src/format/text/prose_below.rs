//! A quick check for the line after a URL that continues no URL. It decides for most URLs in mail.

use super::chars::letter_width;
use super::lines;
use super::pieces::LONGEST_PIECE;
use super::tail::is_extension;

/// The maximum length of a file name extension, in bytes.
const EXTENSION: usize = 5;

/// The maximum number of reply marks and spaces that are skipped at the start of a line, and the
/// maximum length of the word after them, in bytes.
const MARKS: usize = 64;
const WORD: usize = 64;

/// The minimum length of a hash that continues in the next line, in digits.
const HASH: usize = 32;

/// Returns true if `line` continues no URL that ends with the line before: it is blank, a ruler or
/// another URL, or it begins with a word of letters and more words follow. A line that begins with
/// Han or Kana, or with a word of other non-ASCII letters, continues no URL either. `url` is the
/// text up to the end of that URL. Both are UTF-8 if `is_wide` is set. Constant time.
pub(super) fn is_prose_below(url: &[u8], line: &[u8], is_wide: bool) -> bool {
    let marks = line.iter().take(MARKS);
    let marks = marks.take_while(|byte| matches!(byte, b'>' | b' ')).count();
    let mut line = &line[marks..];
    if line.starts_with(b"--") {
        // A separate word, unless it is a mark of both lines.
        if !has_dashes(url) {
            return true;
        }
        let dashes = line.iter().take(MARKS);
        let dashes = dashes.take_while(|byte| **byte == b'-').count();
        let blanks = usize::from(line.get(dashes) == Some(&b' '));
        line = &line[dashes + blanks..];
    }
    match line {
        [] | [b'\n', ..] | [b'\r', b'\n', ..] => return true,
        // A ruler.
        [a @ (b'_' | b'=' | b'~' | b'+'), b, c, d, e, ..] if [a; 4] == [b, c, d, e] => return true,
        _ => {}
    }
    let len = word_len(line, is_wide);
    let word = &line[..len];
    // Another URL.
    if let (1.., Some([b':', b'/', b'/', next, ..])) = (len, line.get(len..))
        && next.is_ascii_alphanumeric()
        && word.iter().all(u8::is_ascii_alphabetic)
    {
        return true;
    }
    let (len, is_certain) = match word {
        [] => return false,
        _ if is_certainly_ideographic(word) => (len, true),
        _ => {
            let after = match line.get(len) {
                Some(b'.' | b',' | b':' | b';' | b'?' | b'!' | b')') => len + 1,
                _ => len,
            };
            (len, ends_word(&line[after..], word[0].is_ascii(), is_wide))
        }
    };
    is_certain && !may_end_within(url, &line[..len])
}

/// Returns true if `--` may be in the last line of `url`.
fn has_dashes(url: &[u8]) -> bool {
    let near = &url[url.len().saturating_sub(lines::LOOK_BACK + LONGEST_PIECE)..];
    let line = memchr::memrchr(b'\n', near).map_or(near, |at| &near[at..]);
    line.windows(2).any(|pair| pair == b"--")
}

/// The length of the leading word of letters, with the apostrophes in it. At most about [`WORD`]
/// bytes.
#[inline]
fn word_len(line: &[u8], is_wide: bool) -> usize {
    let mut len = 0;
    while len < WORD {
        len += match line.get(len) {
            Some(b'a'..=b'z' | b'A'..=b'Z') => 1,
            Some(b'\'') if len > 0 => 1,
            Some(0x80..) if is_wide => match letter_width(&line[len..]) {
                0 => break,
                width => width,
            },
            _ => break,
        };
    }
    len
}

/// Returns true if a word ends before these bytes, and none of the rules about a word that is alone
/// in its line, or that precedes a URL in brackets, applies. A word that does not begin with an
/// ASCII letter may be alone.
#[inline]
fn ends_word(after: &[u8], begins_ascii: bool, is_wide: bool) -> bool {
    match after {
        [b' ', next, ..] if next.is_ascii_alphanumeric() => true,
        // The URL may be repeated in the bracket.
        [b' ', b'(' | b'[', next, ..] => {
            next.is_ascii_alphanumeric() && !matches!(next, b'h' | b'H' | b'f' | b'F')
        }
        [b' ', b'"' | b'\'', next, ..] => next.is_ascii_alphanumeric(),
        [] | [b'\n', ..] | [b'\r', b'\n', ..] => !begins_ascii,
        [b' ', rest @ ..] => is_wide && letter_width(rest) > 0,
        _ => false,
    }
}

/// Returns true if the leading character is certainly Han or Kana.
#[inline]
fn is_certainly_ideographic(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xE5..=0xE9, ..]
            | [0xE4, 0xB8..=0xBF, ..]
            | [0xE3, 0x82 | 0x83, ..]
            | [0xE3, 0x81, 0x81..=0xBF, ..]
    )
}

/// Returns true if the URL may end within an escape, a hash or a file name extension that `word`
/// completes, or with a character after which it continues more often.
fn may_end_within(url: &[u8], word: &[u8]) -> bool {
    // The longest hash has 64 digits, the shortest 32.
    if word.iter().all(u8::is_ascii_hexdigit) {
        let digits = url.iter().rev().take(HASH.saturating_sub(word.len()));
        if digits.len() == 0 || digits.clone().all(u8::is_ascii_hexdigit) {
            return true;
        }
    }
    match *url {
        [.., b'%', _] => true,
        // `&amp;` is never the end of a URL.
        [.., b'&', b'a', b'm', b'p', b';'] => true,
        [.., b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b',' | b';' | b'.'] => {
            let extension = url.iter().rev().take(EXTENSION);
            let extension = extension.take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let (before, name) = url.split_at(url.len() - extension);
            before.last() == Some(&b'.') && completes_extension(name, word)
        }
        _ => true,
    }
}

/// Returns true if a word may be the rest of a file name extension that begins with `name`.
fn completes_extension(name: &[u8], word: &[u8]) -> bool {
    let len = word.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let mut whole = [0; EXTENSION];
    let Some(to) = whole.get_mut(..name.len() + len.count()) else {
        return false;
    };
    let (start, end) = to.split_at_mut(name.len());
    start.copy_from_slice(name);
    end.copy_from_slice(&word[..end.len()]);
    !end.is_empty() && std::str::from_utf8(to).is_ok_and(is_extension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Span;
    use crate::format::options::{Join, TextOptions};
    use crate::format::text::join;
    use proptest::prelude::*;

    fn any_of(pieces: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
        prop::sample::select(pieces)
    }

    proptest! {
        #![proptest_config(crate::tier::cases(50_000))]

        #[test]
        fn no_url_continues_in_prose(
            before in any_of(&["", "> ", "see ", "# ", "a (", "jd> ", "a b c\n", "-- ", "> -- ", "x -- "]),
            url in any_of(&[
                "http://a.b", "http://a.b/c", "http://a.example/bcdefghijklmnopqrstuvwxyz/0123456789abcdefghijk",
                "http://a.example/0123456789abcdef01234567", "http://a.example/0123456789abcdef0123456789abcdef0123",
            ]),
            end in any_of(&[
                "", "", "/", ".", ".ht", ".tx", ".", ".org", "-", "_", "=", "?", "#", "&", "&am", "&amp;", "%", "%2", ",", ";", ":",
                "!", ")", "*", "**", "~", "\u{2010}", "é", ".html", ".c", "/b.h", "/b.tx", "/b.j",
            ]),
            line_break in any_of(&["\n", "\r\n", " \n"]),
            marks in any_of(&["", "", "> ", ">> ", " ", "# ", "jd> ", "-- ", "--", "--\n", "> -- ", ">", "\n", "> \n", "=====", "> ____"]),
            word in any_of(&[
                "word", "The", "a", "a-b/c", "t", "ml", "tml", "df", "com", "amp", "dead", "deadbeef", "x-y", "a/b.c", "http:", "http://a", "_____", "_a=b", "",
                "I", "be", "s", "tml", "it's", "it's://a", "t\u{e9}", "\u{e9}t", "\u{44f}", "\u{65e5}a/b", "\u{3042}.html", "\u{30fb}",
                "\u{ac00}", "\u{d7}", "\u{4dc0}x=1", "\u{44f}/b",
            ]),
            after in any_of(&[
                "", " a", ", b", " ", " (http", "; x", " at a.b", ": x", ") y", ".html", " <", "\u{A0}a",
                " (x", " (*", " \"x", " '", " [f", " \u{44f}", " \u{3001}", ".", ",\r", "?x=1",
            ]),
            below in any_of(&["", "\n", "\nword word word\n", "\n> word\n"]),
            flowed in any::<bool>(),
        ) {
            let text = [before, url, end, line_break, marks, word, after, below].concat();
            let start = before.len();
            let stop = start + url.len() + end.len();
            let read = join::Read { from: start, piece: Span::new(start, stop), before: 0, last: Span::new(0, 0) };
            let options = TextOptions { join: Some(Join::Guess), flowed, ..TextOptions::default() };
            let line = &text.as_bytes()[stop + line_break.len()..];
            let is_prose = is_prose_below(&text.as_bytes()[..stop], line, true);
            prop_assert!(!is_prose || join::next(&text, read, &options).is_none(), "{:?}", text);
        }
    }
}
