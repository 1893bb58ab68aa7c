//! Why a reference is refused, in the records of `resolve` and `parse`.

use std::fmt;
use std::ops::Range;

use crate::uri::{Grammar, Profile, ResolveError, SyntaxError};

/// Why a reference has no target, or is none.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Failure {
    /// In words.
    pub message: String,
    /// The text and section that decided.
    pub rule: &'static str,
    /// The first byte of the reference that is at fault, if some are.
    pub start: Option<usize>,
    /// The byte after the last of them.
    pub end: Option<usize>,
    /// The other texts that accept it.
    pub accepted_by: Vec<&'static str>,
}

impl Failure {
    /// That these bytes are not UTF-8.
    pub fn not_utf8(range: Range<usize>) -> Self {
        Self {
            message: "not UTF-8".to_owned(),
            rule: "RFC 3629, 4",
            start: Some(range.start),
            end: Some(range.end),
            accepted_by: Vec::new(),
        }
    }
}

impl Failure {
    /// A failure that no bytes of the reference are to blame for.
    pub fn whole(message: &str, rule: &'static str) -> Self {
        Self {
            message: message.to_owned(),
            rule,
            start: None,
            end: None,
            accepted_by: Vec::new(),
        }
    }

    /// The same for people, with the place in `reference`, of which it is told.
    pub fn in_place(&self, reference: &str) -> String {
        let Some(start) = self.start else {
            return self.to_string();
        };
        let at_fault = self.end.and_then(|end| reference.get(start..end));
        match at_fault {
            None | Some("") => format!("byte {start}: {self}"),
            Some(at_fault) => format!("byte {start}, {at_fault:?}: {self}"),
        }
    }
}

impl From<&ResolveError> for Failure {
    fn from(error: &ResolveError) -> Self {
        let range = error.range();
        Self {
            message: error.to_string(),
            rule: error.rule(),
            start: range.as_ref().map(|range| range.start),
            end: range.map(|range| range.end),
            accepted_by: error.accepted_by().map(Profile::as_str).collect(),
        }
    }
}

impl From<&SyntaxError> for Failure {
    fn from(error: &SyntaxError) -> Self {
        let range = error.range();
        Self {
            message: error.message().to_owned(),
            rule: error.rule(),
            start: Some(range.start),
            end: Some(range.end),
            accepted_by: error.accepted_by().map(Grammar::as_str).collect(),
        }
    }
}

/// For people, without the place.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.rule)?;
        if !self.accepted_by.is_empty() {
            write!(f, "; accepted by {}", self.accepted_by.join(", "))?;
        }
        Ok(())
    }
}
