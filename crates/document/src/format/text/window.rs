//! A decoded part of a text that is searched undecoded.

use encoding_rs::{CoderResult, Decoder};
use memchr::memchr_iter;

use super::coding::Coding;
use super::scan::{LOOK_AHEAD, LOOK_BACK};
use crate::bytes::Span;
use crate::source::TextDecoder;

/// The number of bytes that have at least [`LOOK_BACK`] bytes of text: four bytes may be a
/// character of two.
pub(super) const BACK: usize = 2 * LOOK_BACK;

/// More than the length of an incomplete character.
const INCOMPLETE: usize = 8;

/// The number of bytes that are read at first to map an offset.
const STEP: usize = 64;

/// The available bytes of a text in an encoding whose ASCII characters are ASCII bytes. A character
/// begins at the first.
#[derive(Clone, Copy)]
pub(super) struct AvailableBytes<'t, 'c> {
    pub(super) bytes: &'t [u8],
    pub(super) coding: &'c Coding,
    /// True if no more bytes follow.
    pub(super) is_last: bool,
}

impl AvailableBytes<'_, '_> {
    /// The end of the bytes before which everything is decided, except for URLs that are longer
    /// than the bytes after them.
    pub(super) fn decided(self) -> usize {
        match self.is_last {
            true => self.bytes.len(),
            false => self.bytes.len().saturating_sub(ahead(self.coding)),
        }
    }
}

/// The number of bytes that have at least [`LOOK_AHEAD`] bytes of text, with an incomplete
/// character at the end.
pub(super) fn ahead(coding: &Coding) -> usize {
    let bytes = match coding.is_long() {
        true => 2 * LOOK_AHEAD,
        false => LOOK_AHEAD,
    };
    bytes + INCOMPLETE
}

/// The decoded bytes from one offset to another.
pub(super) struct Window<'t> {
    available: AvailableBytes<'t, 't>,
    decoder: Decoder,
    text: String,
    /// The offset after the last decoded byte.
    end: usize,
    offsets: Offsets<'t>,
}

impl<'t> Window<'t> {
    /// A window that begins at `start`, where a character begins.
    pub(super) fn at(available: AvailableBytes<'t, 't>, start: usize) -> Self {
        Self {
            available,
            decoder: available.coding.encoding.new_decoder_without_bom_handling(),
            text: String::new(),
            end: start,
            offsets: Offsets::at(available, start, 0),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text, and the map to its bytes.
    pub(super) fn parts(&mut self) -> (&str, &mut Offsets<'t>) {
        (&self.text, &mut self.offsets)
    }

    /// The offset after the last decoded byte.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Returns true if no text follows.
    pub(super) fn is_last(&self) -> bool {
        self.available.is_last && self.end == self.available.bytes.len()
    }

    /// Decodes up to `end`.
    pub(super) fn extend(&mut self, end: usize) {
        let end = end.min(self.available.bytes.len());
        if end > self.end {
            let bytes = &self.available.bytes[self.end..end];
            self.end = end;
            let is_last = self.is_last();
            decode(&mut self.decoder, bytes, is_last, &mut self.text);
        }
    }

    /// The offset in the text of the end of the character that ends at `source`.
    pub(super) fn text_end(&mut self, source: usize) -> usize {
        if source < self.end {
            return self.offsets.text_end(source);
        }
        self.extend(source);
        self.text.len()
    }

    /// Makes `source`, the end of a character, the offset that later ones are counted from. Earlier
    /// ones can no longer be mapped.
    pub(super) fn pass(&mut self, source: usize) {
        if source > self.offsets.source {
            let text = self.text_end(source);
            (self.offsets.source, self.offsets.text) = (source, text);
        }
    }
}

/// A map between the offsets of a text and of its bytes, which moves from left to right.
///
/// It needs no table of offsets. The map uses that some characters occur equally often in a text
/// and in its bytes, and in the same order: these are the ASCII characters that never end a longer
/// one ([`is_mark`]), such as the colon of a URL. From the last of them, ASCII is counted, and
/// anything else decoded again.
pub(super) struct Offsets<'t> {
    available: AvailableBytes<'t, 't>,
    /// The end of a character: in the bytes and in the text. ASCII precedes it, from the start of
    /// the last URL.
    source: usize,
    text: usize,
}

impl<'t> Offsets<'t> {
    /// A map that begins at the end of a character: at `source` in the bytes and at `text` in the
    /// text.
    pub(super) fn at(available: AvailableBytes<'t, 't>, source: usize, text: usize) -> Self {
        Self { available, source, text }
    }

    /// The offset in the text of the end of the character that ends at `source`.
    fn text_end(&self, source: usize) -> usize {
        if source <= self.source {
            return self.text - (self.source - source);
        }
        let mut text = String::new();
        let mut decoder = self.available.coding.encoding.new_decoder_without_bom_handling();
        let bytes = &self.available.bytes[self.source..source];
        decode(&mut decoder, bytes, false, &mut text);
        self.text + text.len()
    }

    /// The byte at which the character at `at` of `text` begins.
    pub(super) fn source_start(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        if at >= self.text {
            let ascii = bytes[at..].iter().take(STEP);
            let mut ascii = ascii.take_while(|byte| byte.is_ascii());
            let mark = ascii.position(|byte| is_mark(*byte)).map(|mark| at + mark);
            let before = || bytes[self.text..at].iter().rposition(|byte| is_mark(*byte));
            if let Some(mark) = mark.or_else(|| before().map(|mark| self.text + mark)) {
                self.move_after(bytes, mark);
            }
        }
        if at <= self.text {
            return self.source - (self.text - at);
        }
        self.read_to(at - self.text).0
    }

    /// The byte after the character that ends at `at` of `text`.
    pub(super) fn source_end(&self, text: &str, at: usize) -> usize {
        if at <= self.text {
            return self.source - (self.text - at);
        }
        let between = &text.as_bytes()[self.text..at];
        match between.is_ascii() {
            true => self.source + between.len(),
            false => self.read_to(between.len()).1,
        }
    }

    /// Moves after the mark at `mark`.
    fn move_after(&mut self, text: &[u8], mark: usize) {
        let byte = text[mark];
        let number = memchr_iter(byte, &text[self.text..mark]).count();
        let bytes = &self.available.bytes[self.source..];
        let at = memchr_iter(byte, bytes).nth(number).unwrap_or(bytes.len());
        self.source += at + 1;
        self.text = mark + 1;
    }

    /// The byte where the character begins that is `len` bytes of text further, and the one after
    /// the character before it.
    fn read_to(&self, len: usize) -> (usize, usize) {
        let AvailableBytes { bytes, coding, is_last } = self.available;
        let bytes = &bytes[self.source..];
        let mut decoder = TextDecoder::new(coding.encoding);
        let (mut from, mut step) = (0, STEP);
        while decoder.text().len() <= len && from < bytes.len() {
            let to = bytes.len().min(from + step);
            decoder.push(&bytes[from..to], is_last && to == bytes.len());
            (from, step) = (to, 2 * step);
        }
        let start = decoder.to_source(Span::new(len, len)).start;
        let end = decoder.to_source(Span::new(0, len)).end;
        (self.source + start, self.source + end)
    }
}

/// Returns true if the byte is a whole character at any position in a text.
fn is_mark(byte: u8) -> bool {
    matches!(byte, 0..0x30 | 0x3A..0x40)
}

/// Appends the text of `bytes`. Invalid bytes become U+FFFD.
pub(super) fn decode(decoder: &mut Decoder, bytes: &[u8], last: bool, text: &mut String) {
    let mut rest = bytes;
    loop {
        let most = decoder.max_utf8_buffer_length(rest.len());
        text.reserve(most.unwrap_or(rest.len()));
        let (result, read, _) = decoder.decode_to_string(rest, text, last);
        rest = &rest[read..];
        if result == CoderResult::InputEmpty {
            return;
        }
    }
}
