//! Edits and moves as diffs, records and messages.

use std::path::{Path, PathBuf};

use rehref::bytes::LineIndex;
use rehref::document::Document;
use rehref::format::{FoundLinks, Options};
use rehref::link::LinkData;
use rehref::records::{EditRecord, write_json};
use rehref::rewrite::MirrorPage;
use rehref::rewrite::{DiffNames, Edits, Mismatch, Plan, appended_diff, quoted_name, verify};

use crate::render::messages::Messages;

/// What the two sides of a diff are called.
#[derive(Clone, Copy)]
pub(crate) struct Names<'n> {
    pub(crate) old: &'n Path,
    pub(crate) new: &'n Path,
}

impl<'n> Names<'n> {
    /// Both sides have the same name.
    pub(crate) fn same(name: &'n Path) -> Self {
        Self {
            old: name,
            new: name,
        }
    }
}

/// The edits of a document as records, each with this byte at its end.
pub(crate) fn records(
    document: &Document,
    findings: &FoundLinks<'_>,
    plan: &Plan,
    options: &Options,
    end: u8,
    out: &mut Vec<u8>,
) {
    let mut resolving = findings.resolving(document, options.resolver).unchecked();
    let mut lines = document.lines();
    for edit in &plan.edits {
        let place = lines.position(edit.span.start);
        let link = &findings.links[edit.link];
        let old_uri = resolving.target(link).uri;
        write_json(&EditRecord::new(document, link, &edit, old_uri, place), out);
        out.push(end);
    }
}

/// Reports the URL of a page of a mirror, where the name of its file says another directory.
pub(crate) fn evidence(name: &Path, page: &MirrorPage, messages: &mut Messages) {
    let Some(it) = &page.evidence else {
        return;
    };
    messages.note(format!(
        "{}: resolved links against {} ({} of {} relative links have a file; against {}: {})",
        name.display(),
        page.url,
        it.found,
        it.links,
        it.named_url,
        it.named_found,
    ));
}

/// That the edits of a document are not what was meant.
fn not_verified(document: &Document, mismatch: &Mismatch) -> String {
    let place = mismatch.at.map_or(String::new(), |at| {
        let at = document.lines().position(at);
        format!("{}:{}:", at.line, at.column)
    });
    let name = document.name.display();
    format!("{name}:{place} not verified: {mismatch}: left as it is")
}

/// Whether the edits of a document are what was meant; if not, that is said, and they are taken out of the plan.
pub(crate) fn is_verified(
    document: &Document,
    findings: &FoundLinks<'_>,
    plan: &mut Plan,
    options: &Options,
    messages: &mut Messages,
) -> bool {
    let edited = plan.apply(document);
    let Err(mismatch) = verify(document, findings, &plan.edits, edited, options) else {
        return true;
    };
    messages.failure(not_verified(document, &mismatch));
    *plan = Plan::default();
    false
}

/// Says of each link that is kept why it is.
pub(crate) fn explain(
    document: &Document,
    links: &[LinkData<'_>],
    plan: &Plan,
    messages: &mut Messages,
) {
    let mut lines = document.lines();
    for &(number, why) in &plan.kept {
        let link = &links[number];
        let (place, why) = (place_of(document, link, &mut lines), why.as_str());
        messages.note(format!("{place}: kept {:?}: {why}", link.reference));
    }
}

/// That a link of a document leads to something, and will not any more, or to something else.
pub(crate) fn breaks(
    document: &Document,
    link: &LinkData<'_>,
    lines: &mut LineIndex<'_>,
    messages: &mut Messages,
) {
    let place = place_of(document, link, lines);
    let reference = &link.reference;
    messages.note(format!(
        "{place}: {reference:?} would not lead where it leads now"
    ));
}

fn place_of(document: &Document, link: &LinkData<'_>, lines: &mut LineIndex<'_>) -> String {
    let place = lines.position(link.extent().start);
    let name = document.name.display();
    format!("{name}:{}:{}", place.line, place.column)
}

/// The edits of a document as a unified diff.
pub(crate) fn diff(document: &Document, plan: &Plan, names: Names<'_>, out: &mut Vec<u8>) {
    if document.charset.is_utf16() {
        // A line feed there is not one byte, so a diff of bytes would be none that can be read.
        if !plan.is_empty() {
            let name = |name: &Path| quoted_name(name.as_os_str().as_encoded_bytes()).into_owned();
            let (old, new) = (name(names.old), name(names.new));
            let text = [
                b"Binary files ",
                &*old,
                b" and ",
                &new,
                b" (rewritten) differ\n",
            ];
            out.extend_from_slice(&text.concat());
        }
        return;
    }
    appended(&document.bytes, &plan.edits, b"", names, out);
}

/// The head of a diff that says that a file moves, as `git apply` reads it; whether nothing in it changes besides.
pub(crate) fn moved(names: Names<'_>, is_all: bool, out: &mut Vec<u8>) {
    changed(names, out);
    if is_all {
        out.extend_from_slice(b"similarity index 100%\n");
    }
    for (mark, name) in [("rename from ", names.old), ("rename to ", names.new)] {
        out.extend_from_slice(mark.as_bytes());
        out.extend_from_slice(&quoted_name(&diff_name(b"", name)));
        out.push(b'\n');
    }
}

/// The head of a diff of a file. In a diff with moves each file needs one: without it `git apply` takes the lines
/// that follow for a part of the move before.
pub(crate) fn changed(names: Names<'_>, out: &mut Vec<u8>) {
    let (old, new) = (diff_name(b"a/", names.old), diff_name(b"b/", names.new));
    let (old, new) = (quoted_name(&old), quoted_name(&new));
    out.extend_from_slice(&[b"diff --git ", &*old, b" ", &*new, b"\n"].concat());
}

/// A file that is new, as a diff.
pub(crate) fn created(name: &Path, content: &[u8], out: &mut Vec<u8>) {
    changed(Names::same(name), out);
    out.extend_from_slice(b"new file mode 100644\n");
    let names = DiffNames {
        old: b"/dev/null",
        new: &diff_name(b"b/", name),
    };
    appended_diff(b"", &Edits::default(), content, names, out);
}

/// The edits of a file, and what comes to its end, as a unified diff.
pub(crate) fn appended(
    old: &[u8],
    edits: &Edits,
    added: &[u8],
    names: Names<'_>,
    out: &mut Vec<u8>,
) {
    let (before, after) = (diff_name(b"a/", names.old), diff_name(b"b/", names.new));
    let names = DiffNames {
        old: &before,
        new: &after,
    };
    appended_diff(old, edits, added, names, out);
}

/// The name as `patch -p1` and `git apply` take it; an absolute path stays one.
fn diff_name(side: &[u8], name: &Path) -> Vec<u8> {
    let bytes = name.as_os_str().as_encoded_bytes();
    if name.is_absolute() {
        return bytes.to_vec();
    }
    [side, bytes.strip_prefix(b"./").unwrap_or(bytes)].concat()
}

/// A path below a folder, as a user would name it.
pub(crate) fn joined(folder: &Path, below: &Path) -> PathBuf {
    match folder == Path::new(".") {
        true => below.to_owned(),
        false => folder.join(below),
    }
}
