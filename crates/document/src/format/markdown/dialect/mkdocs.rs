//! Snippets of MkDocs: `--8<-- "f"`, and a block of paths between two `--8<--`.

use super::scan::{Found, quoted, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut is_block = false;
    for line in text.lines() {
        let mut add = |path: &str| {
            // A section or lines may follow.
            let end = path.find(':').filter(|_| !path.contains("://"));
            let path = &path[..end.unwrap_or(path.len())];
            found.push((span_of(text, path), Directive::Snippet));
        };
        match after_marker(line.trim_start()) {
            Some(rest) if rest.trim().is_empty() => is_block = !is_block,
            Some(rest) if rest.starts_with([' ', '\t']) => {
                if let Some(path) = quoted(rest.trim(), &['"', '\'']) {
                    add(path);
                }
            }
            _ if is_block && !line.trim_start().starts_with(';') => add(line.trim()),
            _ => {}
        }
    }
}

/// The rest of a line after a marker: dashes, `8<` and dashes.
fn after_marker(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('-');
    let after = rest.strip_prefix("8<")?;
    let end = after.trim_start_matches('-');
    (rest.len() < line.len() && end.len() < after.len()).then_some(end)
}
