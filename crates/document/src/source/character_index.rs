//! Decoding single-byte encodings. Characters are counted only when an offset is needed.

use encoding_rs::{DecoderResult, Encoding};

use super::utf8::from_utf8;
use crate::bytes::Span;

/// The number of characters between two stored offsets.
const STEP: usize = 512;

/// A map from the offsets of a text to those of its bytes. Each byte is a character, valid or not.
///
/// A map of runs would have one wherever the width of characters changes: in French, every few
/// letters.
#[derive(Clone, Debug)]
pub(super) struct CharacterIndex {
    /// The offsets in the text of the characters 0, 512, 1024 and so on.
    offsets: Vec<usize>,
}

impl CharacterIndex {
    /// Decodes `bytes`, which are in a single-byte encoding. The third value is the offset of the
    /// first invalid byte.
    pub(super) fn decode(
        bytes: &[u8],
        encoding: &'static Encoding,
    ) -> (String, Self, Option<usize>) {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(bytes.len() + bytes.len() / 2);
        let mut offsets = Vec::with_capacity(bytes.len() / STEP + 1);
        let mut malformed = None;
        // In a string, its whole spare room would be filled first.
        let mut buffer = [0; 4 * STEP];
        for (number, piece) in bytes.chunks(STEP).enumerate() {
            offsets.push(text.len());
            if piece.is_ascii() {
                text.push_str(from_utf8(piece).unwrap_or_default());
                continue;
            }
            let mut at = 0;
            loop {
                let (result, read, written) =
                    decoder.decode_to_utf8_without_replacement(&piece[at..], &mut buffer, false);
                text.push_str(from_utf8(&buffer[..written]).unwrap_or_default());
                at += read;
                match result {
                    DecoderResult::InputEmpty => break,
                    DecoderResult::OutputFull => {}
                    DecoderResult::Malformed(..) => {
                        malformed.get_or_insert(number * STEP + at - 1);
                        text.push('\u{FFFD}');
                    }
                }
            }
        }
        (text, Self { offsets }, malformed)
    }

    /// The bytes of the bytes `span` of `text`. An offset inside a character counts as its start at
    /// the beginning of `span`, and as its end at the end.
    pub(super) fn to_source(&self, text: &str, span: Span) -> Span {
        let begun = self.begun(text, span.start);
        let is_inside = span.start < text.len() && !text.is_char_boundary(span.start);
        let start = begun - usize::from(is_inside);
        let end = match span.len() {
            0 => start,
            1..STEP => begun + characters(&text.as_bytes()[span.start..span.end.min(text.len())]),
            _ => self.begun(text, span.end),
        };
        Span::new(start, end)
    }

    /// The number of characters that begin before `at`.
    fn begun(&self, text: &str, at: usize) -> usize {
        let at = at.min(text.len());
        let Some(known) = self.known(at).checked_sub(1) else {
            return 0;
        };
        known * STEP + characters(&text.as_bytes()[self.offsets[known]..at])
    }

    /// The number of stored offsets before `at`.
    fn known(&self, at: usize) -> usize {
        // A character takes a byte or more. Where most take one, the search ends near the first place.
        let mut low = at.div_ceil(STEP).min(self.offsets.len());
        let (mut high, mut step) = (low, 1);
        while low > 0 && self.offsets[low - 1] >= at {
            high = low - 1;
            low = high.saturating_sub(step);
            step *= 2;
        }
        low + self.offsets[low..high].partition_point(|offset| *offset < at)
    }
}

/// The number of characters that begin in the bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !matches!(byte, 0x80..0xC0)).count()
}
