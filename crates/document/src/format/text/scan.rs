//! The search through a text, or through the available part of one.

use memchr::{memchr2_iter, memchr3_iter};

use super::bare::{self, Body, Reading};
use super::bare_start::BareStart;
use super::candidates::{candidates, may_follow_scheme};
use super::chars::is_stop;
use super::common::{Common, CommonUrl, Longer};
use super::delimited::{self, UrlStart};
use super::markup::Markup;
use super::opening::{Opening, OpeningDelimiter, announces_url, is_bare_after};
use super::pieces::{LONGEST_PIECE, Pieces};
use super::string_escapes::{self, Literal};
use super::text_url::{Form, MAX_URL, Others, TextUrl};
use super::{abbreviated, common, defanged, join, opaque, scheme};
use crate::bytes::Span;
use crate::format::options::{Iri, TextOptions};
use crate::link::Delimiter;

/// The number of bytes after the end of a URL's characters that decide about it. More than any
/// look-ahead.
pub(super) const LOOK_AHEAD: usize = 8 << 10;

/// The number of bytes before a trigger that decide about it. More than any look-back.
pub(crate) const LOOK_BACK: usize = 1 << 10;

/// The available part of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AvailableText<'t> {
    text: &'t str,
    /// Results read before this offset do not depend on text that is not available.
    decided: usize,
}

impl<'t> AvailableText<'t> {
    /// The available text. `last` is set if no more text follows.
    pub(crate) fn new(text: &'t str, last: bool) -> Self {
        let decided = if last { usize::MAX } else { text.len().saturating_sub(LOOK_AHEAD) };
        Self { text, decided }
    }

    /// The offset before which every trigger is decided.
    pub(crate) fn end(self) -> usize {
        self.decided.min(self.text.len())
    }
}

/// A search through a text that may come in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    options: TextOptions,
    /// No byte before this offset is read again: it belongs to a reported URL, or to the delimiter
    /// that closed one.
    min_start: usize,
    /// The start of the last piece of the last URL.
    last: usize,
    /// The offset where the search for the next trigger begins.
    at: usize,
    /// True if a URL that is too long has not ended yet.
    in_overlong_url: bool,
    /// The fast path, if the options allow it.
    common: Option<Common>,
}

/// Calls `found` with every URL of `text`, in order. Their spans are sorted and disjoint.
///
/// Linear in the length of `text`. The [module](super) describes the rules.
///
/// ```
/// use rehref_document::format::text::{TextOptions, scan};
/// use rehref_document::link::Delimiter;
///
/// let text = "See <http://ds.internic.net/\n    rfc/>, or http://example.org/a(b).";
/// let mut urls = Vec::new();
/// scan(text, &TextOptions::default(), |url| {
///     let value: String = url.spans.iter().map(|span| &text[span.range()]).collect();
///     urls.push((url.delimiter, value));
/// });
/// assert_eq!(
///     urls,
///     [
///         (Delimiter::Angle, "http://ds.internic.net/rfc/".to_owned()),
///         (Delimiter::Bare, "http://example.org/a(b)".to_owned()),
///     ]
/// );
/// ```
pub fn scan(text: &str, options: &TextOptions, mut found: impl FnMut(TextUrl)) {
    Scan::new(*options).search(AvailableText::new(text, true), text.len(), &mut found);
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// The offset where the search for the next trigger begins.
    pub(super) at: usize,
    /// The start of the last piece of the last URL.
    pub(super) last: usize,
    /// No byte before this offset is read again.
    pub(super) min_start: usize,
    /// True if a URL that is too long has not ended yet.
    pub(super) in_overlong_url: bool,
}

impl Progress {
    /// The state at the beginning of a text at `at`.
    pub(super) fn beginning_at(at: usize) -> Self {
        Self { at, last: at, min_start: at, in_overlong_url: false }
    }
}

impl Scan {
    pub(super) fn progress(&self) -> Progress {
        Progress {
            at: self.at,
            last: self.last,
            min_start: self.min_start,
            in_overlong_url: self.in_overlong_url,
        }
    }

    /// Continues elsewhere.
    pub(super) fn move_to(&mut self, progress: Progress) {
        let Progress { at, last, min_start, in_overlong_url } = progress;
        *self = Self { at, last, min_start, in_overlong_url, ..*self };
    }

    pub(super) fn options(&self) -> &TextOptions {
        &self.options
    }

    /// The fast path, if the options allow it.
    pub(super) fn common(&self) -> Option<Common> {
        self.common
    }

    pub(crate) fn new(options: TextOptions) -> Self {
        Self {
            options,
            min_start: 0,
            last: 0,
            at: 0,
            in_overlong_url: false,
            common: Common::by(&options),
        }
    }

    /// Returns true if the search continues at `at` and no URL reaches beyond it.
    pub(crate) fn is_free_at(&self, at: usize) -> bool {
        self.at == at && self.min_start <= at && !self.in_overlong_url
    }

    /// The number of bytes of `text` that are no longer needed to continue.
    pub(crate) fn no_longer_needed(&self, text: &str) -> usize {
        let kept = self.at.saturating_sub(LOOK_BACK);
        let boundary = (0..=kept).rev().find(|&at| text.is_char_boundary(at));
        boundary.unwrap_or(0)
    }

    /// Continues in the text without its first `len` bytes.
    pub(crate) fn forget(&mut self, len: usize) {
        self.at -= len;
        self.min_start = self.min_start.saturating_sub(len);
        self.last = self.last.saturating_sub(len);
    }

    /// Reports the URLs that begin before `until` and are decided. `until` must be decided. Returns
    /// true if the search reached `until`. Otherwise more text is needed.
    pub(crate) fn search(
        &mut self,
        text: AvailableText<'_>,
        until: usize,
        found: &mut dyn FnMut(TextUrl),
    ) -> bool {
        let from = self.at.min(until);
        let all = text.text.as_bytes();
        let bytes = &all[from..until];
        let may_be = |at: &usize| all[*at] != b':' || may_follow_scheme(all, *at);
        let TextOptions { abbreviated, emails, .. } = self.options;
        self.at = match (abbreviated, emails) {
            (false, false) => {
                let triggers = candidates(all, from..until);
                self.triggers(text, until, triggers, found)
            }
            (false, true) => {
                let triggers = memchr2_iter(b':', b'@', bytes).map(|at| from + at);
                self.triggers(text, until, triggers.filter(may_be), found)
            }
            (true, _) => {
                let triggers = memchr3_iter(b':', b'.', b'@', bytes).map(|at| from + at);
                self.triggers(text, until, triggers.filter(may_be), found)
            }
        };
        self.at == until && !self.in_overlong_url
    }

    /// Reports the URLs at the triggers. Returns the offset to continue at: `until` unless
    /// something is undecided.
    fn triggers(
        &mut self,
        AvailableText { text, decided }: AvailableText<'_>,
        until: usize,
        triggers: impl Iterator<Item = usize>,
        found: &mut dyn FnMut(TextUrl),
    ) -> usize {
        // Text before `min_start` has been passed. The text may begin within a character.
        if self.in_overlong_url && !self.skip_overlong_url(text, self.min_start) {
            return until;
        }
        let bytes = text.as_bytes();
        let mut sink = UrlSink { found, decided };
        for at in triggers {
            if at < self.min_start {
                continue;
            }
            let outcome = match bytes[at] {
                b':' => self.at_colon(text, at, &mut sink),
                b'@' if self.options.emails => self.at_sign(text, at, &mut sink),
                b'.' if self.options.abbreviated => self.at_dot(text, at, &mut sink),
                _ => continue,
            };
            match outcome {
                Outcome::Nothing { reach } if reach < decided => {}
                Outcome::Url { piece, end } => (self.last, self.min_start) = (piece, end),
                Outcome::TooLong { reach } if reach < decided => {
                    self.in_overlong_url = true;
                    if !self.skip_overlong_url(text, reach) {
                        return until;
                    }
                }
                _ => return at,
            }
        }
        until
    }

    /// Skips the rest of a URL that is too long, from `from`. Returns true if it ends here.
    fn skip_overlong_url(&mut self, text: &str, from: usize) -> bool {
        let end = text[from..].find(is_stop);
        self.in_overlong_url = end.is_none();
        self.min_start = end.map_or(text.len(), |end| from + end);
        !self.in_overlong_url
    }

    fn at_colon(&self, text: &str, colon: usize, sink: &mut UrlSink<'_>) -> Outcome {
        let bytes = text.as_bytes();
        if let Some(common) = self.common
            && let Some(url) = common.at(text, self.min_start, colon)
        {
            let CommonUrl { start, end, next, form, .. } = url;
            let mut reach = url.reach;
            let longer = match url.longer {
                Longer::No => None,
                Longer::At(end) => Some(end),
                Longer::Unread => {
                    let text = bare::longer(text, end);
                    reach = text.len();
                    let longer = self.whole(text, start, UrlStart::Scheme { colon });
                    longer.map(|(end, _)| end)
                }
            };
            let mut url = TextUrl { form, ..TextUrl::whole(start, end, url.delimiter) };
            // Not moved: most URLs have no other reading.
            if longer.is_some() {
                url.others = Others::longer(longer);
            }
            return sink.emit_whole(url, start, next, reach);
        }
        if may_be_disguised(bytes, colon)
            && !self.options.strict
            && let Some((start, head)) = self.disguised(text, colon)
        {
            if let UrlStart::Disguised { body, form: Form::Escaped, .. } = head
                && let Some(common) = self.common
                && let Some(url) = common.escaped_at(text, self.min_start, (start, body))
            {
                let form = url.form;
                let found = TextUrl { form, ..TextUrl::whole(start, url.end, url.delimiter) };
                return sink.emit(found, url.next, url.reach);
            }
            return self.at_head(text, start, head, sink);
        }
        if self.common.is_some() && common::is_word(text, self.min_start, colon) {
            return Outcome::NOTHING;
        }
        let Some(start) = scheme::start(bytes, self.min_start, colon, self.options.strict) else {
            return Outcome::NOTHING;
        };
        let slashes = bytes[colon + 1..].starts_with(b"//");
        if bytes.get(colon + 1) == Some(&b'<')
            && !self.options.strict
            && let Some(url) = delimited::message_id(text, start, colon)
        {
            let end = url.spans.last().map_or(colon, |span| span.end + 1);
            return sink.emit(url, end, end);
        }
        if !slashes && start == 0 && text.len() <= LONGEST_WORD && !self.options.strict {
            let end = text.trim_end().len();
            let (scheme, rest) = (&text[..colon], text.get(colon + 1..end).unwrap_or_default());
            if opaque::may_be_word(scheme, rest) {
                return sink.emit(TextUrl::whole(start, end, Delimiter::Bare), end, text.len());
            }
        }
        if !slashes && !opaque::is_known(&bytes[start..colon]) {
            // It is a link only between delimiters, where it is announced as a URL or a line ends
            // within its `://`.
            let before = &bytes[self.min_start..start];
            let after = bytes[colon + 1];
            let is_cut = !after.is_ascii_graphic() || after == b'/';
            let is_word = match before {
                [] => true,
                [.., b'"'] => !is_cut,
                [.., b'<'] => !is_cut && !self.options.strict && !announces_url(&text[..start - 1]),
                [.., byte] if !is_cut && !self.options.strict && byte.is_ascii_graphic() => {
                    *byte != b':'
                }
                _ => is_bare_after(text, before),
            };
            if is_word || after == b':' {
                return Outcome::NOTHING;
            }
        }
        self.at_head(text, start, UrlStart::Scheme { colon }, sink)
    }

    /// The start of the URL whose `://` is written in another way around the colon at `colon`:
    /// defanged, or with the escapes of a string literal. Constant time.
    #[cold]
    fn disguised(&self, text: &str, colon: usize) -> Option<(usize, UrlStart)> {
        let bytes = text.as_bytes();
        let is_open = |at: usize| matches!(bytes.get(at), Some(b'[' | b'(' | b'{'));
        let (scheme_end, body, form) = match bytes.get(colon + 1)? {
            b'\\' => {
                let len = string_escapes::slashes(&bytes[colon + 1..])?;
                (colon, colon + 1 + len, Form::Escaped)
            }
            b'/' if bytes.get(colon + 2) == Some(&b'/') && !is_open(colon.wrapping_sub(1)) => {
                return None;
            }
            _ => {
                let (end, body) = defanged::separator(bytes, self.min_start, colon)?;
                let form = match memchr::memchr(b'\\', &bytes[colon..body]) {
                    Some(_) => Form::DefangedEscaped,
                    None => Form::Defanged,
                };
                (end, body, form)
            }
        };
        let start = scheme::start(bytes, self.min_start, scheme_end, false)?;
        let is_escaped = form != Form::Defanged;
        let holds = !is_escaped || Literal::around(text, start).is_some();
        holds.then_some((start, UrlStart::Disguised { scheme_end, body, form }))
    }

    fn at_dot(&self, text: &str, dot: usize, sink: &mut UrlSink<'_>) -> Outcome {
        let start = abbreviated::start(text, self.min_start, dot);
        let defanged = || defanged::name_start(text.as_bytes(), self.min_start, dot);
        match start.or_else(|| defanged().filter(|_| !self.options.strict)) {
            Some(start) => self.at_head(text, start, UrlStart::Abbreviated, sink),
            None => Outcome::NOTHING,
        }
    }

    fn at_sign(&self, text: &str, sign: usize, sink: &mut UrlSink<'_>) -> Outcome {
        match abbreviated::address(text, self.min_start, sign, self.options.iri) {
            Some((start, end)) => sink.emit(TextUrl::whole(start, end, Delimiter::Email), end, end),
            None => Outcome::NOTHING,
        }
    }

    /// The URL that begins with `head` at `start`.
    fn at_head(&self, text: &str, start: usize, head: UrlStart, sink: &mut UrlSink<'_>) -> Outcome {
        let opening = Opening::before(text, self.min_start, start);
        let options = &self.options;
        let last = Span::new(self.last, self.min_start);
        let found = match opening.delimiter {
            Some((open, OpeningDelimiter::Angle)) => {
                let named = opening.prefix || announces_url(&text[..open]);
                delimited::angle(text, (open, named), (start, head), last, options)
                    .map(|inner| (inner, Delimiter::Angle))
            }
            Some((open, OpeningDelimiter::Quote { close })) if !options.strict || close == "\"" => {
                delimited::quote(text, (open, close), (start, head), last, options)
                    .map(|inner| (inner, Delimiter::Quote))
            }
            _ => None,
        };
        let Some((delimited, delimiter)) = found else {
            let delimiter = if opening.prefix { Delimiter::Prefix } else { Delimiter::Bare };
            return self.bare(text, start, head, delimiter, sink);
        };
        // The first piece of a broken URL has its scheme.
        let first = delimited.spans.first().map_or("", |span| &text[span.range()]);
        let is_defanged = || !options.strict && defanged::is_defanged(first);
        let form = match defanged::may_be(first.as_bytes()) && is_defanged() {
            true => Form::Defanged,
            false => Form::Literal,
        };
        let url = TextUrl {
            spans: delimited.spans,
            form,
            ..TextUrl::whole(start, start, head.delimiter(delimiter))
        };
        let url = url.with(Others { hyphens: delimited.hyphens, ..Others::default() });
        sink.emit(url, delimited.end, delimited.end)
    }

    /// The bare URL that begins with `head` at `start`.
    fn bare(
        &self,
        text: &str,
        start: usize,
        head: UrlStart,
        delimiter: Delimiter,
        sink: &mut UrlSink<'_>,
    ) -> Outcome {
        let options = &self.options;
        let text = match head {
            UrlStart::Scheme { colon } => &text[..bare::host_end(text, colon + 1)],
            UrlStart::Disguised { .. } | UrlStart::Abbreviated => text,
        };
        let text = match options.strict {
            false => &text[..bare::escaped_bracket(text, start)],
            true => text,
        };
        let last = Span::new(self.last, self.min_start);
        if let UrlStart::Scheme { colon } = head
            && matches!(text.as_bytes().get(colon + 3), Some(b' ' | b'\r' | b'\n'))
            && let Some(at) = join::host_below(text, start, colon, last, options)
        {
            return self.below(text, (start, colon, at), head.delimiter(delimiter), sink);
        }
        if let UrlStart::Scheme { colon } = head
            && options.iri == Iri::Auto
            && !options.strict
            && let Some(at) = bare::end_before_ideographs(text, start, colon + 1)
            && let Some((end, stop)) = self.whole(&text[..at], start, head)
            && stop == at
        {
            let longer = bare::longer(text, at);
            let reading = self.whole(longer, start, head).map(|(end, _)| end);
            let url = TextUrl {
                others: Others::longer(reading),
                ..TextUrl::whole(start, end, head.delimiter(delimiter))
            };
            return sink.emit(url, end, longer.len());
        }
        let Some(bare_start) = BareStart::new(text, start, head, options.strict) else {
            return Outcome::NOTHING;
        };
        let reading = if options.strict { Reading::Strict } else { Reading::Text(options.iri) };
        let mut body = bare_start.characters(text, reading).with_abbreviated(options.abbreviated);
        let stop = bare_start.run(text, &mut body);
        if stop - bare_start.body >= MAX_URL {
            return Outcome::TooLong { reach: stop };
        }
        let delimiter = head.delimiter(delimiter);
        let read = join::Read { from: start, piece: Span::new(start, stop), before: 0, last };
        if let Some(next) = join::next(text, read, options) {
            let mut pieces = Pieces::new(start, stop);
            if let Some(end) = pieces.join(text, &mut body, (read, next), options) {
                let reach = pieces.reach;
                let url = TextUrl { form: body.form(), ..pieces.finish(end, delimiter) };
                return sink.emit(url, end, reach);
            }
        }
        let Some(end) = bare_start.end(text, body.end(text, bare_start.body, stop)) else {
            return Outcome::Nothing { reach: stop };
        };
        let url = TextUrl { form: body.form(), ..TextUrl::whole(start, end, delimiter) };
        sink.emit(url, end, stop)
    }

    /// The end of the bare URL with `head` at `start` in `text`, and the end of its characters.
    fn whole(&self, text: &str, start: usize, head: UrlStart) -> Option<(usize, usize)> {
        let bare_start = BareStart::new(text, start, head, false)?;
        let mut body = bare_start
            .characters(text, Reading::Text(self.options.iri))
            .with_abbreviated(self.options.abbreviated);
        let stop = body.run(text, bare_start.plain);
        let end = bare_start.end(text, body.end(text, bare_start.body, stop))?;
        Some((end, stop))
    }

    /// The URL at `start` whose line ends after the `://` at `colon`, and which continues with its
    /// host at `at`.
    fn below(
        &self,
        text: &str,
        (start, colon, at): (usize, usize, usize),
        delimiter: Delimiter,
        sink: &mut UrlSink<'_>,
    ) -> Outcome {
        let options = &self.options;
        let host = scheme::authority(&text[start..colon], &text[at..]);
        let host = Span::new(at, at + host.map_or(0, |host| host.text.len()));
        let mut body = Body::new(Reading::Text(options.iri), at, host, Markup::before(text, start));
        let stop = body.run(text, at);
        let mut end = body.end(text, at, stop);
        if host.is_empty() || end == at || stop - at > LONGEST_PIECE {
            return Outcome::Nothing { reach: stop };
        }
        let mut pieces = Pieces::new(start, colon + "://".len());
        pieces.push(join::Next { at, hyphen: 0, doubtful: true }, options.hyphen);
        let read = join::Read {
            from: start,
            piece: Span::new(at, stop),
            before: pieces.last.len(),
            last: Span::new(self.last, self.min_start),
        };
        pieces.last = read.piece;
        pieces.reach = stop;
        if let Some(next) = join::next(text, read, options)
            && let Some(further) = pieces.join(text, &mut body, (read, next), options)
        {
            end = further;
        }
        let reach = pieces.reach;
        sink.emit(pieces.finish(end, delimiter), end, reach)
    }
}

/// Returns true if the byte after the colon allows a `://` that is written in another way.
#[inline]
fn may_be_disguised(bytes: &[u8], colon: usize) -> bool {
    let after = bytes.get(colon + 1);
    after.is_some_and(|after| matches!(after, b'\\' | b'/' | b'[' | b']' | b')' | b'}'))
}

/// The longest text that may consist of one word after a scheme, in bytes. A longer text may come
/// in pieces, without its beginning.
const LONGEST_WORD: usize = 256;

/// The result of a trigger.
enum Outcome {
    /// No URL. `reach` is the end of the text that was read.
    Nothing { reach: usize },
    /// A URL longer than [`MAX_URL`]. `reach` is the end of the text that was read.
    TooLong { reach: usize },
    /// A reported URL: the start of its last piece, and the offset to continue at.
    Url { piece: usize, end: usize },
    /// Undecided: it depends on text that is not available.
    Undecided,
}

impl Outcome {
    const NOTHING: Self = Self::Nothing { reach: 0 };
}

/// The receiver of URLs. Not a type parameter, which would compile the whole search again for each
/// caller.
struct UrlSink<'f> {
    found: &'f mut dyn FnMut(TextUrl),
    /// Results read at or after this offset are undecided.
    decided: usize,
}

impl UrlSink<'_> {
    /// Reports a URL if the text that it was read from, up to `reach`, is decided. The search
    /// continues at `end`.
    fn emit(&mut self, url: TextUrl, end: usize, reach: usize) -> Outcome {
        let piece = url.spans.last().map_or(end, |span| span.start);
        self.emit_whole(url, piece, end, reach)
    }

    /// Like [`emit`](Self::emit), for a URL whose last piece begins at `piece`.
    #[inline]
    fn emit_whole(&mut self, url: TextUrl, piece: usize, end: usize, reach: usize) -> Outcome {
        if reach >= self.decided {
            return Outcome::Undecided;
        }
        (self.found)(url);
        Outcome::Url { piece, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::options::any_text_options as any_options;
    use crate::format::text::coding::Coding;
    use crate::format::text::encoded::Undecoded;
    use crate::source::TextDecoder;
    use proptest::prelude::*;

    /// A line that is almost full.
    const LONG: &str = "http://a.example/bcdefghijklmnopqrstuvwxyz/0123456789abcdef0123";

    fn urls(scan: &mut Scan, text: &str) -> Vec<TextUrl> {
        let mut urls = Vec::new();
        scan.search(AvailableText::new(text, true), text.len(), &mut |url| urls.push(url));
        urls
    }

    #[test]
    fn overlong_url_may_be_split_within_a_character() {
        let begin = format!("http://a.example/{}", "\u{4E2D}".repeat(MAX_URL / 3 + 10_000));
        for cut in 0..3 {
            let mut scan = Scan::new(TextOptions::default());
            let mut found = Vec::new();
            let mut text = begin.clone();
            for more in ["\u{4E2D}\u{4E2D}", "\u{4E2D} http://b.example/"] {
                let available = AvailableText::new(&text, false);
                scan.search(available, available.end() - cut, &mut |url| found.push(url));
                text.push_str(more);
            }
            scan.search(AvailableText::new(&text, true), text.len(), &mut |url| found.push(url));
            let found: Vec<_> = found.iter().map(|url| &text[url.spans[0].range()]).collect();
            assert_eq!(found, ["http://b.example/"], "{cut}");
        }
    }

    proptest! {
        #![proptest_config(crate::tier::cases(20_000))]

        #[test]
        fn fast_path_agrees_with_the_rules(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "http://", "https://", "http://a.b/", "http://a.b/c", "http://a.b:80", ";c=d", ":8/", "ftp://a.b/", "<http://a.b/c>", "URL:",
                    "<URL:", "www.a.b", " ", "  ", "\n", "\r\n", "\t", "\n> ", "> ", "* ", ": ", "L: ", ", ", "<", ">",
                    "a", "b.c", "s", "m", "1", "x", "news:", "url:a", "mailto:c@d.e", "word:\n", "word:a", "\\", "\\f(", "/", "-", ".", "..", ",", ";", ")", "(", "]", "[", "{", "}", "'",
                    "\"", "`", "?", "#", "=", "&", "@", ":", "*", "%", "~", "_", "|", "~~", "==", "!", "[[", "{{ ", "\\/", "\\u0026", "\\=c", "\\\"", "[.]", "[:]//", "hxxp://a.b", "&quot;", "{code}", "[/b]", "\\", "</a>", "&lt;", "&gt", "uRl:", "\u{1B}[3", "é",
                    "‐", "。", "，", "看", "の", "（", "）", "“", "”", "「", "」", "『", "⟨", "⟩", "《", "！", "\u{3000}", "\u{A0}",
                    LONG, LONG, "%2", ".ht", "89abcdef", "\nword a", "\n> word, b", "\nml a", "\n> > ml; b", "\ndead be",
                    "\n com (a", "\nx-y a",
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

        #[test]
        fn fast_path_agrees_with_the_rules_without_decoding(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    &b"http://a.b/"[..], b"https://a.b/c", b"<http://a.b/c>", b"\"http://a.b/c\"", b"<URL:", b"URL:",
                    b"http", b"mailto:", b"a: b", b"://", b"a.b", b"h", b"l", b"\\/", b"\\u0026", b"[.]", b"[:]//", b"&quot;", b"~~", b":", b" ", b"\n", b"\r\n", b"> ", b"<", b">", b"\"", b",", b";",
                    b".", b")", b"-", b"1", b"|", b"\x80", b"\x81", b"\x81\x30", b"\x81\x40", b"<\x81\x40", b"<\xA1\x40 ", b"\x81\x67", b"\x81\x75",
                    b"\x83\x5C", b"\x83\x68", b"\x88\xEA", b"\x8F", b"\x93", b"\xA0", b"\xA1\xA1", b"\xA1\xB0", b"\xAB",
                    b"\xE9", b"\xFF", b"\xD1\xC5", b"\xD6\xD0", b"\xD6\xD0 ", b"\xB1", b"\x83\x61news:c", b"\x93\xFA", b"\xE3\x81\xAE",
                    b"\xD0\xB6", b"\xD0\xB6 ", b"\xE2\x80\x9C", b"\xC2\xA0", b"\xA4\xCE", b"\x8F\xA2\xAF",
                ]),
                0..30,
            ),
            options in any_options(),
            encoding in prop::sample::select(vec![
                encoding_rs::SHIFT_JIS, encoding_rs::GBK, encoding_rs::GB18030, encoding_rs::BIG5, encoding_rs::EUC_JP,
                encoding_rs::EUC_KR, encoding_rs::WINDOWS_1252, encoding_rs::KOI8_R, encoding_rs::UTF_8,
            ]),
        ) {
            let bytes = pieces.concat();
            let coding = Coding::of(encoding).unwrap();
            let undecoded = Undecoded { bytes: &bytes, coding: &coding };
            let mut decoder = TextDecoder::new(encoding);
            decoder.push(&bytes, true);
            let text = decoder.text();
            let to_bytes = |at| if at == text.len() { bytes.len() } else { decoder.to_source(Span::new(at, at)).start };
            let mut rules = Scan::new(TextOptions { strict: false, ..options });
            let common = rules.common.take().unwrap();
            let candidates: Vec<usize> = candidates(&bytes, 0..bytes.len()).collect();
            for (colon, _) in text.match_indices(':') {
                let in_bytes = to_bytes(colon);
                let may_follow = may_follow_scheme(text.as_bytes(), colon);
                prop_assert!(!may_follow || candidates.contains(&in_bytes), "{:?}", text);
                if colon < rules.min_start || !may_follow {
                    continue;
                }
                let is_word = common::is_word(undecoded, to_bytes(rules.min_start), in_bytes);
                let fast = common.at(undecoded, to_bytes(rules.min_start), in_bytes);
                let mut found = None;
                let sink = &mut UrlSink { found: &mut |url| found = Some(url), decided: usize::MAX };
                let next = match rules.at_colon(text, colon, sink) {
                    Outcome::Url { piece, end } => {
                        (rules.last, rules.min_start) = (piece, end);
                        end
                    }
                    _ => colon,
                };
                prop_assert!(!is_word || found.is_none(), "{:?}", text);
                let Some(fast) = fast else { continue };
                let in_text = |at| at + colon - in_bytes;
                let url = TextUrl::whole(in_text(fast.start), in_text(fast.end), fast.delimiter);
                prop_assert_eq!((Some(url), next), (found, in_text(fast.next)), "{:?}", text);
            }
        }
    }
}
