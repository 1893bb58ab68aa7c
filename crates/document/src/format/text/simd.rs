//! The step from vectors to bits. Compilers turn simple loops over arrays of bytes into vector
//! instructions, but not the collection of one bit from each byte, for which most processors have
//! an instruction. Without it, the search of a text takes 15 % more time (`cargo bench -p
//! rehref-benches --bench text`).

use wide::u8x16;

/// The number of bytes in a vector.
pub(super) const LEN: usize = 16;

/// A bit for each byte that `is_marked`, the lowest for the first.
#[inline]
pub(super) fn bits(bytes: &[u8; LEN], is_marked: impl Fn(u8) -> bool) -> u32 {
    u8x16::new(bytes.map(|byte| if is_marked(byte) { 0xFF } else { 0 })).to_bitmask()
}

/// A bit for each byte of two vectors that `is_marked`.
#[inline]
pub(super) fn bits_of_pair(bytes: &[u8; 2 * LEN], is_marked: impl Fn(u8) -> bool) -> u32 {
    let (vectors, _) = bytes.as_chunks();
    bits(&vectors[0], &is_marked) | bits(&vectors[1], &is_marked) << LEN
}

/// A bit for each byte that is `wanted`. Blocks without any take the least time.
#[inline]
pub(super) fn bits_of_equal(bytes: &[u8; 4 * LEN], wanted: u8) -> u64 {
    let (vectors, _) = bytes.as_chunks();
    let equal = |at: usize| u8x16::new(vectors[at]).simd_eq(u8x16::splat(wanted));
    let equal = [equal(0), equal(1), equal(2), equal(3)];
    if ((equal[0] | equal[1]) | (equal[2] | equal[3])).to_bitmask() == 0 {
        return 0;
    }
    let bits = |at: usize| u64::from(equal[at].to_bitmask()) << (LEN * at);
    (bits(0) | bits(1)) | (bits(2) | bits(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_marked_bytes() {
        let bytes = b"a\xBFb/=\t\0x<yyyyyy\xFF";
        assert_eq!(bits(bytes, |byte| byte == b'/'), 0b1000);
        assert_eq!(bits(bytes, |byte| byte >= 0x80), 0b1000_0000_0000_0010);
        assert_eq!(bits(bytes, |byte| byte <= b' '), 0b110_0000);
        assert_eq!(bits(bytes, |_| true), 0xFFFF);
    }
}
