//! Strings of JSON (RFC 8259, 7).

/// Appends a string in quotes. Quotes, backslashes and control characters are escaped.
///
/// Few strings have any. So all of it is copied at once, and copied again with escapes if
/// necessary.
#[inline(always)]
pub(super) fn write(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + "\"\"".len());
    out.push(b'"');
    out.extend_from_slice(bytes);
    if has_escapes(bytes) {
        out.truncate(out.len() - bytes.len());
        write_escaped(bytes, out);
    }
    out.push(b'"');
}

/// Appends a string with escapes.
#[cold]
#[inline(never)]
fn write_escaped(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(plain) = rest.iter().position(is_escaped) {
        let byte = rest[plain];
        out.extend_from_slice(&rest[..plain]);
        rest = &rest[plain + 1..];
        let letter = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0C => b'f',
            b'\r' => b'r',
            _ => b'u',
        };
        out.extend_from_slice(&[b'\\', letter]);
        if letter == b'u' {
            let hex = |digit: u8| b"0123456789abcdef"[usize::from(digit)];
            out.extend_from_slice(&[b'0', b'0', hex(byte >> 4), hex(byte & 0xF)]);
        }
    }
    out.extend_from_slice(rest);
}

/// Returns true for a byte that is escaped.
const fn is_escaped(byte: &u8) -> bool {
    matches!(byte, 0..0x20 | b'"' | b'\\')
}

/// Returns true if a byte of the string is escaped.
#[inline(always)]
fn has_escapes(bytes: &[u8]) -> bool {
    // All bytes are in these words. Some are in two.
    if let Some(last) = bytes.last_chunk() {
        let mut any = escaped(u64::from_le_bytes(*last));
        for word in bytes.as_chunks().0 {
            any |= escaped(u64::from_le_bytes(*word));
        }
        return any != 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let first = u64::from(u32::from_le_bytes(*first));
        let last = u64::from(u32::from_le_bytes(*last));
        return escaped((first << 32) | last) != 0;
    }
    bytes.iter().any(is_escaped)
}

/// The highest bit of each byte of a word that is escaped, and perhaps of bytes after one. Zero if
/// none is.
#[inline]
fn escaped(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xFF;
    // Of the bytes below `limit`, the highest bit is set.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | is(b'"') | is(b'\\')) & (ONES << 7)
}
