//! The end of a URL without delimiters.

use memchr::memmem;
use smallvec::SmallVec;

use super::brackets::{Parts, closes};
use super::chars::{
    self, CURLY, Class, class, class_of, is_clause_mark, is_host_end, is_ideographic, is_trimmed,
    letter_width, plain_len,
};
use super::markup::{self, Markup};
use super::string_escapes::{self, Literal};
use super::text_url::{Form, MAX_URL};
use super::{defanged, scheme, template};
use crate::bytes::Span;
use crate::format::options::Iri;

/// The maximum number of nested open brackets; one more ends the URL. The number is from UTS #58.
const MOST_OPEN: usize = 125;

/// The rules for the characters of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Real-world text: brackets in pairs, no punctuation at the end.
    Text(Iri),
    /// Strict: up to white space or a delimiter, ASCII only.
    Strict,
}

/// The characters of a URL, from its authority or path. Reading can continue after a line break
/// that is not part of the URL.
#[derive(Clone, Debug)]
pub(super) struct Body {
    reading: Reading,
    /// The host, where brackets and an apostrophe end it.
    host: Span,
    /// The host after a userinfo, with its port.
    names: Span,
    /// True if the host is a list of hosts, as soon as a comma needs it.
    is_list: Option<bool>,
    /// The markup before the URL.
    markup: Markup,
    /// The string literal around the URL, as soon as an escape needs it.
    literal: Option<Option<Literal>>,
    /// The form of the URL.
    form: Form,
    /// True if the URL is a filter, in which brackets enclose several parts.
    is_filter: bool,
    /// True if abbreviated URLs are links too.
    abbreviated: bool,
    /// True if backslashes separate path segments.
    is_windows: bool,
    /// The open brackets and their offsets.
    open: SmallVec<[(u8, usize); 4]>,
    parts: Parts,
}

impl Body {
    pub(super) fn new(reading: Reading, from: usize, host: Span, markup: Markup) -> Self {
        Self {
            reading,
            host,
            names: host,
            is_list: None,
            markup,
            literal: None,
            form: Form::Literal,
            is_filter: false,
            abbreviated: false,
            is_windows: false,
            open: SmallVec::new(),
            parts: Parts::new(from),
        }
    }

    /// The URL has this host after a userinfo, with its port.
    pub(super) fn with_names(self, names: Span) -> Self {
        Self { names, ..self }
    }

    /// The URL is written like this up to its host.
    pub(super) fn with_form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// With `true`, the URL is a filter, in which brackets enclose several parts.
    pub(super) fn with_filter(self, is_filter: bool) -> Self {
        Self { is_filter, ..self }
    }

    /// The form of the characters that were read.
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// With `true`, abbreviated URLs are links too.
    pub(super) fn with_abbreviated(self, abbreviated: bool) -> Self {
        Self { abbreviated, ..self }
    }

    /// With `true`, backslashes separate path segments.
    pub(super) fn with_windows_path(self, is_windows: bool) -> Self {
        Self { is_windows, ..self }
    }

    fn starts_link(&self, text: &[u8]) -> bool {
        let word = text.get(..4).unwrap_or_default();
        let abbreviated = word.eq_ignore_ascii_case(b"www.") || word.eq_ignore_ascii_case(b"ftp.");
        scheme::starts_link(text) || self.abbreviated && abbreviated
    }

    /// The end of the URL characters that continue at `from`, at most [`MAX_URL`] bytes away.
    /// Linear in that distance.
    pub(super) fn run(&mut self, text: &str, from: usize) -> usize {
        self.run_until(text, from, from.saturating_add(MAX_URL))
    }

    /// The end of the URL characters, as [`run`](Self::run) returns it, but at most the first
    /// character at or after `limit`. Reading can continue there.
    pub(super) fn run_until(&mut self, text: &str, from: usize, limit: usize) -> usize {
        let bytes = text.as_bytes();
        let limit = text.len().min(limit);
        let mut at = from;
        loop {
            at += plain_len(bytes.get(at..limit).unwrap_or_default());
            if at >= limit {
                break;
            }
            let class = class(bytes[at]);
            let width = match (class, self.reading) {
                (Class::Stop, _) if bytes[at] == b'\\' && self.is_windows => 1,
                (Class::Stop, Reading::Text(_)) if bytes[at] == b'\\' => self.escape(text, at),
                (Class::Stop, _) => break,
                (Class::Plain, Reading::Text(_)) => match chars::underscores(&bytes[at..]) {
                    chars::RULE => break,
                    width => width,
                },
                (Class::Wide, Reading::Text(Iri::Auto)) => match letter_width(&bytes[at..]) {
                    0 => self.step(text, at, class, Iri::Auto),
                    width => width,
                },
                (_, Reading::Text(iri)) => self.step(text, at, class, iri),
                (_, Reading::Strict) => usize::from(class != Class::Wide),
            };
            if width == 0 {
                break;
            }
            at += width;
        }
        at
    }

    /// The length of the escape that begins with the backslash at `at`; 0 if it ends the URL.
    fn escape(&mut self, text: &str, at: usize) -> usize {
        if self.form.is_defanged()
            && let len @ 1.. = defanged::mark_len(&text.as_bytes()[at..])
        {
            return len;
        }
        let start = self.markup.start;
        let literal = &mut self.literal;
        let len = string_escapes::len(&text[at..], || {
            *literal.get_or_insert_with(|| Literal::around(text, start))
        });
        if len > 0 {
            self.form = self.form.escaped();
        }
        len
    }

    /// The number of bytes that the character at `at`, which is not a plain one, adds to the URL; 0
    /// if it ends the URL.
    fn step(&mut self, text: &str, at: usize, mut class: Class, iri: Iri) -> usize {
        let rest = &text.as_bytes()[at + 1..];
        let mut width = 1;
        if class == Class::Wide {
            let mut after = text[at..].chars();
            let Some(c) = after.next() else { return 0 };
            width = c.len_utf8();
            class = class_of(c, iri);
            if iri != Iri::Full && self.names.start <= at && at < self.names.end && is_host_end(c) {
                return 0;
            }
            if iri == Iri::Auto {
                let before_wide = after.next().is_some_and(|next| !next.is_ascii());
                let unpaired =
                    || matches!(class, Class::Open(kind) if closes(text, at, kind).is_none());
                let mark = is_clause_mark(c);
                if before_wide && (mark || unpaired())
                    || mark && scheme::starts_url(&text.as_bytes()[at + width..])
                {
                    return 0;
                }
            }
        }
        let continues = match class {
            Class::Plain | Class::Wide => true,
            Class::Stop => false,
            Class::Open(_) if markup::closes_element(text, self.markup.start, at) => false,
            Class::Open(_)
                if self.form.is_defanged()
                    && let len @ 1.. = defanged::mark_len(&text.as_bytes()[at..]) =>
            {
                return len;
            }
            // A template is read as a unit, whatever it contains.
            Class::Open(_) if let Some(len) = self.template(text, at) => return len,
            // `http://a.example[http://a.example]`, also where the line ends inside the brackets.
            Class::Open(_) if self.starts_link(rest) => false,
            // `http://a.example[1]`; but `http://[::1]`.
            Class::Open(_) if self.host.start < at && at < self.host.end => false,
            Class::Open(kind) => {
                let needs_end = kind == CURLY || text[..at].ends_with('$');
                let holds =
                    self.open.len() < MOST_OPEN && (!needs_end || closes(text, at, kind).is_some());
                if holds {
                    self.open.push((kind, at));
                }
                holds
            }
            Class::Close(kind) => {
                let opened = self.open.pop();
                opened.is_some_and(|(opened, from)| {
                    opened == kind
                        && (self.is_filter || self.parts.is_one(text.as_bytes(), from, at))
                })
            }
            Class::Separator => {
                let ends = match text.as_bytes()[at] {
                    b'|' => self.markup.ends_at_bar,
                    b';' => markup::delimiter_len(&text.as_bytes()[..at]) > 0,
                    _ => self.ends_host(text, at),
                };
                !ends && !self.starts_link(rest)
            }
            Class::Apostrophe => {
                let continues = text[at + 1..].starts_with(char::is_alphanumeric);
                // In `'/'` the last apostrophe closes the quote.
                let closes_quote = !continues && !rest.starts_with(b"/'");
                !(self.markup.quoted && closes_quote || at < self.host.end && !continues)
            }
        };
        if continues { width } else { 0 }
    }

    /// The length of the template that begins with the bracket at `at`: any braces in the host,
    /// only marked ones elsewhere.
    fn template(&self, text: &str, at: usize) -> Option<usize> {
        let in_host = self.host.start <= at && at < self.host.end;
        template::len(text, at, in_host)
    }

    /// Continues at `from` after the piece that ended at `stop`. The bytes between them are not
    /// part of the URL.
    pub(super) fn skip(&mut self, text: &str, stop: usize, from: usize) {
        self.parts.skip(text.as_bytes(), stop, from);
    }

    /// The end of the URL whose characters reach from `from` to `stop`: before the punctuation of
    /// the sentence.
    pub(super) fn end(&self, text: &str, from: usize, stop: usize) -> usize {
        let Reading::Text(iri) = self.reading else {
            return stop;
        };
        let stop = match text.as_bytes().get(stop) {
            Some(b';') => stop - markup::delimiter_len(&text.as_bytes()[from..stop]),
            _ => stop,
        };
        // Most URLs end in a letter.
        let last = text.as_bytes()[from..stop].last();
        if last.is_some_and(|last| last.is_ascii_alphanumeric() || *last == b'/') {
            return stop;
        }
        let mut url = &text[from..stop];
        // The rest of a template that does not end within the URL.
        if text[stop..].starts_with(['{', '(']) {
            url = url.trim_end_matches(['$', '#', '%']);
        }
        let trimmed = url.trim_end_matches(|c| is_trimmed(c, iri));
        // The second of two apostrophes closes the first: `/a_'b'`.
        let apostrophes = |url: &str| memchr::memchr_iter(b'\'', url.as_bytes()).count();
        let closes = !self.markup.quoted && url[trimmed.len()..].starts_with('\'');
        let kept = usize::from(closes && apostrophes(trimmed) % 2 == 1);
        let end = from + trimmed.len() + kept;
        end - self.markup.trimmed(&text[from..end])
    }

    /// Returns true if the comma at `at` ends the host: no host name has one. In lists of hosts,
    /// which some schemes have, another host with its port follows.
    fn ends_host(&mut self, text: &str, at: usize) -> bool {
        if at < self.names.start || at >= self.names.end {
            return false;
        }
        let names = &text.as_bytes()[at + 1..self.names.end];
        let has_port = |name: &[u8]| {
            let port = name.iter().rposition(|byte| *byte == b':').map(|at| &name[at + 1..]);
            port.is_some_and(|port| !port.is_empty() && port.iter().all(u8::is_ascii_digit))
        };
        let is_name = |name: &[u8]| {
            name.first().is_some_and(u8::is_ascii_alphanumeric)
                && name.iter().all(|it| it.is_ascii_alphanumeric() || b".-_:".contains(it))
        };
        let next = names.split(|byte| *byte == b',').next().unwrap_or_default();
        if is_name(next) && has_port(next) {
            return false;
        }
        // `mongodb://a.example,b.example/c`. The first comma decides for all.
        let is_list = *self.is_list.get_or_insert_with(|| {
            text.as_bytes().get(self.names.end) == Some(&b'/')
                && !is_web(&text.as_bytes()[self.markup.start..])
                && names.split(|byte| *byte == b',').all(is_name)
        });
        !is_list
    }
}

/// Returns true if `url` has one of the schemes with exactly one host.
fn is_web(url: &[u8]) -> bool {
    [&b"http:"[..], b"https:", b"ftp:", b"ws:", b"wss:"]
        .iter()
        .any(|scheme| url.get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme)))
}

/// The maximum length of a host after which another URL in brackets is searched, in bytes.
const HOST: usize = 255;

/// The bytes that end a host before the bracket of another URL.
static ENDS_HOST: [bool; 256] = {
    let mut ends = [false; 256];
    let mut at = 0;
    let bytes = b"/?#[(@ \r\n<>\"";
    while at < bytes.len() {
        ends[bytes[at] as usize] = true;
        at += 1;
    }
    ends
};

/// The end of the text that is read for a URL whose scheme ends at `from`: the bracket of another
/// URL right after the host, or else the end of the text. Otherwise the text after the bracket
/// could be read as a host after a user name. Constant time.
pub(super) fn host_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(host) = bytes[from..].strip_prefix(b"//") else {
        return text.len();
    };
    let host = &host[..host.len().min(HOST)];
    let len = host.iter().take_while(|byte| !ENDS_HOST[usize::from(**byte)]);
    let len = len.count();
    let is_another = matches!(host.get(len), Some(b'[' | b'('))
        && len > 0
        && scheme::starts_link(&bytes[from + 2 + len + 1..]);
    if is_another { from + 2 + len } else { text.len() }
}

/// Returns true if `rest` is the path of a `file` URL as Windows programs write it: `//C:\a` or
/// `///C:\a`.
pub(super) fn is_windows_path(scheme: &str, rest: &str) -> bool {
    let Some(path) = rest.strip_prefix("//") else {
        return false;
    };
    let path = path.strip_prefix('/').unwrap_or(path).as_bytes();
    let is_path = matches!(path, [drive, b':' | b'|', b'\\', ..] if drive.is_ascii_alphabetic());
    is_path && scheme.eq_ignore_ascii_case("file")
}

/// The number of bytes after `&lt;` in which its `&gt;` is searched.
const ESCAPED: usize = 4096;

/// The end of the text that is read for a bare URL at `start`: the `&gt` if the URL follows `&lt;`
/// (angle brackets escaped in markup), or else the end of the text.
pub(super) fn escaped_bracket(text: &str, start: usize) -> usize {
    let before = &text.as_bytes()[..start];
    let before = match before.last() {
        Some(b':') => before.strip_suffix(b"URL:").unwrap_or(before),
        _ => before,
    };
    if !before.ends_with(b"&lt;") {
        return text.len();
    }
    let after = &text.as_bytes()[start..];
    let after = &after[..after.len().min(ESCAPED)];
    memmem::find(after, b"&gt").map_or(text.len(), |at| start + at)
}

/// The number of characters before a URL that are read.
const TEXT_LOOK_BACK: usize = 16;

/// The number of bytes of a URL in which the first Han or Kana character is searched, and the
/// number of bytes read after that character.
const ASCII: usize = 1024;

/// The end of the URL at `start` as ASCII text before Han or Kana, if it occurs in text of these
/// scripts without spaces. The host or path begins at `body`. Constant time.
pub(super) fn end_before_ideographs(text: &str, start: usize, body: usize) -> Option<usize> {
    // Most text is ASCII.
    let blanks = |byte: &&u8| **byte == b' ';
    let mut before = text.as_bytes()[..start].iter().rev().take(TEXT_LOOK_BACK);
    if before.find(|byte| !blanks(byte)).is_none_or(u8::is_ascii) {
        return None;
    }
    let bytes = &text.as_bytes()[body..text.len().min(body + ASCII)];
    let wide = bytes.iter().position(|byte| !byte.is_ascii() || class(*byte) == Class::Stop)?;
    (wide > 0 && is_before_ideographs(text, start, body + wide)).then_some(body + wide)
}

/// Returns true if the URL at `start`, which is ASCII up to `at`, ends at `at`: before Han or Kana
/// in text of these scripts without spaces. Constant time.
pub(super) fn is_before_ideographs(text: &str, start: usize, at: usize) -> bool {
    let is_of_text = |c: char| {
        is_ideographic(c) || matches!(c, '\u{3001}'..='\u{303F}' | '\u{FF01}'..='\u{FF60}')
    };
    let mut before = text[..start].chars().rev().take(TEXT_LOOK_BACK);
    let is_blank = |c: char| matches!(c, ' ' | '\u{3000}');
    let (touches, before) = match before.next() {
        Some(c) if is_blank(c) => (false, before.find(|c| !is_blank(*c))),
        before => (true, before),
    };
    let continues = |text: &str| text.starts_with(is_ideographic);
    before.is_some_and(is_of_text)
        && text.get(at..).is_some_and(continues)
        && (touches || text.as_bytes()[at - 1].is_ascii_alphanumeric())
}

/// The text in which the longer reading of a URL that ends at `at` is searched.
pub(super) fn longer(text: &str, at: usize) -> &str {
    let limit = text.len().min(at + ASCII);
    let limit = (at..=limit).rev().find(|limit| text.is_char_boundary(*limit));
    &text[..limit.unwrap_or(at)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::text::brackets::BRACKET_LOOK_AHEAD;

    fn body(text: &str, quoted: bool, reading: Reading) -> &str {
        let from = if text.starts_with("//") { 2 } else { 0 };
        let before = if quoted { "'" } else { "" };
        let markup = Markup::before(before, before.len());
        let mut body = Body::new(reading, from, Span::new(0, 0), markup);
        let stop = body.run(text, from);
        &text[from..body.end(text, from, stop)]
    }

    fn run(text: &str) -> &str {
        body(text, false, Reading::Text(Iri::Auto))
    }

    #[test]
    fn paired_brackets_belong_to_the_url() {
        assert_eq!(run("a/(b)c)d"), "a/(b)c");
        assert_eq!(run("a/(b"), "a/(b");
        assert_eq!(run("a/b("), "a/b");
        assert_eq!(run("a/[(b])"), "a/[(b");
        assert_eq!(run("a/{b}c}"), "a/{b}c");
        assert_eq!(run("a/{b"), "a/");
        assert_eq!(run("a/《书》b"), "a/《书》b");
        assert_eq!(run("a/《书"), "a/");
        let far = format!("a/{{{}}}", "b".repeat(BRACKET_LOOK_AHEAD));
        assert_eq!(run(&far), "a/");
        let deep = format!("a/{}x{0}", "(".repeat(MOST_OPEN + 1));
        assert_eq!(run(&deep), "a/");
    }

    #[test]
    fn brackets_do_not_cross_parts_of_a_url() {
        assert_eq!(run("a/(b/c)d"), "a/(b/c");
        assert_eq!(run("a?(b/c)d"), "a?(b/c)d");
        assert_eq!(run("a?(b=c)d"), "a?(b=c");
        assert_eq!(run("a?b=(c)&(d)#(e/?&=)"), "a?b=(c)&(d)#(e/?&=)");
        assert_eq!(run("a#(b:~:text=c)d"), "a#(b:~:text=c");
        assert_eq!(run("a#b:~:text=(c)d"), "a#b:~:text=(c)d");
    }

    #[test]
    fn brackets_and_parts_continue_in_the_next_line() {
        let run = |text: &str| {
            let (first, rest) = text.split_once('\n').unwrap();
            let mut body =
                Body::new(Reading::Text(Iri::Auto), 0, Span::new(0, 0), Markup::default());
            assert_eq!(body.run(text, 0), first.len());
            body.skip(text, first.len(), first.len() + 1);
            let stop = body.run(text, first.len() + 1);
            rest[..stop - first.len() - 1].to_owned()
        };
        assert_eq!(run("a(b/c-\nd)e"), "d");
        assert_eq!(run("a(b?c-\nd)e"), "d");
        assert_eq!(run("a(b-\nd)e"), "d)e");
        assert_eq!(run("a?b-\nc=(d=e)f"), "c=(d=e");
        assert_eq!(run("a/b-\nc=(d=e)f"), "c=(d=e)f");
    }

    #[test]
    fn apostrophe_before_a_url_ends_it() {
        let quoted = |text| body(text, true, Reading::Text(Iri::Auto));
        assert_eq!(quoted("a/b','http:"), "a/b");
        assert_eq!(quoted("a/b'more'"), "a/b'more");
        assert_eq!(run("a/b','c"), "a/b','c");
        assert_eq!(run("a/b_'c'."), "a/b_'c'");
        assert_eq!(run("a/b'."), "a/b");
        assert_eq!(run("a/'b','"), "a/'b'");
    }

    #[test]
    fn separators_divide_a_list_of_urls() {
        assert_eq!(run("a,http://b"), "a");
        assert_eq!(run("//a/x;http://b"), "a/x");
        assert_eq!(run("//a/b;mailto:c@d"), "a/b");
        assert_eq!(run("//a/b,c:d"), "a/b,c:d");
        assert_eq!(run("//a/b,www.c"), "a/b,www.c");
        assert_eq!(run("//a/b,c"), "a/b,c");
        assert_eq!(run("//a/web/http://b"), "a/web/http://b");
        assert_eq!(run("//a。http://b"), "a");
    }

    #[test]
    fn east_asian_text_without_spaces_ends_a_url() {
        assert_eq!(run("a/b，然后"), "a/b");
        assert_eq!(run("a/でも？.png"), "a/でも？.png");
        assert_eq!(run("a/b（见"), "a/b");
        assert_eq!(run("a/b（见）"), "a/b（见）");
        assert_eq!(run("a/b。"), "a/b");
        assert_eq!(run("a/b”然后"), "a/b");
    }

    #[test]
    fn iri_option_selects_non_ascii_characters() {
        let of = |iri| body("a/é，b", false, Reading::Text(iri));
        assert_eq!(of(Iri::Auto), "a/é，b");
        assert_eq!(of(Iri::Ascii), "a/");
        assert_eq!(body("a/b，然后。 c", false, Reading::Text(Iri::Full)), "a/b，然后。");
    }

    #[test]
    fn strict_rules_trim_nothing() {
        let strict = |text| body(text, false, Reading::Strict);
        assert_eq!(strict("a/(b)).,\" c"), "a/(b)).,");
        assert_eq!(strict("a/é"), "a/");
    }

    #[test]
    fn reading_stops_at_the_longest_url() {
        let text = "a".repeat(MAX_URL + 5);
        assert_eq!(run(&text).len(), MAX_URL);
    }
}
