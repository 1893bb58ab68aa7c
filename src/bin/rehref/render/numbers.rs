//! Numbers with nouns, and places, in messages.

use std::fmt::Display;
use std::path::Path;

use rehref::bytes::Position;

/// Returns a number with its noun: `1 link`, `2 links`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Returns the beginning of a message about a place in a file: `NAME:LINE:COLUMN: `.
pub(crate) fn located(name: &Path, at: Position) -> String {
    format!("{}:{}:{}: ", name.display(), at.line, at.column)
}
