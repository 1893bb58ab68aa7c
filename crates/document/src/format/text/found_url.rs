//! The URLs found in the bytes of a text.

use std::borrow::Cow;

use super::text_link::{link_of_url, link_of_url_between};
use super::text_url::TextUrl;
use super::window::Offsets;
use crate::bytes::{Span, Spans};
use crate::link::{Delimiter, ParsedLink};

/// A URL found in the bytes of a text.
#[derive(Debug)]
pub(super) enum FoundUrl<'t> {
    /// A URL in plain text, which begins at this offset.
    InText(TextUrl, &'t str, usize),
    /// A URL whose bytes are ASCII, in one piece, with one reading.
    Ascii(Span, Delimiter),
    /// The link of any other URL.
    Decoded(Box<ParsedLink<'static>>),
}

impl<'t> FoundUrl<'t> {
    /// `url`, which was found in `text`.
    pub(super) fn of(url: TextUrl, text: &str, offsets: &mut Offsets<'_>) -> Self {
        let to_source = |span: &Span| {
            let start = offsets.source_start(text, span.start);
            Span::new(start, offsets.source_end(text, span.end))
        };
        let spans: Spans = url.spans.iter().map(to_source).collect();
        let reference = url.reference(text);
        if let ([span], [in_text]) = (&spans[..], &url.spans[..])
            && url == TextUrl::whole(in_text.start, in_text.end, url.delimiter)
            && reference.is_ascii()
        {
            return Self::Ascii(*span, url.delimiter);
        }
        let reference = reference.into_owned().into();
        Self::Decoded(Box::new(link_of_url(&url, text, spans, reference)))
    }

    /// The link in `bytes`, which begin at `start` in the document.
    pub(super) fn into_link(self, bytes: &'t [u8], start: usize) -> ParsedLink<'t> {
        match self {
            Self::InText(url, text, offset) => {
                let spans = url.spans.iter().map(|span| span.shifted(offset + start)).collect();
                link_of_url(&url, text, spans, url.reference(text))
            }
            Self::Ascii(span, delimiter) => {
                let url = TextUrl::whole(span.start, span.end, delimiter);
                let reference = std::str::from_utf8(&bytes[span.range()]).unwrap_or_default();
                let spans = [span.shifted(start)].into_iter().collect();
                let around = (&bytes[..span.start], &bytes[span.end..]);
                link_of_url_between(around, &url, reference, spans, Cow::Borrowed(reference))
            }
            Self::Decoded(mut link) => {
                for span in &mut link.spans {
                    *span = span.shifted(start);
                }
                *link
            }
        }
    }

    /// The first byte of the last piece.
    pub(super) fn last_piece(&self) -> usize {
        match self {
            Self::InText(url, _, offset) => url.spans.last().map_or(0, |it| it.start + offset),
            Self::Ascii(span, _) => span.start,
            Self::Decoded(link) => link.spans.last().map_or(0, |span| span.start),
        }
    }
}
