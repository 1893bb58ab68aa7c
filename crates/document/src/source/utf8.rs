//! Checking UTF-8.

use std::borrow::Cow;

use encoding_rs::UTF_8;

/// The text that the bytes spell. None if they are not valid UTF-8.
///
/// `encoding_rs` checks them with vector instructions, several times as fast as the standard
/// library. It borrows all valid UTF-8.
pub fn from_utf8(bytes: &[u8]) -> Option<&str> {
    match UTF_8.decode_without_bom_handling_and_without_replacement(bytes)? {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}

/// The number of leading bytes that are ASCII.
pub(crate) fn ascii_len(bytes: &[u8]) -> usize {
    let is_ascii = |block: &&[u8; 256]| block.is_ascii();
    let ascii = 256 * bytes.as_chunks().0.iter().take_while(is_ascii).count();
    ascii + bytes[ascii..].iter().take_while(|byte| byte.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_utf_8_is_borrowed_and_the_rest_refused() {
        for text in ["", "a", "é\u{FEFF}", &"中𝄞a".repeat(100)] {
            assert_eq!(from_utf8(text.as_bytes()), Some(text));
            let cut = [text.as_bytes(), b"\xC3"].concat();
            assert_eq!(from_utf8(&cut), None);
        }
        assert_eq!(from_utf8(b"\xED\xA0\x80"), None);
    }
}
