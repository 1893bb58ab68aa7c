//! The dot segments of a path, removed while it is written.

/// What a `..` does that has nothing to climb out of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Climb {
    /// It stays, as in the texts before RFC 3986.
    Keep,
    /// It vanishes (RFC 3986, 5.2.4).
    Clamp,
}

/// Writes a path at the end of a string and removes its dot segments meanwhile.
///
/// What is written always is a run of whole segments, each with its slash, until the last segment.
/// The texts replace patterns in a buffer until none is left, which read literally is quadratic;
/// removing from the end what was just written gives the same, and every byte goes at most once.
pub(super) struct PathWriter<'a> {
    pub(super) out: &'a mut String,
    /// Where the path starts in `out`.
    pub(super) start: usize,
    climb: Climb,
    /// How many `..` had nothing to climb out of. Those that stayed all are at the beginning.
    pub(super) climbs: usize,
    /// Where in the reference the first of them is, unless it comes from the base.
    pub(super) first_climb: Option<usize>,
}

impl<'a> PathWriter<'a> {
    pub(super) fn new(out: &'a mut String, climb: Climb) -> Self {
        let start = out.len();
        Self {
            out,
            start,
            climb,
            climbs: 0,
            first_climb: None,
        }
    }

    /// Goes on with the path that begins at `start`, of which `climbs` segments are `..`.
    pub(super) fn resume(out: &'a mut String, start: usize, climb: Climb, climbs: usize) -> Self {
        Self {
            out,
            start,
            climb,
            climbs,
            first_climb: None,
        }
    }

    /// Appends `text`. What stands before must end in a slash, or be nothing. `at` is where `text`
    /// stands in the reference.
    pub(super) fn push(&mut self, text: &str, at: Option<usize>) {
        let done = self.push_dotted(text, at);
        self.out.push_str(&text[done..]);
    }

    /// As [`PathWriter::push`], but it leaves what follows the last dot segment, to be copied together
    /// with what follows the path. Gives where that begins.
    pub(super) fn push_dotted(&mut self, text: &str, at: Option<usize>) -> usize {
        let bytes = text.as_bytes();
        let (mut done, mut from) = (0, 0);
        while let Some(pos) = next_dot(bytes, from) {
            let Some((dots, len)) = dot_segment(&bytes[pos..]) else {
                // A name that begins with a dot.
                from = pos + 1;
                continue;
            };
            // Mostly they follow one another.
            if done < pos {
                self.out.push_str(&text[done..pos]);
            }
            if dots == 2 && !self.pop() {
                self.climbs += 1;
                self.first_climb = self.first_climb.or(at.map(|at| at + pos));
                if self.climb == Climb::Keep {
                    self.out.push_str(&text[pos..pos + len]);
                }
            }
            from = pos + len;
            done = from;
        }
        done
    }

    /// Takes the last segment away. False when there is none.
    pub(super) fn pop(&mut self) -> bool {
        let path = &self.out.as_bytes()[self.start..];
        let Some((_, path)) = path.split_last() else {
            // Nothing written yet.
            return false;
        };
        let segment = path.iter().rposition(|&b| b == b'/').map_or(0, |i| i + 1);
        // The nothing before a leading slash is no segment, and a `..` that stayed is not taken back.
        if path.is_empty() || self.climb == Climb::Keep && &path[segment..] == b".." {
            return false;
        }
        self.out.truncate(self.start + segment);
        if segment == 0 && self.climb == Climb::Clamp {
            // RFC 3986 puts a slash where the first segment of a rootless path was: `a/../b` is `/b`.
            self.out.push('/');
        }
        true
    }
}

/// How many dots the segment has that `path` begins with, and how long it is with its slash, if it
/// is a dot segment.
fn dot_segment(path: &[u8]) -> Option<(usize, usize)> {
    match path {
        [b'.'] => Some((1, 1)),
        [b'.', b'/', ..] => Some((1, 2)),
        [b'.', b'.'] => Some((2, 2)),
        [b'.', b'.', b'/', ..] => Some((2, 3)),
        _ => None,
    }
}

/// How many `../` the path begins with.
#[inline]
pub(super) fn climbs(path: &[u8]) -> usize {
    let (threes, _) = path.as_chunks();
    threes.iter().take_while(|&three| three == b"../").count()
}

/// False only where no segment is `.` or `..`. Most paths have none and are copied whole.
pub(super) fn may_have_dot_segments(path: &str) -> bool {
    next_dot(path.as_bytes(), 0).is_some()
}

/// Where in `path`, from `from` on, the next dot is that begins a segment.
#[inline]
pub(super) fn next_dot(path: &[u8], from: usize) -> Option<usize> {
    if path.get(from) == Some(&b'.') && (from == 0 || path[from - 1] == b'/') {
        return Some(from);
    }
    // Eight at a time, for what costs is not to compare but to branch.
    let mut at = from;
    while let Some(&nine) = path.get(at..)?.first_chunk() {
        let found = dots_after_slashes(nine);
        if found != 0 {
            return Some(at + 1 + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    // The last eight again, without those that were seen.
    let Some(&nine) = path.last_chunk() else {
        let pair = path[at..].windows(2).position(|pair| pair == b"/.");
        return pair.map(|slash| at + slash + 1);
    };
    let start = path.len() - nine.len();
    let seen = 8 * (at - start);
    let found = dots_after_slashes(nine).unbounded_shr(seen as u32);
    (found != 0).then(|| at + 1 + found.trailing_zeros() as usize / 8)
}

/// The high bit of each of eight bytes that is a slash and has a dot after it, the first lowest.
#[inline]
fn dots_after_slashes([slashes @ .., last]: [u8; 9]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const LOW_BITS: u64 = ONES * 0x7F;
    let slashes = u64::from_le_bytes(slashes);
    let dots = (slashes >> 8) | (u64::from(last) << 56);
    // A byte of this is 0 where both are what they should be.
    let differs = (slashes ^ (ONES * u64::from(b'/'))) | (dots ^ (ONES * u64::from(b'.')));
    // Adding so sets the high bit of each byte that has a lower bit, and carries into no other.
    !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in a path of each length, at each place.
    #[test]
    fn dots_are_found_wherever_they_are() {
        for len in 0..40 {
            for place in 0..len {
                for piece in ["/.", "/..", ".", "a./", "//", "./."] {
                    let mut path = "b".repeat(place) + piece;
                    path.extend(std::iter::repeat_n('b', len - place));
                    let first = path
                        .bytes()
                        .enumerate()
                        .position(|(i, b)| b == b'.' && (i == 0 || path.as_bytes()[i - 1] == b'/'));
                    assert_eq!(next_dot(path.as_bytes(), 0), first, "{path}");
                    // One that was seen is not found again.
                    if let Some(first) = first {
                        let next = next_dot(path.as_bytes(), first + 1);
                        assert!(next.is_none_or(|next| next > first), "{path}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_follows_the_last_dots_is_left() {
        let mut out = String::from("a/b/");
        let mut writer = PathWriter::resume(&mut out, 0, Climb::Keep, 0);
        assert_eq!(writer.push_dotted(".hidden/../...x/./c/d", None), 18);
        assert_eq!(out, "a/b/...x/");
    }
}
