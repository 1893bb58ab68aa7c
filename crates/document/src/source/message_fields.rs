//! The fields that describe a message to its readers.

/// The fields of a message that describe it: decoded, with white space collapsed, and cut off after
/// 4 KiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageFields {
    /// The `Date`.
    pub date: Option<String>,
    /// The sender: `From`.
    pub from: Option<String>,
    /// The `Subject`.
    pub subject: Option<String>,
}
