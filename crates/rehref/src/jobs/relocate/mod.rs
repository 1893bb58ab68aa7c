//! Moving files of a directory tree, with the references to and from them.
//!
//! All documents are read and their edits planned before the first file moves. The journal has
//! edits and moves, so a run can be undone or resumed.

mod broken;
mod document;
mod file;
mod followed;
mod inner_roots;
mod larger;
mod options;
mod package;
mod paths;
mod plan;
mod renames;
mod requests;
mod run;
mod since;
mod steps;

pub use options::{MoveOutcome, MoveRequest, Relocate};
pub use plan::RelocatePlan;
pub use renames::{OldContent, Rename, Renames};
