//! The character encoding that a style sheet declares.

use encoding_rs::Encoding;

use crate::format::markup::declared_encoding::declared_encoding;

/// `@charset "...";` at the very start of a style sheet (CSS Syntax, section 3.2).
pub(super) fn at_charset(head: &[u8]) -> Option<&'static Encoding> {
    let label = head.strip_prefix(b"@charset \"")?;
    declared_encoding(&label[..memchr::memmem::find(label, b"\";")?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Charset;
    use encoding_rs::{EUC_KR, UTF_8};

    #[test]
    fn style_sheets_declare_at_the_very_start() {
        let css = |bytes: &[u8]| Charset::detect(bytes, true, at_charset).encoding();
        assert_eq!(css(b"@charset \"euc-kr\"; a{}"), EUC_KR);
        assert_eq!(css(b" @charset \"euc-kr\";"), UTF_8);
    }
}
