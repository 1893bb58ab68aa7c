//! Unified diffs: the lines of a hunk have the syntax of the file that the header names.
//!
//! A hunk ends after the number of lines that its first line declares. In a reply, where lines may
//! be missing, it ends with its quoted lines. A construct that continues in the next line, such
//! as a string literal, continues in the next line of the same version of the file.

use std::path::Path;

use memchr::{memchr, memchr_iter, memrchr};

use super::rules::Rules;
use super::unit::{LOOK_AHEAD, LOOK_BACK, Unit};
use crate::source::TextSyntax;

/// The maximum length of the rest of a line after a mark that the next line decides about.
const NEAR_END: usize = 32;

/// The rules for a text with diffs.
#[derive(Clone, Debug, Default)]
pub(super) struct Diff {
    /// The syntax of the old version of a file, by the last header.
    old: Option<TextSyntax>,
    /// The syntax of the lines of a hunk, by the last header.
    syntax: Option<TextSyntax>,
    hunk: Option<Hunk>,
    /// True if the current line belongs to the hunk.
    is_in_hunk: bool,
    /// True if the marks changed since they were last read.
    has_new_marks: bool,
}

/// A hunk that is being read.
#[derive(Clone, Debug)]
struct Hunk {
    rules: Box<Rules>,
    /// True if a line break may be a mark.
    reads_breaks: bool,
    /// The marks of a reply before each line.
    quote: String,
    /// The number of lines of the old version and of the new one that follow.
    left: [usize; 2],
    /// The first character of the current line.
    sign: u8,
}

impl Diff {
    /// The bytes that may be marks.
    pub(super) fn marks(&self) -> Vec<u8> {
        let mut marks = match &self.hunk {
            Some(hunk) if self.is_in_hunk => hunk.rules.marks(),
            _ => Vec::new(),
        };
        if !marks.contains(&b'\n') {
            marks.push(b'\n');
        }
        marks
    }

    /// Returns true once after each change of the marks.
    pub(super) fn has_new_marks(&mut self) -> bool {
        std::mem::take(&mut self.has_new_marks)
    }

    /// The mark at `at`.
    pub(super) fn unit(&mut self, text: &str, at: usize) -> Unit {
        let window = window(text, at);
        let is_break = window.starts_with('\n');
        let line = memchr(b'\n', window.as_bytes()).unwrap_or(window.len());
        if let Some(hunk) = self.hunk.as_mut().filter(|_| self.is_in_hunk) {
            let is_near_end = line <= NEAR_END && line < window.len();
            let is_known = !is_break || hunk.reads_breaks;
            if is_known
                && is_near_end
                && let Some(unit) = hunk.unit_over_lines(text, at, line)
            {
                return unit;
            }
            if !is_break {
                return hunk.rules.unit(&text[..at + line], at);
            }
        }
        let sign = self.hunk.as_ref().filter(|_| self.is_in_hunk).map(|hunk| hunk.sign);
        self.begin_line(&window[1..]);
        let hunk = self.hunk.as_ref().filter(|_| self.is_in_hunk);
        match (sign, hunk) {
            // The sign is not part of a URL that was broken.
            (Some(sign), Some(hunk))
                if sign == hunk.sign
                    && sign != b'\\'
                    && window.as_bytes().get(1 + hunk.quote.len()) == Some(&sign) =>
            {
                Unit::Char(1 + hunk.quote.len() + 1, '\n')
            }
            // An empty line without a sign.
            (Some(sign), Some(hunk)) if sign == hunk.sign && sign != b'\\' => Unit::Keep(1),
            // A line of the other version continues nothing.
            (Some(_), _) => Unit::Stop(0),
            (None, _) => Unit::Keep(1),
        }
    }

    /// Reads the beginning of the line that `rest` begins with.
    pub(super) fn begin_line(&mut self, rest: &str) {
        let line = line_of(rest);
        let was_in_hunk = self.is_in_hunk;
        self.is_in_hunk = self.hunk.as_mut().is_some_and(|hunk| hunk.takes(line));
        let is_over = |hunk: &Hunk| match hunk.quote.is_empty() {
            true => !self.is_in_hunk,
            // Comments between the quoted lines.
            false => !self.is_in_hunk && line.starts_with(&hunk.quote),
        };
        if self.hunk.as_ref().is_some_and(is_over) {
            self.hunk = None;
        }
        if !self.is_in_hunk {
            let quote = quote_len(line);
            self.read_header(&line[quote..], &line[..quote]);
        }
        self.has_new_marks |= was_in_hunk != self.is_in_hunk;
    }

    /// Reads a line that is not in a hunk, after the marks of a reply.
    fn read_header(&mut self, line: &str, quote: &str) {
        if let Some(names) = line.strip_prefix("diff -") {
            let names = names.trim_end();
            let name = names.rsplit_once(' ').map_or(names, |(_, name)| name);
            self.syntax = syntax_of(name);
            self.hunk = None;
        } else if let Some(name) = ["Index: ", "rename to ", "copy to "]
            .into_iter()
            .find_map(|begin| line.strip_prefix(begin))
        {
            self.syntax = syntax_of(name);
        } else if let Some(name) = line.strip_prefix("--- ") {
            self.old = syntax_of(name);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            self.syntax = match name.starts_with("/dev/null") {
                true => self.old,
                false => syntax_of(name),
            };
        } else if let Some(left) = hunk_len(line) {
            let rules = Box::new(Rules::new(self.syntax));
            let reads_breaks = rules.marks().contains(&b'\n');
            let quote = quote.to_owned();
            self.hunk = Some(Hunk { rules, reads_breaks, quote, left, sign: b' ' });
        }
    }
}

impl Hunk {
    /// Takes the next line, if it belongs to the hunk.
    fn takes(&mut self, line: &str) -> bool {
        let Some(line) = line.strip_prefix(&*self.quote) else {
            return false;
        };
        let sign = line.bytes().next().unwrap_or(b' ');
        let is_quoted = !self.quote.is_empty();
        let (old, new) = match sign {
            b'-' => (1, 0),
            b'+' => (0, 1),
            b' ' => (1, 1),
            // "\ No newline at end of file"
            b'\\' => (0, 0),
            _ => return false,
        };
        let begins_next = line.starts_with("--- ") || line.starts_with("-- ");
        if is_quoted && begins_next {
            return false;
        }
        if !is_quoted {
            let [left_old, left_new] = self.left;
            if left_old == 0 && left_new == 0 || left_old < old || left_new < new {
                return false;
            }
            self.left = [left_old - old, left_new - new];
        }
        self.sign = sign;
        true
    }

    /// The mark at `at`, `line` bytes before the end of its line, read with the next lines of the
    /// same version of the file. `None` if they do not follow, or if it is not continued there.
    fn unit_over_lines(&mut self, text: &str, at: usize, line: usize) -> Option<Unit> {
        const MOST_LINES: usize = 2;
        let window = window(text, at);
        let start = at.saturating_sub(LOOK_BACK);
        let before = &text.as_bytes()[start..at];
        let begin = memrchr(b'\n', before).map_or(start, |found| start + found + 1);
        let begin = (begin..=at).find(|it| text.is_char_boundary(*it))?;
        let mut joined = text[begin..at].to_owned();
        let here = joined.len();
        joined.push_str(&window[..line]);
        let mut rest = &window[line..];
        let mut signs = Vec::new();
        for _ in 0..MOST_LINES {
            let Some(next) = rest.strip_prefix('\n').and_then(|it| it.strip_prefix(&*self.quote))
            else {
                break;
            };
            let Some(sign) = next.bytes().next().filter(|it| *it == self.sign || *it == b' ')
            else {
                break;
            };
            let end = memchr(b'\n', next.as_bytes()).unwrap_or(next.len());
            joined.push('\n');
            joined.push_str(&next[1..end]);
            rest = &next[end..];
            signs.push(sign);
        }
        if signs.is_empty() {
            return None;
        }
        let unit = self.rules.unit(&joined, here);
        let len = match unit {
            // The next line is read on its own.
            Unit::Keep(len) => return (line > 0).then(|| Unit::Keep(len.min(line))),
            Unit::Gap(len) | Unit::Stop(len) | Unit::Char(len, _) => len,
        };
        let breaks = memchr_iter(b'\n', &joined.as_bytes()[here..here + len]).count();
        for sign in &signs[..breaks] {
            let (old, new) = (usize::from(*sign != b'+'), usize::from(*sign != b'-'));
            self.left[0] = self.left[0].saturating_sub(old);
            self.left[1] = self.left[1].saturating_sub(new);
            self.sign = *sign;
        }
        let len = len + breaks * (self.quote.len() + 1);
        Some(match unit {
            Unit::Keep(_) | Unit::Gap(_) => Unit::Gap(len),
            Unit::Stop(_) => Unit::Stop(len),
            Unit::Char(_, c) => Unit::Char(len, c),
        })
    }
}

/// The text from `at` on that decides about the mark there.
fn window(text: &str, at: usize) -> &str {
    let mut end = text.len().min(at + LOOK_AHEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[at..end]
}

/// The first line of `text`, without its line break.
fn line_of(text: &str) -> &str {
    let end = memchr(b'\n', text.as_bytes()).unwrap_or(text.len());
    let line = &text[..end];
    line.strip_suffix('\r').unwrap_or(line)
}

/// The length of the marks of a reply at the start of a line, and of one space after them.
fn quote_len(line: &str) -> usize {
    const MOST: usize = 32;
    let bytes = &line.as_bytes()[..line.len().min(MOST)];
    let marks = bytes.iter().take_while(|byte| matches!(byte, b'>' | b' ')).count();
    match bytes[..marks].iter().rposition(|byte| *byte == b'>') {
        Some(last) if bytes[0] == b'>' => {
            last + 1 + usize::from(bytes.get(last + 1) == Some(&b' '))
        }
        _ => 0,
    }
}

/// The syntax of a file by its name in a header, which may be quoted and have a date or a revision
/// after it.
fn syntax_of(name: &str) -> Option<TextSyntax> {
    let name = name.split('\t').next().unwrap_or_default().trim();
    let by_words = || name.split_once(' ').and_then(|(first, _)| syntax_of_file(first));
    syntax_of_file(name).or_else(by_words)
}

fn syntax_of_file(name: &str) -> Option<TextSyntax> {
    let name = name.trim_matches('"');
    // The input of configure and of CMake has the language of its output.
    let name = name.strip_suffix(".in").unwrap_or(name);
    let found = TextSyntax::detect(Path::new(name), b"");
    let found = found.or_else(|| is_page_of_manual(name).then_some(TextSyntax::Roff));
    found.filter(|it| *it != TextSyntax::Diff)
}

/// Returns true if a name is that of a man page, such as `socket.7` or `Socket.3pm`. A version is
/// not the number of a section.
fn is_page_of_manual(name: &str) -> bool {
    let Some((stem, section)) = name.rsplit_once('.') else {
        return false;
    };
    let Some(section) = section.strip_prefix(|first: char| matches!(first, '1'..='9')) else {
        return false;
    };
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_version = stem.ends_with(|last: char| last.is_ascii_digit()) && section.is_empty();
    section.len() <= 4 && is_word(section) && !is_version && !stem.ends_with(".so")
}

/// The number of lines of the old and of the new version in the hunk that a line like
/// `@@ -1,2 +1,2 @@` begins.
fn hunk_len(line: &str) -> Option<[usize; 2]> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let len = |range: &str| match range.split_once(',') {
        Some((_, len)) => len.parse().ok(),
        None => range.parse::<usize>().ok().map(|_| 1),
    };
    Some([len(old)?, len(new)?])
}

#[cfg(test)]
mod tests {
    use super::super::translation::translated;
    use super::*;
    use crate::source::Literals;

    fn read(text: &str) -> String {
        let crlf = translated(TextSyntax::Diff, &text.replace('\n', "\r\n"));
        let found = translated(TextSyntax::Diff, text);
        // A mark that nothing continues is before the line feed.
        let [crlf, found] = [crlf, found].map(|it| it.replace('\u{1F}', ""));
        assert_eq!(crlf.replace("\r\n", "\n"), found);
        found
    }

    #[test]
    fn lines_of_hunks_have_the_syntax_of_their_file() {
        let json = "--- a/x.json\n+++ b/x.json\n@@ -1 +1 @@ \\/\n-a\\/b\n+c\\/d\nout\\/side\n";
        let expected = json.replace("a\\/b", "a/b").replace("c\\/d", "c/d");
        assert_eq!(read(json), expected);
        assert_eq!(read(&format!("words\\/\n\n{json}")), format!("words\\/\n\n{expected}"));
        // The next file has another syntax, or none.
        let next =
            "diff --git a/y.txt b/y.txt\n--- a/y.txt\n+++ b/y.txt\n@@ -1 +1 @@\n-a\\/b\n+c\\/d\n";
        assert_eq!(read(&format!("{json}{next}{json}")), format!("{expected}{next}{expected}"));
    }

    #[test]
    fn a_hunk_has_the_declared_number_of_lines() {
        let text = "--- x.json\n+++ x.json\n@@ -1,3 +1,2 @@\n a\\/\n--- a\\/\n-+++ b\\/\n+c\\/\n\\ No newline\n d\\/\n";
        let expected = text.replacen("\\/", "/", 4).replace("-+++", "+++");
        assert_eq!(read(text), expected);
        let trimmed = "--- x.json\n+++ x.json\n@@ -1,3 +1,3 @@\n a\\/\n\n-b\\/\n+c\\/\n-- \n\\/\n";
        assert_eq!(read(trimmed), trimmed.replacen("\\/", "/", 3));
    }

    #[test]
    fn quoted_hunks_end_with_their_quotes() {
        let text = "> --- a/x.json\n> +++ b/x.json\n> @@ -1,9 +1,9 @@\n> -a\\/\nwhy\\/?\n\n> +b\\/\n>\n> c\\/\n>  d\\/\n";
        let expected = "> --- a/x.json\n> +++ b/x.json\n> @@ -1,9 +1,9 @@\n> -a/\nwhy\\/?\n\n> +b/\n>\n> c\\/\n>  d\\/\n";
        assert_eq!(read(text), expected);
    }

    #[test]
    fn literals_continue_in_the_next_line_of_their_version() {
        let hunk = |lines: &str| format!("--- x.c\n+++ x.c\n@@ -1,9 +1,9 @@\n{lines}");
        for (lines, expected) in [
            ("+ \"http://a/\"\n+ \"b\"\n", "+ \"http://a/b\"\n"),
            ("- \"http://a/\"\n  \"b\"\n", "- \"http://a/b\"\n"),
            ("  \"http://a/\"\n  \"b\"\n-x\n", "  \"http://a/b\"\n-x\n"),
            ("- \"http://a/\"\n+ \"b\"\n", "- \"http://a/\"\n+ \"b\"\n"),
            ("  \"http://a/\"\n+ \"b\"\n", "  \"http://a/\"\n+ \"b\"\n"),
        ] {
            assert_eq!(read(&hunk(lines)), hunk(expected), "{lines}");
        }
        let calendar =
            "--- x.ics\n+++ x.ics\n@@ -1,2 +1,4 @@\n URL:http://a/\n  b\n+URL:http://c/\n+ d\n";
        let expected = "--- x.ics\n+++ x.ics\n@@ -1,2 +1,4 @@\n URL:http://a/b\n+URL:http://c/d\n";
        assert_eq!(read(calendar), expected);
    }

    #[test]
    fn signs_are_not_part_of_lines_of_one_version() {
        let hunk = |lines: &str| format!("--- x.txt\n+++ x.txt\n@@ -1,2 +1,2 @@\n{lines}");
        for (lines, expected) in [
            ("+<http://a/\n+b>\n", "+<http://a/\nb>\n"),
            (" <http://a/\n b>\n", " <http://a/\nb>\n"),
            (" <http://a/\n\n b>\n", " <http://a/\n\n b>\n"),
            ("-<http://a/\n+b>\n", "-<http://a/\n+b>\n"),
        ] {
            assert_eq!(read(&hunk(lines)), hunk(expected), "{lines}");
        }
    }

    #[test]
    fn headers_name_the_syntax() {
        let json = Some(TextSyntax::Code(Literals::Json));
        for (header, syntax) in [
            ("--- x.json\t2020-01-01 10:00\n+++ /dev/null\n", json),
            ("--- /dev/null\n+++ b/x.json\t(working copy)\n", json),
            ("--- x.txt\n+++ x.json 2020-01-01 10:00\n", json),
            ("Index: a/x.json\n=====\n", json),
            ("diff -u old/x.json new/x.json\n", json),
            ("diff --git \"a/f\\303\\252.json\" \"b/f\\303\\252.json\"\n", json),
            ("similarity index 90%\nrename from a.txt\nrename to a.json\n", json),
            ("--- a.json.in\n+++ a.json.in\n", json),
            ("--- a/man7/socket.7\n+++ b/man7/socket.7\n", Some(TextSyntax::Roff)),
            ("--- a/A.3pm\n+++ b/A.3pm\n", Some(TextSyntax::Roff)),
            ("--- a/notes-1.2\n+++ b/notes-1.2\n", None),
            ("--- a/lib.so.1\n+++ b/lib.so.1\n", None),
            ("--- a/x.patch\n+++ b/x.patch\n", None),
        ] {
            let mut diff = Diff::default();
            header.lines().for_each(|line| diff.begin_line(line));
            assert_eq!(diff.syntax, syntax, "{header}");
        }
    }

    #[test]
    fn other_lines_begin_no_hunk() {
        for line in
            ["@@", "@@ -1 @@", "@@ -a +b @@", "@@ -1,x +1 @@", " @@ -1 +1 @@", "@@@ -1 -1 +1 @@@"]
        {
            assert_eq!(hunk_len(line), None, "{line}");
        }
        assert_eq!(hunk_len("@@ -1,2 +3 @@ f()"), Some([2, 1]));
    }
}
