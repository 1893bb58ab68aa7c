//! The result of a file, from a worker thread.

use std::fs::Metadata;
use std::path::PathBuf;

use super::integrity::KeptHash;
use crate::error::{Error, ErrorKind};
use crate::fs::journal::Edit;
use crate::jobs::edits::EditTotals;

/// The result of a file.
#[derive(Default)]
pub(super) struct Done {
    /// The metadata of the file that was read.
    pub(super) metadata: Option<Metadata>,
    /// The edit of a run in place.
    pub(super) edit: Option<Edit>,
    /// The integrity hashes that stay in it.
    pub(super) hashes: Vec<KeptHash>,
    /// The file, if it changes and may have integrity hashes.
    pub(super) changed: Option<PathBuf>,
    pub(super) totals: EditTotals,
    /// True if the file was written to the new tree.
    pub(super) is_written: bool,
    /// True if the file system of the new tree is full or read-only.
    pub(super) is_full: bool,
    /// A new URL that a pattern matches again.
    pub(super) matches_again: Option<String>,
}

/// Returns true for an error that the next file to be written would have, too.
pub(super) fn is_full(error: &Error) -> bool {
    use std::io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let ErrorKind::Write(error) = error.kind() else {
        return false;
    };
    matches!(error.kind(), QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}
