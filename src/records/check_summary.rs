//! The numbers of a check.

use super::UnreadDocuments;

/// The numbers of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", rename = "summary"))]
pub struct CheckSummary {
    /// Documents read.
    pub docs: usize,
    /// Links in them.
    pub links: usize,
    /// Links to the tree.
    pub local: usize,
    /// Broken links.
    pub broken: usize,
    /// Pages without links from other documents, if reported.
    pub orphans: usize,
    /// Warnings and errors.
    pub warnings: usize,
    /// Documents whose links were not read.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "UnreadDocuments::is_empty")
    )]
    pub unread: UnreadDocuments,
}
