//! Names as numbers.

use super::simd::Vector;

/// A name in lower case, packed. Names of letters and digits are equal if their keys are, in any
/// case. All names of more than eight bytes have the key [`Key::LONG`]; they are compared by their
/// bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(u64);

impl Key {
    pub(super) const LONG: Self = Self(0);

    /// The greatest length of a name with a key of its own, in bytes.
    pub(super) const LONGEST: usize = 8;

    pub(super) const fn of(name: &[u8]) -> Self {
        if name.len() > Self::LONGEST {
            return Self::LONG;
        }
        let (mut key, mut at) = (0, name.len());
        while at > 0 {
            at -= 1;
            // As `lower` does. Control characters must not make it equal to another name.
            let byte = if name[at] < b' ' { 0xFF } else { name[at] | b' ' };
            key = key << 8 | byte as u64;
        }
        Self(key)
    }

    /// The key of a name of at most [`LONGEST`](Self::LONGEST) bytes, faster. Wrong for names with
    /// control characters, which no known name has.
    #[inline]
    pub(super) fn of_short(name: &[u8]) -> Self {
        let len = name.len();
        if len == 0 {
            return Self::LONG;
        }
        // Bytes that are read twice are the same.
        let word = match (name.first_chunk(), name.last_chunk()) {
            (Some(&first), Some(&last)) => {
                let [first, last] = [first, last].map(|it| u64::from(u32::from_le_bytes(it)));
                first | last << (8 * (len - 4))
            }
            _ => {
                let byte = |at: usize| name.get(at).map_or(0, |&byte| u64::from(byte) << (8 * at));
                byte(0) | byte(1) | byte(2)
            }
        };
        Self::lower(word, len)
    }

    /// The key of a name of any length, under the condition of [`of_short`](Self::of_short).
    #[inline]
    pub(super) fn of_name(name: &[u8]) -> Self {
        match name.len() {
            0..=Self::LONGEST => Self::of_short(name),
            _ => Self::LONG,
        }
    }

    /// The key of the name that is the first `len` bytes of a word, at least one.
    #[inline]
    fn lower(word: u64, len: usize) -> Self {
        // Makes letters lowercase, and turns only a control character into a letter or a digit.
        let lower = word | u64::from_ne_bytes([b' '; 8]);
        Self(lower & u64::MAX >> (64 - 8 * len))
    }

    /// A number below `places`, which is a power of two.
    #[inline]
    pub(super) const fn hash(self, places: usize) -> usize {
        let hash = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> (64 - places.trailing_zeros())) as usize
    }

    /// The key of the name between `start` and `end`, under the condition of
    /// [`of_short`](Self::of_short). `None` near the end of the page.
    #[inline]
    pub(super) fn of_part(bytes: &[u8], start: usize, end: usize) -> Option<Self> {
        let len = end - start;
        if !(1..=Self::LONGEST).contains(&len) {
            return Some(Self::LONG);
        }
        let word = bytes.get(start..)?.first_chunk()?;
        Some(Self::lower(u64::from_le_bytes(*word), len))
    }

    /// The length and the key of the tag name that begins at `start`. `None` if the fast path
    /// cannot decide.
    #[inline]
    pub(super) fn at(bytes: &[u8], start: usize) -> Option<(usize, Self)> {
        let vector = Vector::at(bytes, start)?;
        // Any control character counts as an end here.
        let ends = vector.up_to(b' ').or(vector.equal(b'/'));
        let len = ends.or(vector.equal(b'>')).first()?;
        if !(1..=Self::LONGEST).contains(&len) {
            return Some((len, Self::LONG));
        }
        let word = u64::from_le_bytes(*bytes[start..].first_chunk()?);
        Some((len, Self::lower(word, len)))
    }
}
