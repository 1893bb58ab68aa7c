//! Checking undecoded bytes.

use encoding_rs::{DecoderResult, Encoding, UTF_8};

use super::pairs::{BLOCK, Pairs, is_valid};
use super::utf8::from_utf8;

/// Finds the first byte that is invalid in an encoding whose ASCII characters are ASCII bytes,
/// without decoding the text.
///
/// Most characters of the multi-byte encodings have two bytes; a table has a bit for each pair. A
/// table is built on first use, in about a millisecond. The decoder reads the longer characters.
#[derive(Clone, Copy)]
pub(crate) struct Validity {
    encoding: &'static Encoding,
    rule: Rule,
}

#[derive(Clone, Copy)]
enum Rule {
    /// Every byte is a character.
    Any,
    Utf8,
    /// Every byte but these is a character.
    Except([u64; 4]),
    Pairs(&'static Pairs),
}

/// The length of the blocks that are skipped if they are ASCII.
const ASCII_BLOCK: usize = 256;

/// The valid part of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Valid {
    /// The number of bytes before the first that is invalid, or that begins an incomplete
    /// character.
    pub(crate) up_to: usize,
    /// True if the byte after them is invalid.
    pub(crate) is_end: bool,
}

impl Validity {
    pub(crate) fn of(encoding: &'static Encoding) -> Self {
        let rule = if encoding == UTF_8 {
            Rule::Utf8
        } else if encoding.is_single_byte() {
            let mut invalid = [0; 4];
            for byte in 0x80..=0xFF {
                if !is_valid(encoding, &[byte]) {
                    invalid[usize::from(byte / 64)] |= 1 << (byte % 64);
                }
            }
            match invalid {
                [0, 0, 0, 0] => Rule::Any,
                invalid => Rule::Except(invalid),
            }
        } else {
            Rule::Pairs(Pairs::of(encoding))
        };
        Self { encoding, rule }
    }

    /// Finds the valid part of `bytes`, which begin with a character. More bytes may follow unless
    /// they are the `last` ones.
    pub(crate) fn check(self, bytes: &[u8], last: bool) -> Valid {
        let all = Valid { up_to: bytes.len(), is_end: false };
        match self.rule {
            Rule::Any => all,
            Rule::Except(invalid) => {
                let is_invalid =
                    |byte: &u8| invalid[usize::from(*byte / 64)] >> (*byte % 64) & 1 != 0;
                let mut blocks = bytes.chunks(ASCII_BLOCK).enumerate();
                let invalid = blocks.find_map(|(number, block)| {
                    let is_other = !block.is_ascii();
                    let at = is_other.then(|| block.iter().position(is_invalid)).flatten();
                    at.map(|at| number * ASCII_BLOCK + at)
                });
                invalid.map_or(all, |up_to| Valid { up_to, is_end: true })
            }
            // The second check also locates the error, and is slower.
            Rule::Utf8 if from_utf8(bytes).is_some() => all,
            Rule::Utf8 => std::str::from_utf8(bytes).map_or_else(
                |error| Valid {
                    up_to: error.valid_up_to(),
                    is_end: last || error.error_len().is_some(),
                },
                |_| all,
            ),
            Rule::Pairs(pairs) => self.check_pairs(pairs, bytes, last),
        }
    }

    /// The first invalid one of these bytes, which are whole characters otherwise.
    pub(crate) fn malformed(self, bytes: &[u8]) -> Option<usize> {
        let Valid { up_to, is_end } = self.check(bytes, true);
        is_end.then_some(up_to)
    }

    fn check_pairs(self, pairs: &Pairs, bytes: &[u8], last: bool) -> Valid {
        let mut at = 0;
        loop {
            while let Some(block) = bytes[at..].first_chunk()
                && let Some(len) = pairs.valid_block(block)
            {
                at += len;
            }
            let stop = at + BLOCK;
            while at < stop {
                at += match bytes[at..] {
                    [] => {
                        return Valid { up_to: at, is_end: false };
                    }
                    [0..0x80, ..] => 1,
                    [lead, trail, ..] if pairs.has_double(lead, trail) => 2,
                    [single, ..] if pairs.has_single(single) => 1,
                    _ => match self.long(&bytes[at..], last) {
                        Ok(len) => len,
                        Err(is_end) => return Valid { up_to: at, is_end },
                    },
                }
            }
        }
    }

    /// The length of the first character of `bytes`. The error is true if it is invalid, and false
    /// if it is incomplete.
    fn long(self, bytes: &[u8], last: bool) -> Result<usize, bool> {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        for (at, byte) in bytes.iter().enumerate() {
            let mut text = [0; 16];
            let (result, _, written) =
                decoder.decode_to_utf8_without_replacement(&[*byte], &mut text, false);
            match result {
                DecoderResult::Malformed(..) => return Err(true),
                _ if written > 0 => return Ok(at + 1),
                _ => {}
            }
        }
        Err(last)
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, SHIFT_JIS};

    use super::*;
    use crate::source::TextDecoder;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::tier::cases(4_000))]

        #[test]
        fn first_invalid_byte_is_that_of_the_decoder(
            bytes in prop::collection::vec(
                prop_oneof![
                    3 => prop::sample::select(vec![
                        &b"a"[..], b"a word", b"\x83\x5C", b"\x88\xEA", b"\xB1", b"\xD6\xD0", b"\x81\x30\x81\x30", b"\x8F\xA2\xAF",
                        b"\xA4\xA2", b"\x88\x62", b"\xB0\xA1", "é中𝄞".as_bytes(),
                    ]).prop_map(<[u8]>::to_vec),
                    1 => prop::collection::vec(any::<u8>(), 0..3),
                ],
                0..60,
            ),
            encoding in prop::sample::select(vec![
                UTF_8, SHIFT_JIS, GBK, GB18030, BIG5, EUC_JP, EUC_KR, encoding_rs::KOI8_R, encoding_rs::WINDOWS_1253,
                encoding_rs::ISO_8859_8,
            ]),
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = bytes.concat();
            let mut decoder = TextDecoder::new(encoding);
            decoder.push(&bytes, true);
            let expected = decoder.malformed().map(|(source, _)| source);
            let validity = Validity::of(encoding);
            let malformed = |valid: Valid| valid.is_end.then_some(valid.up_to);
            let whole = validity.check(&bytes, true);
            prop_assert_eq!(malformed(whole), expected);
            prop_assert!(whole.is_end || whole.up_to == bytes.len());
            // In two pieces.
            let first = validity.check(&bytes[..cut.index(bytes.len() + 1)], false);
            if first.is_end {
                prop_assert_eq!(malformed(first), expected);
            } else {
                let rest = malformed(validity.check(&bytes[first.up_to..], true));
                prop_assert_eq!(rest.map(|at| first.up_to + at), expected);
            }
        }
    }
}
