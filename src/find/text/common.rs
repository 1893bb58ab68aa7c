//! The common cases: `http://host/path`, `https` or `ftp`, after a word, at the beginning of a line, or in
//! brackets or quotes, with nothing about it that needs a second look. That takes less time than the way
//! through all rules (`cargo bench -p rehref-benches --bench text`), which would say the same: a property test holds both
//! against each other.

use super::chars::{
    self, Class, class, class_of, inside_len, is_clause_mark, letter_width, plain_len,
};
use super::lead::is_bare_after;
use super::scheme::is_scheme_byte;
use super::{Cue, Iri, TextOptions};

/// How a URL of the common kind is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    /// Whether it may have characters beyond ASCII.
    is_wide: bool,
}

/// A URL of the common kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommonUrl {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) cue: Cue,
    /// Where the search goes on.
    pub(super) next: usize,
    /// Up to where it was read.
    pub(super) reach: usize,
}

/// The longest URL of the common kind, in bytes.
const LONGEST: usize = 1024;

/// The longest host of the common kind, in bytes.
const HOST: usize = 255;

impl Common {
    /// None where these options ask for another reading.
    pub(super) fn by(options: &TextOptions) -> Option<Self> {
        let TextOptions {
            iri,
            join,
            delsp,
            flowed,
            strict,
            ..
        } = options;
        let is_other = *strict || *delsp || *flowed || *join == Some(super::Join::Guess);
        (!is_other).then_some(Self {
            is_wide: *iri == Iri::Auto,
        })
    }

    /// The URL whose colon is at `colon`, if it is of the common kind and begins after `floor`.
    #[inline]
    pub(super) fn at(self, text: &str, floor: usize, colon: usize) -> Option<CommonUrl> {
        let bytes = text.as_bytes();
        if !bytes[colon..].starts_with(b"://") {
            return None;
        }
        let before = &bytes[floor..colon];
        let scheme = match before {
            [.., b'h', b't', b't', b'p'] => 4,
            [.., b'h', b't', b't', b'p', b's'] => 5,
            [.., b'f', b't', b'p'] => 3,
            _ => return None,
        };
        let start = colon - scheme;
        let (cue, close) = lead(&bytes[floor..start])?;
        let host = colon + 3;
        let mut stop = host + host_len(&bytes[host..], self.is_wide)?;
        let run = if close.is_empty() {
            plain_len
        } else {
            inside_len
        };
        // A longer one takes the long way, on which a rule ends it early.
        let limit = bytes.len().min(host + LONGEST);
        loop {
            stop += run(bytes.get(stop..limit)?);
            if stop == limit && limit < bytes.len() {
                return None;
            }
            match letter_width(&bytes[stop..]) {
                // Text that sets no blanks may go on there.
                _ if close.is_empty() && is_ideographic(bytes.get(stop)) => return None,
                width if width > 0 && self.is_wide => stop += width,
                _ => break,
            }
        }
        let last = bytes[stop - 1];
        let after = &bytes[stop..];
        if close.is_empty() && chars::rule(&bytes[host..stop]).is_some() {
            return None;
        }
        if !close.is_empty() {
            // These may have to be trimmed.
            let is_end =
                last.is_ascii_alphanumeric() || b"/=_~&#-+%$@".contains(&last) || last >= 0x80;
            let holds = after.starts_with(close) && is_end;
            let next = stop + close.len();
            return holds.then_some(CommonUrl {
                start,
                end: stop,
                cue,
                next,
                reach: next,
            });
        }
        let (end, reach) = self.end(text, host, stop)?;
        Some(CommonUrl {
            start,
            end,
            cue,
            next: end,
            reach,
        })
    }

    /// Where the URL ends whose plain characters stop at `stop`, and up to where that is read.
    #[inline]
    fn end(self, text: &str, host: usize, stop: usize) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let (end, reach) = match bytes[stop..] {
            [b',' | b';', b' ' | b'\n' | b'\r', ..] => (stop, stop + 1),
            [byte, ..] if matches!(class(byte), Class::Stop | Class::Close(_)) => {
                (stop - usize::from(bytes[stop - 1] == b'.'), stop)
            }
            [0x80..=0xFF, ..] if self.is_wide => {
                let mut after = text[stop..].chars();
                let c = after.next()?;
                let goes_on = after.next().is_some_and(|next| !next.is_ascii());
                let ends = match class_of(c, Iri::Auto) {
                    Class::Stop | Class::Close(_) => true,
                    _ => is_clause_mark(c) && goes_on,
                };
                if !ends {
                    return None;
                }
                (stop, stop)
            }
            _ => return None,
        };
        let last = bytes[end - 1];
        let is_plain = last.is_ascii_alphanumeric() || b"/=_~&#".contains(&last) || last >= 0x80;
        (is_plain && end > host).then_some((end, reach))
    }
}

/// What marks a URL off after `before`, and with what that closes.
#[inline]
fn lead(before: &[u8]) -> Option<(Cue, &'static [u8])> {
    Some(match before {
        [.., b'<'] | [.., b'<', b'U', b'R', b'L', b':'] => (Cue::Angle, b">"),
        [.., b'"'] => (Cue::Quote, b"\""),
        [.., b'&', b'l', b't', b';'] => return None,
        [.., byte] if byte.is_ascii() => {
            let is_bare = !is_scheme_byte(*byte) && is_bare_after(before);
            return is_bare.then_some((Cue::Bare, b""));
        }
        [.., 0xE2, 0x80, 0x9C] => (Cue::Quote, "”".as_bytes()),
        [.., 0xE3, 0x80, 0x8C] => (Cue::Quote, "」".as_bytes()),
        // After letters and marks of Chinese and Japanese.
        [.., 0xE4..=0xE9, _, _] | [.., 0xE3, 0x81..=0x83, _] | [.., 0xEF, 0xBC, _] => {
            (Cue::Bare, b"")
        }
        [.., 0xE3, 0x80, 0x81 | 0x82] => (Cue::Bare, b""),
        _ => return None,
    })
}

/// Whether a character begins with this byte that may be Han or Kana.
fn is_ideographic(byte: Option<&u8>) -> bool {
    matches!(byte, Some(0xE3..=0xE9))
}

/// The length of the host that `bytes` begin with, if it is of letters, digits, hyphens and single dots, and
/// the authority ends there.
#[inline]
fn host_len(bytes: &[u8], is_wide: bool) -> Option<usize> {
    let mut last = b'.';
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'.' if last == b'.' => return None,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' => at += 1,
            b'-' if at > 0 => at += 1,
            b'/' | b'?' | b'#' if at > 0 => return Some(at),
            // It may be text that a host was left out of.
            0x80.. if at == 0 => return None,
            byte if is_ideographic(Some(&byte)) => return None,
            0x80.. => match letter_width(&bytes[at..]) {
                width if width > 0 && is_wide => at += width,
                _ => return None,
            },
            _ if at > 0 && last != b'.' && class(byte) == Class::Stop => return Some(at),
            _ => return None,
        }
        if at > HOST {
            return None;
        }
        last = byte;
    }
    None
}
