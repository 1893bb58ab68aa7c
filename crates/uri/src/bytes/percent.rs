//! Percent-encoding of file names (RFC 3986, section 2.1).

use super::digits::hex;
use std::borrow::Cow;
use std::fmt::Write;

/// Appends `bytes`, such as a file name, to `out` as one path segment.
///
/// Characters that a segment allows are unchanged: unreserved characters, sub-delims, `:` and `@`
/// (`pchar`, section 3.3). All other bytes become `%XX` in upper case, including `/`, `%` and every
/// non-ASCII byte, so that names that are not UTF-8 have a URI too.
///
/// A reference that *begins* with a segment containing `:` reads as a scheme: write `./` before it.
///
/// ```
/// let mut out = String::from("/files/");
/// rehref_uri::bytes::percent::encode_path_segment("100% (é).html".as_bytes(), &mut out);
/// assert_eq!(out, "/files/100%25%20(%C3%A9).html");
/// ```
pub fn encode_path_segment(bytes: &[u8], out: &mut String) {
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+'
            | b',' | b';' | b'=' | b':' | b'@' => out.push(char::from(byte)),
            _ => encode_byte(byte, out),
        }
    }
}

/// Appends `%XX`.
pub fn encode_byte(byte: u8, out: &mut String) {
    // Writing into a `String` cannot fail.
    let _ = write!(out, "%{byte:02X}");
}

/// The decoded bytes of `text`. Decodes once: `%2541` gives `%41`. A `%` without two hexadecimal
/// digits after it is unchanged. Borrows a text without escapes.
///
/// Decode after splitting: a decoded `/` or `?` is not a delimiter.
///
/// ```
/// assert_eq!(*rehref_uri::bytes::percent::decode("a%2Fb%FF%zz"), *b"a/b\xFF%zz");
/// ```
pub fn decode(text: &str) -> Cow<'_, [u8]> {
    let Some(first) = text.find('%') else {
        return Cow::Borrowed(text.as_bytes());
    };
    let (plain, mut rest) = text.as_bytes().split_at(first);
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(plain);
    while let [byte, after @ ..] = rest {
        match escaped(rest) {
            Some(decoded) => {
                out.push(decoded);
                rest = &rest["%XX".len()..];
            }
            None => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    Cow::Owned(out)
}

/// The byte of the escape at the beginning of `text`. `None` if none begins there.
pub fn escaped(text: &[u8]) -> Option<u8> {
    match text {
        [b'%', high, low, ..] => Some(hex(*high)? << 4 | hex(*low)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_round_trips() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut segment = String::new();
        encode_path_segment(&bytes, &mut segment);
        assert!(!segment.contains(['/', '?', '#', '[', ']', ' ', '"']));
        assert_eq!(*decode(&segment), *bytes);
    }

    #[test]
    fn decode_decodes_once_and_keeps_invalid_escapes() {
        assert_eq!(*decode("%2541%4a"), *b"%41J");
        for text in ["", "plain", "%", "%4", "%%", "%g0", "%0g", "100%"] {
            assert_eq!(*decode(text), *text.as_bytes());
        }
        assert_eq!(*decode("%%41"), *b"%A");
    }
}
