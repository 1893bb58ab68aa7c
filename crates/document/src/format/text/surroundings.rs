//! The words around a link in plain text.

use std::ops::Range;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};

use crate::format::contexts::collapsed;
use crate::source::boundary_before;

/// The maximum number of characters before and after a link.
const MOST: usize = 100;

/// The longest word that is left out where the text is cut, in characters. A longer one is cut, since
/// some languages have no spaces.
const LONGEST: usize = 50;

/// The bytes before and after a link that are decoded: [`MOST`] characters, and an incomplete one. A
/// search has more than these, however a text is divided.
const WINDOW: usize = 4 * (MOST + 1);

/// The line with the link at `range` of `bytes`, with white space collapsed. Of a long line, up to
/// 100 characters before and after the link: whole words, unless they have more than 50 characters.
/// `None` if it is blank.
///
/// Constant time, except for the length of the link.
pub fn words_around(
    bytes: &[u8],
    range: Range<usize>,
    encoding: &'static Encoding,
) -> Option<String> {
    let Range { start, end } = range;
    let from = start_of_window(bytes, start, encoding);
    let to = bytes.len().min(end + WINDOW);
    let decoded = |range: Range<usize>| encoding.decode_without_bom_handling(&bytes[range]).0;
    let (before, after) = (decoded(from..start), decoded(end..to));
    let before = match before.rfind(['\n', '\r']) {
        Some(at) => last_words(&before[at + 1..], false),
        None => last_words(&before, from > 0),
    };
    let after = match after.find(['\n', '\r']) {
        Some(at) => first_words(&after[..at], false),
        None => first_words(&after, to < bytes.len()),
    };
    collapsed([before, &decoded(start..end), after])
}

/// The start of the bytes before `at` that are decoded: the start of a character.
fn start_of_window(bytes: &[u8], at: usize, encoding: &'static Encoding) -> usize {
    let from = at.saturating_sub(WINDOW);
    if from == 0 {
        return 0;
    }
    if encoding == UTF_16LE || encoding == UTF_16BE {
        // A link begins at a character.
        return from + (at - from) % 2;
    }
    if encoding == ISO_2022_JP {
        // A line begins with ASCII (RFC 1468).
        return memchr::memchr(b'\n', &bytes[from..at]).map_or(at, |it| from + it + 1);
    }
    let nearby = from.saturating_sub(WINDOW);
    nearby + boundary_before(&bytes[nearby..at], from - nearby, encoding)
}

/// The last words of the text before a link, which may begin in a word.
fn last_words(text: &str, is_cut: bool) -> &str {
    let start = text.char_indices().rev().take(MOST).last().map_or(text.len(), |(at, _)| at);
    let rest = &text[start..];
    if !is_cut && start == 0 {
        return rest;
    }
    let mut beginning = rest.char_indices().take(LONGEST);
    match beginning.find(|(_, it)| it.is_whitespace()) {
        Some((at, _)) => &rest[at..],
        None => rest,
    }
}

/// The first words of the text after a link, which may end in a word.
fn first_words(text: &str, is_cut: bool) -> &str {
    let end = text.char_indices().nth(MOST).map_or(text.len(), |(at, _)| at);
    let rest = &text[..end];
    if !is_cut && end == text.len() {
        return rest;
    }
    let mut ending = rest.char_indices().rev().take(LONGEST);
    match ending.find(|(_, it)| it.is_whitespace()) {
        Some((at, _)) => &rest[..at],
        None => rest,
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{GBK, UTF_8};

    use super::*;

    fn around(text: &str, encoding: &'static Encoding) -> Option<String> {
        let (before, rest) = text.split_once('[').expect("a link");
        let (link, after) = rest.split_once(']').expect("a link");
        let encoded = |text: &str| -> Vec<u8> {
            if encoding == UTF_16LE {
                return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            }
            encoding.encode(text).0.into_owned()
        };
        let [before, link, after] = [before, link, after].map(encoded);
        let range = before.len()..before.len() + link.len();
        words_around(&[before, link, after].concat(), range, encoding)
    }

    #[test]
    fn surroundings_are_a_line_or_whole_words_of_a_long_one() {
        let words = "слово 文字 ".repeat(100);
        for encoding in [UTF_8, GBK, UTF_16LE] {
            let line = format!("one\r\n  see  <[http://a.example/]>,\t{words}\nnext");
            let found = around(&line, encoding).expect("words");
            assert!(found.starts_with("see <http://a.example/>, слово 文字"), "{found}");
            let len = found.chars().count();
            assert!(found.ends_with(['о', '字']) && (100..130).contains(&len), "{found}");
            let line = format!("{words}<[http://a.example/]>");
            let found = around(&line, encoding).expect("words");
            let len = found.chars().count();
            assert!(found.starts_with(['с', '文']) && (100..130).contains(&len), "{found}");
            assert!(found.ends_with("文字 <http://a.example/>"), "{found}");
        }
    }

    #[test]
    fn surroundings_of_a_divided_link_have_all_of_its_lines() {
        let found = around("a\nsee <[http://a.example/\n  b]> there\nc", UTF_8);
        assert_eq!(found.as_deref(), Some("see <http://a.example/ b> there"));
    }

    #[test]
    fn surroundings_without_spaces_are_cut_at_a_character() {
        let words = "漢字かな".repeat(100);
        for encoding in [UTF_8, GBK, UTF_16LE] {
            let found = around(&format!("{words}、[http://a.example/] 、{words}"), encoding);
            let found = found.expect("words");
            // 99 and 98 characters, with those between.
            let before: String = words.chars().skip(400 - 99).collect();
            let after: String = words.chars().take(98).collect();
            assert_eq!(found, format!("{before}、http://a.example/ 、{after}"));
        }
    }
}
