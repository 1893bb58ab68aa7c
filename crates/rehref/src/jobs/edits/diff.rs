//! Edits and moves as unified diffs, as `patch -p1` and `git apply` read them.

use std::path::Path;

use super::diff_root::DiffRoot;
use super::event::{EditEvent, MovedKind};
use crate::bytes::{LineIndex, Position};
use crate::error::Diagnostic;
use crate::rewrite::{DiffNames, Edits, Plan, inserted_diff, quoted_name};

/// The names of a document on both sides of a diff.
#[derive(Clone, Copy, Debug)]
struct DocumentNames<'n> {
    old: &'n Path,
    new: &'n Path,
}

impl<'n> DocumentNames<'n> {
    /// The names of a document that has the same name on both sides.
    const fn same(name: &'n Path) -> Self {
        Self { old: name, new: name }
    }
}

/// Appends the edits of a document as a diff, with names relative to `root`. The bytes of other
/// character encodings are unchanged, so `patch -p1` and `git apply` can apply it. UTF-16 has a
/// line like that of `diff` for binary files. The edits of a part of a package are shown with the
/// text around them, and nothing else can apply them.
pub fn document_diff(plan: &Plan<'_>, root: &DiffRoot, out: &mut Vec<u8>) {
    let document = plan.document();
    let name = root.name(document.path());
    let names = DocumentNames::same(&name);
    if !document.charset().is_utf16() && document.package_part().is_some() {
        return append_part_diff(document.bytes(), plan.edits(), names, out);
    }
    if !document.charset().is_utf16() {
        return append_diff(document.bytes(), plan.edits(), (0, b""), names, out);
    }
    // A line feed of UTF-16 is not one byte, so a diff of bytes would be unreadable.
    if !plan.is_empty() {
        let name = quoted_name(name.as_os_str().as_encoded_bytes());
        let text = [b"Binary files ", &*name, b" and ", &name, b" (rewritten) differ\n"];
        out.extend_from_slice(&text.concat());
    }
}

/// Appends what an event of a [`Relocate`](crate::jobs::Relocate) run adds to the diff of the run:
/// moves, edits and new files, with names relative to `root`. Returns a message if a diff cannot
/// show it.
pub fn append_move_diff<'e>(
    event: &EditEvent<'e>,
    root: &DiffRoot,
    out: &mut Vec<u8>,
) -> Option<Diagnostic<'e>> {
    match *event {
        EditEvent::Moved { old, new, kind: MovedKind::File { is_unchanged } } => {
            let (old, new) = (&root.name(old), &root.name(new));
            append_moved(DocumentNames { old, new }, is_unchanged, out);
        }
        EditEvent::Moved { old, new, kind } => {
            let what = match kind {
                MovedKind::Directory => "an empty directory",
                MovedKind::Special => "a special file",
                MovedKind::File { .. } | MovedKind::Before => return None,
            };
            let text = format!("moves to {}; the diff cannot show {what}", new.display());
            return Some(Diagnostic::new(old, None, text));
        }
        EditEvent::Changed { old, edits, is_utf16: true, .. } => {
            let text = match edits.len() {
                1 => "1 edit of UTF-16 text that the diff cannot show".to_owned(),
                edits => format!("{edits} edits of UTF-16 text that the diff cannot show"),
            };
            return Some(Diagnostic::new(old, None, text));
        }
        EditEvent::Changed { old, new, content, edits, is_part: true, .. } => {
            let (old, new) = (&root.name(old), &root.name(new));
            append_part_diff(content, edits, DocumentNames { old, new }, out);
        }
        EditEvent::Changed { old, new, content, edits, added, moves, .. } => {
            let (old, new) = (&root.name(old), &root.name(new));
            let names = DocumentNames { old, new };
            if !moves {
                append_head(names, out);
            }
            append_diff(content, edits, added, names, out);
        }
        EditEvent::NewFile(name, content) => {
            append_new_file(&root.name(name), content, out);
        }
        _ => {}
    }
    None
}

/// Appends the head of a diff of a moved file. `is_unchanged` if its content stays.
fn append_moved(names: DocumentNames<'_>, is_unchanged: bool, out: &mut Vec<u8>) {
    append_head(names, out);
    if is_unchanged {
        out.extend_from_slice(b"similarity index 100%\n");
    }
    for (mark, name) in [("rename from ", names.old), ("rename to ", names.new)] {
        out.extend_from_slice(mark.as_bytes());
        out.extend_from_slice(&quoted_name(&diff_name(b"", name)));
        out.push(b'\n');
    }
}

/// Appends the head of a diff of a file. In a diff with moves each file needs one: otherwise `git
/// apply` reads its lines as a part of the move before.
fn append_head(names: DocumentNames<'_>, out: &mut Vec<u8>) {
    let (old, new) = (diff_name(b"a/", names.old), diff_name(b"b/", names.new));
    let (old, new) = (quoted_name(&old), quoted_name(&new));
    out.extend_from_slice(&[b"diff --git ", &*old, b" ", &*new, b"\n"].concat());
}

/// Appends a new file as a diff.
fn append_new_file(name: &Path, content: &[u8], out: &mut Vec<u8>) {
    append_head(DocumentNames::same(name), out);
    out.extend_from_slice(b"new file mode 100644\n");
    let names = DiffNames { old: b"/dev/null", new: &diff_name(b"b/", name) };
    inserted_diff(b"", &Edits::default(), (0, content), names, out);
}

/// Appends the edits of a file, and bytes that are inserted at an offset, as a diff.
fn append_diff(
    old: &[u8],
    edits: &Edits,
    added: (usize, &[u8]),
    names: DocumentNames<'_>,
    out: &mut Vec<u8>,
) {
    let (before, after) = (diff_name(b"a/", names.old), diff_name(b"b/", names.new));
    let names = DiffNames { old: &before, new: &after };
    inserted_diff(old, edits, added, names, out);
}

/// The most bytes of a line before and after an edit that the diff of a part shows.
const WINDOW: usize = 40;

/// Appends the edits of a part of a package, each with the text around it: a part is often one long
/// line. Only this program can apply them.
fn append_part_diff(old: &[u8], edits: &Edits, names: DocumentNames<'_>, out: &mut Vec<u8>) {
    if edits.is_empty() {
        return;
    }
    for (mark, side, name) in [("--- ", b"a/", names.old), ("+++ ", b"b/", names.new)] {
        out.extend_from_slice(mark.as_bytes());
        out.extend_from_slice(&quoted_name(&diff_name(side, name)));
        out.extend_from_slice(b" (part of a package)\n");
    }
    let mut lines = LineIndex::new(old);
    for edit in edits.iter() {
        let span = edit.span.range();
        let Position { line, .. } = lines.position(span.start);
        let before = &old[span.start.saturating_sub(WINDOW)..span.start];
        let after = &old[span.end..old.len().min(span.end + WINDOW)];
        let begin = before.iter().rposition(|&byte| byte == b'\n').map(|at| &before[at + 1..]);
        let end = after.iter().position(|&byte| byte == b'\n').map(|at| &after[..at]);
        let dots = |is_cut: bool| if is_cut { "…" } else { "" };
        let (first, last) = (
            dots(begin.is_none() && span.start > WINDOW),
            dots(end.is_none() && span.end + WINDOW < old.len()),
        );
        // A character may be cut.
        let before = String::from_utf8_lossy(begin.unwrap_or(before));
        let before = before.trim_start_matches('\u{FFFD}');
        let after = String::from_utf8_lossy(end.unwrap_or(after));
        let after = after.trim_end_matches('\u{FFFD}');
        out.extend_from_slice(format!("@@ -{line} +{line} @@\n").as_bytes());
        for (mark, middle) in [("-", &old[span.clone()]), ("+", edit.new)] {
            let middle = String::from_utf8_lossy(middle).replace('\n', " ");
            out.extend_from_slice(
                format!("{mark}{first}{before}{middle}{after}{last}\n").as_bytes(),
            );
        }
    }
}

/// The name of a file as `patch -p1` and `git apply` read it. An absolute path is unchanged.
fn diff_name(side: &[u8], name: &Path) -> Vec<u8> {
    let bytes = name.as_os_str().as_encoded_bytes();
    if name.is_absolute() {
        return bytes.to_vec();
    }
    [side, bytes.strip_prefix(b"./").unwrap_or(bytes)].concat()
}
