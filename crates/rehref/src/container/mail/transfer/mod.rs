//! Transfer encodings of parts (RFC 2045, section 6).
//!
//! A body is decoded once, by the encoding that its header declares. Invalid encodings are common
//! in mail, and RFC 2045 recommends robustness (section 6.7, notes): a `=` that does not begin an
//! escape is unchanged, and bytes outside of the base64 alphabet are skipped (section 6.8).
//! [`Decoded::repaired`] reports such repairs.

mod base64;
mod decoded;
mod quoted_printable;

pub(crate) use decoded::{Decoded, Encoding, Map};
pub(crate) use quoted_printable::{decode_within, looks_quoted_printable, quoted_printable_html};

/// Decodes a body into `buffer`, which is empty. Unknown encodings are left undecoded (RFC 2045,
/// section 6.4).
///
/// Linear in the length of the body.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8], buffer: Vec<u8>) -> Decoded<'_> {
    match encoding {
        Encoding::Identity | Encoding::Unknown => Decoded::unchanged(bytes, false),
        Encoding::QuotedPrintable => quoted_printable::decode(bytes, buffer),
        Encoding::Base64 => base64::decode(bytes, buffer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn encoding_names_are_recognized() {
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

    /// Bytes as in mail, with many that are special.
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
        fn any_bytes_can_be_decoded(bytes in mail_bytes()) {
            for encoding in [Encoding::Identity, Encoding::Base64, Encoding::QuotedPrintable] {
                let decoded = decode(encoding, &bytes, Vec::new());
                prop_assert!(decoded.bytes.len() <= bytes.len());
            }
            looks_quoted_printable(&bytes);
        }
    }
}
