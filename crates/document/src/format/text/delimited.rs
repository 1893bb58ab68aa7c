//! URLs in `<...>` and `"..."`.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::chars::{
    Class, class_of, inside_len, is_clause_mark, is_stop, is_trimmed, letter_width,
};
use super::join::drops_hyphen;
use super::lines::{self, Margin};
use super::quotes::opens_quote;
use super::text_url::{Form, Hyphens, TextUrl};
use super::{abbreviated, opaque, scheme};
use crate::bytes::{Span, Spans};
use crate::format::options::{Hyphen, Iri, Join, TextOptions};
use crate::link::Delimiter;

/// The number of bytes from the start of the URL in which the closing delimiter is searched.
const LOOK_AHEAD: usize = 4096;

/// The start of a URL without its delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlStart {
    /// A scheme, with the offset of its colon.
    Scheme { colon: usize },
    /// A scheme whose `://` is written in another way. It ends at `scheme_end`, and the host begins
    /// at `body`.
    Disguised { scheme_end: usize, body: usize, form: Form },
    /// `www.` or `ftp.`
    Abbreviated,
}

impl UrlStart {
    /// The delimiter of a URL with this start, if `delimiter` is the one around it.
    pub(super) fn delimiter(self, delimiter: Delimiter) -> Delimiter {
        match self {
            Self::Scheme { .. } | Self::Disguised { .. } => delimiter,
            Self::Abbreviated => Delimiter::Abbreviated,
        }
    }
}

/// A URL between delimiters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Delimited {
    /// The bytes of the URL, without white space.
    pub(super) spans: Spans,
    /// The hyphens of the URL at line ends.
    pub(super) hyphens: Hyphens,
    /// The offset after the closing delimiter.
    pub(super) end: usize,
}

/// The URL at `start` after the `<` at `open`, or `None` if the bracket is not a delimiter (RFC
/// 3986, Appendix C). `named` is set if the text before it announces a URL.
///
/// The bracket is not a delimiter if one of these comes before `>`: another `<`, a control, a blank
/// line that is not a page break, or a second URL after white space. Then the rule for bare URLs
/// applies. Linear in the length between the brackets.
pub(super) fn angle(
    text: &str,
    (open, named): (usize, bool),
    (start, head): (usize, UrlStart),
    last: Span,
    options: &TextOptions,
) -> Option<Delimited> {
    let colon = match head {
        UrlStart::Scheme { colon } => Some(colon),
        UrlStart::Disguised { .. } => return None,
        UrlStart::Abbreviated => None,
    };
    let foreign = |c: char| c == '<' || c.is_control();
    let mut inside = Inside::read(text, (open, ">"), start, last, foreign, options)?;
    if !options.strict {
        if inside.has_bar {
            inside.trim_named(text, start);
        }
        inside.trim_label(text, start);
        inside.trim_brace(text);
    }
    // White space and a double quote: an attribute of a tag.
    if inside.has_gap() && inside.has_quote {
        return None;
    }
    let value = inside.value(text);
    let Some(colon) = colon else {
        return abbreviated::is_one(&value).then(|| inside.into());
    };
    let (scheme, rest) = parts(&value, start, colon);
    let holds = match rest.strip_prefix("//") {
        Some(rest) => !rest.is_empty() && scheme::authority(scheme, rest).is_some(),
        None if options.strict => !opaque::is_elided(rest),
        // `<file: the name>` is a sentence, `<mailto:a@b?subject=x y>` is a URL.
        None if text[colon + 1..].starts_with(' ') => false,
        None if opaque::is_known(scheme.as_bytes()) => {
            let hidden = inside.has_blank() && opaque::lacks_address(scheme, rest);
            !hidden
                && (named && opaque::admits_unknown(rest)
                    || !opaque::is_elided(rest) && opaque::admits(scheme, rest))
        }
        None => named && !inside.has_blank() && opaque::admits_unknown(rest),
    };
    holds.then(|| inside.into())
}

/// The URL at `start` after the opening quote at `open`, or `None` if that quote and the next of
/// `close` are not delimiters.
///
/// They are not delimiters if a character that cannot be in a bare URL is between them, including a
/// space within a line. Then the rule for bare URLs applies. Linear in the length between the
/// quotes.
pub(super) fn quote(
    text: &str,
    (open, close): (usize, &str),
    (start, head): (usize, UrlStart),
    last: Span,
    options: &TextOptions,
) -> Option<Delimited> {
    if let UrlStart::Scheme { colon } = head {
        let after = text.as_bytes().get(colon + 1);
        let may_hold = after.is_some_and(|byte| *byte == b'/' || byte.is_ascii_whitespace());
        if !may_hold && !opaque::is_known(&text.as_bytes()[start..colon]) {
            return None;
        }
    }
    let foreign = |c: char| is_stop(c) || !c.is_ascii() && opens_quote(c);
    let mut inside = Inside::read(text, (open, close), start, last, foreign, options)?;
    if !options.strict {
        if inside.has_blank() || inside.has_clause {
            return None;
        }
        inside.trim_end(text);
    }
    let value = inside.value(text);
    let holds = match head {
        UrlStart::Abbreviated => abbreviated::is_one(&value),
        UrlStart::Disguised { .. } => false,
        UrlStart::Scheme { colon } => {
            let (scheme, rest) = parts(&value, start, colon);
            match rest.strip_prefix("//") {
                Some(rest) => !rest.is_empty() && scheme::authority(scheme, rest).is_some(),
                None => opaque::admits(scheme, rest),
            }
        }
    };
    holds.then(|| inside.into())
}

/// The maximum length of a message id in brackets, in bytes.
const MESSAGE_ID: usize = 256;

/// The URL at `start` of a message whose id kept its brackets: `news:<id@host>`. The URL does not
/// include the brackets.
pub(super) fn message_id(text: &str, start: usize, colon: usize) -> Option<TextUrl> {
    let id = text[colon + 1..].strip_prefix('<')?;
    let scheme = &text[start..colon];
    if !["news", "mid", "nntp"].iter().any(|it| scheme.eq_ignore_ascii_case(it)) {
        return None;
    }
    let len = id.bytes().take(MESSAGE_ID).position(|byte| byte == b'>')?;
    let id = &id[..len];
    let is_id = id.contains('@') && id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'<');
    let from = colon + 2;
    is_id.then(|| TextUrl {
        spans: Spans::from_slice(&[Span::new(start, colon + 1), Span::new(from, from + len)]),
        ..TextUrl::whole(start, from + len, Delimiter::Angle)
    })
}

/// The scheme of a URL and the text after its colon. White space cannot occur in the scheme, so it
/// has the same length in the joined value and in the text.
fn parts(value: &str, start: usize, colon: usize) -> (&str, &str) {
    let scheme = colon - start;
    (&value[..scheme], value.get(scheme + 1..).unwrap_or(""))
}

/// The text between two delimiters.
struct Inside {
    spans: Spans,
    hyphens: Hyphens,
    end: usize,
    /// The offset of the first white space within a line that was removed.
    blank: Option<usize>,
    /// True if it has a double quote.
    has_quote: bool,
    /// True if it has a line of spaces, or a page break.
    has_sparse: bool,
    /// True if it has a mark that ends a clause of text without spaces.
    has_clause: bool,
    /// True if it has a `|`.
    has_bar: bool,
}

impl Inside {
    /// Reads from `start` to one of `close`. Returns `None` if that is too far, or after a blank
    /// line, a second URL or a character that is `foreign` (never called for white space). The
    /// opening delimiter is at `open`, and the last piece of the previous URL is `last`.
    fn read(
        text: &str,
        (open, close): (usize, &str),
        start: usize,
        last: Span,
        foreign: impl Fn(char) -> bool,
        options: &TextOptions,
    ) -> Option<Self> {
        let mut inside = Self {
            spans: Spans::new(),
            hyphens: Hyphens::new(),
            end: 0,
            blank: None,
            has_quote: false,
            has_sparse: false,
            has_clause: false,
            has_bar: false,
        };
        let heuristic = !options.strict;
        let mut margin = None;
        let mut piece = start;
        let mut at = start;
        loop {
            at = plain_end(text, at, start + LOOK_AHEAD);
            if at - start >= LOOK_AHEAD {
                return None;
            }
            let c = text[at..].chars().next()?;
            if close.contains(c) {
                inside.push(text, piece, at, options.hyphen, false);
                inside.end = at + c.len_utf8();
                // Words after it are another paragraph.
                let parts_paragraphs = heuristic && inside.has_sparse && inside.has_blank();
                return (!parts_paragraphs).then_some(inside);
            }
            if !c.is_whitespace() {
                if foreign(c) {
                    return None;
                }
                inside.has_quote |= c == '"';
                inside.has_bar |= c == '|';
                let next = at + c.len_utf8();
                inside.has_clause |= is_clause_mark(c)
                    && text[next..]
                        .starts_with(|next: char| !next.is_ascii() && !close.contains(next));
                at = next;
                continue;
            }
            let mut has_page_break = false;
            let gap = Gap::read(text, at, |line| {
                if !heuristic {
                    return line;
                }
                let margin = margin.get_or_insert_with(|| Margin::of_line(text, open, last));
                let page = lines::page_break(text, line);
                has_page_break |= page.is_some();
                margin.skip(text, page.unwrap_or(line))
            });
            if gap.end - at > LOOK_AHEAD || heuristic && gap.blank_line == Some(Blank::Empty) {
                return None;
            }
            inside.has_sparse |= gap.blank_line.is_some() || has_page_break;
            let breaks = gap.has_break;
            let continues = !breaks || options.join != Some(Join::None);
            if !continues || scheme::starts_url(&text.as_bytes()[gap.end..]) {
                return None;
            }
            let closes = text[gap.end..].starts_with(|c| close.contains(c));
            inside.push(text, piece, at, options.hyphen, breaks && !closes);
            if !breaks && !closes {
                inside.blank.get_or_insert(at);
            }
            piece = gap.end;
            at = gap.end;
        }
    }

    /// Adds the piece between `from` and `to`. `at_break` is set if a line ends at `to`.
    fn push(&mut self, text: &str, from: usize, to: usize, hyphen: Hyphen, at_break: bool) {
        let mut span = Span::new(from, to);
        // The mark of a line break, which is not a URI character. A Windows path has others.
        if at_break
            && let Some(before) = text[span.range()].strip_suffix('\\')
            && !before.contains('\\')
        {
            span.end -= 1;
        }
        let len = super::join::hyphen_len(&text[span.range()]);
        if at_break && len > 0 {
            let at = span.end - len;
            self.hyphens.push(at);
            span.end = if drops_hyphen(hyphen, len) { at } else { span.end };
        }
        if !span.is_empty() {
            self.spans.push(span);
        }
    }

    fn has_gap(&self) -> bool {
        self.spans.len() > 1
    }

    fn has_blank(&self) -> bool {
        self.blank.is_some()
    }

    /// Removes the label after a `|`, which is not a URI character: `<http://a.example|words>` of
    /// chats.
    fn trim_named(&mut self, text: &str, start: usize) {
        let bar_in = |span: Span| {
            memchr::memchr(b'|', &text.as_bytes()[span.range()]).map(|bar| span.start + bar)
        };
        let Some(bar) = self.spans.iter().find_map(|span| bar_in(*span)) else {
            return;
        };
        let url = &text.as_bytes()[start..bar];
        let is_file = url.get(..5).is_some_and(|it| it.eq_ignore_ascii_case(b"file:"));
        // `file:///C|/a`, `http://a.example/{b|c}`
        if is_file && matches!(url, [.., b'/', drive] if drive.is_ascii_alphabetic())
            || url.contains(&b'{')
        {
            return;
        }
        self.cut(bar);
    }

    /// Removes everything from `at` on.
    fn cut(&mut self, at: usize) {
        self.spans.retain(|span| span.start < at);
        if let Some(last) = self.spans.last_mut() {
            last.end = last.end.min(at);
        }
        self.hyphens.retain(|hyphen| *hyphen < at);
        self.blank = self.blank.filter(|blank| *blank < at);
        self.has_quote = false;
    }

    /// Removes a label from the end, if it follows the URL in the same line. After a URL with `//`,
    /// these are any words that do not continue it: the white space of RFC 3986, Appendix C, was
    /// added where a line is broken. After an address, several words of prose, or one capitalized
    /// word. A name before ` at ` is an obfuscated address and not a label.
    fn trim_label(&mut self, text: &str, start: usize) {
        let Some(blank) = self.blank else {
            return;
        };
        let inside = &text[blank..self.end];
        let label = inside[..inside.len() - 1].trim();
        let is_word = |word: &str| {
            let word = word.trim_matches(['(', ')', '.', ',', '!', ';', '\'']);
            !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '\'')
        };
        let words = || label.split_whitespace();
        let is_prose = words().count() > 1 && words().any(|word| word.len() > 2);
        let is_label = is_prose || label.starts_with(char::is_uppercase);
        let url = &text[start..blank];
        let has_slashes = url.contains("://");
        let is_complete = has_slashes && !inside.contains(['\n', '\r']) && !continues(url, label);
        if is_complete || is_label && words().all(is_word) && (has_slashes || url.contains('@')) {
            self.cut(blank);
        }
    }

    /// Removes sentence punctuation from the end: a period or comma, which American typography sets
    /// before the quote, and unmatched closing brackets. Any other characters that never end a bare
    /// URL are removed with them.
    fn trim_end(&mut self, text: &str) {
        let mut spans = self.spans.clone();
        let mut open = None;
        let mut ends = false;
        while let Some(last) = spans.last_mut() {
            let piece = &text[last.range()];
            let Some(c) = piece.chars().next_back() else {
                spans.pop();
                continue;
            };
            if let Class::Close(kind) = class_of(c, Iri::Auto) {
                let balances = open.get_or_insert_with(|| self.balances(text));
                let Some(closed) = balances.iter_mut().find(|(other, _)| *other == kind) else {
                    break;
                };
                if closed.1 <= 0 {
                    break;
                }
                closed.1 -= 1;
                ends = true;
            } else if is_trimmed(c, Iri::Auto) {
                let is_last = Some(last.end) == self.spans.last().map(|last| last.end);
                ends |= is_last && matches!(c, '.' | ',' | '。' | '、' | '．' | '，');
            } else {
                break;
            }
            last.end -= c.len_utf8();
        }
        if ends && !spans.is_empty() {
            self.spans = spans;
        }
    }

    /// The kinds of brackets that are closed, each with the number of closing minus opening ones.
    fn balances(&self, text: &str) -> SmallVec<[(u8, isize); 2]> {
        let mut balances: SmallVec<[(u8, isize); 2]> = SmallVec::new();
        for c in self.spans.iter().flat_map(|span| text[span.range()].chars()) {
            let (kind, more) = match class_of(c, Iri::Auto) {
                Class::Open(kind) => (kind, -1),
                Class::Close(kind) => (kind, 1),
                _ => continue,
            };
            match balances.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, balance)) => *balance += more,
                None => balances.push((kind, more)),
            }
        }
        balances
    }

    /// Removes an unmatched `}` from the end, with the punctuation around it. It is not a URI
    /// character: programs that print references leave it of their markup, as in
    /// `<URL:http://a/b}.>`.
    fn trim_brace(&mut self, text: &str) {
        let is_trimmed = |it: char| matches!(it, '.' | ',' | ';' | '}');
        let piece = |span: &Span| &text[span.range()];
        let ends_so = self.spans.last().is_some_and(|it| piece(it).ends_with(is_trimmed));
        if !ends_so || self.spans.iter().any(|it| piece(it).contains('{')) {
            return;
        }
        let mut spans = self.spans.clone();
        let mut has_brace = false;
        while let Some(last) = spans.last_mut() {
            let piece = piece(last);
            let kept = piece.trim_end_matches(is_trimmed).len();
            has_brace |= piece[kept..].contains('}');
            last.end = last.start + kept;
            if kept > 0 {
                break;
            }
            spans.pop();
        }
        if has_brace && !spans.is_empty() {
            self.spans = spans;
        }
    }

    /// The bytes of the spans, joined.
    fn value<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.spans.as_slice() {
            [span] => Cow::Borrowed(&text[span.range()]),
            spans => Cow::Owned(spans.iter().map(|span| &text[span.range()]).collect()),
        }
    }
}

impl From<Inside> for Delimited {
    fn from(inside: Inside) -> Self {
        Self { spans: inside.spans, hyphens: inside.hyphens, end: inside.end }
    }
}

/// Returns true if `rest`, after white space in the same line, may continue `url`.
fn continues(url: &str, rest: &str) -> bool {
    let is_open = url.ends_with(['/', '-', '=', '&', '?', '.', '_', '%', ':', '#', '+', ',']);
    is_open || rest.starts_with(['/', '?', '#', '&', '=', '%', '.', '_', '~', '+'])
}

/// The end of the run of bytes without a meaning between delimiters, at or shortly after `limit`.
fn plain_end(text: &str, from: usize, limit: usize) -> usize {
    let bytes = &text.as_bytes()[..text.len().min(limit)];
    let mut at = from;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let plain = inside_len(rest);
        let width = letter_width(&rest[plain..]);
        at += plain + width;
        if width == 0 {
            return at;
        }
    }
}

/// White space inside delimiters.
struct Gap {
    end: usize,
    has_break: bool,
    blank_line: Option<Blank>,
}

/// A line without text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blank {
    /// Empty, or only marks: it separates paragraphs.
    Empty,
    /// The line has spaces.
    Sparse,
}

impl Gap {
    /// The white space from `at`, with the marks at the start of a line. `skip` returns the start
    /// of the text of a line.
    fn read(text: &str, at: usize, mut skip: impl FnMut(usize) -> usize) -> Self {
        let mut gap = Self { end: at, has_break: false, blank_line: None };
        let mut line = at;
        while let Some(c) = text[gap.end..].chars().next()
            && c.is_whitespace()
            && gap.end - at <= LOOK_AHEAD
        {
            let is_break = is_break(text, gap.end, c);
            if is_break && gap.has_break && gap.blank_line != Some(Blank::Empty) {
                let blanks = &text[line..gap.end];
                let sparse = blanks.contains([' ', '\t']) && blanks.trim().is_empty();
                gap.blank_line = Some(if sparse { Blank::Sparse } else { Blank::Empty });
            }
            gap.end += c.len_utf8();
            if is_break {
                gap.has_break = true;
                line = gap.end;
                gap.end = skip(line);
            }
        }
        gap
    }
}

/// Returns true if the white space `c` at `at` ends a line. CR LF counts once.
fn is_break(text: &str, at: usize, c: char) -> bool {
    match c {
        '\r' => !text[at + 1..].starts_with('\n'),
        '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, delimited: Option<Delimited>) -> Option<String> {
        let spans = delimited?.spans;
        Some(spans.iter().map(|span| &text[span.range()]).collect())
    }

    fn head(text: &str) -> Option<UrlStart> {
        Some(UrlStart::Scheme { colon: text.find(':')? })
    }

    fn angled_by(text: &str, options: &TextOptions) -> Option<String> {
        let open = text.find('<')?;
        let start = open + 1 + text[open + 1..].find(char::is_alphanumeric)?;
        value(
            text,
            angle(
                text,
                (open, text[open..].starts_with("<URL:")),
                (start, head(text)?),
                Span::new(0, 0),
                options,
            ),
        )
    }

    fn angled(text: &str) -> Option<String> {
        angled_by(text, &TextOptions::default())
    }

    fn quoted_by(text: &str, options: &TextOptions) -> Option<String> {
        value(text, quote(text, (0, "\""), (1, head(text)?), Span::new(0, 0), options))
    }

    fn quoted(text: &str) -> Option<String> {
        quoted_by(text, &TextOptions::default())
    }

    #[test]
    fn angle_brackets_lose_all_white_space() {
        assert_eq!(angled("<http://a/ b\r\n\u{a0}\u{3000}c >").as_deref(), Some("http://a/bc"));
        assert_eq!(angled("<http://\nwww.a/>").as_deref(), Some("http://www.a/"));
        assert_eq!(angled("<http://a/.,>").as_deref(), Some("http://a/.,"));
        assert_eq!(angled("<http://a/\n \t\r\n b>").as_deref(), Some("http://a/b"));
    }

    #[test]
    fn line_marks_are_removed() {
        assert_eq!(angled("> <http://a/\n> b\n> c>").as_deref(), Some("http://a/bc"));
        assert_eq!(angled(" * <http://a/\n * b>").as_deref(), Some("http://a/b"));
        assert_eq!(angled("<http://a/\n> b>").as_deref(), Some("http://a/"));
        assert_eq!(angled("> <http://a/\n>\n> b>"), None, "a blank line");
    }

    #[test]
    fn page_breaks_are_removed() {
        let page = "<http://a/\n\nA, B        [Page 2]\n\u{C}\nRFC 1   URL   May 1995\n\n\n  b>";
        assert_eq!(angled(page).as_deref(), Some("http://a/b"));
        assert_eq!(angled(&page.replace("b>", "words follow>")), None);
    }

    #[test]
    fn some_brackets_are_not_delimiters() {
        assert_eq!(angled("<http://a\n\nb>"), None, "a blank line");
        assert_eq!(angled("<http://a\r\n \r\nb c>"), None, "another paragraph");
        assert_eq!(angled("<http://a <b>"), None, "another bracket");
        assert_eq!(angled("<http://a http://b>"), None, "a second URL");
        assert_eq!(angled("<http://a"), None, "no end");
        assert_eq!(angled("<http://>"), None, "no host");
        assert_eq!(angled("<file: the name>"), None, "prose");
        assert_eq!(angled("<foo:bar baz>"), None, "prose");
        assert_eq!(angled("<doi:...>"), None, "an ellipsis");
        assert_eq!(angled("<mailto:a at b>"), None, "a hidden address");
        assert_eq!(angled("<x:y z=\"1\">"), None, "a tag");
        assert_eq!(angled(&format!("<http://a/{}>", "b".repeat(LOOK_AHEAD))), None, "too far");
    }

    #[test]
    fn quotes_lose_only_line_breaks() {
        assert_eq!(quoted("\"http://a/b\n   c\"").as_deref(), Some("http://a/bc"));
        assert_eq!(quoted("\"http://a/b  \r\n   c\"").as_deref(), Some("http://a/bc"));
        assert_eq!(quoted("\"http://a/b,\"").as_deref(), Some("http://a/b"));
        assert_eq!(quoted("\"http://a/b c\""), None);
        assert_eq!(quoted("\"http://a/b\\n\""), None);
        assert_eq!(quoted("\"http://a/b\n\nc\""), None);
        assert_eq!(quoted("\"foo:bar\""), None);
        assert_eq!(quoted("\"http://\""), None);
    }

    #[test]
    fn strict_rules_remove_only_white_space() {
        let strict = TextOptions { strict: true, ..TextOptions::default() };
        assert_eq!(quoted_by("\"http://a/b c,\"", &strict).as_deref(), Some("http://a/bc,"));
        assert_eq!(angled_by("# <http://a/\n# b>", &strict).as_deref(), Some("http://a/#b"));
    }

    #[test]
    fn hyphen_option_keeps_or_drops_hyphens() {
        let drop = TextOptions { hyphen: Hyphen::Drop, ..TextOptions::default() };
        let text = "<http://a/b-\n c-d- e-\n>";
        assert_eq!(angled(text).as_deref(), Some("http://a/b-c-d-e-"));
        assert_eq!(angled_by(text, &drop).as_deref(), Some("http://a/bc-d-e-"));
        let found =
            angle(text, (0, false), (1, UrlStart::Scheme { colon: 5 }), Span::new(0, 0), &drop);
        assert_eq!(found.map(|it| it.hyphens.into_vec()), Some(vec![11]));
    }

    #[test]
    fn join_none_joins_no_lines() {
        let apart = TextOptions { join: Some(Join::None), ..TextOptions::default() };
        assert_eq!(angled_by("<http://a/ b>", &apart).as_deref(), Some("http://a/b"));
        assert_eq!(angled_by("<http://a/\nb>", &apart), None);
        assert_eq!(quoted_by("\"http://a/\nb\"", &apart), None);
    }
}
