//! Numbers with nouns.

use std::fmt::Display;

/// Returns a number with its noun: `1 link`, `2 links`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
