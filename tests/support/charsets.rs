//! Documents in memory in any character encoding.

use rehref::document::Document;
use rehref::source::Charset;

/// The encoded text. Unmappable characters become character references.
pub(crate) fn encode(text: &str, label: &str) -> Vec<u8> {
    match label {
        "utf-16le" => return text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => return text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => {}
    }
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a known label");
    encoding.encode(text).0.into_owned()
}

/// The document in this character encoding, whatever it declares.
pub(crate) fn in_charset(document: Document, label: &str) -> Document {
    let charset = Charset::named(label, document.bytes()).expect("a known label");
    document.with_charset(charset)
}

/// The page `http://h/d/e/f?q`.
pub(crate) fn page_of(bytes: Vec<u8>, label: &str) -> Document {
    in_charset(Document::new("page.html", bytes).retrieved_from("http://h/d/e/f?q"), label)
}
