//! URLs in the text of mail, which may contain pasted HTML.

use memchr::memchr_iter;

use crate::bytes::Span;
use crate::format::text::{self, TextOptions, TextUrl};
use crate::link::Delimiter;

/// Character references for characters that end a URL: white space, quotes and angle brackets.
const ENDS: [&str; 12] = [
    "&nbsp;", "&quot;", "&lt;", "&gt;", "&#160;", "&#xa0;", "&#34;", "&#x22;", "&#60;", "&#x3c;",
    "&#62;", "&#x3e;",
];

/// Calls `found` with the URLs of `text`, like [`text::scan`], except that bare URLs end at a
/// character reference for a character that ends a URL. Each comes with the piece of text in which
/// it was found and the offset of that piece. The spans count from there. Linear.
pub(in crate::format::mail) fn scan(
    text: &str,
    options: &TextOptions,
    mut found: impl FnMut(TextUrl, &str, usize),
) {
    text::scan(text, options, |url| {
        let extent = extent(&url);
        let is_bare = matches!(url.delimiter, Delimiter::Bare | Delimiter::Prefix);
        if !is_bare {
            found(url, text, 0);
            return;
        }
        let mut ends = ends(text, extent).peekable();
        if ends.peek().is_none() {
            found(url, text, 0);
            return;
        }
        let mut start = extent.start;
        for end in ends.chain([Span::new(extent.end, extent.end)]) {
            // A reference at the end of the range may extend beyond it.
            let piece = &text[start..end.start.max(start)];
            text::scan(piece, options, |url| found(url, piece, start));
            start = end.end;
        }
    });
}

pub(super) fn extent(url: &TextUrl) -> Span {
    match (url.spans.first(), url.spans.last()) {
        (Some(first), Some(last)) => Span::new(first.start, last.end),
        _ => Span::new(0, 0),
    }
}

/// The references of `text` that begin within `extent` and end a URL.
fn ends(text: &str, extent: Span) -> impl Iterator<Item = Span> {
    let within = &text.as_bytes()[extent.range()];
    memchr_iter(b'&', within).filter_map(move |at| {
        let start = extent.start + at;
        let rest = &text.as_bytes()[start..];
        let is_here = |end: &&&str| {
            let here = rest.get(..end.len());
            here.is_some_and(|here| here.eq_ignore_ascii_case(end.as_bytes()))
        };
        let end = ENDS.iter().find(is_here)?;
        Some(Span::new(start, start + end.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(text: &str) -> Vec<&str> {
        let mut urls = Vec::new();
        scan(text, &TextOptions::default(), |url, piece, offset| {
            let span = extent(&url).shifted(offset);
            assert_eq!(&piece[extent(&url).range()], &text[span.range()]);
            urls.push(&text[span.range()]);
        });
        urls
    }

    #[test]
    fn character_references_end_bare_urls() {
        assert_eq!(urls("http://a.example/b&nbsp;more"), ["http://a.example/b"]);
        assert_eq!(urls("http://a.example/b.&NBSP;More"), ["http://a.example/b"]);
        assert_eq!(urls("http://a.example/b&gt;"), ["http://a.example/b"]);
        let pasted = "&lt;a href=&quot;http://a.example/b&quot;&gt;http://a.example/c&lt;/a&gt; x";
        assert_eq!(urls(pasted), ["http://a.example/b", "http://a.example/c"]);
        for whole in [
            "http://a.example/?b=1&amp;c=2",
            "http://a.example/?lt=1&gt=2",
            "http://a.example/?b&#38;c",
        ] {
            assert_eq!(urls(whole), [whole]);
        }
        assert_eq!(urls("<http://a.example/?b&lt;c>"), ["http://a.example/?b&lt;c"]);
    }
}
