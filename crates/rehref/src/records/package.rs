//! The fields of records about documents in packages.

use std::borrow::Cow;

use super::bytes::owned;

/// The place of a document in a package: a document of an office or a book.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PackageRecord<'r> {
    /// The name of the part, such as `word/document.xml`.
    pub part: Cow<'r, str>,
}

impl PackageRecord<'_> {
    /// Returns the record without a borrow.
    pub fn into_owned(self) -> PackageRecord<'static> {
        PackageRecord { part: owned(self.part) }
    }
}
