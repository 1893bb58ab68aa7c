//! Whole runs for any front end: command lines, language bindings, editors, servers.
//!
//! A job reads its documents in parallel and reports typed events in the order of the documents. It
//! prints nothing and never ends the process. A [`Stop`] token ends a run early.
//!
//! The options of a job are its fields. Its methods add inputs and run it. Each job has two ways to
//! receive events. A callback on one thread is the simple one. The other renders events in the
//! worker threads, into a piece of output for each document, and delivers the pieces in order. So
//! rendering is parallel too, and memory is bounded by what may wait.
//!
//! [`Extract`] and [`Check`] only read. [`Rewrite`] and [`Relocate`] write and can be undone
//! ([`undo`], [`resume`]). [`Unpack`] makes files of web archives.

mod chain;
mod check;
mod checker_report;
mod edits;
mod error;
mod extract;
pub mod git;
mod input_sites;
mod inputs;
mod local_tree;
mod mirror;
mod names;
mod ordered;
mod ranged_records;
mod redirects;
mod relocate;
mod rewrite;
mod sink;
mod stop;
mod table;
mod unpack;
mod unread;

pub use crate::format::UnreadKind;
pub use crate::records::UnreadDocuments;
pub use check::{Baseline, BaselineError, Check, CheckEvent, CheckRootError, Surveyed};
pub use extract::{Extract, ExtractEvent, ExtractTotals, LinkCounts};
pub use inputs::{Inputs, threads};
pub use local_tree::{LocalTarget, LocalTree};
#[doc(hidden)]
pub use ordered::measure::{Measured, measured};
pub use stop::Stop;

pub use self::unpack::{MissingLinks, Unpack, UnpackEvent, UnpackReport};
pub use self::{
    checker_report::{CheckerReport, MapFile, RefusalReason, RefusedReplacement, map_file},
    edits::{
        DiffRoot, EditEvent, EditReport, EditTotals, JournalReport, JournalRun, MovedKind,
        NewTreeReport, NotFollowed, TreeEvidence, Uneditable, append_move_diff, document_diff,
        in_threads, only_run_below, resume, undo,
    },
    error::{ForeignJournal, JobError, MirrorError, PathReason},
    mirror::{HostDirectory, MirrorEvent, MirrorOptions, MirrorSites, MirrorTrees, SchemeOrigin},
    redirects::Redirects,
    relocate::{MoveOutcome, MoveRequest, OldContent, Relocate, RelocatePlan, Rename, Renames},
    rewrite::{InPlace, Outcome, Rewrite},
    table::{Row, rows, rows_of_paths},
};
pub use crate::docs_site::{SiteChoice, SiteKind};
pub use crate::fs::Put;
pub use crate::source::{CaptureDate, InvalidDate};
pub use crate::unpack::captures::CaptureChoice;
