//! The numbers of a check.

/// The numbers of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
}
