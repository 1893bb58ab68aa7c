//! Blocks of GitBook that name files: `content-ref`, `file`, `include`, `openapi` and `swagger`.

use super::scan::{Found, quoted, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for (at, opening) in text.match_indices("{%") {
        let inner = text[at + opening.len()..].trim_start();
        let end = inner.find(|it: char| !it.is_ascii_alphanumeric() && it != '-');
        let (name, rest) = inner.split_at(end.unwrap_or(inner.len()));
        let (directive, key) = match name {
            "content-ref" => (Directive::ContentRef, "url"),
            "file" | "openapi" | "swagger" => (Directive::Include, "src"),
            "include" => (Directive::Include, ""),
            _ => continue,
        };
        found.extend(argument(rest, key).map(|path| (span_of(text, path), directive)));
    }
}

/// The value of an argument in quotes. With an empty key, that of the first argument, which has
/// none.
fn argument<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '-' | '_'))?;
        let (name, after) = rest.split_at(end);
        let after = after.strip_prefix('=').unwrap_or(after);
        let value = quoted(after, &['"'])?;
        if name == key {
            return Some(value);
        }
        rest = &after[value.len() + 2..];
    }
}
