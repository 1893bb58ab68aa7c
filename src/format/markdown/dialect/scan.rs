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

/// The lines of a text that are not in a fenced block of code, without their line ends.
pub(super) fn lines_outside_fences(text: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<(char, usize)> = None;
    text.lines().filter(move |line| {
        let line = line.trim_start();
        let mark = line.chars().next().filter(|it| matches!(it, '`' | '~'));
        let length = mark.map_or(0, |mark| line.chars().take_while(|it| *it == mark).count());
        match (fence, mark) {
            (None, Some(mark)) if length >= 3 => fence = Some((mark, length)),
            (Some((open, least)), Some(mark)) if mark == open && length >= least => {
                if line.trim_end().len() == length {
                    fence = None;
                }
                return false;
            }
            (None, _) => return true,
            _ => {}
        }
        false
    })
}
