//! Records of links, edits and runs: owned or borrowed, serializable, one set of types for every
//! front end.
//!
//! Their JSON names are a contract: fields may be added, but never renamed.
//!
//! `LinkColumns` and `LinkRows`, which are record batches of Arrow, need the feature `arrow`.

#[cfg(feature = "arrow")]
mod arrow;
mod broken;
mod bytes;
mod check_summary;
mod count;
mod edit;
mod failure;
mod json;
mod link;
mod package;
mod parsed;
mod report;
mod resolved;
mod run;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "schema")]
mod schema_names;
mod scheme_specific;
mod unpacked;
mod unread;
mod web_archive;

#[cfg(feature = "arrow")]
pub use self::arrow::{ColumnError, LinkColumns, LinkRows};
pub use self::{
    broken::{BrokenRecord, BrokenTargetRecord, OrphanRecord},
    edit::{EditRecord, MoveRecord},
};
pub use self::{
    bytes::Bytes,
    failure::Failure,
    json::write_json,
    link::{ContextRecord, LinkRecord, MailRecord},
    package::PackageRecord,
    parsed::{Normalized, UriRecord},
    resolved::{Explanation, RecordBase, ResolvedRecord},
    scheme_specific::SchemeRecord,
    web_archive::WebArchiveRecord,
};
pub use check_summary::CheckSummary;
pub use count::{CountBy, CountRecord};
pub use report::LinkReport;
pub use run::{FileCountRecord, SummaryRecord, WarningRecord};
#[cfg(feature = "schema")]
pub use schema::schema;
pub use unpacked::{LeftOut, MissingRecord, RedirectRecord, UnpackSummary, UnpackedFileRecord};
pub use unread::UnreadDocuments;
