//! Links from URLs in a text.

use std::borrow::Cow;

use super::namespace::is_namespace;
use super::syntax::Translation;
use super::text_url::TextUrl;
use crate::bytes::{Span, Spans};
use crate::link::{Absoluteness, BaseScope, ParsedLink, Place, Role};

/// The link for `url`, found in `text`. `spans` spell it in the document.
#[inline]
pub(crate) fn link_of_url<'d>(
    url: &TextUrl,
    text: &str,
    spans: Spans,
    reference: Cow<'d, str>,
) -> ParsedLink<'d> {
    let text_bytes = text.as_bytes();
    let before = url.spans.first().map_or(0, |span| span.start);
    let before = text_bytes.get(..before).unwrap_or_default();
    let after = url.spans.last().map_or(text.len(), |span| span.end);
    let after = text_bytes.get(after..).unwrap_or_default();
    link_of_url_between((before, after), url, text, spans, reference)
}

/// The link for `url`, found in `text`, which need not contain the text before and after the URL.
#[inline]
pub(super) fn link_of_url_between<'d>(
    (before, after): (&[u8], &[u8]),
    url: &TextUrl,
    text: &str,
    spans: Spans,
    reference: Cow<'d, str>,
) -> ParsedLink<'d> {
    let role = match is_namespace(before, &reference, after) {
        true => Role::Namespace,
        false => Role::Navigate,
    };
    ParsedLink {
        spans,
        reference,
        place: Place::Text(url.delimiter),
        role,
        absoluteness: Absoluteness::Optional,
        base_scope: BaseScope::Base,
        notes: url.notes(),
        alternatives: url.alternatives(text).into(),
    }
}

/// The link for `url`, found in `text`, a piece of a translated text in which it has these spans.
/// `to_source` maps the text before its translation to the bytes of the document.
pub(super) fn link_of_translated_url<'d>(
    (url, text, in_translation): (&TextUrl, &str, &Spans),
    translation: &Translation,
    reference: Cow<'d, str>,
    to_source: &dyn Fn(Span) -> Span,
) -> ParsedLink<'d> {
    let pieces = in_translation.iter();
    let pieces = pieces.flat_map(|&span| translation.pieces(span));
    let spans: Spans = pieces.map(to_source).collect();
    let note = translation.note(spans.len());
    let mut link = link_of_url(url, text, spans, reference);
    if !in_translation.iter().all(|&span| translation.is_plain(span)) {
        link.notes = link.notes.with(note);
    }
    link
}
