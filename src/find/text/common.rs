//! The common case: `http://host/path` after a word, or in brackets, with nothing about it that needs a
//! second look. That takes less time than the way through all rules (`cargo bench --bench text`), which
//! would say the same: a property test holds both against each other.

use super::Cue;
use super::chars::{Class, class, plain_len};

/// A URL of the common kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Common {
    pub(super) start: usize,
    /// Where its characters stop, and it ends.
    pub(super) stop: usize,
    pub(super) cue: Cue,
}

impl Common {
    /// The URL whose colon is at `colon`, if it is of this kind and begins after `floor`.
    #[inline]
    pub(super) fn at(bytes: &[u8], floor: usize, colon: usize) -> Option<Self> {
        if !bytes[colon..].starts_with(b"://") {
            return None;
        }
        let before = &bytes[floor..colon];
        let start = match before {
            [.., b'h', b't', b't', b'p'] => before.len() - 4,
            [.., b'h', b't', b't', b'p', b's'] => before.len() - 5,
            _ => return None,
        };
        let cue = match &before[..start] {
            [.., b'<'] => Cue::Angle,
            [.., b'"'] => Cue::Quote,
            // No bracket, no prefix, and no mark of a line.
            [.., byte, b' '] if byte.is_ascii_alphanumeric() || b",.=)".contains(byte) => Cue::Bare,
            _ => return None,
        };
        let host = colon + 3;
        let path = host + host_len(&bytes[host..])?;
        let stop = path + plain_len(&bytes[path..]);
        let holds = match cue {
            Cue::Angle => bytes.get(stop) == Some(&b'>'),
            Cue::Quote => bytes.get(stop) == Some(&b'"') && bytes[stop - 1] != b'.',
            _ => {
                let last = bytes[stop - 1];
                let ends = matches!(bytes.get(stop), Some(b' ' | b'\n' | b'\r' | b'<' | b'"'));
                ends && (last.is_ascii_alphanumeric() || last == b'/')
            }
        };
        holds.then_some(Self {
            start: floor + start,
            stop,
            cue,
        })
    }

    /// Where to go on after it.
    pub(super) fn end(self) -> usize {
        self.stop + usize::from(self.cue != Cue::Bare)
    }
}

/// The length of the host that `bytes` begin with, if it is of letters, digits, hyphens and single dots, and
/// the authority ends there.
fn host_len(bytes: &[u8]) -> Option<usize> {
    let mut last = b'.';
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'.' if last == b'.' => return None,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' => last = byte,
            b'-' if at > 0 => last = byte,
            b'/' | b'?' | b'#' if at > 0 => return Some(at),
            _ if at > 0 && last != b'.' && class(byte) == Class::Stop => return Some(at),
            _ => return None,
        }
        if at > MOST {
            return None;
        }
    }
    None
}

/// The longest host of the common kind, in bytes.
const MOST: usize = 255;
