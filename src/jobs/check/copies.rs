//! Compressed copies of documents that are checked themselves.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::fs::WalkEntry;
use crate::jobs::names::copied;

/// Finds the compressed copies of documents among the files of a walk. A document comes before its copies.
#[derive(Default)]
pub(super) struct Copies {
    /// The files so far.
    files: HashSet<PathBuf>,
}

impl Copies {
    /// Returns true if a file is a compressed copy of an earlier one, and was not named itself.
    pub(super) fn takes(&mut self, found: &WalkEntry) -> bool {
        let Some(path) = found.item.file() else {
            return false;
        };
        if found.root.is_some() && copied(path).is_some_and(|it| self.files.contains(&it)) {
            return true;
        }
        self.files.insert(path.to_owned());
        false
    }
}
