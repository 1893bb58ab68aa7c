//! Links with expressions of template engines, which rules leave.

use crate::document::Document;
use crate::link::{LinkData, Target};
use crate::rewrite::mapper::Decision;
use crate::rewrite::skip_reason::SkipReason;
use crate::site::layout::expression_of;
use crate::uri::{Parts, has_dot_segments};

/// Returns true if a link has an expression of a template engine and the decision is about its
/// target, which is unknown. A map may replace the beginning of an absolute URL or path, which no
/// expression changes.
pub(super) fn is_left(
    decision: &Decision<'_>,
    document: &Document,
    link: &LinkData<'_>,
    target: &Target<'_>,
) -> bool {
    let is_map = match decision {
        Decision::Replace { rule, .. } => rule.starts_with("map"),
        Decision::Keep(
            SkipReason::Unchanged
            | SkipReason::NoBase
            | SkipReason::UnknownSite
            | SkipReason::Unresolvable
            | SkipReason::OtherSite
            | SkipReason::Unreachable
            | SkipReason::NoPage,
        ) => false,
        Decision::Keep(_) => return false,
    };
    let Some(at) = expression_of(document, link, target) else {
        return false;
    };
    let reference = &*link.reference;
    let parts = Parts::split(reference);
    let is_fixed = parts.scheme.is_some() || reference.starts_with('/');
    // A map normalizes a path with dot segments.
    !(is_map && is_fixed && at > 0 && !has_dot_segments(parts.path))
}
