//! The effect of a character on the end of a URL.

/// The property Link_Term of Unicode Technical Standard 58: the effect of a character on the end of
/// a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// Part of the URL.
    Include,
    /// Never part of the URL.
    Hard,
    /// Part of the URL if more of it follows.
    Soft,
    /// Opens a bracket.
    Open,
    /// Closes a bracket.
    Close,
}
