//! The search of a long text by several threads.
//!
//! It is parted where no look-back crosses, so that each part can be searched as if nothing stood before it.
//! Only the last URL of the part before may reach into it; then it is searched again. What is found is told in
//! the order of the text, by the thread that asks.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use memchr::{memchr, memchr2_iter, memrchr2_iter};

use super::lead::{Lead, names_url};
use super::lines;
use super::options::TextOptions;
use super::scan::{Known, LOOK_AHEAD, LOOK_BACK, Scan, Searched};
use super::text_url::TextUrl;

/// Calls `found` with every URL of `text`, in the order of the text; their spans are sorted and
/// disjoint.
///
/// Linear in the length of `text`; see the [module](self) for the rules.
///
/// ```
/// use rehref::format::text::{TextOptions, scan};
/// use rehref::link::Delimiter;
///
/// let text = "See <http://ds.internic.net/\n    rfc/>, or http://example.org/a(b).";
/// let mut urls = Vec::new();
/// scan(text, &TextOptions::default(), |url| {
///     let value: String = url.spans.iter().map(|span| &text[span.range()]).collect();
///     urls.push((url.cue, value));
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

/// The same with so many threads, this one included, where `text` is longer than 512 KiB; `found` is called
/// on this one. What the others find before it is their turn is held, for each of up to 1 MiB of text.
pub fn scan_parallel(
    text: &str,
    options: &TextOptions,
    threads: NonZeroUsize,
    found: impl FnMut(TextUrl),
) {
    let mut found = found;
    search(Scan::new(*options), text, threads, &mut found);
}
/// How long a part is, in bytes.
pub(crate) const PART: usize = 256 << 10;

/// So many parts may be found before it is their turn, by each thread: it bounds the memory.
const AHEAD: usize = 2;

/// How many places are tried for one to cut a text at.
const TRIES: usize = 1000;

/// Searches `text` with so many threads at most.
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
    let known = Known::new(text, true);
    if threads.get() == 1 || text.len() < 2 * part {
        scan.advance(known, text.len(), None, found);
        return;
    }
    let cuts = cuts(text, part);
    let threads = threads.get().min(cuts.len() - 1);
    let (start, cuts) = (scan.clone(), cuts.as_slice());
    thread::scope(|scope| {
        let others: Vec<Option<Receiver<Searched>>> = (1..threads)
            .map(|first| {
                let (send, receive) = sync_channel(AHEAD);
                let start = start.clone();
                let search = move || {
                    for part in cuts.windows(2).skip(first).step_by(threads) {
                        if send.send(start.apart(known, part[0], part[1])).is_err() {
                            return;
                        }
                    }
                };
                // A thread less is no trouble.
                let spawned = thread::Builder::new().spawn_scoped(scope, search);
                spawned.is_ok().then_some(receive)
            })
            .collect();
        for (at, part) in cuts.windows(2).enumerate() {
            let other = (at % threads).checked_sub(1);
            let searched = other.and_then(|other| others[other].as_ref()?.recv().ok());
            if !scan.advance(known, part[1], searched, found) {
                // The rest is one URL, which is too long.
                return;
            }
        }
    });
}

/// Where the parts of `text` begin, and its end.
fn cuts(text: &str, part: usize) -> Vec<usize> {
    let mut cuts = vec![0];
    for at in (part..text.len()).step_by(part) {
        let places = memchr2_iter(b'\n', b' ', &text.as_bytes()[at..text.len().min(at + part)]);
        let mut places = places.map(|blank| at + blank + 1).take(TRIES);
        cuts.extend(places.find(|&place| place < text.len() && is_cut(text, place)));
    }
    cuts.push(text.len());
    cuts
}

/// The last place in `bytes` where they can be cut and what follows decides all before, if there is one within
/// the last blanks.
pub(crate) fn last_cut(bytes: &[u8]) -> Option<usize> {
    let end = bytes.len().checked_sub(LOOK_AHEAD + char::MAX.len_utf8())?;
    let places = memrchr2_iter(b'\n', b' ', &bytes[..end]).map(|blank| blank + 1);
    places.take(TRIES).find(|&place| {
        let mut before = &bytes[place.saturating_sub(LOOK_BACK)..place];
        // It may begin within a character.
        while let [0x80..0xC0, rest @ ..] = before {
            before = rest;
        }
        std::str::from_utf8(before).is_ok_and(|before| is_cut(before, before.len()))
    })
}

/// Whether what follows `at`, which is after a line feed or a blank, is read as if nothing stood before it.
///
/// Only white space, the marks of a line and `URL:` stand between a URL and the delimiter that it is read back
/// to, and white space or another URL between that and a word that names it one. Marks are also looked for at the beginning of a URL's line, in the text, which stays in sight, but for
/// the last URL before: so the line begins at `at`, or so far before that none are looked for.
fn is_cut(text: &str, at: usize) -> bool {
    let line = &text.as_bytes()[at.saturating_sub(lines::LOOK_BACK)..at];
    let is_in_line = || line.len() == lines::LOOK_BACK && memchr(b'\n', line).is_none();
    if !line.ends_with(b"\n") && !is_in_line() {
        return false;
    }
    let lead = Lead::before(text, 0, at);
    !lead.prefix && lead.delimiter.is_none() && !names_url(&text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::text::TextOptions;
    use crate::format::text::options::tests::any_options;
    use proptest::prelude::*;

    /// What takes the beginning of the line out of sight.
    const LONG: &str = "words of a line that is too long to be looked back at to see how it begins, and so on, and so on. It may be cut after each of its words, as no mark before them is looked at, and no line end, but not where what precedes is a bracket or a prefix. And so on. ";

    fn urls(text: &str, options: TextOptions, threads: usize, part: usize) -> Vec<TextUrl> {
        let threads = NonZeroUsize::new(threads).unwrap();
        let mut urls = Vec::new();
        search_parts(Scan::new(options), text, threads, part, &mut |url| {
            urls.push(url)
        });
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
        fn threads_find_what_one_finds(
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
    fn a_text_is_cut_where_nothing_is_read_back() {
        let of = |text: &str| cuts(text, 4);
        assert_eq!(of("abcdefg"), [0, 7]);
        assert_eq!(of("ab\ncd\nef\n\ngh\n"), [0, 6, 9, 13]);
        assert_eq!(of("abcd<\nefgh URL:\n ijk\n> lmn"), [0, 21, 26]);
    }
}
