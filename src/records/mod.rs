//! Records of links, edits and runs: owned or borrowed, serializable, one set of types for every front end.
//!
//! Their JSON names are a contract: fields may be added, but never renamed.

#[cfg(feature = "serde")]
mod broken;
#[cfg(feature = "serde")]
mod bytes;
#[cfg(feature = "serde")]
mod edit;
#[cfg(feature = "serde")]
mod failure;
#[cfg(feature = "serde")]
mod link;
#[cfg(feature = "serde")]
mod parsed;
mod report;
#[cfg(feature = "serde")]
mod resolved;
#[cfg(feature = "serde")]
mod run;
#[cfg(feature = "serde")]
mod scheme_specific;

#[cfg(feature = "serde")]
pub use broken::{BrokenRecord, CheckSummary, OrphanRecord};
#[cfg(feature = "serde")]
pub use bytes::{Bytes, write_json};
#[cfg(feature = "serde")]
pub use edit::{EditRecord, MoveRecord};
#[cfg(feature = "serde")]
pub use failure::Failure;
#[cfg(feature = "serde")]
pub use link::{ContextRecord, LinkRecord, MailRecord};
#[cfg(feature = "serde")]
pub use parsed::{Normalized, UriRecord};
pub use report::Report;
#[cfg(feature = "serde")]
pub use resolved::{Explanation, ResolvedRecord};
#[cfg(feature = "serde")]
pub use run::{CountRecord, SummaryRecord, WarningRecord};
#[cfg(feature = "serde")]
pub use scheme_specific::SchemeRecord;
