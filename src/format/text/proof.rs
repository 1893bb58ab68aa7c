//! Whether a URL goes on in the next line, where the same URL stands elsewhere in its message, whole.
//!
//! What the lines look like is a guess. It is none where the HTML version of the text links to just what the pieces
//! spell, or where the text has the same URL once more within a line or in brackets, without a line end at the same
//! place. Where that version links to what stands in the line alone, goes on in the same line, and does not link to any of
//! the longer readings, the URL ends with its line. Where the page has a line end there too, it may have been made of the
//! text.
//!
//! Other messages of a mailbox do not count: what is found in a message is the same wherever the mailbox is cut.

use std::cell::{Cell, OnceCell};
use std::mem;
use std::sync::Arc;

use memchr::memmem;

use super::join::hyphen_len;
use super::options::{Join, TextOptions};
use super::parallel;
use super::pasted;
use super::readings::{may_go_on, readings, round_line_end};
use super::text_url::TextUrl;
use crate::bytes::{Span, Spans};
use crate::format::{Options, html};
use crate::link::{Delimiter, Place, unwrapped};
use crate::source::{HtmlPage, PageUrls, Source, UrlSet};

/// A longer page is not looked at, in bytes.
const LONGEST_PAGE: usize = 4 << 20;

/// How far behind the URL of a link the text behind it is looked for, in bytes.
const LINK: usize = 1 << 10;

/// The end of the element.
const END: &[u8] = b"</a>";

/// Elements that stand within lines.
const INLINE: [&[u8]; 9] = [
    b"span", b"font", b"b", b"i", b"u", b"em", b"strong", b"tt", b"code",
];

/// Calls `found` with the URLs of the text of a part as [`pasted::scan`] does, in the reading that is proved where there
/// is one.
///
/// Linear. The text is searched a second time if it may hold a URL whole that a line end cuts elsewhere, and the HTML
/// version if the text has a URL that may go on in the next line.
pub(super) fn scan(
    text: &str,
    options: &TextOptions,
    version: Version<'_>,
    mut found: impl FnMut(TextUrl, &str, usize),
) {
    let is_guessed = options.join == Some(Join::Guess) && !options.strict;
    let own = Own::new(text, options);
    let mut last = Span::new(0, 0);
    let mut floor = 0;
    pasted::scan(text, options, |url, piece, offset| {
        let span = pasted::extent(&url).shifted(offset);
        if span.start < floor {
            return;
        }
        let before = mem::replace(&mut last, last_piece(&url.spans).shifted(offset));
        let is_whole = piece.len() == text.len();
        if !is_guessed
            || !is_whole
            || !may_go_on(text, &url)
            || version.pages.is_empty() && !own.may_have_whole(&url, before)
        {
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
        floor = end;
        if let Some(rest) = text.get(end..span.end) {
            parallel::scan(rest, options, |url| found(url, rest, end));
        }
    });
}

/// The reading that is proved: the longest one that stands elsewhere, with the hyphens at its line ends or without them.
fn proved(text: &str, readings: &[Spans], version: Version<'_>, own: &Own<'_>) -> Option<Spans> {
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

/// The same pieces without the hyphens at line ends, if there are any.
fn without_hyphens(text: &str, spans: &Spans) -> Option<Spans> {
    let mut shorter = spans.clone();
    let (_, inner) = shorter.split_last_mut()?;
    for span in inner {
        span.end -= hyphen_len(&text[span.range()]);
    }
    shorter.retain(|span| !span.is_empty());
    (shorter != *spans).then_some(shorter)
}

/// What the pieces spell.
fn spelled(text: &str, spans: &Spans) -> String {
    spans.iter().map(|span| &text[span.range()]).collect()
}

/// The URLs of the text itself that no line end may have cut.
struct Own<'t> {
    text: &'t str,
    options: &'t TextOptions,
    urls: OnceCell<UrlSet>,
    searches: Cell<usize>,
}

impl<'t> Own<'t> {
    /// So many URLs are looked for by themselves, as most texts have few and none of them twice. Then all are collected.
    const MOST_SEARCHES: usize = 16;

    fn new(text: &'t str, options: &'t TextOptions) -> Self {
        Self {
            text,
            options,
            urls: OnceCell::new(),
            searches: Cell::new(0),
        }
    }

    fn urls(&self) -> &UrlSet {
        self.urls
            .get_or_init(|| urls_within_lines(self.text, self.options))
    }

    /// Whether the text may have somewhere what `url` is if it goes on behind the line end. `last` is the URL before it.
    /// A URL in brackets that has a line end at the same place is not seen.
    fn may_have_whole(&self, url: &TextUrl, last: Span) -> bool {
        let searches = self.searches.replace(self.searches.get() + 1);
        searches >= Self::MOST_SEARCHES
            || round_line_end(self.text, url, last, |before, behind| {
                holds(self.text.as_bytes(), before, behind)
            })
    }
}

/// Whether `before` and `behind` stand side by side in `text`. Linear.
fn holds(text: &[u8], before: &[u8], behind: &[u8]) -> bool {
    /// How many bytes on each side are looked for. A finder of few is made in less time than one of all, and finds as
    /// little.
    const CORE: usize = 2;
    let core = &before[before.len().saturating_sub(CORE)..];
    let core = [core, &behind[..behind.len().min(CORE)]].concat();
    let half = core.len() - behind.len().min(CORE);
    let finder = memmem::Finder::new(&core);
    let mut from = 0;
    while let Some(found) = finder.find(&text[from..]) {
        let at = from + found + half;
        if text[..at].ends_with(before) && text[at..].starts_with(behind) {
            return true;
        }
        from += found + 1;
    }
    false
}

/// The URLs of a text that no line end may have cut.
fn urls_within_lines(text: &str, options: &TextOptions) -> UrlSet {
    let options = TextOptions {
        join: Some(Join::Angle),
        ..*options
    };
    let mut urls = UrlSet::default();
    let mut last = Span::new(0, 0);
    parallel::scan(text, &options, |url| {
        let before = mem::replace(&mut last, last_piece(&url.spans));
        let is_certain = match url.cue {
            Delimiter::Angle | Delimiter::Quote => true,
            _ => {
                url.spans.len() == 1
                    && (!may_go_on(text, &url) || readings(text, &url, before, &options).len() < 2)
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
pub(super) struct Version<'v> {
    pub(super) pages: &'v [Arc<HtmlPage>],
    /// How its links are found.
    pub(super) options: &'v Options,
}

impl Version<'_> {
    /// Whether `holds` is true of the URLs of one of its pages.
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
    let options = Options {
        anchors: false,
        scripted: false,
        ..options.clone()
    };
    let options = match &page.carrier {
        Some(carrier) => options.in_mail(page.format, carrier),
        None => options,
    };
    for link in html::find(page, &options.in_charset(page.charset)).links {
        let goes_on = matches!(link.place, Place::Markup(_)) && goes_on(page, link.extent().end);
        let mut insert = |url: &str| {
            urls.all.insert(url);
            if goes_on {
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

/// Whether the line goes on behind the `a` element whose URL ends at `end` in a page: text follows, or elements within
/// lines and text. Constant time.
fn goes_on(page: &Source, end: usize) -> bool {
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
