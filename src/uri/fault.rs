//! Where a text departs from a grammar.

use std::fmt;
use std::ops::Range;

use super::Grammar;

/// The bytes at fault and the rule they break: what every checker in this room answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The first byte at fault.
    pub(super) start: usize,
    /// The byte after the last. Equals `start` where something is missing at the end.
    pub(super) end: usize,
    /// What is wrong, for people.
    pub(super) message: &'static str,
    /// The text and section that says so, as `RFC 3986, 3.2.2`.
    pub(super) rule: &'static str,
}

impl Fault {
    /// The fault of the one character at `at`, or of the end.
    pub(super) fn at(text: &str, at: usize, message: &'static str, rule: &'static str) -> Self {
        let next = text.get(at..).and_then(|rest| rest.chars().next());
        Self {
            start: at,
            end: at + next.map_or(0, char::len_utf8),
            message,
            rule,
        }
    }
}

/// Why a text is no reference by a grammar: the bytes at fault, the rule they break, and which other
/// grammars would take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    fault: Fault,
    grammar: Grammar,
    /// A bit for each of [`Grammar::ALL`].
    accepted_by: u8,
}

impl SyntaxError {
    /// The fault of `reference` by `grammar`. Asks the other grammars too.
    pub(super) fn new(grammar: Grammar, fault: Fault, reference: &str) -> Self {
        let mut accepted_by = 0;
        for (bit, other) in Grammar::ALL.iter().enumerate() {
            if *other != grammar && other.derives(reference).is_ok() {
                accepted_by |= 1 << bit;
            }
        }
        Self {
            fault,
            grammar,
            accepted_by,
        }
    }

    /// The bytes at fault. Empty where something is missing.
    pub fn range(&self) -> Range<usize> {
        self.fault.start..self.fault.end
    }

    /// What is wrong, for people.
    pub fn message(&self) -> &'static str {
        self.fault.message
    }

    /// The text and section that says so, as `RFC 3986, 3.2.2`.
    pub fn rule(&self) -> &'static str {
        self.fault.rule
    }

    /// The grammar that was asked.
    pub fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// The grammars by which the same text is a reference, oldest first.
    pub fn accepted_by(&self) -> impl Iterator<Item = Grammar> + use<> {
        let bits = self.accepted_by;
        let all = Grammar::ALL.iter().enumerate();
        all.filter_map(move |(bit, grammar)| (bits & 1 << bit != 0).then_some(*grammar))
    }
}

/// As `not allowed in a path at byte 8 (RFC 3986, 3.3); allowed by whatwg`.
impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            start,
            message,
            rule,
            ..
        } = self.fault;
        write!(f, "{message} at byte {start} ({rule})")?;
        for (i, grammar) in self.accepted_by().enumerate() {
            let between = if i == 0 { "; allowed by" } else { "," };
            write!(f, "{between} {grammar}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}
