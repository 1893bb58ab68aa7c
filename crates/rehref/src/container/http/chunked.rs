//! The chunked transfer coding (RFC 9112, section 7.1).

use std::ops::Range;

use memchr::memchr;

use super::end::End;

/// A body without its chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unchunked {
    /// The body is one whole chunk.
    Single(Range<usize>),
    /// The body was joined.
    Joined(End),
}

/// The maximum length of the line with a chunk's size and its extensions, in bytes.
pub(super) const MAX_LINE: usize = 16 << 10;

/// A line with the size of a chunk.
struct Size {
    /// The number of bytes in the chunk. [`usize::MAX`] if it has more.
    size: usize,
    /// The length of the line with its line break.
    len: usize,
}

impl Size {
    /// Reads a line: digits in any case, extensions, and LF or CR LF.
    fn read(bytes: &[u8]) -> Option<Self> {
        let digits = bytes.iter().map_while(|&it| char::from(it).to_digit(16));
        let mut count = 0;
        let size = digits.fold(0_usize, |size, digit| {
            count += 1;
            let more = size.checked_mul(16);
            more.map_or(usize::MAX, |more| more.saturating_add(digit as usize))
        });
        let rest = &bytes[count..];
        let len = memchr(b'\n', &rest[..rest.len().min(MAX_LINE)])?;
        let after = rest[..len].trim_ascii();
        let is_size = count > 0 && (after.is_empty() || after.starts_with(b";"));
        is_size.then_some(Self { size, len: count + len + 1 })
    }
}

/// Returns true if bytes, which may be only the first ones, begin with a chunk.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let Some(line) = Size::read(bytes) else {
        return false;
    };
    let after = bytes[line.len..].get(line.size..).unwrap_or_default();
    line.size == 0 || after.is_empty() || line_break_len(after) > 0
}

/// The size of the chunk that begins here, and the length of its line.
pub(super) fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    Size::read(bytes).map(|line| (line.size, line.len))
}

/// Appends the body to `output`, unless it is one whole chunk. `None` if the bytes do not begin
/// with a chunk.
///
/// A chunk that is longer than the rest is cut. Cost: linear.
pub(super) fn undo(bytes: &[u8], output: &mut Vec<u8>) -> Option<Unchunked> {
    let mut line = Size::read(bytes)?;
    let mut at = 0;
    loop {
        let start = at + line.len;
        let rest = &bytes[start..];
        if line.size == 0 {
            return Some(Unchunked::Joined(End::Complete));
        }
        let is_first = at == 0;
        let Some((chunk, after)) = rest.split_at_checked(line.size) else {
            output.extend_from_slice(rest);
            return Some(Unchunked::Joined(End::Cut));
        };
        let line_break = line_break_len(after);
        if is_first && line_break == 0 && !after.is_empty() {
            return None;
        }
        let next = Size::read(&after[line_break..]);
        if is_first && next.as_ref().is_some_and(|next| next.size == 0) {
            return Some(Unchunked::Single(start..start + line.size));
        }
        output.extend_from_slice(chunk);
        at = start + line.size + line_break;
        line = match next {
            Some(next) => next,
            None if is_incomplete(&bytes[at..]) => return Some(Unchunked::Joined(End::Cut)),
            None => return Some(Unchunked::Joined(End::Damaged)),
        };
    }
}

/// The length of a line break: LF with any number of CR before it. 0 without one.
pub(super) fn line_break_len(bytes: &[u8]) -> usize {
    let count = bytes.iter().take_while(|it| **it == b'\r').count();
    match bytes.get(count) {
        Some(b'\n') => count + 1,
        _ => 0,
    }
}

/// Returns true if these bytes may be the beginning of a line with a size.
pub(super) fn is_incomplete(bytes: &[u8]) -> bool {
    let is_part = |it: &u8| it.is_ascii_hexdigit() || it.is_ascii_whitespace();
    bytes.iter().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The body and its end. `None` if it is not chunked.
    fn body(bytes: &str) -> Option<(String, End)> {
        let mut output = Vec::new();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Some(match undo(bytes.as_bytes(), &mut output)? {
            Unchunked::Single(range) => (bytes[range].to_owned(), End::Complete),
            Unchunked::Joined(end) => (text(&output), end),
        })
    }

    #[test]
    fn chunks_are_joined() {
        let complete = |bytes: &str| {
            let (body, end) = body(bytes).unwrap();
            assert_eq!(end, End::Complete, "{bytes:?}");
            body
        };
        assert_eq!(complete("0\r\n\r\n"), "");
        assert_eq!(complete("3\r\nabc\r\n0\r\n\r\n"), "abc");
        assert_eq!(complete("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), "abcde");
        assert_eq!(complete("3\nabc\n2\nde\n0\n\n"), "abcde");
        assert_eq!(
            complete("A ; a=\"1;2\"\r\n0123456789\r\n00b;x\r\n0123456789a\r\n0000\r\n"),
            "01234567890123456789a"
        );
        assert_eq!(complete("3  \r\nabc\r\n0\r\nTrailer: x\r\n\r\nmore"), "abc");
        assert_eq!(complete("3\r\nabc\r\n2\r\n\r\n\r\n0\r\n\r\n"), "abc\r\n");
    }

    #[test]
    fn one_chunk_is_borrowed() {
        let found = undo(b"3\r\nabc\r\n0\r\n\r\n", &mut Vec::new());
        assert_eq!(found, Some(Unchunked::Single(3..6)));
    }

    #[test]
    fn incomplete_chunks_are_cut() {
        for (bytes, expected) in [
            ("5\r\nabc", "abc"),
            ("3\r\nabc", "abc"),
            ("3\r\nabc\r\n", "abc"),
            ("3\r\nabc\r\n5", "abc"),
            ("3\r\nabc\r\n5\r\nde", "abcde"),
            ("FFFFFFFFFFFFFFFF\r\nabc", "abc"),
            ("FFFFFFFFFFFFFFFFFFFFFFFF\r\nabc", "abc"),
        ] {
            assert_eq!(body(bytes), Some((expected.to_owned(), End::Cut)), "{bytes:?}");
        }
        let damaged = Some(("abc".to_owned(), End::Damaged));
        assert_eq!(body("3\r\nabc\r\n-1\r\nde"), damaged);
    }

    #[test]
    fn other_bodies_are_not_chunked() {
        for bytes in [
            "", "\r\n", "<html>\r\n", "-1\r\nabc", "abc", "abc def\r\n", "3 abc\r\n",
            "3\r\nabcd\r\n0\r\n\r\n", "x\r\n",
        ] {
            assert_eq!(body(bytes), None, "{bytes:?}");
        }
    }
}
