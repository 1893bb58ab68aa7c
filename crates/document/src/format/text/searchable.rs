//! A text that is searched, and the links of the URLs in it.

use super::syntax::Translation;
use super::text_link::{link_of_translated_url, link_of_url};
use super::text_url::TextUrl;
use crate::bytes::{Span, Spans};
use crate::link::ParsedLink;

/// The text that is searched, and its map to the document.
pub(super) struct Searchable<'h> {
    pub(super) text: &'h str,
    /// The text before its translation, in which lines are counted.
    pub(super) translated: Option<(&'h str, &'h Translation)>,
    /// Maps the text before its translation to the bytes of the document.
    pub(super) to_source: &'h dyn Fn(Span) -> Span,
}

impl<'h> Searchable<'h> {
    pub(super) fn plain(text: &'h str, to_source: &'h dyn Fn(Span) -> Span) -> Self {
        Self { text, translated: None, to_source }
    }

    /// The link for `url`.
    #[inline]
    pub(super) fn link(&self, url: &TextUrl) -> ParsedLink<'h> {
        let reference = url.reference(self.text);
        match self.translated {
            None => {
                let spans = match url.spans[..] {
                    [span] => Spans::from_buf([(self.to_source)(span)]),
                    ref spans => spans.iter().map(|&span| (self.to_source)(span)).collect(),
                };
                link_of_url(url, self.text, spans, reference)
            }
            Some((_, translation)) => {
                let found = (url, self.text, &url.spans);
                link_of_translated_url(found, translation, reference, self.to_source)
            }
        }
    }

    /// The start of `url` in the text whose lines are counted.
    #[inline]
    pub(super) fn start(&self, url: &TextUrl) -> usize {
        match self.translated {
            None => url.spans[0].start,
            Some((_, translation)) => translation.pieces(url.spans[0])[0].start,
        }
    }

    /// The end of `url` in that text.
    #[inline]
    pub(super) fn end(&self, url: &TextUrl) -> usize {
        let last = url.spans[url.spans.len() - 1];
        match self.translated {
            None => last.end,
            Some((_, translation)) => {
                translation.pieces(last).last().map_or(last.end, |piece| piece.end)
            }
        }
    }

    /// The text whose lines are counted.
    pub(super) fn lines(&self) -> &'h str {
        self.translated.map_or(self.text, |(text, _)| text)
    }
}
