//! Compressed copies of documents, which servers send in their place.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::event::EditEvent;
use crate::document::Document;
use crate::fs::names_in;
use crate::jobs::names::{COPIES, has_extension};

/// Finds the compressed copies of documents. Remembers those of the last directory: documents come directory by
/// directory.
#[derive(Default)]
pub(in crate::jobs) struct CompressedCopies {
    last: Mutex<Option<(PathBuf, HashSet<OsString>)>>,
}

impl CompressedCopies {
    /// Reports the compressed copies of a changed document.
    pub(in crate::jobs) fn report(
        &self,
        document: &Document,
        event: &mut dyn FnMut(EditEvent<'_>),
    ) {
        let (Some(directory), Some(name)) = (document.path().parent(), document.path().file_name())
        else {
            return;
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let copies = match &mut *last {
            Some((last, copies)) if last == directory => copies,
            last => {
                &mut last
                    .insert((directory.to_owned(), compressed_in(directory)))
                    .1
            }
        };
        if copies.is_empty() {
            return;
        }
        for extension in COPIES {
            let mut copy = name.to_owned();
            copy.push(".");
            copy.push(extension);
            let path = document.path().with_file_name(&copy);
            if copies.contains(&copy) && path.is_file() {
                event(EditEvent::StaleCopy {
                    copy: &path,
                    document: document.path(),
                });
            }
        }
    }
}

/// Returns the names in a directory with the extensions of compressed copies.
fn compressed_in(directory: &Path) -> HashSet<OsString> {
    let is_copy = |name: &OsString| has_extension(Path::new(name), &COPIES);
    names_in(directory).filter(is_copy).collect()
}
