//! Delimiter runs of emphasis and deleted text (CommonMark, section 6.2, and GFM, section 6.5).
//!
//! Only the delimiters that remain text are needed, not the emphasized text.

use super::classes::is_punctuation;

/// A run of `*`, `_` or `~`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) byte: u8,
    /// The number of characters that are not part of emphasis.
    pub(super) left: usize,
    /// The number of characters.
    len: usize,
    can_open: bool,
    can_close: bool,
}

/// The ways in which a run closes emphasis: by its character, by opening emphasis too or not, and
/// by its length modulo 3.
const KINDS: usize = 3 * 2 * 3;

impl Run {
    /// The run of `len` characters at `at` in a text.
    pub(super) fn at(text: &str, at: usize, len: usize) -> Self {
        let byte = text.as_bytes()[at];
        let before = text[..at].chars().next_back().unwrap_or('\n');
        let after = text[at + len..].chars().next().unwrap_or('\n');
        let flanks = |near: char, far: char| {
            let is_apart = far.is_whitespace() || is_punctuation(far);
            !near.is_whitespace() && (!is_punctuation(near) || is_apart)
        };
        let (left, right) = (flanks(after, before), flanks(before, after));
        let (can_open, can_close) = match byte {
            b'_' => (
                left && (!right || is_punctuation(before)),
                right && (!left || is_punctuation(after)),
            ),
            // More than two are text.
            b'~' => (left && len <= 2, right && len <= 2),
            _ => (left, right),
        };
        Self { byte, left: len, len, can_open, can_close }
    }

    fn kind(&self) -> usize {
        let byte = match self.byte {
            b'*' => 0,
            b'_' => 1,
            _ => 2,
        };
        (byte * 2 + usize::from(self.can_open)) * 3 + self.len % 3
    }

    /// Returns true if this run can close emphasis that `opener` opens.
    fn closes(&self, opener: &Self) -> bool {
        if self.byte != opener.byte {
            return false;
        }
        if self.byte == b'~' {
            return self.len == opener.len;
        }
        let is_unclear = self.can_open || opener.can_close;
        !is_unclear
            || !(self.len + opener.len).is_multiple_of(3)
            || self.len.is_multiple_of(3) && opener.len.is_multiple_of(3)
    }

    /// The number of characters that emphasis between `opener` and this run uses up.
    fn used(&self, opener: &Self) -> usize {
        match self.byte {
            b'~' => self.len,
            _ => self.left.min(opener.left).min(2),
        }
    }
}

/// Takes the delimiters of emphasis from the runs of a text, which are in their order.
///
/// Time is linear: a closing run removes the opening runs after its partner. If a run finds no
/// partner among earlier runs, no later run of its kind searches them again.
pub(super) fn match_delimiters(runs: &mut [Run]) {
    let mut openers: Vec<usize> = Vec::new();
    // For each kind of closing runs, the number of openers that none of them matches.
    let mut searched = [0_usize; KINDS];
    for at in 0..runs.len() {
        while runs[at].can_close && runs[at].left > 0 {
            let closer = runs[at];
            let searched_here = searched[closer.kind()];
            let found =
                openers[searched_here..].iter().rposition(|&opener| closer.closes(&runs[opener]));
            let Some(found) = found.map(|it| it + searched_here) else {
                searched[closer.kind()] = openers.len();
                break;
            };
            let opener = openers[found];
            let used = closer.used(&runs[opener]);
            runs[at].left -= used;
            runs[opener].left -= used;
            openers.truncate(found + usize::from(runs[opener].left > 0));
            for searched in &mut searched {
                *searched = openers.len().min(*searched);
            }
        }
        if runs[at].can_open && runs[at].left > 0 {
            openers.push(at);
        }
    }
}
