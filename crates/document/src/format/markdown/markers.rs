//! The marks at the start of a line that begin a block, without the indent before them.

use super::line::{is_blank, trim_blanks};
use crate::bytes::Span;

/// The content of an ATX heading (CommonMark, section 4.2).
pub(super) fn atx_heading(rest: &[u8], needs_blank: bool) -> Option<Span> {
    let len = rest.iter().take(7).take_while(|&&it| it == b'#').count();
    if len > 6 || needs_blank && rest.get(len).is_some_and(|&byte| !is_blank(byte)) {
        return None;
    }
    let content = trim_blanks(&rest[len..]);
    let start = len + rest[len..].iter().take_while(|&&it| is_blank(it)).count();
    let closing = content.iter().rev().take_while(|&&it| it == b'#').count();
    let before = &content[..content.len() - closing];
    let content = match before {
        [] => before,
        [.., last] if is_blank(*last) => trim_blanks(before),
        _ => content,
    };
    let start = start.min(rest.len());
    Some(Span::new(start, start + content.len()))
}

/// Returns true for the underline of a setext heading (CommonMark, section 4.3).
pub(super) fn is_underline(rest: &[u8], byte: u8) -> bool {
    let run = rest.iter().take_while(|&&it| it == byte).count();
    rest[run..].iter().copied().all(is_blank)
}

/// Returns true for a thematic break (CommonMark, section 4.1).
pub(super) fn is_thematic_break(rest: &[u8], byte: u8) -> bool {
    matches!(byte, b'-' | b'*' | b'_')
        && rest.iter().all(|&it| it == byte || is_blank(it))
        && rest.iter().filter(|&&it| it == byte).count() >= 3
}

/// The length of the marker of a list item (CommonMark, section 5.2).
pub(super) fn list_marker(rest: &[u8], interrupts: bool) -> Option<usize> {
    let len = match rest[0] {
        b'-' | b'+' | b'*' => 1,
        b'0'..=b'9' => {
            let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
            let is_end = matches!(rest.get(digits), Some(b'.' | b')'));
            if digits > 9 || !is_end || interrupts && &rest[..digits] != b"1" {
                return None;
            }
            digits + 1
        }
        _ => return None,
    };
    let after = &rest[len..];
    if after.first().is_some_and(|&byte| !is_blank(byte)) {
        return None;
    }
    // An empty item cannot interrupt a paragraph.
    (!interrupts || !trim_blanks(after).is_empty()).then_some(len)
}
