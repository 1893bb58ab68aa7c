//! Web archives: WARC (ISO 28500), ARC, and WARC in gzip, zstd or a WACZ. A streaming reader of
//! their records.
//!
//! Writers disagree about members, lengths and line ends. So the end of a gzip member takes
//! precedence over `Content-Length`, reading continues after damage, and both are reported as a
//! [`Flaw`]. Each layer has a file:
//!
//! - `input`: the bytes of the file. `members`: inflated bytes and the starts of members, with
//!   `gzip` for one member, and `whole_members` for one that is inflated at once.
//! - `window`: the inflated bytes in use. `start`: the positions at which a record can begin.
//!   `inflated`: the search for records in the window.
//! - `records`: the records and their ends, with `ends`. `first_line`, `head`: the fields of a
//!   record. `batch`: records that are read, for a worker. `ranges`: those of a range of the file.
//! - `filter`: the selection of records. `duplicates`: records with the content of an earlier one.
//!   `documents`: the documents in them. `wacz`: the archives in a WACZ, with `deflated` for one.

mod batch;
mod deflated;
mod documents;
mod duplicates;
mod ends;
mod filter;
mod first_line;
mod flaw;
mod gzip;
mod head;
mod inflated;
mod input;
#[cfg(feature = "libdeflate")]
mod libdeflate;
mod members;
mod ranges;
mod records;
mod start;
mod wacz;
mod whole_members;
mod window;

pub(crate) use documents::target_of;
pub(crate) use filter::Reading;

pub use batch::{Batch, Entry, RawRecord};
pub use deflated::Deflated;
pub use documents::DocumentReader;
pub use duplicates::Duplicates;
pub use filter::{RecordFilter, RecordFilterError};
pub use flaw::{Flaw, FlawKind};
pub(crate) use gzip::begins_member;
pub use head::RecordHead;
pub(crate) use members::DICTIONARY_MAGIC;
pub(crate) use ranges::{Beginning, RangedArchive};
pub(crate) use records::Following;
pub use records::Records;
pub(crate) use wacz::entry_points;
pub use wacz::{Wacz, WaczEntry};

/// The maximum length of the head of a record, in bytes. A record with a longer one is skipped.
pub const MAX_HEAD: usize = 1 << 20;

/// The maximum length of the block of a record that is held, in bytes, unless
/// [`Records::max_block`] sets another. The rest of a longer one is skipped.
pub const MAX_BLOCK: usize = 16 << 20;
