//! Syntax faults.

/// A syntax fault: the bytes at fault and the rule they break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The first byte at fault.
    pub(super) start: usize,
    /// The byte after the last. Equals `start` if something is missing at that offset.
    pub(super) end: usize,
    /// The problem, for people.
    pub(super) message: &'static str,
    /// The specification and section with the rule, such as `RFC 3986, 3.2.2`.
    pub(super) rule: &'static str,
}

impl Fault {
    /// A fault of the character at `at`, or of the end of the text.
    pub(super) fn at(text: &str, at: usize, message: &'static str, rule: &'static str) -> Self {
        let next = text.get(at..).and_then(|rest| rest.chars().next());
        Self { start: at, end: at + next.map_or(0, char::len_utf8), message, rule }
    }
}
