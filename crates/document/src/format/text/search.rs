//! The search of a text in its bytes.
//!
//! Bytes that are the same in UTF-8, without terminal sequences, are a run of plain text. The rules
//! search it as it is. Any other byte has an influence only on its neighborhood, which is searched
//! [undecoded](super::undecoded) or, near a terminal sequence, [translated](super::near_escapes).

use encoding_rs::Encoding;

use super::chars::is_stop;
use super::coding::Coding;
use super::found_url::FoundUrl;
use super::near_escapes;
use super::scan::{AvailableText, Progress, Scan};
use super::syntax::{Translation, find_escape};
use super::undecoded;
use super::window::{AvailableBytes, ahead};
use crate::bytes::Span;
use crate::source::{TextDecoder, ascii_len, boundary_before, from_utf8};

/// The number of bytes after one that is not plain text that are searched with it.
const NEAR: usize = 8 << 10;

/// Their number where more such bytes follow.
const MOST_NEAR: usize = 64 << 10;

/// A shorter run of plain text is searched with the bytes around it. The rules read a text of one
/// word in another way.
const SHORTEST_RUN: usize = 1 << 10;

/// The length of the pieces in which the end of a URL that is too long is searched, in bytes.
const PIECE: usize = 64 << 10;

/// The number of bytes that are no longer needed to continue.
pub(super) fn no_longer_needed(scan: &Scan, available: AvailableBytes<'_, '_>) -> usize {
    near_escapes::look_back(available, scan.progress().at)
}

/// Reports the URLs of the bytes that begin before `until` and are decided. `until` is at most the
/// end of the [decided](AvailableBytes::decided) bytes. Returns the end of the plain text in which the search began.
pub(super) fn search<'t>(
    scan: &mut Scan,
    available: AvailableBytes<'t, '_>,
    until: usize,
    found: &mut dyn FnMut(FoundUrl<'t>),
) -> usize {
    let AvailableBytes { bytes, coding, .. } = available;
    let (mut near, mut ahead_of) = (NEAR, ahead(coding));
    let (mut plain_end, mut escape) = (None, 0);
    loop {
        let Progress { at, in_overlong_url, .. } = scan.progress();
        if in_overlong_url && !skip_overlong_url(scan, available, until) || at >= until {
            return plain_end.unwrap_or(0);
        }
        let from = near_escapes::look_back(available, at);
        if escape <= from {
            escape = find_escape(&bytes[from..]).map_or(bytes.len(), |at| from + at);
        }
        let run = plain_text(&bytes[from..escape], coding);
        let end = from + run.len();
        plain_end.get_or_insert(end);
        search_run(scan, available, (from, run), until, found);
        let progress = scan.progress();
        if progress.at >= until || progress.in_overlong_url {
            continue;
        }
        if end == bytes.len() {
            return plain_end.unwrap_or(0);
        }
        if progress.at > at {
            near = NEAR;
        }
        let stretch = until.min(progress.at.max(end) + near);
        let stretch = boundary_before(bytes, stretch, coding.encoding).max(progress.at + 1);
        let seen = bytes.len().min(stretch + ahead_of);
        match escape < seen {
            true => {
                near_escapes::search(scan, available, (from, stretch, seen), &mut |url| found(url))
            }
            false => undecoded::search(scan, available, stretch, &mut |url| found(url)),
        }
        let progress = scan.progress();
        if progress.at >= stretch || progress.in_overlong_url {
            (near, ahead_of) = (MOST_NEAR.min(2 * near), ahead(coding));
        } else if seen < bytes.len() {
            ahead_of *= 2;
        } else {
            return plain_end.unwrap_or(0);
        }
    }
}

/// The text that `bytes` begin with and that is the same in UTF-8.
fn plain_text<'t>(bytes: &'t [u8], coding: &Coding) -> &'t str {
    let len = match coding.is_utf8() {
        true => match from_utf8(bytes) {
            Some(text) => return text,
            None => Encoding::utf8_valid_up_to(bytes),
        },
        false => ascii_len(bytes),
    };
    from_utf8(&bytes[..len]).unwrap_or_default()
}

/// Searches what a run of plain text, which begins at `from`, decides.
fn search_run<'t>(
    scan: &mut Scan,
    available: AvailableBytes<'t, '_>,
    (from, run): (usize, &'t str),
    until: usize,
    found: &mut dyn FnMut(FoundUrl<'t>),
) {
    let is_all = run.len() == available.bytes.len();
    let is_last = available.is_last && from + run.len() == available.bytes.len();
    let text = AvailableText::new(run, is_last);
    let until = until.min(from + text.end());
    let at = scan.progress().at;
    if until <= at || run.len() < SHORTEST_RUN && !is_all {
        return;
    }
    scan.forget(from);
    scan.search(text, until - from, &mut |url| found(FoundUrl::InText(url, run, from)));
    let Progress { at, last, min_start, in_overlong_url } = scan.progress();
    let [at, last, min_start] = [at, last, min_start].map(|at| from + at);
    scan.move_to(Progress { at, last, min_start, in_overlong_url });
}

/// Skips the rest of a URL that is too long. Returns false if its end is not available.
fn skip_overlong_url(scan: &mut Scan, available: AvailableBytes<'_, '_>, until: usize) -> bool {
    let AvailableBytes { bytes, coding, is_last } = available;
    let progress = scan.progress();
    let from = progress.min_start;
    let mut decoder = TextDecoder::new(coding.encoding);
    let mut pieces = bytes[from..].chunks(PIECE).peekable();
    let end = loop {
        let Some(piece) = pieces.next() else {
            break None;
        };
        decoder.push(piece, is_last && pieces.peek().is_none());
        let text = decoder.text();
        let translation = Translation::of(text, None);
        let visible = translation.as_ref().map_or(text, Translation::text);
        if let Some(at) = visible.find(is_stop) {
            let at = translation.as_ref().map_or(at, |it| it.to_source(at));
            break Some(from + decoder.to_source(Span::new(at, at)).start);
        }
        decoder.forget(text.len());
    };
    let in_overlong_url = end.is_none();
    let min_start = end.unwrap_or(bytes.len() - decoder.pending());
    let at = if in_overlong_url { until.max(progress.at) } else { progress.at };
    scan.move_to(Progress { at, min_start, in_overlong_url, ..progress });
    !in_overlong_url
}

#[cfg(test)]
mod tests {
    use encoding_rs::{KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1252};
    use proptest::prelude::*;

    use super::*;
    use crate::format::options::{TextOptions, any_text_options as any_options};
    use crate::format::text::in_text::find_in_decoded;
    use crate::format::text::scan::scan;
    use crate::link::ParsedLink;
    use crate::source::{Charset, CharsetFrom, Text};

    const WORDS: &[u8] = b"words and words of a line: that has no link, or (one). ";

    fn piece() -> impl Strategy<Value = Vec<u8>> {
        let pieces = prop::sample::select(vec![
            &b"http://"[..],
            b"http://a.example/b",
            b"<http://a.example/",
            b">",
            b":",
            b"www.a.example",
            b"hxxp[:]//a[.]example",
            b"{\"a\":\"http:\\/\\/a\\u0026b",
            b"a@b.example",
            b" ",
            b"\n",
            b"\n> ",
            b"\"",
            b"\x1B[31m",
            b"\x1B[K",
            b"\x1B[1;31:2",
            b"\x1B[m",
            b"\x1B",
            b"\xE4",
            b"\xC3\xA4",
            b"\x83\x7C",
            b"\xE2\x80",
        ]);
        let long = (
            prop::sample::select(vec![b"words ".as_slice(), WORDS, b"line\n", b"a"]),
            0..6_000_usize,
        );
        let long = long.prop_map(|(piece, times)| piece.repeat(times));
        let colors = (0..400_usize).prop_map(|times| b"\x1B[38;5;214mx\x1B[0m".repeat(times));
        let letters = (0..4_000_usize).prop_map(|times| b"\xE4\xEF ".repeat(times));
        prop_oneof![12 => pieces.prop_map(<[u8]>::to_vec), 2 => long, 1 => colors, 1 => letters]
    }

    /// The links of the text that all of the bytes spell.
    fn of_text(bytes: &[u8], charset: Charset, options: TextOptions) -> Vec<ParsedLink<'static>> {
        let decoded = Text::decode(bytes, charset);
        let mut links = Vec::new();
        find_in_decoded(
            &decoded,
            None,
            |text, found| scan(text, &options, |url| found(url, text, 0)),
            |link| links.push(link.into_owned()),
        );
        links
    }

    proptest! {
        #![proptest_config(crate::tier::cases(400))]

        #[test]
        fn bytes_have_the_links_of_their_text(
            pieces in prop::collection::vec(piece(), 0..30),
            options in any_options(),
            encoding in prop::sample::select(vec![UTF_8, WINDOWS_1252, KOI8_R, SHIFT_JIS]),
            cuts in prop::collection::vec(1..40_000_usize, 1..4),
        ) {
            let bytes = pieces.concat();
            let coding = Coding::of(encoding).unwrap();
            let expected = of_text(&bytes, Charset::of_header(encoding, CharsetFrom::Header), options);
            let mut scan = Scan::new(options);
            let mut found = Vec::new();
            let available = AvailableBytes { bytes: &bytes, coding: &coding, is_last: true };
            let plain_end = search(&mut scan, available, bytes.len(), &mut |url| {
                found.push(url.into_link(&bytes, 0));
            });
            prop_assert_eq!(found, &expected[..]);
            let malformed = coding.validity.malformed(&bytes);
            prop_assert!(malformed.is_none_or(|at| at >= plain_end));

            // More and more bytes are available, and fewer before.
            let (mut scan, mut found) = (Scan::new(options), Vec::new());
            let (mut from, mut to) = (0, 0);
            for cut in cuts.iter().cycle() {
                to = bytes.len().min(to + cut);
                let is_last = to == bytes.len();
                let available = AvailableBytes { bytes: &bytes[from..to], coding: &coding, is_last };
                search(&mut scan, available, available.decided(), &mut |url| {
                    found.push(url.into_link(&bytes[from..to], from).into_owned());
                });
                if is_last {
                    break;
                }
                let done = no_longer_needed(&scan, available);
                scan.forget(done);
                from += done;
            }
            prop_assert_eq!(found, expected);
        }
    }
}
