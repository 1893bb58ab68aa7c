//! The ends of comments.

use super::simd::find;
use crate::bytes::Span;

/// The text of a comment that begins at `from`, and the offset after its `>`. `None` if the page
/// ends in it.
pub(super) fn read_comment(bytes: &[u8], from: usize) -> Option<(Span, usize)> {
    let mut at = from;
    loop {
        let close = find(b'>', bytes, at)?;
        if ends_comment(&bytes[from..close]) {
            return Some((text_before(bytes, from, close), close + 1));
        }
        at = close + 1;
    }
}

/// Returns true if a `>` after this text ends the comment: after `--` or `--!`, or immediately, as
/// in `<!-->` and `<!--->`.
#[inline]
fn ends_comment(text: &[u8]) -> bool {
    matches!(text, [] | [b'-'] | [.., b'-', b'-'] | [.., b'-', b'-', b'!'])
}

/// The text between `from` and the dashes before `close`.
fn text_before(bytes: &[u8], from: usize, close: usize) -> Span {
    let dashes = match &bytes[from..close] {
        [.., b'-', b'-', b'!'] => 3,
        text => text.len().min(2),
    };
    // Immediate ends have no text.
    Span::new(from, close - dashes)
}
