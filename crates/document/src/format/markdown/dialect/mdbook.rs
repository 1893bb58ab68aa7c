//! `{{#include f:1:2}}` and similar constructs of mdBook. White space may precede the `#`.

use super::scan::{Found, name_and_rest, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for (at, opening) in text.match_indices("{{") {
        let inner = &text[at + opening.len()..];
        // Only without white space after it, a backslash is an escape.
        let is_escaped = inner.starts_with('#') && text[..at].ends_with('\\');
        let Some(inner) = inner.trim_start().strip_prefix('#').filter(|_| !is_escaped) else {
            continue;
        };
        let (name, rest) = name_and_rest(inner);
        let directive = match name {
            "include" => Directive::Include,
            "playground" | "playpen" => Directive::Playground,
            "rustdoc_include" => Directive::RustdocInclude,
            _ => continue,
        };
        let end = rest.find([' ', '\t', '\n', ':', '}']).unwrap_or(0);
        found.push((span_of(text, &rest[..end]), directive));
    }
}
