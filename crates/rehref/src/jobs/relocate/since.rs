//! Links of a document that was moved before the run: which of them were updated since.

use std::collections::HashSet;
use std::path::Path;

use super::renames::OldContent;
use crate::bytes::percent;
use crate::document::Links;
use crate::fs::journal::Root;
use crate::fs::path_of_bytes;
use crate::link::{LinkId, ParsedLink};
use crate::rules::LinkOrigin;
use crate::site::Site;
use crate::uri::Parts;

/// Returns the path to which the links of a document belong that is at `path` in the tree `after`
/// the moves.
pub(super) fn origin_of_links(
    links: &Links<'_>,
    content: &OldContent,
    after: &Site,
    root: &Root,
    path: &[u8],
) -> LinkOrigin {
    let changed = match content {
        OldContent::Same => Some(HashSet::new()),
        OldContent::Bytes(old) => changed_since(links, old),
        OldContent::Unknown => None,
    };
    match changed {
        Some(links) => LinkOrigin::Changed(links),
        None => LinkOrigin::Unknown { above: with_target_above(links, after, root, path) },
    }
}

/// Returns the links that differ from those of the `old` content. `None` if anything else differs.
fn changed_since(links: &Links<'_>, old: &[u8]) -> Option<HashSet<LinkId>> {
    let new = links.document();
    let old = new.with_bytes(old.to_vec());
    let old_links = old.links_with(links.options());
    let (old_links, new_links) = (&old_links.found().links, &links.found().links);
    if old_links.len() != new_links.len() {
        return None;
    }
    let mut changed = HashSet::new();
    let (mut old_end, mut new_end) = (0, 0);
    for (old_link, new_link) in old_links.iter().zip(new_links) {
        let (old_spans, new_spans) = (spans(old_link), spans(new_link));
        if old_spans.len() != new_spans.len() {
            return None;
        }
        for (old_span, new_span) in old_spans.into_iter().zip(new_spans) {
            let old_gap = old.bytes().get(old_end..old_span.start)?;
            if old_gap != new.bytes().get(new_end..new_span.start)? {
                return None;
            }
            let (old_text, new_text) =
                (old.bytes().get(old_span.clone()), new.bytes().get(new_span.clone()));
            if old_text != new_text {
                changed.insert(new_link.id());
            }
            (old_end, new_end) = (old_span.end, new_span.end);
        }
    }
    (old.bytes().get(old_end..)? == new.bytes().get(new_end..)?).then_some(changed)
}

fn spans(link: &ParsedLink<'_>) -> Vec<std::ops::Range<usize>> {
    link.spans.iter().map(|span| span.range()).collect()
}

/// Returns the links that have a target above the root, from this path.
fn with_target_above(links: &Links<'_>, after: &Site, root: &Root, path: &[u8]) -> HashSet<LinkId> {
    let (file, base) = (root.directory().join(path_of_bytes(path)), after.uri_of(path));
    let directory = file.parent().unwrap_or(Path::new("/"));
    let links = links.found().links.iter();
    let above = links.filter(|link| {
        let target = Parts::split(&link.reference).path;
        let is_above = !target.starts_with('/') && after.is_above(&link.reference, Some(&base));
        is_above && directory.join(path_of_bytes(&percent::decode(target))).exists()
    });
    above.map(ParsedLink::id).collect()
}
