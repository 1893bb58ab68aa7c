//! Line prefixes and page breaks: marks of replies and comments at the start of a line, and headers
//! and footers between two pages.

use smallvec::SmallVec;

use crate::bytes::Span;

/// The number of bytes before a URL in its line that are read for marks.
pub(super) const LOOK_BACK: usize = 256;

/// The number of bytes of the next line that are read for marks.
const LOOK_AHEAD: usize = 256;

/// The maximum length of a name that marks a reply, in bytes.
const NAME: usize = 16;

/// The maximum length of a line of a page break, in bytes.
const LONGEST_LINE: usize = 160;

/// The maximum number of lines in a page break, with blank lines.
const MOST_LINES: usize = 16;

/// The marks at the start of a line that the writer's program repeats in the next line: those of
/// quoted replies (`> `, `>> `, `jd> `, `| `) and of comments (`# `, `// `, ` * `).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Margin {
    /// Each `>` of a reply, and every other mark once, even if it is repeated.
    marks: SmallVec<[Mark; 8]>,
    /// The initials before a `>`.
    initials: SmallVec<[u8; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    byte: u8,
    /// True if a space follows. Without one, the mark may be a character of the URL.
    spaced: bool,
}

impl Margin {
    /// The marks at the start of the line that contains `at`, before `at`; otherwise the mark of a
    /// comment after code. `last` is the previous URL, from its last piece.
    pub(super) fn of_line(text: &str, at: usize, last: Span) -> Self {
        let bytes = &text.as_bytes()[..at];
        let from = at.saturating_sub(LOOK_BACK);
        let start = match memchr::memrchr(b'\n', &bytes[from..]) {
            Some(line_feed) => from + line_feed + 1,
            None if from == 0 => 0,
            None => return Self::default(),
        };
        // The part of the previous URL in this line is not a mark: its last piece, or the bracket
        // that closes it.
        let end = match last {
            Span { end, .. } if end <= start => at,
            Span { start: piece, .. } if piece >= start => at.min(piece),
            Span { end, .. } => at.min(end - 1),
        };
        let margin = Self::read(&bytes[start..end]).0;
        if margin.marks.is_empty() { Self::after_code(&bytes[start..]) } else { margin }
    }

    /// The mark of a comment that begins within `line`: ` // ` or ` # `.
    fn after_code(line: &[u8]) -> Self {
        let mut margin = Self::default();
        let words = line.split(|byte| matches!(byte, b' ' | b'\t')).skip(1);
        let mut comments = words.filter_map(|word| {
            let (byte, len) = mark(word, false)?;
            (len == word.len() && matches!(byte, b'/' | b'#')).then_some(byte)
        });
        let found = comments.next().map(|byte| Mark { byte, spaced: true });
        margin.marks.extend(found);
        margin
    }

    /// The marks at the start of `line`, and their length with the spaces between and after them.
    fn read(line: &[u8]) -> (Self, usize) {
        let mut margin = Self::default();
        let mut at = 0;
        loop {
            at += blanks(&line[at..]);
            let of_reply = margin.marks.iter().all(|mark| mark.byte == b'>');
            let Some((byte, len)) = mark(&line[at..], of_reply) else {
                return (margin, at);
            };
            if byte == b'>' && len > 1 {
                margin.initials = SmallVec::from_slice(&line[at..at + len - 1]);
            }
            at += len;
            let spaced = matches!(line.get(at), Some(b' ' | b'\t'));
            margin.marks.push(Mark { byte, spaced });
        }
    }

    /// The start of the text in the line that begins at `at`, after its white space and these
    /// marks. Reply marks may be missing, because programs that break lines do not quote the rest.
    /// If a comment's mark is missing, no other mark counts.
    pub(super) fn skip(&self, text: &str, at: usize) -> usize {
        let line = &text.as_bytes()[at..text.len().min(at + LOOK_AHEAD)];
        let mut len = 0;
        let mut marks = self.marks.as_slice();
        while let Some((Mark { byte: b'>', .. }, others)) = marks.split_first() {
            let next = len + blanks(&line[len..]);
            let Some((b'>', width)) = mark(&line[next..], true) else {
                break;
            };
            // Other letters belong to the URL: `html>` closes the bracket.
            if width > 1 && line[next..next + width - 1] != self.initials[..] {
                break;
            }
            len = next + width;
            marks = others;
        }
        let comment = marks.iter().skip_while(|mark| mark.byte == b'>');
        let mut after = len;
        for wanted in comment {
            let next = after + blanks(&line[after..]);
            let found = mark(&line[next..], false).filter(|(byte, _)| *byte == wanted.byte);
            let Some((_, width)) = found else {
                return at + len + blanks(&line[len..]);
            };
            after = next + width;
            if wanted.spaced
                && !matches!(line.get(after), None | Some(b' ' | b'\t' | b'\r' | b'\n'))
            {
                return at + len + blanks(&line[len..]);
            }
        }
        at + after + blanks(&line[after..])
    }
}

/// The number of bytes after a URL that are read for spaces in its line.
const BLANKS: usize = 1024;

/// The start of the next line and the number of spaces before the line break, if nothing else
/// follows `at` in the line and the next line is not empty. Only then may a URL continue.
#[inline]
pub(super) fn line_below(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let after = &text[at..];
    if !matches!(after.first(), Some(b' ' | b'\r' | b'\n')) {
        return None;
    }
    let blanks = after.iter().take(BLANKS).take_while(|byte| **byte == b' ');
    let blanks = blanks.count();
    let line_end = &after[blanks..];
    let next = line_end.strip_prefix(b"\r").unwrap_or(line_end);
    let next = next.strip_prefix(b"\n")?;
    let is_empty = matches!(next.first(), None | Some(b'\r' | b'\n'));
    (!is_empty).then_some((text.len() - next.len(), blanks))
}

/// The quote depth of the line that begins at `at`, and the start of its text (RFC 3676, 4.5).
pub(super) fn quoted(text: &str, at: usize) -> (usize, usize) {
    let line = &text.as_bytes()[at..text.len().min(at + LOOK_AHEAD)];
    let marks = line.iter().take_while(|byte| matches!(byte, b'>' | b' '));
    let after = marks.clone().count();
    let last = line[..after].iter().rposition(|byte| *byte == b'>');
    let depth = marks.filter(|byte| **byte == b'>').count();
    (depth, at + last.map_or(0, |last| last + 1))
}

/// Returns true if the marks of a line may end with `c`.
pub(super) fn may_end_margin(c: char) -> bool {
    matches!(c, '>' | '|' | '#' | '*' | ';' | '%' | '!' | '/' | '-')
}

/// The start of the line that contains `at`, if only marks and spaces are between them; `None` if
/// the line has no marks or other text.
pub(super) fn margin_start(text: &str, at: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[..at];
    let from = at.saturating_sub(LOOK_BACK);
    let start = from + memchr::memrchr(b'\n', &bytes[from..])? + 1;
    let (margin, len) = Margin::read(&bytes[start..]);
    (!margin.marks.is_empty() && start + len == at).then_some(start)
}

fn blanks(line: &[u8]) -> usize {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    line.iter().take_while(blank).count()
}

/// The mark at the start of `line`, and its length. Initials are part of it if it may be a reply
/// mark.
fn mark(line: &[u8], of_reply: bool) -> Option<(u8, usize)> {
    let run = |byte| line.iter().take_while(|other| **other == byte).count();
    match *line.first()? {
        byte @ (b'>' | b'|') => Some((byte, 1)),
        byte @ (b'#' | b'*' | b';' | b'%' | b'!') => Some((byte, run(byte))),
        b'/' if run(b'/') > 1 => Some((b'/', run(b'/'))),
        b'/' if line.get(1) == Some(&b'*') => {
            Some((b'*', 1 + line[1..].iter().take_while(|byte| **byte == b'*').count()))
        }
        b'-' if run(b'-') > 1 => Some((b'-', run(b'-'))),
        initial if of_reply && initial.is_ascii_alphabetic() => {
            let letters = line.iter().take_while(|byte| byte.is_ascii_alphabetic());
            let len = letters.take(NAME + 1).count();
            (len <= NAME && line.get(len) == Some(&b'>')).then_some((b'>', len + 1))
        }
        _ => None,
    }
}

/// The start of the text after a page break at `at`, the start of a line: blank lines, a footer
/// with a page number, a form feed, a header, blank lines. `None` if these lines are not a page
/// break.
pub(super) fn page_break(text: &str, at: usize) -> Option<usize> {
    let mut lines = Lines { text, at };
    let mut left = MOST_LINES;
    let mut next = || {
        left = left.checked_sub(1)?;
        lines.next()
    };
    let (_, footer) = loop {
        let (start, line) = next()?;
        if !is_blank(line) {
            break (start, line);
        }
    };
    if !is_footer(footer) {
        return None;
    }
    let mut fed = false;
    let header = loop {
        let (_, line) = next()?;
        fed |= line.contains('\u{C}');
        if !is_blank(line) {
            break line;
        }
    };
    if !fed && !is_header(header) {
        return None;
    }
    loop {
        let (start, line) = next()?;
        if !is_blank(line) {
            return Some(start);
        }
    }
}

/// Lines with their offsets, up to a line that is too long.
struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        let len = match memchr::memchr(b'\n', &rest[..rest.len().min(LONGEST_LINE)]) {
            Some(len) => len,
            None if (1..LONGEST_LINE).contains(&rest.len()) => rest.len(),
            None => return None,
        };
        self.at = self.text.len().min(start + len + 1);
        Some((start, &self.text[start..start + len]))
    }
}

fn is_blank(line: &str) -> bool {
    line.chars().all(char::is_whitespace)
}

/// `Berners-Lee, Masinter & McCahill        [Page 24]`
fn is_footer(line: &str) -> bool {
    let number = line.trim_end().strip_suffix(']').and_then(|line| line.rsplit_once("[Page "));
    number.is_some_and(|(_, number)| {
        let roman = |c| matches!(c, 'i' | 'v' | 'x' | 'l');
        !number.is_empty()
            && (number.bytes().all(|byte| byte.is_ascii_digit()) || number.chars().all(roman))
    })
}

/// `RFC 1738            Uniform Resource Locators (URL)        December 1994`
fn is_header(line: &str) -> bool {
    let line = line.trim_end();
    let year = line.len().checked_sub(4).and_then(|at| line.get(at..));
    year.is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit())) && line.contains("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped<'t>(first: &str, next: &'t str) -> &'t str {
        let margin = Margin::of_line(first, first.len(), Span::new(0, 0));
        &next[margin.skip(next, 0)..]
    }

    #[test]
    fn reply_marks_are_skipped() {
        assert_eq!(skipped("> <", "> a"), "a");
        assert_eq!(skipped("x\n> see <", "> a"), "a");
        assert_eq!(skipped(">> <", ">> a"), "a");
        assert_eq!(skipped("> > > <", "> a"), "a", "a program broke the line");
        assert_eq!(skipped("> > <", ">> a>"), "a>");
        assert_eq!(skipped("> <", ">a>"), "a>");
        assert_eq!(skipped("> <", ">> a"), "> a", "a mark more closes");
        assert_eq!(skipped("jd> <", "jd> a"), "a");
        assert_eq!(skipped("> jd> see <", "> jd> a"), "a");
        assert_eq!(skipped("jd> <", "> a"), "a");
        assert_eq!(skipped("jd> <", "html> a"), "html> a");
        assert_eq!(skipped("> <", "html> a"), "html> a");
        assert_eq!(skipped("Johnny> <", "Johnny> a"), "a");
        assert_eq!(skipped("> <", "html> a"), "html> a", "another name");
        assert_eq!(skipped("| <", "| a"), "a");
        assert_eq!(skipped("> <", "  a"), "a");
        assert_eq!(skipped("<", "> a"), "> a");
    }

    #[test]
    fn comment_marks_are_skipped() {
        assert_eq!(skipped("# <", "#  a"), "a");
        assert_eq!(skipped("# <", "#a"), "#a", "a fragment");
        assert_eq!(skipped("#<", "#a"), "a");
        assert_eq!(skipped("//<", "//a"), "a");
        assert_eq!(skipped("// <", "// a"), "a");
        assert_eq!(skipped("    //! <", "    //! a"), "a");
        assert_eq!(skipped("/** <", " * a"), "a");
        assert_eq!(skipped(" * <", " * a"), "a");
        assert_eq!(skipped(" * <", " */"), "*/");
        assert_eq!(skipped("* item <", "  a"), "a");
        assert_eq!(skipped("-- <", "-- a"), "a");
        assert_eq!(skipped("> # <", "> # a"), "a");
        assert_eq!(skipped("> # <", "> a"), "a");
        assert_eq!(skipped("a # see <", "  # a"), "a");
        assert_eq!(skipped("int x; // <", "       // a"), "a");
        assert_eq!(skipped("int x; // <", "//a"), "//a");
        assert_eq!(skipped("a * <", "* a"), "* a");
    }

    #[test]
    fn end_of_a_url_is_not_a_mark() {
        let text = "<http://a.\n html> and <";
        let piece = text.find("html").unwrap_or_default();
        let last = Span::new(piece, piece + "html>".len());
        assert_eq!(Margin::of_line(text, text.len() - 1, last), Margin::default());
    }

    #[test]
    fn a_long_line_has_no_marks() {
        let first = format!("> {}", "x".repeat(LOOK_BACK));
        assert_eq!(skipped(&first, "> a"), "> a");
    }

    #[test]
    fn page_breaks_are_skipped() {
        let after = |text: &str| page_break(text, 0).map(|at| text[at..].to_owned());
        let after = |text: &str| after(text).unwrap_or_default();
        let page = "\n\nA, B & C                  [Page 24]\n\x0C\nRFC 1738    URL    December 1994\n\n\n   a\n";
        assert_eq!(after(page), "   a\n");
        assert_eq!(after(&page.replace('\n', "\r\n")), "   a\r\n");
        assert_eq!(after("A [Page iv]\n\x0CRFC 1  x\n  a\n"), "  a\n");
        assert_eq!(after("A [Page 4]\n\nRFC 1  x  May 1995\n\n  a\n"), "  a\n");
        assert_eq!(after("A [Page 4]\n\nSome text\n\n  a\n"), "", "no header");
        assert_eq!(after("\n\n  a\n"), "");
        assert_eq!(after("A [Page four]\n\x0C\nx\na\n"), "");
        assert_eq!(after(&format!("A [Page 4]\n\x0C{}", "\n".repeat(MOST_LINES))), "");
    }
}
