//! Records with the content of an earlier one.

use std::collections::HashSet;
use std::hash::BuildHasher;

use super::batch::{Batch, Stored};
use super::head::RecordHead;

/// The digests of the contents that were read. Cost: 8 bytes of memory and about as much again for
/// each record.
#[derive(Debug, Default)]
pub struct Duplicates {
    /// Hashes of the digests.
    seen: HashSet<u64, foldhash::fast::FixedState>,
}

impl Duplicates {
    /// Removes the records from a batch whose `WARC-Payload-Digest` an earlier record has. Records
    /// without one remain.
    pub fn remove_from(&mut self, batch: &mut Batch) {
        let Batch { bytes, entries, .. } = batch;
        entries.retain(|entry| {
            let Stored::Record(record) = entry else {
                return true;
            };
            let head = RecordHead::read(&bytes[record.head.clone()]);
            // The digest of a revisit is that of another record. The digest of a request is that of
            // its block.
            let Some(digest) = head.payload_digest.as_deref().filter(|_| !head.is("revisit"))
            else {
                return true;
            };
            let digest = digest.to_ascii_lowercase();
            let hash = foldhash::quality::FixedState::default().hash_one(&digest);
            self.seen.insert(hash)
        });
    }
}
