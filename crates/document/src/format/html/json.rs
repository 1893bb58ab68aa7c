//! The strings of JSON in HTML that are links.

use std::borrow::Cow;

use smallvec::smallvec;

use super::content::Content;
use crate::format::json::{JsonString, strings};
use crate::format::markup::value::Value;
use crate::format::value::strip;
use crate::link::{MarkupPlace, ParsedLink, Place, Role};
use crate::uri::Parts;

/// Finds the URLs of JSON in a script.
pub(super) fn links(
    value: &Value<'_>,
    content: Content,
    markup: &MarkupPlace,
    mut found: impl FnMut(ParsedLink<'static>),
) {
    strings(&value.text, |string, path, _| {
        let role = match content {
            Content::ImportMap => is_in_import_map(&string, path).then_some(Role::Script),
            Content::Speculation => {
                let is_url = path.len() == 2 && path[1] == "urls" && !string.is_name;
                is_url.then_some(Role::Navigate)
            }
            _ => is_linked_data(&string, path).then_some(Role::Metadata),
        };
        if let Some(role) = role {
            let spans = smallvec![value.to_source(string.span)];
            let reference = Cow::Owned(strip(string.value).into_owned());
            let place = Place::Markup(markup.clone());
            found(ParsedLink {
                notes: value.notes(string.span),
                ..ParsedLink::new(spans, reference, place, role)
            });
        }
    });
}

/// Returns true if a string of an import map is a URL: an address, or the prefix of scripts in a
/// scope or with an integrity. A bare name is not a URL.
fn is_in_import_map(string: &JsonString<'_>, path: &[Cow<'_, str>]) -> bool {
    let place = match (path, string.is_name) {
        ([top, _], false) => top == "imports",
        ([top, _, _], false) => top == "scopes",
        ([top], true) => top == "scopes" || top == "integrity",
        _ => false,
    };
    let begins = ["/", "./", "../"].iter().any(|it| string.value.starts_with(it));
    let is_absolute = || Parts::split(&string.value).scheme.is_some();
    // The prefix of a scope may be any reference.
    let is_scope = string.is_name && matches!(path, [top] if top == "scopes");
    place && (is_scope || begins || is_absolute())
}

/// The properties of schema.org, and the keyword of JSON-LD, whose values are references. Relative
/// ones are relative to the page.
const REFERENCES: [&str; 16] = [
    "@id", "archivedAt", "codeRepository", "contentUrl", "discussionUrl", "downloadUrl",
    "embedUrl", "image", "installUrl", "logo", "mainEntityOfPage", "photo", "sameAs", "screenshot",
    "thumbnailUrl", "url",
];

/// Returns true if a string of JSON-LD is a link: an absolute URL that does not name a vocabulary, or
/// the relative value of a property that is a reference. Fragments name things, and so do blank
/// nodes.
fn is_linked_data(string: &JsonString<'_>, path: &[Cow<'_, str>]) -> bool {
    let begins = |scheme: &str| {
        let start = string.value.get(..scheme.len());
        start.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
    };
    let is_vocabulary = path.iter().any(|it| it == "@context" || it == "@type");
    let is_relative = || {
        let is_path = !string.value.is_empty()
            && !string.value.starts_with('#')
            && !string.value.contains(char::is_whitespace)
            && Parts::split(&string.value).scheme.is_none();
        is_path && path.last().is_some_and(|name| REFERENCES.contains(&&**name))
    };
    let is_link = || begins("http://") || begins("https://") || is_relative();
    !string.is_name && !is_vocabulary && is_link()
}
