//! Compressed copies of documents that are checked themselves.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::jobs::names::{COPIES, copied};
use crate::listing::Listing;

/// Finds the compressed copies of documents among the files of a run. A document comes before its
/// copies.
#[derive(Default)]
pub(super) struct Copies {
    /// The files so far.
    files: HashSet<PathBuf>,
}

impl Copies {
    /// Returns false if no file of a listing can be a compressed copy, by its name.
    pub(super) fn may_be_in(listing: &Listing) -> bool {
        listing.iter().any(|(_, name, _)| {
            let extension = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
            COPIES.iter().any(|it| extension.eq_ignore_ascii_case(it.as_bytes()))
        })
    }

    /// Returns true if a file is a compressed copy of an earlier one, and was not named itself.
    pub(super) fn takes(&mut self, path: &Path, is_named: bool) -> bool {
        if !is_named && copied(path).is_some_and(|it| self.files.contains(&it)) {
            return true;
        }
        self.files.insert(path.to_owned());
        false
    }
}
