//! Texts whose ASCII characters are read from their bytes, decoded or not.

use super::coding::{self, Coding};

/// A text in an encoding in which each ASCII character is its ASCII byte. The other characters
/// begin with a byte from 0x80, and only bytes after that may be in ASCII: 0x30 to 0x39 and 0x40 to
/// 0x7E, in Shift_JIS, GBK, GB18030, Big5 and EUC-KR.
pub(super) trait Encoded: Copy {
    const IS_UTF8: bool;

    fn bytes(&self) -> &[u8];

    /// The text if it is UTF-8. Otherwise characters that are not ASCII cannot be read.
    fn utf8(&self) -> Option<&str>;

    /// Returns true if the last of these bytes of the text is an ASCII byte that may be the end of
    /// a longer character.
    fn may_end_wide(&self, before: &[u8]) -> bool;

    /// Returns true if the non-ASCII character that ends these bytes of the text is neither white
    /// space nor an opening quote. Also true for an ASCII byte that may be the end of a longer
    /// character.
    fn ends_word(&self, before: &[u8]) -> bool;
}

impl Encoded for &str {
    const IS_UTF8: bool = true;

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    #[inline]
    fn utf8(&self) -> Option<&str> {
        Some(self)
    }

    #[inline]
    fn may_end_wide(&self, _: &[u8]) -> bool {
        false
    }

    #[inline]
    fn ends_word(&self, before: &[u8]) -> bool {
        coding::ends_word(before)
    }
}

/// A text that is not decoded.
#[derive(Clone, Copy)]
pub(super) struct Undecoded<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) coding: &'t Coding,
}

impl Encoded for Undecoded<'_> {
    const IS_UTF8: bool = false;

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.bytes
    }

    #[inline]
    fn utf8(&self) -> Option<&str> {
        None
    }

    #[inline]
    fn may_end_wide(&self, before: &[u8]) -> bool {
        match before {
            [.., lead, b'0'..=b'9' | 0x40..=0x7E] => !lead.is_ascii() && self.coding.has_ascii_ends,
            _ => false,
        }
    }

    #[inline]
    fn ends_word(&self, before: &[u8]) -> bool {
        self.coding.ends_word(before)
    }
}
