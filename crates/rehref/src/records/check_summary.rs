//! The numbers of a check.

use super::UnreadDocuments;
use super::run::is_zero;

/// The numbers of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "check_summary", transform = super::schema_names::tagged("summary")))]
#[serde(tag = "type", rename = "summary")]
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
    /// Broken links and pages that the baseline accepts.
    #[serde(skip_serializing_if = "is_zero")]
    pub accepted: usize,
    /// Links that were excluded.
    #[serde(skip_serializing_if = "is_zero")]
    pub excluded: usize,
    /// Links that a comment `rehref: ignore` exempts.
    #[serde(skip_serializing_if = "is_zero")]
    pub exempt: usize,
    /// Links from the root of a site, such as `/a.html`, that were not checked since the root is
    /// unknown.
    #[serde(skip_serializing_if = "is_zero")]
    pub rootless: usize,
    /// Links that were not checked since a template engine makes their reference.
    #[serde(skip_serializing_if = "is_zero")]
    pub templates: usize,
    /// Links to pages that the site may generate, or to a part of the site that was not read. They
    /// were not checked.
    #[serde(skip_serializing_if = "is_zero")]
    pub generated: usize,
    /// Links whose fragment was not checked: anchors are not, or a function derives them.
    #[serde(skip_serializing_if = "is_zero")]
    pub fragments: usize,
    /// Link definitions that their document never uses, and whose target does not exist. They are
    /// not among the broken links.
    #[serde(skip_serializing_if = "is_zero")]
    pub unused: usize,
    /// Documents whose links were not read.
    #[serde(skip_serializing_if = "UnreadDocuments::is_empty")]
    pub unread: UnreadDocuments,
}
