//! The search near terminal sequences: a stretch of the bytes is decoded, and translated to text
//! without them.

use super::found_url::FoundUrl;
use super::scan::{AvailableText, Progress, Scan};
use super::searchable::Searchable;
use super::syntax::{Translation, terminal_len, terminal_start};
use super::window::{AvailableBytes, BACK, decode};
use crate::bytes::Span;
use crate::source::{TextDecoder, boundary_before};

/// The most bytes that are looked back at. They have [`LOOK_BACK`](super::scan::LOOK_BACK) bytes of
/// text if each character has its own color.
const MOST_BACK: usize = 128 << 10;

/// The start of the bytes that decide about a trigger at `at`, with those before it.
pub(super) fn look_back(available: AvailableBytes<'_, '_>, at: usize) -> usize {
    let AvailableBytes { bytes, coding, .. } = available;
    let mut back = BACK;
    loop {
        let from = boundary_before(bytes, at.saturating_sub(back), coding.encoding);
        let text = at - from - terminal_len(&bytes[from..], at - from);
        if from == 0 || text >= BACK || back >= MOST_BACK {
            return terminal_start(bytes, from);
        }
        back *= 2;
    }
}

/// Reports the URLs that begin before `until` and are decided by the bytes from `from` to `to`.
pub(super) fn search(
    scan: &mut Scan,
    available: AvailableBytes<'_, '_>,
    (from, until, to): (usize, usize, usize),
    found: &mut dyn FnMut(FoundUrl<'static>),
) {
    let AvailableBytes { bytes, coding, is_last } = available;
    let (bytes, is_last) = (&bytes[from..to], is_last && to == bytes.len());
    let mut decoder = TextDecoder::new(coding.encoding);
    decoder.push(bytes, is_last);
    let mut translation = Translation::new(None);
    translation.advance(decoder.text(), is_last);
    let to_source = |span: Span| decoder.to_source(span).shifted(from);
    let searchable = Searchable {
        text: translation.text(),
        translated: Some((decoder.text(), &translation)),
        to_source: &to_source,
    };
    let in_text = |at: usize| {
        let len = at.saturating_sub(from);
        let mut text = String::new();
        let mut decoder = coding.encoding.new_decoder_without_bom_handling();
        decode(&mut decoder, &bytes[..len], false, &mut text);
        text.len() - terminal_len(bytes, len)
    };
    let before = scan.progress();
    let [at, last, min_start] = [before.at, before.last, before.min_start].map(in_text);
    scan.move_to(Progress { at, last, min_start, in_overlong_url: false });
    let text = AvailableText::new(searchable.text, is_last);
    let end = in_text(until);
    let is_done = scan.search(text, end.min(text.end()), &mut |url| {
        let link = searchable.link(&url).into_owned();
        found(FoundUrl::Decoded(Box::new(link)));
    });
    let after = scan.progress();
    let in_bytes = |at: usize| {
        let at = translation.to_source(at);
        to_source(Span::new(at, at)).start
    };
    scan.move_to(Progress {
        at: if is_done && end <= text.end() { until } else { in_bytes(after.at) },
        last: if after.last == last { before.last } else { in_bytes(after.last) },
        min_start: match after.min_start == min_start {
            true => before.min_start,
            false => in_bytes(after.min_start),
        },
        in_overlong_url: after.in_overlong_url,
    });
}
