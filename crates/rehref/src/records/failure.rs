//! The reasons of invalid references, in the records of `resolve` and `parse`.

use std::fmt;
use std::str::Utf8Error;

use crate::uri::{Grammar, Profile, ResolveError, SyntaxError};

/// The reason that a reference has no target or is invalid.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// The message.
    pub message: String,
    /// The specification and section.
    pub rule: &'static str,
    /// The first byte at fault, from 0, if there is one.
    pub start: Option<usize>,
    /// The byte after the last one at fault.
    pub end: Option<usize>,
    /// The other specifications that accept the reference.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema_names::GrammarName>"))]
    pub accepted_by: Vec<&'static str>,
}

impl Failure {
    /// These bytes are not UTF-8. The first ones at fault count.
    pub(super) fn not_utf8(error: Utf8Error, bytes: &[u8]) -> Self {
        let start = error.valid_up_to();
        let len = error.error_len();
        Self {
            message: "not UTF-8".to_owned(),
            rule: "RFC 3629, 4",
            start: Some(start),
            end: Some(len.map_or(bytes.len(), |len| start + len)),
            accepted_by: Vec::new(),
        }
    }

    /// A failure of the whole reference.
    pub fn whole(message: &str, rule: &'static str) -> Self {
        Self { message: message.to_owned(), rule, start: None, end: None, accepted_by: Vec::new() }
    }

    /// Returns the message with the bytes of `reference` at fault.
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

/// The message without the bytes at fault.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.rule)?;
        if !self.accepted_by.is_empty() {
            write!(f, "; accepted by {}", self.accepted_by.join(", "))?;
        }
        Ok(())
    }
}
