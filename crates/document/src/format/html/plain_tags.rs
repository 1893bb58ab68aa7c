//! Passes text and plain tags: those such as `<em>` and `</p>`, without attributes or an effect.
//!
//! For 64 bytes at once, three masks have a bit for each `<`, for each `>`, and for each byte up to
//! `/`, which includes white space and quotes. A name cannot contain the last ones. So a tag is
//! plain if after its `<`, and a `/`, a `>` is the first byte in one of the masks. An addition
//! finds that byte for all tags at once: to the bytes in none of the masks, it adds a bit after
//! each `<`, which carries up to the next byte that is in a mask.
//!
//! Only tags that are not plain are looked at one by one, and those with a name of more than two
//! bytes, since usually all names with an effect are longer. The same masks serve all tags that begin in
//! the 64 bytes. What begins inside a quoted value does not count: it is before the end of its tag,
//! and nothing is carried over a `>`. Raw text ends without one, so the masks are made again after
//! it.

use super::comment::read_comment;
use super::names::{Key, Wanted};
use super::simd::{BLOCK, Block};

/// The beginning of markup.
pub(super) struct Opening {
    /// The offset of the `<`.
    pub(super) start: usize,
    /// The first byte after the `<`, and a `/`, that is a `>` or not greater than `/`. The name of
    /// a tag ends there if this byte [ends names](super::chars::ends_name).
    pub(super) name_end: usize,
}

/// The next 64 bytes of a page.
#[derive(Default)]
pub(super) struct PlainTags {
    start: usize,
    /// The offset of the bytes after them. A tag that crosses it is read as a whole.
    next: usize,
    opens: u64,
    closes: u64,
    /// The ends of the names after a `<` that are looked at.
    stops: u64,
}

impl PlainTags {
    /// The next markup at or after `at` that is not a plain tag or a comment. `None` if there is
    /// none. Since the last call, a tag or comment was read up to `at`, or nothing.
    #[inline]
    pub(super) fn pass(&mut self, bytes: &[u8], mut at: usize, wanted: &Wanted) -> Option<Opening> {
        loop {
            // Names that the page ends in end after it.
            if at >= bytes.len() {
                return None;
            }
            // Where the last tag is longer, none are left.
            let passed = u32::try_from(at.saturating_sub(self.start)).unwrap_or(u32::MAX);
            let mut stops = u64::MAX.checked_shl(passed).unwrap_or(0) & self.stops;
            loop {
                if stops == 0 {
                    at = at.max(self.next);
                    *self = Self::at(bytes, at, wanted);
                    break;
                }
                let end = stops.trailing_zeros() as usize;
                let bit = 1_u64 << end;
                stops &= stops - 1;
                let open = (self.opens & (bit - 1)).checked_ilog2().unwrap_or(0) as usize;
                let open = self.start + open;
                if self.closes & bit != 0 {
                    if is_plain(bytes, open, self.start + end, wanted) {
                        continue;
                    }
                } else if is_text(bytes, open) {
                    continue;
                } else if bytes[open + 1..].starts_with(b"!--")
                    && let Some((_, after)) = read_comment(bytes, open + 4)
                {
                    at = after;
                    break;
                }
                return Some(Opening { start: open, name_end: self.start + end });
            }
        }
    }

    /// Looks at the bytes from `start` on.
    #[inline]
    fn at(bytes: &[u8], start: usize, wanted: &Wanted) -> Self {
        let block = Block::at(bytes, start);
        let opens = block.bits(|bytes| bytes.equal(b'<'));
        let next = start + BLOCK;
        if opens == 0 {
            return Self { start, next, ..Self::default() };
        }
        let closes = block.bits(|bytes| bytes.equal(b'>'));
        let others = block.bits(|bytes| bytes.up_to(b'/'));
        let firsts = opens << 1;
        // The `/` of an end tag does not end a name. Nor does the `!` of a comment, but the dash
        // after it does.
        let ends = opens | closes | others & !firsts;
        let (carried, is_cut) = (!ends).overflowing_add(firsts);
        let reached = carried & ends;
        let of_end_tags = (firsts & others) << 1;
        let names = firsts & !others | of_end_tags;
        // Usually all names with an effect have three bytes or more, those of end tags four.
        let short = names << 1 | names << 2 | of_end_tags << 3;
        let mut it =
            Self { start, next, opens, closes, stops: reached & !(closes & short & wanted.short) };
        if is_cut || opens >> (BLOCK - 1) != 0 {
            match opens.ilog2() as usize {
                // A name of 63 bytes.
                0 => it.stops |= 1 << (BLOCK - 1),
                last => it.next = start + last,
            }
        }
        it
    }
}

/// Returns true if the tag from `open` to the `>` at `close`, which has no attributes, has no
/// effect.
#[inline]
fn is_plain(bytes: &[u8], open: usize, close: usize, wanted: &Wanted) -> bool {
    let is_end = bytes[open + 1] == b'/';
    let name = open + 1 + usize::from(is_end);
    Key::of_part(bytes, name, close)
        .is_some_and(|key| !wanted.has_effect(key, is_end, &bytes[name..close]))
}

/// Returns true if the `<` at `open` begins no markup.
#[inline]
fn is_text(bytes: &[u8], open: usize) -> bool {
    let next = bytes.get(open + 1);
    next.is_some_and(|&byte| !byte.is_ascii_alphabetic() && !matches!(byte, b'!' | b'/' | b'?'))
}
