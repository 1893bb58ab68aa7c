//! Several bytes at a time. Most names and values are short, and a loop over single bytes ends unpredictably.

use wide::u8x16;

/// Sixteen bytes of a page.
#[derive(Clone, Copy)]
pub(super) struct Vector(u8x16);

/// The bytes of a vector that match.
#[derive(Clone, Copy)]
pub(super) struct Marked(u8x16);

impl Vector {
    pub(super) const LEN: usize = 16;

    #[inline]
    pub(super) fn new(bytes: &[u8; Self::LEN]) -> Self {
        Self(u8x16::new(*bytes))
    }

    /// Returns true if `is_marked` marks none of the bytes. The search does not stop at a match, since that branch
    /// would be unpredictable.
    #[inline]
    pub(super) fn none(bytes: &[u8], is_marked: impl Fn(Self) -> Marked) -> bool {
        let bits = |vector| is_marked(vector).bits();
        let (vectors, rest) = bytes.as_chunks();
        let found = vectors
            .iter()
            .fold(0, |found, vector| found | bits(Self::new(vector)));
        if rest.is_empty() {
            return found == 0;
        }
        // Together with the bytes before them, or padded.
        let (last, wanted) = match bytes.last_chunk() {
            Some(last) => (*last, u32::MAX),
            None => {
                let mut last = [0; Self::LEN];
                last[..rest.len()].copy_from_slice(rest);
                (last, (1 << rest.len()) - 1)
            }
        };
        found | bits(Self::new(&last)) & wanted == 0
    }

    /// The bytes at `at`, if there are enough.
    #[inline]
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        bytes.get(at..)?.first_chunk().map(Self::new)
    }

    /// The bytes that are `byte`.
    #[inline]
    pub(super) fn equal(self, byte: u8) -> Marked {
        Marked(self.0.simd_eq(u8x16::splat(byte)))
    }

    /// The bytes that are at most `byte`.
    #[inline]
    pub(super) fn up_to(self, byte: u8) -> Marked {
        Marked(self.0.simd_eq(self.0.min(u8x16::splat(byte))))
    }
}

impl Marked {
    /// The union of both.
    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// A bit for each byte, the lowest for the first.
    #[inline]
    pub(super) fn bits(self) -> u32 {
        self.0.to_bitmask()
    }

    /// The index of the first match.
    #[inline]
    pub(super) fn first(self) -> Option<usize> {
        match self.bits() {
            0 => None,
            bits => Some(bits.trailing_zeros() as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_marked() {
        let bytes = b"a\xBFb/=\t\0x<yyyyyy\x7F?";
        let vector = Vector::at(bytes, 0).unwrap();
        assert_eq!(vector.equal(b'/').first(), Some(3));
        assert_eq!(vector.equal(b'?').first(), None);
        assert_eq!(vector.equal(0xBF).or(vector.equal(b'=')).bits(), 0b1_0010);
        assert_eq!(vector.up_to(b' ').bits(), 0b110_0000);
        assert_eq!(vector.up_to(b'/').first(), Some(3));
        assert_eq!(vector.up_to(0xFF).bits(), 0xFFFF);
        assert_eq!(Vector::at(bytes, 1).unwrap().equal(0x7F).first(), Some(14));
        assert!(Vector::at(bytes, 3).is_none());
        assert!(Vector::at(bytes, 30).is_none());
    }

    #[test]
    fn slices_of_any_length_are_searched() {
        let is_marked = |vector: Vector| vector.equal(b'x').or(vector.up_to(b' '));
        for len in 0..50 {
            let mut bytes = vec![b'a'; len];
            assert!(Vector::none(&bytes, is_marked), "{len}");
            for at in 0..len {
                bytes[at] = if at % 2 == 0 { b'x' } else { b' ' };
                assert!(!Vector::none(&bytes, is_marked), "{at} of {len}");
                bytes[at] = 0x7F;
            }
            // Padding does not count.
            assert!(Vector::none(&bytes, |vector| vector.equal(0)), "{len}");
        }
    }
}
