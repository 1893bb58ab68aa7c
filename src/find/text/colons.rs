//! The colons of a text.

use wide::u8x16;

/// How many bytes are looked at together.
const BLOCK: usize = 64;

/// The offsets of the colons in `bytes`.
///
/// `memchr_iter` begins anew after each; where a text has many, as in the headers of mail, that takes
/// twice as long as keeping those of a whole block in mind (`cargo bench --bench text`).
pub(super) struct Colons<'b> {
    blocks: &'b [[u8; BLOCK]],
    rest: &'b [u8],
    /// Where the block that is looked at begins.
    start: usize,
    /// A bit for each colon of it that has not been told.
    bits: u64,
}

impl<'b> Colons<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        let (blocks, rest) = bytes.as_chunks();
        Self {
            blocks,
            rest,
            start: 0usize.wrapping_sub(BLOCK),
            bits: 0,
        }
    }
}

impl Iterator for Colons<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            if let Some((block, blocks)) = self.blocks.split_first() {
                self.blocks = blocks;
                self.bits = mask(block);
            } else {
                let rest = std::mem::take(&mut self.rest);
                if rest.is_empty() {
                    return None;
                }
                let mut block = [0; BLOCK];
                block[..rest.len()].copy_from_slice(rest);
                self.bits = mask(&block);
            }
            self.start = self.start.wrapping_add(BLOCK);
        }
        let at = self.start + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(at)
    }
}

/// A bit for each colon of a block.
#[inline]
fn mask(block: &[u8; BLOCK]) -> u64 {
    let colon = u8x16::splat(b':');
    let (parts, _) = block.as_chunks();
    let [a, b, c, d] = [0, 1, 2, 3].map(|part: usize| u8x16::new(parts[part]).simd_eq(colon));
    // Most blocks have none.
    if (a | b | c | d).to_bitmask() == 0 {
        return 0;
    }
    [a, b, c, d]
        .iter()
        .rev()
        .fold(0, |bits, part| bits << 16 | u64::from(part.to_bitmask()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_colons_are_found(bytes in prop::collection::vec(prop_oneof![Just(b':'), any::<u8>()], 0..300)) {
            prop_assert!(Colons::new(&bytes).eq(memchr::memchr_iter(b':', &bytes)));
        }
    }
}
