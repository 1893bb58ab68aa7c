//! Texts in CSV (RFC 4180).

/// Appends a cell after a prefix without quotes, of a row that has other cells and this end. The
/// cell is quoted if it has a quote, a comma, or a byte that may end a row.
pub(crate) fn write_text(prefix: &str, text: &[u8], end: u8, out: &mut Vec<u8>) {
    let is_special = |byte: u8| match byte {
        b'"' | b',' => true,
        b'\r' => end == b'\n',
        _ => byte == end,
    };
    // Without an early return, since most texts have none: then compilers compare several bytes at
    // a time.
    if !text.iter().fold(false, |any, &byte| any | is_special(byte)) {
        out.extend_from_slice(prefix.as_bytes());
        return out.extend_from_slice(text);
    }
    out.push(b'"');
    out.extend_from_slice(prefix.as_bytes());
    for (at, piece) in text.split(|&byte| byte == b'"').enumerate() {
        if at > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(piece);
    }
    out.push(b'"');
}
