//! An encoding whose texts are searched undecoded.

use encoding_rs::{EUC_JP, Encoding, GB18030, GBK, UTF_8};

use super::quotes::opens_quote;
use crate::source::{MultiByteTables, Validity};

/// An encoding whose ASCII characters are ASCII bytes, and its tables for the search in undecoded
/// bytes.
#[derive(Clone, Copy)]
pub(super) struct Coding {
    pub(super) encoding: &'static Encoding,
    pub(super) validity: Validity,
    /// True if an ASCII byte may be the end of a longer character.
    pub(super) has_ascii_ends: bool,
    ends: WordEnds,
}

/// The characters that may precede a URL as a part of a word. The others are white space and
/// opening quotes.
#[derive(Clone, Copy)]
enum WordEnds {
    Utf8,
    /// The bytes of a single-byte encoding that are part of words.
    Bytes([u64; 4]),
    /// The other characters of a multi-byte encoding.
    Pairs(&'static Others),
}

/// White space and opening quotes of a multi-byte encoding, by their last two bytes and by their
/// only byte.
struct Others {
    pairs: Vec<[u8; 2]>,
    singles: Vec<u8>,
}

impl Coding {
    /// `None` if the texts of this encoding have to be decoded.
    pub(super) fn of(encoding: &'static Encoding) -> Option<Self> {
        encoding.is_ascii_compatible().then(|| Self {
            encoding,
            validity: Validity::of(encoding),
            has_ascii_ends: ![UTF_8, EUC_JP].contains(&encoding) && !encoding.is_single_byte(),
            ends: WordEnds::of(encoding),
        })
    }

    pub(super) fn is_utf8(&self) -> bool {
        self.encoding == UTF_8
    }

    /// Returns true if characters may have more bytes than their UTF-8.
    pub(super) fn is_long(&self) -> bool {
        [GBK, GB18030, EUC_JP].contains(&self.encoding)
    }

    /// Returns true if the non-ASCII character that ends these bytes is neither white space nor an
    /// opening quote. Also true for an ASCII byte that may be the end of a longer character.
    #[inline]
    pub(super) fn ends_word(&self, before: &[u8]) -> bool {
        match (self.ends, before) {
            (WordEnds::Utf8, _) => ends_word(before),
            (WordEnds::Bytes(bytes), [.., last]) => {
                bytes[usize::from(last / 64)] >> (last % 64) & 1 != 0
            }
            (WordEnds::Pairs(others), [.., lead, last @ (0x40..=0x7E | 0x80..)]) => {
                (!last.is_ascii() || !lead.is_ascii())
                    && !others.pairs.contains(&[*lead, *last])
                    && !others.singles.contains(last)
            }
            _ => false,
        }
    }
}

/// The rule of [`Coding::ends_word`] for UTF-8, also with errors. These bytes begin letters of most
/// scripts.
#[inline]
pub(super) fn ends_word(before: &[u8]) -> bool {
    matches!(
        before,
        [.., 0xC3..=0xDF, 0x80..=0xBF]
            | [.., 0xE3, 0x81..=0xBF, 0x80..=0xBF]
            // The full stop and comma of Chinese and Japanese, and `！，：；？`.
            | [.., 0xE3, 0x80, 0x81 | 0x82]
            | [.., 0xEF, 0xBC, 0x81 | 0x8C | 0x9A | 0x9B | 0x9F]
            | [.., 0xE0 | 0xE4..=0xED, 0x80..=0xBF, 0x80..=0xBF]
    )
}

impl WordEnds {
    fn of(encoding: &'static Encoding) -> Self {
        if encoding == UTF_8 {
            return Self::Utf8;
        }
        if !encoding.is_single_byte() {
            return Self::Pairs(Others::of(encoding));
        }
        let mut bytes = [0; 4];
        for byte in (0x80..=0xFF).filter(|byte| !is_other(encoding, &[*byte])) {
            bytes[usize::from(byte / 64)] |= 1 << (byte % 64);
        }
        Self::Bytes(bytes)
    }
}

impl Others {
    fn of(encoding: &'static Encoding) -> &'static Self {
        static LISTS: MultiByteTables<Others> = MultiByteTables::new();
        LISTS.get(encoding, Self::new)
    }

    fn new(encoding: &'static Encoding) -> Self {
        let mut pairs = Vec::new();
        for lead in 0x80..=0xFF {
            for trail in (0x40..=0xFF).filter(|trail| *trail != 0x7F) {
                let is_double = is_other(encoding, &[lead, trail]);
                // Characters of three bytes.
                if is_double || encoding == EUC_JP && is_other(encoding, &[0x8F, lead, trail]) {
                    pairs.push([lead, trail]);
                }
            }
        }
        let singles = (0x80..=0xFF).filter(|byte| is_other(encoding, &[*byte]));
        Self { pairs, singles: singles.collect() }
    }
}

/// Returns true if these bytes are one character, white space or an opening quote.
fn is_other(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let mut text = text.chars();
    let is_other = |c: char| c.is_whitespace() || opens_quote(c);
    text.next().is_some_and(is_other) && text.next().is_none()
}
