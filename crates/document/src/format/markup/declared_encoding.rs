//! The encoding that a document in markup declares.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// The byte order mark that declares an encoding. `None` if it has none.
pub fn byte_order_mark(encoding: &'static Encoding) -> Option<&'static [u8]> {
    if encoding == UTF_8 {
        Some(b"\xEF\xBB\xBF")
    } else if encoding == UTF_16LE {
        Some(b"\xFF\xFE")
    } else if encoding == UTF_16BE {
        Some(b"\xFE\xFF")
    } else {
        None
    }
}

/// The encoding of a declared label. A declaration that can be read as ASCII never means UTF-16
/// (HTML standard, section 13.2.3.2).
pub(crate) fn declared_encoding(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16LE || encoding == UTF_16BE {
        Some(UTF_8)
    } else if encoding == X_USER_DEFINED {
        Some(WINDOWS_1252)
    } else {
        Some(encoding)
    }
}

/// `encoding="..."` of an XML declaration (XML 1.0, section 2.8).
pub(crate) fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let head = head.strip_prefix(b"<?xml")?;
    let declaration = &head[..memchr::memmem::find(head, b"?>")?];
    let at = memchr::memmem::find(declaration, b"encoding")? + "encoding".len();
    let value = declaration[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|&&byte| byte == b'"' || byte == b'\'')?;
    let label = &value[1..];
    declared_encoding(&label[..memchr::memchr(quote, label)?])
}
