//! The characters of one and of two bytes of the multi-byte encodings.

use encoding_rs::Encoding;
use wide::u8x16;

use super::multi_byte::MultiByteTables;

/// The number of bytes that are checked at once.
pub(super) const BLOCK: usize = 64;

/// The bits of bytes at even offsets.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// The characters of one and of two bytes of an encoding, as bits.
pub(super) struct Pairs {
    single: [u64; 4],
    double: Box<[u64; 1 << 10]>,
    /// True if each byte from 0x81 to 0xFE followed by one from 0x40 to 0xFE except 0x7F is a
    /// character, as in GBK.
    is_full: bool,
}

impl Pairs {
    /// The table of a multi-byte encoding.
    pub(super) fn of(encoding: &'static Encoding) -> &'static Self {
        static TABLES: MultiByteTables<Pairs> = MultiByteTables::new();
        TABLES.get(encoding, Self::new)
    }

    fn new(encoding: &'static Encoding) -> Self {
        let mut pairs = Self { single: [0; 4], double: Box::new([0; 1 << 10]), is_full: false };
        for lead in 0x80..=0xFF {
            if is_valid(encoding, &[lead]) {
                pairs.single[usize::from(lead / 64)] |= 1 << (lead % 64);
                continue;
            }
            for trail in 0x30..=0xFF {
                if is_valid(encoding, &[lead, trail]) {
                    let pair = pair(lead, trail);
                    pairs.double[pair / 64] |= 1 << (pair % 64);
                }
            }
        }
        let has_all = |lead| {
            let mut trails = (0x40..=0xFE).filter(|trail| *trail != 0x7F);
            trails.all(|trail| pairs.has_double(lead, trail))
        };
        pairs.is_full = (0x81..=0xFE).all(has_all);
        pairs
    }

    /// Returns true if the byte is a character that is not ASCII.
    #[inline]
    pub(super) fn has_single(&self, byte: u8) -> bool {
        self.single[usize::from(byte / 64)] >> (byte % 64) & 1 != 0
    }

    /// Returns true if the two bytes are a character.
    #[inline]
    pub(super) fn has_double(&self, lead: u8, trail: u8) -> bool {
        let pair = pair(lead, trail);
        self.double[pair / 64] >> (pair % 64) & 1 != 0
    }

    /// The length of `block`, which begins with a character, without an incomplete character at its
    /// end. `None` unless all characters are ASCII or have two bytes.
    ///
    /// A run of bytes that are not ASCII begins with a character, since an ASCII byte precedes it,
    /// which ends one. In the run, every second byte is the first of a character. Text of random
    /// words in GB18030 is checked five times as fast as one character after the other (`cargo
    /// bench -p rehref-benches --bench charsets`).
    #[inline]
    pub(super) fn valid_block(&self, block: &[u8; BLOCK]) -> Option<usize> {
        let wide = bits(block, |vector| vector);
        let leads = leads(wide);
        let is_cut = leads >> (BLOCK - 1) != 0;
        let is_valid = match self.is_full {
            true => {
                let equal = |vector: u8x16, byte| vector.simd_eq(u8x16::splat(byte));
                let no_lead = |it| equal(it, 0x80) | equal(it, 0xFF);
                let is_low = |it: u8x16| it.min(u8x16::splat(0x3F)).simd_eq(it);
                let no_trail = |it| is_low(it) | equal(it, 0x7F) | equal(it, 0xFF);
                leads & bits(block, no_lead) | leads << 1 & bits(block, no_trail) == 0
            }
            false => {
                let mut left = leads << 1;
                let mut is_valid = true;
                while left != 0 {
                    let trail = left.trailing_zeros() as usize;
                    left &= left - 1;
                    is_valid &= self.has_double(block[trail - 1], block[trail]);
                }
                is_valid
            }
        };
        is_valid.then_some(BLOCK - usize::from(is_cut))
    }
}

/// Returns true if the bytes are valid and complete.
pub(super) fn is_valid(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    decoded.is_some()
}

fn pair(lead: u8, trail: u8) -> usize {
    usize::from(u16::from_be_bytes([lead, trail]))
}

/// The highest bit of each byte after `map`, the lowest for the first byte.
#[inline]
fn bits(block: &[u8; BLOCK], map: impl Fn(u8x16) -> u8x16) -> u64 {
    let (vectors, _) = block.as_chunks();
    let bits = |at: usize| u64::from(map(u8x16::new(vectors[at])).to_bitmask()) << (16 * at);
    (bits(0) | bits(1)) | (bits(2) | bits(3))
}

/// The first and every second bit after it, for each run of bits.
fn leads(runs: u64) -> u64 {
    let starts = runs & !(runs << 1);
    // Adding the first bit of a run clears the run.
    let from_even = runs & !runs.wrapping_add(starts & EVEN);
    from_even & EVEN | runs & !from_even & !EVEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_second_bit_of_a_run_is_a_lead(runs in any::<u64>(), more in any::<u64>()) {
            for runs in [runs, runs | more, runs & more, u64::MAX] {
                let mut expected = 0_u64;
                for at in 0..64 {
                    let follows_lead = at > 0 && expected >> (at - 1) & 1 != 0;
                    expected |= u64::from(!follows_lead) << at & runs;
                }
                prop_assert_eq!(leads(runs), expected, "{:b}", runs);
            }
        }
    }

    #[test]
    fn only_gbk_has_every_pair() {
        for encoding in
            [encoding_rs::SHIFT_JIS, encoding_rs::BIG5, encoding_rs::EUC_JP, encoding_rs::EUC_KR]
        {
            assert!(!Pairs::of(encoding).is_full);
        }
        assert!(Pairs::of(encoding_rs::GBK).is_full);
    }
}
