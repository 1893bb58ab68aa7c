//! Declaring the character encoding of a style sheet.

use encoding_rs::Encoding;

use super::charset::at_charset;
use crate::bytes::Span;
use crate::format::markup::declared_encoding::byte_order_mark;

/// A byte order mark, or an `@charset` rule before an existing one, which is then ignored (CSS
/// Syntax, section 3.2).
pub(super) fn declare(bytes: &[u8], encoding: &'static Encoding) -> Option<(Span, Vec<u8>)> {
    if Encoding::for_bom(bytes).is_some() || at_charset(bytes) == Some(encoding) {
        return None;
    }
    let mark = byte_order_mark(encoding).map(<[u8]>::to_vec);
    let rule = || format!("@charset \"{}\";", encoding.name().to_ascii_lowercase());
    Some((Span::new(0, 0), mark.unwrap_or_else(|| rule().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{KOI8_R, UTF_8, UTF_16BE};

    #[test]
    fn a_style_sheet_declares_its_encoding_at_the_beginning() {
        let declared = |bytes: &[u8], encoding| declare(bytes, encoding).map(|(_, new)| new);
        let begin = |bytes: &[u8]| Some(bytes.to_vec());
        assert_eq!(declared(b"a{}", UTF_8), begin(b"\xEF\xBB\xBF"));
        assert_eq!(declared(b"\0a", UTF_16BE), begin(b"\xFE\xFF"));
        assert_eq!(declared(b"a{}", KOI8_R), begin(b"@charset \"koi8-r\";"));
        let other = declared(b"@charset \"utf-8\";", KOI8_R);
        assert_eq!(other, begin(b"@charset \"koi8-r\";"));
        assert_eq!(declared(b"@charset \"KOI8-R\";", KOI8_R), None);
        assert_eq!(declared(b"\xEF\xBB\xBFa", UTF_8), None);
    }
}
