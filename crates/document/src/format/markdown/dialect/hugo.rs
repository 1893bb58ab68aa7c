//! Shortcodes: `ref`, `relref` and `figure` of Hugo; `include`, `embed` and `video` of Quarto.

use super::scan::{Found, name_and_rest, quoted, span_of};
use crate::link::Directive;

const QUOTES: [char; 2] = ['"', '`'];

/// The name of a shortcode, and the key of its path, which may be without one unless it is `None`.
type Shortcode = (&'static str, Directive, Option<&'static str>);

pub(super) const OF_HUGO: [Shortcode; 3] = [
    ("ref", Directive::Ref, Some("path")),
    ("relref", Directive::Relref, Some("path")),
    ("figure", Directive::Figure, None),
];

pub(super) const OF_QUARTO: [Shortcode; 3] = [
    ("include", Directive::Include, Some("file")),
    ("embed", Directive::Include, Some("file")),
    ("video", Directive::Figure, Some("src")),
];

pub(super) fn find(text: &str, shortcodes: &[Shortcode], found: &mut Vec<Found>) {
    for (at, _) in text.match_indices("{{") {
        let rest = &text[at + 2..];
        let Some(inner) = rest.strip_prefix(['<', '%']) else {
            continue;
        };
        let (name, rest) = name_and_rest(inner.trim_start());
        let Some(&(_, directive, key)) = shortcodes.iter().find(|it| it.0 == name) else {
            continue;
        };
        if let Some(path) = argument(rest, key.unwrap_or("src"), key.is_some()) {
            // The cell of a notebook may follow.
            let end = path.find('#').filter(|_| directive == Directive::Include);
            let path = &path[..end.unwrap_or(path.len())];
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
