//! The bytes that separate names, attributes and tags.

/// The bytes that end a tag name, and an attribute name. A table, since every byte of markup is
/// looked up.
const ENDS: [u8; 256] = {
    let mut ends = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if is_space(byte as u8) || byte == b'/' as usize || byte == b'>' as usize {
            ends[byte] = ENDS_NAME | ENDS_ATTRIBUTE;
        }
        byte += 1;
    }
    ends[b'=' as usize] = ENDS_ATTRIBUTE;
    ends
};

const ENDS_NAME: u8 = 1;

const ENDS_ATTRIBUTE: u8 = 2;

pub(super) fn ends_name(byte: u8) -> bool {
    ENDS[usize::from(byte)] & ENDS_NAME != 0
}

pub(super) fn ends_attribute_name(byte: u8) -> bool {
    ENDS[usize::from(byte)] & ENDS_ATTRIBUTE != 0
}

/// White space in tags. The standard turns CR into LF before.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}
