//! Names and URLs on one line.

use std::borrow::Cow;
use std::path::Path;

use memchr::memchr2;
use rehref::rewrite::quoted_name;

/// Returns the name of a file for a line of output, so that one record is one line. A name with a
/// line break, or one that begins with `"`, is quoted as git quotes names in diffs. All others, and
/// all names in records that end with NUL, are unchanged.
pub(crate) fn name_in_line(name: &Path, null: bool) -> Cow<'_, [u8]> {
    let bytes = name.as_os_str().as_encoded_bytes();
    quoted(bytes, memchr2(b'\n', b'\r', bytes).is_some(), null)
}

/// As [`name_in_line`], for a line with tabs between its values: a name with any control character
/// is quoted.
pub(super) fn name_in_tabbed_line(bytes: &[u8], null: bool) -> Cow<'_, [u8]> {
    quoted(bytes, bytes.iter().any(u8::is_ascii_control), null)
}

/// A name in quotes if it has a character that needs them, or begins with `"`, and does not end with
/// NUL.
fn quoted(bytes: &[u8], needs_quotes: bool, null: bool) -> Cow<'_, [u8]> {
    match !null && (needs_quotes || bytes.starts_with(b"\"")) {
        true => quoted_name(bytes),
        false => Cow::Borrowed(bytes),
    }
}

/// Returns a URL for a line of output: line breaks, which no URL has, are percent-encoded. All URLs
/// in records that end with NUL are unchanged.
pub(crate) fn value_in_line(value: &str, null: bool) -> Cow<'_, str> {
    match null || memchr2(b'\n', b'\r', value.as_bytes()).is_none() {
        true => Cow::Borrowed(value),
        false => Cow::Owned(value.replace('\n', "%0A").replace('\r', "%0D")),
    }
}

/// As [`value_in_line`], for a line with tabs between its values: all control characters are
/// percent-encoded.
pub(super) fn value_in_tabbed_line(value: &str, null: bool) -> Cow<'_, str> {
    let is_control = |it: char| it.is_ascii_control();
    if null || !value.contains(is_control) {
        return Cow::Borrowed(value);
    }
    let pieces = value.chars().map(|it| match is_control(it) {
        true => format!("%{:02X}", u32::from(it)),
        false => it.to_string(),
    });
    Cow::Owned(pieces.collect())
}
