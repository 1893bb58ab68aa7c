//! Several bytes at a time. Most names and values are short, and a loop over single bytes ends
//! unpredictably.

use memchr::memchr;
use wide::u8x16;

/// The number of bytes of a [`Block`].
pub(super) const BLOCK: usize = 64;

/// Sixty-four bytes of a page, after its end zeros.
pub(super) struct Block([Vector; BLOCK / Vector::LEN]);

impl Block {
    #[inline]
    pub(super) fn at(bytes: &[u8], start: usize) -> Self {
        match bytes.get(start..).and_then(<[u8]>::first_chunk) {
            Some(block) => Self::new(block),
            None => Self::at_end(bytes, start),
        }
    }

    /// Loads the bytes into vectors, which stay in registers.
    #[inline]
    fn new(block: &[u8; BLOCK]) -> Self {
        let (vectors, _) = block.as_chunks();
        Self(std::array::from_fn(|number| Vector::new(&vectors[number])))
    }

    #[cold]
    #[inline(never)]
    fn at_end(bytes: &[u8], start: usize) -> Self {
        let rest = bytes.get(start..).unwrap_or_default();
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        Self::new(&block)
    }

    /// A bit for each byte that is marked, the lowest for the first.
    #[inline]
    pub(super) fn bits(&self, is_marked: impl Fn(Vector) -> Marked) -> u64 {
        let vectors = self.0.iter().enumerate();
        vectors.fold(0, |bits, (number, &vector)| {
            let of_vector = is_marked(vector).bits();
            bits | u64::from(of_vector) << (Vector::LEN * number)
        })
    }
}

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

    /// Returns true if `is_marked` marks none of the bytes. The search does not stop at a match,
    /// since that branch would be unpredictable.
    #[inline]
    pub(super) fn none(bytes: &[u8], is_marked: impl Fn(Self) -> Marked) -> bool {
        let bits = |vector| is_marked(vector).bits();
        let (vectors, rest) = bytes.as_chunks();
        let found = vectors.iter().fold(0, |found, vector| found | bits(Self::new(vector)));
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

/// The offset of the next `byte` at or after `from`. Most texts and values are short, so calling a
/// search for long ones would take longer than the search.
#[inline]
pub(super) fn find(byte: u8, bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..2 {
        let Some(vector) = Vector::at(bytes, at) else {
            break;
        };
        if let Some(found) = vector.equal(byte).first() {
            return Some(at + found);
        }
        at += Vector::LEN;
    }
    let found = memchr(byte, bytes.get(at..)?)?;
    Some(at + found)
}

/// Returns true if a start tag may begin with this name, in lower case, also in text or a comment.
pub(super) fn begins_tag(bytes: &[u8], name: &[u8]) -> bool {
    memchr::memchr_iter(b'<', bytes).any(|at| {
        let begin = bytes[at + 1..].get(..name.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(name))
    })
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
