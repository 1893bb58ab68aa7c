//! The end of a URL that nothing marks off.

use memchr::memmem;
use smallvec::SmallVec;

use super::brackets::{Parts, closes};
use super::chars::{
    self, CURLY, Class, class, class_of, is_clause_mark, is_ideographic, is_trimmed, letter_width,
    plain_len,
};
use super::options::Iri;
use super::text_url::MAX_URL;
use super::{scheme, template};
use crate::bytes::Span;

/// More open brackets than this, one in another, end a URL; the number is that of UTS #58.
const MOST_OPEN: usize = 125;

/// How the characters of a URL are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// As in real-world text: brackets in pairs, no punctuation at the end.
    Text(Iri),
    /// By the letter: all up to white space or a delimiter, ASCII only.
    Strict,
}

/// The characters of a URL, from its authority or path on, read as far as they go. It may be read on
/// after a line end that does not count.
#[derive(Clone, Debug)]
pub(super) struct Body {
    reading: Reading,
    /// The host, if brackets and an apostrophe end it.
    host: Span,
    /// An apostrophe stands before the URL.
    quoted: bool,
    /// Whether what is abbreviated is a link too.
    abbreviated: bool,
    /// Whether backslashes part its path.
    is_windows: bool,
    /// The brackets that are open, and where.
    open: SmallVec<[(u8, usize); 4]>,
    parts: Parts,
}

impl Body {
    pub(super) fn new(reading: Reading, from: usize, host: Span, quoted: bool) -> Self {
        Self {
            reading,
            host,
            quoted,
            abbreviated: false,
            is_windows: false,
            open: SmallVec::new(),
            parts: Parts::new(from),
        }
    }

    /// The same where what is abbreviated is a link too, if it is.
    pub(super) fn beside_abbreviated(self, abbreviated: bool) -> Self {
        Self {
            abbreviated,
            ..self
        }
    }

    /// The same where backslashes part the path, if they do.
    pub(super) fn on_windows(self, is_windows: bool) -> Self {
        Self { is_windows, ..self }
    }

    fn starts_link(&self, text: &[u8]) -> bool {
        let word = text.get(..4).unwrap_or_default();
        let abbreviated = word.eq_ignore_ascii_case(b"www.") || word.eq_ignore_ascii_case(b"ftp.");
        scheme::starts_link(text) || self.abbreviated && abbreviated
    }

    /// Where the characters of the URL stop that go on at `from`; after [`MAX_URL`] bytes at the
    /// latest. Linear in how far that is.
    pub(super) fn run(&mut self, text: &str, from: usize) -> usize {
        let bytes = text.as_bytes();
        let limit = text.len().min(from.saturating_add(MAX_URL));
        let mut at = from;
        loop {
            at += plain_len(bytes.get(at..limit).unwrap_or_default());
            if at >= limit {
                break;
            }
            let class = class(bytes[at]);
            let width = match (class, self.reading) {
                (Class::Stop, _) if bytes[at] == b'\\' && self.is_windows => 1,
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

    /// How many bytes the character at `at`, which is not a plain one, adds to the URL, 0 if it ends it.
    fn step(&mut self, text: &str, at: usize, mut class: Class, iri: Iri) -> usize {
        let rest = &text.as_bytes()[at + 1..];
        let mut width = 1;
        if class == Class::Wide {
            let mut after = text[at..].chars();
            let Some(c) = after.next() else { return 0 };
            width = c.len_utf8();
            class = class_of(c, iri);
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
        let goes_on = match class {
            Class::Plain | Class::Wide => true,
            Class::Stop => false,
            // What a program puts in there is read as one, whatever is in it.
            Class::Open(_) if let Some(len) = self.template(text, at) => return len,
            // `http://a.example[http://a.example]`, also where the line ends within it.
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
                    opened == kind && self.parts.is_one(text.as_bytes(), from, at)
                })
            }
            Class::Separator => !self.starts_link(rest),
            Class::Apostrophe => {
                let goes_on = text[at + 1..].starts_with(char::is_alphanumeric);
                // Of `'/'` the last one closes.
                let closes_quote = !goes_on && !rest.starts_with(b"/'");
                !(self.quoted && closes_quote || at < self.host.end && !goes_on)
            }
        };
        if goes_on { width } else { 0 }
    }

    /// The length of the template that begins with the bracket at `at`: in the host any braces, elsewhere what a program
    /// marks.
    fn template(&self, text: &str, at: usize) -> Option<usize> {
        let in_host = self.host.start <= at && at < self.host.end;
        template::len(text, at, in_host)
    }

    /// Goes on at `from` after what ended at `stop`: what is between counts for nothing.
    pub(super) fn skip(&mut self, text: &str, stop: usize, from: usize) {
        self.parts.skip(text.as_bytes(), stop, from);
    }

    /// Where the URL ends whose characters reach from `from` to `stop`: before the punctuation of the
    /// sentence.
    pub(super) fn end(&self, text: &str, from: usize, stop: usize) -> usize {
        let Reading::Text(iri) = self.reading else {
            return stop;
        };
        // Most URLs end in a letter.
        let last = text.as_bytes()[from..stop].last();
        if last.is_some_and(|last| last.is_ascii_alphanumeric() || *last == b'/') {
            return stop;
        }
        let mut url = &text[from..stop];
        // What is left of a template that does not end within the URL.
        if text[stop..].starts_with(['{', '(']) {
            url = url.trim_end_matches(['$', '#', '%']);
        }
        let trimmed = url.trim_end_matches(|c| is_trimmed(c, iri));
        // The second of two apostrophes belongs to what the first quotes: `/a_'b'`.
        let apostrophes = |url: &str| memchr::memchr_iter(b'\'', url.as_bytes()).count();
        let closes = !self.quoted && url[trimmed.len()..].starts_with('\'');
        let kept = usize::from(closes && apostrophes(trimmed) % 2 == 1);
        from + trimmed.len() + kept
    }
}

/// The longest host behind which another URL in brackets is looked for, in bytes.
const HOST: usize = 255;

/// What ends a host before the bracket of another URL.
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

/// Where the text ends that decides about a URL whose scheme ends at `from`: at the bracket of another URL behind its
/// host, as what follows may look like a host behind a name of a user; else with all of it. Constant time.
pub(super) fn host_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(host) = bytes[from..].strip_prefix(b"//") else {
        return text.len();
    };
    let host = &host[..host.len().min(HOST)];
    let len = host
        .iter()
        .take_while(|byte| !ENDS_HOST[usize::from(**byte)]);
    let len = len.count();
    let is_another = matches!(host.get(len), Some(b'[' | b'('))
        && len > 0
        && scheme::starts_link(&bytes[from + 2 + len + 1..]);
    if is_another {
        from + 2 + len
    } else {
        text.len()
    }
}

/// Whether `rest` is the path of a `file` URL as programs on Windows write it: `//C:\a` or `///C:\a`.
pub(super) fn is_windows_path(scheme: &str, rest: &str) -> bool {
    let Some(path) = rest.strip_prefix("//") else {
        return false;
    };
    let path = path.strip_prefix('/').unwrap_or(path).as_bytes();
    let is_path = matches!(path, [drive, b':' | b'|', b'\\', ..] if drive.is_ascii_alphabetic());
    is_path && scheme.eq_ignore_ascii_case("file")
}

/// How far behind `&lt;` its `&gt;` is looked for, in bytes.
const ESCAPED: usize = 4096;

/// Where the text ends that decides about a bare URL at `start`: at `&gt` where the URL stands behind `&lt;`, as angle
/// brackets are escaped in markup; else with all of it.
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

/// How much text before a URL is looked at, in characters.
const TEXT_LOOK_BACK: usize = 16;

/// How much of a URL is looked through for the first Han or Kana, and read behind it, in bytes.
const ASCII: usize = 1024;

/// Where the URL at `start`, whose host or path begins at `body`, ends as ASCII text before Han or Kana, if it stands in text
/// of these that sets no blanks. Constant time.
pub(super) fn before_ideographs(text: &str, start: usize, body: usize) -> Option<usize> {
    // Most text is ASCII.
    let blanks = |byte: &&u8| **byte == b' ';
    let mut before = text.as_bytes()[..start].iter().rev().take(TEXT_LOOK_BACK);
    if before.find(|byte| !blanks(byte)).is_none_or(u8::is_ascii) {
        return None;
    }
    let bytes = &text.as_bytes()[body..text.len().min(body + ASCII)];
    let wide = bytes
        .iter()
        .position(|byte| !byte.is_ascii() || class(*byte) == Class::Stop)?;
    (wide > 0 && is_before_ideographs(text, start, body + wide)).then_some(body + wide)
}

/// Whether the URL at `start`, which is ASCII up to `at`, ends there, before Han or Kana in text of these that sets no
/// blanks. Constant time.
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
    let goes_on = |text: &str| text.starts_with(is_ideographic);
    before.is_some_and(is_of_text)
        && text.get(at..).is_some_and(goes_on)
        && (touches || text.as_bytes()[at - 1].is_ascii_alphanumeric())
}

/// The text up to where the longer reading of a URL is looked for that ends at `at`.
pub(super) fn longer(text: &str, at: usize) -> &str {
    let limit = text.len().min(at + ASCII);
    let limit = (at..=limit)
        .rev()
        .find(|limit| text.is_char_boundary(*limit));
    &text[..limit.unwrap_or(at)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::text::brackets::BRACKET_LOOK_AHEAD;

    fn body(text: &str, quoted: bool, reading: Reading) -> &str {
        let from = if text.starts_with("//") { 2 } else { 0 };
        let mut body = Body::new(reading, from, Span::new(0, 0), quoted);
        let stop = body.run(text, from);
        &text[from..body.end(text, from, stop)]
    }

    fn run(text: &str) -> &str {
        body(text, false, Reading::Text(Iri::Auto))
    }

    #[test]
    fn brackets_belong_to_it_in_pairs() {
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
    fn brackets_do_not_reach_out_of_their_part() {
        assert_eq!(run("a/(b/c)d"), "a/(b/c");
        assert_eq!(run("a?(b/c)d"), "a?(b/c)d");
        assert_eq!(run("a?(b=c)d"), "a?(b=c");
        assert_eq!(run("a?b=(c)&(d)#(e/?&=)"), "a?b=(c)&(d)#(e/?&=)");
        assert_eq!(run("a#(b:~:text=c)d"), "a#(b:~:text=c");
        assert_eq!(run("a#b:~:text=(c)d"), "a#b:~:text=(c)d");
    }

    #[test]
    fn brackets_and_parts_go_on_in_the_next_line() {
        let run = |text: &str| {
            let (first, rest) = text.split_once('\n').unwrap();
            let mut body = Body::new(Reading::Text(Iri::Auto), 0, Span::new(0, 0), false);
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
    fn an_apostrophe_before_it_ends_it() {
        let quoted = |text| body(text, true, Reading::Text(Iri::Auto));
        assert_eq!(quoted("a/b','http:"), "a/b");
        assert_eq!(quoted("a/b'more'"), "a/b'more");
        assert_eq!(run("a/b','c"), "a/b','c");
        assert_eq!(run("a/b_'c'."), "a/b_'c'");
        assert_eq!(run("a/b'."), "a/b");
        assert_eq!(run("a/'b','"), "a/'b'");
    }

    #[test]
    fn a_list_is_taken_apart() {
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
    fn east_asian_text_goes_on_without_a_blank() {
        assert_eq!(run("a/b，然后"), "a/b");
        assert_eq!(run("a/でも？.png"), "a/でも？.png");
        assert_eq!(run("a/b（见"), "a/b");
        assert_eq!(run("a/b（见）"), "a/b（见）");
        assert_eq!(run("a/b。"), "a/b");
        assert_eq!(run("a/b”然后"), "a/b");
    }

    #[test]
    fn characters_beyond_ascii_are_a_choice() {
        let of = |iri| body("a/é，b", false, Reading::Text(iri));
        assert_eq!(of(Iri::Auto), "a/é，b");
        assert_eq!(of(Iri::Ascii), "a/");
        assert_eq!(
            body("a/b，然后。 c", false, Reading::Text(Iri::Full)),
            "a/b，然后。"
        );
    }

    #[test]
    fn by_the_letter_nothing_is_trimmed() {
        let strict = |text| body(text, false, Reading::Strict);
        assert_eq!(strict("a/(b)).,\" c"), "a/(b)).,");
        assert_eq!(strict("a/é"), "a/");
    }

    #[test]
    fn it_is_not_read_for_ever() {
        let text = "a".repeat(MAX_URL + 5);
        assert_eq!(run(&text).len(), MAX_URL);
    }
}
