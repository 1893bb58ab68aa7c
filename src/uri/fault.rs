//! Where a text departs from a grammar.

use std::fmt;
use std::ops::Range;

use super::Grammar;

/// The bytes at fault and the rule they break: the answer of each function that checks.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError(Box<Refusal>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Refusal {
    fault: Fault,
    grammar: Grammar,
    /// What was refused. SkipReason, since other grammars are asked only if somebody wants to know.
    text: String,
}

impl SyntaxError {
    /// The fault of `text` by `grammar`.
    #[cold]
    pub(super) fn new(grammar: Grammar, fault: Fault, text: &str) -> Self {
        Self(Box::new(Refusal {
            fault,
            grammar,
            text: text.to_owned(),
        }))
    }

    /// The bytes at fault. Empty where something is missing.
    pub fn range(&self) -> Range<usize> {
        self.0.fault.start..self.0.fault.end
    }

    /// What is wrong, for people.
    pub fn message(&self) -> &'static str {
        self.0.fault.message
    }

    /// The text and section that says so, as `RFC 3986, 3.2.2`.
    pub fn rule(&self) -> &'static str {
        self.0.fault.rule
    }

    /// The grammar that was asked.
    pub fn grammar(&self) -> Grammar {
        self.0.grammar
    }

    /// The grammars by which the same text is a reference, oldest first. Checks by each when asked.
    pub fn accepted_by(&self) -> impl Iterator<Item = Grammar> {
        let Refusal { grammar, text, .. } = &*self.0;
        let all = Grammar::ALL.iter().copied();
        all.filter(move |other| other != grammar && other.derives(text).is_ok())
    }
}

/// As `byte 8, " ": not allowed in a path (RFC 3986, 3.3); accepted by whatwg`.
impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { fault, text, .. } = &*self.0;
        write!(f, "byte {}", fault.start)?;
        match text.get(self.range()) {
            None | Some("") => {}
            Some(at_fault) => write!(f, ", {at_fault:?}")?,
        }
        write!(f, ": {} ({})", fault.message, fault.rule)?;
        for (i, grammar) in self.accepted_by().enumerate() {
            let between = if i == 0 { "; accepted by" } else { "," };
            write!(f, "{between} {grammar}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}
