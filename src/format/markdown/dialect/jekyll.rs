//! Tags of Jekyll: `link`, `post_url` and `include_relative`.

use super::scan::{Found, name_and_rest, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for (at, _) in text.match_indices("{%") {
        let inner = text[at + 2..].trim_start_matches('-').trim_start();
        let (name, rest) = name_and_rest(inner);
        let directive = match name {
            "link" => Directive::Link,
            "post_url" => Directive::PostUrl,
            "include_relative" => Directive::IncludeRelative,
            _ => continue,
        };
        let end = rest.find([' ', '\t', '\n', '%']).unwrap_or(0);
        found.push((span_of(text, &rest[..end]), directive));
    }
}
