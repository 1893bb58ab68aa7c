//! Detection of style sheets by content.

use std::ffi::OsStr;

use crate::format::language::Sniff;

/// The extensions of style sheets in the languages of preprocessors.
const PREPROCESSED: [&str; 4] = ["less", "sass", "scss", "styl"];

/// Returns true if text that begins like this is a style sheet. Other languages have an `@import`
/// too, but not with a string or a `url()`. Sheets of a preprocessor have imports of other names.
pub(super) fn begins(beginning: &Sniff<'_>) -> bool {
    let extension = beginning.name.extension().and_then(OsStr::to_str);
    if extension.is_some_and(|it| PREPROCESSED.iter().any(|name| it.eq_ignore_ascii_case(name))) {
        return false;
    }
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
