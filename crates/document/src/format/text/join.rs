//! Bare URLs that continue in the next line.
//!
//! A line break ends a URL (RFC 3986, Appendix C), but mail programs break long lines anywhere. A
//! bare URL at the end of a line continues in the next one in these cases:
//!
//! * After a hyphen, if the next line begins with a lowercase letter or a digit, and its first word
//!   has both a letter and one of `.` `/` `_` `-` `=` `+` `:` `&` `#` `%` `~` `?` or a digit.
//!   Evidence: 7.9 MB of mail from many lists contain 28 bare URLs with a hyphen at the end of a
//!   line. All 28 were broken there, and all 28 continue in this way.
//! * With [`Join::Guess`], also if the two lines look like a broken URL: see [`wrap_heuristics`].
//!   These joins are doubtful.
//! * In `format=flowed` text with `delsp=yes`, after one space (RFC 3676, 4.1). In other flowed
//!   text, a line with a trailing space continues after that space, so the URL has ended. But some
//!   programs break URLs like words there, after `/`, `-` and other marks. These joins are guesses,
//!   made if the next word did not fit.
//!
//! A URL never continues in a line that begins with another link.

use super::lines::{self, Margin};
use super::tail::Tail;
use super::wrap_heuristics::{self, Head, line_start};
use super::{opaque, scheme};
use crate::bytes::Span;
use crate::format::options::{Hyphen, Join, TextOptions};

/// The number of bytes of the next line that are read.
const LOOK_AHEAD: usize = 1024;

/// The place where a URL continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    /// The first byte of the URL in the next line.
    pub(super) at: usize,
    /// The length of the hyphen at the end of the line, in bytes. 0 without one. It may or may not
    /// belong to the URL.
    pub(super) hyphen: usize,
    /// True if the text does not prove that the URL continues.
    pub(super) doubtful: bool,
}

/// A bare URL, read up to the end of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// The start of the URL.
    pub(super) from: usize,
    /// The characters of its last piece.
    pub(super) piece: Span,
    /// The length of the previous piece, in bytes. 0 without one.
    pub(super) before: usize,
    /// The last piece of the previous URL.
    pub(super) last: Span,
}

/// The place where the bare URL continues, if its line ends and the next line continues it.
/// Constant time.
pub(super) fn next(text: &str, url: Read, options: &TextOptions) -> Option<Next> {
    let Span { start, end: stop } = url.piece;
    let join = options.join.unwrap_or_default();
    if options.strict || join == Join::None && !options.delsp {
        return None;
    }
    let (next_line, blanks) = lines::line_below(text.as_bytes(), stop)?;
    let hyphen = hyphen_len(&text[..stop]);
    let has_hyphen = hyphen > 0;
    if !has_hyphen && join != Join::Guess && !options.delsp {
        return None;
    }
    if options.delsp && blanks == 1 {
        let at = flowed(text, stop, next_line)?;
        let word = Tail::new(&text[at..], LOOK_AHEAD).word;
        let continues = !word.is_empty() && !scheme::starts_url(word.as_bytes());
        return continues.then_some(Next { at, hyphen: 0, doubtful: false });
    }
    let is_flowed = options.flowed && blanks > 0;
    if is_flowed && (blanks > 1 || join != Join::Guess) {
        return None;
    }
    let margin = Margin::of_line(text, url.from, url.last);
    let mut at = margin.skip(text, next_line);
    let is_deeper = join == Join::Guess && text[at..].starts_with('>');
    if is_deeper {
        at = deeper(text, at);
    }
    let tail = Tail { is_deeper, ..Tail::new(&text[at..], LOOK_AHEAD) };
    let word = tail.word;
    if join == Join::Guess && !is_deeper && continues_address(text, url, word) {
        return Some(Next { at, hyphen, doubtful: true });
    }
    if word.is_empty() || starts_link(word) || is_number_of_item(&text[at..], word) {
        return None;
    }
    if join != Join::None && has_hyphen && !is_deeper && !is_flowed && continues(word) {
        return Some(Next { at, hyphen, doubtful: false });
    }
    let looks_wrapped = || {
        let head = Head::new(text, (url.from, start, stop), url.before, blanks, &margin);
        if is_flowed && !wrap_heuristics::is_wrapped_by_flow(&head, &tail) {
            return false;
        }
        let line_end = at + word.len() + tail.after.len();
        let below = match text.as_bytes().get(line_end) {
            Some(b'\n') => &text[margin.skip(text, line_end + 1)..],
            _ => "",
        };
        wrap_heuristics::looks_wrapped(&head, &tail, &Tail::new(below, LOOK_AHEAD))
    };
    (join == Join::Guess && looks_wrapped()).then_some(Next { at, hyphen, doubtful: true })
}

/// The length of the hyphen at the end of `line`, in bytes. 0 without one. Typesetting programs
/// write U+2010 for it.
pub(crate) fn hyphen_len(line: &str) -> usize {
    let hyphen = line.chars().next_back();
    let hyphen = hyphen.filter(|c| matches!(c, '-' | '\u{2010}'));
    hyphen.map_or(0, char::len_utf8)
}

/// Returns true if the hyphen of `len` bytes at the end of a line is not part of a URL. U+2010 never
/// is: a typesetting program added it.
pub(super) fn drops_hyphen(hyphen: Hyphen, len: usize) -> bool {
    hyphen == Hyphen::Drop || len > "-".len()
}

/// The start of the host in the next line, for the URL at `start` whose line ends after the `://`
/// at `colon`. Constant time.
pub(super) fn host_below(
    text: &str,
    start: usize,
    colon: usize,
    last: Span,
    options: &TextOptions,
) -> Option<usize> {
    let after = text[colon..].strip_prefix("://")?;
    if options.strict || options.join != Some(Join::Guess) || !after.starts_with([' ', '\r', '\n'])
    {
        return None;
    }
    let blanks = after.bytes().take(LOOK_AHEAD).take_while(|byte| *byte == b' ');
    let after = &after[blanks.count()..];
    let after = after.strip_prefix('\r').unwrap_or(after);
    let next_line = text.len() - after.strip_prefix('\n')?.len();
    let at = Margin::of_line(text, start, last).skip(text, next_line);
    let tail = Tail::new(&text[at..], LOOK_AHEAD);
    let host = tail.word.split(['/', ':', '?', '#']).next()?;
    let is_in = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let is_host = host.contains('.')
        && host.bytes().all(is_in)
        && host.starts_with(|c: char| c.is_ascii_alphanumeric())
        && host.rsplit('.').next().is_some_and(|name| name.len() > 1);
    // Excludes `e.g.` and a file of the current directory.
    let has_path = tail.word.len() > host.len();
    let is_named = host.starts_with("www.") || host.split('.').count() > 2 || has_path;
    (is_host && (is_named || tail.is_alone()) && !scheme::starts_url(tail.word.as_bytes()))
        .then_some(at)
}

/// The start of the text after further reply marks at `at`.
pub(super) fn deeper(text: &str, at: usize) -> usize {
    let marks = text.as_bytes()[at..].iter().take(LOOK_AHEAD);
    at + marks.take_while(|byte| matches!(byte, b'>' | b' ')).count()
}

/// The place in `next_line` where the text of a flowed line continues. `None` if the next line has
/// another quote depth, or more leading space than the one space of stuffing (RFC 3676, 4.4 and
/// 4.5).
fn flowed(text: &str, stop: usize, next_line: usize) -> Option<usize> {
    let (depth, _) = lines::quoted(text, line_start(text, stop));
    let (next_depth, at) = lines::quoted(text, next_line);
    let line = &text[at..];
    let at = at + usize::from(line.starts_with(' '));
    (depth == next_depth && !text[at..].starts_with([' ', '\t'])).then_some(at)
}

/// Returns true if `url` is an address that continues with `word`: `[mailto:the-` before
/// `bakers@village.example]`
fn continues_address(text: &str, url: Read, word: &str) -> bool {
    // Only this scheme is concerned.
    let colon = url.piece.start + "mailto".len();
    if url.before > 0 || text.as_bytes().get(colon) != Some(&b':') {
        return false;
    }
    let (scheme, name) =
        (&text[url.piece.start..colon], &text[colon + 1..url.piece.end.max(colon + 1)]);
    let is_in = |byte: u8| byte.is_ascii_alphanumeric() || b".-_+=".contains(&byte);
    if let Some(name) = name.strip_suffix('@')
        && opaque::lacks_address(scheme, name)
    {
        return word.contains('.') && word.bytes().all(is_in);
    }
    if !opaque::lacks_address(scheme, name) {
        return false;
    }
    let Some((rest, host)) = word.split_once('@') else {
        return false;
    };
    let is_open = text[..url.from].ends_with('[') || name.ends_with(['-', '.', '_', '+']);
    rest.bytes().all(is_in) && host.contains('.') && (rest.is_empty() || is_open)
}

/// Returns true if `word` continues a URL that was broken after a hyphen: it begins with a
/// lowercase letter or a digit, and has a character that words of prose do not have.
fn continues(word: &str) -> bool {
    let small = word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let worded = word.contains(|c: char| c.is_alphabetic() || c == '/');
    // `e.g.`, `i.e.`
    let abbreviation = word.split('.').all(|part| part.len() == 1);
    small && worded && !abbreviation && has_shape(word, |c| "+:~".contains(c))
}

/// Returns true if `word` begins another link.
pub(super) fn starts_link(word: &str) -> bool {
    let is_prefix = |prefix: &str| {
        let start = word.get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    scheme::starts_link(word.as_bytes())
        || is_prefix("www.")
        || is_prefix("ftp.")
        || is_address(word)
}

/// Returns true if `word` is a mail address. `a@b.c/` is not one: it is the rest of a path that
/// contains a message id.
fn is_address(word: &str) -> bool {
    let (name, is_whole) = match word.split_once('/') {
        Some((name, _)) => (name, name.contains(':')),
        None => (word, true),
    };
    is_whole && name.contains('@')
}

/// Returns true if `word`, at the start of `line`, is the number of a list item: `2.`, `3)`
fn is_number_of_item(line: &str, word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit()) && line[word.len()..].starts_with(['.', ')'])
}

/// Returns true if `word` has a character that words of prose do not have.
fn has_shape(word: &str, also: impl Fn(char) -> bool) -> bool {
    word.contains(|c: char| c.is_ascii_digit() || "./_=&%#?-".contains(c) || also(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: usize = 70;

    /// The text with which the URL that begins with `http` continues, and true if that is doubtful.
    fn continuation<'t>(text: &'t str, options: &TextOptions) -> Option<(&'t str, bool)> {
        let start = text.find("http")?;
        let stop = start + text[start..].find([' ', '\r', '\n'])?;
        let read =
            Read { from: start, piece: Span::new(start, stop), before: 0, last: Span::new(0, 0) };
        next(text, read, options).map(|next| (&text[next.at..], next.doubtful))
    }

    fn by(join: Join) -> TextOptions {
        TextOptions { join: Some(join), ..TextOptions::default() }
    }

    #[test]
    fn url_continues_after_a_hyphen() {
        let options = TextOptions::default();
        let joined = |text| continuation(text, &options);
        assert_eq!(joined("http://a/b-\nc.html x"), Some(("c.html x", false)));
        assert_eq!(joined("> http://a/b-\n> c/d"), Some(("c/d", false)));
        assert_eq!(joined("http://a/b- \r\nc-d"), Some(("c-d", false)));
        assert_eq!(joined("http://a/b-\n9x"), Some(("9x", false)));
        assert_eq!(joined("http://a/b-\nand then"), None);
        assert_eq!(joined("http://a/b-\nand."), None);
        assert_eq!(joined("http://a/b-\nSee-also"), None);
        for link in ["http://c", "mailto:c@d", "www.c.d", "c@d.e", "2. c", "10:30 c"] {
            let text = format!("http://a/b-\n{link}");
            assert_eq!(continuation(&text, &options), None, "{link}");
        }
        assert_eq!(joined("http://a/b-\nc@d.e/"), Some(("c@d.e/", false)));
        assert_eq!(joined("http://a/b-\nc@d.e:f/g"), None);
        assert_eq!(joined("http://a/b-\n\nc.html"), None);
        assert_eq!(joined("http://a/b\nc.html"), None);
        assert_eq!(joined("http://a/b- c.html"), None);
        assert_eq!(continuation("http://a/b-\nc.html", &by(Join::None)), None);
    }

    #[test]
    fn guessed_joins_need_evidence() {
        let options = by(Join::Guess);
        let joined = |text: &str| continuation(text, &options).map(|(_, doubtful)| doubtful);
        let full = format!("http://a/{}", "b".repeat(FULL));
        assert_eq!(joined(&format!("{full}\nc/d.html")), Some(true));
        assert_eq!(joined(&format!("{full}\nthomas")), None);
        assert_eq!(joined(&format!("{full}\nfoo@bar.example")), None);
        assert_eq!(joined(&format!("{full}\n=====")), None);
        assert_eq!(joined(&format!("{full}\n(see a/b)")), None);
        assert_eq!(joined(&format!("{full}.\nwell-known")), None);
        assert_eq!(joined(&format!("{full}.\nc/d.html")), Some(true));
        assert_eq!(joined(&format!("{full}\n2. c")), None);
        assert_eq!(joined("http://a/b?\nYes, I have."), None);
        assert_eq!(joined("http://a/b?\nYES=1"), Some(true));
        assert_eq!(joined("http://a/b=\nc"), Some(true));
        assert_eq!(joined("http://a/b%2\n0c"), Some(true));
        assert_eq!(joined("http://a/b-\nand then"), None);
        assert_eq!(joined("http://a/b/\nc.html"), None);
        assert_eq!(joined("http://a/b/ \nprose"), None);
        assert_eq!(joined("http://a/b\nc.html"), None);
    }

    #[test]
    fn flowed_lines_continue() {
        let options = TextOptions { delsp: true, ..TextOptions::default() };
        assert_eq!(continuation("> http://a/b \n> c d", &options), Some(("c d", false)));
        assert_eq!(continuation("http://a/b \n c d", &options), Some(("c d", false)));
        assert_eq!(continuation("http://a/b \n  c d", &options), None);
        assert_eq!(continuation("> > http://a/b \n> c d", &options), None);
        assert_eq!(continuation("> http://a/b \nc d", &options), None);
        assert_eq!(continuation("http://a/b  \nc d", &options), None);
        assert_eq!(continuation("http://a/b\nc d", &options), None);
        let guess = by(Join::Guess);
        let flowed = TextOptions { flowed: true, ..guess };
        for text in ["http://a/b- \nc.html", "http://a/b? \nc=1&d=2"] {
            assert!(continuation(text, &guess).is_some(), "{text}");
            assert_eq!(continuation(text, &flowed), None, "{text}");
        }
    }
}
