//! Records of an archive, with the bytes that contain them.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::flaw::Flaw;
use super::head::RecordHead;

/// The maximum length of a buffer that is used again, in bytes.
const MAX_SPARE: usize = 2 << 20;

/// The maximum number of buffers that wait to be used again.
const MAX_SPARES: usize = 16;

/// A record as stored, without codings of its block undone.
#[derive(Clone, Copy, Debug)]
pub struct RawRecord<'b> {
    /// The offset in the archive file of the gzip member, zstd frame or uncompressed record in
    /// which it begins.
    pub record_offset: u64,
    /// Its offset in the inflated member or frame; 0 if it is not compressed.
    pub member_offset: u64,
    /// The head: the version and the fields of WARC, the line of ARC.
    pub head: &'b [u8],
    /// The block: the content of the record, such as an HTTP response.
    pub block: &'b [u8],
    /// True if the block is incomplete: the archive is truncated or damaged in it, or the block is
    /// longer than [`MAX_BLOCK`](super::MAX_BLOCK).
    pub is_cut: bool,
}

impl<'b> RawRecord<'b> {
    /// Reads the head.
    pub fn fields(&self) -> RecordHead<'b> {
        RecordHead::read(self.head)
    }
}

/// An entry of a [`Batch`].
#[derive(Clone, Copy, Debug)]
pub enum Entry<'b> {
    /// A record.
    Record(RawRecord<'b>),
    /// A flaw of the archive.
    Flaw(&'b Flaw),
}

/// Adjacent records of an archive, and the flaws between them.
#[derive(Debug)]
pub struct Batch {
    pub(super) archive: Arc<Path>,
    pub(super) bytes: Vec<u8>,
    pub(super) entries: Vec<Stored>,
    pub(super) position: u64,
    pub(super) spares: Spares,
    pub(super) rest: Piece,
}

/// A piece of the rest of a long block, which the batches before it began.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) bytes: Range<usize>,
    /// True if the next batch has more of it.
    pub(super) continues: bool,
    /// True if it ends before the block.
    pub(super) is_cut: bool,
}

#[derive(Debug)]
pub(super) enum Stored {
    Record(StoredRecord),
    Flaw(Flaw),
}

#[derive(Debug)]
pub(super) struct StoredRecord {
    pub(super) record_offset: u64,
    pub(super) member_offset: u64,
    pub(super) head: Range<usize>,
    pub(super) block: Range<usize>,
    pub(super) is_cut: bool,
}

impl Batch {
    /// A flaw of an archive, without records.
    pub(crate) fn of_flaw(archive: Arc<Path>, flaw: Flaw) -> Self {
        Self {
            archive,
            bytes: Vec::new(),
            entries: vec![Stored::Flaw(flaw)],
            position: 0,
            spares: Spares::default(),
            rest: Piece::default(),
        }
    }

    /// A piece of the rest of a long block: see [`Records::in_pieces`](super::Records::in_pieces).
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.rest.bytes.clone()]
    }

    /// Returns true if the next batch has more of the block of the last record, or of the rest.
    pub(crate) fn continues(&self) -> bool {
        self.rest.continues
    }

    /// Returns true if the rest of a block ends too early.
    pub(crate) fn is_rest_cut(&self) -> bool {
        self.rest.is_cut
    }

    /// The name of the archive: `X.wacz!archive/Y.warc.gz` in a WACZ.
    pub fn archive(&self) -> &Arc<Path> {
        &self.archive
    }

    /// The name of a place in the archive: `ARCHIVE!OFFSET`.
    pub fn name_at(&self, offset: u64) -> PathBuf {
        let mut name = self.archive.as_os_str().to_owned();
        name.push(format!("!{offset}"));
        name.into()
    }

    /// The records and flaws, in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.entries.iter().map(|entry| match entry {
            Stored::Flaw(flaw) => Entry::Flaw(flaw),
            Stored::Record(record) => Entry::Record(RawRecord {
                record_offset: record.record_offset,
                member_offset: record.member_offset,
                head: &self.bytes[record.head.clone()],
                block: &self.bytes[record.block.clone()],
                is_cut: record.is_cut,
            }),
        })
    }

    /// The length of the inflated records, in bytes.
    pub fn byte_len(&self) -> usize {
        let last = self.entries.iter().rev().find_map(|entry| match entry {
            Stored::Record(record) => Some(record.block.end),
            Stored::Flaw(_) => None,
        });
        last.unwrap_or(0)
    }

    /// The number of bytes of the file that were read.
    pub fn position(&self) -> u64 {
        self.position
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.spares.put(std::mem::take(&mut self.bytes));
    }
}

/// Buffers of batches that are done, and of readers. Allocating a new one for each batch took a tenth
/// of the time of inflating it.
#[derive(Clone, Debug, Default)]
pub(super) struct Spares(Arc<Mutex<Vec<Vec<u8>>>>);

impl Spares {
    pub(super) fn take(&self) -> Vec<u8> {
        let mut spares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spares.pop().unwrap_or_default()
    }

    pub(super) fn put(&self, buffer: Vec<u8>) {
        let mut spares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.len() <= MAX_SPARE && spares.len() < MAX_SPARES {
            spares.push(buffer);
        }
    }
}
