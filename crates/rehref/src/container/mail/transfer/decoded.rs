//! Transfer encodings and decoded bodies.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::bytes::OffsetMap;

/// A transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// None: `7bit`, `8bit` and `binary`.
    Identity,
    /// Quoted-printable (section 6.7).
    QuotedPrintable,
    /// Base64 (section 6.8).
    Base64,
    /// An unregistered or misspelled encoding.
    Unknown,
}

impl Encoding {
    /// The number of letters and digits of a name that are read. Names have fewer.
    const LONGEST: usize = 32;

    /// Parses the value of a Content-Transfer-Encoding field.
    ///
    /// Comments, quotes, hyphens and everything after the name are ignored: `7-bit` and `"base64";`
    /// occur in mail. An empty value means no encoding.
    pub(crate) fn of(value: &[u8]) -> Self {
        let mut name = SmallVec::<[u8; Self::LONGEST]>::new();
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
                _ if byte.is_ascii_alphanumeric() && name.len() < Self::LONGEST => {
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
    /// The decoded bytes; borrowed if they are unchanged.
    pub bytes: Cow<'a, [u8]>,
    /// The map from decoded bytes to the body.
    pub map: Map,
    /// True if the encoding was damaged. The valid parts are decoded.
    pub repaired: bool,
}

impl<'a> Decoded<'a> {
    /// A body that is not encoded.
    pub(super) fn unchanged(bytes: &'a [u8], repaired: bool) -> Self {
        Self { bytes: Cow::Borrowed(bytes), map: Map::Identity, repaired }
    }
}

/// A map from offsets of decoded bytes to those of the encoded ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Map {
    /// Equal offsets.
    Identity,
    /// Mapped: an escape is a unit of one byte, and a soft line break is skipped.
    Units(OffsetMap),
    /// Mapped to bytes that may cover neighboring bytes: four digits of base64 encode three bytes
    /// together.
    Cover(OffsetMap),
}
