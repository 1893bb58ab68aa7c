//! The end of a decoded body.

/// The reason why decoding ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The end of the body.
    Complete,
    /// The data ends before the body.
    Cut,
    /// The data after it is not valid.
    Damaged,
    /// The body is longer than the limit.
    Limit,
}
