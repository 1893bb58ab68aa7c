//! Decides whether a bare URL at the end of a line continues in the next line, from the look of
//! both lines.
//!
//! Mail programs break lines in three ways, and each leaves different traces:
//!
//! * After a character of a URL that they take for the end of a word: `-` `/` `?` `=` `&` `#` `%`
//!   `_`. Most of these rarely end a URL, so few other conditions apply. A `/` often ends a URL, so
//!   the next word must be one that did not fit in the line.
//! * At a fixed column, at any character. The paragraph shows the column: no line of words near the
//!   URL is longer, or the next piece ends there too. Otherwise the line has to be full. The URL
//!   begins its line, because these programs first try to break before it.
//! * Within the host, an escape, a character reference or a file name extension: a URL never ends
//!   with an incomplete one.
//!
//! The word in the next line must not be prose. It has a character that words of prose do not have,
//! and it is either alone in its line or can only be part of a URL, such as `a/b.html` or
//! `x=1&y=2`.
//!
//! Columns are ignored in three cases: the word begins as no word does (`_b`, `=b`, `%20`,
//! `.html`); it completes a hash to its length; or the whole URL follows in brackets.
//!
//! Some words are never joined: an item of a list, a file name before a message (`a/b.c: text`), a
//! commit, an obfuscated address (`name at host`), a repetition of the last segment of the URL, and
//! the argument after a URL of a command such as `git clone`.

use super::layout::{self, Layout};
use super::lines::{self, Margin};
use super::narrow_column;
use super::tail::{Tail, is_extension};

/// The minimum width of a full line, in characters.
const FULL: usize = 70;

/// The minimum width of a full line that contains only its piece of the URL, without marks: some
/// programs break lines that early.
const NARROW: usize = 60;

/// The maximum length of a line that a program breaks, in characters without marks.
const LONGEST: usize = 84;

/// The minimum width of a line that may have no room for the next word, in characters.
const HALF: usize = 40;

/// The number of characters that fit in a line of any program.
const ROOM: usize = 72;

/// The number of characters that fit in a line, if a trailing space shows that a program broke it
/// before others added marks.
const FLOWED_ROOM: usize = 66;

/// The number of lines before and after a line that its length is compared with.
const NEAR: usize = 4;

/// The minimum width of a line that contains only its piece of a URL, before a line that does the
/// same.
const PAIR: usize = 56;

/// The number of characters that a broken line may have more than the longest line of words near
/// it: the next word did not fit.
const SLACK: usize = 12;

/// The numbers of hexadecimal digits in hashes that name commits and files.
const HASHES: [usize; 3] = [32, 40, 64];

/// The maximum length of a line that is compared with the lines near it, with its marks, in bytes.
const WIDEST: usize = 120;

/// The number of bytes before a position in which the start of its line is searched.
pub(super) const LOOK_BACK: usize = 512;

/// Top-level domains before which a host may be broken.
const DOMAINS: [&str; 6] = ["com", "edu", "gov", "info", "net", "org"];

/// The last piece of a URL, and the line that ends after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'t> {
    text: &'t str,
    /// The start of its line, at most [`LOOK_BACK`] bytes before.
    line: usize,
    /// The start of the line on which the URL begins.
    first: usize,
    /// The length of the marks at the start of the line.
    marks: usize,
    /// The text between the marks and the piece.
    before_url: &'t str,
    piece: &'t str,
    /// The end of the piece.
    stop: usize,
    /// The length of the previous piece; 0 if this is the first.
    before: usize,
    /// The number of spaces after the piece.
    blanks: usize,
    /// The width of the line, in characters.
    width: usize,
}

impl<'t> Head<'t> {
    /// The piece from `start` to `stop` of a URL that begins at `from`. The previous piece has the
    /// length `before`, and the line has this `margin`.
    pub(super) fn new(
        text: &'t str,
        (from, start, stop): (usize, usize, usize),
        before: usize,
        blanks: usize,
        margin: &Margin,
    ) -> Self {
        let line = line_start(text, stop);
        let before_url = margin.skip(text, line).clamp(line, start.max(line));
        // In UTF-8, every byte except continuation bytes begins a character.
        let begins = |byte: &&u8| **byte & 0xC0 != 0x80;
        Self {
            text,
            line,
            first: line_start(text, from).min(line),
            marks: before_url - line,
            before_url: text.get(before_url..start).unwrap_or("?"),
            piece: &text[start..stop],
            stop,
            before,
            blanks,
            width: text.as_bytes()[line..stop].iter().filter(begins).count(),
        }
    }

    /// Returns true if a program would break this line.
    fn is_full(&self) -> bool {
        self.is_breakable() && self.width >= FULL || self.was_full()
    }

    /// Returns true if the line was full together with the previous piece, before a quoting program
    /// broke it again.
    fn was_full(&self) -> bool {
        let unbroken = self.marks + self.before + self.piece.len();
        self.before > 0 && (FULL..=LONGEST + self.marks).contains(&unbroken)
    }

    /// Returns true if the line is not longer than the lines that programs break.
    fn is_breakable(&self) -> bool {
        self.width <= LONGEST + self.marks
    }

    /// Returns true if this is the second or a later line of several that were broken at the same
    /// column.
    fn is_as_wide_as_above(&self) -> bool {
        let Some(above) = self.text[..self.line].strip_suffix('\n') else {
            return false;
        };
        let start = line_start(self.text, above.len());
        let (_, at) = lines::quoted(self.text, start);
        let (_, own) = lines::quoted(self.text, self.line);
        let (Some(above), Some(own)) = (above.get(at..), self.text.get(own..self.stop)) else {
            return false;
        };
        let width = |line: &str| line.trim().chars().count();
        self.before > 0 && width(own) >= HALF && width(above) == width(own)
    }

    /// Returns true if `tail` is its whole line and as wide as this line, which begins with the
    /// URL: both were broken at the same column, and a third line follows.
    fn is_as_wide_as_next(&self, tail: &Tail<'_>) -> bool {
        let width = self.piece.chars().count();
        let blank = tail.after.trim().is_empty();
        self.before == 0
            && self.before_url.is_empty()
            && width >= HALF
            && blank
            && tail.word.chars().count() == width
    }

    /// The layout of the lines around this one.
    fn layout(&self) -> Layout {
        let line_feed = memchr::memchr(b'\n', &self.text.as_bytes()[self.stop..]);
        let next = line_feed.map_or(self.text.len(), |len| self.stop + len + 1);
        layout::around(self.text, self.first, next)
    }

    /// Returns true if the whole URL, of this piece and `tail`, follows in brackets.
    fn is_repeated_in_brackets(&self, tail: &Tail<'_>) -> bool {
        let again = tail.after.trim_start_matches([' ', '.', ',', ')']);
        let Some(again) = again.strip_prefix(['<', '(', '[']) else {
            return false;
        };
        // Some archives insert asterisks where long words may be broken.
        let letters = |text: &'t str| text.bytes().filter(|byte| *byte != b'*');
        let url = letters(self.piece).chain(tail.word.bytes().filter(|byte| *byte != b'*'));
        let mut again = again.bytes();
        self.before == 0
            && url
                .into_iter()
                .all(|byte| again.next().is_some_and(|it| it.eq_ignore_ascii_case(&byte)))
    }

    /// Returns true if the URL is the argument of a program that copies sources. Other arguments
    /// follow these URLs.
    fn is_command_argument(&self) -> bool {
        const PROGRAMS: [&str; 6] = ["git", "svn", "hg", "bzr", "cvs", "darcs"];
        let mut words = self.before_url.split_ascii_whitespace();
        let program =
            words.any(|word| PROGRAMS.contains(&word.trim_start_matches(['`', '"', '(', '$'])));
        self.before == 0 && program && words.next().is_some()
    }

    /// Returns true if the piece ends with a hash that `tail` completes.
    fn is_completed_by(&self, tail: &Tail<'_>) -> bool {
        let digits = |bytes: &mut dyn Iterator<Item = &u8>| {
            bytes.take_while(|byte| byte.is_ascii_hexdigit()).count()
        };
        let piece = self.piece.as_bytes();
        let own = digits(&mut piece.iter().rev());
        let parted = match piece.len().checked_sub(own + 1) {
            Some(before) => !piece[before].is_ascii_alphanumeric(),
            None => self.before > 0,
        };
        let word = tail.word.as_bytes();
        let rest = digits(&mut word.iter());
        let ends = word.get(rest).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        parted && ends && own > 3 && rest > 0 && HASHES.contains(&(own + rest))
    }

    /// Returns true if a commit id may follow the piece: after `commit/`, `id=` and similar text.
    fn ends_before_hash(&self) -> bool {
        const NAMES: [&str; 8] =
            ["/commit/", "/commits/", "/blob/", "/tree/", "/raw/", "/rev/", "/r/", "/+/"];
        let hash = self.piece.bytes().rev().take_while(u8::is_ascii_hexdigit);
        NAMES.iter().any(|name| self.piece.ends_with(name))
            || self.piece.ends_with(['=', '-', '_', '%', '&'])
            || hash.count() > 3
    }

    /// Returns true if `tail` begins with the last segment of the piece: the name of a file,
    /// repeated.
    fn is_repeated_by(&self, tail: &Tail<'_>) -> bool {
        let Some((_, last)) = self.piece.rsplit_once('/') else {
            return false;
        };
        let rest = tail.word.strip_prefix(last);
        last.len() > 2 && rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    }

    /// Returns true if only a label precedes the URL in its line.
    fn begins_line(&self) -> bool {
        let label = self.before_url.trim().trim_start_matches('<');
        label.eq_ignore_ascii_case("URL:") || !self.before_url.contains(char::is_alphabetic)
    }

    /// Returns true if the URL is in a separate column.
    fn is_in_column(&self) -> bool {
        !self.begins_line() && (self.before_url.ends_with("  ") || self.before_url.ends_with('\t'))
    }

    /// The host, if the piece ends within or after it: `http://www.a.` or `http://www.a`.
    fn host(&self) -> Option<&'t str> {
        let host = self.piece.split_once("://").filter(|_| self.before == 0)?.1;
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
        host.bytes().all(is_host).then_some(host)
    }

    /// Returns true if the piece has more than a host.
    fn has_path(&self) -> bool {
        self.host().is_none()
    }

    /// The letters and digits after the last dot of the last segment.
    fn extension(&self) -> Option<&'t str> {
        let (rest, extension) = self.piece.rsplit_once('.')?;
        let is_name = rest.contains('/') || self.before > 0;
        let is_one = extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_name && is_one && self.host().is_none()).then_some(extension)
    }

    /// Returns true if no line near this one is longer.
    fn is_longest(&self) -> bool {
        let len = self.stop - self.line;
        if len > WIDEST {
            return false;
        }
        let fits = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).len() <= len;
        // A line that fits is at most this long, with both bytes of its line break.
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
        // The first is the end of the line itself.
        let mut lines = after.split(|byte| *byte == b'\n').take(NEAR + 1);
        lines.all(fits)
    }

    /// Returns true if the URL may have a query.
    fn may_have_query(&self) -> bool {
        self.before > 0 || self.piece.contains('?')
    }

    /// Returns true if an opening bracket precedes the URL and the piece has no closing one.
    fn is_in_brackets(&self) -> bool {
        self.before == 0 && self.before_url.trim_end().ends_with('(') && !self.piece.contains(')')
    }
}

/// Returns true if the URL that ends with `head` continues with `tail`. `below` is the first word
/// of the line after that.
pub(super) fn looks_wrapped(head: &Head<'_>, tail: &Tail<'_>, below: &Tail<'_>) -> bool {
    if is_leftover(head, tail) {
        return true;
    }
    if tail.is_prose() || is_unrelated(head, tail) {
        return false;
    }
    if head.is_completed_by(tail) || head.is_repeated_in_brackets(tail) {
        return true;
    }
    if tail.is_deeper {
        let starts_within = tail.starts_within_url() || tail.word.starts_with(['/', '&', '?', '#']);
        return head.is_full() && (tail.is_alone() && (starts_within || tail.has_parts()));
    }
    (head.may_have_query() || !tail.is_assignment())
        && (is_unfinished(head, tail)
            || ends_mid_url(head, tail)
            || starts_within_url(head, tail)
            || !is_list(head, tail, below)
                && (has_no_room(head, tail)
                    || is_at_column(head, tail)
                    || is_in_narrow_column(head, tail)))
}

/// Returns true if a program that reflows text may have broken the URL as it breaks between words:
/// after a character that it takes for the end of a word, where `tail` did not fit.
pub(super) fn is_wrapped_by_flow(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let ends = head.piece.ends_with(['/', '-', '?', '=', '&', '_']);
    ends && head.width + tail.word.chars().count() >= ROOM && (tail.has_parts() || tail.is_part())
}

/// Returns true if `tail` and `below` are file names in a list, each alone in its line, in the same
/// directory or with the same extension.
fn is_list(head: &Head<'_>, tail: &Tail<'_>, below: &Tail<'_>) -> bool {
    let is_in = |byte: u8| byte.is_ascii_alphanumeric() || b"./_-".contains(&byte);
    let is_item =
        |tail: &Tail<'_>| tail.is_alone() && tail.has_shape() && tail.word.bytes().all(is_in);
    let directory = |word: &'_ str| word.split_once('/').map(|(name, _)| name.to_owned());
    let extension = |word: &'_ str| word.rsplit_once('.').map(|(_, name)| name.to_owned());
    let is_kin = |name: &dyn Fn(&str) -> Option<String>| {
        let name = (name(tail.word), name(below.word));
        name.0.is_some() && name.0 == name.1
    };
    head.before == 0
        && is_item(tail)
        && is_item(below)
        && (is_kin(&directory) || is_kin(&extension))
}

/// Returns true if `tail` is not the rest of the URL, for any widths of the lines.
fn is_unrelated(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let is_open = head.piece.ends_with(['/', '-', '=', '&', '?', '%', '_']);
    let continues = tail.starts_within_url() || tail.word.starts_with(['/', '&', '?', '#']);
    let holds_hash = head.before > 0 || head.piece.ends_with('#') || head.ends_before_hash();
    // An abbreviated URL has no rest.
    let is_shortened = head.piece.ends_with("..");
    is_shortened
        || tail.is_address()
        || head.is_repeated_by(tail)
        || tail.is_labelled() && !is_open
        || !continues && head.is_command_argument()
        || tail.is_hash() && !holds_hash && !continues && !head.is_completed_by(tail)
}

/// Returns true if `tail` begins as only a part of a URL does.
fn starts_within_url(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let ends_open = head.piece.ends_with(|c: char| c.is_ascii_alphanumeric());
    let fits = match tail.word.as_bytes().first() {
        Some(b'=') => head.may_have_query(),
        Some(b'.') => !head.extension().is_some_and(is_extension) && head.has_path(),
        _ => true,
    };
    tail.starts_within_url() && ends_open && fits && head.is_breakable() && head.width >= HALF
}

/// Returns true if `tail` is one or two characters of a URL in many lines, left over where a
/// quoting program broke the line.
fn is_leftover(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let is_short =
        tail.word.len() <= 2 && tail.word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_line = head.piece.len() >= NARROW && head.is_breakable();
    head.before > 0 && is_line && is_short && !tail.word.is_empty() && tail.is_alone()
}

/// Returns true if the URL was broken within a part that is never incomplete.
fn is_unfinished(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let piece = head.piece.as_bytes();
    let word = tail.word;
    if let [.., b'%', last] = piece
        && last.is_ascii_hexdigit()
    {
        return word.starts_with(|c: char| c.is_ascii_hexdigit());
    }
    // `&amp;`, broken before its semicolon too.
    if let Some((_, name)) = head.piece.rsplit_once('&')
        && let Some(rest) = "amp;".strip_prefix(name)
        && !name.is_empty()
        && (word.starts_with(rest) || tail.is_alone() && rest.starts_with(word))
    {
        return true;
    }
    if word.starts_with(';') {
        let is_parameter = head.piece.contains('?') && word.contains('=') && tail.is_alone();
        return tail.has_parts() && (head.was_full() || is_parameter && head.width >= HALF);
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
        let continues = word[len..].starts_with(['-', '.', '_']);
        // `doc` is an extension, and so is `docx`.
        let is_open = !is_extension(extension) || tail.is_alone();
        let may_be = head.width >= NARROW && head.is_breakable() && is_open;
        return may_be && len > 0 && !continues && is_extension(&whole);
    }
    false
}

/// Returns true if the piece ends with a character that rarely ends a URL.
fn ends_mid_url(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    if !head.is_breakable() && !tail.has_parts() {
        return false;
    }
    let shape = tail.has_shape() || tail.is_alone();
    match head.piece.as_bytes() {
        [.., b'='] => shape,
        [.., b'&' | b'%' | b'_'] => shape || head.is_full(),
        [.., b'?'] => tail.word.contains(['=', '&', '#']) || tail.is_alone() && head.width >= HALF,
        [.., b'-' | b'#'] => shape || head.width >= NARROW,
        _ if head.piece.ends_with('\u{2010}') => shape || head.width >= NARROW,
        // Some archives insert this where a long word may be broken.
        [.., b'*', b'*'] => tail.has_shape() && !head.before_url.ends_with('*'),
        _ => false,
    }
}

/// Returns true if the piece ends with a slash because the next word did not fit.
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

/// Returns true if the URL was broken in a narrow column.
fn is_in_narrow_column(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    let column = head.layout().column();
    column.is_some_and(|column| narrow_column::breaks(head.piece, head.width, column, tail))
}

/// Returns true if the URL was broken at a fixed column.
fn is_at_column(head: &Head<'_>, tail: &Tail<'_>) -> bool {
    if tail.word.starts_with(';') {
        return false;
    }
    let piece = head.piece;
    // A sentence that ends here is more likely than a URL broken here.
    if piece.ends_with(['.', ',', ';', ':', '!', ')', ']', '\'', '*']) {
        let escaped = piece.contains('%') && tail.word.contains('%');
        let is_named = tail.word.starts_with(|c: char| c.is_ascii_lowercase())
            && tail.is_part()
            && tail.is_alone();
        if piece.ends_with('.') && is_named && head.begins_line() && head.width >= HALF {
            return head.has_path();
        }
        return piece.ends_with(['.', ',', ';', ':', '!'])
            && tail.has_parts()
            && (escaped || head.is_full());
    }
    // A URL with a file name extension is complete.
    let is_whole = head.extension().is_some_and(is_extension);
    if is_whole && !tail.word.starts_with(['?', '#', '&', '=', '%', '.']) {
        return false;
    }
    let alone = tail.is_alone();
    // The next word must have one of these. Most words have none, and reading the lines around
    // takes time.
    if !(tail.has_shape() || tail.has_parts() || tail.is_part() || tail.is_rest()) {
        return false;
    }
    let begins = head.begins_line();
    let in_brackets = head.is_in_brackets() && tail.after.trim_start().starts_with(')');
    let layout = head.layout();
    let column = layout.column();
    let is_near_column = |column: usize| (column..=column + SLACK).contains(&head.width);
    let is_at = head.is_as_wide_as_above()
        || head.is_as_wide_as_next(tail)
        || head.width >= HALF && column.is_some_and(is_near_column) && head.is_breakable();
    // Lines of words near it are much longer: it was not broken there.
    let is_short =
        !is_at && head.before == 0 && column.is_some_and(|column| head.width + SLACK < column);
    // The paragraph has only the two pieces, or its lines end at the same column as this line.
    let is_pair = begins && !layout.has_above && !layout.has_below && head.width >= PAIR;
    let is_as_wide = head.width >= HALF && layout.is_as_wide(head.width);
    if alone
        && (is_pair || is_as_wide)
        && head.is_breakable()
        && (tail.has_parts() || tail.is_part())
        && !piece.ends_with('/')
        && !tail.word.starts_with('/')
    {
        return true;
    }
    if is_at || head.is_full() {
        let rest =
            || alone && begins && tail.is_rest() && !piece.ends_with('/') && head.is_longest();
        return if tail.has_shape() {
            let is_part = tail.is_part() && !head.is_in_column();
            begins && (alone || in_brackets || is_part) || (alone || in_brackets) && is_part
        } else {
            rest()
        };
    }
    if in_brackets && tail.is_part() && head.is_breakable() && head.width >= HALF {
        return true;
    }
    let narrow = head.is_breakable() && head.width >= NARROW + head.marks && begins && !is_short;
    // A later piece with escapes is not prose, whatever its first character.
    let is_coded = head.before > 0 && tail.word.contains(['%', '&']);
    let small = !tail.word.starts_with(char::is_uppercase) || is_coded;
    let leads = tail.word.starts_with(['.', '/', '?', '&', '=', '%', '#', '_', '-', '~']);
    narrow
        && small
        && tail.has_shape()
        && !piece.ends_with('/')
        && (alone && tail.is_part() || leads && tail.has_parts())
}

/// The start of the line that contains `at`, at most [`LOOK_BACK`] bytes before.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let mut from = at.saturating_sub(LOOK_BACK);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let line_feed = memchr::memrchr(b'\n', &text.as_bytes()[from..at]);
    line_feed.map_or(from, |line_feed| from + line_feed + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Span;

    /// Returns true if the URL that ends the last line but one continues in the last line.
    fn is_cut(text: &str) -> bool {
        let start = text.rfind("http").unwrap_or_default();
        let stop = start + text[start..].find([' ', '\r', '\n']).unwrap_or_default();
        let blanks = text[stop..].bytes().take_while(|byte| *byte == b' ').count();
        let next = stop + text[stop..].find('\n').unwrap_or_default() + 1;
        let margin = Margin::of_line(text, start, Span::new(0, 0));
        let head = Head::new(text, (start, start, stop), 0, blanks, &margin);
        let tail = Tail::new(&text[margin.skip(text, next)..], 1024);
        looks_wrapped(&head, &tail, &Tail::new("", 0))
    }

    /// A URL of this many characters.
    fn url(len: usize) -> String {
        format!("http://a.example/{}", "b".repeat(len - 17))
    }

    #[test]
    fn incomplete_host_escape_or_extension_continues() {
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
    fn word_without_room_continues() {
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
    fn url_broken_at_a_column_continues() {
        let full = url(76);
        let continues = |next: &str| is_cut(&format!("{full}\n{next}"));
        for next in
            ["c/d.html is", "c1", "c-d)", "c-d-e-f is", "0123abcd4567 is", ".html is", "c.pdf, d"]
        {
            assert!(continues(next), "{next}");
        }
        for next in [
            "c-d is", "c1 is", "a.b is", "thomas", "and", "I/O is", "e.g. this", "##x", "--x",
            "x====", "1.2.3", "c(d)", "c=1", "#endif", "tel:555-0100", "c-d: e", "[c.html]",
        ] {
            assert!(!continues(next), "{next}");
        }
        assert!(is_cut(&format!("{}?d\nc=1", url(74))), "a query continues");
        assert!(!is_cut(&format!("{}.html\nc/d.html", url(72))), "it is whole");
        assert!(is_cut(&format!("{}.html\n?c=d", url(72))));
        assert!(!is_cut(&format!("See the {}\nc1", url(70))), "nothing breaks there");
        assert!(!is_cut(&format!("The town  {}\nc.html", url(70))), "a column");
        assert!(!is_cut(&format!("{}\nc/d.html", url(90))), "no program breaks it");
        assert!(is_cut(&format!("({}\nc.html) is", url(45))));
        assert!(!is_cut(&format!("{}\nc.html is", url(45))));
        assert!(is_cut(&format!("{}\nc/d.html", url(60))));
        assert!(!is_cut(&format!("{}\nc-d", url(60))));
    }

    #[test]
    fn short_rest_continues_only_the_longest_line() {
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
