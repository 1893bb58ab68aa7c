//! One pass over the archives of a run.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::container::warc::{Batch, Entry, MAX_BLOCK, RawRecord};
use crate::error::{Error, ErrorKind};
use crate::fs::{Item, ReadOptions, Reading, WebArchiveReader, error_of, presence};
use crate::jobs::Stop;
use crate::listing::Presence;
use crate::unpack::captures::RecordPosition;

/// Something that a pass comes to.
pub(super) enum Passed<'p> {
    /// A record, and the name of its archive.
    Record(RecordBlock<'p>, &'p Arc<Path>, RecordPosition),
    /// An archive, or a part of one, cannot be read.
    Error(&'p Error),
    /// Something is wrong with an archive, and no record is lost.
    Warning(&'p Error),
}

/// The longest file that is unpacked, in bytes.
pub(super) const MAX_FILE: u64 = 1 << 30;

/// A record, and the rest of its block if that is longer than [`MAX_BLOCK`].
pub(super) struct RecordBlock<'r> {
    pub(super) raw: RawRecord<'r>,
    pub(super) rest: Option<&'r mut (dyn BlockRest + 'r)>,
}

/// Reads the rest of the block of a record.
pub(super) trait BlockRest: Read {
    /// Returns true if what was read of the block ends too early.
    fn is_cut(&self) -> bool;
}

/// The rest of a block in the archive.
struct Rest<'r> {
    batches: &'r mut WebArchiveReader,
    batch: Option<Batch>,
    /// The number of bytes of the batch that were read.
    read: usize,
    is_ended: bool,
    is_cut: bool,
    /// The flaws and errors on the way, and whether something is lost.
    messages: Vec<(Error, bool)>,
}

impl<'r> Rest<'r> {
    fn of(batches: &'r mut WebArchiveReader) -> Self {
        Self { batches, batch: None, read: 0, is_ended: false, is_cut: false, messages: Vec::new() }
    }

    /// Skips the rest of the batch, and reads the next one.
    fn skip(&mut self) {
        self.is_ended |= self.batch.as_ref().is_some_and(|it| !it.continues());
        if !self.is_ended {
            self.advance();
        }
    }

    /// Reads the next batch.
    fn advance(&mut self) {
        let next = self.batches.next();
        self.read = 0;
        match next {
            Some(Ok(batch)) => {
                self.messages.extend(batch.entries().filter_map(|it| match it {
                    Entry::Flaw(flaw) => Some((error_of(&batch, flaw), flaw.kind.is_loss())),
                    Entry::Record(_) => None,
                }));
                self.is_cut |= batch.is_rest_cut();
                self.batch = Some(batch);
            }
            Some(Err(error)) => {
                self.messages.push((error, true));
                self.end_early();
            }
            None => self.end_early(),
        }
    }

    fn end_early(&mut self) {
        self.batch = None;
        (self.is_ended, self.is_cut) = (true, true);
    }
}

impl BlockRest for Rest<'_> {
    fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// An error of the system is one of the [messages](Rest::messages), and ends the block.
impl Read for Rest<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(batch) = &self.batch {
                let read = (&batch.rest()[self.read..]).read(buffer)?;
                self.read += read;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                self.is_ended |= !batch.continues();
            }
            if self.is_ended {
                return Ok(0);
            }
            self.advance();
        }
    }
}

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
            Ok(Reading::WebArchive(batches)) => batches.in_pieces(MAX_BLOCK),
            Ok(_) => {
                let problem = "not a web archive".to_owned();
                each(Passed::Error(&Error::new(path, ErrorKind::WebArchive { problem })));
                continue;
            }
            Err(error) => {
                each(Passed::Error(&error));
                continue;
            }
        };
        let (mut batches, mut record) = (batches, 0);
        while let Some(batch) = batches.next() {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => {
                    each(Passed::Error(&error));
                    continue;
                }
            };
            let is_record = |it: &Entry<'_>| matches!(it, Entry::Record(_));
            let last = batch.entries().filter(is_record).count();
            let (mut messages, mut number) = (Vec::new(), 0);
            for entry in batch.entries() {
                if stop.is_stopped() {
                    return;
                }
                match entry {
                    Entry::Record(raw) => {
                        let position = RecordPosition { archive, record };
                        number += 1;
                        let continues = batch.continues() && number == last;
                        let mut own = continues.then(|| Rest::of(&mut batches));
                        let rest = own.as_mut().map(|it| it as &mut dyn BlockRest);
                        let block = RecordBlock { raw, rest };
                        each(Passed::Record(block, batch.archive(), position));
                        record += 1;
                        // What was not read is skipped.
                        if let Some(mut rest) = own {
                            while !rest.is_ended && !stop.is_stopped() {
                                rest.skip();
                            }
                            messages = rest.messages;
                        }
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
            for (error, is_loss) in &messages {
                each(match is_loss {
                    true => Passed::Error(error),
                    false => Passed::Warning(error),
                });
            }
        }
    }
}
