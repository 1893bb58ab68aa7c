//! The records of an archive by ranges of its bytes, which any thread can read.

use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::batch::{Entry, Spares};
use super::inflated::Form;
use super::members::{MemberKind, Members};
use super::records::{Following, Records};

/// The inflated batches in which two members have to begin.
const FIRST_BATCHES: usize = 40;

/// An archive that is read in ranges.
///
/// A range is read from the first member in it with a record, or the first bytes that look like an
/// uncompressed record. That is where the records before it end, unless an archive within a record,
/// or damage, looks like a member. So the results of a range count only if the records before it
/// end [there](Beginning); otherwise it is read again from their end.
#[derive(Debug)]
pub(crate) struct RangedArchive<O> {
    archive: Arc<Path>,
    kind: MemberKind,
    form: Form,
    /// The offset of the first record.
    first: u64,
    len: u64,
    distance: u64,
    open: O,
    /// True if long blocks are read in pieces.
    in_pieces: bool,
    /// The buffers that all threads use again.
    spares: Spares,
}

/// The place at which the records of a range begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beginning {
    offset: u64,
    shares_members: bool,
}

impl<R: Read + Send + 'static, O: Fn(u64) -> R> RangedArchive<O> {
    /// Ranges of this length of an archive of `len` bytes. `open` opens it at an offset. `None` if
    /// it is short, or is not compressed by members of about a record.
    pub(crate) fn new(archive: Arc<Path>, len: u64, distance: u64, open: O) -> Option<Self> {
        if len <= distance {
            return None;
        }
        let mut records = Records::new(Arc::clone(&archive), Box::new(open(0)), Some(len));
        let (mut first, mut is_divided) = (None, false);
        'batches: for batch in records.by_ref().take(FIRST_BATCHES) {
            for entry in batch.ok()?.entries() {
                let Entry::Record(record) = entry else {
                    return None;
                };
                is_divided = record.record_offset > *first.get_or_insert(record.record_offset);
                if is_divided {
                    break 'batches;
                }
            }
        }
        let (kind, form, first) = (records.members().kind(), records.form()?, first?);
        // A line of an uncompressed ARC proves nothing.
        let is_divisible = is_divided && !(kind.is_plain() && form == Form::Arc);
        is_divisible.then(|| Self {
            archive,
            kind,
            form,
            first,
            len,
            distance,
            open,
            in_pieces: false,
            spares: Spares::default(),
        })
    }

    /// Returns the archive with long blocks [in pieces](Records::in_pieces).
    #[must_use]
    pub(crate) fn in_pieces(self) -> Self {
        Self { in_pieces: true, ..self }
    }

    /// Returns the number of ranges.
    pub(crate) fn count(&self) -> u64 {
        self.len.div_ceil(self.distance)
    }

    /// The range with this number, from 0. The last one has no end: flaws may be at the end of the
    /// file.
    fn range(&self, number: u64) -> Range<u64> {
        let end = if number + 1 < self.count() { (number + 1) * self.distance } else { u64::MAX };
        number * self.distance..end
    }

    /// The records of a range, if any seem to begin in it, and where they begin.
    pub(crate) fn records(
        &self,
        number: u64,
        shares_members: bool,
    ) -> io::Result<Option<(Beginning, Records)>> {
        let Range { start, end } = self.range(number);
        if start == 0 {
            let beginning = Beginning { offset: self.first, shares_members: false };
            return Ok(Some((beginning, self.from(beginning, end))));
        }
        let mut members = Members::of_kind(&self.kind, Box::new((self.open)(start)), start);
        if !members.find_before(end.min(self.len) - 1)? {
            return Ok(None);
        }
        let beginning = Beginning { offset: members.position(), shares_members };
        Ok(Some((beginning, self.from(beginning, end))))
    }

    fn from(&self, Beginning { offset, shares_members }: Beginning, end: u64) -> Records {
        let reader = Box::new((self.open)(offset));
        let archive = Arc::clone(&self.archive);
        let members = Members::of_kind(&self.kind, reader, offset);
        let records = Records::of_range(archive, members, self.form, end, self.len);
        let records = records.sharing_members(shares_members).with_spares(self.spares.clone());
        if self.in_pieces { records.in_pieces() } else { records }
    }

    /// The first records of the archive.
    pub(crate) fn beginning(&self) -> Following {
        Following::At { offset: self.first, shares_members: false }
    }

    /// Returns true if the records of a range that begin at `begins` are those after `following`.
    pub(crate) fn follows(
        &self,
        number: u64,
        following: &Following,
        begins: Option<Beginning>,
    ) -> bool {
        match *following {
            Following::At { offset, shares_members } => match begins {
                Some(begins) => begins == Beginning { offset, shares_members },
                None => offset >= self.range(number).end,
            },
            Following::Reader(_) => false,
        }
    }

    /// The records of a range after `following`, and where they begin. `None` if none begins in it.
    pub(crate) fn records_after(
        &self,
        number: u64,
        following: &mut Following,
    ) -> Option<(Option<Beginning>, Records)> {
        let end = self.range(number).end;
        match following {
            Following::At { offset, .. } if *offset >= end || *offset == u64::MAX => None,
            Following::At { offset, shares_members } => {
                let begins = Beginning { offset: *offset, shares_members: *shares_members };
                Some((Some(begins), self.from(begins, end)))
            }
            Following::Reader(_) => match std::mem::replace(following, self.beginning()) {
                Following::Reader(mut records) => {
                    records.continue_until(end);
                    Some((None, *records))
                }
                Following::At { .. } => None,
            },
        }
    }

    /// The records from `begins` on, up to the beginning of others.
    pub(crate) fn records_between(&self, begins: Beginning, next: Option<Beginning>) -> Records {
        self.from(begins, next.map_or(u64::MAX, |next| next.offset))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    use super::*;
    use crate::container::warc::Batch;

    /// The offsets, heads and blocks of the records, and the flaws.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct Found {
        records: Vec<(u64, u64, String, String, bool)>,
        /// In order of offsets. Flaws are found when bytes are inflated, which may be early.
        flaws: Vec<String>,
    }

    impl Found {
        fn add(&mut self, batches: impl Iterator<Item = io::Result<Batch>>) {
            for batch in batches {
                for entry in batch.unwrap().entries() {
                    match entry {
                        Entry::Record(record) => self.records.push((
                            record.record_offset,
                            record.member_offset,
                            String::from_utf8_lossy(record.head).into_owned(),
                            String::from_utf8_lossy(record.block).into_owned(),
                            record.is_cut,
                        )),
                        Entry::Flaw(flaw) => {
                            self.flaws.push(format!("{:09} {:?}", flaw.offset, flaw.kind))
                        }
                    }
                }
            }
            self.flaws.sort();
        }
    }

    fn entries(batches: impl Iterator<Item = io::Result<Batch>>) -> Found {
        let mut found = Found::default();
        found.add(batches);
        found
    }

    fn record(block: &[u8], claimed: usize) -> Vec<u8> {
        let head = format!("WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: {claimed}\r\n\r\n");
        [head.as_bytes(), block, b"\r\n\r\n"].concat()
    }

    fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Records, some with a wrong length, or with an archive in them.
    fn records() -> impl Strategy<Value = Vec<u8>> {
        let words =
            prop::sample::select(vec!["a", "words ", "WARC/1.0\r\n", "\r\n\r\n", "x: y\r\n"]);
        let block = prop_oneof![
            8 => prop::collection::vec(words, 0..20).prop_map(|words| words.concat().into_bytes()),
            2 => prop::collection::vec(any::<u8>(), 0..600),
            1 => (0..3_usize).prop_map(|times| record(b"inner", 5).repeat(times)),
            1 => (0..3_usize).prop_map(|times| gzip(&record(b"inner", 5), 0).repeat(times)),
        ];
        (block, prop_oneof![12 => Just(0), 1 => -3..20_i64]).prop_map(|(block, wrong)| {
            let claimed = usize::try_from(block.len() as i64 + wrong).unwrap_or(0);
            record(&block, claimed)
        })
    }

    fn member() -> impl Strategy<Value = Vec<u8>> {
        let records = prop_oneof![
            20 => prop::collection::vec(records(), 1..=1),
            1 => prop::collection::vec(records(), 0..4),
        ];
        (records, 0..2_u32).prop_map(|(records, level)| gzip(&records.concat(), level))
    }

    fn archive() -> impl Strategy<Value = Vec<u8>> {
        let archive = prop_oneof![
            3 => prop::collection::vec(member(), 2..30),
            1 => prop::collection::vec(records(), 2..30),
        ];
        let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
        let damage = prop_oneof![2 => Just(Vec::new()), 1 => damage];
        (archive, damage, prop_oneof![4 => Just(1.0), 1 => 0.5..1.0]).prop_map(
            |(parts, damage, kept)| {
                let mut bytes = parts.concat();
                for (at, byte) in damage {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
                bytes.truncate((bytes.len() as f64 * kept) as usize);
                bytes
            },
        )
    }

    proptest! {
        #![proptest_config(crate::tier::cases(500))]

        #[test]
        fn ranges_of_an_archive_have_its_records(
            bytes in archive(),
            count in 2..12_u64,
            // Ranges that are not read ahead of their turn.
            is_late in any::<bool>(),
        ) {
            let name: Arc<Path> = Path::new("a.warc").into();
            let bytes: Arc<[u8]> = bytes.into();
            let len = bytes.len() as u64;
            let distance = (len / count).max(1);
            let whole = Records::new(Arc::clone(&name), Box::new(Cursor::new(Arc::clone(&bytes))), Some(len));
            let expected = entries(whole);
            let open = |offset: u64| {
                let mut reader = Cursor::new(Arc::clone(&bytes));
                reader.set_position(offset);
                reader
            };
            let Some(archive) = RangedArchive::new(name, len, distance, open) else {
                return Ok(());
            };
            let (mut following, mut found) = (archive.beginning(), Found::default());
            for number in 0..archive.count() {
                let shares_members = match following {
                    Following::At { shares_members, .. } if is_late => shares_members,
                    _ => false,
                };
                let (begins, mut records) = archive.records(number, shares_members).unwrap().unzip();
                let own = records.as_mut().map(entries);
                if archive.follows(number, &following, begins) {
                    let own = own.unwrap_or_default();
                    found.records.extend(own.records);
                    found.flaws.extend(own.flaws);
                    following = records.map_or(following, Records::following);
                } else if let Some((_, mut records)) = archive.records_after(number, &mut following) {
                    found.add(&mut records);
                    following = records.following();
                }
            }
            found.flaws.sort();
            prop_assert_eq!(found, expected);
        }
    }
}
