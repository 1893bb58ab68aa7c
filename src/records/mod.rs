//! Records of what was found and done, in the forms that people and programs read.

#[cfg(feature = "serde")]
mod broken;
#[cfg(feature = "serde")]
mod failure;
#[cfg(feature = "serde")]
mod kinds;
mod lines;
#[cfg(feature = "serde")]
mod parsed;
#[cfg(feature = "serde")]
mod scheme_specific;

use std::path::Path;

use crate::bytes::Position;
use crate::format::html::Context;
use crate::link::{LinkData, Target};
use crate::source::Source;

#[cfg(feature = "serde")]
pub use broken::{BrokenFormat, BrokenReport, BrokenWriter, CheckSummary};
#[cfg(feature = "serde")]
pub use failure::Failure;
#[cfg(feature = "serde")]
pub use kinds::{
    Bytes, CountRecord, CsvFormat, EditRecord, Explanation, LinkRecord, MoveRecord, ResolvedRecord,
    SummaryRecord, WarningRecord, write_count_names, write_count_row, write_csv, write_csv_names,
    write_json,
};
pub use lines::{LineFormat, name_in_line, sanitized, sanitized_csv, sanitized_json};
#[cfg(feature = "serde")]
pub use parsed::UriRecord;
#[cfg(feature = "serde")]
pub use scheme_specific::SchemeRecord;

/// A link with everything that is reported of it.
#[derive(Clone, Debug)]
pub struct Report<'r> {
    /// The document.
    pub document: &'r Source,
    /// The link.
    pub link: &'r LinkData<'r>,
    /// Where it leads.
    pub target: Target<'r>,
    /// Where it begins.
    pub position: Position,
    /// What stands round it, if that is to be told: nothing of a link that is not in HTML.
    pub context: Option<Option<Context<'r>>>,
    /// What the link leads to that a mail gateway has put in the place of another, if that is to be told.
    pub unwrapped: Option<Option<&'r str>>,
}

impl<'r> Report<'r> {
    /// What is printed of the link: where it leads if that is known, else the reference as written.
    pub fn value(&self) -> &str {
        self.target.uri.unwrap_or(&self.link.reference)
    }

    /// The name of the document.
    pub fn name(&self) -> &'r Path {
        &self.document.name
    }
}
