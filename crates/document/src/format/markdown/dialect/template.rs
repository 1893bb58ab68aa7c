//! Destinations with expressions of template engines that contain blanks:
//! `[text]({{ site.url }}/a)`. The programs replace the expressions before they read Markdown.
//! Markdown alone does not allow such destinations.

use memchr::{memmem, memrchr3};

use super::scan::{Found, span_of};
use crate::bytes::Span;

/// The longest destination, in bytes.
const LONGEST: usize = 1024;

/// The destinations of links and definitions that have an expression with a blank. Those around a
/// construct that names a file are left out.
pub(in crate::format::markdown) fn destinations(text: &str, constructs: &[Found]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut constructs = constructs.iter().peekable();
    for at in memmem::find_iter(text.as_bytes(), b"](") {
        push(text, at + 2, true, &mut found);
    }
    for at in memmem::find_iter(text.as_bytes(), b"]:") {
        // Brackets in a label are escaped, so that the search for it ends at the next one.
        let open = memrchr3(b'[', b']', b'\n', &text.as_bytes()[..at]);
        let open = open.filter(|&open| text.as_bytes()[open] == b'[');
        let before = open.map(|open| text[..open].trim_end_matches([' ', '\t', '>']));
        if before.is_some_and(|it| it.is_empty() || it.ends_with('\n')) {
            push(text, at + 2, false, &mut found);
        }
    }
    found.sort_by_key(|span| span.start);
    let mut end = 0;
    found.retain(|span| {
        while constructs.next_if(|(it, _)| it.end <= span.start).is_some() {}
        let is_apart = constructs.peek().is_none_or(|(it, _)| span.end <= it.start);
        let is_next = span.start >= end;
        end = end.max(span.end);
        is_apart && is_next
    });
    found
}

/// Adds the destination that begins after blanks at `at`.
fn push(text: &str, at: usize, is_inline: bool, found: &mut Vec<Span>) {
    let rest = text[at..].trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix('<').unwrap_or(rest);
    let mut limit = LONGEST.min(rest.len());
    while !rest.is_char_boundary(limit) {
        limit -= 1;
    }
    let (rest, mut end) = (&rest[..limit], 0);
    let mut has_blank = false;
    while let Some(&byte) = rest.as_bytes().get(end) {
        let close = match (byte, rest.as_bytes().get(end + 1)) {
            (b'{', Some(b'{')) => Some("}}"),
            (b'{', Some(b'%')) => Some("%}"),
            (b')', _) if is_inline => break,
            (b'>', _) => break,
            // Most links have no expression.
            (b'[' | b']', _) if !has_blank => return,
            (byte, _) if byte.is_ascii_whitespace() => break,
            _ => None,
        };
        end += match close {
            Some(close) => {
                let Some(len) = rest[end..].find(close) else {
                    return;
                };
                let inner = &rest[end..end + len];
                if inner.contains("\n\n") {
                    return;
                }
                has_blank |= inner.contains([' ', '\t', '\n']);
                len + close.len()
            }
            None => 1,
        };
    }
    if has_blank {
        found.push(span_of(text, &rest[..end]));
    }
}
