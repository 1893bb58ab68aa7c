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
        let bytes = text.as_bytes();
        // What stands before `done` is written or removed; from there to `pos` are whole segments
        // that stay, to be copied at once.
        let (mut done, mut pos) = (0, 0);
        loop {
            if let Some((dots, len)) = dot_segment(&bytes[pos..]) {
                self.out.push_str(&text[done..pos]);
                if dots == 2 && !self.pop() {
                    self.climbs += 1;
                    self.first_climb = self.first_climb.or(at.map(|at| at + pos));
                    if self.climb == Climb::Keep {
                        self.out.push_str(&text[pos..pos + len]);
                    }
                }
                pos += len;
                done = pos;
            } else if let Some(slash) = bytes[pos..].iter().position(|&b| b == b'/') {
                pos += slash + 1;
            } else {
                self.out.push_str(&text[done..]);
                return;
            }
        }
    }

    /// Takes the last segment away. False when there is none.
    fn pop(&mut self) -> bool {
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

/// False only where no segment is `.` or `..`. Most paths have none and are copied whole.
pub(super) fn may_have_dot_segments(path: &str) -> bool {
    path.starts_with('.') || path.as_bytes().windows(2).any(|pair| pair == b"/.")
}
