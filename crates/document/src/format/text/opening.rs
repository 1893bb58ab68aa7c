//! The text before a URL: an opening delimiter, and the prefix `URL:`.

use super::encoded::Encoded;
use super::lines;
use super::quotes::QUOTES;

/// The maximum white space between a delimiter and the URL, in bytes.
const SPACE_LOOK_BACK: usize = 256;

/// The prefix and the delimiter before a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    /// True if `URL:` precedes the URL.
    pub(super) prefix: bool,
    /// The opening delimiter and its offset.
    pub(super) delimiter: Option<(usize, OpeningDelimiter)>,
}

/// An opening delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpeningDelimiter {
    /// `<`
    Angle,
    /// A quote.
    Quote {
        /// The quotes that may close it.
        close: &'static str,
    },
}

impl Opening {
    const NONE: Self = Self { prefix: false, delimiter: None };

    /// Reads backward from the URL at `start`, not before `min_start`: white space, `URL:`, white
    /// space, `<`. A quote must be adjacent to the quoted text.
    pub(super) fn before(text: &str, min_start: usize, start: usize) -> Self {
        let head = &text[min_start..start];
        if is_bare_after(text, head.as_bytes()) {
            return Self::NONE;
        }
        Self::read(text, min_start, head)
    }

    /// Reads backward from a URL after `head`, which begins at `min_start`. Used if
    /// [`is_bare_after`] does not decide.
    fn read(text: &str, min_start: usize, head: &str) -> Self {
        let mut before = head;
        if head.ends_with(char::is_whitespace) {
            before = skip_space(text, min_start, head);
            if !before.ends_with(['<', ':']) {
                return Self::NONE;
            }
        }
        let prefixed = strip_prefix_word(before);
        let prefix = prefixed.is_some();
        let head = prefixed.unwrap_or(head);
        let delimiter = head.chars().next_back().and_then(|last| {
            if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == last) {
                let open = min_start + head.len() - last.len_utf8();
                return Some((open, OpeningDelimiter::Quote { close }));
            }
            let open = skip_space(text, min_start, head).strip_suffix('<')?.len();
            Some((min_start + open, OpeningDelimiter::Angle))
        });
        Self { prefix, delimiter }
    }
}

/// The maximum length of white space, and of another URL, that [`announces_url`] skips, in bytes.
const NAME_LOOK_BACK: usize = 128;

/// Returns true if the text before a `<` announces a URL: "the URI <foo:bar>", "the URLs <foo:a>
/// and <foo:b>". The end of the previous URL does not matter. Constant time.
pub(super) fn announces_url(before: &str) -> bool {
    let trim = |bytes: &mut &[u8]| {
        let blanks = bytes.iter().rev().take(NAME_LOOK_BACK);
        let blanks = blanks.take_while(|byte| byte.is_ascii_whitespace()).count();
        *bytes = &bytes[..bytes.len() - blanks];
        blanks > 0
    };
    let mut bytes = before.as_bytes();
    trim(&mut bytes);
    if ends_with_name(bytes) {
        return true;
    }
    for joint in [&b" and"[..], b" or", b","] {
        if let Some(rest) = bytes.strip_suffix(joint) {
            bytes = rest;
            break;
        }
    }
    trim(&mut bytes);
    let Some(inside) = bytes.strip_suffix(b">") else {
        return false;
    };
    let from = inside.len().saturating_sub(NAME_LOOK_BACK);
    let Some(open) = memchr::memrchr(b'<', &inside[from..]) else {
        return false;
    };
    bytes = &inside[..from + open];
    let is_one = !inside[from + open..].iter().any(u8::is_ascii_whitespace);
    is_one && trim(&mut bytes) && ends_with_name(bytes)
}

/// Returns true if `bytes` end with a word for URLs.
fn ends_with_name(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_suffix(b":").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"s").unwrap_or(bytes);
    let mut words = [&b"URL"[..], b"URI", b"URN", b"IRI"].into_iter();
    words.any(|word| {
        let before = bytes.strip_suffix(word);
        before.is_some_and(|it| {
            !it.last().is_some_and(|last| last.is_ascii_alphanumeric() || b"_-:<".contains(last))
        })
    })
}

/// The number of bytes that [`is_bare_after`] reads backward.
const WORD_LOOK_BACK: usize = 64;

/// Returns true if a quick check shows that no delimiter or prefix precedes a URL: these bytes of
/// the text, right before it, end with another character, or with white space or reply marks after
/// one. This decides for most URLs.
#[inline]
pub(super) fn is_bare_after<T: Encoded>(text: T, before: &[u8]) -> bool {
    let is_graphic = |before: &[u8]| !text.may_end_wide(before) || text.ends_word(before);
    if let [.., byte] = before
        && byte.is_ascii_graphic()
    {
        return !b"\"<:".contains(byte) && is_graphic(before);
    }
    let mut breaks = 0;
    let mut is_mark = false;
    let from = before.len().saturating_sub(WORD_LOOK_BACK);
    for at in (from..before.len()).rev() {
        let previous = before[..at].last();
        match before[at] {
            b' ' | b'\t' | b'\r' => is_mark = false,
            b'>' => is_mark = true,
            b'\n' if breaks == 1 => return true,
            b'\n' => (breaks, is_mark) = (1, false),
            // May be `URL:`.
            b':' => return previous.is_some_and(|byte| !matches!(byte, b'l' | b'L')),
            // Two of them are a mark.
            byte @ (b'/' | b'-') => return previous.is_some_and(|other| *other != byte),
            b'<' => return false,
            // After a letter it is not a mark.
            b'|' | b'#' | b'*' | b';' | b'%' | b'!' => {
                let before = &before[..at];
                return match previous {
                    Some(byte) if byte.is_ascii_alphanumeric() => is_graphic(before),
                    _ => text.ends_word(before),
                };
            }
            byte => {
                let before = &before[..=at];
                let is_other = match byte.is_ascii_graphic() {
                    true => is_graphic(before),
                    false => text.ends_word(before),
                };
                return is_other && (!is_mark || is_within_line(text, before));
            }
        }
    }
    // Only white space is after the previous URL.
    from == 0 && !before.contains(&b'>')
}

/// Returns true if a `>` after these bytes is not a mark at the start of a line: another character
/// precedes it, or the letters before it, which may be the initials of a reply.
fn is_within_line<T: Encoded>(text: T, before: &[u8]) -> bool {
    let letters = before.iter().rev().take(WORD_LOOK_BACK);
    let letters = letters.take_while(|byte| byte.is_ascii_alphabetic()).count();
    let before = &before[..before.len() - letters];
    before.last().is_some_and(|byte| {
        byte.is_ascii_graphic()
            && !lines::may_end_margin(char::from(*byte))
            && !text.may_end_wide(before)
    })
}

/// `head`, which begins at `min_start`, without the white space at its end and the marks at the
/// start of lines. Unchanged if the white space is long or contains a blank line.
fn skip_space<'t>(text: &'t str, min_start: usize, head: &'t str) -> &'t str {
    let mut breaks = 0;
    let blanks = head.bytes().rev().take(SPACE_LOOK_BACK).take_while(|byte| *byte == b' ');
    let mut end = head.len() - blanks.count();
    while let Some(c) = head[..end].chars().next_back() {
        if head.len() - end > SPACE_LOOK_BACK {
            return head;
        }
        if !c.is_whitespace() {
            // The bracket may be in the previous line, and this line may begin with marks.
            let line = lines::may_end_margin(c).then(|| lines::margin_start(text, min_start + end));
            match line.flatten() {
                Some(line) if line > min_start => {
                    end = line - min_start;
                    continue;
                }
                _ => return &head[..end],
            }
        }
        breaks += usize::from(c == '\n');
        if breaks > 1 {
            return head;
        }
        end -= c.len_utf8();
    }
    ""
}

/// `head` without the `URL:` at its end, if that is a separate word. An ideograph before it is not
/// part of the word: Chinese has no spaces.
fn strip_prefix_word(head: &str) -> Option<&str> {
    let at = head.len().checked_sub(4)?;
    let (before, word) = head.split_at_checked(at)?;
    let own_word = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    (word.eq_ignore_ascii_case("URL:") && own_word).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn opening(head: &str) -> Opening {
        Opening::before(head, 0, head.len())
    }

    fn angle(prefix: bool, open: usize) -> Opening {
        Opening { prefix, delimiter: Some((open, OpeningDelimiter::Angle)) }
    }

    fn none(prefix: bool) -> Opening {
        Opening { prefix, delimiter: None }
    }

    #[test]
    fn opening_is_found_over_white_space_and_prefix() {
        assert_eq!(opening("a <"), angle(false, 2));
        assert_eq!(opening("< \n\u{a0} uRl: "), angle(true, 0));
        assert_eq!(opening("<\n\n"), none(false));
        assert_eq!(opening("在URL:"), none(true));
        assert_eq!(opening("CURL:"), none(false));
        assert_eq!(opening("a "), none(false));
        assert_eq!(opening(""), none(false));
    }

    #[test]
    fn opening_is_found_over_line_marks() {
        assert_eq!(opening("> <\n> "), angle(false, 2));
        assert_eq!(opening("> <URL:\n> "), angle(true, 2));
        assert_eq!(opening(" * <URL:\n * "), angle(true, 3));
        assert_eq!(opening("<\n>\n> "), none(false));
        assert_eq!(opening("> a\n> "), none(false));
    }

    #[test]
    fn quotes_must_be_adjacent() {
        for (open, close) in QUOTES {
            let found = opening(&open.to_string()).delimiter;
            assert_eq!(found, Some((0, OpeningDelimiter::Quote { close })));
            assert_eq!(opening(&format!("{open} ")).delimiter, None);
        }
        assert_eq!(
            opening("a \"URL:").delimiter,
            Some((2, OpeningDelimiter::Quote { close: "\"" }))
        );
    }

    proptest! {
        #![proptest_config(crate::tier::cases(20_000))]

        #[test]
        fn quick_check_agrees_with_the_rules(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    " ", "\n", "\r\n", "\t", ">", "> ", "\n> ", "<", "<URL:", "URL:", "uRl:", "a", "a:", ":",
                    "jd> ", "c.d> ", "1> ", "\"", "'", "“", "|", "#", "# ", " * ", "/*", "/", "//", "-", "--", ";", "%", "!",
                    "=", ",", ".", "\u{A0}", "é", "\u{C}",
                ]),
                0..12,
            ),
            skipped in 0..3usize,
            blank in prop::sample::select(vec![" ", "\t", "\n", "\r\n"]),
        ) {
            let text = pieces.concat() + blank;
            let min_start: usize = pieces.iter().take(skipped).map(|piece| piece.len()).sum();
            let head = &text[min_start..];
            if is_bare_after(text.as_str(), head.as_bytes()) {
                prop_assert_eq!(Opening::read(&text, min_start, head), Opening::NONE, "{:?}", head);
            }
        }
    }

    #[test]
    fn text_announces_urls() {
        for before in
            ["URL ", "a URI: ", "the URIs\n", "URLs <foo:/bar> and ", "URLs <a:b>, ", "URLs <a:b> "]
        {
            assert!(announces_url(before), "{before}");
        }
        for before in
            ["", "a ", "CURL ", "and ", "<a:b> and ", "URLs a <b> ", "URLs <a b> and ", "URLs<a:b>"]
        {
            assert!(!announces_url(before), "{before}");
        }
    }

    #[test]
    fn a_long_run_of_white_space_is_not_crossed() {
        let head = format!("<{}", " ".repeat(SPACE_LOOK_BACK + 1));
        assert_eq!(opening(&head).delimiter, None);
    }
}
