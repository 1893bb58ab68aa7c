//! Exit statuses.

/// The result of a run. A worse result is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Success.
    Done,
    /// The answer is negative.
    No,
    /// Something could not be read or written; the rest was.
    Trouble,
}
