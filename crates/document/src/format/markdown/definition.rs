//! Link reference definitions (CommonMark, section 4.7).

use super::destination::{
    Destination, destination, end_of_label, end_of_title, normalized_label, skip_blanks, skip_space,
};
use super::line::{after_line_end, is_space};

/// A definition at the beginning of a paragraph.
pub(super) struct Definition {
    pub(super) label: Box<str>,
    pub(super) destination: Destination,
    /// The offset of the line after it.
    pub(super) end: usize,
}

/// The label of the footnote that a line begins with, and the length of its marker: `[^label]:`.
pub(super) fn footnote_label(line: &[u8]) -> Option<(Box<str>, usize)> {
    let end = end_of_label(line, 2)?;
    let label = std::str::from_utf8(&line[2..end]).ok()?;
    let is_label = !label.contains(|it: char| it.is_ascii_whitespace());
    if !is_label || line.get(end + 1) != Some(&b':') {
        return None;
    }
    Some((normalized_label(label)?, end + 2))
}

/// The definition that begins at `at`, the start of a line of a paragraph.
pub(super) fn definition(text: &str, at: usize) -> Option<Definition> {
    let bytes = text.as_bytes();
    let open = skip_blanks(bytes, at);
    if bytes.get(open) != Some(&b'[') {
        return None;
    }
    let close = end_of_label(bytes, open + 1)?;
    if bytes.get(close + 1) != Some(&b':') {
        return None;
    }
    let label = normalized_label(&text[open + 1..close])?;
    let start = skip_space(bytes, close + 2);
    let destination = destination(bytes, start)?;
    if destination.span.is_empty() && !destination.is_bracketed {
        return None;
    }
    let end =
        title_and_end(bytes, destination.end).or_else(|| end_of_line(bytes, destination.end))?;
    Some(Definition { label, destination, end })
}

/// The offset of the line after the title that follows a destination.
fn title_and_end(text: &[u8], at: usize) -> Option<usize> {
    let title = skip_space(text, at);
    let is_apart = title > at && text.get(at).copied().is_some_and(is_space);
    let end = is_apart.then(|| end_of_title(text, title))??;
    end_of_line(text, end)
}

/// The offset of the next line, if only blanks are left in this one.
fn end_of_line(text: &[u8], at: usize) -> Option<usize> {
    let end = skip_blanks(text, at);
    match text.get(end) {
        None => Some(end),
        Some(b'\n' | b'\r') => Some(after_line_end(text, end)),
        Some(_) => None,
    }
}
