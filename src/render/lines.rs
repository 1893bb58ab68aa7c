//! Names and URLs on one line.

use std::borrow::Cow;
use std::path::Path;

use memchr::memchr2;
use rehref::rewrite::quoted_name;

/// Returns the name of a file for a line of output, so that one record is one line. A name with a
/// line break, or one that begins with `"`, is quoted as git quotes names in diffs. All others, and
/// all names in records that end with NUL, are unchanged.
pub(crate) fn name_in_line(name: &Path, null: bool) -> Cow<'_, [u8]> {
    name_bytes_in_line(name.as_os_str().as_encoded_bytes(), null)
}

/// As [`name_in_line`].
pub(super) fn name_bytes_in_line(bytes: &[u8], null: bool) -> Cow<'_, [u8]> {
    let is_plain = || memchr2(b'\n', b'\r', bytes).is_none() && !bytes.starts_with(b"\"");
    match null || is_plain() {
        true => Cow::Borrowed(bytes),
        false => quoted_name(bytes),
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
