//! How a decoded body ends.

/// The end of what was decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// That of the body.
    Complete,
    /// The data ends before the body.
    Cut,
    /// The data after it is not valid.
    Damaged,
    /// The body is longer than the limit.
    Limit,
}
