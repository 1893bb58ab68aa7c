//! The comments of a style sheet, by which its author exempts links.

use super::lexer;
use crate::format::comments::{Commented, Exempt, STYLE, exempt_lines};
use crate::source::Source;

/// The links of a style sheet that comments exempt.
pub(super) fn exempt(source: &Source) -> Exempt {
    Exempt::of(source, |text| {
        let comments: Vec<_> = comments(text, 0).collect();
        exempt_lines(text, &comments, false)
    })
}

/// The comments of a style sheet that begins at `start` of a text.
pub(in crate::format) fn comments(sheet: &str, start: usize) -> impl Iterator<Item = Commented> {
    let bytes = sheet.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at = lexer::find(bytes, at, |it| {
                (it == b'"') | (it == b'\'') | (it == b'/') | (it == b'(') | (it == b'\\')
            });
            match bytes.get(at)? {
                b'"' | b'\'' => at = lexer::string(bytes, at).end,
                b'\\' => at = bytes.len().min(at + 2),
                b'(' if is_url(&bytes[..at]) => {
                    let content = lexer::skip_space(bytes, at + 1);
                    at = match bytes.get(content) {
                        Some(b'"' | b'\'') => content,
                        _ => lexer::url(bytes, content).end,
                    };
                }
                b'/' if bytes.get(at + 1) == Some(&b'*') => {
                    let comment = at..lexer::comment_end(bytes, at).min(bytes.len());
                    at = comment.end;
                    let range = start + comment.start..start + comment.end;
                    return Some(Commented { range, comments: STYLE });
                }
                _ => at += 1,
            }
        }
    })
}

/// Returns true if a text ends with the name of the function `url`.
fn is_url(before: &[u8]) -> bool {
    let name = before.len().checked_sub(3);
    name.is_some_and(|start| {
        before[start..].eq_ignore_ascii_case(b"url")
            && !before[..start].last().is_some_and(|it| lexer::is_name(*it))
    })
}
