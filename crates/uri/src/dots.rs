//! Removal of dot segments while a path is written.

/// The effect of a `..` above the root.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Climb {
    /// It is retained, as in the specifications before RFC 3986.
    Keep,
    /// It is removed (RFC 3986, 5.2.4).
    Clamp,
}

/// Writes a path at the end of a string and removes its dot segments.
///
/// The path always consists of whole segments with their slashes, until the last segment. The
/// specifications replace patterns in a buffer until none is left, which is quadratic if read
/// literally. Removing the segment that was written last gives the same result, and removes each
/// byte at most once.
pub(super) struct PathWriter<'a> {
    pub(super) out: &'a mut String,
    /// The start of the path in `out`.
    pub(super) start: usize,
    climb: Climb,
    /// The number of `..` above the root. Those that were retained are at the beginning.
    pub(super) climbs: usize,
    /// The offset of the first of them in the reference, unless it comes from the base.
    pub(super) first_climb: Option<usize>,
}

impl<'a> PathWriter<'a> {
    pub(super) fn new(out: &'a mut String, climb: Climb) -> Self {
        let start = out.len();
        Self { out, start, climb, climbs: 0, first_climb: None }
    }

    /// Continues the path that begins at `start` and has `climbs` segments `..`.
    pub(super) fn resume(out: &'a mut String, start: usize, climb: Climb, climbs: usize) -> Self {
        Self { out, start, climb, climbs, first_climb: None }
    }

    /// Appends `text`, whose offset in the reference is `at`. The path so far must be empty or end
    /// in a slash.
    pub(super) fn push(&mut self, text: &str, at: Option<usize>) {
        let done = self.push_dotted(text, at);
        self.out.push_str(&text[done..]);
    }

    /// Appends `text` up to its last dot segment, and returns the offset of the rest, which can be
    /// copied together with the text after the path.
    pub(super) fn push_dotted(&mut self, text: &str, at: Option<usize>) -> usize {
        let bytes = text.as_bytes();
        let (mut done, mut from) = (0, 0);
        while let Some(pos) = next_dot(bytes, from) {
            let Some((dots, len)) = dot_segment(&bytes[pos..]) else {
                // A name that begins with a dot.
                from = pos + 1;
                continue;
            };
            // Dot segments mostly follow one another.
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

    /// Removes the last segment. Returns false for a path without one.
    pub(super) fn pop(&mut self) -> bool {
        let path = &self.out.as_bytes()[self.start..];
        let Some((_, path)) = path.split_last() else {
            // Nothing written yet.
            return false;
        };
        let segment = path.iter().rposition(|&b| b == b'/').map_or(0, |i| i + 1);
        // The empty text before a leading slash is not a segment, and a retained `..` is not
        // removed.
        if path.is_empty() || self.climb == Climb::Keep && &path[segment..] == b".." {
            return false;
        }
        self.out.truncate(self.start + segment);
        if segment == 0 && self.climb == Climb::Clamp {
            // RFC 3986 writes a slash in place of the first segment of a rootless path: `a/../b`
            // gives `/b`.
            self.out.push('/');
        }
        true
    }
}

/// If `path` begins with a dot segment: its number of dots, and its length with its slash.
fn dot_segment(path: &[u8]) -> Option<(usize, usize)> {
    match path {
        [b'.'] => Some((1, 1)),
        [b'.', b'/', ..] => Some((1, 2)),
        [b'.', b'.'] => Some((2, 2)),
        [b'.', b'.', b'/', ..] => Some((2, 3)),
        _ => None,
    }
}

/// The number of `../` at the beginning of the path.
#[inline]
pub(super) fn climbs(path: &[u8]) -> usize {
    let (threes, _) = path.as_chunks();
    threes.iter().take_while(|&three| three == b"../").count()
}

/// Returns false only if no segment is `.` or `..`. Most paths have none and are copied whole.
pub(super) fn may_have_dot_segments(path: &str) -> bool {
    next_dot(path.as_bytes(), 0).is_some()
}

/// The offset of the next dot that begins a segment, from `from` on.
#[inline]
pub(super) fn next_dot(path: &[u8], from: usize) -> Option<usize> {
    if path.get(from) == Some(&b'.') && (from == 0 || path[from - 1] == b'/') {
        return Some(from);
    }
    // Eight at a time: branches cost more than comparisons.
    let mut at = from;
    while let Some(&nine) = path.get(at..)?.first_chunk() {
        let found = dots_after_slashes(nine);
        if found != 0 {
            return Some(at + 1 + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    // The last eight again, without those already compared.
    let Some(&nine) = path.last_chunk() else {
        let pair = path[at..].windows(2).position(|pair| pair == b"/.");
        return pair.map(|slash| at + slash + 1);
    };
    let start = path.len() - nine.len();
    let seen = 8 * (at - start);
    let found = dots_after_slashes(nine).unbounded_shr(seen as u32);
    (found != 0).then(|| at + 1 + found.trailing_zeros() as usize / 8)
}

/// Sets the high bit of each of eight bytes that is a slash followed by a dot. The first byte is
/// the lowest.
#[inline]
fn dots_after_slashes([slashes @ .., last]: [u8; 9]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const LOW_BITS: u64 = ONES * 0x7F;
    let slashes = u64::from_le_bytes(slashes);
    let dots = (slashes >> 8) | (u64::from(last) << 56);
    // A byte of this is 0 if both characters match.
    let differs = (slashes ^ (ONES * u64::from(b'/'))) | (dots ^ (ONES * u64::from(b'.')));
    // This addition sets the high bit of each byte that has a lower bit set, and never carries into
    // the next byte.
    !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a simple search: each piece in paths of every length, at every position.
    #[test]
    fn dots_are_found_at_every_position() {
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
                    // A dot before `from` is not found again.
                    if let Some(first) = first {
                        let next = next_dot(path.as_bytes(), first + 1);
                        assert!(next.is_none_or(|next| next > first), "{path}");
                    }
                }
            }
        }
    }

    #[test]
    fn push_dotted_stops_after_the_last_dot_segment() {
        let mut out = String::from("a/b/");
        let mut writer = PathWriter::resume(&mut out, 0, Climb::Keep, 0);
        assert_eq!(writer.push_dotted(".hidden/../...x/./c/d", None), 18);
        assert_eq!(out, "a/b/...x/");
    }
}
