//! Rewriting the links of files and directory trees.
//!
//! A dry run, a check and a filter read each document once. A run in place plans the edits of all
//! documents in a journal before it writes the first file, so that it can be undone or resumed. A
//! new tree gets all files, changed or not.
//!
//! Where no link or edit is reported, verified or looked up, documents are rewritten in one pass
//! (`tally`): a run then holds a document, its new bytes and numbers.
//!
//! - **All edits are planned before the first is written**. Documents are read twice, and a run
//!   needs space for its changes under its root: about the size of the edits and some 200 bytes for
//!   each file. In return, a run can be undone byte by byte until another run replaces it.
//! - **Writing files continues** after the reader of the report closes its pipe. After SIGINT or
//!   SIGTERM it stops between two files, and the run can be resumed. A new tree is never written
//!   through a symbolic link.

mod changes;
mod document;
mod done;
mod file;
mod in_place;
mod integrity;
mod layout;
mod local_root;
mod options;
mod package;
mod run;
mod served;
mod sites;
mod tally;

pub use options::{InPlace, Outcome, Rewrite};
