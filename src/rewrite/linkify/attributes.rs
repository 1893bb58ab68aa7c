//! Attributes, and how they are written.

use std::borrow::Cow;

use memchr::memchr3;

use super::error::LinkifyError;

/// An attribute: its name and its value.
pub(super) type Attribute = (Cow<'static, str>, String);

/// Sets an attribute in a list: replaces the value if it is there, else adds it at the end.
pub(super) fn set(
    attributes: &mut Vec<Attribute>,
    name: Cow<'static, str>,
    value: String,
) -> Result<(), LinkifyError> {
    if !is_name(&name) {
        return Err(LinkifyError::AttributeName(name.into_owned()));
    }
    match attributes.iter_mut().find(|it| is_same(&it.0, &name)) {
        Some((_, old)) => *old = value,
        None => attributes.push((name, value)),
    }
    Ok(())
}

/// Returns true if two names are those of one attribute.
pub(super) fn is_same(name: &str, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}

/// Returns true for the name of an attribute that may be set.
fn is_name(name: &str) -> bool {
    let begins = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    let is_part = |it: u8| it.is_ascii_alphanumeric() || b"-_.:".contains(&it);
    begins && name.bytes().all(is_part) && !is_same(name, "href")
}

/// The character reference for a character that is never written as it is.
pub(super) fn reference(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'&' => "&amp;",
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'"' => "&quot;",
        b'\'' => "&#39;",
        _ => return None,
    })
}

/// Appends a value or text with references for the characters that have a meaning in HTML.
pub(super) fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = special(rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push_str(reference(rest.as_bytes()[at]).unwrap_or_default());
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

/// Appends bytes of an ASCII-compatible encoding with references for the characters that have a meaning in HTML.
pub(super) fn escape_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(at) = special(rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(reference(rest[at]).unwrap_or_default().as_bytes());
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

/// The first character that has a [`reference`].
fn special(bytes: &[u8]) -> Option<usize> {
    let markup = memchr3(b'&', b'<', b'>', bytes);
    let before = markup.map_or(bytes, |at| &bytes[..at]);
    memchr::memchr2(b'"', b'\'', before).or(markup)
}
