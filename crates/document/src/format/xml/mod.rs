//! Links in XML: in feeds, sitemaps, SVG, XHTML and other vocabularies, and those that any may have
//! (XLink, XML Base, style sheets).
//!
//! References resolve against the `xml:base` of the elements around them. Malformed documents are
//! read too, since feeds often are malformed.
//!
//! # Design
//! * **Lexer.** `lexer` finds the exact span of each value. It has one reading for well-formed
//!   text, and continues at the next `<` or `>` after an error: feeds have bare `&`, missing end
//!   tags and missing quotes. A failed search is not repeated, so time is linear. The internal
//!   subset of a DOCTYPE is skipped.
//! * **Namespaces.** Names count by their namespaces (`namespace`), with the scopes of their
//!   declarations. An undeclared well-known prefix has its usual meaning. The root determines the
//!   vocabulary of names without a namespace: `rss` and `opml` never had one.
//! * **Tables.** One `table` has the link attributes and elements of each vocabulary. XHTML uses
//!   the table of HTML (`xhtml`), with names in lower case.
//! * **Other vocabularies** have no rules. Absolute URLs in their values are links as in any text
//!   (`urls`), except names of namespaces. Values that look like relative references are not read,
//!   and the document counts as such (`unread`).
//! * **Content.** The content of an element is a link if it is text alone (`content`): up to the
//!   first child element, without surrounding white space. Comments or sections between its pieces
//!   give it several spans. Links of several spans are skipped in rewrites.
//! * **Escaped HTML.** In feeds, the text of some elements is HTML (`escaped`). It is decoded and
//!   read as a page, and the spans of its links are mapped back through both layers. New references
//!   are escaped for both, from the inside out (`Markup::within`).
//! * **Comparing** (`compare`). The bytes outside of links must be the same. HTML with edited links
//!   is decoded and compared as a DOM.
//! * **Bases nest** (`BaseScope::Nested`): each link shares the chain of the `xml:base` around it,
//!   and `LinkResolver` caches the last resolved chain, so each base is resolved once.

mod anchors;
mod comments;
mod compare;
mod content;
mod declare;
mod escaped;
mod fields;
mod finder;
mod formulas;
mod found;
mod input;
mod language;
mod lexer;
mod linkless;
mod namespace;
mod office;
mod pieces;
mod relationships;
mod styles;
mod table;
mod unread;
mod urls;
mod xhtml;

use std::borrow::Cow;

use encoding_rs::UTF_8;

use self::finder::Finder;
use super::batch::Take;
use super::unread::UnreadKind;
use super::{Options, ParsedLinks};
pub use crate::format::markup::xml_value::{is_char, names_entity};
use crate::link::{AttributeSpan, Note, ParsedLink, effective_base};
use crate::source::{Base, CharsetFrom, Source};
pub(crate) use language::LANGUAGE;
pub use relationships::uses;

/// The links of an XML document, in source order.
pub(crate) fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    ParsedLinks::collected(|take| find_each(document, options, take))
}

/// Delivers the links of an XML document, in source order, as they are found. Returns the rest
/// about them.
pub(crate) fn find_each<'d>(
    document: &'d Source,
    options: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    if linkless::has_no_links(document, options) {
        return ParsedLinks::of_links(Vec::new(), base(document, options, None), None);
    }
    let charset = document.charset;
    if !charset.is_ascii_compatible() {
        return find_in_decoded(document, options, take);
    }
    let start = charset.bom_len();
    let mut undecodable = None;
    let mut finished = |links: &mut Vec<ParsedLink<'d>>| {
        if start > 0 {
            let spans = links.iter_mut().flat_map(|link| &mut link.spans);
            spans.for_each(|span| *span = span.shifted(start));
        }
        let is_undecodable = |link: &&ParsedLink<'_>| link.notes.contains(Note::Undecodable);
        if undecodable.is_none() {
            undecodable = links.iter().find(is_undecodable).map(|it| it.extent().start);
        }
        take(links);
    };
    let source = &document.bytes[start..];
    let found = Finder::new(source, charset.encoding(), options, &mut finished)
        .of_part(document.package_part.as_deref())
        .run();
    let (anchors, elements, guessed) = (found.anchors, found.base_elements, found.guessed);
    let is_unbalanced = found.is_unbalanced;
    let base = base(document, options, found.base);
    let malformed = undecodable.or_else(|| {
        // A stream was detected as UTF-8 from its beginning.
        let by_beginning = charset.from() == CharsetFrom::Valid;
        let checked = by_beginning.then(|| std::str::from_utf8(&document.bytes));
        checked?.err().map(|error| error.valid_up_to())
    });
    let shifted = |it: &AttributeSpan| it.mapped(|span| span.shifted(start));
    ParsedLinks {
        anchors,
        base_elements: elements.iter().map(shifted).collect(),
        guessed,
        is_unbalanced,
        ..ParsedLinks::of_links(Vec::new(), base, malformed)
    }
}

/// Like [`find_each`], for UTF-16 and ISO-2022-JP, whose markup is not ASCII: the text is read, and
/// spans are mapped back.
fn find_in_decoded<'d>(
    document: &Source,
    options: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    let text = document.text();
    let mut to_source = |links: &mut Vec<ParsedLink<'_>>| {
        let links = links.drain(..).map(|link| link.with_source_spans(&text));
        take(&mut links.collect());
    };
    let found = Finder::new(text.text.as_bytes(), UTF_8, options, &mut to_source)
        .of_part(document.package_part.as_deref())
        .run();
    let own = |anchor: Cow<'_, str>| Cow::Owned(anchor.into_owned());
    let mapped = |it: &AttributeSpan| it.mapped(|span| text.to_source(span));
    ParsedLinks {
        anchors: found.anchors.into_iter().map(own).collect(),
        base_elements: found.base_elements.iter().map(mapped).collect(),
        guessed: found.guessed,
        is_unbalanced: found.is_unbalanced,
        ..ParsedLinks::of_links(Vec::new(), base(document, options, found.base), text.malformed)
    }
}

/// Returns the kind of a document whose root has a vocabulary without rules for links, with values
/// that are not links and look like relative references. Documents of other vocabularies are read
/// only up to their root.
fn unread(document: &Source) -> Option<UnreadKind> {
    let charset = document.charset;
    let options = Options::default();
    let has_unread = match charset.is_ascii_compatible() {
        true => {
            let source = &document.bytes[charset.bom_len()..];
            Finder::new(source, charset.encoding(), &options, &mut |_| {}).has_unread()
        }
        false => {
            let text = document.text();
            Finder::new(text.text.as_bytes(), UTF_8, &options, &mut |_| {}).has_unread()
        }
    };
    has_unread.then_some(UnreadKind::Vocabulary)
}

/// The base URL of the document, whose first `base` element of XHTML has this reference. It is
/// `Some(None)` if the reference has an entity: then the base is unknown.
fn base(document: &Source, options: &Options, element: Option<Option<String>>) -> Option<Base> {
    if element == Some(None) {
        return None;
    }
    let element = element.flatten();
    effective_base(element.as_deref(), document.base.as_ref(), &options.resolver)
}
