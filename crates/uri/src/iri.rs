//! Conversion of IRIs to URIs.

use std::borrow::Cow;

use crate::bytes::percent;

/// Converts an IRI to a URI (RFC 3987, section 3.1): percent-encodes the UTF-8 bytes of each
/// non-ASCII character, in upper case. Borrows ASCII text. Linear.
///
/// All other characters are unchanged, so a URI converts to itself, and an IRI reference keeps its
/// components:
/// - ASCII characters are unchanged, also those that URIs do not allow (spaces, quotes, `<`, `\`, a
///   `%` without two hexadecimal digits). The section converts only non-ASCII characters, and
///   leaves the others to the software.
/// - Characters that IRIs do not allow (private use outside of queries, noncharacters, non-ASCII
///   controls) are encoded too. The text need not be an IRI; the result for an IRI is a URI.
/// - Hosts are percent-encoded too, the first option of the section. There is no IDNA (`xn--`) and
///   no Unicode normalization.
///
/// ```
/// use rehref_uri::iri_to_uri;
///
/// assert_eq!(iri_to_uri("http://é.example/%c3%a9?ü"), "http://%C3%A9.example/%c3%a9?%C3%BC");
/// assert_eq!(iri_to_uri("a b"), "a b");
/// ```
pub fn iri_to_uri(iri: &str) -> Cow<'_, str> {
    if iri.is_ascii() {
        return Cow::Borrowed(iri);
    }
    // Most non-ASCII characters have two bytes, of three characters each.
    let mut uri = String::with_capacity(iri.len() * 2);
    for c in iri.chars() {
        if c.is_ascii() {
            uri.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                percent::encode_byte(byte, &mut uri);
            }
        }
    }
    Cow::Owned(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_borrowed_unchanged() {
        for text in ["", "http://a/%zz%", "a b<\">\\^`{|}\t", "\0\u{7f}"] {
            assert!(matches!(iri_to_uri(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn non_ascii_characters_become_percent_encoded_utf8() {
        assert_eq!(iri_to_uri("\u{80}é€𐌀"), "%C2%80%C3%A9%E2%82%AC%F0%90%8C%80");
        // Not allowed in IRIs: a noncharacter; private use, here in a path.
        assert_eq!(iri_to_uri("\u{FFFE}\u{E000}"), "%EF%BF%BE%EE%80%80");
        // A letter with a combining mark is not the composed letter.
        assert_eq!(iri_to_uri("e\u{301}"), "e%CC%81");
    }
}
