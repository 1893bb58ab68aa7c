//! Whole runs for any front end: command lines, language bindings, editors, servers.
//!
//! A job reads its documents in parallel and reports typed events in the order of the documents. It prints nothing and
//! never ends the process. A [`Stop`] token ends a run early.
//!
//! The options of a job are its fields. Its methods add inputs and run it. Each job has two ways to receive events. A callback on one thread is the simple one. The other renders events in the
//! worker threads, into a piece of output for each document, and delivers the pieces in order: so rendering is parallel
//! too, and memory is bounded by what may wait.

mod callback;
#[cfg(feature = "serde")]
mod check;
#[cfg(feature = "serde")]
mod edits;
#[cfg(feature = "serde")]
mod error;
mod extract;
mod inputs;
#[cfg(feature = "serde")]
mod mirror;
#[cfg(feature = "serde")]
mod names;
mod ordered;
#[cfg(feature = "serde")]
mod redirects;
#[cfg(feature = "serde")]
mod relocate;
#[cfg(feature = "serde")]
mod rewrite;
mod stop;
#[cfg(feature = "serde")]
mod table;

#[cfg(feature = "serde")]
pub use check::{Check, CheckEvent, Surveyed};
#[cfg(feature = "serde")]
pub use edits::{
    EditEvent, EditReport, EditTotals, Edited, JournalReport, JournalRun, append_move_diff,
    document_diff, resume, undo,
};
#[cfg(feature = "serde")]
pub use error::{ForeignJournal, JobError, MirrorError, PathReason};
pub use extract::{Extract, ExtractEvent, ExtractTotals, HostCounts, HostGlobError, LinkFilter};
pub use inputs::{Inputs, threads};
#[cfg(feature = "serde")]
pub use mirror::{MirrorEvent, MirrorOptions, MirrorSites, MirrorTrees, SchemeOrigin};
#[cfg(feature = "serde")]
pub use redirects::Redirects;
#[cfg(feature = "serde")]
pub use relocate::{MoveOutcome, MoveRequest, Relocate, RelocatePlan};
#[cfg(feature = "serde")]
pub use rewrite::{InPlace, Outcome, Rewrite};
pub use stop::Stop;
#[cfg(feature = "serde")]
pub use table::{Row, rows, rows_of_paths};
