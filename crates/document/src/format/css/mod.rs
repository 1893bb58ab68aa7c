//! Links in style sheets: `url()`, the URL of `@import`, and the strings of `image-set()`.
//!
//! A sheet is read once by a tokenizer (CSS Syntax Level 3, section 4) reduced to the tokens that
//! matter for links. The URL of `@namespace`, which is a name, and an empty URL, which is invalid
//! in CSS, are not links.
//!
//! # Design
//! * **Tokenizer, no parser.** It reads the tokens that may contain or hide a URL: strings,
//!   comments, `url()` and names with escapes (`lexer`). It reads no rules or declarations, so a
//!   link counts anywhere: in a `style` attribute, in an `@import` after other rules or within a
//!   block, and where the text ends early.
//! * **Jumps.** Six bytes begin every relevant token. At a parenthesis the tokenizer reads the name
//!   before it, never beyond the last token, so time is linear. It counts open parentheses only in
//!   an `image-set()`. A byte that cannot occur in one, such as a brace, ends an unclosed one.
//! * **Writing** escapes the characters that would end the URL, and in markup also those that would
//!   end the value.

mod charset;
mod declare;
mod detect;
mod language;
mod lexer;
mod scanner;

pub(crate) use language::LANGUAGE;

use std::borrow::Cow;

use smallvec::smallvec;

use self::scanner::{CssUrl, scan};
use super::batch::{Batch, Take};
use super::markup::value::Value;
use super::value::notes_of;
use super::{Options, ParsedLinks};
use crate::bytes::Span;
use crate::link::{
    BaseScope, CssPlace, Markup, MarkupPlace, Notes, ParsedLink, Place, Quoting, Role,
};
use crate::source::{Source, Text};

/// Finds the links of a style sheet or of declarations, whose text is `value` at the place
/// `markup`.
pub(super) fn links_within(
    value: &Value<'_>,
    markup: &MarkupPlace,
    base_scope: &BaseScope,
    mut found: impl FnMut(ParsedLink<'static>),
) {
    scan(&value.text, |url| {
        let span = url.span;
        found(link_within(url, value, span, markup, base_scope));
    });
}

/// The link for a URL spelled by the bytes `span` of `value`.
fn link_within(
    url: CssUrl<'_>,
    value: &Value<'_>,
    span: Span,
    markup: &MarkupPlace,
    base_scope: &BaseScope,
) -> ParsedLink<'static> {
    let (source, notes) = (value.to_source(span), value.notes(span));
    let mut link = link_of_url(url, source, notes).into_owned();
    link.base_scope = base_scope.clone();
    if let Place::Css(place) = &mut link.place {
        place.markup = Some(markup.clone());
    }
    link
}

/// Finds the links of a style sheet in an element with several pieces of text, divided by comments
/// and the borders of CDATA sections. A URL divided by a border has no span, so it is not a link.
pub(super) fn links_of_pieces(
    pieces: &[(Value<'_>, Quoting)],
    markup: &Markup,
    base_scope: &BaseScope,
    mut found: impl FnMut(ParsedLink<'static>),
) {
    let quoted = |quoting| MarkupPlace::from(Markup { quoting, ..markup.clone() });
    if let [(value, quoting)] = pieces {
        return links_within(value, &quoted(*quoting), base_scope, found);
    }
    let text: String = pieces.iter().map(|(value, _)| &*value.text).collect();
    let mut starts = Vec::with_capacity(pieces.len());
    let mut start = 0;
    for (value, _) in pieces {
        starts.push(start);
        start += value.text.len();
    }
    scan(&text, |url| {
        let at = starts.partition_point(|&start| start <= url.span.start) - 1;
        let (value, quoting) = &pieces[at];
        let span = Span::new(url.span.start - starts[at], url.span.end - starts[at]);
        if span.end > value.text.len() {
            return;
        }
        found(link_within(url, value, span, &quoted(*quoting), base_scope));
    });
}

/// The links of a style sheet, in source order.
pub(super) fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    ParsedLinks::collected(|take| find_each(document, options, take))
}

/// Delivers the links of a style sheet, in source order.
pub(super) fn find_each<'d>(
    document: &'d Source,
    _: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    let decoded = document.text();
    let mut batch = Batch::new(take);
    match &decoded.text {
        Cow::Borrowed(text) => scan(text, |url| batch.push(link_in_text(url, &decoded))),
        Cow::Owned(text) => scan(text, |url| {
            batch.push(link_in_text(url, &decoded).into_owned());
        }),
    }
    batch.deliver();
    ParsedLinks::of_links(Vec::new(), document.base.clone(), decoded.malformed)
}

/// The link for a URL of the text `decoded`.
fn link_in_text<'t>(url: CssUrl<'t>, decoded: &Text<'_>) -> ParsedLink<'t> {
    let notes = notes_of(decoded, url.span);
    let span = decoded.to_source(url.span);
    link_of_url(url, span, notes)
}

/// The link for a URL spelled by the bytes `span` of its document.
fn link_of_url<'t>(url: CssUrl<'t>, span: Span, notes: Notes) -> ParsedLink<'t> {
    let place = Place::Css(CssPlace { form: url.form, markup: None });
    let role = if url.import { Role::Style } else { Role::Embed };
    ParsedLink { notes, ..ParsedLink::new(smallvec![span], url.reference, place, role) }
}
