//! Where a text departs from a grammar: what every checker in this room answers.

/// The bytes at fault and the rule they break.
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
