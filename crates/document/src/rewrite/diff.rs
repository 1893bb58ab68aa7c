//! Unified diffs of edits. They are made from the edits, so unlike a general diff the cost is
//! linear.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

use super::Edits;

/// The number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// The names of the two sides of a diff, as bytes of the file system.
#[derive(Clone, Copy, Debug)]
pub struct DiffNames<'n> {
    /// After `---`.
    pub old: &'n [u8],
    /// After `+++`.
    pub new: &'n [u8],
}

/// Writes a unified diff of `edits` in `old`, for `patch` and `git apply`. Writes nothing without
/// edits. Lines end at LF, and their bytes are copied unchanged. Cost: linear in `old` and the
/// edits.
pub fn unified_diff(old: &[u8], edits: &Edits, names: DiffNames<'_>, out: &mut Vec<u8>) {
    write_diff(old, changes_of(edits, (0, b"")), names, out);
}

/// Writes a unified diff of `edits` in `old`, and of bytes inserted at an offset.
pub fn inserted_diff(
    old: &[u8],
    edits: &Edits,
    inserted: (usize, &[u8]),
    names: DiffNames<'_>,
    out: &mut Vec<u8>,
) {
    write_diff(old, changes_of(edits, inserted), names, out);
}

/// The old bytes and the new ones.
type Change<'c> = (Range<usize>, &'c [u8]);

/// The changes of `edits`, and the insertion of bytes at an offset outside of them, in order.
pub fn changes_of<'c>(
    edits: &'c Edits,
    (offset, bytes): (usize, &'c [u8]),
) -> impl Iterator<Item = Change<'c>> + Clone {
    let mut inserted = (!bytes.is_empty()).then_some((offset..offset, bytes));
    let mut edits = edits.iter().map(|edit| (edit.span.range(), edit.new)).peekable();
    std::iter::from_fn(move || {
        let is_before = edits.peek().is_none_or(|(range, _)| offset <= range.start);
        inserted.take_if(|_| is_before).or_else(|| edits.next())
    })
}

fn write_diff<'c>(
    old: &[u8],
    changes: impl Iterator<Item = Change<'c>>,
    names: DiffNames<'_>,
    out: &mut Vec<u8>,
) {
    let regions = regions(old, changes);
    if regions.is_empty() {
        return;
    }
    write_name(b"--- ", names.old, out);
    write_name(b"+++ ", names.new, out);
    // The number of lines that the new side is ahead of the old one.
    let mut ahead = 0;
    let touches = |a: &Region, b: &Region| b.lines.start - a.lines.end <= 2 * CONTEXT;
    for hunk in regions.chunk_by(touches) {
        write_hunk(old, hunk, &mut ahead, out);
    }
}

/// Whole lines that change, and the new ones.
struct Region {
    bytes: Range<usize>,
    /// Their numbers, counted from 0.
    lines: Range<usize>,
    new: Vec<u8>,
}

/// The lines that contain changes. Changes in one line or in adjacent lines share a region.
fn regions<'c>(old: &[u8], changes: impl Iterator<Item = Change<'c>>) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let (mut line, mut counted) = (0, 0);
    let mut changes = changes.peekable();
    while let Some(first) = changes.next() {
        let start = memrchr(b'\n', &old[..first.0.start]).map_or(0, |at| at + 1);
        line += count_lines(&old[counted..start]);
        counted = start;
        let mut new = Vec::new();
        let mut copied = start;
        let mut end = start;
        let mut next_line_end = start;
        let mut next = Some(first);
        while let Some((gone, comes)) = next {
            new.extend_from_slice(&old[copied..gone.start]);
            new.extend_from_slice(comes);
            copied = gone.end;
            // A long line may have many edits, so its end is searched only once.
            if copied >= end || gone.start >= end {
                end = line_end(old, copied);
                next_line_end = line_end(old, end);
            }
            // Added bytes continue a last line without a line break.
            let goes_on = |at: usize| at == end && !old[..end].ends_with(b"\n");
            next = changes.next_if(|(gone, _)| gone.start < next_line_end || goes_on(gone.start));
        }
        new.extend_from_slice(&old[copied..end]);
        let lines = line..line + count_lines(&old[start..end]);
        regions.push(Region { bytes: start..end, lines, new });
    }
    regions
}

fn write_hunk(old: &[u8], hunk: &[Region], ahead: &mut isize, out: &mut Vec<u8>) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let mut start = first.bytes.start;
    let mut before = 0;
    while before < CONTEXT && start > 0 {
        start = memrchr(b'\n', &old[..start - 1]).map_or(0, |at| at + 1);
        before += 1;
    }
    let mut end = last.bytes.end;
    let mut after = 0;
    while after < CONTEXT && end < old.len() {
        end = line_end(old, end);
        after += 1;
    }
    let old_first = first.lines.start - before;
    let old_count = last.lines.end + after - old_first;
    let grown: isize = hunk
        .iter()
        .map(|region| count_lines(&region.new) as isize - region.lines.len() as isize)
        .sum();
    let new_first = old_first.saturating_add_signed(*ahead);
    let new_count = old_count.saturating_add_signed(grown);
    *ahead += grown;
    let range = |first: usize, count: usize| match count {
        // An empty range is numbered by the line before it.
        0 => format!("{first},0"),
        1 => format!("{}", first + 1),
        _ => format!("{},{count}", first + 1),
    };
    let (removed, added) = (range(old_first, old_count), range(new_first, new_count));
    out.extend_from_slice(format!("@@ -{removed} +{added} @@\n").as_bytes());
    let mut at = start;
    for region in hunk {
        write_lines(b' ', &old[at..region.bytes.start], out);
        write_lines(b'-', &old[region.bytes.clone()], out);
        write_lines(b'+', &region.new, out);
        at = region.bytes.end;
    }
    write_lines(b' ', &old[at..end], out);
}

fn write_lines(mark: u8, text: &[u8], out: &mut Vec<u8>) {
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        out.push(mark);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// A tab ends a name that contains spaces, which `patch` would truncate.
fn write_name(mark: &[u8], name: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(mark);
    let quoted = quoted_name(name);
    out.extend_from_slice(&quoted);
    if matches!(quoted, Cow::Borrowed(_)) && name.contains(&b' ') {
        out.push(b'\t');
    }
    out.push(b'\n');
}

/// Returns a name for the head of a diff. An ambiguous one is quoted as in git.
pub fn quoted_name(name: &[u8]) -> Cow<'_, [u8]> {
    let is_plain = |byte: &u8| !byte.is_ascii_control() && !matches!(byte, b'"' | b'\\');
    if name.iter().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let mut out = vec![b'"'];
    for &byte in name {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            _ if byte.is_ascii_control() => {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
    Cow::Owned(out)
}

/// The offset after the line that contains the byte at `at`.
fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found + 1)
}

/// The number of lines. The last one may lack a line break.
fn count_lines(bytes: &[u8]) -> usize {
    let ended = memchr_iter(b'\n', bytes).count();
    ended + usize::from(!bytes.is_empty() && !bytes.ends_with(b"\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Span;
    use crate::format::written::Written;
    use crate::link::LinkId;

    fn edits(edits: &[(usize, usize, &str)]) -> Edits {
        let mut planned = Edits::default();
        for &(start, end, new) in edits {
            let span = Span::new(start, end);
            let written = Written::escaped(span, new.into(), new);
            planned.push(LinkId::of_span(span), "", &written, new, new.into(), |_| None);
        }
        planned
    }

    fn diff(old: &str, planned: &[(usize, usize, &str)]) -> String {
        let mut out = Vec::new();
        let names = DiffNames { old: b"a/x y", new: b"b/\"x" };
        unified_diff(old.as_bytes(), &edits(planned), names, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn two_edits_in_one_line_are_one_change() {
        assert_eq!(
            diff("0\n1\n2\n3\nab\n5\n6\n7\n8\n", &[(8, 9, "A"), (9, 10, "B")]),
            "--- a/x y\t\n+++ \"b/\\\"x\"\n@@ -2,7 +2,7 @@\n 1\n 2\n 3\n-ab\n+AB\n 5\n 6\n 7\n"
        );
    }

    #[test]
    fn distant_changes_have_separate_hunks_with_shifted_line_numbers() {
        let old = "a\nb\n1\n2\n3\n4\n5\n6\n7\nc";
        let found = diff(old, &[(0, 3, "x"), (18, 19, "y")]);
        let hunks = found.split_once("x\"\n").unwrap().1;
        assert_eq!(
            hunks,
            "@@ -1,5 +1,4 @@\n-a\n-b\n+x\n 1\n 2\n 3\n@@ -7,4 +6,4 @@\n 5\n 6\n 7\n-c\n\\ No newline at \
             end of file\n+y\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn adjacent_lines_change_together() {
        let found = diff("a\nb\nc\nd\n", &[(0, 1, "A"), (2, 3, "B"), (6, 7, "D")]);
        assert!(found.ends_with("@@ -1,4 +1,4 @@\n-a\n-b\n+A\n+B\n c\n-d\n+D\n"), "{found}");
    }

    #[test]
    fn no_edits_give_an_empty_diff() {
        assert_eq!(diff("a", &[]), "");
        assert!(diff("a", &[(0, 1, "b")]).ends_with(
            "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
        ));
    }
    #[test]
    fn appended_lines_are_in_the_diff() {
        let names = DiffNames { old: b"a/x", new: b"b/x" };
        let appended = |old: &str, added: &str| {
            let mut out = Vec::new();
            let none = Edits::default();
            inserted_diff(old.as_bytes(), &none, (old.len(), added.as_bytes()), names, &mut out);
            let out = String::from_utf8(out).unwrap();
            out.replacen("--- a/x\n+++ b/x\n", "", 1)
        };
        assert_eq!(appended("", "n\nm\n"), "@@ -0,0 +1,2 @@\n+n\n+m\n");
        assert_eq!(appended("1\n", "n\n"), "@@ -1 +1,2 @@\n 1\n+n\n");
        assert_eq!(appended("1\n2\n3\n4\n", "n\n"), "@@ -2,3 +2,4 @@\n 2\n 3\n 4\n+n\n");
        assert_eq!(
            appended("1\n2", "\nn\n"),
            "@@ -1,2 +1,3 @@\n 1\n-2\n\\ No newline at end of file\n+2\n+n\n"
        );
        assert_eq!(appended("1\n", ""), "");
    }

    #[test]
    fn edits_and_appended_lines_are_one_diff() {
        let names = DiffNames { old: b"a", new: b"b" };
        let appended = |old: &str, at: usize, added: &str| {
            let mut out = Vec::new();
            let edits = edits(&[(at, at + 1, "A")]);
            inserted_diff(old.as_bytes(), &edits, (old.len(), added.as_bytes()), names, &mut out);
            String::from_utf8(out).unwrap().replacen("--- a\n+++ b\n", "", 1)
        };
        let last = "@@ -1,2 +1,3 @@\n 1\n-2\n\\ No newline at end of file\n+A\n+n\n";
        assert_eq!(appended("1\n2", 2, "\nn\n"), last);
        assert_eq!(appended("1\n2\n", 2, "n\n"), "@@ -1,2 +1,3 @@\n 1\n-2\n+A\n+n\n");
        assert_eq!(
            appended("1\n2", 0, "\nn\n"),
            "@@ -1,2 +1,3 @@\n-1\n+A\n-2\n\\ No newline at end of file\n+2\n+n\n"
        );
        assert_eq!(appended("1\n2\n", 0, "n\n"), "@@ -1,2 +1,3 @@\n-1\n+A\n 2\n+n\n");
    }

    #[test]
    fn ambiguous_names_are_quoted() {
        assert_eq!(*quoted_name(b"a b\xE9"), *b"a b\xE9");
        assert_eq!(*quoted_name(b"a\"\n\x07"), *b"\"a\\\"\\n\\007\"");
    }
}
