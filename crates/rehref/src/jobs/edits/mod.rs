//! The common parts of runs that edit files: events, diffs, journals.

mod compressed_copies;
mod diff;
mod diff_root;
mod event;
mod journal;
mod review;
mod shown_root;
mod totals;

pub use diff::{append_move_diff, document_diff};
pub use diff_root::DiffRoot;
pub(super) use event::EditSink;
pub use event::{EditEvent, MovedKind, NotFollowed, TreeEvidence, Uneditable};
pub(in crate::jobs) use journal::root_of;
pub use journal::{JournalReport, JournalRun, in_threads, only_run_below, resume, undo};
pub use totals::{EditReport, EditTotals, NewTreeReport};

pub(in crate::jobs) use compressed_copies::{CompressedCopies, is_copy};
pub(in crate::jobs) use review::{
    count_scripted, is_script, report_breaks, report_skipped, verify,
};
pub(in crate::jobs) use shown_root::ShownRoot;
