//! From IRIs to URIs.

use std::borrow::Cow;

use crate::bytes::percent;

/// Writes an IRI as the URI it stands for (RFC 3987, section 3.1): every character outside ASCII
/// becomes the bytes of its UTF-8, each percent-encoded in upper case. Borrows when there is none.
/// Linear.
///
/// Nothing else changes, so a URI is its own URI and an IRI-reference keeps its components:
/// - ASCII stays as it is, also where URIs do not have it (blanks, quotes, `<`, `\`, a `%` that
///   begins no escape). The section converts only what IRIs add to URIs, and suggests no more than
///   that software may encode the rest too.
/// - Characters that IRIs do not allow (private use outside queries, noncharacters, controls above
///   ASCII) are encoded alike. A text need not be an IRI; of one that is, the result is a URI.
/// - Hosts too are percent-encoded, as the section puts it first. There is no IDNA here: no `xn--`,
///   no normalising of Unicode.
///
/// ```
/// use rehref::uri::iri_to_uri;
///
/// assert_eq!(iri_to_uri("http://é.example/%c3%a9?ü"), "http://%C3%A9.example/%c3%a9?%C3%BC");
/// assert_eq!(iri_to_uri("a b"), "a b");
/// ```
pub fn iri_to_uri(iri: &str) -> Cow<'_, str> {
    if iri.is_ascii() {
        return Cow::Borrowed(iri);
    }
    // Most characters outside ASCII have two bytes, of three characters each.
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
    fn ascii_is_borrowed_as_it_is() {
        for text in ["", "http://a/%zz%", "a b<\">\\^`{|}\t", "\0\u{7f}"] {
            assert!(matches!(iri_to_uri(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn every_other_character_becomes_its_bytes() {
        assert_eq!(iri_to_uri("\u{80}é€𐌀"), "%C2%80%C3%A9%E2%82%AC%F0%90%8C%80");
        // Not in IRIs: a noncharacter; private use, here in a path.
        assert_eq!(iri_to_uri("\u{FFFE}\u{E000}"), "%EF%BF%BE%EE%80%80");
        // A letter with a combining mark is not the composed letter.
        assert_eq!(iri_to_uri("e\u{301}"), "e%CC%81");
    }
}
