//! The colons of a text that a scheme may precede.

use std::ops::Range;

use memchr::memchr_iter;

/// The offsets of the colons in this range of `bytes` that a scheme may precede. Linear in the length of the range.
///
/// `bytes` are a text in any encoding in which ASCII characters are ASCII bytes ([`Encoded`](super::encoded::Encoded)):
/// a byte that is not of a scheme ends no scheme, whether it is a character or the end of one.
pub(super) fn candidates(bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = usize> {
    let colons = memchr_iter(b':', &bytes[range.clone()]).map(move |at| range.start + at);
    colons.filter(|colon| may_follow_scheme(bytes, *colon))
}

/// The bytes that may precede the colon of a scheme: a digit, or another byte.
const DIGIT: u8 = 1;
const OTHER: u8 = 2;

static BEFORE: [u8; 256] = {
    let mut before = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        before[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' | b'a'..=b'z' | b'+' | b'-' | b'.' => OTHER,
            _ => 0,
        };
        byte += 1;
    }
    before
};

/// For each byte after the colon, the bytes that may precede the colon: no digit before a digit, as in `12:30`, and
/// none before a space or a second colon.
static AFTER: [u8; 256] = {
    let mut after = [DIGIT | OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        match byte as u8 {
            b'0'..=b'9' => after[byte] = OTHER,
            b' ' | b'\t' | b':' => after[byte] = 0,
            _ => {}
        }
        byte += 1;
    }
    after
};

/// Returns true if the bytes around the colon allow a scheme before it. This rejects most colons of a text, and
/// branches on it are unpredictable, so it has as few as possible.
#[inline]
pub(super) fn may_follow_scheme(bytes: &[u8], colon: usize) -> bool {
    let at = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let before = BEFORE[usize::from(at(colon.wrapping_sub(1)))];
    let after = at(colon + 1);
    // A space follows only in brackets, and then it is before `//`.
    let blank = (after == b' ' || after == b'\t') & (at(colon + 2) == b'/') & (before != 0);
    (before & AFTER[usize::from(after)] != 0) | blank
}
