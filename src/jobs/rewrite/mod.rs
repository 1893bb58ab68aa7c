//! Rewriting the links of files and directory trees.
//!
//! A dry run, a check and a filter read each document once. A run in place plans the edits of all documents in a journal
//! before it writes the first file, so that it can be undone or resumed. A new tree gets all files, changed or not.

mod document;
mod in_place;
mod integrity;
mod layout;
mod local_root;
mod options;
mod run;

pub use options::{InPlace, Outcome, Rewrite};
