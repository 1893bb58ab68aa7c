//! A streaming reader of mailboxes.

use std::io::{self, Read};
use std::ops::Range;

use memchr::memchr_iter;

use super::MAX_MESSAGE;
use super::batch::{Batch, MessageEnd};
use super::format::{MboxFormat, NextMessage, Splitting};
use super::marker::Marker;
use crate::format::mail::lines::{
    FROM, LOOK_AHEAD, MMDF, is_from_line, is_listserv_line, is_mmdf_line,
};

/// The number of bytes examined before a separator: the ends of two lines.
const LOOK_BACK: usize = 4;

/// The size of a batch and of a read, in bytes.
const BATCH: usize = 512 << 10;

/// The least number of bytes that are read beyond the range of offsets in which a message may
/// begin.
const BEYOND: usize = 16 << 10;

/// The messages of a mailbox, in batches that can be processed independently.
///
/// Holds a batch, up to [`MAX_MESSAGE`] bytes of the next message, and as much again of read-ahead.
/// Linear in the mailbox: bytes are read once, and a `Content-Length` costs only a few bytes of
/// checking.
///
/// ```
/// use rehref::container::mail::{Mbox, MboxFormat};
///
/// let text = "From a Mon Jul 21 10:00:00 1997\nSubject: x\n\nhello\n\n\
///             From b Mon Jul 21 11:00:00 1997\nSubject: y\n\nFrom here on\n";
/// let mut found = Vec::new();
/// for batch in Mbox::new(text.as_bytes(), MboxFormat::Auto) {
///     let batch = batch?;
///     found.extend(batch.messages().map(|message| (message.number, message.offset)));
/// }
/// assert_eq!(found, [(1, 0), (2, 51)]);
/// # std::io::Result::Ok(())
/// ```
pub struct Mbox<R> {
    reader: R,
    format: MboxFormat,
    buffer: Vec<u8>,
    /// The offset of the buffer in the mailbox.
    offset: u64,
    /// The start of the next message in the buffer.
    start: usize,
    /// The offset in the buffer up to which its end has been searched.
    searched: usize,
    /// The number of the next message.
    number: usize,
    /// The range of offsets in which a message has to begin.
    wanted: Range<u64>,
    /// The minimum offset at which a message may end.
    first_end: u64,
    state: State,
    /// True if the reader is at its end.
    is_read: bool,
    failure: Option<io::Error>,
    /// True if line feeds are counted.
    counts_lines: bool,
    /// The number of line feeds before `start`, from the first byte of the reader on.
    line_feeds: usize,
    /// The text that every separator contains. `None` until the format is detected.
    marker: Option<Marker>,
    /// True if the text searched for the end of the next message may have quoted separators.
    may_have_quotes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Initial state.
    New,
    /// A message begins at `start`.
    Message,
    /// Skipping to the next message.
    Skipping,
    /// At the end.
    Done,
}

/// The end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    At(usize),
    /// More bytes are needed.
    Unknown,
}

impl<R: Read> Mbox<R> {
    /// Reads all messages of `reader`.
    pub fn new(reader: R, format: MboxFormat) -> Self {
        Self::part(reader, format, 0, 0..u64::MAX)
    }

    /// Reads the messages that begin in the range `wanted` of a mailbox. Adjacent ranges have
    /// together the messages of the whole. `reader` begins at `offset`, which is
    /// [`LOOK_BACK`](Self::LOOK_BACK) bytes before the range or at the start of the mailbox, and
    /// continues to the end of the mailbox.
    ///
    /// An exception: a message whose `Content-Length` covers a line that looks like a separator. A
    /// range that begins between the two does not contain that length.
    pub fn part(reader: R, format: MboxFormat, offset: u64, wanted: Range<u64>) -> Self {
        Self {
            reader,
            format,
            buffer: Vec::new(),
            offset,
            start: 0,
            searched: 0,
            number: 1,
            wanted,
            first_end: 0,
            state: State::New,
            is_read: false,
            failure: None,
            counts_lines: false,
            line_feeds: 0,
            marker: None,
            may_have_quotes: false,
        }
    }

    /// Reads the messages after some others, up to those that begin before `end`. `reader` begins at
    /// the offset of `next`.
    pub(super) fn after(reader: R, format: MboxFormat, next: NextMessage, end: u64) -> Self {
        let NextMessage { offset, is_known, number, line_feeds } = next;
        let state = if is_known { State::Message } else { State::Skipping };
        let part = Self::part(reader, format, offset, offset..end);
        Self { state, number, line_feeds, ..part }
    }

    /// Sets the minimum end of the first message, as a byte offset, regardless of the lines before
    /// it: the offset that [`appended_mailbox`](super::appended_mailbox) returns.
    #[must_use]
    pub fn with_first_end(self, end: u64) -> Self {
        Self { first_end: end, ..self }
    }

    /// Counts lines, for the `line` of batches.
    #[must_use]
    pub fn counting_lines(self) -> Self {
        Self { counts_lines: true, ..self }
    }

    /// The number of bytes before a range at which its reader has to begin.
    pub const LOOK_BACK: u64 = LOOK_BACK as u64;

    /// The rules by which it is split.
    pub(crate) fn splitting(&self) -> Splitting {
        let Self { format, first_end, counts_lines, .. } = *self;
        Splitting { format, first_end, counts_lines }
    }

    /// The beginning of the next message after those that were read.
    pub(super) fn next_message(&self) -> NextMessage {
        let offset = self.offset + self.start as u64;
        let is_known = self.state != State::Skipping;
        NextMessage { offset, is_known, number: self.number, line_feeds: self.line_feeds }
    }

    /// Reads until the buffer has `len` bytes, or the reader ends. Beyond the wanted messages, reads
    /// less: a message usually ends soon.
    fn fill(&mut self, len: usize) {
        let has = self.buffer.len();
        let within = self.wanted.end.saturating_sub(self.offset);
        let within = usize::try_from(within).unwrap_or(usize::MAX);
        let beyond = has.saturating_sub(within).max(BEYOND);
        let len = len.min(within.max(has).saturating_add(beyond));
        let wanted = len.saturating_sub(has);
        if self.is_read || wanted == 0 {
            return;
        }
        // The bytes before are copied once at most, not each time that the buffer doubles.
        self.buffer.reserve(wanted);
        let mut reader = self.reader.by_ref().take(wanted as u64);
        match reader.read_to_end(&mut self.buffer) {
            Ok(read) => self.is_read = read < wanted,
            Err(error) => {
                self.failure = Some(error);
                self.is_read = true;
            }
        }
    }

    /// Finds the first message.
    fn begin(&mut self) {
        self.fill(BATCH);
        if self.wanted.start == 0 {
            self.format = self.format.of_head(&self.buffer);
        }
        let begins = usize::try_from(self.wanted.start - self.offset).unwrap_or(usize::MAX);
        let bom = if self.buffer.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let first = match self.wanted.start {
            0 => bom + empty_lines(&self.buffer[bom..]),
            _ => begins.min(self.buffer.len()),
        };
        // A range may begin within a line.
        let before = first.checked_sub(1).and_then(|at| self.buffer.get(at));
        let is_whole = self.wanted.start == 0;
        let begins_line = is_whole
            || self.wanted.start >= self.first_end && before.is_none_or(|byte| *byte == b'\n');
        self.state = if begins_line && self.is_separator(first, is_whole) {
            // A byte order mark belongs to the message.
            self.start = if is_whole && first == bom { 0 } else { first };
            State::Message
        } else if self.wanted.start == 0 && first < self.buffer.len() {
            // Text before the first separator is a message too.
            self.start = 0;
            State::Message
        } else {
            State::Skipping
        };
        self.searched = first.max(self.start);
        self.line_feeds = self.line_feeds_in(0..self.start);
    }

    /// The number of line feeds in a range of the buffer, if they are counted.
    fn line_feeds_in(&self, range: Range<usize>) -> usize {
        match self.counts_lines {
            true => line_feeds(&self.buffer[range]),
            false => 0,
        }
    }

    /// Returns true if the line at `at` is a separator.
    fn is_separator(&self, at: usize, is_known_start: bool) -> bool {
        let rest = &self.buffer[at..];
        match self.format {
            MboxFormat::Listserv => rest.starts_with(b"=") && is_listserv_line(&self.buffer, at),
            MboxFormat::Mmdf => rest.starts_with(MMDF) && is_mmdf_line(&self.buffer, at),
            _ => rest.starts_with(FROM) && is_from_line(&self.buffer, at, is_known_start),
        }
    }

    /// The next separator after `from`. Bytes searched already are not searched again.
    fn next_separator(&mut self, from: usize) -> End {
        let marker = self.marker.take();
        let marker = marker.unwrap_or_else(|| Marker::new(self.format));
        let end = self.next_marked(from, &marker);
        self.marker = Some(marker);
        end
    }

    /// The next separator after `from`, found by its marker.
    fn next_marked(&mut self, from: usize, marker: &Marker) -> End {
        let unsearched = self.first_end.saturating_sub(self.offset + 1);
        let first = usize::try_from(unsearched).unwrap_or(usize::MAX);
        let mut at = self.searched.max(from).max(first);
        if first > self.searched {
            // Bytes that are not searched may have anything.
            self.may_have_quotes = true;
        }
        if at > self.buffer.len() {
            return End::Unknown;
        }
        while let Some(line_feed) = marker.find(&self.buffer[at..]).map(|found| at + found) {
            let line = line_feed + 1;
            match self.buffer[line_feed] {
                b'\n' if line + LOOK_AHEAD > self.buffer.len() && !self.is_read => {
                    self.searched = line_feed;
                    return End::Unknown;
                }
                b'\n' if self.is_separator(line, false) => return End::At(line),
                byte => self.may_have_quotes |= byte == b'>',
            }
            at = line;
        }
        self.searched = at.max(self.buffer.len().saturating_sub(marker.len()));
        End::Unknown
    }

    /// The end of the message that begins at `start`.
    fn end_of(&mut self, start: usize) -> End {
        if self.format.has_lengths()
            && self.offset + start as u64 >= self.first_end
            && let Some(end) = self.end_by_length(start)
        {
            // The message is not searched.
            self.may_have_quotes = true;
            return end;
        }
        match self.next_separator(start) {
            End::Unknown if self.is_read => End::At(self.buffer.len()),
            end => end,
        }
    }

    /// The end of a message by its `Content-Length`, if that is plausible.
    fn end_by_length(&self, start: usize) -> Option<End> {
        let mut at = start;
        let mut length = None;
        let mut line_feeds = memchr_iter(b'\n', &self.buffer[start..]);
        loop {
            let Some(line_feed) = line_feeds.next() else {
                // The header may be incomplete. A header this long is ignored.
                let seen = if at == start { self.buffer.len() } else { at };
                let may_come = !self.is_read && seen - start < LOOK_AHEAD * 64;
                return may_come.then_some(End::Unknown);
            };
            let is_first = at == start;
            let line = &self.buffer[at..start + line_feed];
            at = start + line_feed + 1;
            match line {
                // The separator.
                _ if is_first => {}
                b"" | b"\r" => break,
                [b'c' | b'C', ..] => length = length.or_else(|| content_length(line)),
                _ => {}
            }
        }
        let end = at.checked_add(length?)?;
        if end - start > MAX_MESSAGE {
            return None;
        }
        if end + LOOK_AHEAD > self.buffer.len() && !self.is_read {
            return Some(End::Unknown);
        }
        let rest = self.buffer.get(end..)?;
        let next = end + line_ends(&rest[..rest.len().min(LOOK_BACK * 2)]);
        let is_plausible = self.is_read && next == self.buffer.len()
            || self.buffer[..next].ends_with(b"\n") && self.is_separator(next, true);
        is_plausible.then_some(End::At(next))
    }

    /// The end of a message, and true if it may have quoted lines.
    fn message_end(&mut self, at: usize) -> MessageEnd {
        let is_searched = self.marker.as_ref().is_some_and(Marker::shows_quotes);
        let has_some = std::mem::take(&mut self.may_have_quotes);
        MessageEnd { at, may_have_quotes: has_some || !is_searched }
    }

    /// Removes the bytes from `start` to `to` from the buffer. Linear in total in the bytes
    /// removed, for any length of the message after them.
    fn take(&mut self, to: usize) -> Vec<u8> {
        let rest = self.buffer.len() - to;
        if self.start == 0 && rest <= to {
            let mut next = Vec::with_capacity(rest.max(BATCH));
            next.extend_from_slice(&self.buffer[to..]);
            let mut taken = std::mem::replace(&mut self.buffer, next);
            taken.truncate(to);
            self.advance(to);
            return taken;
        }
        let taken = self.buffer[self.start..to].to_vec();
        self.start = to;
        if to > rest {
            self.buffer.drain(..to);
            self.advance(to);
        }
        taken
    }

    /// Adjusts offsets after the first `len` bytes of the buffer were removed.
    fn advance(&mut self, len: usize) {
        self.offset += len as u64;
        self.start = self.start.saturating_sub(len);
        self.searched = self.searched.saturating_sub(len);
    }

    /// Skips to the next message.
    fn skip(&mut self) {
        loop {
            if let End::At(at) = self.next_separator(0) {
                self.line_feeds += self.line_feeds_in(self.start..at);
                self.start = at;
                self.state = State::Message;
                return;
            }
            if self.is_read {
                self.start = self.buffer.len();
                self.state = State::Done;
                return;
            }
            let done = self.searched.saturating_sub(LOOK_BACK);
            self.line_feeds += self.line_feeds_in(self.start.min(done)..done);
            self.buffer.drain(..done);
            self.advance(done);
            if self.offset >= self.wanted.end {
                return;
            }
            self.fill(self.buffer.len() + BATCH);
        }
    }

    fn batch(&mut self) -> Option<Batch> {
        let is_first = self.state == State::New;
        if is_first {
            self.begin();
        }
        if self.state == State::Skipping {
            self.skip();
        }
        if is_first && self.start > 0 {
            // A range begins within a message. Without its rest, the buffer need not grow, and
            // every buffer has the same size. Other sizes are memory that is new each time.
            let start = self.start;
            self.buffer.drain(..start);
            self.advance(start);
        }
        if self.state != State::Message {
            return None;
        }
        let start = self.start;
        let offset = self.offset + start as u64;
        self.fill(start + BATCH);
        let mut ends = Vec::new();
        let mut is_cut = false;
        // The number of skipped bytes of the last message.
        let mut skipped = 0;
        let mut at = start;
        while at - start < BATCH && self.wanted.contains(&(self.offset + at as u64)) {
            match self.end_of(at) {
                End::At(end) => {
                    let read = end.min(at + MAX_MESSAGE);
                    ends.push(self.message_end(read - start));
                    skipped = end - read;
                    is_cut = skipped > 0;
                    at = read;
                    self.searched = end;
                    if end == self.buffer.len() && self.is_read {
                        self.state = State::Done;
                        break;
                    }
                    if is_cut {
                        break;
                    }
                }
                End::Unknown if !ends.is_empty() => break,
                End::Unknown if self.buffer.len() - at > MAX_MESSAGE => {
                    at += MAX_MESSAGE;
                    ends.push(self.message_end(at - start));
                    is_cut = true;
                    self.state = State::Skipping;
                    break;
                }
                // Doubling the buffer keeps the time linear.
                End::Unknown => self.fill((self.buffer.len() * 2).max(BATCH)),
            }
        }
        if ends.is_empty() {
            return None;
        }
        let number = self.number;
        self.number += ends.len();
        let bytes = self.take(at);
        let line = self.line_feeds + 1;
        let skipped = self.start..self.start + skipped;
        self.start = skipped.end;
        if self.counts_lines {
            self.line_feeds += line_feeds(&bytes) + line_feeds(&self.buffer[skipped]);
        }
        Some(Batch { bytes, offset, line, number, ends, is_cut })
    }
}

impl<R: Read> Iterator for Mbox<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        // Batches read before an error come first.
        match self.batch() {
            Some(batch) => Some(Ok(batch)),
            None => self.failure.take().map(Err),
        }
    }
}

/// The number of line feeds.
fn line_feeds(bytes: &[u8]) -> usize {
    memchr_iter(b'\n', bytes).count()
}

/// The value of a `Content-Length` line.
fn content_length(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length";
    if !line.get(..NAME.len())?.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let value = line[NAME.len()..].trim_ascii_start().strip_prefix(b":")?;
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

/// The length of the CR and LF characters at the beginning of `bytes`.
fn line_ends(bytes: &[u8]) -> usize {
    let end = |byte: &&u8| matches!(**byte, b'\r' | b'\n');
    bytes.iter().take_while(end).count()
}

/// The length of the empty lines at the beginning of `bytes`. A line of CRs is not empty, as before
/// a separator in a slice of a mailbox.
fn empty_lines(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some(after) = rest.strip_prefix(b"\n").or_else(|| rest.strip_prefix(b"\r\n")) {
        rest = after;
    }
    bytes.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DATE: &str = "Mon Jul 21 10:00:00 1997";

    /// The number, offset and bytes of each message.
    fn messages(text: &[u8], format: MboxFormat) -> Vec<(usize, u64, Vec<u8>)> {
        collect(Mbox::new(text, format))
    }

    fn collect(mbox: Mbox<impl Read>) -> Vec<(usize, u64, Vec<u8>)> {
        let mut found = Vec::new();
        for batch in mbox {
            let batch = batch.unwrap();
            let of_batch = batch.messages();
            found.extend(of_batch.map(|it| (it.number, it.offset, it.bytes.to_vec())));
        }
        found
    }

    fn count(text: &str, format: MboxFormat) -> usize {
        messages(text.as_bytes(), format).len()
    }

    #[test]
    fn content_length_counts_only_if_plausible() {
        let two = |length: usize| {
            format!(
                "From a {DATE}\nContent-Length: {length}\n\nx\n\nFrom b {DATE}\nFrom: c\n\ny\n\n\
                 From d {DATE}\n\nz\n"
            )
        };
        let body = two(10).find("\n\n").unwrap() + 2;
        let to_last = two(10).rfind("From d").unwrap() - body;
        assert_eq!(count(&two(10), MboxFormat::Auto), 3);
        for length in [to_last, to_last - 1, to_last - 2] {
            assert_eq!(count(&two(length), MboxFormat::Auto), 2, "{length}");
            assert_eq!(count(&two(length), MboxFormat::Mboxcl2), 2, "{length}");
            assert_eq!(count(&two(length), MboxFormat::Mboxrd), 3, "{length}");
        }
        for length in [to_last - 4, to_last + 1, usize::MAX] {
            assert_eq!(count(&two(length), MboxFormat::Auto), 3, "{length}");
        }
    }

    #[test]
    fn text_before_the_first_separator_is_a_message() {
        let mbox = format!("Subject: a\n\nb\n\nFrom c {DATE}\nSubject: d\n\ne\n");
        assert_eq!(count(&mbox, MboxFormat::Auto), 2);
        assert_eq!(count(&format!("\n\r\n{}", &mbox[15..]), MboxFormat::Auto), 1);
        assert_eq!(count("\n\n", MboxFormat::Auto), 0);
        assert_eq!(count("", MboxFormat::Auto), 0);
    }

    #[test]
    fn listserv_logs_are_split() {
        let rule = "=".repeat(73);
        let log = format!("{rule}\nDate: a\n\nb\n{rule}\n{rule}\nDate: c\n\nd\n");
        let found = messages(log.as_bytes(), MboxFormat::Auto);
        assert_eq!(found.len(), 2);
        assert!(found[1].2.ends_with(b"c\n\nd\n"));
    }

    #[test]
    fn long_messages_are_truncated() {
        let long = format!("From a {DATE}\n\n{}", "x\n".repeat(MAX_MESSAGE));
        let mbox = format!("{long}\nFrom b {DATE}\nDate: c\n\nd\n");
        let mut found = Vec::new();
        for batch in Mbox::new(mbox.as_bytes(), MboxFormat::Auto) {
            let batch = batch.unwrap();
            let of_batch = batch.messages();
            found.extend(of_batch.map(|it| (it.number, it.offset, it.bytes.len(), it.is_cut)));
        }
        let len = mbox.len() - long.len() - 1;
        let last = (2, long.len() as u64 + 1, len, false);
        assert_eq!(found, [(1, 0, MAX_MESSAGE, true), last]);
    }

    #[test]
    fn wrong_lengths_take_linear_time() {
        let messages = crate::tier::pick(100_000, 1_500_000);
        // The declared end of most messages is within the mailbox, far after their real end.
        let length = messages * 40;
        let message = format!("From a {DATE}\nContent-Length: {length}\n\nx\n\n");
        let mbox = message.repeat(messages);
        assert_eq!(count(&mbox, MboxFormat::Auto), messages);
    }

    #[test]
    fn content_length_to_empty_lines_is_ignored() {
        let first =
            format!("From a {DATE}\nContent-Length: 100\nSubject: a\n\n{}\n", "y".repeat(99));
        let second = format!("junk\n\nFrom b {DATE}\nSubject: b\n\nz\n");
        for lines in [10, BATCH - first.len(), BATCH, 3 * BATCH] {
            let mbox = format!("{first}{}{second}", "\n".repeat(lines));
            assert_eq!(count(&mbox, MboxFormat::Auto), 2, "{lines}");
        }
    }

    #[test]
    fn empty_lines_take_linear_time() {
        let one =
            |length: usize| format!("From a {DATE}\nContent-Length: {length:08}\nSubject: a\n\n");
        let (messages, len) = (4000, one(0).len());
        let lines = 4 << 20;
        let mut mbox = String::new();
        for at in 0..messages {
            mbox += &one((messages - at - 1) * len + 10);
        }
        mbox += &format!("yyyyyyyyy\n{}x\n", "\n".repeat(lines));
        assert!(count(&mbox, MboxFormat::Auto) > 0);
    }

    #[test]
    fn byte_order_mark_belongs_to_the_first_message() {
        let mbox = format!("\u{FEFF}From a {DATE}\nSubject: a\n\nb\n");
        for cut in 1..4 {
            let from = Mbox::part(mbox.as_bytes(), MboxFormat::Auto, 0, 0..cut);
            assert_eq!(collect(from).len(), 1, "{cut}");
            let rest = Mbox::part(mbox.as_bytes(), MboxFormat::Auto, 0, cut..u64::MAX);
            assert_eq!(collect(rest).len(), 0, "{cut}");
        }
    }

    #[test]
    fn a_line_of_carriage_returns_is_not_empty() {
        let mbox = format!("\r\r\r\r\r\r\nFrom a {DATE}\n\nb\n");
        assert_eq!(messages(mbox.as_bytes(), MboxFormat::Auto)[0].2, mbox.as_bytes());
        for cut in 1..8 {
            let first = Mbox::part(mbox.as_bytes(), MboxFormat::Auto, 0, 0..cut);
            assert_eq!(collect(first).len(), 1, "{cut}");
            let rest = Mbox::part(mbox.as_bytes(), MboxFormat::Auto, 0, cut..u64::MAX);
            assert_eq!(collect(rest).len(), 0, "{cut}");
        }
    }

    /// A mailbox whose messages have lines like separators.
    fn mailboxes() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            Just(format!("From a {DATE}")),
            Just("From -".to_owned()),
            Just("From here on".to_owned()),
            Just(">From b".to_owned()),
            Just("Date: x".to_owned()),
            Just("Content-Length: 40".to_owned()),
            Just(String::new()),
            Just("words".to_owned()),
        ];
        let end = prop_oneof![Just("\n"), Just("\r\n")];
        let lines = proptest::collection::vec((line, end), 0..40);
        lines.prop_map(|lines| {
            lines.into_iter().flat_map(|(line, end)| [line, end.into()]).collect()
        })
    }

    proptest! {
        #[test]
        fn messages_tile_the_mailbox(mbox in mailboxes()) {
            let found = messages(mbox.as_bytes(), MboxFormat::Auto);
            let mut at = 0;
            for (number, (told, offset, bytes)) in found.iter().enumerate() {
                prop_assert_eq!(number + 1, *told);
                if number > 0 {
                    prop_assert_eq!(at, *offset);
                } else {
                    prop_assert!(mbox[..*offset as usize].trim().is_empty());
                }
                at = offset + bytes.len() as u64;
            }
            prop_assert!(mbox[at as usize..].trim().is_empty());
        }

        #[test]
        fn slices_have_the_messages_of_the_whole(mbox in mailboxes(), cut in any::<proptest::sample::Index>()) {
            let format = MboxFormat::Mboxrd;
            let whole = messages(mbox.as_bytes(), format);
            let cut = cut.index(mbox.len() + 1) as u64;
            let from = cut.saturating_sub(Mbox::<&[u8]>::LOOK_BACK);
            let first = Mbox::part(mbox.as_bytes(), format, 0, 0..cut);
            let second = Mbox::part(&mbox.as_bytes()[from as usize..], format, from, cut..u64::MAX);
            let second = if cut == 0 { Vec::new() } else { collect(second) };
            let first = if cut == 0 { whole.clone() } else { collect(first) };
            let parts = first.into_iter().chain(second);
            prop_assert!(parts.map(|it| (it.1, it.2)).eq(whole.into_iter().map(|it| (it.1, it.2))));
        }
    }
}
