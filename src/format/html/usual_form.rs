//! The usual form of tags and comments, as the [fast path](super::fast_path) reads it.

use super::chars::{ends_attribute_name, is_space};
use super::names::Wanted;
use super::simd::Vector;
use crate::bytes::Span;

/// How many bytes are searched in advance, a power of two.
pub(super) const CHUNK: usize = 4096;

/// How many bytes after those are looked at: the name of a tag that begins there. Also, how many are searched at once.
pub(super) const BLOCK: usize = 64;

/// The greatest number of attributes of a tag in the usual form.
pub(super) const MOST_ATTRIBUTES: usize = 16;

/// The bytes that are looked at at once. Offsets are taken modulo [`CHUNK`], so no bounds are checked.
pub(super) type Window = [u8; CHUNK + BLOCK];

/// An attribute such as `name="value"`: offsets in the window.
#[derive(Clone, Copy, Default)]
pub(super) struct UsualAttribute {
    pub(super) name: u16,
    /// The offsets of the quotes; without a value, that of the end of the name twice.
    pub(super) open: u16,
    pub(super) close: u16,
}

/// The result of following the marks of a tag, after its name.
pub(super) enum Attributes {
    /// All attributes have the usual form.
    Usual {
        /// The end of the tag.
        end: usize,
        /// The number of the first mark after it.
        next: usize,
        /// The number of attributes.
        count: usize,
        may_link: bool,
        self_closing: bool,
    },
    /// The marks end in the tag.
    MarksEnd,
    /// Some part of the tag does not have the usual form.
    Unusual,
}

/// The offset of the `>` that ends the comment whose text begins at `from`, and the number of the place after it. `next` is
/// the number of the first place in the comment.
pub(super) fn comment_end(
    window: &Window,
    from: usize,
    places: &[u16],
    mut next: usize,
) -> Option<(usize, usize)> {
    loop {
        let at = usize::from(*places.get(next)?) % CHUNK;
        next += 1;
        if window[at] == b'>' && ends_comment(window, from, at) {
            return Some((at, next));
        }
    }
}

/// Returns true if the `>` at `at` ends the comment whose text begins at `from`: after `--` or `--!`, or immediately, as
/// in `<!-->` and `<!--->`.
#[inline]
pub(super) fn ends_comment(bytes: &[u8], from: usize, at: usize) -> bool {
    matches!(
        bytes[from..at],
        [] | [b'-'] | [.., b'-', b'-'] | [.., b'-', b'-', b'!']
    )
}

/// The text of the comment that begins at `from`, whose `>` is at `end`.
pub(super) fn comment_text(bytes: &[u8], from: usize, end: usize) -> Span {
    let dashes = match &bytes[from..end] {
        [.., b'-', b'-', b'!'] => 3,
        text => text.len().min(2),
    };
    // Immediate ends have no text.
    Span::new(from, end - dashes)
}

impl Attributes {
    /// The same, if the places that were followed begin at this number.
    #[inline]
    pub(super) fn counted_from(self, number: usize) -> Self {
        match self {
            Self::Usual {
                end,
                next,
                count,
                may_link,
                self_closing,
            } => Self::Usual {
                end,
                next: next + number,
                count,
                may_link,
                self_closing,
            },
            other => other,
        }
    }
}

/// Follows the places in a tag from the end of its name, and notes its attributes.
#[inline]
pub(super) fn follow_attributes(
    window: &Window,
    places: &[u16],
    name_end: usize,
    wanted: &Wanted,
    attributes: &mut [UsualAttribute; MOST_ATTRIBUTES],
) -> Attributes {
    let (mut end, mut next, mut may_link) = (name_end, 0, false);
    for count in 0..=MOST_ATTRIBUTES {
        let Some(&open) = places.get(next) else {
            return Attributes::MarksEnd;
        };
        next += 1;
        let at = usize::from(open) % CHUNK;
        if at < end {
            // It is part of the name.
            return Attributes::Unusual;
        }
        if window[at] == b'>' {
            let mut count = count;
            let self_closing = match &window[end..at] {
                b"" => false,
                b"/" | b" /" => true,
                // The last attribute may have no value.
                _ => {
                    let name = lone_name(window, end, at);
                    let (Some(name), Some(attribute)) = (name, attributes.get_mut(count)) else {
                        return Attributes::Unusual;
                    };
                    *attribute = UsualAttribute {
                        name: name as u16,
                        open,
                        close: open,
                    };
                    count += 1;
                    may_link |= wanted.may_have(window[name % CHUNK], at - name);
                    false
                }
            };
            return Attributes::Usual {
                end: at + 1,
                next,
                count,
                may_link,
                self_closing,
            };
        }
        let (Some(name), Some(attribute)) =
            (usual_name(window, end, at), attributes.get_mut(count))
        else {
            return Attributes::Unusual;
        };
        let close = loop {
            let Some(&close) = places.get(next) else {
                return Attributes::MarksEnd;
            };
            next += 1;
            if window[usize::from(close) % CHUNK] == b'"' {
                break close;
            }
        };
        *attribute = UsualAttribute {
            name: name as u16,
            open,
            close,
        };
        may_link |= wanted.may_have(window[name % CHUNK], at - 1 - name);
        end = usize::from(close) + 1;
    }
    Attributes::Unusual
}

/// The start of the name between `start` and the mark `end`, if that is white space, a name and a `=`, and the mark is a
/// `"`.
#[inline]
fn usual_name(window: &Window, start: usize, end: usize) -> Option<usize> {
    if window[end] != b'"' {
        return None;
    }
    let len = end - start;
    // Most names are short, and one space is before them.
    if (3..=Vector::LEN).contains(&len) {
        let ends = name_ends(window, start);
        // Only the first byte and the last one end a name.
        if ends & ((2 << (len - 1)) - 1) == 1 | 1 << (len - 1)
            && is_space(window[start % CHUNK])
            && window[(end - 1) % CHUNK] == b'='
        {
            return Some(start + 1);
        }
    }
    spaced_name(window, start, end)
}

/// The start of the name between `start` and `end`, if that is white space and a name.
#[inline]
fn lone_name(window: &Window, start: usize, end: usize) -> Option<usize> {
    let len = end - start;
    let is_usual = (2..=Vector::LEN).contains(&len)
        && name_ends(window, start) & ((2 << (len - 1)) - 1) == 1
        && is_space(window[start % CHUNK]);
    is_usual.then_some(start + 1)
}

/// A bit for each of the first bytes at `start` that may end an attribute name. A `>` is a mark, so it is not among them.
#[inline]
fn name_ends(window: &Window, start: usize) -> u32 {
    let start = start % CHUNK;
    let bytes = window[start..start + Vector::LEN].first_chunk();
    let vector = bytes
        .map(Vector::new)
        .unwrap_or(Vector::new(&[0; Vector::LEN]));
    let ends = vector.up_to(b' ').or(vector.equal(b'/'));
    ends.or(vector.equal(b'=')).bits()
}

/// Like [`usual_name`], after any white space and for names of any length.
#[cold]
fn spaced_name(window: &Window, start: usize, end: usize) -> Option<usize> {
    let [blank, rest @ .., b'='] = &window[start..end] else {
        return None;
    };
    let blanks = rest.iter().take_while(|&&byte| is_space(byte)).count();
    let name = &rest[blanks..];
    let is_usual =
        is_space(*blank) && !name.is_empty() && !name.iter().any(|&byte| ends_attribute_name(byte));
    is_usual.then_some(start + 1 + blanks)
}
