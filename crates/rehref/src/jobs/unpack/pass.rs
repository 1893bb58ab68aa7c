//! A pass over the archives of a run, in threads.
//!
//! The first pass divides archives into ranges, and finds where the records of each begin. The
//! second one divides them there. So it comes to the same records, which have the same numbers.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::block::{BlockRest, RecordBlock, Rest, in_pieces};
use crate::container::warc::{Batch, Beginning, Entry, Records};
use crate::error::{Error, ErrorKind};
use crate::fs::{
    ArchiveRanges, ArchiveRecords, Item, ReadOptions, Reading, WebArchiveReader, error_of, kind_of,
    presence,
};
use crate::jobs::Stop;
use crate::jobs::ordered::{self, Bounds, Outcome, Parts, Turn};
use crate::jobs::ranged_records::{Counted, Early, OfRange, RangedRecords};
use crate::jobs::sink::lock;
use crate::listing::Presence;
use crate::unpack::captures::RecordPosition;

/// The work on records, in any thread.
pub(super) trait RecordWork: Sync {
    /// Memory that is used again from record to record.
    type State;
    /// The results of adjacent records.
    type Results: Send;

    fn state(&self) -> Self::State;

    fn begin(&self) -> Self::Results;

    /// Works on a record. In the first pass, its number counts from the first one of the results.
    fn record(
        &self,
        block: RecordBlock<'_>,
        archive: &Arc<Path>,
        position: RecordPosition,
        to: (&mut Self::State, &mut Self::Results),
    );

    /// Adds an error, or a warning if no record is lost.
    fn message(&self, message: Error, is_loss: bool, results: &mut Self::Results);
}

/// The archives of a run.
#[derive(Clone, Copy)]
pub(super) struct Archives<'a> {
    pub(super) files: &'a [Item],
    pub(super) threads: NonZeroUsize,
    pub(super) stop: &'a Stop,
}

/// The places where archives are divided.
#[derive(Default)]
pub(super) struct Divisions {
    /// For each file, the archives in it.
    files: Vec<Vec<Vec<Segment>>>,
}

/// Records that follow each other in an archive.
#[derive(Clone, Copy)]
struct Segment {
    /// `None` if the archive is not divided.
    begins: Option<Beginning>,
    /// The number of the first one in its file.
    record: u32,
}

/// The place of records: the number of the file, and of the archive in it.
#[derive(Clone, Copy)]
struct Place {
    file: u32,
    archive: usize,
}

/// A part of a file.
enum Part {
    Message(Place, Error, bool),
    /// An archive that is not divided, and the number of its first record.
    Stream(Place, Box<Records>, u32),
    /// A range of an archive in the first pass.
    Range(Place, Arc<RangedRecords>, u64),
    /// A segment of an archive in the second pass, and the beginning of the next one.
    Segment(Place, Arc<ArchiveRanges>, Segment, Option<Beginning>),
}

/// The results of a part.
enum Done<'w, R> {
    Results {
        place: Place,
        begins: Option<Beginning>,
        /// The number of records.
        count: u32,
        results: R,
    },
    /// Results that those before them decide.
    InTurn(Box<InTurn<'w, R>>),
}

type InTurn<'w, R> = dyn FnOnce(&mut Turn<'_, Done<'w, R>>) -> Done<'w, R> + Send + 'w;

/// The length of an archive that is not divided, in bytes, up to which its results are held until
/// their turn.
const SHORT: u64 = 4 << 20;

/// The length of a block in bytes from which on one is in work at a time.
const LONG: usize = 2 << 20;

/// Refuses archives that are not regular files: a pipe has nothing left for the second pass.
pub(super) fn check(archives: &[Item]) -> Result<(), Error> {
    let is_special = |archive: &&Item| match archive {
        Item::Stdin => true,
        Item::Path(path) => presence(path) == Presence::File && archive.byte_len().is_none(),
        Item::Slice(_) | Item::Memory(_) | Item::Opened(_) => false,
    };
    match archives.iter().find(is_special) {
        None => Ok(()),
        Some(archive) => {
            let problem = "not a regular file: archives are read twice".to_owned();
            Err(Error::new(archive.name(), ErrorKind::WebArchive { problem }))
        }
    }
}

impl Archives<'_> {
    /// The first pass. `take` gets the results in order, with the position of the first record.
    pub(super) fn first_pass<W: RecordWork>(
        self,
        work: &W,
        mut take: impl FnMut(RecordPosition, W::Results) + Send,
    ) -> Divisions {
        let mut files: Vec<Vec<Vec<Segment>>> = Vec::new();
        files.resize_with(self.files.len(), Vec::new);
        let mut next = RecordPosition::default();
        self.pass(work, None, |place, begins, count, results| {
            if next.archive != place.file {
                next = RecordPosition { archive: place.file, record: 0 };
            }
            let archives = &mut files[place.file as usize];
            if archives.len() <= place.archive {
                archives.resize_with(place.archive + 1, Vec::new);
            }
            let segments = &mut archives[place.archive];
            if begins.is_some() || segments.is_empty() {
                segments.push(Segment { begins, record: next.record });
            }
            take(next, results);
            next.record += count;
        });
        Divisions { files }
    }

    /// The second pass. `take` gets the results in order.
    pub(super) fn second_pass<W: RecordWork>(
        self,
        work: &W,
        divisions: &Divisions,
        mut take: impl FnMut(W::Results) + Send,
    ) {
        self.pass(work, Some(divisions), |_, _, _, results| take(results));
    }

    fn pass<W: RecordWork>(
        self,
        work: &W,
        divisions: Option<&Divisions>,
        mut take: impl FnMut(Place, Option<Beginning>, u32, W::Results) + Send,
    ) {
        let pass = Pass { work, divisions, stop: self.stop, long: Mutex::new(()) };
        let files = (0..).zip(self.files.iter().cloned());
        let mut take = |done| take_done(done, &mut take);
        ordered::run(Bounds::of_files(self.threads), files, &Files(&pass), |done| {
            if self.stop.is_stopped() {
                return ControlFlow::Break(());
            }
            take(done)
        });
    }
}

/// Takes results, after those that they wait for.
fn take_done<'w, R>(
    done: Done<'w, R>,
    take: &mut (dyn FnMut(Place, Option<Beginning>, u32, R) + Send),
) -> ControlFlow<()> {
    match done {
        Done::Results { place, begins, count, results } => {
            take(place, begins, count, results);
            ControlFlow::Continue(())
        }
        Done::InTurn(work) => {
            let done = ordered::in_turn(&mut |done| take_done(done, take), |turn| work(turn))?;
            take_done(done, take)
        }
    }
}

/// A pass over archives.
struct Pass<'w, W> {
    work: &'w W,
    /// Those of the first pass, in the second one.
    divisions: Option<&'w Divisions>,
    stop: &'w Stop,
    /// Held for a long block: what is made of it may take many times its memory.
    long: Mutex<()>,
}

/// The work on files and their parts.
struct Files<'w, W>(&'w Pass<'w, W>);

impl<'w, W: RecordWork> ordered::Work<'w> for Files<'w, W> {
    type File = (u32, Item);
    type Part = Part;
    type Done = Done<'w, W::Results>;

    fn file(
        &self,
        (file, archive): Self::File,
        _: &mut Turn<'_, Self::Done>,
    ) -> Outcome<'w, Self::Done, Part> {
        let error = match ReadOptions::default().read_or_stream(&archive) {
            Ok(Reading::WebArchive(reader)) => {
                return Outcome::Parts(Parts::of_stream(self.0.parts(file, *reader)));
            }
            Ok(_) => {
                let problem = "not a web archive".to_owned();
                Error::new(archive.name(), ErrorKind::WebArchive { problem })
            }
            Err(error) => error,
        };
        Outcome::Done(self.0.message(Place { file, archive: 0 }, error, true))
    }

    fn part(&self, part: Part, turn: &mut Turn<'_, Self::Done>) -> Self::Done {
        let pass = self.0;
        match part {
            Part::Message(place, error, is_loss) => pass.message(place, error, is_loss),
            Part::Stream(place, records, first) => pass.stream(place, records, first, turn),
            Part::Range(place, ranges, number) => {
                match ranges.read(number, turn, |records, _| pass.records(place, records, 0)) {
                    OfRange::Early(early) => Done::InTurn(Box::new(move |turn| {
                        let decided = ranges.decide(number, early);
                        pass.decided(place, &ranges, number, decided, turn)
                    })),
                    decided => pass.decided(place, &ranges, number, decided, turn),
                }
            }
            Part::Segment(place, ranges, segment, next) => {
                let records = segment.begins.map(|it| ranges.records_between(it, next));
                let output = records
                    .and_then(|mut records| pass.records(place, &mut records, segment.record));
                let (results, count) = output.unwrap_or_else(|| (pass.work.begin(), 0));
                Done::Results { place, begins: None, count, results }
            }
        }
    }

    fn size(_: &Part) -> usize {
        // Records are inflated one after another.
        1 << 20
    }
}

impl<'w, W: RecordWork> Pass<'w, W> {
    /// The parts of a file.
    fn parts(
        &self,
        file: u32,
        reader: WebArchiveReader,
    ) -> impl Iterator<Item = Part> + use<'w, W> {
        let divisions = self.divisions.map(|it| it.files.get(file as usize));
        reader.archives().enumerate().flat_map(move |(archive, records)| {
            let place = Place { file, archive };
            let segments = divisions
                .map(|file| file.and_then(|file| file.get(archive)).map_or(&[][..], Vec::as_slice));
            let (mut one, mut ranges, mut parts) = (None, None, None);
            match (records, segments) {
                (Ok(ArchiveRecords::Ranges(archive)), None) => {
                    ranges = Some(Arc::new(RangedRecords::new(archive.in_pieces())));
                }
                (Ok(ArchiveRecords::Ranges(archive)), Some(segments)) => {
                    parts = Some((Arc::new(archive.in_pieces()), segments));
                }
                (Ok(ArchiveRecords::Stream(records)), segments) => {
                    let first = segments.and_then(|it| it.first()).map_or(0, |it| it.record);
                    one = Some(Part::Stream(place, Box::new(in_pieces(*records)), first));
                }
                (Ok(ArchiveRecords::Flaw(batch)), _) => one = Some(message_of(place, &batch)),
                (Err(error), _) => one = Some(Part::Message(place, error, true)),
            }
            let ranges = ranges.into_iter().flat_map(move |ranges| {
                (0..ranges.count()).map(move |it| Part::Range(place, Arc::clone(&ranges), it))
            });
            let segments = parts.into_iter().flat_map(move |(archive, segments)| {
                let next = segments.iter().skip(1).map(|it| it.begins).chain([None]);
                segments.iter().zip(next).map(move |(segment, next)| {
                    Part::Segment(place, Arc::clone(&archive), *segment, next)
                })
            });
            one.into_iter().chain(ranges).chain(segments)
        })
    }

    fn message(&self, place: Place, error: Error, is_loss: bool) -> Done<'w, W::Results> {
        let mut results = self.work.begin();
        self.work.message(error, is_loss, &mut results);
        Done::Results { place, begins: None, count: 0, results }
    }

    /// Works on an archive that is not divided. The results of a long one are passed in its turn.
    fn stream(
        &self,
        place: Place,
        mut records: Box<Records>,
        first: u32,
        turn: &mut Turn<'_, Done<'w, W::Results>>,
    ) -> Done<'w, W::Results> {
        let (mut results, mut count, mut before) = (self.work.begin(), 0, 0);
        let mut state = self.work.state();
        while let Some(batch) = records.next() {
            // In the first pass, numbers count from the first record of the results.
            let at = if self.divisions.is_some() { first + before + count } else { count };
            count += self.batch(place, batch, &mut records, at, (&mut state, &mut results));
            if records.bytes_read() > SHORT {
                let done = Done::Results { place, begins: None, count, results };
                let flow = turn.pass(done);
                (before, count) = (before + count, 0);
                results = self.work.begin();
                if flow.is_break() {
                    break;
                }
            }
        }
        Done::Results { place, begins: None, count, results }
    }

    /// Works on all records of a reader, which begin with this number.
    fn records(
        &self,
        place: Place,
        records: &mut Records,
        first: u32,
    ) -> Option<(W::Results, u32)> {
        let (mut results, mut count) = (self.work.begin(), 0);
        let mut state = self.work.state();
        while let Some(batch) = records.next() {
            let of = (&mut state, &mut results);
            count += self.batch(place, batch, records, first + count, of);
        }
        Some((results, count))
    }

    /// Works on a batch of records. Returns their number.
    fn batch(
        &self,
        place: Place,
        batch: std::io::Result<Batch>,
        records: &mut Records,
        first: u32,
        (state, results): (&mut W::State, &mut W::Results),
    ) -> u32 {
        let batch = match batch {
            Ok(batch) => batch,
            Err(error) => {
                let error = Error::new(&**records.archive(), kind_of(error));
                self.work.message(error, true, results);
                return 0;
            }
        };
        let is_record = |it: &Entry<'_>| matches!(it, Entry::Record(_));
        let last = batch.entries().filter(is_record).count();
        let (mut messages, mut number) = (Vec::new(), 0);
        for entry in batch.entries() {
            if self.stop.is_stopped() {
                break;
            }
            match entry {
                Entry::Record(raw) => {
                    let position = RecordPosition { archive: place.file, record: first + number };
                    number += 1;
                    let continues = batch.continues() && number as usize == last;
                    let mut own = continues.then(|| Rest::of(records));
                    let rest = own.as_mut().map(|it| it as &mut dyn BlockRest);
                    let block = RecordBlock { raw, rest };
                    let _long = (raw.block.len() > LONG).then(|| lock(&self.long));
                    self.work.record(block, batch.archive(), position, (state, results));
                    // What was not read is skipped.
                    if let Some(rest) = own {
                        messages = rest.skip(|| self.stop.is_stopped());
                    }
                }
                Entry::Flaw(flaw) => {
                    self.work.message(error_of(&batch, flaw), flaw.kind.is_loss(), results);
                }
            }
        }
        for (error, is_loss) in messages {
            self.work.message(error, is_loss, results);
        }
        number
    }

    /// The results of a range of the first pass. Reads it again if they do not count.
    fn decided(
        &self,
        place: Place,
        ranges: &RangedRecords,
        number: u64,
        read: OfRange<Option<(W::Results, u32)>>,
        turn: &mut Turn<'_, Done<'w, W::Results>>,
    ) -> Done<'w, W::Results> {
        let counted = match read {
            OfRange::Counted(counted) => Some(counted),
            OfRange::Wrong(_) | OfRange::Early(Early { .. }) if turn.wait().is_break() => None,
            OfRange::Wrong(_) | OfRange::Early(Early { .. }) => {
                ranges.read_again(number, |records| self.records(place, records, 0))
            }
        };
        let (begins, output) =
            counted.map_or((None, None), |it: Counted<_>| (it.begins, it.output));
        let (results, count) = output.unwrap_or_else(|| (self.work.begin(), 0));
        Done::Results { place, begins, count, results }
    }
}

/// The message that an archive in a WACZ is not read.
fn message_of(place: Place, batch: &Batch) -> Part {
    let flaw = batch.entries().find_map(|entry| match entry {
        Entry::Flaw(flaw) => Some((error_of(batch, flaw), flaw.kind.is_loss())),
        Entry::Record(_) => None,
    });
    let (error, is_loss) = flaw.unwrap_or_else(|| {
        let problem = "not read".to_owned();
        (Error::new(&**batch.archive(), ErrorKind::WebArchive { problem }), true)
    });
    Part::Message(place, error, is_loss)
}
