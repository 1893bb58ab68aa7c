//! Whether a bare URL that ends a line was cut there, by what both lines look like.
//!
//! Mail programs break lines in three ways, and each leaves its own traces:
//!
//! * after a character of a URL that they take for the end of a word: `-` `/` `?` `=` `&` `#` `%` `_`. Most of
//!   these seldom end a URL, so that little else is asked for; but `/` often does. There the next word must be
//!   one that would not have fitted in the line, for else the program would have left it there.
//! * at a fixed column, whatever stands there. So the line is full, but not longer than lines are that a
//!   program breaks. The URL begins its line, as such programs first try to break before it.
//! * within the host, an escape, a character reference or the extension of a file name, which nobody leaves
//!   unfinished.
//!
//! The word that goes on is not one of prose: it has a character that those do not have, and either it is all
//! that is left of its line, or it could be nothing but a part of a URL, such as `a/b.html` or `x=1&y=2`.

use super::lines::Margin;
use super::{Iri, chars};

/// From how many characters on a line counts as full.
const FULL: usize = 70;

/// From how many on the same, marks left out, where each line has nothing but its piece of the URL: some
/// programs break lines that early.
const NARROW: usize = 60;

/// The longest line that a program breaks, in characters, marks left out.
const LONGEST: usize = 84;

/// From how many characters on a line may be one that had no room for the next word.
const HALF: usize = 40;

/// How many characters have room in a line of any program.
const ROOM: usize = 72;

/// The same where a blank at its end says that a program broke the line, and before others put marks to it.
const FLOWED_ROOM: usize = 66;

/// How long a word is that with digits in it is no word, in bytes.
const CODE: usize = 12;

/// How many lines before and after one are looked at, to see if they are as long.
const NEAR: usize = 4;

/// The longest line for which that is done, marks and all, in bytes.
const WIDEST: usize = 120;

/// How far the beginning of a line is looked for, in bytes.
pub(super) const LOOK_BACK: usize = 512;

/// Extensions of file names, of two letters or more.
const EXTENSIONS: [&str; 63] = [
    "asc", "asp", "aspx", "bib", "bin", "bz2", "cfm", "cgi", "conf", "css", "csv", "dat", "deb",
    "diff", "doc", "docx", "eps", "exe", "gif", "gz", "htm", "html", "ics", "jar", "java", "jpe",
    "jpeg", "jpg", "js", "json", "jsp", "log", "md", "mp3", "mpg", "nsf", "obj", "patch", "pdf",
    "pgp", "php", "pl", "png", "ppt", "pptx", "ps", "py", "rda", "rmd", "rnw", "rpm", "shtml",
    "svg", "swf", "tar", "tgz", "tiff", "txt", "vcf", "xls", "xlsx", "xml", "zip",
];

/// Top-level domains that a host may be cut before.
const DOMAINS: [&str; 6] = ["com", "edu", "gov", "info", "net", "org"];

/// Words of two or three letters that are no rest of a URL.
const SHORT_WORDS: &str = " ad al all also am an and any are as at au be but by can das de der did die do du el \
    en es et et for from get go had has he her him his how if il im in is it its la las le les let los me my no \
    nor not now of off oh ok on one or our out per she so the to too try two um un und une up us use via von was \
    we who why yes yet you zu ";

/// The last piece of a URL, and the line that ends after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'t> {
    text: &'t str,
    /// Where its line begins, as far as it is looked at.
    line: usize,
    /// How much of that are marks.
    marks: usize,
    /// What stands between those and the piece.
    lead: &'t str,
    piece: &'t str,
    /// Where it ends.
    stop: usize,
    /// How long the one before it is, 0 if it is the first.
    before: usize,
    /// How many blanks follow it.
    blanks: usize,
    /// How many characters the line has.
    width: usize,
}

impl<'t> Head<'t> {
    /// The piece from `start` to `stop`, after one of the length `before`, in a line with such a `margin`.
    pub(super) fn new(
        text: &'t str,
        (start, stop): (usize, usize),
        before: usize,
        blanks: usize,
        margin: &Margin,
    ) -> Self {
        let line = line_start(text, stop);
        let lead = margin.skip(text, line).clamp(line, start.max(line));
        // In UTF-8 all bytes but those that continue a character begin one.
        let begins = |byte: &&u8| **byte & 0xC0 != 0x80;
        Self {
            text,
            line,
            marks: lead - line,
            lead: text.get(lead..start).unwrap_or("?"),
            piece: &text[start..stop],
            stop,
            before,
            blanks,
            width: text.as_bytes()[line..stop].iter().filter(begins).count(),
        }
    }

    /// Whether the line is one that a program would break.
    fn is_full(&self) -> bool {
        self.is_breakable() && self.width >= FULL || self.was_full()
    }

    /// Whether it was with the line before, which what quotes it has broken once more.
    fn was_full(&self) -> bool {
        let unbroken = self.marks + self.before + self.piece.len();
        self.before > 0 && (FULL..=LONGEST + self.marks).contains(&unbroken)
    }

    /// Whether it is not longer than lines are where a program breaks them.
    fn is_breakable(&self) -> bool {
        self.width <= LONGEST + self.marks
    }

    /// Whether nothing stands before the URL in its line, or only what marks it.
    fn begins_line(&self) -> bool {
        let label = self.lead.trim().trim_start_matches('<');
        label.eq_ignore_ascii_case("URL:") || !self.lead.contains(char::is_alphabetic)
    }

    /// Whether it stands in a column of its own.
    fn is_in_column(&self) -> bool {
        !self.begins_line() && (self.lead.ends_with("  ") || self.lead.ends_with('\t'))
    }

    /// The URL ends in `www.a.` or `www.a`: the host, and what it ends with.
    fn host(&self) -> Option<&'t str> {
        let host = self.piece.split_once("://").filter(|_| self.before == 0)?.1;
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
        host.bytes().all(is_host).then_some(host)
    }

    /// The letters and digits after the last dot of the last segment.
    fn extension(&self) -> Option<&'t str> {
        let (rest, extension) = self.piece.rsplit_once('.')?;
        let is_name = rest.contains('/') || self.before > 0;
        let is_one = extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_name && is_one && self.host().is_none()).then_some(extension)
    }

    /// Whether none of the lines near it is longer.
    fn is_longest(&self) -> bool {
        let len = self.stop - self.line;
        if len > WIDEST {
            return false;
        }
        let fits = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).len() <= len;
        // A line that fits has not more than this with both bytes of its end.
        let most = len + 2;
        let mut before = &self.text.as_bytes()[..self.line];
        for _ in 0..NEAR {
            let Some(rest) = before.strip_suffix(b"\n") else {
                break;
            };
            let from = rest.len().saturating_sub(most);
            let start = match memchr::memrchr(b'\n', &rest[from..]) {
                Some(line_feed) => from + line_feed + 1,
                None if from == 0 => 0,
                None => return false,
            };
            if !fits(&rest[start..]) {
                return false;
            }
            before = &before[..start];
        }
        let after = &self.text.as_bytes()[self.stop + self.blanks..];
        let after = &after[..after.len().min((NEAR + 1) * most)];
        // The first is the end of its own line.
        let mut lines = after.split(|byte| *byte == b'\n').take(NEAR + 1);
        lines.all(fits)
    }

    /// Whether it has a query, so far as can be seen.
    fn may_have_query(&self) -> bool {
        self.before > 0 || self.piece.contains('?')
    }

    /// Whether an opening bracket stands before the URL, and it has none that closes.
    fn is_in_brackets(&self) -> bool {
        self.before == 0 && self.lead.ends_with('(') && !self.piece.contains(')')
    }
}

/// The first word of the next line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail<'t> {
    /// It, as far as a URL can go, without the punctuation at its end.
    pub(super) word: &'t str,
    /// What follows it in its line.
    after: &'t str,
}

impl<'t> Tail<'t> {
    /// That of what begins with `line`, looking at so many bytes at most.
    pub(super) fn new(line: &'t str, most: usize) -> Self {
        let end = memchr::memchr(b'\n', &line.as_bytes()[..line.len().min(most)]);
        let mut end = end.unwrap_or(line.len().min(most));
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let line = &line[..end];
        let len = line.find(chars::is_stop).unwrap_or(line.len());
        let is_closing = |c| chars::is_trimmed(c, Iri::Auto) || matches!(c, ')' | ']');
        let word = line[..len].trim_end_matches(is_closing);
        Self {
            word,
            after: &line[word.len()..],
        }
    }

    /// Whether nothing else stands in its line but punctuation, or the same URL again in brackets.
    fn is_alone(&self) -> bool {
        let closes = |c: char| c.is_whitespace() || ".,;:!?)]}>'\"*".contains(c);
        self.after.starts_with('<') || self.after.chars().all(closes)
    }

    /// Whether it begins a line of text, code or decoration, whatever stands before it.
    fn is_prose(&self) -> bool {
        let bytes = self.word.as_bytes();
        let (Some(first), second) = (bytes.first(), bytes.get(1)) else {
            return true;
        };
        // A rule across the page, `--`, `##`.
        let doubled = first.is_ascii_punctuation() && *first != b'_' && second == Some(first);
        let mut runs = bytes.chunk_by(|a, b| a == b);
        let ruled = runs.any(|run| run.len() > 4 && run[0].is_ascii_punctuation());
        let decorates = doubled || ruled || !self.word.contains(char::is_alphanumeric);
        let rest = &bytes[1..];
        let begins = match *first {
            // `#endif`
            b'#' => !rest.iter().all(u8::is_ascii_alphabetic),
            b'?' => rest.contains(&b'='),
            b'/' | b'&' | b'=' | b'%' | b'_' | b'.' | b'-' | b'~' | b'+' | b';' => true,
            _ => self.word.starts_with(char::is_alphanumeric),
        };
        // `Yes` begins a sentence.
        let sentence = self.word.starts_with(char::is_uppercase)
            && self
                .word
                .chars()
                .skip(1)
                .all(|c| c.is_lowercase() || c == '\'');
        // `e.g.`, `i.e.`
        let abbreviation =
            self.word.contains('.') && self.word.split('.').all(|part| part.len() == 1);
        // `tel:555-0100`
        let number = self.word.split_once(':').is_some_and(|(name, number)| {
            let is_in = |byte: u8| byte.is_ascii_digit() || b"+-/.".contains(&byte);
            name.chars().all(char::is_alphabetic) && number.bytes().all(is_in)
        });
        let label = self.after.strip_prefix(':').is_some_and(|after| {
            !self.has_parts() && (after.is_empty() || after.starts_with(char::is_whitespace))
        });
        decorates || !begins || sentence || abbreviation || label || number || self.is_call()
    }

    /// Whether it is a call in a program: `library(a)`
    fn is_call(&self) -> bool {
        let name = self.word.split('(').next().unwrap_or_default();
        name.len() < self.word.len()
            && name.ends_with(|c: char| c.is_ascii_alphanumeric())
            && !name.contains(['/', '%', '=', '&'])
    }

    /// `x=1`: an assignment of a program, or a part of a query.
    fn is_assignment(&self) -> bool {
        self.word.contains('=') && !self.word.contains(['/', '?', '&', '%', '#'])
    }

    /// Whether it has a character that words do not have.
    fn has_shape(&self) -> bool {
        let is_shape = |c: char| c.is_ascii_digit() || "./_=&%#?-~".contains(c);
        self.word.contains(is_shape) && !self.is_number()
    }

    /// A date, a time, a version, a telephone number.
    fn is_number(&self) -> bool {
        let is_in = |byte: u8| byte.is_ascii_digit() || b"-/.,:+".contains(&byte);
        self.word.bytes().all(is_in)
            && self.word.contains(['-', '/', '.', ',', ':'])
            && !self.word.starts_with(['-', '/', '.'])
            && !self.word.ends_with('/')
    }

    /// Whether it has what parts a path or a query: `a/b.c`, `a/b/c`, `a=b`; but `and/or` is a word.
    fn has_parts(&self) -> bool {
        let word = self.word;
        let escape = word
            .bytes()
            .zip(word.bytes().skip(1))
            .any(|pair| matches!(pair, (b'%', digit) if digit.is_ascii_hexdigit()));
        let mut parts = word.split('/');
        let is_word = |part: &str| part.chars().all(char::is_alphabetic);
        let either = parts.all(is_word) && word.matches('/').count() == 1 && !word.ends_with('/');
        escape
            || word.contains(['=', '&', '?', '#', '~'])
            || word.contains('/') && !either && !self.is_number()
    }

    /// Whether it could be nothing but a part of a URL.
    fn is_part(&self) -> bool {
        let parted = self.word.matches(['-', '_', '.', '+']).count() > 2;
        let extension = self.word.rsplit_once('.').map(|(_, extension)| extension);
        let named = extension.is_some_and(is_extension);
        let digits = self.word.bytes().filter(u8::is_ascii_digit).count();
        let coded = self.word.len() >= CODE && digits > 2;
        (self.has_parts() || parted || named || coded) && !self.is_number()
    }

    /// Whether it is a short rest of a URL and no word.
    fn is_rest(&self) -> bool {
        let is_word = SHORT_WORDS.split(' ').any(|word| word == self.word);
        self.word.len() <= 3 && self.word.bytes().all(|byte| byte.is_ascii_lowercase()) && !is_word
    }
}

/// Whether the URL that ends with `head` goes on with `tail`.
pub(super) fn looks_cut(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    is_residue(head, tail)
        || !tail.is_prose()
            && (head.may_have_query() || !tail.is_assignment())
            && (is_unfinished(head, tail)
                || breaks_off(head, tail)
                || has_no_room(head, tail)
                || is_at_column(head, tail))
}

/// Whether a character or two of a URL in many lines are left by what quotes them.
fn is_residue(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let is_short =
        tail.word.len() <= 2 && tail.word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_line = head.piece.len() >= NARROW && head.is_breakable();
    head.before > 0 && is_line && is_short && !tail.word.is_empty() && tail.is_alone()
}

/// Whether it was cut within what is always written as one.
fn is_unfinished(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let piece = head.piece.as_bytes();
    let word = tail.word;
    if let [.., b'%', last] = piece
        && last.is_ascii_hexdigit()
    {
        return word.starts_with(|c: char| c.is_ascii_hexdigit());
    }
    // `&amp;`, cut before its semicolon too.
    if let Some((_, name)) = head.piece.rsplit_once('&')
        && let Some(rest) = "amp;".strip_prefix(name)
        && !name.is_empty()
        && (word.starts_with(rest) || tail.is_alone() && rest.starts_with(word))
    {
        return true;
    }
    if word.starts_with(';') {
        return head.was_full() && tail.has_parts();
    }
    let first = |separators: &[char]| word.split(separators).next().unwrap_or_default();
    if let Some(host) = head.host().filter(|host| host.ends_with('.')) {
        let label = first(&['/', '.', ':', '?']);
        let is_name = !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let ends = tail.is_alone() || label.len() < word.len();
        let is_domain = ends && DOMAINS.contains(&label);
        return host.len() > 1 && is_name && (tail.has_parts() || is_domain);
    }
    if let Some(extension) = head.extension() {
        let len = word.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let whole = [extension, &word[..len]].concat();
        let goes_on = word[len..].starts_with(['-', '.', '_']);
        // `doc` is one without an `x`.
        let is_open = !is_extension(extension) || tail.is_alone();
        let may_be = head.width >= NARROW && head.is_breakable() && is_open;
        return may_be && len > 0 && !goes_on && is_extension(&whole);
    }
    false
}

/// Whether it ends with what seldom ends a URL.
fn breaks_off(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    if !head.is_breakable() && !tail.has_parts() {
        return false;
    }
    let shape = tail.has_shape() || tail.is_alone();
    match head.piece.as_bytes() {
        [.., b'='] => shape,
        [.., b'&' | b'%' | b'_'] => shape || head.is_full(),
        [.., b'?'] => tail.word.contains(['=', '&']) || tail.is_alone() && head.width >= HALF,
        [.., b'-' | b'#'] => shape || head.width >= NARROW,
        // What some archives put where a long word may be broken.
        [.., b'*', b'*'] => tail.has_shape() && !head.lead.ends_with('*'),
        _ => false,
    }
}

/// Whether it ends with a slash because there was no room for the next word.
fn has_no_room(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let room = if head.blanks > 0 { FLOWED_ROOM } else { ROOM };
    let width = head.width + tail.word.chars().count();
    head.piece.ends_with('/')
        && head.is_breakable()
        && head.width >= HALF
        && width >= room
        && tail.has_shape()
        && (tail.is_alone() || tail.is_part())
}

/// Whether it was cut at a fixed column.
fn is_at_column(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    if tail.word.starts_with(';') {
        return false;
    }
    let piece = head.piece;
    // A sentence ends before a new one rather than a URL within itself.
    if piece.ends_with(['.', ',', ';', ':', '!', ')', ']', '\'', '*']) {
        let escaped = piece.contains('%') && tail.word.contains('%');
        return piece.ends_with(['.', ',', ';', ':', '!'])
            && tail.has_parts()
            && (escaped || head.is_full());
    }
    // What has an extension is whole.
    let is_whole = head.extension().is_some_and(is_extension);
    if is_whole && !tail.word.starts_with(['?', '#', '&', '=', '%', '.']) {
        return false;
    }
    let alone = tail.is_alone();
    let begins = head.begins_line();
    let in_brackets = head.is_in_brackets() && tail.after.trim_start().starts_with(')');
    if head.is_full() {
        let rest =
            || alone && begins && tail.is_rest() && !piece.ends_with('/') && head.is_longest();
        return if tail.has_shape() {
            let is_part = tail.is_part() && !head.is_in_column();
            begins && (alone || in_brackets || is_part) || alone && is_part
        } else {
            rest()
        };
    }
    if in_brackets && tail.is_part() && head.is_breakable() && head.width >= HALF {
        return true;
    }
    let narrow = head.is_breakable() && head.width >= NARROW + head.marks && begins;
    let small = !tail.word.starts_with(char::is_uppercase);
    let leads = tail
        .word
        .starts_with(['.', '/', '?', '&', '=', '%', '#', '_', '-', '~']);
    narrow
        && small
        && tail.has_shape()
        && !piece.ends_with('/')
        && (alone && tail.is_part() || leads && tail.has_parts())
}

fn is_extension(word: &str) -> bool {
    EXTENSIONS
        .iter()
        .any(|extension| extension.eq_ignore_ascii_case(word))
}

/// Where the line begins that `at` is on, as far as it is looked at.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let from = at.saturating_sub(LOOK_BACK);
    let line_feed = memchr::memrchr(b'\n', &text.as_bytes()[from..at]);
    line_feed.map_or(from, |line_feed| from + line_feed + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    /// Whether the URL that ends the last line but one goes on in the last one.
    fn is_cut(text: &str) -> bool {
        let start = text.rfind("http").unwrap_or_default();
        let stop = start + text[start..].find([' ', '\r', '\n']).unwrap_or_default();
        let blanks = text[stop..]
            .bytes()
            .take_while(|byte| *byte == b' ')
            .count();
        let next = stop + text[stop..].find('\n').unwrap_or_default() + 1;
        let margin = Margin::of_line(text, start, Span::new(0, 0));
        let head = Head::new(text, (start, stop), 0, blanks, &margin);
        looks_cut(&head, &Tail::new(&text[margin.skip(text, next)..], 1024))
    }

    /// A URL of so many characters.
    fn url(len: usize) -> String {
        format!("http://a.example/{}", "b".repeat(len - 17))
    }

    #[test]
    fn what_nobody_leaves_unfinished() {
        assert!(is_cut("http://a/%2\nf is"));
        assert!(!is_cut("http://a/%2\nzz/1"));
        assert!(is_cut("http://www.a.\norg/b is"));
        assert!(is_cut("http://www.a.\norg"));
        assert!(!is_cut("http://www.a.\nthomas"));
        assert!(!is_cut("http://www.a.\nand/or"));
        assert!(is_cut("http://a/?b&am\np;c=d"));
        assert!(is_cut("http://a/?b&amp\n;c=d"));
        assert!(!is_cut("http://a/?b\n;c=d"));
        assert!(is_cut(&format!("{}.h\ntml is", url(66))));
        assert!(!is_cut(&format!("{}.doc\nx is", url(66))));
        assert!(is_cut(&format!("{}.doc\nx", url(66))));
        assert!(!is_cut("http://a/b.h\ntml is"));
        assert!(!is_cut(&format!("{}.h\ntmlx is", url(66))));
    }

    #[test]
    fn what_there_was_no_room_for() {
        let line = |words: &str, next: &str| is_cut(&format!("{words} http://a.example/\n{next}"));
        let wide = "w".repeat(48);
        assert!(line(&wide, "b.html and"));
        assert!(!line(&wide, "b.c"), "{wide}");
        assert!(!line(&wide, "well-known bakers"));
        assert!(!line(&wide, "readable"));
        assert!(!line(&wide, "555-0100"));
        assert!(!line("w", "b.html"));
    }

    #[test]
    fn what_is_cut_at_a_column() {
        let full = url(76);
        let goes_on = |next: &str| is_cut(&format!("{full}\n{next}"));
        for next in [
            "c/d.html is",
            "c1",
            "c-d)",
            "c-d-e-f is",
            "0123abcd4567 is",
            ".html is",
            "c.pdf, d",
        ] {
            assert!(goes_on(next), "{next}");
        }
        for next in [
            "c-d is",
            "c1 is",
            "a.b is",
            "thomas",
            "and",
            "I/O is",
            "e.g. this",
            "##x",
            "--x",
            "x====",
            "1.2.3",
            "c(d)",
            "c=1",
            "#endif",
            "tel:555-0100",
            "c-d: e",
            "[c.html]",
        ] {
            assert!(!goes_on(next), "{next}");
        }
        assert!(is_cut(&format!("{}?d\nc=1", url(74))), "a query goes on");
        assert!(
            !is_cut(&format!("{}.html\nc/d.html", url(72))),
            "it is whole"
        );
        assert!(is_cut(&format!("{}.html\n?c=d", url(72))));
        assert!(
            !is_cut(&format!("See the {}\nc1", url(70))),
            "nothing breaks there"
        );
        assert!(
            !is_cut(&format!("The town  {}\nc.html", url(70))),
            "a column"
        );
        assert!(
            !is_cut(&format!("{}\nc/d.html", url(90))),
            "no program breaks it"
        );
        assert!(is_cut(&format!("({}\nc.html) is", url(45))));
        assert!(!is_cut(&format!("{}\nc.html is", url(45))));
        assert!(is_cut(&format!("{}\nc/d.html", url(60))));
        assert!(!is_cut(&format!("{}\nc-d", url(60))));
    }

    #[test]
    fn a_short_rest_is_of_the_longest_line() {
        let around =
            |before: &str, after: &str| is_cut(&format!("{before}\n{}\nca{after}", url(72)));
        for end in ["\n", "\r\n"] {
            let words = format!("{0}{end}", "w".repeat(72));
            let wide = format!("{0}{end}", "w".repeat(73));
            assert!(around(&words, &format!("{end}{words}")));
            assert!(!around(&wide, ""));
            assert!(!around("", &format!("{end}{wide}")));
            assert!(around(&format!("{wide}{}", words.repeat(NEAR)), ""));
        }
        assert!(!is_cut(&format!("{}\nis", url(72))), "a word");
        assert!(!is_cut(&format!("{}\nca", url(66))));
        assert!(!is_cut(&format!("{}.html\nca", url(68))));
        assert!(!is_cut(&format!("{}\nca is", url(72))));
    }
}
