//! Which strings of JSON in HTML are links.

use std::borrow::Cow;

use crate::format::json::JsonString;
use crate::uri::Parts;

/// Returns true if a string of an import map is a URL: an address, or the prefix of scripts in a scope or with an
/// integrity. A bare name is not a URL.
pub(super) fn is_in_import_map(string: &JsonString<'_>, path: &[Cow<'_, str>]) -> bool {
    let place = match (path, string.is_name) {
        ([top, _], false) => top == "imports",
        ([top, _, _], false) => top == "scopes",
        ([top], true) => top == "scopes" || top == "integrity",
        _ => false,
    };
    let begins = ["/", "./", "../"]
        .iter()
        .any(|it| string.value.starts_with(it));
    let is_absolute = || Parts::split(&string.value).scheme.is_some();
    // The prefix of a scope may be any reference.
    let is_scope = string.is_name && matches!(path, [top] if top == "scopes");
    place && (is_scope || begins || is_absolute())
}

/// Returns true if a string of JSON-LD is a link: an absolute URL that does not name a vocabulary.
pub(super) fn is_linked_data(string: &JsonString<'_>, path: &[Cow<'_, str>]) -> bool {
    let begins = |scheme: &str| {
        let start = string.value.get(..scheme.len());
        start.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
    };
    let is_vocabulary = path.iter().any(|it| it == "@context" || it == "@type");
    !string.is_name && !is_vocabulary && (begins("http://") || begins("https://"))
}
