//! The character classes that the generic grammars share.

/// The characters of a scheme. Each class is one bit.
const SCHEME: u8 = 1;
pub(super) const REG_NAME: u8 = 2;
pub(super) const USERINFO: u8 = 4;
pub(super) const PATH_TO_COLON: u8 = 8;
pub(super) const PATH: u8 = 16;
pub(super) const FRAGMENT: u8 = 32;
/// The characters of a fragment, and private-use characters (RFC 3987, 2.2).
pub(super) const QUERY: u8 = 64 | FRAGMENT;

/// The hexadecimal digits.
pub(super) const HEX: u8 = 128;

/// The classes of each ASCII character. `FRAGMENT` is also the class of a query.
pub(super) const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let everywhere = REG_NAME | USERINFO | PATH_TO_COLON | PATH | FRAGMENT;
    let mut byte = 0;
    while byte < 128 {
        class[byte] = match byte as u8 {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.' => everywhere | SCHEME,
            b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b',' | b';' | b'=' => {
                everywhere
            }
            b':' => USERINFO | PATH | FRAGMENT,
            b'@' => PATH_TO_COLON | PATH | FRAGMENT,
            b'/' => PATH_TO_COLON | PATH | FRAGMENT,
            b'?' => FRAGMENT,
            _ => 0,
        };
        if (byte as u8).is_ascii_hexdigit() {
            class[byte] |= HEX;
        }
        byte += 1;
    }
    class
};

/// Returns true for a character of a scheme (RFC 3986, 3.1; the same in every specification).
#[inline]
pub(super) fn is_scheme_byte(byte: u8) -> bool {
    is(byte, SCHEME)
}

/// Returns true if `byte` has `class`.
#[inline]
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASS[usize::from(byte)] & class != 0
}
