//! `{{#include f:1:2}}` and the like of mdBook.

use super::scan::{Found, name_and_rest, span_of};
use crate::link::Directive;

const OPENING: &str = "{{#";

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for (at, _) in text.match_indices(OPENING) {
        if text[..at].ends_with('\\') {
            continue;
        }
        let (name, rest) = name_and_rest(&text[at + OPENING.len()..]);
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
