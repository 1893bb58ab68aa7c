//! The records of warnings, counts and totals.

use std::borrow::Cow;
use std::path::Path;

use super::UnreadDocuments;
use super::bytes::{Bytes, owned};
use crate::document::Link;
use crate::error::{Diagnostic, Error, Warning};

/// A warning about a document.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("warning")))]
#[serde(tag = "type", rename = "warning")]
#[non_exhaustive]
pub struct WarningRecord<'r> {
    /// The name of the document.
    pub doc: Bytes<'r>,
    /// The name of the warning.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::CodeName"))]
    pub code: &'static str,
    /// The message.
    pub text: Cow<'r, str>,
}

impl<'r> WarningRecord<'r> {
    /// The record of a warning.
    pub fn new(doc: &'r Path, warning: Warning) -> Self {
        Self { doc: Bytes::of_name(doc), code: warning.code(), text: Cow::Borrowed(warning.text()) }
    }

    /// The record of a document that could not be read.
    pub fn unreadable(error: &'r Error) -> Self {
        Self {
            doc: Bytes::of_name(error.path()),
            code: Warning::UNREADABLE,
            text: Cow::Owned(match error.diagnostic() {
                Diagnostic { position: Some(position), text, .. } => format!("{position}: {text}"),
                Diagnostic { text, .. } => text,
            }),
        }
    }

    /// The record of a link whose target could not be looked up.
    pub fn unknown_target(link: &Link<'r>) -> Self {
        let (line, column) = (link.line(), link.column());
        let reference = link.reference();
        Self {
            doc: Bytes::of_name(link.document().path()),
            code: Warning::UNKNOWN_TARGET,
            text: Cow::Owned(format!("{line}:{column}: {reference}: could not be looked up")),
        }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> WarningRecord<'static> {
        WarningRecord { doc: self.doc.into_owned(), code: self.code, text: owned(self.text) }
    }
}

/// The number of links in a file.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, transform = super::schema_names::tagged("count")))]
#[serde(tag = "type", rename = "count")]
#[non_exhaustive]
pub struct FileCountRecord<'r> {
    /// The name of the file.
    pub doc: Bytes<'r>,
    /// The number of links, of all documents in the file.
    pub links: usize,
}

impl<'r> FileCountRecord<'r> {
    /// The record of a file.
    pub fn new(file: &'r Path, links: usize) -> Self {
        Self { doc: Bytes::of_name(file), links }
    }
}

/// The numbers of a run that finds links.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "extract_summary", transform = super::schema_names::tagged("summary")))]
#[serde(tag = "type", rename = "summary")]
pub struct SummaryRecord {
    /// Documents read.
    pub docs: usize,
    /// Links reported.
    pub links: usize,
    /// Warnings and errors.
    pub warnings: usize,
    /// Messages of mailboxes read.
    #[serde(skip_serializing_if = "is_zero")]
    pub messages: usize,
    /// Documents whose links were not read.
    #[serde(skip_serializing_if = "UnreadDocuments::is_empty")]
    pub unread: UnreadDocuments,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}
