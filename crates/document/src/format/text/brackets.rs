//! Brackets in a URL: their partners, and the parts of a URL that a pair must not cross.

use super::chars::{Class, class_of};
use crate::format::options::Iri;

/// The number of bytes after an opening bracket in which its partner is searched.
pub(super) const BRACKET_LOOK_AHEAD: usize = 256;

/// The maximum length of a text between two brackets that is checked without reading the parts
/// before it, in bytes.
const SHORT: usize = 64;

/// The length from the bracket of this kind at `at` to its partner, both included, if the partner
/// is within the URL and near.
pub(super) fn closes(text: &str, at: usize, kind: u8) -> Option<usize> {
    let mut depth = 0;
    for (offset, c) in text[at..].char_indices() {
        if offset > BRACKET_LOOK_AHEAD {
            return None;
        }
        match class_of(c, Iri::Auto) {
            Class::Stop => return None,
            Class::Open(other) if other == kind => depth += 1,
            Class::Close(other) if other == kind => {
                depth -= 1;
                if depth == 0 {
                    return Some(offset + c.len_utf8());
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts of a URL that a pair of brackets must not cross: path segments, names and values of
/// the query, and so on (UTS #58, ParsedLink Detection Algorithm). Read only in URLs with brackets.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    part: Part,
    /// The start of the current part.
    part_start: usize,
    /// The end of the bytes read so far.
    read: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Path,
    Query,
    Fragment,
    Directive,
}

impl Parts {
    /// The parts of a URL whose path begins at `from`.
    pub(super) fn new(from: usize) -> Self {
        Self { part: Part::Path, part_start: from, read: from }
    }

    /// Continues at `from` after `stop`: the bytes between are not part of the URL.
    pub(super) fn skip(&mut self, bytes: &[u8], stop: usize, from: usize) {
        self.read_to(bytes, stop);
        self.read = from;
    }

    /// Returns true if the text between the brackets at `from` and `to` is within one part.
    pub(super) fn is_one(&mut self, bytes: &[u8], from: usize, to: usize) -> bool {
        // Most bracketed text is short and contains no separator.
        let may_part = |byte: &u8| b"/?#&=:,".contains(byte);
        if from >= self.read && to - from <= SHORT && !bytes[from..to].iter().any(may_part) {
            return true;
        }
        self.read_to(bytes, to);
        self.part_start <= from
    }

    fn read_to(&mut self, bytes: &[u8], to: usize) {
        for at in self.read..to {
            let begins = match (self.part, bytes[at]) {
                (Part::Path, b'?') => Some(Part::Query),
                (Part::Path | Part::Query, b'#') => Some(Part::Fragment),
                (Part::Fragment, b':') if bytes[at..].starts_with(b":~:") => Some(Part::Directive),
                (Part::Path, b'/')
                | (Part::Query, b'&' | b'=')
                | (Part::Directive, b'&' | b',') => Some(self.part),
                _ => None,
            };
            if let Some(part) = begins {
                (self.part, self.part_start) = (part, at);
            }
        }
        self.read = to;
    }
}
