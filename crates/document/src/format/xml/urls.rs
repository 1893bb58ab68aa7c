//! URLs in texts and in values of vocabularies without rules for links.
//!
//! There, an absolute URL is a link that only maps change, as in any text: a relative one may be a
//! name, and so is a URL that is declared as a namespace.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memchr2;

use super::input::Input;
use crate::bytes::{Span, join};
use crate::format::markup::value::Value;
use crate::format::markup::xml_value::Within;
use crate::format::text::{self, Join, TextOptions, link_of_url};
use crate::link::{
    Absoluteness, Form, Language, Markup, MarkupPlace, Note, Notes, ParsedLink, Place, Quoting,
};

/// The place of URLs in an attribute, or in the content of an element.
pub(super) fn place(
    element: Cow<'static, str>,
    attribute: Cow<'static, str>,
    quoting: Quoting,
) -> Markup {
    let (language, form) = (Language::Xml, Form::Text);
    Markup { language, element, attribute, quoting, form, within: None, rel: None, fragment: None }
}

/// Finds the absolute URLs in a value. `names` are those of namespaces, which are no links.
pub(super) fn find<'s>(
    input: &Input<'s, '_>,
    (span, within): (Span, Within),
    place: Markup,
    names: &HashSet<Cow<'s, str>>,
    mut found: impl FnMut(ParsedLink<'s>),
) {
    if memchr2(b':', b'&', &input.source[span.range()]).is_none() {
        return;
    }
    let options = TextOptions {
        // Without a scheme, they are no absolute URLs.
        abbreviated: false,
        emails: false,
        ..input.options.text_joining(Join::None)
    };
    let place = MarkupPlace::from(place);
    scan(&input.decode(span, within), &options, |mut link| {
        if names.contains(&link.reference) {
            return;
        }
        // In a string of JSON, a URL has other escapes.
        if !link.notes.contains(Note::Unescaped) {
            link.place = Place::Markup(place.clone());
        }
        link.absoluteness = Absoluteness::Required;
        found(link);
    });
}

/// Finds the URLs in a piece of text, by the options for texts.
pub(super) fn find_in_text<'s>(
    input: &Input<'s, '_>,
    (span, within): (Span, Within),
    found: impl FnMut(ParsedLink<'s>),
) {
    let TextOptions { abbreviated, emails, .. } = input.options.text;
    let colon_needed = !abbreviated && !emails;
    if colon_needed && memchr2(b':', b'&', &input.source[span.range()]).is_none() {
        return;
    }
    scan(&input.decode(span, within), &input.options.text_joining(Join::Angle), found);
}

/// Finds the URLs in a text.
fn scan<'s>(value: &Value<'s>, options: &TextOptions, mut found: impl FnMut(ParsedLink<'s>)) {
    text::scan(&value.text, options, |url| {
        let spans = url.spans.iter().map(|&span| value.to_source(span));
        let reference = url.unescaped(join(&value.text, &url.spans));
        let mut link = link_of_url(&url, &value.text, spans.collect(), reference);
        let notes = url.spans.iter().map(|&span| value.notes(span));
        link.notes = notes.flat_map(Notes::iter).fold(link.notes, Notes::with);
        found(link);
    });
}
