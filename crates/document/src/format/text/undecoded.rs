//! The search near bytes that are not plain text. Most of such a text in Latin letters or Cyrillic
//! is never decoded. Of Chinese and Japanese text, a few bytes near its colons are decoded, and more
//! if the full rules have to decide.
//!
//! In the encodings of the web except UTF-16 and ISO-2022-JP, each ASCII character is its ASCII
//! byte. A byte 0x3A is always a colon, and a byte 0x2E always a dot: no longer character has these
//! bytes. So the triggers of the search are found in the bytes. Up to three steps decide about
//! each:
//!
//! 1. The fast path ([`Common`](super::common::Common)) reads the bytes near the trigger if they
//!    are ASCII. It decides about nearly all.
//! 2. Otherwise a few bytes around it are decoded, for the same fast path. It decides about most of
//!    the rest, such as URLs between Chinese characters.
//! 3. Otherwise more is decoded, into a [`Window`]: [`LOOK_BACK`] before it, a stretch after it,
//!    and [`LOOK_AHEAD`](super::scan::LOOK_AHEAD) after that. The full rules search the stretch. A window ends later if a
//!    URL does. If a trigger soon after that needs decoding too, the window is continued, so no
//!    byte is decoded more than a few times, and memory is bounded. Time is linear.
//!
//! A window begins at the start of a character, for any bytes before it ([`boundary_before`]). So
//! its text equals that of decoding everything, also for invalid bytes. Property tests compare both
//! for all encodings.

use memchr::{memchr2_iter, memchr3_iter};

use super::candidates::{candidates, may_follow_scheme};
use super::common::{self, Longer};
use super::encoded::Undecoded;
use super::found_url::FoundUrl;
use super::scan::{AvailableText, LOOK_BACK, Progress, Scan};
use super::syntax::needs_translation;
use super::text_url::{Others, TextUrl};
use super::window::{AvailableBytes, BACK, Offsets, Window, ahead, decode};
use crate::bytes::Span;
use crate::format::options::TextOptions;
use crate::source::boundary_before;

/// The number of bytes that are decoded at first, before a trigger and after the ASCII characters
/// that follow it.
const NEAR: usize = 64;

/// The maximum number of ASCII characters that may follow that trigger, in bytes.
const NEAR_URL: usize = 512;

/// The number of bytes that are searched decoded if a trigger needs it.
const STRETCH: usize = 1 << 10;

/// The maximum length of a window. A longer one is not continued.
const LONGEST_WINDOW: usize = 128 << 10;

/// Reports the URLs of the bytes that begin before `until`, before which everything is
/// [decided](AvailableBytes::decided).
/// There is no terminal sequence near. Stops where more bytes are needed to decide, or where a URL
/// is too long.
pub(super) fn search(
    scan: &mut Scan,
    available: AvailableBytes<'_, '_>,
    until: usize,
    found: &mut dyn FnMut(FoundUrl<'static>),
) {
    Search::new(scan, available).run(until, found);
}

/// A search of undecoded bytes.
struct Search<'t, 's> {
    scan: &'s mut Scan,
    available: AvailableBytes<'t, 't>,
    window: Option<Window<'t>>,
    /// The text near a trigger.
    near: String,
    /// The search in the window.
    in_window: Scan,
    /// The search of the bytes when that in the window ended.
    before: Progress,
}

impl<'t, 's> Search<'t, 's> {
    fn new(scan: &'s mut Scan, available: AvailableBytes<'t, 't>) -> Self {
        Self {
            in_window: scan.clone(),
            before: scan.progress(),
            scan,
            available,
            window: None,
            near: String::new(),
        }
    }

    /// Reports the URLs that begin before `until`.
    fn run(mut self, until: usize, found: &mut dyn FnMut(FoundUrl<'static>)) {
        let from = self.scan.progress().at.min(until);
        let bytes = self.available.bytes;
        let TextOptions { abbreviated, emails, .. } = *self.scan.options();
        match (abbreviated, emails) {
            (false, false) => self.triggers(until, candidates(bytes, from..until), found),
            (false, true) => {
                let triggers = memchr2_iter(b':', b'@', &bytes[from..until]);
                self.triggers(until, triggers.map(|at| from + at), found);
            }
            (true, _) => {
                let triggers = memchr3_iter(b':', b'.', b'@', &bytes[from..until]);
                self.triggers(until, triggers.map(|at| from + at), found);
            }
        }
    }

    fn triggers(
        &mut self,
        until: usize,
        triggers: impl Iterator<Item = usize>,
        found: &mut dyn FnMut(FoundUrl<'static>),
    ) {
        let mut passed = 0;
        for at in triggers {
            let is_passed = at < passed.max(self.scan.progress().min_start);
            if is_passed
                || !self.may_be_trigger(at)
                || self.is_decided(at, found)
                || self.is_decided_near(at, found)
            {
                continue;
            }
            match self.search_decoded(at, until, found) {
                Some(end) => passed = end,
                None => return,
            }
        }
        let progress = self.scan.progress();
        self.scan.move_to(Progress { at: until, ..progress });
    }

    /// Returns false if the adjacent bytes rule out a URL.
    fn may_be_trigger(&self, at: usize) -> bool {
        let bytes = self.available.bytes;
        let TextOptions { abbreviated, emails, .. } = *self.scan.options();
        match bytes[at] {
            b':' => may_follow_scheme(bytes, at),
            b'.' => {
                let word = &bytes[at.saturating_sub(3)..at];
                let is_first =
                    word.eq_ignore_ascii_case(b"www") || word.eq_ignore_ascii_case(b"ftp");
                abbreviated && (is_first || word.ends_with(b"["))
            }
            // A domain begins with a letter or a digit.
            _ => {
                let next = bytes.get(at + 1);
                let begins = |next: &u8| !next.is_ascii() || next.is_ascii_alphanumeric();
                emails && next.is_some_and(begins)
            }
        }
    }

    /// Decides about a trigger from the bytes near it, if they are ASCII and the URL is a common
    /// one.
    fn is_decided(&mut self, at: usize, found: &mut dyn FnMut(FoundUrl<'static>)) -> bool {
        let progress = self.scan.progress();
        let AvailableBytes { bytes, coding, .. } = self.available;
        let text = Undecoded { bytes, coding };
        let Some(common) = self.scan.common().filter(|_| bytes[at] == b':') else {
            return false;
        };
        let url = common.at(text, progress.min_start, at);
        let is_decided = |reach: usize| self.available.is_last || reach < self.available.decided();
        let Some(url) = url.filter(|url| is_decided(url.reach)) else {
            return common::is_word(text, progress.min_start, at);
        };
        let span = Span::new(url.start, url.end);
        found(FoundUrl::Ascii(span, url.delimiter));
        self.scan.move_to(Progress { at, last: url.start, min_start: url.next, ..progress });
        true
    }

    /// Decides about a trigger from the decoded text near it, if the URL is a common one.
    fn is_decided_near(&mut self, at: usize, found: &mut dyn FnMut(FoundUrl<'static>)) -> bool {
        let progress = self.scan.progress();
        let AvailableBytes { bytes, coding, is_last } = self.available;
        let common = self.scan.common().filter(|it| it.reads_one_line());
        let Some(common) = common.filter(|_| bytes[at] == b':') else {
            return false;
        };
        let from = boundary_before(bytes, at.saturating_sub(NEAR), coding.encoding);
        let url = &bytes[at..bytes.len().min(at + NEAR_URL)];
        let is_end = |byte: &u8| !byte.is_ascii_graphic() || matches!(byte, b'<' | b'>' | b'"');
        let to = at + url.iter().position(is_end).unwrap_or(url.len()) + NEAR;
        if at - from > NEAR_URL || !is_last && to > self.available.decided() {
            return false;
        }
        let to = to.min(bytes.len());
        let mut decoder = coding.encoding.new_decoder_without_bom_handling();
        let text = &mut self.near;
        text.clear();
        if from > 0 {
            // The fast path does not apply where it would have to read further.
            text.push('<');
        }
        let (mut from, mut min_start) = (from, 0);
        if progress.min_start > from {
            let before = &bytes[from..progress.min_start];
            decode(&mut decoder, before, false, text);
            (from, min_start) = (progress.min_start, text.len());
        }
        decode(&mut decoder, &bytes[from..=at], false, text);
        let colon = text.len() - 1;
        let is_last = is_last && to == bytes.len();
        decode(&mut decoder, &bytes[at + 1..to], is_last, text);
        let text = text.as_str();
        // In the bytes, the end of a longer character may look like a letter of a scheme.
        if colon + 2 < text.len() && !may_follow_scheme(text.as_bytes(), colon) {
            return true;
        }
        let Some(url) = common.at(text, min_start, colon) else {
            return colon + 1 < text.len() && common::is_word(text, min_start, colon);
        };
        let longer = match url.longer {
            Longer::No => None,
            Longer::At(end) => Some(end),
            Longer::Unread => return false,
        };
        let mut offsets = Offsets::at(self.available, at + 1, colon + 1);
        let min_start = offsets.source_end(text, url.next);
        let form = url.form;
        let whole = TextUrl::whole(url.start, url.end, url.delimiter);
        let url = TextUrl { form, others: Others::longer(longer), ..whole };
        let url = FoundUrl::of(url, text, &mut offsets);
        self.scan.move_to(Progress { at, last: url.last_piece(), min_start, ..progress });
        found(url);
        true
    }

    /// Searches a stretch from the trigger at `at`, decoded. Returns its end, after the trigger;
    /// `None` if more bytes are needed to decide.
    fn search_decoded(
        &mut self,
        at: usize,
        until: usize,
        found: &mut dyn FnMut(FoundUrl<'static>),
    ) -> Option<usize> {
        let AvailableBytes { bytes, coding, .. } = self.available;
        let encoding = coding.encoding;
        let from = boundary_before(bytes, at.saturating_sub(BACK), encoding);
        let progress = self.scan.progress();
        let held = self
            .window
            .take()
            .filter(|window| from <= window.end() && window.text().len() <= LONGEST_WINDOW);
        let is_continued = held.is_some();
        let window = self.window.insert(held.unwrap_or_else(|| Window::at(self.available, from)));
        let before = self.in_window.progress();
        let (last, min_start) = match is_continued && progress == self.before {
            true => (before.last, before.min_start),
            false => {
                let [last, min_start] = [progress.last, progress.min_start].map(|at| match at {
                    at if at <= from => 0,
                    at => window.text_end(at),
                });
                (last, min_start)
            }
        };
        let at_in_text = window.text_end(at + 1) - 1;
        let end = boundary_before(bytes, until.min(at + STRETCH), encoding).max(at + 1);
        let until = window.text_end(end);
        self.in_window.move_to(Progress {
            at: at_in_text,
            last,
            min_start,
            in_overlong_url: false,
        });
        let mut last_piece = progress.last;
        let mut ahead = ahead(coding);
        let is_done = loop {
            let to = bytes.len().min(end + ahead);
            if needs_translation(&bytes[window.end().min(to)..to]) {
                break false;
            }
            window.extend(to);
            let available = (window.is_last(), window.end() == bytes.len());
            let (text, offsets) = window.parts();
            let mut report = |url: TextUrl| {
                let url = FoundUrl::of(url, text, offsets);
                last_piece = url.last_piece();
                found(url);
            };
            let text = AvailableText::new(text, available.0);
            if self.in_window.search(text, until, &mut report) {
                break true;
            }
            if available.1 {
                break false;
            }
            ahead *= 2;
        };
        let (text, offsets) = window.parts();
        let after = self.in_window.progress();
        let min_start = match after.min_start == min_start {
            true => progress.min_start,
            false => offsets.source_end(text, after.min_start),
        };
        let at = match is_done || after.in_overlong_url {
            true => end,
            false => offsets.source_start(text, after.at),
        };
        self.before =
            Progress { at, last: last_piece, min_start, in_overlong_url: after.in_overlong_url };
        self.scan.move_to(self.before);
        // URLs begin near their trigger.
        window.pass(boundary_before(bytes, end.saturating_sub(LOOK_BACK), encoding));
        is_done.then_some(end)
    }
}
