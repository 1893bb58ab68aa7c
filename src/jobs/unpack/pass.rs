//! One pass over the archives of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::container::warc::{Entry, RawRecord};
use crate::error::{Error, ErrorKind};
use crate::fs::{Item, ReadOptions, Reading, error_of, presence};
use crate::jobs::Stop;
use crate::site::captures::RecordPosition;
use crate::site::check::Presence;

/// Something that a pass comes to.
pub(super) enum Passed<'p> {
    /// A record, and the name of its archive.
    Record(&'p RawRecord<'p>, &'p Arc<Path>, RecordPosition),
    /// An archive, or a part of one, cannot be read.
    Error(&'p Error),
    /// Something is wrong with an archive, and no record is lost.
    Warning(&'p Error),
}

/// The longest file that is unpacked, in bytes. A record is held in memory.
pub(super) const MAX_FILE: usize = 1 << 30;

/// Refuses archives that are not regular files: a pipe has nothing left for the second pass.
pub(super) fn check(archives: &[PathBuf]) -> Result<(), Error> {
    let is_special = |path: &&PathBuf| {
        let len = Item::Path(path.to_path_buf()).byte_len();
        presence(path) == Presence::File && len.is_none()
    };
    match archives.iter().find(is_special) {
        None => Ok(()),
        Some(path) => {
            let problem = "not a regular file: archives are read twice".to_owned();
            Err(Error::new(path, ErrorKind::WebArchive { problem }))
        }
    }
}

/// Reads archives from their beginning to their end.
pub(super) fn pass(archives: &[PathBuf], stop: &Stop, mut each: impl FnMut(Passed<'_>)) {
    for (archive, path) in (0_u32..).zip(archives) {
        let batches = match ReadOptions::default().read_or_stream(&Item::Path(path.clone())) {
            Ok(Reading::WebArchive(batches)) => batches.max_block(MAX_FILE),
            Ok(_) => {
                let problem = "not a web archive".to_owned();
                each(Passed::Error(&Error::new(
                    path,
                    ErrorKind::WebArchive { problem },
                )));
                continue;
            }
            Err(error) => {
                each(Passed::Error(&error));
                continue;
            }
        };
        let mut record = 0;
        for batch in batches {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => {
                    each(Passed::Error(&error));
                    continue;
                }
            };
            for entry in batch.entries() {
                if stop.is_stopped() {
                    return;
                }
                match entry {
                    Entry::Record(raw) => {
                        let position = RecordPosition { archive, record };
                        each(Passed::Record(&raw, batch.archive(), position));
                        record += 1;
                    }
                    Entry::Flaw(flaw) => {
                        let error = error_of(&batch, flaw);
                        each(match flaw.kind.is_loss() {
                            true => Passed::Error(&error),
                            false => Passed::Warning(&error),
                        });
                    }
                }
            }
        }
    }
}
