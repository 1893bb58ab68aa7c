//! Attributes of HTML elements, and their escaping.

use std::borrow::Cow;

use memchr::{memchr2_iter, memchr3_iter};

use super::error::LinkifyError;

/// An attribute: its name and its value.
pub(super) type Attribute = (Cow<'static, str>, String);

/// Sets an attribute in a list: replaces its value, or adds the attribute at the end. An existing
/// link may have names that cannot be added.
pub(super) fn set(
    attributes: &mut Vec<Attribute>,
    name: Cow<'static, str>,
    value: String,
) -> Result<(), LinkifyError> {
    match attributes.iter_mut().find(|it| is_same(&it.0, &name)) {
        Some((_, old)) => *old = value,
        None if is_name(&name) => attributes.push((name, value)),
        None => return Err(LinkifyError::AttributeName(name.into_owned())),
    }
    Ok(())
}

/// Returns true if two names are those of one attribute.
pub(super) fn is_same(name: &str, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}

/// Returns true for the names of the attributes with a target: in SVG, the second one has it without
/// the first.
pub(super) fn is_target(name: &str) -> bool {
    is_same(name, "href") || is_same(name, "xlink:href")
}

/// Returns true for the name of an attribute that may be added.
fn is_name(name: &str) -> bool {
    let begins = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    let is_part = |it: u8| it.is_ascii_alphanumeric() || b"-_.:".contains(&it);
    begins && name.bytes().all(is_part) && !is_same(name, "href")
}

/// Appends an attribute with its value in quotes.
pub(super) fn write(name: &str, value: &str, out: &mut String) {
    out.push_str(name);
    out.push_str("=\"");
    escape(value, out);
    out.push('"');
}

/// The character reference for a character that must be escaped.
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
    let mut done = 0;
    for at in special(text.as_bytes()) {
        out.push_str(&text[done..at]);
        out.push_str(reference(text.as_bytes()[at]).unwrap_or_default());
        done = at + 1;
    }
    out.push_str(&text[done..]);
}

/// Appends bytes of an ASCII-compatible encoding with references for the characters that have a
/// meaning in HTML.
pub(super) fn escape_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    let mut done = 0;
    for at in special(bytes) {
        out.extend_from_slice(&bytes[done..at]);
        out.extend_from_slice(reference(bytes[at]).unwrap_or_default().as_bytes());
        done = at + 1;
    }
    out.extend_from_slice(&bytes[done..]);
}

/// The characters that have a [`reference`]. Each search continues at its last result. Restarting
/// it after each character of the other kind would take quadratic time.
fn special(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut markup = memchr3_iter(b'&', b'<', b'>', bytes).peekable();
    let mut quotes = memchr2_iter(b'"', b'\'', bytes).peekable();
    std::iter::from_fn(move || match (markup.peek(), quotes.peek()) {
        (Some(at), Some(quote)) if at < quote => markup.next(),
        (Some(_), None) => markup.next(),
        _ => quotes.next(),
    })
}
