//! The places where a text can be divided: no look-back crosses them, so what follows is searched as
//! if it began the text. Only the last URL before such a place may reach beyond it.

use std::ops::Range;

use memchr::{memchr, memchr2_iter, memrchr, memrchr2_iter};

use super::coding::Coding;
use super::lines;
use super::opening::{Opening, announces_url};
use super::scan::LOOK_BACK;
use super::syntax::Translation;
use super::window::{BACK, ahead};
use crate::source::boundary_near;

/// The maximum number of positions that are tried as a boundary.
const TRIES: usize = 1000;

/// The maximum number of these positions that are decoded.
const DECODED_TRIES: usize = 8;

/// The last boundary in `bytes` before which everything is decided, at one of the last white space
/// characters.
///
/// A part may have any length. If many positions or much text would have to be decoded, the result
/// is `None`.
pub(super) fn last_boundary(bytes: &[u8], coding: &Coding) -> Option<usize> {
    let end = bytes.len().checked_sub(ahead(coding))?;
    let places = memrchr2_iter(b'\n', b' ', &bytes[..end]);
    boundary_after(places, bytes, coding)
}

/// The first boundary in a range of `bytes`, after one of the first white space characters.
pub(super) fn first_boundary(bytes: &[u8], range: Range<usize>, coding: &Coding) -> Option<usize> {
    let places = memchr2_iter(b'\n', b' ', &bytes[range.clone()]);
    boundary_after(places.map(|blank| range.start + blank), bytes, coding)
}

/// The first boundary that follows one of these white space characters.
fn boundary_after(
    blanks: impl Iterator<Item = usize>,
    bytes: &[u8],
    coding: &Coding,
) -> Option<usize> {
    let encoding = coding.encoding;
    let places = blanks.map(|blank| blank + 1).take(TRIES).filter(|&place| {
        let line = &bytes[place.saturating_sub(lines::LOOK_BACK)..place];
        line.ends_with(b"\n") || memrchr(b'\n', line).is_none()
    });
    for place in places.take(DECODED_TRIES) {
        let from = place.saturating_sub(BACK);
        let from = boundary_near(bytes, from, encoding)?;
        let (before, _) = encoding.decode_without_bom_handling(&bytes[from..place]);
        let translation = Translation::of(&before, None);
        let text = translation.as_ref().map_or(&*before, Translation::text);
        let is_enough = translation.is_none() || text.len() >= LOOK_BACK;
        if is_enough && is_boundary(text, text.len()) {
            return Some(place);
        }
    }
    None
}

/// Returns true if the text after `at`, which is after a line feed or a space, is read as if it
/// began a text.
///
/// Only white space, line marks and `URL:` may be between a URL and the delimiter before it. Only
/// white space or another URL may be between that delimiter and a word that announces a URL. Marks
/// are also read at the start of a URL's line, which remains in range, except for the previous URL.
/// So the line either begins at `at`, or so far before it that no marks are read.
fn is_boundary(text: &str, at: usize) -> bool {
    let line = &text.as_bytes()[at.saturating_sub(lines::LOOK_BACK)..at];
    let is_in_line = || line.len() == lines::LOOK_BACK && memchr(b'\n', line).is_none();
    if !line.ends_with(b"\n") && !is_in_line() {
        return false;
    }
    let opening = Opening::before(text, 0, at);
    !opening.prefix && opening.delimiter.is_none() && !announces_url(&text[..at])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::format::options::any_text_options as any_options;
    use crate::format::text::scan::{AvailableText, Progress, Scan};

    /// Decoding the run at each position would take quadratic time.
    #[test]
    fn place_after_a_long_run_without_ascii_is_not_decoded() {
        let last = |run: &[u8]| {
            let coding = Coding::of(encoding_rs::SHIFT_JIS).unwrap();
            let rest = vec![b'a'; ahead(&coding)];
            last_boundary(&[run, b"\n", &rest].concat(), &coding)
        };
        let (run, words) = (b"\x83\x7C".repeat(8 << 10), b"\x83\x7C ".repeat(8 << 10));
        assert_eq!(last(&run), None);
        assert_eq!(last(&words), Some(words.len() + 1));
    }

    /// Takes the start of the line out of range.
    const LONG: &str = "words of a line that is too long to be looked back at to see how it begins, and so on, and so on. It may be cut after each of its words, as no mark before them is looked at, and no line end, but not where what precedes is a bracket or a prefix. And so on. ";

    fn text() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "http://",
            "https:",
            "http://a.b/",
            " ",
            "\n",
            "\n",
            "\n\n",
            "\r\n",
            "<",
            ">",
            "a",
            "b.c",
            "/",
            "-",
            "-\n",
            ".",
            ",",
            ")",
            "(",
            "'",
            "\"",
            "?",
            "#",
            "@",
            ":",
            "1",
            "<http://a.b/c",
            "> ",
            "\n> ",
            "<\n",
            "<URL:\n",
            "URL:",
            "\n # ",
            " * ",
            "\n// ",
            "news:",
            "www.a.b",
            "hxxp[:]//a[.]b",
            "{\"a\":\"",
            "http:\\/\\/a\\/",
            "\\u0026",
            "\x1b[3",
            "6m",
            "\\",
            "\u{A0}",
            "。",
            "“",
            "”",
            LONG,
            LONG,
            "[Page 9]\n\u{C}\nRFC 1 A B 1999\n\n",
            "words of a line\n",
        ]);
        prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(crate::tier::cases(4000))]

        /// A search may begin at any boundary that no URL crosses.
        #[test]
        fn text_after_a_boundary_is_searched_as_a_text_of_its_own(
            text in text(),
            options in any_options(),
            from in any::<Index>(),
        ) {
            let coding = Coding::of(encoding_rs::UTF_8).unwrap();
            let range = from.index(text.len() + 1)..text.len();
            let Some(at) = first_boundary(text.as_bytes(), range, &coding) else {
                return Ok(());
            };
            let available = AvailableText::new(&text, true);
            let after = |scan: &mut Scan| {
                let mut urls = Vec::new();
                scan.search(available, text.len(), &mut |url| urls.push(url));
                urls
            };
            let mut scan = Scan::new(options);
            scan.search(available, at, &mut |_| {});
            let is_free = scan.is_free_at(at);
            let mut own = Scan::new(options);
            own.move_to(Progress::beginning_at(at));
            let (urls, urls_of_own) = (after(&mut scan), after(&mut own));
            prop_assert!(!is_free || urls == urls_of_own, "{:?} at {}", text, at);
        }
    }

    #[test]
    fn boundaries_are_where_nothing_reads_back() {
        let coding = Coding::of(encoding_rs::UTF_8).unwrap();
        let first = |text: &str, from| first_boundary(text.as_bytes(), from..text.len(), &coding);
        assert_eq!(first("abcdefg", 0), None);
        for (from, boundary) in [(0, Some(3)), (3, Some(6)), (4, Some(6)), (8, Some(9)), (13, None)]
        {
            assert_eq!(first("ab\ncd\nef\n\ngh\n", from), boundary, "{from}");
        }
        let text = "abcd<\nefgh URL:\n ijk\n> lmn";
        assert_eq!((first(text, 0), first(text, 22)), (Some(21), None));
    }
}
