//! What stands before a URL.

use super::lines;

/// How far white space is skipped between a delimiter and the URL, in bytes.
const SPACE_LOOK_BACK: usize = 256;

/// The quotes of many languages: what opens, and what closes it.
const QUOTES: [(char, &str); 16] = [
    ('"', "\""),
    ('“', "”"),
    ('”', "”"),
    ('„', "“”"),
    ('‟', "”"),
    ('‘', "’"),
    ('‚', "‘’"),
    ('«', "»"),
    ('»', "«"),
    ('‹', "›"),
    ('›', "‹"),
    ('「', "」"),
    ('『', "』"),
    ('《', "》"),
    ('〈', "〉"),
    // In these groff sets the URLs of manual pages.
    ('\u{27E8}', "\u{27E9}"),
];

/// Whether `c` opens a quotation.
pub(super) fn opens_quote(c: char) -> bool {
    QUOTES.iter().any(|(open, _)| *open == c)
}

/// What stands before a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    /// `URL:` does.
    pub(super) prefix: bool,
    /// The delimiter that opens, and where it stands.
    pub(super) delimiter: Option<(usize, Opening)>,
}

/// A delimiter that opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// `<`
    Angle,
    /// A quote.
    Quote {
        /// Those that may close it.
        close: &'static str,
    },
}

impl Lead {
    const NONE: Self = Self {
        prefix: false,
        delimiter: None,
    };

    /// Reads backwards from the URL at `start`, to `floor` at most: white space, `URL:`, white space,
    /// `<`. A quote has to touch what it quotes.
    pub(super) fn before(text: &str, floor: usize, start: usize) -> Self {
        let head = &text[floor..start];
        if is_bare_after(head.as_bytes()) {
            return Self::NONE;
        }
        Self::read(text, floor, head)
    }

    /// The same for a URL after `head`, which begins at `floor`, if a glance does not tell.
    fn read(text: &str, floor: usize, head: &str) -> Self {
        let mut before = head;
        if head.ends_with(char::is_whitespace) {
            before = skip_space(text, floor, head);
            if !before.ends_with(['<', ':']) {
                return Self::NONE;
            }
        }
        let prefixed = strip_prefix_word(before);
        let prefix = prefixed.is_some();
        let head = prefixed.unwrap_or(head);
        let delimiter = head.chars().next_back().and_then(|last| {
            if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == last) {
                let open = floor + head.len() - last.len_utf8();
                return Some((open, Opening::Quote { close }));
            }
            let open = skip_space(text, floor, head).strip_suffix('<')?.len();
            Some((floor + open, Opening::Angle))
        });
        Self { prefix, delimiter }
    }
}

/// How far [`names_url`] looks back over white space, and over another URL, in bytes.
const NAME_LOOK_BACK: usize = 128;

/// Whether the text before a `<` says that a URL follows: "the URI <foo:bar>", "the URLs <foo:a> and <foo:b>". It does
/// not matter where the last URL ended. Constant time.
pub(super) fn names_url(before: &str) -> bool {
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

/// Whether `bytes` end with a word for URLs.
fn ends_with_name(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_suffix(b":").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"s").unwrap_or(bytes);
    let mut words = [&b"URL"[..], b"URI", b"URN", b"IRI"].into_iter();
    words.any(|word| {
        let before = bytes.strip_suffix(word);
        before.is_some_and(|it| {
            !it.last()
                .is_some_and(|last| last.is_ascii_alphanumeric() || b"_-:<".contains(last))
        })
    })
}

/// How far [`is_bare_after`] looks back, in bytes.
const WORD_LOOK_BACK: usize = 64;

/// Whether at a glance nothing that stands before a URL marks it off or is a prefix: a character that never
/// does, or white space, marks of replies among it, after such a one. Most URLs are told here.
#[inline]
pub(super) fn is_bare_after(before: &[u8]) -> bool {
    if let [.., byte] = before
        && byte.is_ascii_graphic()
    {
        return !b"\"<:".contains(byte);
    }
    let mut breaks = 0;
    let mut is_mark = false;
    for at in (before.len().saturating_sub(WORD_LOOK_BACK)..before.len()).rev() {
        let previous = before[..at].last();
        match before[at] {
            b' ' | b'\t' | b'\r' => is_mark = false,
            b'>' => is_mark = true,
            b'\n' if breaks == 1 => return true,
            b'\n' => (breaks, is_mark) = (1, false),
            // Perhaps `URL:`.
            b':' => return previous.is_some_and(|byte| !matches!(byte, b'l' | b'L')),
            // Two of them are a mark.
            byte @ (b'/' | b'-') => return previous.is_some_and(|other| *other != byte),
            b'<' | b'|' | b'#' | b'*' | b';' | b'%' | b'!' => return false,
            // Perhaps the initials of a reply.
            byte => return byte.is_ascii_graphic() && !is_mark,
        }
    }
    false
}

/// `head`, which begins at `floor`, without the white space at its end, and the marks that begin the
/// lines of it; unchanged if that is long or holds a blank line.
fn skip_space<'t>(text: &'t str, floor: usize, head: &'t str) -> &'t str {
    let mut breaks = 0;
    let blanks = head
        .bytes()
        .rev()
        .take(SPACE_LOOK_BACK)
        .take_while(|byte| *byte == b' ');
    let mut end = head.len() - blanks.count();
    while let Some(c) = head[..end].chars().next_back() {
        if head.len() - end > SPACE_LOOK_BACK {
            return head;
        }
        if !c.is_whitespace() {
            // The bracket may stand on the line before, and this one begin with marks.
            let line = lines::may_end_margin(c).then(|| lines::margin_start(text, floor + end));
            match line.flatten() {
                Some(line) if line > floor => {
                    end = line - floor;
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

/// `head` without the `URL:` at its end, if that is a word of its own. An ideograph before it is no
/// part of the word: Chinese sets no blanks.
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

    fn lead(head: &str) -> Lead {
        Lead::before(head, 0, head.len())
    }

    fn angle(prefix: bool, open: usize) -> Lead {
        Lead {
            prefix,
            delimiter: Some((open, Opening::Angle)),
        }
    }

    fn none(prefix: bool) -> Lead {
        Lead {
            prefix,
            delimiter: None,
        }
    }

    #[test]
    fn it_is_read_over_white_space_and_prefix() {
        assert_eq!(lead("a <"), angle(false, 2));
        assert_eq!(lead("< \n\u{a0} uRl: "), angle(true, 0));
        assert_eq!(lead("<\n\n"), none(false));
        assert_eq!(lead("在URL:"), none(true));
        assert_eq!(lead("CURL:"), none(false));
        assert_eq!(lead("a "), none(false));
        assert_eq!(lead(""), none(false));
    }

    #[test]
    fn it_is_read_over_the_marks_of_a_line() {
        assert_eq!(lead("> <\n> "), angle(false, 2));
        assert_eq!(lead("> <URL:\n> "), angle(true, 2));
        assert_eq!(lead(" * <URL:\n * "), angle(true, 3));
        assert_eq!(lead("<\n>\n> "), none(false));
        assert_eq!(lead("> a\n> "), none(false));
    }

    #[test]
    fn quotes_touch_what_they_quote() {
        for (open, close) in QUOTES {
            let found = lead(&open.to_string()).delimiter;
            assert_eq!(found, Some((0, Opening::Quote { close })));
            assert_eq!(lead(&format!("{open} ")).delimiter, None);
        }
        assert_eq!(
            lead("a \"URL:").delimiter,
            Some((2, Opening::Quote { close: "\"" }))
        );
    }

    proptest! {
        #![proptest_config(crate::tier::cases(20_000))]

        #[test]
        fn the_glance_is_right(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    " ", "\n", "\r\n", "\t", ">", "> ", "\n> ", "<", "<URL:", "URL:", "uRl:", "a", "a:", ":",
                    "jd> ", "\"", "'", "“", "|", "#", "# ", " * ", "/*", "/", "//", "-", "--", ";", "%", "!",
                    "=", ",", ".", "\u{A0}", "é", "\u{C}",
                ]),
                0..12,
            ),
            skipped in 0..3usize,
            blank in prop::sample::select(vec![" ", "\t", "\n", "\r\n"]),
        ) {
            let text = pieces.concat() + blank;
            let floor: usize = pieces.iter().take(skipped).map(|piece| piece.len()).sum();
            let head = &text[floor..];
            if is_bare_after(head.as_bytes()) {
                prop_assert_eq!(Lead::read(&text, floor, head), Lead::NONE, "{:?}", head);
            }
        }
    }

    #[test]
    fn urls_are_named() {
        for before in [
            "URL ",
            "a URI: ",
            "the URIs\n",
            "URLs <foo:/bar> and ",
            "URLs <a:b>, ",
            "URLs <a:b> ",
        ] {
            assert!(names_url(before), "{before}");
        }
        for before in [
            "",
            "a ",
            "CURL ",
            "and ",
            "<a:b> and ",
            "URLs a <b> ",
            "URLs <a b> and ",
            "URLs<a:b>",
        ] {
            assert!(!names_url(before), "{before}");
        }
    }

    #[test]
    fn a_long_run_of_white_space_is_not_crossed() {
        let head = format!("<{}", " ".repeat(SPACE_LOOK_BACK + 1));
        assert_eq!(lead(&head).delimiter, None);
    }
}
