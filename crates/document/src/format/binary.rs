//! Detection of binary files.

/// The number of leading bytes in which a NUL makes a document binary.
const BINARY_SNIFF: usize = 8 << 10;

/// Returns true if the first 8 KiB contain a NUL and there is no byte order mark of UTF-16.
pub fn is_binary(bytes: &[u8]) -> bool {
    let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    !utf16 && memchr::memchr(0, &bytes[..bytes.len().min(BINARY_SNIFF)]).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_makes_a_file_binary_except_in_utf_16() {
        assert!(is_binary(b"a\0b"));
        assert!(!is_binary(b"\xFF\xFEa\0"));
        assert!(!is_binary(b""));
    }
}
