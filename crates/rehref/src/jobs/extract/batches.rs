//! Batches of short documents in memory.

use super::short::SHORT;
use crate::error::Error;
use crate::fs::{Item, WalkEntry};

/// The most documents of a batch, and their bytes: enough to make handing it over to a thread cheap.
const BYTES: usize = SHORT;
const MOST: usize = 256;

/// A file, or documents in memory that one thread reads one after another.
pub(super) enum FileBatch {
    File(Result<WalkEntry, Error>),
    Memory(Vec<WalkEntry>),
}

/// The files of a walk, with short documents in memory in batches.
pub(super) struct Batches<W: Iterator> {
    walk: W,
    /// The file after a batch.
    next: Option<W::Item>,
    /// The most documents of a batch.
    most: usize,
}

impl<W: Iterator<Item = Result<WalkEntry, Error>>> Batches<W> {
    /// Each file alone, unless they are `joined`.
    pub(super) fn new(walk: W, joined: bool) -> Self {
        Self { walk, next: None, most: if joined { MOST } else { 1 } }
    }
}

/// The length of a short document in memory.
fn short_len(file: &Result<WalkEntry, Error>) -> Option<usize> {
    match &file.as_ref().ok()?.item {
        Item::Memory(memory) => Some(memory.bytes.len()).filter(|&len| len < BYTES),
        _ => None,
    }
}

impl<W: Iterator<Item = Result<WalkEntry, Error>>> Iterator for Batches<W> {
    type Item = FileBatch;

    fn next(&mut self) -> Option<FileBatch> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < self.most
            && let Some(file) = self.next.take().or_else(|| self.walk.next())
        {
            let len = short_len(&file).filter(|len| bytes + len <= BYTES);
            match (len, file) {
                (Some(len), Ok(entry)) => {
                    bytes += len;
                    batch.push(entry);
                }
                (_, file) if batch.is_empty() => return Some(FileBatch::File(file)),
                (_, file) => {
                    self.next = Some(file);
                    break;
                }
            }
        }
        (!batch.is_empty()).then_some(FileBatch::Memory(batch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::{EntryKind, Memory};

    fn entry(item: Item) -> Result<WalkEntry, Error> {
        Ok(WalkEntry { item, root: None, kind: EntryKind::File })
    }

    fn memory(len: usize) -> Result<WalkEntry, Error> {
        entry(Item::Memory(Memory::new("-", vec![b'a'; len])))
    }

    #[test]
    fn batches_have_short_documents_up_to_their_size() {
        let path = || entry(Item::Path("a".into()));
        let files = [
            vec![memory(1), path(), memory(BYTES), memory(BYTES - 1)],
            vec![memory(1), memory(1), path()],
            (0..MOST + 1).map(|_| memory(2)).collect(),
        ];
        let lens: Vec<_> = Batches::new(files.into_iter().flatten(), true)
            .map(|batch| match batch {
                FileBatch::File(_) => 0,
                FileBatch::Memory(batch) => batch.len(),
            })
            .collect();
        assert_eq!(lens, [1, 0, 0, 2, 1, 0, MOST, 1]);
    }
}
