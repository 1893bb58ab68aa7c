//! The search through a text, or through as much of it as is there.

use memchr::{memchr_iter, memchr2_iter, memchr3_iter};

use super::bare::{self, Body, Reading};
use super::begun::Begun;
use super::chars::is_stop;
use super::common::{Common, CommonUrl, Longer};
use super::delimited::{self, Head};
use super::lead::{Lead, Opening, is_bare_after, names_url};
use super::options::{Iri, TextOptions};
use super::pieces::{LONGEST_PIECE, Pieces};
use super::text_url::{MAX_URL, TextUrl};
use super::{abbreviated, join, opaque, scheme};
use crate::bytes::Span;
use crate::link::Delimiter;

/// Within how many bytes of where its characters stop it is decided what a URL is. More than any
/// look-ahead.
pub(super) const LOOK_AHEAD: usize = 8 << 10;

/// How many bytes before a trigger decide what it is. More than any look-back.
pub(crate) const LOOK_BACK: usize = 1 << 10;

/// A text as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'t> {
    text: &'t str,
    /// What is read up to there is read as if all were known.
    decided: usize,
}

impl<'t> Known<'t> {
    /// All of it, if it is the `last` piece, or what may go on.
    pub(crate) fn new(text: &'t str, last: bool) -> Self {
        let decided = if last {
            usize::MAX
        } else {
            text.len().saturating_sub(LOOK_AHEAD)
        };
        Self { text, decided }
    }

    pub(crate) fn text(self) -> &'t str {
        self.text
    }

    /// Up to where it is decided what begins.
    pub(crate) fn end(self) -> usize {
        self.decided.min(self.text.len())
    }
}

/// A part of a text that has been searched apart: its URLs, and the search at its end.
#[derive(Debug)]
pub(crate) struct Searched {
    urls: Vec<TextUrl>,
    after: Scan,
}

impl Searched {
    /// How much of `text` is not needed any more to go on.
    pub(crate) fn passed(&self, text: Known<'_>) -> usize {
        self.after.passed(text.text)
    }
}

/// A search through a text that may come in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    options: TextOptions,
    /// No byte before it is looked at again: it belongs to a URL already told, or to the delimiter that
    /// closed one.
    floor: usize,
    /// Where the last piece of the last URL begins.
    last: usize,
    /// Where to look for the next trigger.
    at: usize,
    /// A URL that is too long has not ended yet.
    in_long: bool,
    /// How the common URLs are found, if by these options they are read as usual.
    common: Option<Common>,
}

impl Scan {
    pub(crate) fn new(options: TextOptions) -> Self {
        Self {
            options,
            floor: 0,
            last: 0,
            at: 0,
            in_long: false,
            common: Common::by(&options),
        }
    }

    /// Searches `text` up to `until` as if nothing stood before `at`, where it may be cut: see
    /// [`parallel`](super::parallel).
    pub(crate) fn apart(&self, text: Known<'_>, at: usize, until: usize) -> Searched {
        let mut after = Self {
            floor: at,
            last: at,
            at,
            in_long: false,
            ..*self
        };
        let mut urls = Vec::new();
        after.search(text, until, &mut |url| urls.push(url));
        Searched { urls, after }
    }

    /// Searches `text` on up to `until`, or takes what has been found in just that part of it, if no URL
    /// reaches into it. Returns whether it got there: else the text that is known does not decide.
    pub(crate) fn advance(
        &mut self,
        text: Known<'_>,
        until: usize,
        searched: Option<Searched>,
        found: &mut dyn FnMut(TextUrl),
    ) -> bool {
        match searched {
            Some(searched) if self.is_free_at(self.at) => {
                searched.urls.into_iter().for_each(found);
                *self = searched.after;
            }
            _ => self.search(text, until, found),
        }
        self.at == until && !self.in_long
    }

    /// Whether it goes on at `at`, and no URL that has been found reaches over that.
    pub(crate) fn is_free_at(&self, at: usize) -> bool {
        self.at == at && self.floor <= at && !self.in_long
    }

    /// How much of `text` is not needed any more to go on.
    pub(crate) fn passed(&self, text: &str) -> usize {
        let kept = self.at.saturating_sub(LOOK_BACK);
        let boundary = (0..=kept).rev().find(|&at| text.is_char_boundary(at));
        boundary.unwrap_or(0)
    }

    /// Goes on in the text without its first `len` bytes.
    pub(crate) fn forget(&mut self, len: usize) {
        self.at -= len;
        self.floor = self.floor.saturating_sub(len);
        self.last = self.last.saturating_sub(len);
    }

    /// Tells the URLs that begin before `until`, which is decided, as far as they are decided themselves.
    fn search(&mut self, text: Known<'_>, until: usize, found: &mut dyn FnMut(TextUrl)) {
        let from = self.at.min(until);
        let bytes = &text.text.as_bytes()[from..until];
        let TextOptions {
            abbreviated,
            emails,
            ..
        } = self.options;
        self.at = match (abbreviated, emails) {
            (false, false) => {
                let triggers = memchr_iter(b':', bytes);
                self.triggers(text, until, triggers.map(|at| from + at), found)
            }
            (false, true) => {
                let triggers = memchr2_iter(b':', b'@', bytes);
                self.triggers(text, until, triggers.map(|at| from + at), found)
            }
            (true, _) => {
                let triggers = memchr3_iter(b':', b'.', b'@', bytes);
                self.triggers(text, until, triggers.map(|at| from + at), found)
            }
        };
    }

    /// Tells the URLs at the triggers, and where to go on: `until` if nothing is in the way.
    fn triggers(
        &mut self,
        Known { text, decided }: Known<'_>,
        until: usize,
        triggers: impl Iterator<Item = usize>,
        found: &mut dyn FnMut(TextUrl),
    ) -> usize {
        // Up to the floor it has been passed over. Where the search goes on a character may be cut.
        if self.in_long && !self.pass_long(text, self.floor) {
            return until;
        }
        let bytes = text.as_bytes();
        let mut told = Told { found, decided };
        for at in triggers {
            if at < self.floor {
                continue;
            }
            let outcome = match bytes[at] {
                b':' if !may_follow_scheme(bytes, at) => continue,
                b':' => self.at_colon(text, at, &mut told),
                b'@' if self.options.emails => self.at_sign(text, at, &mut told),
                b'.' if self.options.abbreviated => self.at_dot(text, at, &mut told),
                _ => continue,
            };
            match outcome {
                Outcome::Nothing { reach } if reach < decided => {}
                Outcome::Url { piece, end } => (self.last, self.floor) = (piece, end),
                Outcome::TooLong { reach } if reach < decided => {
                    self.in_long = true;
                    if !self.pass_long(text, reach) {
                        return until;
                    }
                }
                _ => return at,
            }
        }
        until
    }

    /// Passes over the rest, from `from` on, of a URL that is too long. Returns whether it ends here.
    fn pass_long(&mut self, text: &str, from: usize) -> bool {
        let end = text[from..].find(is_stop);
        self.in_long = end.is_none();
        self.floor = end.map_or(text.len(), |end| from + end);
        !self.in_long
    }

    fn at_colon(&self, text: &str, colon: usize, told: &mut Told<'_>) -> Outcome {
        let bytes = text.as_bytes();
        if let Some(common) = self.common
            && let Some(url) = common.at(text, self.floor, colon)
            && url.end - colon < LONGEST_PIECE
        {
            let CommonUrl {
                start, end, next, ..
            } = url;
            let mut reach = url.reach;
            let longer = match url.longer {
                Longer::No => None,
                Longer::At(end) => Some(end),
                Longer::Unread => {
                    let text = bare::longer(text, end);
                    reach = text.len();
                    let longer = self.whole(text, start, Head::Scheme { colon });
                    longer.map(|(end, _)| end)
                }
            };
            let url = TextUrl {
                longer,
                ..TextUrl::whole(start, end, url.cue)
            };
            return told.tell(url, next, reach);
        }
        let Some(start) = scheme::start(bytes, self.floor, colon, self.options.strict) else {
            return Outcome::NOTHING;
        };
        let slashes = bytes[colon + 1..].starts_with(b"//");
        if bytes.get(colon + 1) == Some(&b'<')
            && !self.options.strict
            && let Some(url) = delimited::message_id(text, start, colon)
        {
            let end = url.spans.last().map_or(colon, |span| span.end + 1);
            return told.tell(url, end, end);
        }
        if !slashes && start == 0 && text.len() <= LONGEST_WORD && !self.options.strict {
            let end = text.trim_end().len();
            let (scheme, rest) = (&text[..colon], text.get(colon + 1..end).unwrap_or_default());
            if opaque::may_be_word(scheme, rest) {
                return told.tell(TextUrl::whole(start, end, Delimiter::Bare), end, text.len());
            }
        }
        if !slashes && !opaque::is_known(&text[start..colon]) {
            // Only between delimiters is it a link: where it is named a URL, or a line ends within its `://`.
            let before = &bytes[self.floor..start];
            let after = bytes[colon + 1];
            let is_cut = !after.is_ascii_graphic() || after == b'/';
            let is_word = match before {
                [] => true,
                [.., b'"'] => !is_cut,
                [.., b'<'] => !is_cut && !self.options.strict && !names_url(&text[..start - 1]),
                [.., byte] if !is_cut && !self.options.strict && byte.is_ascii_graphic() => {
                    *byte != b':'
                }
                _ => is_bare_after(before),
            };
            if is_word || after == b':' {
                return Outcome::NOTHING;
            }
        }
        self.at_head(text, start, Head::Scheme { colon }, told)
    }

    fn at_dot(&self, text: &str, dot: usize, told: &mut Told<'_>) -> Outcome {
        match abbreviated::start(text, self.floor, dot) {
            Some(start) => self.at_head(text, start, Head::Abbreviated, told),
            None => Outcome::NOTHING,
        }
    }

    fn at_sign(&self, text: &str, sign: usize, told: &mut Told<'_>) -> Outcome {
        match abbreviated::address(text, self.floor, sign, self.options.iri) {
            Some((start, end)) => told.tell(TextUrl::whole(start, end, Delimiter::Email), end, end),
            None => Outcome::NOTHING,
        }
    }

    /// The URL that begins with `head` at `start`.
    fn at_head(&self, text: &str, start: usize, head: Head, told: &mut Told<'_>) -> Outcome {
        let lead = Lead::before(text, self.floor, start);
        let options = &self.options;
        let last = Span::new(self.last, self.floor);
        let found = match lead.delimiter {
            Some((open, Opening::Angle)) => {
                let named = lead.prefix || names_url(&text[..open]);
                delimited::angle(text, (open, named), (start, head), last, options)
                    .map(|inner| (inner, Delimiter::Angle))
            }
            Some((open, Opening::Quote { close })) if !options.strict || close == "\"" => {
                delimited::quote(text, (open, close), (start, head), last, options)
                    .map(|inner| (inner, Delimiter::Quote))
            }
            _ => None,
        };
        let Some((delimited, cue)) = found else {
            let cue = if lead.prefix {
                Delimiter::Prefix
            } else {
                Delimiter::Bare
            };
            return self.bare(text, start, head, cue, told);
        };
        let url = TextUrl {
            spans: delimited.spans,
            cue: head.cue(cue),
            doubtful: false,
            longer: None,
            hyphens: delimited.hyphens,
        };
        told.tell(url, delimited.end, delimited.end)
    }

    /// The URL that begins with `head` at `start` and that nothing but `cue` marks off.
    fn bare(
        &self,
        text: &str,
        start: usize,
        head: Head,
        cue: Delimiter,
        told: &mut Told<'_>,
    ) -> Outcome {
        let options = &self.options;
        let text = match head {
            Head::Scheme { colon } => &text[..bare::host_end(text, colon + 1)],
            Head::Abbreviated => text,
        };
        let text = match options.strict {
            false => &text[..bare::escaped_bracket(text, start)],
            true => text,
        };
        let last = Span::new(self.last, self.floor);
        if let Head::Scheme { colon } = head
            && matches!(text.as_bytes().get(colon + 3), Some(b' ' | b'\r' | b'\n'))
            && let Some(at) = join::host_below(text, start, colon, last, options)
        {
            return self.below(text, (start, colon, at), head.cue(cue), told);
        }
        if let Head::Scheme { colon } = head
            && options.iri == Iri::Auto
            && !options.strict
            && let Some(at) = bare::before_ideographs(text, start, colon + 1)
            && let Some((end, stop)) = self.whole(&text[..at], start, head)
            && stop == at
        {
            let longer = bare::longer(text, at);
            let url = TextUrl {
                longer: self.whole(longer, start, head).map(|(end, _)| end),
                ..TextUrl::whole(start, end, head.cue(cue))
            };
            return told.tell(url, end, longer.len());
        }
        let Some(begun) = Begun::new(text, start, head, options.strict) else {
            return Outcome::NOTHING;
        };
        let reading = if options.strict {
            Reading::Strict
        } else {
            Reading::Text(options.iri)
        };
        let quoted = text.as_bytes()[..start].last() == Some(&b'\'');
        let mut body = Body::new(reading, begun.body, begun.host, quoted)
            .beside_abbreviated(options.abbreviated)
            .on_windows(begun.is_windows(text));
        let stop = body.run(text, begun.plain);
        if stop - begun.body >= MAX_URL {
            return Outcome::TooLong { reach: stop };
        }
        let cue = head.cue(cue);
        let read = join::Read {
            from: start,
            piece: Span::new(start, stop),
            before: 0,
            last,
        };
        if let Some(next) = join::next(text, read, options) {
            let mut pieces = Pieces::new(start, stop);
            if let Some(end) = pieces.join(text, &mut body, (read, next), options) {
                let reach = pieces.reach;
                return told.tell(pieces.finish(end, cue), end, reach);
            }
        }
        let Some(end) = begun.end(text, body.end(text, begun.body, stop)) else {
            return Outcome::Nothing { reach: stop };
        };
        told.tell(TextUrl::whole(start, end, cue), end, stop)
    }

    /// Where the bare URL with `head` at `start` ends in `text`, and where its characters stop.
    fn whole(&self, text: &str, start: usize, head: Head) -> Option<(usize, usize)> {
        let begun = Begun::new(text, start, head, false)?;
        let quoted = text.as_bytes()[..start].last() == Some(&b'\'');
        let mut body = Body::new(
            Reading::Text(self.options.iri),
            begun.body,
            begun.host,
            quoted,
        )
        .beside_abbreviated(self.options.abbreviated);
        let stop = body.run(text, begun.plain);
        let end = begun.end(text, body.end(text, begun.body, stop))?;
        Some((end, stop))
    }

    /// The URL at `start` whose line ends behind the `://` at `colon`, and which goes on `at` its host.
    fn below(
        &self,
        text: &str,
        (start, colon, at): (usize, usize, usize),
        cue: Delimiter,
        told: &mut Told<'_>,
    ) -> Outcome {
        let options = &self.options;
        let host = scheme::authority(&text[start..colon], &text[at..]);
        let host = Span::new(at, at + host.map_or(0, |host| host.text.len()));
        let mut body = Body::new(Reading::Text(options.iri), at, host, false);
        let stop = body.run(text, at);
        let mut end = body.end(text, at, stop);
        if host.is_empty() || end == at || stop - at > LONGEST_PIECE {
            return Outcome::Nothing { reach: stop };
        }
        let mut pieces = Pieces::new(start, colon + "://".len());
        pieces.push(
            join::Next {
                at,
                hyphen: 0,
                doubtful: true,
            },
            options.hyphen,
        );
        let read = join::Read {
            from: start,
            piece: Span::new(at, stop),
            before: pieces.last.len(),
            last: Span::new(self.last, self.floor),
        };
        pieces.last = read.piece;
        pieces.reach = stop;
        if let Some(next) = join::next(text, read, options)
            && let Some(further) = pieces.join(text, &mut body, (read, next), options)
        {
            end = further;
        }
        let reach = pieces.reach;
        told.tell(pieces.finish(end, cue), end, reach)
    }
}

/// The longest text that may be nothing but one word behind a scheme, in bytes. Of a longer one that comes in pieces the
/// beginning may be gone.
const LONGEST_WORD: usize = 256;

/// What came of a trigger.
enum Outcome {
    /// No URL, as the text says up to `reach`, if that is far.
    Nothing { reach: usize },
    /// What is longer than [`MAX_URL`], as far as it was read.
    TooLong { reach: usize },
    /// A URL, which has been told: where its last piece begins, and where to go on.
    Url { piece: usize, end: usize },
    /// It is not decided by the text that is there.
    Open,
}

impl Outcome {
    const NOTHING: Self = Self::Nothing { reach: 0 };
}

/// Where URLs are sent. Not a type parameter: all that finds a URL would be compiled again for each that calls it.
struct Told<'f> {
    found: &'f mut dyn FnMut(TextUrl),
    /// What is read up to there does not decide.
    decided: usize,
}

impl Told<'_> {
    /// Tells a URL, if the text that it was read from, up to `reach`, decides. It goes on at `end`.
    fn tell(&mut self, url: TextUrl, end: usize, reach: usize) -> Outcome {
        if reach >= self.decided {
            return Outcome::Open;
        }
        let piece = url.spans.last().map_or(end, |span| span.start);
        (self.found)(url);
        Outcome::Url { piece, end }
    }
}

/// What may stand before the colon of a scheme: a digit, or another byte that may end one.
const DIGIT: u8 = 1;
const OTHER: u8 = 2;

static BEFORE: [u8; 256] = {
    let mut before = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        before[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' | b'a'..=b'z' | b'+' | b'-' | b'.' => OTHER,
            _ => 0,
        };
        byte += 1;
    }
    before
};

/// After what each byte may follow the colon: no digit one, as in `12:30`, and no blank or second colon any.
static AFTER: [u8; 256] = {
    let mut after = [DIGIT | OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        match byte as u8 {
            b'0'..=b'9' => after[byte] = OTHER,
            b' ' | b'\t' | b':' => after[byte] = 0,
            _ => {}
        }
        byte += 1;
    }
    after
};

/// Whether what stands round the colon speaks against a scheme before it. Most colons of a text are told
/// here, and which kind they are nobody can predict: so it takes as few branches as can be.
#[inline]
fn may_follow_scheme(bytes: &[u8], colon: usize) -> bool {
    let at = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let before = BEFORE[usize::from(at(colon.wrapping_sub(1)))];
    let after = at(colon + 1);
    // Only in brackets does a blank follow, and then it stands before `//`.
    let blank = (after == b' ' || after == b'\t') & (at(colon + 2) == b'/') & (before != 0);
    (before & AFTER[usize::from(after)] != 0) | blank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::text::options::tests::any_options;
    use proptest::prelude::*;

    fn urls(scan: &mut Scan, text: &str) -> Vec<TextUrl> {
        let mut urls = Vec::new();
        scan.advance(Known::new(text, true), text.len(), None, &mut |url| {
            urls.push(url)
        });
        urls
    }

    #[test]
    fn a_long_url_may_be_cut_within_a_character() {
        let begin = format!(
            "http://a.example/{}",
            "\u{4E2D}".repeat(MAX_URL / 3 + 10_000)
        );
        for cut in 0..3 {
            let mut scan = Scan::new(TextOptions::default());
            let mut found = Vec::new();
            let mut text = begin.clone();
            for more in ["\u{4E2D}\u{4E2D}", "\u{4E2D} http://b.example/"] {
                let known = Known::new(&text, false);
                scan.advance(known, known.end() - cut, None, &mut |url| found.push(url));
                text.push_str(more);
            }
            scan.advance(Known::new(&text, true), text.len(), None, &mut |url| {
                found.push(url)
            });
            let found: Vec<_> = found
                .iter()
                .map(|url| &text[url.spans[0].range()])
                .collect();
            assert_eq!(found, ["http://b.example/"], "{cut}");
        }
    }

    proptest! {
        #![proptest_config(crate::tier::cases(20_000))]

        #[test]
        fn the_common_case_is_what_the_rules_say(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "http://", "https://", "http://a.b/", "http://a.b/c", "ftp://a.b/", "<http://a.b/c>", "URL:",
                    "<URL:", "www.a.b", " ", "  ", "\n", "\r\n", "\t", "\n> ", "> ", "* ", ": ", "L: ", ", ", "<", ">",
                    "a", "b.c", "s", "m", "1", "x", "/", "-", ".", "..", ",", ";", ")", "(", "]", "[", "{", "}", "'",
                    "\"", "`", "?", "#", "=", "&", "@", ":", "*", "%", "~", "_", "|", "\\", "</a>", "\u{1B}[3", "é",
                    "‐", "。", "，", "看", "の", "（", "）", "“", "”", "「", "」", "『", "⟨", "⟩", "《", "！", "\u{3000}", "\u{A0}",
                ]),
                0..30,
            ),
            options in any_options(),
        ) {
            let text = pieces.concat();
            let mut common = Scan::new(TextOptions { strict: false, ..options });
            let mut rules = common.clone();
            prop_assert!(common.common.is_some());
            rules.common = None;
            prop_assert_eq!(urls(&mut common, &text), urls(&mut rules, &text), "{}", text);
        }
    }
}
