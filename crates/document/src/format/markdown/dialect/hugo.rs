//! Shortcodes of Hugo: `ref`, `relref` and `figure`.

use super::scan::{Found, name_and_rest, quoted, span_of};
use crate::link::Directive;

const QUOTES: [char; 2] = ['"', '`'];

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for (at, _) in text.match_indices("{{") {
        let rest = &text[at + 2..];
        let Some(inner) = rest.strip_prefix(['<', '%']) else {
            continue;
        };
        let (name, rest) = name_and_rest(inner.trim_start());
        let (directive, key) = match name {
            "ref" => (Directive::Ref, "path"),
            "relref" => (Directive::Relref, "path"),
            "figure" => (Directive::Figure, "src"),
            _ => continue,
        };
        let is_positional = directive != Directive::Figure;
        if let Some(path) = argument(rest, key, is_positional) {
            found.push((span_of(text, path), directive));
        }
    }
}

/// The value of an argument by its key, or that of the first if it has no key.
fn argument<'t>(text: &'t str, key: &str, is_positional: bool) -> Option<&'t str> {
    let mut rest = text;
    let mut is_first = true;
    loop {
        rest = rest.trim_start();
        if let Some(value) = quoted(rest, &QUOTES) {
            if is_first && is_positional {
                return Some(value);
            }
            rest = &rest[value.len() + 2..];
        } else {
            // The end of the shortcode, or of the part that is read.
            let end = rest.find([' ', '\t', '\n', '=', '"', '`', '>', '%', '{'])?;
            let word = &rest[..end];
            rest = &rest[end..];
            match rest.strip_prefix('=') {
                Some(after) => {
                    let value = quoted(after, &QUOTES)?;
                    if word == key {
                        return Some(value);
                    }
                    rest = &after[value.len() + 2..];
                }
                None if word.is_empty() => return None,
                None if is_first && is_positional => return Some(word),
                None => {}
            }
        }
        is_first = false;
    }
}
