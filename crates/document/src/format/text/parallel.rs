//! The search of a long text by several threads.
//!
//! The text is divided where no look-back crosses, so each part is searched as a separate text.
//! Only the last URL of the previous part may reach into a part; then that part is searched again.
//! The calling thread reports the URLs in order.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use memchr::{memchr, memchr2_iter, memrchr, memrchr2_iter};

use super::coding::Coding;
use super::lines;
use super::opening::{Opening, announces_url};
use super::scan::{AvailableText, Scan, Searched};
use super::text_url::TextUrl;
use super::undecoded;
use crate::format::options::TextOptions;
use crate::source::boundary_near;

/// Calls `found` with every URL of `text`, in order. Their spans are sorted and disjoint.
///
/// Linear in the length of `text`. The [module](super) describes the rules.
///
/// ```
/// use rehref_document::format::text::{TextOptions, scan};
/// use rehref_document::link::Delimiter;
///
/// let text = "See <http://ds.internic.net/\n    rfc/>, or http://example.org/a(b).";
/// let mut urls = Vec::new();
/// scan(text, &TextOptions::default(), |url| {
///     let value: String = url.spans.iter().map(|span| &text[span.range()]).collect();
///     urls.push((url.delimiter, value));
/// });
/// assert_eq!(
///     urls,
///     [
///         (Delimiter::Angle, "http://ds.internic.net/rfc/".to_owned()),
///         (Delimiter::Bare, "http://example.org/a(b)".to_owned()),
///     ]
/// );
/// ```
pub fn scan(text: &str, options: &TextOptions, found: impl FnMut(TextUrl)) {
    scan_parallel(text, options, NonZeroUsize::MIN, found);
}

/// [`scan`] with `threads` threads, including the current one, if `text` is longer than 512 KiB.
/// `found` is called on the current thread. URLs that other threads find early are held in memory,
/// each thread for up to 1 MiB of text.
pub fn scan_parallel(
    text: &str,
    options: &TextOptions,
    threads: NonZeroUsize,
    found: impl FnMut(TextUrl),
) {
    let mut found = found;
    search(Scan::new(*options), text, threads, &mut found);
}
/// The length of a part, in bytes.
pub(crate) const PART: usize = 256 << 10;

/// The number of parts that each thread may search ahead of their turn. It bounds the memory.
const AHEAD: usize = 2;

/// The maximum number of positions that are tried as a boundary.
const TRIES: usize = 1000;

/// The maximum number of these positions that are decoded.
const DECODED_TRIES: usize = 8;

/// Searches `text` with at most `threads` threads.
fn search(scan: Scan, text: &str, threads: NonZeroUsize, found: &mut dyn FnMut(TextUrl)) {
    search_parts(scan, text, threads, PART, found);
}

fn search_parts(
    mut scan: Scan,
    text: &str,
    threads: NonZeroUsize,
    part: usize,
    found: &mut dyn FnMut(TextUrl),
) {
    let available = AvailableText::new(text, true);
    if threads.get() == 1 || text.len() < 2 * part {
        scan.advance(available, text.len(), None, found);
        return;
    }
    let boundaries = boundaries(text, part);
    let threads = threads.get().min(boundaries.len() - 1);
    let (start, boundaries) = (scan.clone(), boundaries.as_slice());
    thread::scope(|scope| {
        let others: Vec<Option<Receiver<Searched>>> = (1..threads)
            .map(|first| {
                let (send, receive) = sync_channel(AHEAD);
                let start = start.clone();
                let search = move || {
                    for part in boundaries.windows(2).skip(first).step_by(threads) {
                        if send.send(start.search_part(available, part[0], part[1])).is_err() {
                            return;
                        }
                    }
                };
                // One thread less is not an error.
                let spawned = thread::Builder::new().spawn_scoped(scope, search);
                spawned.is_ok().then_some(receive)
            })
            .collect();
        for (at, part) in boundaries.windows(2).enumerate() {
            let other = (at % threads).checked_sub(1);
            let searched = other.and_then(|other| others[other].as_ref()?.recv().ok());
            if !scan.advance(available, part[1], searched, found) {
                // The rest is one URL, which is too long.
                return;
            }
        }
    });
}

/// The offsets where the parts of `text` begin, and its end.
fn boundaries(text: &str, part: usize) -> Vec<usize> {
    let mut boundaries = vec![0];
    for at in (part..text.len()).step_by(part) {
        let places = memchr2_iter(b'\n', b' ', &text.as_bytes()[at..text.len().min(at + part)]);
        let mut places = places.map(|blank| at + blank + 1).take(TRIES);
        boundaries.extend(places.find(|&place| place < text.len() && is_boundary(text, place)));
    }
    boundaries.push(text.len());
    boundaries
}

/// The last boundary in `bytes` before which everything is decided, at one of the last white space
/// characters.
///
/// A part may have any length. If many positions or much text would have to be decoded, the result
/// is `None`.
pub(super) fn last_boundary(bytes: &[u8], coding: &Coding) -> Option<usize> {
    let encoding = coding.encoding;
    let end = bytes.len().checked_sub(undecoded::ahead(coding))?;
    let places = memrchr2_iter(b'\n', b' ', &bytes[..end]).map(|blank| blank + 1);
    let places = places.take(TRIES).filter(|&place| {
        let line = &bytes[place.saturating_sub(lines::LOOK_BACK)..place];
        line.ends_with(b"\n") || memrchr(b'\n', line).is_none()
    });
    for place in places.take(DECODED_TRIES) {
        let from = place.saturating_sub(undecoded::BACK);
        let from = boundary_near(bytes, from, encoding)?;
        let (before, _) = encoding.decode_without_bom_handling(&bytes[from..place]);
        if is_boundary(&before, before.len()) {
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
    use super::*;
    use crate::format::options::any_text_options as any_options;
    use crate::format::text::TextOptions;
    use proptest::prelude::*;

    /// Takes the start of the line out of range.
    const LONG: &str = "words of a line that is too long to be looked back at to see how it begins, and so on, and so on. It may be cut after each of its words, as no mark before them is looked at, and no line end, but not where what precedes is a bracket or a prefix. And so on. ";

    /// Decoding the run at each position would take quadratic time.
    #[test]
    fn place_after_a_long_run_without_ascii_is_not_decoded() {
        let last = |run: &[u8]| {
            let coding = Coding::of(encoding_rs::SHIFT_JIS).unwrap();
            let rest = vec![b'a'; undecoded::ahead(&coding)];
            last_boundary(&[run, b"\n", &rest].concat(), &coding)
        };
        let (run, words) = (b"\x83\x7C".repeat(8 << 10), b"\x83\x7C ".repeat(8 << 10));
        assert_eq!(last(&run), None);
        assert_eq!(last(&words), Some(words.len() + 1));
    }

    fn urls(text: &str, options: TextOptions, threads: usize, part: usize) -> Vec<TextUrl> {
        let threads = NonZeroUsize::new(threads).unwrap();
        let mut urls = Vec::new();
        search_parts(Scan::new(options), text, threads, part, &mut |url| urls.push(url));
        urls
    }

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

        #[test]
        fn threads_find_the_same_urls_as_one(
            text in text(),
            options in any_options(),
            threads in 2..5_usize,
            part in 1..40_usize,
        ) {
            let one = urls(&text, options, 1, part);
            let several = urls(&text, options, threads, part);
            prop_assert_eq!(one, several, "{}", text);
        }
    }

    #[test]
    fn boundaries_are_where_nothing_reads_back() {
        let of = |text: &str| boundaries(text, 4);
        assert_eq!(of("abcdefg"), [0, 7]);
        assert_eq!(of("ab\ncd\nef\n\ngh\n"), [0, 6, 9, 13]);
        assert_eq!(of("abcd<\nefgh URL:\n ijk\n> lmn"), [0, 21, 26]);
    }
}
