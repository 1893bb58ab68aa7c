//! Files that VitePress includes: `<!--@include: f-->`, also in code, and the snippet `<<< f` as a
//! line. A path after `@` begins at the directory of the content. In `<script>`, imports of files.

use super::scan::{Found, quoted, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut fence: Option<&str> = None;
    let mut is_script = false;
    for line in text.lines() {
        for (at, opening) in line.match_indices("<!--") {
            let inner = line[at + opening.len()..].trim_start();
            let inner = &inner[..inner.find('<').unwrap_or(inner.len())];
            if let Some(path) = inner.strip_prefix("@include:")
                && let Some(end) = path.find("-->")
            {
                add(text, path[..end].trim(), found);
            }
        }
        let trimmed = line.trim_start();
        let info = trimmed.trim_start_matches(['`', '~']);
        let marks = &trimmed[..trimmed.len() - info.len()];
        fence = match fence {
            Some(open) => (!info.trim().is_empty() || !marks.starts_with(open)).then_some(open),
            None => (marks.len() >= 3).then_some(marks),
        };
        is_script |= fence.is_none() && trimmed.starts_with("<script");
        if let Some(path) = imported(trimmed).filter(|_| is_script) {
            found.push((span_of(text, path), Directive::Import));
        }
        is_script &= !line.contains("</script>");
        if let Some(path) = trimmed.strip_prefix("<<<").filter(|_| fence.is_none()) {
            let path = path.trim_start();
            let end = path.find([' ', '\t', '[']).unwrap_or(path.len());
            add(text, &path[..end], found);
        }
    }
}

/// The path of a file in a line of a static import, without the query after it.
fn imported(line: &str) -> Option<&str> {
    let is_import = ["import", "export", "}"].iter().any(|it| line.starts_with(it));
    let after = line.rsplit_once(" from ").map(|(_, after)| after);
    let path = after.or_else(|| line.strip_prefix("import ")).filter(|_| is_import)?;
    let path = quoted(path.trim_start(), &['\'', '"'])?;
    let path = &path[..path.find('?').unwrap_or(path.len())];
    (path.starts_with("./") || path.starts_with("../")).then_some(path)
}

/// Adds a path, without its region (`#name`) and lines (`{1,10}`).
fn add(text: &str, path: &str, found: &mut Vec<Found>) {
    let path = path.strip_prefix('@').unwrap_or(path);
    let end = path.find(['#', '{']).unwrap_or(path.len());
    found.push((span_of(text, &path[..end]), Directive::Include));
}
