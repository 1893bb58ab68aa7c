//! The detection of the start of a record.

use std::path::Path;

use memchr::memmem::find_iter;
use memchr::{memchr, memchr_iter};

use super::first_line::{ArcLine, version_len};
use crate::source::Compression;

/// The maximum length of a line that is examined, in bytes.
const MAX_LINE: usize = 4 << 10;

/// The maximum number of blank lines before a record in its member, in bytes.
const MAX_BLANK: usize = 64;

/// The number of bytes that are needed to decide about the start of a record.
pub(super) const LOOKAHEAD: usize = MAX_BLANK + 16 + MAX_LINE;

/// Returns true if a record begins here, perhaps after blank lines.
pub(super) fn begins_record(bytes: &[u8]) -> bool {
    let blank = blank_len(&bytes[..bytes.len().min(MAX_BLANK)]);
    let bytes = &bytes[blank..];
    version_len(bytes).is_some() || begins_arc_record(bytes)
}

/// Returns true if a record of an ARC file begins here.
pub(super) fn begins_arc_record(bytes: &[u8]) -> bool {
    first_line(bytes).is_some_and(|line| ArcLine::parse(line).is_some())
}

/// The number of line ends at the beginning.
pub(super) fn blank_len(bytes: &[u8]) -> usize {
    let is_text = |byte: &u8| !matches!(byte, b'\r' | b'\n');
    bytes.iter().position(is_text).unwrap_or(bytes.len())
}

/// The first line. `None` if its end is missing.
fn first_line(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = &bytes[..bytes.len().min(MAX_LINE)];
    memchr(b'\n', bytes).map(|end| bytes[..end].trim_ascii_end())
}

/// The result of a search for a record.
pub(super) enum Found {
    /// The record begins at this index.
    At(usize),
    /// None begins before this index; more bytes decide about the rest.
    NotBefore(usize),
}

/// Finds the first WARC record: a version at the beginning of a line, with a field in the next
/// line. The bytes begin with a line. If they are `complete`, no more follow.
pub(super) fn find_record(bytes: &[u8], complete: bool) -> Found {
    for at in find_iter(bytes, b"WARC/") {
        // The end of the line before may be damaged.
        let is_line = at == 0 || !matches!(bytes[at - 1], b' '..=b'~' | b'\t');
        if !is_line {
            continue;
        }
        let rest = &bytes[at..];
        if !complete && rest.len() < LOOKAHEAD {
            return Found::NotBefore(at);
        }
        let is_record = version_len(rest).is_some_and(|len| {
            let rest = &rest[len..];
            memchr(b'\n', &rest[..rest.len().min(16)]).is_some_and(|end| is_field(&rest[end + 1..]))
        });
        if is_record {
            return Found::At(at);
        }
    }
    let undecided = if complete { 0 } else { b"WARC/".len() - 1 };
    Found::NotBefore(bytes.len() - undecided.min(bytes.len()))
}

/// Returns true if the first line is a field.
fn is_field(bytes: &[u8]) -> bool {
    let line = &bytes[..bytes.len().min(MAX_LINE)];
    let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
    let Some(colon) = memchr(b':', line) else {
        return false;
    };
    let name = line[..colon].trim_ascii_end();
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Finds the first record of an ARC file, with the results of [`find_record`].
pub(super) fn find_arc_record(bytes: &[u8], complete: bool) -> Found {
    let starts = memchr_iter(b'\n', bytes).map(|end| end + 1);
    let mut last = 0;
    for at in std::iter::once(0).chain(starts) {
        if begins_arc_record(&bytes[at..]) {
            return Found::At(at);
        }
        last = at;
    }
    let is_decided = complete || bytes.len() - last >= MAX_LINE;
    Found::NotBefore(if is_decided { bytes.len() } else { last })
}

/// Finds the first record of either form, with the results of [`find_record`].
pub(super) fn find_any_record(bytes: &[u8], complete: bool) -> Found {
    use Found::{At, NotBefore};
    match (find_record(bytes, complete), find_arc_record(bytes, complete)) {
        (At(warc), At(arc)) => At(warc.min(arc)),
        (At(found), NotBefore(other)) | (NotBefore(other), At(found)) if found <= other => {
            At(found)
        }
        (At(at) | NotBefore(at), At(other) | NotBefore(other)) => NotBefore(at.min(other)),
    }
}

/// Returns true if a name has the extension of an ARC file, compressed or not.
pub(super) fn is_arc_name(name: &Path) -> bool {
    let extension = Compression::stripped(name).extension();
    extension.is_some_and(|it| it.eq_ignore_ascii_case("arc"))
}
