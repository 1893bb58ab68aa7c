//! Templates in URLs: `${port}`, `$(PORT)`, `{region}`, `%(port)s`. The text between the brackets
//! is in another language.

use super::brackets::closes;
use super::chars::{Class, class};

/// The length of the template whose bracket opens at `at`. In a host (`in_host`), braces without a
/// mark are templates too. Linear in its length.
pub(super) fn len(text: &str, at: usize, in_host: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mark = at.checked_sub(1).map(|before| bytes[before]);
    let is_template = match bytes[at] {
        b'{' => in_host || mark == Some(b'$'),
        b'(' => mark == Some(b'$') || in_host && mark == Some(b'%'),
        _ => false,
    };
    let Class::Open(kind) = class(bytes[at]) else {
        return None;
    };
    is_template.then(|| closes(text, at, kind)).flatten()
}

/// Returns true if all templates in the authority that begins at `start` are closed. Linear in its
/// length.
pub(super) fn is_whole(text: &str, start: usize, authority: &str) -> bool {
    let mut at = 0;
    while let Some(open) =
        memchr::memchr2(b'{', b'(', authority.as_bytes().get(at..).unwrap_or_default())
    {
        at += open;
        let is_braces = authority[at..].starts_with('{');
        let is_marked = authority[..at].ends_with(['$', '%']);
        at += match len(text, start + at, true) {
            Some(len) => len,
            None if is_braces || is_marked => return false,
            None => 1,
        };
    }
    true
}
