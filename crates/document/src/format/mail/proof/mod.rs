//! Proof that a URL continues in the next line, or ends with its line, from a complete copy of the
//! URL in the same message.
//!
//! The look of the lines gives only a guess. There is proof that the URL continues if the HTML
//! version of the text links to exactly what the pieces spell, or if the text has the same URL
//! within a line or in brackets, without a line break at the same place. There is proof that it
//! ends with its line if the HTML version links to the part in the line, continues in the same
//! line, and does not link to any longer reading. If the page has a line break there too, it may
//! have been made from the text.
//!
//! Other messages of a mailbox do not count: the links of a message are the same wherever the
//! mailbox is sliced.

mod pages;
pub(super) mod pasted_html;

use std::cell::{Cell, LazyCell, OnceCell};
use std::mem;
use std::sync::{Arc, LazyLock};

use memchr::memmem;
use smallvec::SmallVec;

use crate::bytes::{Span, Spans};
use crate::format::text::readings::{Next, around_line_end, may_continue, readings};
use crate::format::text::{self, Join, TextOptions, TextUrl, hyphen_len};
use crate::format::{Options, html};
use crate::link::{Delimiter, Place, unwrapped};
use crate::source::{HtmlPage, PageUrls, Source, UrlSet};
use pages::{common_len, is_searchable, may_have_longer};

/// The longest page that is read, in bytes.
const LONGEST_PAGE: usize = 4 << 20;

/// The maximum distance between the URL of a link and the text after the link, in bytes.
const LINK: usize = 1 << 10;

/// The end tag of the element.
const END: &[u8] = b"</a>";

/// Inline elements.
const INLINE: [&[u8]; 9] = [b"span", b"font", b"b", b"i", b"u", b"em", b"strong", b"tt", b"code"];

/// Calls `found` with the URLs of the text of a part, like [`pasted_html::scan`], in the proved
/// reading where there is one.
///
/// Linear. The text is searched a second time if it may have a complete copy of a URL that a line
/// break divides elsewhere. The links of the HTML version are found if the text has a URL that may
/// continue in the next line, and a search of its bytes ([`pages`]) finds a longer one.
pub(super) fn scan(
    text: &str,
    options: &TextOptions,
    version: HtmlVersion<'_>,
    mut found: impl FnMut(TextUrl, &str, usize),
) {
    let is_guessed = options.join == Some(Join::Guess) && !options.strict;
    let own = OwnText::new(text, options);
    let mut last = Span::new(0, 0);
    let mut min_start = 0;
    // Beside a page, a copy in brackets with a line break at the same place counts too.
    let may_be_elsewhere =
        |url: &TextUrl, may_follow: &dyn Fn(u8) -> bool, before| match version.pages.is_empty() {
            true => own.may_have_whole(url, may_follow, before),
            false => own.may_have_copy(url, may_follow),
        };
    pasted_html::scan(text, options, |url, piece, offset| {
        let span = pasted_html::extent(&url).shifted(offset);
        if span.start < min_start {
            return;
        }
        let before = mem::replace(&mut last, last_piece(&url.spans).shifted(offset));
        let is_whole = piece.len() == text.len();
        if !is_guessed || !is_whole || !may_continue(text, &url) {
            found(url, piece, offset);
            return;
        }
        let next = LazyCell::new(|| Next::of(text, &url, before));
        let may_follow = |byte| next.is_some_and(|next| next.may_be(byte));
        let version = version.that_may_prove(text, &url, &may_follow);
        if version.pages.is_empty() && !may_be_elsewhere(&url, &may_follow, before) {
            found(url, piece, offset);
            return;
        }
        let readings = readings(text, &url, before, options);
        let proved = match readings.as_slice() {
            [] | [_] => None,
            readings => proved(text, readings, version, &own),
        };
        let Some(spans) = proved.filter(|spans| spans.len() > 1 || url.spans.len() > 1) else {
            found(url, text, 0);
            return;
        };
        let url = url.certain(spans);
        last = last_piece(&url.spans);
        let end = last.end;
        found(url, text, 0);
        min_start = end;
        if let Some(rest) = text.get(end..span.end) {
            text::scan(rest, options, |url| found(url, rest, end));
        }
    });
}

/// The proved reading: the longest one that occurs elsewhere, with or without the hyphens at its
/// line ends.
fn proved(
    text: &str,
    readings: &[Spans],
    version: HtmlVersion<'_>,
    own: &OwnText<'_>,
) -> Option<Spans> {
    let (first, longer) = readings.split_first()?;
    let is_elsewhere = |spans: &Spans| {
        let url = spelled(text, spans);
        version.any(|urls| urls.all.contains(&url)) || own.urls().contains(&url)
    };
    for reading in longer.iter().rev() {
        if is_elsewhere(reading) {
            return Some(reading.clone());
        }
        if let Some(reading) = without_hyphens(text, reading).filter(is_elsewhere) {
            return Some(reading);
        }
    }
    let url = spelled(text, first);
    let ends = version.any(|urls| urls.within_lines.contains(&url));
    ends.then(|| first.clone())
}

/// The pieces without the hyphens at line ends, if there are any.
fn without_hyphens(text: &str, spans: &Spans) -> Option<Spans> {
    let mut shorter = spans.clone();
    let (_, inner) = shorter.split_last_mut()?;
    for span in inner {
        span.end -= hyphen_len(&text[span.range()]);
    }
    shorter.retain(|span| !span.is_empty());
    (shorter != *spans).then_some(shorter)
}

/// The text of the pieces, joined.
fn spelled(text: &str, spans: &Spans) -> String {
    spans.iter().map(|span| &text[span.range()]).collect()
}

/// The URLs of the text itself that no line break can have divided.
struct OwnText<'t> {
    text: &'t str,
    options: &'t TextOptions,
    urls: OnceCell<UrlSet>,
    starts: OnceCell<Starts>,
    searches: Cell<usize>,
}

impl<'t> OwnText<'t> {
    /// The number of URLs that are searched one by one: most texts have few, and none twice. Then
    /// all are collected.
    const MOST_SEARCHES: usize = 16;

    fn new(text: &'t str, options: &'t TextOptions) -> Self {
        Self {
            text,
            options,
            urls: OnceCell::new(),
            starts: OnceCell::new(),
            searches: Cell::new(0),
        }
    }

    fn urls(&self) -> &UrlSet {
        self.urls.get_or_init(|| urls_within_lines(self.text, self.options))
    }

    /// Returns true if the text may contain elsewhere what `url` is if it continues after the line
    /// break. `last` is the previous URL. A URL in brackets with a line break at the same place is
    /// missed.
    fn may_have_whole(&self, url: &TextUrl, may_follow: &dyn Fn(u8) -> bool, last: Span) -> bool {
        let copies = self.copies(url, may_follow);
        if copies == Copies::None {
            return false;
        }
        // Also for one that is not searched: a URL that is missed here is found once all are
        // collected.
        let searches = self.searches.replace(self.searches.get() + 1);
        copies == Copies::Possible
            && (searches >= Self::MOST_SEARCHES
                || around_line_end(self.text, url, last, |before, after| {
                    holds(self.text.as_bytes(), before, after)
                }))
    }
}

impl OwnText<'_> {
    /// Returns true if another URL of the text may be what `url` is if it continues. It begins as
    /// `url` does in its first line, and then has a byte for which `may_follow` is true. Constant
    /// time after the first call, which is linear.
    fn may_have_copy(&self, url: &TextUrl, may_follow: &dyn Fn(u8) -> bool) -> bool {
        self.copies(url, may_follow) == Copies::Possible
    }

    /// The other URLs of the text that begin as `url` does in its first line.
    fn copies(&self, url: &TextUrl, may_follow: &dyn Fn(u8) -> bool) -> Copies {
        let Some(first) = url.spans.first() else {
            return Copies::None;
        };
        let url = first_line(self.text, *first);
        let starts = || self.starts.get_or_init(|| Starts::of(self.text.as_bytes()));
        let (starts, mut copies) = match url {
            [b'h', b't', b't', b'p', b':', ..] | [b'h', b't', b't', b'p', b's', b':', ..] => {
                (&starts().http, Copies::None)
            }
            [b'f', b't', b'p', b':', ..] => (&starts().ftp, Copies::Other),
            _ => return Copies::Possible,
        };
        let Some(starts) = starts else {
            return Copies::Possible;
        };
        let head = Start::head(url);
        for start in starts {
            let is_other = start.head != head && start.head.is_some() && head.is_some();
            if is_other || start.at == first.start {
                continue;
            }
            let other = &self.text.as_bytes()[start.at..];
            let same = common_len(other, url);
            let may_continue = other.get(same).is_none_or(|byte| {
                // White space within brackets is not part of the URL.
                !byte.is_ascii_graphic() || same == url.len() && may_follow(*byte)
            });
            if may_continue {
                return Copies::Possible;
            }
            if same == url.len() {
                copies = Copies::Other;
            }
        }
        copies
    }
}

/// Other URLs that begin as a URL does in its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copies {
    None,
    /// They continue with another byte than the URL does. Of ftp, there may also be none.
    Other,
    /// One may be what the URL is if it continues.
    Possible,
}

/// The places where URLs of a text may begin. `None` if there are too many of them.
struct Starts {
    /// The offsets of `http:` and `https:`.
    http: Places,
    /// The offsets of `ftp:`.
    ftp: Places,
}

type Places = Option<SmallVec<[Start; 16]>>;

impl Starts {
    /// The maximum number of places that are compared with a URL.
    const MOST: usize = 64;

    fn of(bytes: &[u8]) -> Self {
        let empty = || Some(SmallVec::new());
        let (mut http, mut ftp) = (empty(), empty());
        for end in SCHEME_END.find_iter(bytes) {
            let (before, after) = bytes.split_at(end);
            let (places, scheme) = match (before, after) {
                ([.., b'h', b't'], [_, _, b':', ..] | [_, _, b's', b':', ..]) => (&mut http, "ht"),
                ([.., b'f'], [_, _, b':', ..]) => (&mut ftp, "f"),
                _ => continue,
            };
            match places {
                Some(starts) if starts.len() < Self::MOST => {
                    let at = end - scheme.len();
                    let head = Start::head(&bytes[at..]);
                    starts.push(Start { at, head });
                }
                _ => *places = None,
            }
        }
        Self { http, ftp }
    }
}

/// The last letters of `http` and `ftp`. Texts have fewer of them than colons.
static SCHEME_END: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("tp"));

/// A place where a URL may begin.
#[derive(Clone, Copy)]
struct Start {
    at: usize,
    /// Its first bytes, if all of them are visible ASCII. A URL with others is another one.
    head: Option<u128>,
}

impl Start {
    fn head(bytes: &[u8]) -> Option<u128> {
        let head = bytes.first_chunk::<16>()?;
        // Without an exit the loop is vectorized.
        let is_visible = head.iter().fold(true, |all, byte| all & byte.is_ascii_graphic());
        is_visible.then(|| u128::from_ne_bytes(*head))
    }
}

/// The first piece of a URL, without the hyphen at the end of its line, which may not belong to the
/// URL.
fn first_line(text: &str, first: Span) -> &[u8] {
    let url = &text[first.range()];
    &url.as_bytes()[..url.len() - hyphen_len(url)]
}

/// Returns true if `before` and `after` are adjacent somewhere in `text`. Linear.
fn holds(text: &[u8], before: &[u8], after: &[u8]) -> bool {
    /// The number of bytes on each side that are searched. A finder for few bytes takes less time
    /// to build than one for all, and is as selective.
    const CORE: usize = 2;
    let core = &before[before.len().saturating_sub(CORE)..];
    let core = [core, &after[..after.len().min(CORE)]].concat();
    let half = core.len() - after.len().min(CORE);
    let finder = memmem::Finder::new(&core);
    let mut from = 0;
    while let Some(found) = finder.find(&text[from..]) {
        let at = from + found + half;
        if text[..at].ends_with(before) && text[at..].starts_with(after) {
            return true;
        }
        from += found + 1;
    }
    false
}

/// The URLs of a text that no line break can have divided.
fn urls_within_lines(text: &str, options: &TextOptions) -> UrlSet {
    let options = TextOptions { join: Some(Join::Angle), ..*options };
    let mut urls = UrlSet::default();
    let mut last = Span::new(0, 0);
    text::scan(text, &options, |url| {
        let before = mem::replace(&mut last, last_piece(&url.spans));
        let is_certain = match url.delimiter {
            Delimiter::Angle | Delimiter::Quote => true,
            _ => {
                url.spans.len() == 1
                    && (!may_continue(text, &url)
                        || readings(text, &url, before, &options).len() < 2)
            }
        };
        if is_certain {
            urls.insert(&spelled(text, &url.spans));
        }
    });
    urls
}

/// The HTML version of a text.
#[derive(Clone, Copy)]
pub(super) struct HtmlVersion<'v> {
    pub(super) pages: &'v [Arc<HtmlPage>],
    /// The options for finding its links.
    pub(super) options: &'v Options,
}

impl HtmlVersion<'_> {
    /// The version, without its pages if none of them proves a reading of `url`. Then they need not
    /// be read. A page that proves one has a URL that begins as `url` does in its first line. Next
    /// it has a byte for which `may_follow` is true.
    fn that_may_prove(self, text: &str, url: &TextUrl, may_follow: &dyn Fn(u8) -> bool) -> Self {
        match self.may_prove(text, url, may_follow) {
            true => self,
            false => Self { pages: &[], ..self },
        }
    }

    fn may_prove(self, text: &str, url: &TextUrl, may_follow: &dyn Fn(u8) -> bool) -> bool {
        // Of a URL that was joined by guess, a page may prove the first line.
        let [first] = url.spans.as_slice() else {
            return !self.pages.is_empty();
        };
        let url = first_line(text, *first);
        let mut pages = self.pages.iter();
        pages.any(|page| {
            self.options.text.abbreviated
                || !page.may_be_searched(is_searchable)
                || may_have_longer(&page.document().bytes, url, may_follow)
        })
    }

    /// Returns true if `holds` is true for the URLs of one of its pages.
    fn any(&self, mut holds: impl FnMut(&PageUrls) -> bool) -> bool {
        let urls = |page: &Source| urls_of_page(page, self.options);
        self.pages.iter().any(|page| holds(page.urls(urls)))
    }
}

fn urls_of_page(page: &Source, options: &Options) -> PageUrls {
    let mut urls = PageUrls::default();
    if page.bytes.len() > LONGEST_PAGE {
        return urls;
    }
    let options = Options { anchors: false, scripted: false, ..options.clone() };
    for link in html::find(page, &options.for_source(page)).links {
        let continues =
            matches!(link.place, Place::Markup(_)) && continues(page, link.extent().end);
        let mut insert = |url: &str| {
            urls.all.insert(url);
            if continues {
                urls.within_lines.insert(url);
            }
        };
        insert(&link.reference);
        if let Some(target) = unwrapped(&link.reference) {
            insert(&target);
        }
    }
    urls
}

/// Returns true if the line continues after the `a` element whose URL ends at `end` in a page: with
/// text, or with inline elements and text. Constant time.
fn continues(page: &Source, end: usize) -> bool {
    let after = &page.bytes[end..page.bytes.len().min(end + LINK)];
    let is_end = |at: &usize| {
        let tag = after.get(*at..*at + END.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(END))
    };
    let Some(closed) = memchr::memchr_iter(b'<', after).find(is_end) else {
        return false;
    };
    let mut rest = &after[closed + END.len()..];
    loop {
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        rest = &rest[blanks.count()..];
        match rest {
            [] | [b'\r' | b'\n', ..] => return false,
            [b'<', ..] => {}
            _ => return true,
        }
        let name = rest[1..].strip_prefix(b"/").unwrap_or(&rest[1..]);
        let len = name.iter().take_while(|byte| byte.is_ascii_alphanumeric());
        let name = &name[..len.count()];
        let is_inline = INLINE.iter().any(|it| name.eq_ignore_ascii_case(it));
        let Some(close) = memchr::memchr(b'>', rest).filter(|_| is_inline) else {
            return false;
        };
        rest = &rest[close + 1..];
    }
}

fn last_piece(spans: &Spans) -> Span {
    spans.last().copied().unwrap_or(Span::new(0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Charset;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::tier::cases(10_000))]

        #[test]
        fn every_proof_in_the_text_is_a_possible_copy(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "http://a.example/", "https://a.example/", "HTTP://a.example/", "http:", "//a.example/", "<", ">", "\"", "URL:",
                "<URL:", "b", "c/d", "e.html", "-", "/", "?", ".", "\n", "\n", "\r\n", "\n> ", "> ", " ", "\n    ", "\x0C",
                "\u{a0}", "\u{3000}", "and words", "ftp://a.example/", "ftp://a.example/", "FTP:", "httpx://a.example/", "&lt;", "&gt;",
            ]), 0..24),
            linked in prop::collection::vec(prop::sample::select(vec![
                "http://a.example/", "https://a.example/", "ftp://a.example/", "b", "b", "c/d", "e.html", "-", "/", "?", ".", "and",
                "&amp;", "&#98;", " ", "\n", "\">x</a>,<a href=\"", "\">x</a>,<a href=\"http://a.example/",
            ]), 0..8),
        ) {
            assert_eq!(missed_proof(&pieces.concat(), &linked.concat()), None, "{pieces:?} {linked:?}");
        }

        #[test]
        fn every_copy_of_a_url_that_continues_is_a_possible_copy(
            scheme in prop::sample::select(vec!["http", "https", "ftp"]),
            end in prop::sample::select(vec!["", "", "-", ".", "/", "?", "-.", ".-", "\u{2010}"]),
            line_end in prop::sample::select(vec!["\n", "\n", "\r\n", "\n> ", "\n    ", " \n"]),
            word in prop::sample::select(vec!["c/d", "e.html", "c", "/x", "-y/z", "\u{e9}/x"]),
            after in prop::sample::select(vec!["", "\n", " and words", "\n\nwords"]),
            glue in prop::sample::select(vec!["", "-", ".", "/", "?", "-.", ".-"]),
            (open, close) in prop::sample::select(vec![("<", ">"), ("\"", "\""), ("see ", " there"), ("", "")]),
            cut in 0..40_usize,
            linked in prop::sample::select(vec!["", "b", "\">x</a>,<a href=\""]),
        ) {
            let url = format!("{scheme}://a.example/b");
            let copy = format!("{url}{glue}{word}");
            // White space in brackets is not part of the URL.
            let (first, rest) = copy.split_at_checked(cut).unwrap_or((&copy, ""));
            let text = format!("{url}{end}{line_end}{word}{after}\n\n");
            let in_text = format!("{text}{open}{first}\n{rest}{close}");
            let whole_in_text = format!("{text}{open}{copy}{close}");
            for (text, linked) in [(&in_text, ""), (&whole_in_text, linked), (&text, &*format!("{linked}{copy}"))] {
                assert_eq!(missed_proof(text, linked), None, "{text:?} {linked:?}");
            }
        }
    }

    /// The proved reading of a URL of `text` that the searches before [`proved`] exclude, if there
    /// is one. A page links to `linked`.
    fn missed_proof(text: &str, linked: &str) -> Option<Spans> {
        let html = format!("<a href=\"{linked}\">x</a>, y");
        let page = Arc::new(HtmlPage::new(Source::new(html.into_bytes(), Charset::VALID)));
        let version = HtmlVersion { pages: &[page], options: &Options::default() };
        let options = TextOptions { join: Some(Join::Guess), ..TextOptions::default() };
        let own = OwnText::new(text, &options);
        let (mut missed, mut last) = (None, Span::new(0, 0));
        text::scan(text, &options, |url| {
            let before = mem::replace(&mut last, last_piece(&url.spans));
            let next = Next::of(text, &url, before);
            let may_follow = |byte| next.is_some_and(|next| next.may_be(byte));
            let version_left = version.that_may_prove(text, &url, &may_follow);
            if !may_continue(text, &url)
                || !version_left.pages.is_empty()
                || own.may_have_copy(&url, &may_follow)
            {
                return;
            }
            let proved = match readings(text, &url, before, &options).as_slice() {
                [] | [_] => None,
                readings => proved(text, readings, version, &own),
            };
            // A proof of the first line changes nothing.
            missed = missed.take().or(proved.filter(|spans| spans.len() > 1));
        });
        missed
    }

    #[test]
    fn other_urls_are_no_copies() {
        let options = TextOptions::default();
        let copies = |text: &str| {
            let own = OwnText::new(text, &options);
            let (mut copies, mut last) = (Vec::new(), Span::new(0, 0));
            text::scan(text, &options, |url| {
                let before = mem::replace(&mut last, last_piece(&url.spans));
                let next = Next::of(text, &url, before);
                let may_follow = |byte| next.is_some_and(|next| next.may_be(byte));
                copies.push(own.may_have_copy(&url, &may_follow));
            });
            copies
        };
        assert_eq!(copies("http://a.example/b\nc, http://d.example/"), [false, false]);
        assert_eq!(copies("http://a.example/b\nc <http://a.ex\nample/bc>"), [true, true]);
        assert_eq!(copies("http://a.example/b\nc http://a.example/bc"), [true, true]);
    }

    /// A copy in brackets that is broken at the same place counts after some URLs were searched.
    /// Which ones are counted must not depend on how much the search excludes.
    #[test]
    fn urls_are_counted_whether_or_not_they_are_searched() {
        let broken =
            "http://b.example/x/\nlonger/y.html\n\nSee <http://b.example/x/\nlonger/y.html>.\n";
        let is_joined = |scheme: &str, others: usize, is_alike: bool| {
            let mut text = String::new();
            for at in 0..others {
                text += &format!("{scheme}://a.example/p{at}/\nword{at} and\n\n");
            }
            for at in 0..if is_alike { others } else { 0 } {
                text += &format!("see {scheme}://a.example/p{at}/index here\n");
            }
            text += broken;
            let options = TextOptions { join: Some(Join::Guess), ..TextOptions::default() };
            let version = HtmlVersion { pages: &[], options: &Options::default() };
            let mut urls = Vec::new();
            scan(&text, &options, version, |url, piece, _| {
                urls.push(spelled(piece, &url.spans));
            });
            urls.iter().filter(|it| *it == "http://b.example/x/longer/y.html").count() == 2
        };
        assert!(is_joined("http", 17, true));
        assert!(is_joined("https", 17, true));
        assert!(is_joined("ftp", 17, false));
        assert!(!is_joined("http", 17, false));
        assert!(!is_joined("http", 3, true));
        assert!(!is_joined("http", 0, false));
    }
}
