//! Compressed copies of documents, which servers send in their place.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::event::EditEvent;
use crate::document::Document;
use crate::fs::names_in;
use crate::jobs::names::{COPIES, has_extension};

/// Finds the compressed copies of documents. Remembers those of the last directory: documents come
/// directory by directory.
#[derive(Default)]
pub(in crate::jobs) struct CompressedCopies {
    /// Those in directories that were listed.
    listed: HashMap<OsString, HashSet<OsString>>,
    last: Mutex<Option<(PathBuf, HashSet<OsString>)>>,
}

impl CompressedCopies {
    /// Those in `directories`, which hold these compressed files and no others.
    pub(in crate::jobs) fn of_listed<'p>(
        directories: impl Iterator<Item = &'p PathBuf>,
        copies: impl Iterator<Item = &'p Path>,
    ) -> Self {
        let directories = directories.map(|it| (it.clone().into_os_string(), HashSet::new()));
        let mut listed: HashMap<_, HashSet<OsString>> = directories.collect();
        for copy in copies {
            let directory = copy.parent().unwrap_or(Path::new("")).as_os_str();
            if let (Some(names), Some(name)) = (listed.get_mut(directory), copy.file_name()) {
                names.insert(name.to_owned());
            }
        }
        Self { listed, last: Mutex::default() }
    }

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
        let mut last;
        let copies = match self.listed.get(directory.as_os_str()) {
            Some(copies) => copies,
            None => {
                last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                match &mut *last {
                    Some((last, copies)) if last == directory => copies,
                    last => {
                        let found = (directory.to_owned(), compressed_in(directory));
                        &last.insert(found).1
                    }
                }
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
                event(EditEvent::StaleCopy { copy: &path, document: document.path() });
            }
        }
    }
}

/// Returns the names in a directory with the extensions of compressed copies.
fn compressed_in(directory: &Path) -> HashSet<OsString> {
    let is_copy = |name: &OsString| is_copy(Path::new(name));
    names_in(directory).filter(is_copy).collect()
}

/// Returns true if a file may be a compressed copy.
pub(in crate::jobs) fn is_copy(name: &Path) -> bool {
    has_extension(name, &COPIES)
}
