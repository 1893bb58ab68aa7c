//! The charset of a part whose header may be wrong.

use std::cell::LazyCell;
use std::cmp::Ordering;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::{memchr, memchr_iter, memrchr};

use crate::format::Format;
use crate::source::{Charset, CharsetFrom, from_utf8};

/// The charset of a mail part in this format whose header has this label.
///
/// The label is ignored if the bytes contradict it:
/// - a byte order mark;
/// - escape sequences of ISO-2022-JP under no label, or the label ASCII, Latin-1 or UTF-8;
/// - valid non-ASCII UTF-8 under the label of a single-byte encoding, or of one that has errors in
///   these bytes;
/// - more errors than non-ASCII characters under the label UTF-8;
/// - a byte order of UTF-16 that the zero bytes of ASCII characters contradict.
///
/// Without a known label the charset is [detected](Charset::detect). Only non-ASCII lines are used
/// for a guess: using all lines took a quarter of the time of reading old archives.
pub(super) fn labeled(label: Option<&str>, bytes: &[u8], format: Format) -> Charset {
    labeled_if_plain(label, bytes, format, is_plain(bytes))
}

/// The charset of a part: see [`labeled`]. `is_plain` is true if the bytes are [plain](is_plain).
fn labeled_if_plain(label: Option<&str>, bytes: &[u8], format: Format, is_plain: bool) -> Charset {
    let named = label.and_then(|label| Encoding::for_label_no_replacement(label.as_bytes()));
    if !is_plain && Encoding::for_bom(bytes).is_some() {
        return Charset::detect(bytes, true, format.declared_charset());
    }
    let is_latin = named.is_none_or(|it| it == WINDOWS_1252 || it == UTF_8);
    if !is_plain && is_latin && has_japanese_escapes(bytes) {
        return Charset::of_header(ISO_2022_JP, CharsetFrom::Guess);
    }
    let is_utf8 = LazyCell::new(|| is_plain || from_utf8(bytes).is_some());
    let found = match named {
        Some(it) if it == UTF_16LE || it == UTF_16BE => order_of_utf16(bytes),
        Some(it) if is_plain || bytes.is_ascii() => Some(it),
        Some(it) if it == UTF_8 => (*is_utf8 || is_nearly_utf8(bytes)).then_some(it),
        Some(it) if *is_utf8 => {
            let decoded = it.decode_without_bom_handling_and_without_replacement(bytes);
            (!it.is_single_byte() && decoded.is_some()).then_some(it)
        }
        named => named,
    };
    if let Some(encoding) = found {
        return Charset::of_header(encoding, CharsetFrom::Header);
    }
    if format.charset_declared_in(bytes).is_some() {
        Charset::detect(bytes, true, format.declared_charset())
    } else if *is_utf8 {
        Charset::VALID
    } else {
        Charset::guess(&non_ascii_lines(bytes), true)
    }
}

/// Returns true if the bytes are ASCII without an escape, as most mail is.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && memchr(0x1B, bytes).is_none()
}

/// The lines with a non-ASCII byte or an escape.
fn non_ascii_lines(bytes: &[u8]) -> Vec<u8> {
    let mut lines = Vec::new();
    let (mut at, mut non_ascii) = (0, 0);
    loop {
        if non_ascii <= at {
            non_ascii = at + Encoding::ascii_valid_up_to(&bytes[at..]);
        }
        let relevant = memchr(0x1B, &bytes[at..non_ascii]).map_or(non_ascii, |escape| at + escape);
        if relevant == bytes.len() {
            return lines;
        }
        let start = memrchr(b'\n', &bytes[at..relevant]).map_or(at, |found| at + found + 1);
        let end = memchr(b'\n', &bytes[relevant..]);
        at = end.map_or(bytes.len(), |found| relevant + found + 1);
        lines.extend_from_slice(&bytes[start..at]);
    }
}

/// Returns true if the bytes are ASCII with escape sequences of ISO-2022-JP (RFC 1468) for
/// Japanese.
fn has_japanese_escapes(bytes: &[u8]) -> bool {
    let begins = |at: usize| matches!(bytes.get(at + 1..at + 3), Some(b"$B" | b"$@" | b"(J"));
    memchr_iter(0x1B, bytes).any(begins) && bytes.is_ascii()
}

/// The byte order of UTF-16, by the zero bytes of ASCII characters. `None` if it cannot be
/// determined.
fn order_of_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).filter(|byte| **byte == 0);
    match zeros(0).count().cmp(&zeros(1).count()) {
        Ordering::Less => Some(UTF_16LE),
        Ordering::Equal => None,
        Ordering::Greater => Some(UTF_16BE),
    }
}

/// Returns true if `bytes`, read as UTF-8, have at least as many non-ASCII characters as errors.
fn is_nearly_utf8(bytes: &[u8]) -> bool {
    let (mut characters, mut errors) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        characters += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        errors += usize::from(!chunk.invalid().is_empty());
    }
    errors <= characters
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_with_a_relevant_byte_are_kept(
            pieces in prop::collection::vec(
                prop::sample::select(vec![&b"a"[..], b"\n", b"\r\n", b"\x1B", b"\xE9", b"words "]),
                0..20,
            ),
        ) {
            let bytes = pieces.concat();
            let is_relevant = |line: &&[u8]| !line.is_ascii() || line.contains(&0x1B);
            let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(is_relevant);
            prop_assert_eq!(non_ascii_lines(&bytes), lines.collect::<Vec<_>>().concat());
        }

        #[test]
        fn plain_bytes_have_the_charset_of_the_rules(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "words", "\n", "\0", "\0\0a", "<meta charset=koi8-r>", "\x1B$B", "\x1B", "\u{e9}", "\u{feff}",
                "<?xml version='1.0' encoding='big5'?>", "~{", "\x7F",
            ]), 0..8),
            label in prop::sample::select(vec![
                "", "us-ascii", "utf-8", "latin1", "utf-16", "utf-16be", "iso-2022-jp", "iso-2022-kr", "gb18030", "x",
            ]),
            format in prop::sample::select(vec![Format::Text, Format::Html, Format::Xml, Format::Header]),
            (before, after) in prop::sample::select(vec![(0, 0), (0, 300), (200, 100), (255, 256), (300, 0)]),
        ) {
            let text = [&*"x".repeat(before), &*pieces.concat(), &*"y".repeat(after)].concat();
            let label = Some(label).filter(|label| !label.is_empty());
            let by_rules = labeled_if_plain(label, text.as_bytes(), format, false);
            prop_assert_eq!(labeled(label, text.as_bytes(), format), by_rules, "{:?}", text);
        }
    }
}
