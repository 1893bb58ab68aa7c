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
//! * **Bytes.** A sheet in UTF-8 or a single-byte encoding is read undecoded. Only values are decoded,
//!   so a byte that is not UTF-8 costs nothing.
//! * **Writing** escapes the characters that would end the URL, and in markup also those that would
//!   end the value.

mod charset;
mod comments;
mod declare;
mod detect;
mod language;
mod lexer;
mod scanner;

pub(super) use comments::comments;
pub(crate) use language::LANGUAGE;

use encoding_rs::UTF_8;
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
use crate::source::{Source, Validity};

/// Finds the links of a style sheet or of declarations, whose text is `value` at the place
/// `markup`.
pub(super) fn links_within(
    value: &Value<'_>,
    markup: &MarkupPlace,
    base_scope: &BaseScope,
    mut found: impl FnMut(ParsedLink<'static>),
) {
    scan(value.text.as_bytes(), UTF_8, |url| {
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
    scan(text.as_bytes(), UTF_8, |url| {
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
    let charset = document.charset;
    let encoding = charset.encoding();
    let mut batch = Batch::new(take);
    let malformed = if encoding == UTF_8 || encoding.is_single_byte() {
        let start = charset.bom_len();
        let bytes = &document.bytes[start..];
        scan(bytes, encoding, |url| {
            let (span, notes) = (url.span.shifted(start), url.notes);
            batch.push(link_of_url(url, span, notes));
        });
        Validity::of(encoding).malformed(bytes).map(|at| at + start)
    } else {
        let decoded = document.text();
        scan(decoded.text.as_bytes(), UTF_8, |url| {
            let (span, notes) = (decoded.to_source(url.span), notes_of(&decoded, url.span));
            batch.push(link_of_url(url, span, notes).into_owned());
        });
        decoded.malformed
    };
    batch.deliver();
    ParsedLinks::of_links(Vec::new(), document.base.clone(), malformed)
}

/// The link for a URL spelled by the bytes `span` of its document.
fn link_of_url<'t>(url: CssUrl<'t>, span: Span, notes: Notes) -> ParsedLink<'t> {
    let place = Place::Css(CssPlace { form: url.form, markup: None });
    let role = if url.import { Role::Style } else { Role::Embed };
    ParsedLink { notes, ..ParsedLink::new(smallvec![span], url.reference, place, role) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::document::Document;
    use crate::source::{Charset, Text};

    const PIECES: [&str; 20] = [
        "url(", "u\\rl(", "\\75rl(", ")", "'", "\"", "@import ", "@\\69mport", "image-set(", "\\",
        "\n", " ", "\x01", "\0", "/*", "*/", "a", "#", "-", "{b:url(c)}",
    ];

    /// Bytes that are not ASCII, in part characters of UTF-8.
    const OTHERS: [&[u8]; 9] = [
        b"\xFF", b"\xC3", b"\xE4\xB8", b"\xF0\x9F\x98", b"\xED\xA0\x80", b"\x80", b"\xC3\xA9",
        b"\xF0\x9F\x98\x80", b"\xEF\xBB\xBF",
    ];

    proptest! {
        #![proptest_config(crate::tier::cases(4000))]

        /// The links are those of the decoded text, also where bytes have no meaning.
        #[test]
        fn undecoded_sheets_have_the_links_of_their_text(
            pieces in prop::collection::vec(
                prop_oneof![
                    2 => select(&PIECES[..]).prop_map(str::as_bytes),
                    1 => select(&OTHERS[..]),
                ],
                0..16,
            ),
            label in select(vec!["utf-8", "windows-1252", "iso-8859-8", "shift_jis"]),
        ) {
            let bytes = pieces.concat();
            let charset = Charset::named(label, &bytes).expect("a label");
            let sheet = Document::new("a.css", bytes.clone()).with_charset(charset);
            let found = find(sheet.source(), &Options::default());
            let text = Text::decode(&bytes, charset);
            let mut expected = Vec::new();
            scan(text.text.as_bytes(), UTF_8, |url| {
                let notes = notes_of(&text, url.span);
                let link = link_of_url(url.clone(), text.to_source(url.span), notes);
                expected.push(link.into_owned());
            });
            prop_assert_eq!(found.links, expected);
            prop_assert_eq!(found.malformed, text.malformed);
        }
    }
}
