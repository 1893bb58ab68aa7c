//! The colons of a text that a scheme may precede.

use std::ops::Range;

use memchr::memchr;

use super::simd;

/// The offsets of the colons in this range of `bytes` that a scheme may precede. Linear in the
/// length of the range.
///
/// `bytes` are a text in any encoding in which ASCII characters are ASCII bytes
/// ([`Encoded`](super::encoded::Encoded)). A byte that is not of a scheme ends no scheme, also if
/// it is the end of a longer character.
pub(super) fn candidates(bytes: &[u8], range: Range<usize>) -> Candidates<'_> {
    Candidates { bytes, rest: &bytes[range.clone()], end: range.end, block: range.start, colons: 0 }
}

/// The offsets of the colons in a text that a scheme may precede.
///
/// Colons are frequent in some texts, and a search that starts again after each one takes longer
/// than the comparison of all bytes. So the text is read in blocks. Where several have no colon,
/// `memchr` is faster.
pub(super) struct Candidates<'t> {
    bytes: &'t [u8],
    /// The text after the current block.
    rest: &'t [u8],
    /// The offset of its end.
    end: usize,
    /// The offset of the current block.
    block: usize,
    /// The colons of the block that are left, a bit for each byte.
    colons: u64,
}

/// The length of a block, in bytes.
const BLOCK: usize = 4 * simd::LEN;

/// The number of blocks without a colon after which `memchr` searches the next one.
const EMPTY_BLOCKS: usize = 16;

impl Iterator for Candidates<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            while self.colons != 0 {
                let colon = self.block + self.colons.trailing_zeros() as usize;
                self.colons &= self.colons - 1;
                if may_follow_scheme(self.bytes, colon) {
                    return Some(colon);
                }
            }
            self.advance()?;
        }
    }
}

impl Candidates<'_> {
    /// Continues with the next block that has a colon.
    #[inline]
    fn advance(&mut self) -> Option<()> {
        let mut rest = self.rest;
        let mut empty = 0;
        while let Some((block, after)) = rest.split_first_chunk() {
            self.colons = simd::bits_of_equal(block, b':');
            if self.colons != 0 {
                self.block = self.end - rest.len();
                self.rest = after;
                return Some(());
            }
            rest = after;
            empty += 1;
            if empty == EMPTY_BLOCKS {
                empty = 0;
                rest = &rest[memchr(b':', rest)?..];
            }
        }
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        self.block = self.end - rest.len();
        self.rest = &[];
        self.colons = simd::bits_of_equal(&block, b':');
        (self.colons != 0).then_some(())
    }
}

/// The classes of bytes that may precede the colon of a scheme: a digit, a bracket around the colon
/// of a defanged URL, or another byte.
const DIGIT: u8 = 1;
const OTHER: u8 = 2;
const BRACKET: u8 = 4;

static BEFORE: [u8; 256] = {
    let mut before = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        before[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' | b'a'..=b'z' | b'+' | b'-' | b'.' => OTHER,
            b'[' | b'(' | b'{' => BRACKET,
            _ => 0,
        };
        byte += 1;
    }
    before
};

/// For each byte after the colon, the bytes that may precede the colon: no digit before a digit, as
/// in `12:30`, and none before a second colon, or before a space without a slash after it. The
/// second table is for text with that slash.
static AFTER: [[u8; 256]; 2] = {
    let mut after = [[DIGIT | OTHER; 256]; 2];
    let mut byte = 0;
    while byte < 256 {
        match byte as u8 {
            b'0'..=b'9' => (after[0][byte], after[1][byte]) = (OTHER, OTHER),
            b':' => (after[0][byte], after[1][byte]) = (0, 0),
            // A space follows only in brackets, and then it is before `//`.
            b' ' | b'\t' => after[0][byte] = 0,
            b']' | b')' | b'}' | b'/' => {
                (after[0][byte], after[1][byte]) =
                    (DIGIT | OTHER | BRACKET, DIGIT | OTHER | BRACKET);
            }
            _ => {}
        }
        byte += 1;
    }
    after
};

/// Returns true if the bytes around the colon allow a scheme before it. This rejects most colons of
/// a text, and branches on it are unpredictable, so it has as few as possible.
#[inline]
pub(super) fn may_follow_scheme(bytes: &[u8], colon: usize) -> bool {
    let around = bytes.get(colon.wrapping_sub(1)..);
    let [before, _, after, next] = match around.and_then(|it| it.first_chunk()) {
        Some(around) => *around,
        None => {
            let at = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
            [at(colon.wrapping_sub(1)), b':', at(colon + 1), at(colon + 2)]
        }
    };
    let after = AFTER[usize::from(next == b'/')][usize::from(after)];
    BEFORE[usize::from(before)] & after != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::tier::cases(20_000))]

        #[test]
        fn candidates_are_the_colons_after_schemes(
            pieces in prop::collection::vec((0..200_usize, prop::sample::select(vec![
                "a:b", ":", "::", "a: ", "1:2", "a:2", "a: /", ";:", "a:\n", ":a", "\u{BA}", "\u{17A}:",
            ])), 0..20),
            gap in prop::sample::select(vec![0, 3 * BLOCK, 2 * EMPTY_BLOCKS * BLOCK]),
            ends in any::<[prop::sample::Index; 2]>(),
        ) {
            let pieces = pieces.iter().map(|(len, piece)| "b".repeat(*len + gap) + piece);
            let text = pieces.collect::<String>();
            let bytes = text.as_bytes();
            let [from, to] = ends.map(|end| end.index(bytes.len() + 1));
            let range = from.min(to)..from.max(to);
            let expected = range.clone().filter(|at| bytes[*at] == b':' && may_follow_scheme(bytes, *at));
            prop_assert!(candidates(bytes, range).eq(expected), "{}", text);
        }
    }
}
