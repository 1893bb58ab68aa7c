//! Detection of style sheets by content.

use crate::format::language::Sniff;

/// Returns true if text that begins like this is a style sheet. Other languages have an `@import`
/// too, but not with a string or a `url()`.
pub(super) fn begins(beginning: &Sniff<'_>) -> bool {
    let begin = &*beginning.ascii;
    let after = |word: &[u8]| {
        let found = begin.get(..word.len())?;
        found.eq_ignore_ascii_case(word).then(|| &begin[word.len()..])
    };
    if let Some(rest) = after(b"@import") {
        let url = rest.trim_ascii_start();
        url.starts_with(b"\"")
            || url.starts_with(b"'")
            || url.get(..4).is_some_and(|it| it.eq_ignore_ascii_case(b"url("))
    } else {
        begin.starts_with(b"@charset \"")
    }
}
