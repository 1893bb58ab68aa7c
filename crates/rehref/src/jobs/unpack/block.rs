//! The blocks of records, also long ones.

use std::io::{self, Read};

use crate::container::warc::{Batch, Entry, MAX_BLOCK, RawRecord, Records};
use crate::error::Error;
use crate::fs::{error_of, kind_of};

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

/// Records whose long blocks are in pieces.
pub(super) fn in_pieces(records: Records) -> Records {
    records.max_block(MAX_BLOCK).in_pieces()
}

/// The rest of a block in the archive.
pub(super) struct Rest<'r> {
    batches: &'r mut Records,
    batch: Option<Batch>,
    /// The number of bytes of the batch that were read.
    read: usize,
    is_ended: bool,
    is_cut: bool,
    /// The flaws and errors on the way, and whether something is lost.
    messages: Vec<(Error, bool)>,
}

impl<'r> Rest<'r> {
    pub(super) fn of(batches: &'r mut Records) -> Self {
        Self { batches, batch: None, read: 0, is_ended: false, is_cut: false, messages: Vec::new() }
    }

    /// Skips what was not read of the block, unless `is_stopped` returns true. Returns the flaws and
    /// errors on the way, and true for each that has lost something.
    pub(super) fn skip(mut self, is_stopped: impl Fn() -> bool) -> Vec<(Error, bool)> {
        while !self.is_ended && !is_stopped() {
            self.is_ended |= self.batch.as_ref().is_some_and(|it| !it.continues());
            if !self.is_ended {
                self.advance();
            }
        }
        self.messages
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
                let error = Error::new(&**self.batches.archive(), kind_of(error));
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

/// An error of the system is one of the messages, and ends the block.
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
