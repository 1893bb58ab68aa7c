//! How a character continues or ends a URL.

/// The property Link_Term of Unicode Technical Standard 58: what a character means to the end of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// Part of it.
    Include,
    /// Never part of it.
    Hard,
    /// Part of it if more of it follows.
    Soft,
    /// Opens a bracket.
    Open,
    /// Closes one.
    Close,
}
