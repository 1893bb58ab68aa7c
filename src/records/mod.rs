//! Records of links, edits and runs: owned or borrowed, serializable, one set of types for every
//! front end.
//!
//! Their JSON names are a contract: fields may be added, but never renamed.
//!
//! All but [`LinkReport`], [`CheckSummary`] and [`UnreadDocuments`] need the feature `serde`.
//! Records of edits and broken links also need `html`, and those of runs also `fs`. `LinkColumns`
//! and `LinkRows`, which are record batches of Arrow, need `arrow`.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(all(feature = "html", feature = "serde"))]
mod broken;
#[cfg(feature = "serde")]
mod bytes;
#[cfg(feature = "fs")]
mod check_summary;
#[cfg(all(feature = "html", feature = "serde"))]
mod edit;
#[cfg(feature = "serde")]
mod failure;
#[cfg(feature = "serde")]
mod json;
#[cfg(feature = "serde")]
mod link;
#[cfg(feature = "serde")]
mod parsed;
mod report;
#[cfg(feature = "serde")]
mod resolved;
#[cfg(all(feature = "fs", feature = "serde"))]
mod run;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "schema")]
mod schema_names;
#[cfg(feature = "serde")]
mod scheme_specific;
#[cfg(feature = "unpack")]
mod unpacked;
#[cfg(feature = "fs")]
mod unread;
#[cfg(feature = "serde")]
mod web_archive;

#[cfg(feature = "arrow")]
pub use self::arrow::{ColumnError, LinkColumns, LinkRows};
#[cfg(all(feature = "html", feature = "serde"))]
pub use self::{
    broken::{BrokenRecord, OrphanRecord},
    edit::{EditRecord, MoveRecord},
};
#[cfg(feature = "serde")]
pub use self::{
    bytes::Bytes,
    failure::Failure,
    json::write_json,
    link::{ContextRecord, LinkRecord, MailRecord},
    parsed::{Normalized, UriRecord},
    resolved::{Explanation, RecordBase, ResolvedRecord},
    scheme_specific::SchemeRecord,
    web_archive::WebArchiveRecord,
};
#[cfg(feature = "fs")]
pub use check_summary::CheckSummary;
pub use report::LinkReport;
#[cfg(all(feature = "fs", feature = "serde"))]
pub use run::{CountRecord, FileCountRecord, SummaryRecord, WarningRecord};
#[cfg(feature = "schema")]
pub use schema::schema;
#[cfg(feature = "unpack")]
pub use unpacked::{LeftOut, MissingRecord, RedirectRecord, UnpackSummary, UnpackedFileRecord};
#[cfg(feature = "fs")]
pub use unread::UnreadDocuments;
