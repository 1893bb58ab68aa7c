//! FoundLinks in HTML: of every attribute that the standard, or its past, gives a URL; and those of style
//! sheets, import maps and pages inside the page.
//!
//! The bytes are read once by a lexer of our own, so that each value is known by its exact span. What a
//! tag means (whether it makes an element, and of which language) follows for nearly all pages from the
//! tags alone: see `rules`. Where it does not, the page is read again, and html5ever's tree builder
//! says it: see `judge`. Either way the links are those of the DOM that a browser builds.

mod anchors;
mod charref;
mod chars;
mod compare;
mod context;
mod fast_path;
mod found;
mod integrity;
mod json;
mod lexer;
mod links;
mod names;
pub(super) mod namespace;
mod page;
mod reader;
mod rules;
mod scripted;
mod simd;
pub(super) mod table;
mod tag_classifier;
mod token;
mod tree;
mod tree_feed;
mod tree_oracle;
pub(super) mod values;
mod visible;

use std::borrow::Cow;

use encoding_rs::UTF_8;

use self::page::Page;
use self::reader::read;
use super::{FoundLinks, Options};
use crate::link::{LinkData, Note};
use crate::source::{CharsetFrom, Source};
pub(crate) use charref::{Within as ReferenceWithin, begins_with_reference};
pub(crate) use compare::{Difference, LinkState, Pair, Side, compare};
pub use context::{Context, Contexts};
pub use scripted::scripted_links;

/// The links of an HTML document, in source order.
pub(super) fn find<'d>(document: &'d Source, options: &Options) -> FoundLinks<'d> {
    let charset = document.charset;
    if !charset.is_ascii_compatible() {
        // The markup of UTF-16 and ISO-2022-JP is not ASCII: it is read from the text, and the spans
        // are led back.
        let text = document.text();
        let page = Page::of_text(&text.text, options);
        let read = read(&page);
        let base = read.base(document, options);
        let lead_back = |link: LinkData<'_>| link.led_back(&text);
        let own = |anchor: Cow<'_, str>| Cow::Owned(anchor.into_owned());
        let base_elements = read.base_elements(|span| text.to_source(span));
        let integrity = read.integrity_led(|span| text.to_source(span));
        return FoundLinks {
            integrity,
            scripted: read.scripted,
            links: read.links.into_iter().map(lead_back).collect(),
            anchors: read.anchors.into_iter().map(own).collect(),
            base,
            base_elements,
            malformed: text.malformed,
            guessed: read.guessed,
        };
    }
    let start = charset.bom_len();
    let bytes = &document.bytes[start..];
    let is_utf8 = charset.encoding() == UTF_8;
    let text = is_utf8.then(|| simdutf8::basic::from_utf8(bytes).ok());
    let page = Page {
        bytes,
        text: text.flatten(),
        encoding: charset.encoding(),
        options,
        anchors: options.anchors,
        within: None,
        depth: 0,
    };
    let mut read = read(&page);
    let base = read.base(document, options);
    if start > 0 {
        let spans = read.links.iter_mut().flat_map(|link| &mut link.spans);
        spans.for_each(|span| *span = span.shifted(start));
    }
    let undecodable = |link: &&LinkData<'_>| link.notes.contains(Note::Undecodable);
    let malformed = match page.text {
        Some(_) => None,
        None => {
            let link = read.links.iter().find(undecodable);
            link.map(|link| link.extent().start).or_else(|| {
                // A stream was taken for UTF-8 by its beginning.
                let by_beginning = charset.from() == CharsetFrom::Valid;
                let error = std::str::from_utf8(&document.bytes)
                    .err()
                    .filter(|_| by_beginning);
                error.map(|error| error.valid_up_to())
            })
        }
    };
    FoundLinks {
        base_elements: read.base_elements(|span| span.shifted(start)),
        integrity: read.integrity_led(|span| span.shifted(start)),
        scripted: read.scripted,
        links: read.links,
        anchors: read.anchors,
        base,
        malformed,
        guessed: read.guessed,
    }
}
