//! Front matter: the metadata that a document begins with, in YAML or TOML.
//!
//! Only values of some keys are links. They are read line by line: a scalar on the line of the key, a list in brackets on it,
//! or the items of a list on the lines after it. Block scalars, anchors and escapes are not read: such a value is no link.

use super::line::{Line, is_blank, trim_blanks};
use crate::bytes::Span;
use crate::link::Role;

/// The keys whose values are links, in YAML also within other keys (`cover: image:`).
const KEYS: [(&str, Role); 9] = [
    ("image", Role::Embed),
    ("images", Role::Embed),
    ("cover", Role::Embed),
    ("thumbnail", Role::Embed),
    ("banner", Role::Embed),
    ("aliases", Role::Navigate),
    ("redirect_from", Role::Navigate),
    ("redirect_to", Role::Navigate),
    ("permalink", Role::Navigate),
];

/// The front matter of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrontMatter {
    content: Span,
    /// The offset of the line after it.
    pub(super) end: usize,
    separator: u8,
}

impl FrontMatter {
    /// The front matter that a document begins with: from `---` (YAML) or `+++` (TOML) in the first line to the same line.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let first = Line::at(bytes, 0)?;
        let opening = fence(&first)?;
        let mut at = first.next;
        while let Some(line) = Line::at(bytes, at) {
            if fence(&line) == Some(opening) {
                return Some(Self {
                    content: Span::new(first.next, at),
                    end: line.next,
                    separator: if opening == b'-' { b':' } else { b'=' },
                });
            }
            at = line.next;
        }
        None
    }

    /// Calls `found` with the values that are links, without their quotes.
    pub(super) fn links(self, bytes: &[u8], mut found: impl FnMut(Span, Role)) {
        let mut list = None;
        let mut at = self.content.start;
        while let Some(line) = Line::at(&bytes[..self.content.end], at) {
            at = line.next;
            let indent = line.indent();
            let rest = line.rest(indent.end);
            if let Some(role) = list {
                match self.separator {
                    b':' if rest.starts_with(b"- ") => {
                        let value = indent.end + 1;
                        scalar(bytes, Span::new(value, line.end), &mut |it| found(it, role));
                        continue;
                    }
                    b'=' => {
                        let end = items(bytes, Span::new(indent.end, line.end), &mut |it| {
                            found(it, role);
                        });
                        if end.is_some() {
                            list = None;
                        }
                        continue;
                    }
                    _ if rest.is_empty() => continue,
                    _ => list = None,
                }
            }
            let Some(colon) = rest.iter().position(|&byte| byte == self.separator) else {
                continue;
            };
            let key = trim_blanks(&rest[..colon]);
            let Some((_, role)) = KEYS.iter().find(|(name, _)| name.as_bytes() == key) else {
                continue;
            };
            let value = Span::new(indent.end + colon + 1, line.end);
            let text = trim_blanks(&bytes[value.range()]);
            if text.is_empty() || text.starts_with(b"#") {
                list = (self.separator == b':').then_some(*role);
            } else if text.starts_with(b"[") {
                let open = value.start
                    + 1
                    + bytes[value.range()]
                        .iter()
                        .take_while(|&&it| is_blank(it))
                        .count();
                let inner = Span::new(open, value.end);
                let end = items(bytes, inner, &mut |it| found(it, *role));
                if end.is_none() && self.separator == b'=' {
                    list = Some(*role);
                }
            } else {
                scalar(bytes, value, &mut |it| found(it, *role));
            }
        }
    }
}

/// The first byte of a line that is only `---` or `+++`.
fn fence(line: &Line<'_>) -> Option<u8> {
    let (fence, after) = line.rest(line.at).split_at_checked(3)?;
    let is_fence = matches!(fence, b"---" | b"+++") && after.iter().copied().all(is_blank);
    is_fence.then_some(fence[0])
}

/// The items of a list in brackets. `span` is the rest of a line. Returns the offset after the closing bracket, or `None` if
/// it is on another line.
fn items(bytes: &[u8], span: Span, found: &mut dyn FnMut(Span)) -> Option<usize> {
    let mut at = span.start;
    loop {
        at += bytes[at..span.end]
            .iter()
            .take_while(|&&it| is_blank(it))
            .count();
        match bytes[..span.end].get(at)? {
            b']' => return Some(at + 1),
            b',' => at += 1,
            b'#' => return None,
            quote @ (b'"' | b'\'') => at = quoted(bytes, at, span.end, *quote, found)?,
            _ => {
                let rest = &bytes[at..span.end];
                let len = rest.iter().position(|it| matches!(it, b',' | b']'));
                let len = len.unwrap_or(rest.len());
                value(bytes, at, trim_blanks(&rest[..len]).len(), found);
                at += len;
            }
        }
    }
}

/// The scalar in `span`, the rest of a line, perhaps with a comment.
fn scalar(bytes: &[u8], span: Span, found: &mut dyn FnMut(Span)) {
    let rest = &bytes[span.range()];
    let start = span.start + rest.iter().take_while(|&&it| is_blank(it)).count();
    match bytes[..span.end].get(start) {
        None | Some(b'#' | b'|' | b'>' | b'&' | b'*' | b'!' | b'{' | b'%' | b'@' | b'`') => {}
        Some(quote @ (b'"' | b'\'')) => {
            quoted(bytes, start, span.end, *quote, found);
        }
        Some(_) => {
            let rest = &bytes[start..span.end];
            let comment = memchr::memmem::find(rest, b" #").unwrap_or(rest.len());
            value(bytes, start, trim_blanks(&rest[..comment]).len(), found);
        }
    }
}

/// The value in quotes that begins at `at`. Returns the offset after it.
fn quoted(
    bytes: &[u8],
    at: usize,
    end: usize,
    quote: u8,
    found: &mut dyn FnMut(Span),
) -> Option<usize> {
    let len = memchr::memchr(quote, &bytes[at + 1..end])?;
    let after = at + 1 + len + 1;
    let is_escaped = quote == b'\'' && bytes[..end].get(after) == Some(&quote);
    if !is_escaped && !bytes[at + 1..after].contains(&b'\\') {
        value(bytes, at + 1, len, found);
    }
    Some(after)
}

/// A value is a link if it can be a reference: not a date, a number or a word with blanks around it.
fn value(bytes: &[u8], start: usize, len: usize, found: &mut dyn FnMut(Span)) {
    let text = &bytes[start..start + len];
    let is_mapping = memchr::memmem::find(text, b": ").is_some() || text.ends_with(b":");
    if !matches!(text, b"" | b"true" | b"false" | b"null" | b"~") && !is_mapping {
        found(Span::new(start, start + len));
    }
}
