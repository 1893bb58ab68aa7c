//! HTML that is escaped in the text of an element, as in feeds.
//!
//! # Elements
//! * RSS 2.0 and earlier: `description` of a channel or an item has entity-encoded HTML (RSS 2.0,
//!   "Elements of `<item>`"). RSS 1.0 is written in the same way. Readers show its other texts,
//!   such as `title`, as plain text (RSS Best Practices Profile), in which a `<` is a character.
//! * `content:encoded` (RSS 1.0 Modules: Content).
//! * Atom: `content`, `rights`, `subtitle`, `summary` and `title` with `type="html"` (RFC 4287,
//!   section 3.1.1.2), and with `type="text/html"` (section 4.1.3.3). The same in Atom 0.3, which
//!   also has `copyright`, `info` and `tagline`, unless their `mode` is `xml` or `base64`.
//! * Media RSS: `media:title`, `media:description` and `media:text` with `type="html"`.
//! * `itunes:summary`: Apple documented links in it, in a CDATA section. Its other texts are plain.
//!
//! With `type="xhtml"` the elements are children, which are read as XML.
//!
//! # Reading
//! The text is decoded as XML, and read as HTML by `format::html::read_part`. A child element
//! divides the text of a malformed feed: each part is HTML of its own.
//!
//! # Base
//! That of the element: its `xml:base`, or else that of the document, as for other links in it. The
//! `link` of a channel or an item is not a base in any specification, and readers differ. Links in
//! RSS and its modules should be absolute (RSS Best Practices Profile), so they are never made
//! relative. Those in Atom may be relative.

use std::borrow::Cow;
use std::sync::Arc;

use super::found::Found;
use super::input::{Element, Input, owned};
use super::pieces::{Pieces, quoting};
use super::table::{self, HtmlText};
use crate::bytes::{Span, Spans};
use crate::format::html;
use crate::format::markup::xml_value::Within;
use crate::link::{Absoluteness, Form, Language, Markup, Note, Notes, Quoting, ScopedBase};

/// Returns true if the text of the element of the current tag is HTML, and requested.
pub(super) fn is_html(input: &Input<'_, '_>, element: &Element<'_>) -> bool {
    if !input.options.escaped_html && !input.options.html_text {
        return false;
    }
    let has = |name: &str, wanted: &str| {
        let value = input.value_of(name).unwrap_or_default();
        value.trim().eq_ignore_ascii_case(wanted)
    };
    match table::html_text(element.namespace, element.local) {
        None => false,
        Some(HtmlText::Always) => true,
        Some(HtmlText::ByType) => {
            has("type", "html")
                || has("type", "text/html") && !has("mode", "xml") && !has("mode", "base64")
        }
    }
}

/// Reads the HTML at `pieces` in an element: its name, the base of its content, and whether its
/// links must be absolute.
pub(super) fn read<'s>(
    input: &Input<'s, '_>,
    (name, base, absoluteness): (Span, Option<&Arc<ScopedBase>>, Absoluteness),
    pieces: &[(Span, Within)],
    found: &mut Found<'_, 's>,
) {
    // A tag, perhaps escaped, or a URL.
    let may_begin = |&(span, _): &(Span, Within)| {
        memchr::memchr2(b'<', b'&', &input.source[span.range()]).is_some()
    };
    if !input.options.html_text && !pieces.iter().any(may_begin) {
        return;
    }
    let decoded = Pieces::of(input, pieces);
    let [content, cdata] = [Quoting::Content, Quoting::Cdata].map(|quoting| Markup {
        language: Language::Xml,
        element: owned(&input.source[name.range()]),
        attribute: Cow::Borrowed(Markup::CONTENT),
        quoting,
        form: Form::Whole,
        within: None,
        rel: None,
        fragment: None,
    });
    let first = match pieces.first().map(|&(_, within)| quoting(within)) {
        Some(Quoting::Cdata) => cdata.clone(),
        _ => content.clone(),
    };
    let places = [Arc::new(content), Arc::new(cdata)];
    let part = html::read_part(decoded.text(), first, base, input.options, &mut |links| {
        for link in links.drain(..) {
            let mut link = link.into_owned();
            let mut spans = Spans::new();
            let mut place = None;
            for &span in &link.spans {
                let source = decoded.source_of(span);
                spans.extend(source.spans);
                link.notes = source.notes.iter().fold(link.notes, Notes::with);
                place = place.or(Some(source.quoting));
            }
            if spans.len() > link.spans.len() {
                link.notes = link.notes.with(Note::Rejoined);
            }
            link.spans = spans;
            if pieces.len() > 1
                && let Some(markup) = link.place.markup()
            {
                let mut markup = markup.clone();
                let place = usize::from(place == Some(Quoting::Cdata));
                set_outermost(&mut markup, &places[place]);
                link.place.set_markup(markup);
            }
            if absoluteness == Absoluteness::Required {
                link.absoluteness = absoluteness;
            }
            found.links.push(link);
        }
    });
    found.guessed |= part.guessed;
    let anchors = part.anchors.into_iter();
    found.anchors.extend(anchors.map(|it| Cow::Owned(it.into_owned())));
}

/// Replaces the place in the document of HTML with this place in it.
fn set_outermost(markup: &mut Markup, outermost: &Arc<Markup>) {
    match &mut markup.within {
        Some(within) if within.within.is_some() => {
            let mut inner = Markup::clone(within);
            set_outermost(&mut inner, outermost);
            *within = Arc::new(inner);
        }
        within => *within = Some(Arc::clone(outermost)),
    }
}
