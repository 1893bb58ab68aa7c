//! The numbers of a rewritten document.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::plan::Plan;
use super::skip_reason::SkipReason;

/// The numbers of a rewritten document: see
/// [`Document::rewrite_into`](crate::Document::rewrite_into).
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    pub(super) edits: usize,
    pub(super) scripted: usize,
    /// Few reasons occur in one document.
    skipped: SmallVec<[(SkipReason, usize); 4]>,
}

impl Rewritten {
    /// The numbers of a plan.
    pub(super) fn of_plan(plan: &Plan<'_>) -> Self {
        let mut counts = Self {
            edits: plan.edits().len(),
            scripted: plan.links().found().scripted,
            ..Self::default()
        };
        for &(_, reason) in plan.skip_reasons() {
            counts.skip(reason);
        }
        counts
    }

    /// The number of edits. Without any, the document does not change.
    pub fn edits(&self) -> usize {
        self.edits
    }

    /// The number of links that are left unchanged, by reason.
    pub fn skipped(&self) -> BTreeMap<SkipReason, usize> {
        self.skipped.iter().copied().collect()
    }

    /// The estimated number of links that scripts of HTML build, if
    /// [`Options::scripted`](crate::Options::scripted) is set.
    pub fn scripted(&self) -> usize {
        self.scripted
    }

    /// Counts a link that is left unchanged.
    pub(super) fn skip(&mut self, reason: SkipReason) {
        match self.skipped.iter_mut().find(|it| it.0 == reason) {
            Some((_, count)) => *count += 1,
            None => self.skipped.push((reason, 1)),
        }
    }
}
