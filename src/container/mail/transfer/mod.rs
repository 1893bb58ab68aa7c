//! Transfer encodings: how the bytes of a part are written in a message (RFC 2045, section 6).
//!
//! A body is decoded once, by the encoding that its own header names. What no encoder writes is common in
//! mail, and RFC 2045 advises to go on all the same (section 6.7, notes): a `=` that begins no escape stays
//! as it is, and bytes that are no base64 are passed over (section 6.8). [`Decoded::repaired`] tells.

mod base64;
mod quoted_printable;

use std::borrow::Cow;

use crate::bytes::OffsetMap;

pub(crate) use quoted_printable::{decode_within, looks_quoted_printable, quoted_printable_html};

/// How a body is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Not at all: `7bit`, `8bit` and `binary`.
    Identity,
    /// Quoted-printable (section 6.7).
    QuotedPrintable,
    /// Base64 (section 6.8).
    Base64,
    /// In a way that nobody has registered, or by a name that is misspelt.
    Unknown,
}

impl Encoding {
    /// The encoding that the value of a Content-Transfer-Encoding field names.
    ///
    /// Comments, quotes and what stands after the name do not count, nor does a hyphen in it: `7-bit` and
    /// `"base64";` are found in mail. A field without a value is as none.
    pub(crate) fn of(value: &[u8]) -> Self {
        let mut name = Vec::new();
        let mut comments = 0_usize;
        let mut bytes = value.iter().copied();
        while let Some(byte) = bytes.next() {
            match byte {
                b'(' => comments += 1,
                b')' => comments = comments.saturating_sub(1),
                b'\\' if comments > 0 => _ = bytes.next(),
                _ if comments > 0 => {}
                b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' if name.is_empty() => {}
                b'-' | b'_' => {}
                _ if byte.is_ascii_alphanumeric() && name.len() < 32 => {
                    name.push(byte.to_ascii_lowercase());
                }
                _ => break,
            }
        }
        match name.as_slice() {
            b"" | b"7bit" | b"8bit" | b"binary" => Self::Identity,
            b"quotedprintable" => Self::QuotedPrintable,
            b"base64" => Self::Base64,
            _ => Self::Unknown,
        }
    }
}

/// A decoded body.
#[derive(Clone, Debug)]
pub(crate) struct Decoded<'a> {
    /// What was encoded; borrowed where that is the same.
    pub bytes: Cow<'a, [u8]>,
    /// Where in the body each byte of it comes from.
    pub map: Map,
    /// The body was not as the encoding has it, and was read all the same.
    pub repaired: bool,
}

impl<'a> Decoded<'a> {
    /// A body that says itself what it says.
    fn as_it_is(bytes: &'a [u8], repaired: bool) -> Self {
        Self {
            bytes: Cow::Borrowed(bytes),
            map: Map::Identity,
            repaired,
        }
    }
}

/// How offsets of decoded bytes lead back to the encoded ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Map {
    /// They are the same.
    Identity,
    /// By this map: an escape is a unit of one byte, a soft line break one of none.
    Units(OffsetMap),
    /// By this map, to bytes that spell more than is asked for: four digits of base64 spell three bytes together.
    Cover(OffsetMap),
}

/// Decodes a body. What is encoded in an unknown way is given back as it is (RFC 2045, section 6.4).
///
/// Linear in the length of the body.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8]) -> Decoded<'_> {
    match encoding {
        Encoding::Identity | Encoding::Unknown => Decoded::as_it_is(bytes, false),
        Encoding::QuotedPrintable => quoted_printable::decode(bytes),
        Encoding::Base64 => base64::decode(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_of_encodings() {
        for (value, encoding) in [
            ("base64", Encoding::Base64),
            (" BASE64 ; x=y", Encoding::Base64),
            ("(a (b\\)) c) \"base64\"", Encoding::Base64),
            ("base64(c)", Encoding::Base64),
            ("base64\r\n charset=utf-8", Encoding::Base64),
            ("Quoted-Printable", Encoding::QuotedPrintable),
            ("quoted-printable;", Encoding::QuotedPrintable),
            ("", Encoding::Identity),
            (" (none) ", Encoding::Identity),
            ("7bit", Encoding::Identity),
            ("8-bit", Encoding::Identity),
            ("8BIT, x", Encoding::Identity),
            ("binary", Encoding::Identity),
            ("x-uuencode", Encoding::Unknown),
            ("base", Encoding::Unknown),
        ] {
            assert_eq!(Encoding::of(value.as_bytes()), encoding, "{value}");
        }
    }

    /// Bytes as mail has them, with many that mean something.
    pub(super) fn mail_bytes() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![
            4 => any::<u8>(),
            4 => Just(b'a'),
            3 => Just(b' '),
            2 => Just(b'='),
            2 => Just(b'\n'),
            1 => Just(b'\t'),
        ];
        proptest::collection::vec(byte, 0..300)
    }

    proptest! {
        #[test]
        fn any_bytes_are_some_body(bytes in mail_bytes()) {
            for encoding in [Encoding::Identity, Encoding::Base64, Encoding::QuotedPrintable] {
                let decoded = decode(encoding, &bytes);
                prop_assert!(decoded.bytes.len() <= bytes.len());
            }
            looks_quoted_printable(&bytes);
        }
    }
}
