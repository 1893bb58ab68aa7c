//! The review of a plan: verification, skipped links, broken links.

use super::event::EditEvent;
use crate::document::{Document, Links};
use crate::format::html::scripted_links;
use crate::jobs::names::has_extension;
use crate::link::LinkId;
use crate::rewrite::{Plan, SkipReason};

/// The extensions of programs.
const PROGRAMS: [&str; 3] = ["js", "mjs", "cjs"];

/// Verifies a plan. If that fails, reports it and removes the edits.
pub(in crate::jobs) fn verify(plan: &mut Plan<'_>, event: &mut dyn FnMut(EditEvent<'_>)) -> bool {
    let Err(mismatch) = plan.verify() else {
        return true;
    };
    event(EditEvent::Unverified { document: plan.document(), mismatch: &mismatch });
    plan.clear();
    false
}

/// Reports the skipped links of a plan.
pub(in crate::jobs) fn report_skipped(
    plan: &Plan<'_>,
    is_reported: impl Fn(SkipReason) -> bool,
    event: &mut dyn FnMut(EditEvent<'_>),
) {
    for (link, reason) in plan.skipped().filter(|&(_, reason)| is_reported(reason)) {
        event(EditEvent::Skipped(&link, reason));
    }
}

/// Reports links that would break.
pub(in crate::jobs) fn report_breaks(
    links: &Links<'_>,
    breaks: &[LinkId],
    event: &mut dyn FnMut(EditEvent<'_>),
) {
    for link in breaks.iter().filter_map(|&id| links.get(id)) {
        event(EditEvent::Breaks(&link));
    }
}

/// Counts the links that scripts seem to build.
pub(in crate::jobs) fn count_scripted(links: &Links<'_>) -> usize {
    let document = links.document();
    match document.format() {
        _ if !links.options().scripted => 0,
        _ if is_script(document) => scripted_links(document.bytes()),
        _ => links.found().scripted,
    }
}

/// Returns true for a script in a file of its own.
pub(in crate::jobs) fn is_script(document: &Document) -> bool {
    document.format().is_text() && has_extension(document.path(), &PROGRAMS)
}
