//! The numbers and results of runs that edit files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::event::EditEvent;
use crate::format::UnreadKind;
use crate::fs::journal::Applied;
use crate::mirror::LocalNames;
use crate::records::UnreadDocuments;
use crate::rewrite::SkipReason;

/// The numbers of a run that edits files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditTotals {
    /// Documents read, of formats that are rewritten.
    pub documents: usize,
    /// Other files among the inputs. A [`Relocate`](crate::jobs::Relocate) run does not count them.
    pub others: usize,
    /// Documents with edits.
    pub changed: usize,
    /// Edits.
    pub edits: usize,
    /// Documents whose edits failed verification.
    pub unverified: usize,
    /// Links that the run breaks.
    pub broken: usize,
    /// Links that scripts seem to build.
    pub scripted: usize,
    /// Rewritten links from the root of an input directory without a URL that name no file in it.
    /// The root of the site may be another directory.
    pub missing_in_root: usize,
    /// Links within a mirror whose files have names of another scheme than expected, by that
    /// scheme. Empty if the scheme was given.
    pub other_names: BTreeMap<LocalNames, usize>,
    /// Skipped links by reason. A [`Relocate`](crate::jobs::Relocate) run counts only
    /// [`SkipReason::Ambiguous`], [`SkipReason::BarePage`], [`SkipReason::Template`] and
    /// [`SkipReason::Unwritable`].
    pub skipped: BTreeMap<SkipReason, usize>,
    /// Documents whose links were not read, or are never rewritten.
    pub unread: UnreadDocuments,
}

impl EditTotals {
    /// Counts a document if its links are not read or not rewritten, and reports it.
    pub(in crate::jobs) fn count_unread(
        &mut self,
        name: &Path,
        kind: Option<UnreadKind>,
        event: &mut dyn FnMut(EditEvent<'_>),
    ) {
        if let Some(kind) = kind {
            self.unread.add(kind);
            event(EditEvent::Unread(name, kind));
        }
    }

    /// Adds other numbers to these.
    pub(in crate::jobs) fn add(&mut self, other: Self) {
        self.documents += other.documents;
        self.others += other.others;
        self.changed += other.changed;
        self.edits += other.edits;
        self.unverified += other.unverified;
        self.broken += other.broken;
        self.scripted += other.scripted;
        self.missing_in_root += other.missing_in_root;
        self.unread += other.unread;
        for (names, count) in other.other_names {
            *self.other_names.entry(names).or_default() += count;
        }
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
    }
}

/// The result of a run that edits files.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct EditReport {
    /// The numbers. Of a rewrite in place with a journal, those of applied edits.
    pub totals: EditTotals,
    /// Files and directories that move.
    pub moves: usize,
    /// Files and directories that moved before the run.
    pub moved_before: usize,
    /// Files with redirects.
    pub redirects: usize,
    /// Documents outside of the tree of a move that refer to files that move, and links that would
    /// if another directory is the root of the site. They are reported, and not updated.
    pub stale: usize,
    /// The new tree that was written. `None` for other runs.
    pub new_tree: Option<NewTreeReport>,
    /// The state of a run with a journal. `None` if there was nothing to do, or the run was stopped
    /// before.
    pub applied: Option<Applied>,
    /// The directory with the journal, if there is one to undo.
    pub root: Option<PathBuf>,
    /// True if all rules replace URLs by others, so that relative links usually stay right.
    pub maps_only: bool,
    /// True if a run with a journal was stopped before it wrote the first file.
    pub unchanged: bool,
}

/// The new tree of a run, with the number of files that were written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewTreeReport {
    /// The directory of the new tree.
    pub directory: PathBuf,
    /// The files and symbolic links that the whole tree has.
    pub files: usize,
    /// Those that were written.
    pub written: usize,
}

impl EditReport {
    /// Returns the number of moves, changed documents and files with redirects.
    pub fn changes(&self) -> usize {
        self.moves + self.totals.changed + self.redirects
    }
}
