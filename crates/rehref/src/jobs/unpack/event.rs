//! The events of a run that unpacks web archives.

use crate::error::Error;
use crate::fs::Put;
use crate::records::{MissingRecord, RedirectRecord, UnpackSummary, UnpackedFileRecord};

/// A result or message of a run that unpacks web archives.
#[derive(Debug)]
#[non_exhaustive]
pub enum UnpackEvent<'e> {
    /// Files are written from now on. Their number.
    Writing(usize),
    /// A file was written, would be in a dry run, or exists already.
    File(&'e UnpackedFileRecord<'e>, Put),
    /// A redirect.
    Redirect(&'e RedirectRecord<'e>),
    /// A URL without a whole file.
    Missing(&'e MissingRecord<'e>),
    /// An archive, or a part of one, could not be read, or a file could not be written.
    Error(&'e Error),
    /// Something is wrong with an archive, and all of it was read nevertheless; or a capture with a
    /// long URL was left out.
    Warning(&'e Error),
}

/// The result of a run that unpacks web archives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnpackReport {
    /// The numbers that do not depend on what the directory had before.
    pub summary: UnpackSummary,
    /// The number of files that were created, or would be.
    pub new: usize,
    /// The number of files that were replaced, or would be.
    pub replaced: usize,
    /// The number of files that existed already.
    pub same: usize,
    /// True if the run ended early.
    pub interrupted: bool,
}

impl UnpackReport {
    pub(super) fn count(&mut self, put: Put) {
        *match put {
            Put::New => &mut self.new,
            Put::Replaced => &mut self.replaced,
            Put::Same => &mut self.same,
        } += 1;
    }
}
