//! Parts of a text.

use crate::bytes::Span;
use crate::link::Directive;

/// A construct with the span of the path in it.
pub(super) type Found = (Span, Directive);

/// The span of a part of a text.
pub(super) fn span_of(text: &str, part: &str) -> Span {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    Span::new(start, start + part.len())
}

/// The content of the quotes that a text begins with.
pub(super) fn quoted<'t>(text: &'t str, quotes: &[char]) -> Option<&'t str> {
    let quote = text.chars().next().filter(|it| quotes.contains(it))?;
    let rest = &text[quote.len_utf8()..];
    let end = rest.find([quote, '\n'])?;
    rest[end..].starts_with(quote).then(|| &rest[..end])
}

/// The name that a text begins with, and the rest after white space.
pub(super) fn name_and_rest(text: &str) -> (&str, &str) {
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let end = text.find(|it| !is_name(it)).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start_matches([' ', '\t']))
}
