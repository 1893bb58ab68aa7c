//! The generated texts in other character encodings.

use encoding_rs::Encoding;

use super::texts;
use super::words::Language;

/// The number of bytes of Latin-1 that are put into a text.
const SPRINKLED: usize = 100;

/// A copy with 100 bytes that are not UTF-8, evenly spread, each in place of a space.
pub(crate) fn sprinkled(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for number in 0..SPRINKLED {
        let from = number * bytes.len() / SPRINKLED;
        if let Some(space) = memchr::memchr(b' ', &bytes[from..]) {
            bytes[from + space] = 0xE9;
        }
    }
    bytes
}

/// A language whose texts are whole in a character encoding.
pub(crate) const WHOLE: [(&str, Language); 4] = [
    ("windows-1252", Language::Western),
    ("KOI8-R", Language::Russian),
    ("Shift_JIS", Language::Japanese),
    ("GB18030", Language::Chinese),
];

/// Messages in a language, of about `size` bytes: as UTF-8, and in the character encoding.
///
/// # Panics
/// If the character encoding lacks a character.
pub(crate) fn whole((label, language): (&str, Language), size: usize) -> (String, Vec<u8>) {
    let text = texts::prose(language, size);
    let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
    let (bytes, _, has_errors) = encoding.encode(&text);
    assert!(!has_errors, "{label} has every character of the text");
    let bytes = bytes.into_owned();
    (text, bytes)
}
