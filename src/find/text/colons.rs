//! The colons of a text.

use wide::u8x16;

/// How many bytes are looked at together.
const BLOCK: usize = 64;

/// The offsets of the colons in `bytes`.
///
/// `memchr_iter` begins anew after each; where a text has many, as in the headers of mail, that takes
/// twice as long as keeping those of a whole block in mind (`cargo bench --bench text`).
pub(super) fn colons(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let rest_start = bytes.len() - rest.len();
    let in_blocks = blocks.iter().enumerate().flat_map(|(number, block)| Mask {
        start: number * BLOCK,
        bits: mask(block),
    });
    let in_rest = rest.iter().enumerate().filter(|(_, byte)| **byte == b':');
    in_blocks.chain(in_rest.map(move |(at, _)| rest_start + at))
}

/// A bit for each colon of a block.
#[inline]
fn mask(block: &[u8; BLOCK]) -> u64 {
    let colon = u8x16::splat(b':');
    let (parts, _) = block.as_chunks::<16>();
    let mut bits = 0;
    for (number, part) in parts.iter().enumerate() {
        let found = u8x16::new(*part).simd_eq(colon).to_bitmask();
        bits |= u64::from(found) << (16 * number);
    }
    bits
}

/// The offsets that the bits of a block stand for.
struct Mask {
    start: usize,
    bits: u64,
}

impl Iterator for Mask {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let at = self.bits.trailing_zeros() as usize;
        let found = self.bits != 0;
        self.bits &= self.bits.wrapping_sub(1);
        found.then_some(self.start + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_colons_are_found(bytes in prop::collection::vec(prop_oneof![Just(b':'), any::<u8>()], 0..300)) {
            prop_assert!(colons(&bytes).eq(memchr::memchr_iter(b':', &bytes)));
        }
    }
}
