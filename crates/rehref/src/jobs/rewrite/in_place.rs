//! Replacing files.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, ErrorKind};
use crate::fs::journal::{Edit, Root};
use crate::fs::{Item, directory_of, sweep};
use crate::jobs::edits::{EditEvent, ShownRoot, root_of};

use super::options::InPlace;

/// Replaces files, at once or by a journal.
pub(super) struct Replacing {
    /// The root with the journal. Without one each file is replaced at once.
    pub(super) root: Option<(Root, ShownRoot)>,
    /// The suffix of the names of backups.
    pub(super) backup: Option<String>,
    /// The directories in which files were replaced at once.
    entered: Mutex<HashSet<PathBuf>>,
}

impl Replacing {
    pub(super) fn new(options: &InPlace, items: &[Item]) -> Result<Self, Error> {
        let root = match &options.root {
            _ if options.no_journal => None,
            Some(directory) => Some(root_of(Some(directory), items)?),
            // Without a root there are no files either, and each item is an error of its own.
            None => root_of(None, items).ok(),
        };
        Ok(Self { root, backup: options.backup.clone(), entered: Mutex::default() })
    }

    /// Replaces the file of a document at once by this content.
    pub(super) fn replace(
        &self,
        name: &Path,
        content: &[u8],
        event: &mut dyn FnMut(EditEvent<'_>),
    ) -> Result<(), Error> {
        let directory = directory_of(name);
        let mut entered = self.entered.lock().unwrap_or_else(PoisonError::into_inner);
        if entered.insert(directory.to_owned()) {
            sweep(directory);
        }
        drop(entered);
        let backup = self.backup.as_deref();
        if let Some(suffix) = backup {
            crate::fs::back_up(name, suffix)?;
        }
        // The backup is a hard link, and keeps the old content as it should.
        let replaced = crate::fs::replace(name, content)?;
        let links = replaced.links.saturating_sub(u64::from(backup.is_some()));
        if links > 0 {
            event(EditEvent::HardLinks(name, links));
        }
        if replaced.is_stripped {
            event(EditEvent::LostAttributes(name));
        }
        Ok(())
    }

    /// The edit of a file with this name and these bytes, for the journal in this root. `links` is
    /// the number of links, unless each change is one.
    pub(super) fn edit<'c>(
        &self,
        root: &Root,
        (name, old): (&Path, &[u8]),
        changes: impl IntoIterator<Item = (Range<usize>, &'c [u8])> + Clone,
        links: Option<u64>,
    ) -> Result<Edit, Error> {
        let path = std::path::absolute(name);
        let path = path.map_err(|error| Error::new(name, ErrorKind::Read(error)))?;
        let edit = Edit::of_links(root, &path, old, (changes, links), self.backup.as_deref());
        edit.map_err(|error| error.about(name))
    }
}
