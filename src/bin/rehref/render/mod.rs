//! Output: records, lines, diffs and messages.

pub(crate) mod check;
pub(crate) mod color;
pub(crate) mod csv;
pub(crate) mod edits;
pub(crate) mod escape;
pub(crate) mod extract;
pub(crate) mod lines;
pub(crate) mod numbers;
pub(crate) mod progress;
pub(crate) mod reasons;
pub(crate) mod summary;
pub(crate) mod terminal;
