//! The numbers of a run.

use std::collections::BTreeMap;

use crate::fs::journal::Applied;
use crate::rewrite::SkipReason;

/// The numbers of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RewriteTotals {
    /// Documents read, of formats that are rewritten.
    pub documents: usize,
    /// Other files.
    pub others: usize,
    /// Documents with edits.
    pub changed: usize,
    /// Edits.
    pub edits: usize,
    /// Documents whose edits failed verification.
    pub unverified: usize,
    /// Links that the edits break.
    pub broken: usize,
    /// Links that scripts seem to build.
    pub scripted: usize,
    /// Skipped links by reason.
    pub skipped: BTreeMap<SkipReason, usize>,
}

impl RewriteTotals {
    /// Adds other numbers to these.
    pub(super) fn add(&mut self, other: Self) {
        self.documents += other.documents;
        self.others += other.others;
        self.changed += other.changed;
        self.edits += other.edits;
        self.unverified += other.unverified;
        self.broken += other.broken;
        self.scripted += other.scripted;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
    }
}

/// The result of a run.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RewriteReport {
    /// The numbers. Of a run in place with a journal, those of applied edits.
    pub totals: RewriteTotals,
    /// The state of a run in place with a journal. `None` if there were no edits, or the run was stopped before.
    pub applied: Option<Applied>,
    /// Whether a run in place was stopped before the first file was written.
    pub unchanged: bool,
}
