//! FoundLinks in XML: of feeds, sitemaps, SVG, XHTML and a few more vocabularies, and what any may have
//! (XLink, XML Base, style sheets).
//!
//! The bytes are read once by a lexer of our own, so that each value is known by its exact span.
//! Names count by their namespaces. References resolve against the `xml:base` of the elements round
//! them. What is not well-formed is read as far as it makes sense: feeds often are not.

mod anchors;
mod charset;
mod content;
mod detect;
mod finder;
mod found;
mod input;
mod language;
mod lexer;
mod namespace;
mod styles;
mod table;
mod value;
mod xhtml;

use std::borrow::Cow;

use encoding_rs::UTF_8;

use self::finder::Finder;
use super::{FoundLinks, Options};
use crate::link::{LinkData, Note, base_of_element};
use crate::source::{Base, CharsetFrom, Source};
pub(crate) use charset::xml_declaration;
pub(crate) use language::LANGUAGE;
pub(crate) use value::{is_char, names_entity};

/// The links of an XML document, in source order.
pub(crate) fn find<'d>(document: &'d Source, options: &Options) -> FoundLinks<'d> {
    let charset = document.charset;
    if charset.is_ascii_compatible() {
        let start = charset.bom_len();
        let source = &document.bytes[start..];
        let found = Finder::new(source, charset.encoding(), options).run();
        let base = base(document, options, found.base);
        let (mut links, mut base_elements) = (found.links, found.base_elements);
        for element in &mut base_elements {
            element.removal = element.removal.map(|span| span.shifted(start));
        }
        if start > 0 {
            let spans = links.iter_mut().flat_map(|link| &mut link.spans);
            spans.for_each(|span| *span = span.shifted(start));
        }
        let undecodable = links
            .iter()
            .find(|link| link.notes.contains(Note::Undecodable));
        let malformed = undecodable.map(|link| link.extent().start).or_else(|| {
            // A stream was taken for UTF-8 by its beginning.
            let by_beginning = charset.from() == CharsetFrom::Valid;
            let checked = by_beginning.then(|| std::str::from_utf8(&document.bytes));
            checked?.err().map(|error| error.valid_up_to())
        });
        return FoundLinks {
            integrity: Vec::new(),
            scripted: 0,
            links,
            anchors: found.anchors,
            base,
            base_elements,
            malformed,
            guessed: false,
        };
    }
    // The markup of UTF-16 and ISO-2022-JP is not ASCII: it is read from the text, and the spans
    // are led back.
    let text = document.text();
    let mut found = Finder::new(text.text.as_bytes(), UTF_8, options).run();
    let base = base(document, options, found.base);
    let lead_back = |link: LinkData<'_>| link.led_back(&text);
    let own = |anchor: Cow<'_, str>| Cow::Owned(anchor.into_owned());
    for element in &mut found.base_elements {
        element.removal = element.removal.map(|span| text.to_source(span));
    }
    FoundLinks {
        integrity: Vec::new(),
        scripted: 0,
        links: found.links.into_iter().map(lead_back).collect(),
        anchors: found.anchors.into_iter().map(own).collect(),
        base,
        base_elements: found.base_elements,
        malformed: text.malformed,
        guessed: false,
    }
}

/// The base URL of the document: that of the first `base` element of XHTML if usable, or else the one from outside.
fn base(document: &Source, options: &Options, element: Option<Option<String>>) -> Option<Base> {
    let outer = document.base.as_ref();
    match element {
        Some(None) => None,
        Some(Some(it)) => base_of_element(&it, outer, &options.resolver).or_else(|| outer.cloned()),
        None => outer.cloned(),
    }
}
