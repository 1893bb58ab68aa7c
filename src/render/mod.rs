//! Output: records, lines, diffs and messages.

mod broken_targets;
pub(crate) mod check;
pub(crate) mod color;
mod counted_by;
pub(crate) mod csv;
mod csv_text;
pub(crate) mod edits;
pub(crate) mod escape;
pub(crate) mod excerpt;
pub(crate) mod extract;
pub(crate) mod git;
pub(crate) mod journal_command;
pub(crate) mod lines;
pub(crate) mod map_files;
pub(crate) mod message;
pub(crate) mod printing;
pub(crate) mod progress;
pub(crate) mod quiet;
pub(crate) mod reasons;
pub(crate) mod report;
mod sarif;
pub(crate) mod styled;
pub(crate) mod summary;
pub(crate) mod terminal;
pub(crate) mod unpack;

use std::fmt::Display;

/// Returns a number with its noun: `1 link`, `2 links`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
