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
    /// How many `..` stayed. They all are at the beginning.
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

    /// Appends `text`. What stands before must end in a slash, or be nothing. `at` is where `text`
    /// stands in the reference.
    pub(super) fn push(&mut self, text: &str, at: Option<usize>) {
        if !may_have_dot_segments(text) {
            self.out.push_str(text);
            return;
        }
        let mut pos = 0;
        loop {
            let rest = &text[pos..];
            let (end, next) = rest
                .find('/')
                .map_or((rest.len(), None), |i| (i, Some(i + 1)));
            // With its slash, but for the last.
            let segment = &rest[..next.unwrap_or(end)];
            match &rest[..end] {
                "." => {}
                ".." => {
                    if !self.pop() {
                        self.climbs += 1;
                        self.first_climb = self.first_climb.or(at.map(|at| at + pos));
                        self.out.push_str(segment);
                    }
                }
                _ => self.out.push_str(segment),
            }
            match next {
                Some(next) => pos += next,
                None => return,
            }
        }
    }

    /// Takes the last segment away. False when there is none and the `..` is to stay.
    fn pop(&mut self) -> bool {
        let clamp = self.climb == Climb::Clamp;
        let path = &self.out[self.start..];
        let Some(path) = path.strip_suffix('/') else {
            // Nothing written yet.
            return clamp;
        };
        match path.rfind('/') {
            Some(slash) if clamp || &path[slash + 1..] != ".." => {
                self.out.truncate(self.start + slash + 1);
                true
            }
            // RFC 3986 puts a slash where the first segment of a rootless path was (`a/../b` is
            // `/b`), and leaves the root as it is.
            None if clamp => {
                self.out.truncate(self.start);
                self.out.push('/');
                true
            }
            // The nothing before a leading slash is no segment.
            None if !path.is_empty() && path != ".." => {
                self.out.truncate(self.start);
                true
            }
            _ => false,
        }
    }
}

/// False only where no segment is `.` or `..`. Most paths have none and are copied whole.
pub(super) fn may_have_dot_segments(path: &str) -> bool {
    path.starts_with('.') || path.as_bytes().windows(2).any(|pair| pair == b"/.")
}
