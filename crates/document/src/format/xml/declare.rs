//! Declaring the character encoding of XML.

use encoding_rs::{Encoding, UTF_8};

use crate::bytes::Span;
use crate::format::markup::declared_encoding::byte_order_mark;
use crate::format::markup::declared_encoding::xml_declaration;

/// A byte order mark, or an encoding in the XML declaration (XML 1.0, sections 2.8 and 4.3.3).
/// Without both, XML is in UTF-8.
pub(super) fn declare(bytes: &[u8], encoding: &'static Encoding) -> Option<(Span, Vec<u8>)> {
    let declared = xml_declaration(bytes);
    if Encoding::for_bom(bytes).is_some() || declared.unwrap_or(UTF_8) == encoding {
        return None;
    }
    if let Some(mark) = byte_order_mark(encoding) {
        return Some((Span::new(0, 0), mark.to_vec()));
    }
    let label = encoding.name().to_ascii_lowercase();
    let end = bytes.starts_with(b"<?xml").then(|| memchr::memmem::find(bytes, b"?>")).flatten();
    let Some(end) = end else {
        let declaration = format!("<?xml version=\"1.0\" encoding=\"{label}\"?>");
        return Some((Span::new(0, 0), declaration.into_bytes()));
    };
    let declaration = &bytes[..end];
    Some(match value_of(declaration, b"encoding") {
        Some(value) => (value, label.into_bytes()),
        None => {
            // The encoding follows the version.
            let at = value_of(declaration, b"version").map_or(end, |it| it.end + 1);
            let attribute = format!(" encoding=\"{label}\"");
            (Span::new(at, at), attribute.into_bytes())
        }
    })
}

/// The value of an attribute of an XML declaration, without its quotes.
fn value_of(declaration: &[u8], name: &[u8]) -> Option<Span> {
    let after = memchr::memmem::find(declaration, name)? + name.len();
    let quote = declaration[after..].iter().position(|it| matches!(it, b'"' | b'\''))?;
    let start = after + quote + 1;
    let len = memchr::memchr(declaration[start - 1], &declaration[start..])?;
    Some(Span::new(start, start + len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::KOI8_R;

    fn declared(xml: &str, encoding: &'static Encoding) -> Option<String> {
        let (span, new) = declare(xml.as_bytes(), encoding)?;
        let new = String::from_utf8_lossy(&new);
        Some(format!("{}{new}{}", &xml[..span.start], &xml[span.end..]))
    }

    #[test]
    fn the_declaration_gets_the_encoding() {
        for (xml, expected) in [
            ("<a/>", "<?xml version=\"1.0\" encoding=\"koi8-r\"?><a/>"),
            ("<?xml version='1.0'?><a/>", "<?xml version='1.0' encoding=\"koi8-r\"?><a/>"),
            (
                "<?xml version='1.0' standalone='yes'?><a/>",
                "<?xml version='1.0' encoding=\"koi8-r\" standalone='yes'?><a/>",
            ),
            (
                "<?xml version='1.0' encoding='utf-8'?><a/>",
                "<?xml version='1.0' encoding='koi8-r'?><a/>",
            ),
            ("<?xml?><a/>", "<?xml encoding=\"koi8-r\"?><a/>"),
        ] {
            assert_eq!(declared(xml, KOI8_R).as_deref(), Some(expected));
            assert_eq!(declared(expected, KOI8_R), None);
        }
        assert_eq!(declared("<a/>", UTF_8), None);
        let other = declared("<?xml version='1.0' encoding='koi8-r'?><a/>", UTF_8);
        assert!(other.is_some_and(|it| it.starts_with('\u{FEFF}')));
    }
}
