//! The character encoding that XML declares.

use encoding_rs::Encoding;

use crate::format::markup::declared_encoding::declared_encoding;

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
