//! The events of records of web archives, in a worker thread.
//!
//! A long archive is read in ranges. The records of a range are found, inflated and searched by one
//! thread, before it is known whether those before it end where it begins. In its turn that is
//! known. If they do not, the range is read again from their end.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::container::Container;
use super::document::{LARGE, Worker};
use super::event::ExtractEvent;
use super::rendered::Rendered;
use super::worked::Worked;
use crate::container::http::Flaws;
use crate::container::warc::{
    Batch, Beginning, DocumentReader, Entry, Flaw, FlawKind, Following, RawRecord, Records,
};
use crate::error::{Error, ErrorKind, Warning};
use crate::fs::{ArchiveRanges, error_of, kind_of};
use crate::jobs::ordered::Turn;
use crate::jobs::sink::lock;

/// An archive that is read in ranges.
pub(super) struct Archive {
    container: Arc<Container>,
    ranges: ArchiveRanges,
    /// What follows the records whose turn has come.
    following: Mutex<Following>,
    /// True if those share members.
    shares_members: AtomicBool,
}

impl Archive {
    pub(super) fn new(container: &Arc<Container>, ranges: ArchiveRanges) -> Arc<Self> {
        Arc::new(Self {
            container: Arc::clone(container),
            following: Mutex::new(ranges.beginning()),
            shares_members: AtomicBool::new(false),
            ranges,
        })
    }

    /// The number of its ranges.
    pub(super) fn count(&self) -> u64 {
        self.ranges.count()
    }

    /// Searches the records of a range.
    pub(super) fn search<'w, P: Default + Send>(
        self: Arc<Self>,
        worker: &'w Worker<'_, P>,
        number: u64,
        turn: &mut Turn<'_, Worked<'w, P>>,
    ) -> Worked<'w, P> {
        let shares_members = self.shares_members.load(Ordering::Relaxed);
        // An error is reported in the turn of the range.
        let found = self.ranges.records(number, shares_members);
        let Ok(found) = found else {
            return self.search_in_turn(worker, number, turn);
        };
        let (begins, mut records) = found.unzip();
        let mut out = Rendered::default();
        let is_right = Cell::new(None);
        if let Some(records) = &mut records {
            let is_counted = || {
                is_right.set(Some(self.follows(number, begins)));
                is_right.get() == Some(true)
            };
            turn.checked(is_counted, |turn| self.batches(worker, records, turn, &mut out));
        }
        let following = records.map(Records::following);
        match is_right.get() {
            None => Worked::InTurn(Box::new(move |turn| {
                let is_right = self.follows(number, begins);
                self.counted(worker, number, (is_right, following, out), turn)
            })),
            Some(is_right) => self.counted(worker, number, (is_right, following, out), turn),
        }
    }

    /// Returns the events of a range, or searches it again if they are not right.
    fn counted<'w, P: Default>(
        &self,
        worker: &Worker<'_, P>,
        number: u64,
        (is_right, following, out): (bool, Option<Following>, Rendered<P>),
        turn: &mut Turn<'_, Worked<'w, P>>,
    ) -> Worked<'w, P> {
        if !is_right && !self.container.is_done() {
            worker.held.taken(&out);
            return self.search_in_turn(worker, number, turn);
        }
        self.advance(following);
        Worked::Part(Arc::clone(&self.container), out)
    }

    /// Searches the records of a range after those before it.
    fn search_in_turn<'w, P: Default>(
        &self,
        worker: &Worker<'_, P>,
        number: u64,
        turn: &mut Turn<'_, Worked<'w, P>>,
    ) -> Worked<'w, P> {
        let mut out = Rendered::default();
        if turn.wait().is_continue() {
            let records = self.ranges.records_after(number, &mut lock(&self.following));
            if let Some(mut records) = records {
                self.batches(worker, &mut records, turn, &mut out);
                self.advance(Some(records.following()));
            }
        }
        Worked::Part(Arc::clone(&self.container), out)
    }

    /// Returns true if the records of a range, which begin there, are those after the ones whose
    /// turn has come.
    fn follows(&self, number: u64, begins: Option<Beginning>) -> bool {
        self.ranges.follows(number, &lock(&self.following), begins)
    }

    /// Continues after the records of a range, if it has any.
    fn advance(&self, following: Option<Following>) {
        let Some(following) = following else { return };
        if let Following::At { shares_members, .. } = following {
            self.shares_members.store(shares_members, Ordering::Relaxed);
        }
        *lock(&self.following) = following;
    }

    fn batches<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        records: &mut Records,
        turn: &mut Turn<'_, Worked<'_, P>>,
        out: &mut Rendered<P>,
    ) {
        let archive = Arc::clone(records.archive());
        for batch in records {
            let batch = batch.map_err(|error| Error::new(&*archive, kind_of(error)));
            batch_of_records(worker, batch, &self.container, turn, out);
            if worker.is_done(out) {
                return;
            }
        }
    }
}

/// Renders the events of some records. A large document is read in the turn of the part.
pub(super) fn batch_of_records<P: Default>(
    worker: &Worker<'_, P>,
    batch: Result<Batch, Error>,
    container: &Arc<Container>,
    turn: &mut Turn<'_, Worked<'_, P>>,
    out: &mut Rendered<P>,
) {
    match batch {
        Err(error) => worker.event(ExtractEvent::Error(&error), out),
        Ok(batch) => {
            records_of_batch(worker, &batch, container, turn, out);
            worker.progress(container, batch.position(), out);
        }
    }
}

fn records_of_batch<P: Default>(
    worker: &Worker<'_, P>,
    batch: &Batch,
    container: &Arc<Container>,
    turn: &mut Turn<'_, Worked<'_, P>>,
    out: &mut Rendered<P>,
) {
    let mut reader = DocumentReader::new(batch.archive(), &worker.extract.records);
    let mut resolver = worker.resolver();
    let options = &worker.extract.options;
    for content in batch.entries() {
        if worker.is_done(out) {
            return;
        }
        let record = match content {
            Entry::Record(record) => record,
            Entry::Flaw(flaw) => {
                report(worker, batch, flaw, out);
                continue;
            }
        };
        let mut read = 0;
        let mut read_rest = |limit, turn: &mut Turn<'_, Worked<'_, P>>, out: &mut Rendered<P>| {
            let mut documents = 0;
            reader.read_short(limit, &record, |document| {
                documents += 1;
                if documents > read {
                    read = documents;
                    let flush = &mut |out: &mut Rendered<P>| worker.flush(out, turn, container);
                    worker.links(document, options, &mut resolver, |_| true, out, flush);
                }
            })
        };
        let mut flaws = read_rest(LARGE, turn, out);
        if flaws.is_none() && turn.wait().is_continue() {
            flaws = read_rest(usize::MAX, turn, out);
        }
        let Some(flaws) = flaws else { return };
        if !flaws.is_empty() {
            report_response(worker, batch, &record, flaws, out);
        }
    }
}

/// Renders that something is wrong with an archive: an error if records were lost, else a warning.
fn report<P: Default>(worker: &Worker<'_, P>, batch: &Batch, flaw: &Flaw, out: &mut Rendered<P>) {
    let name = batch.name_at(flaw.offset);
    let warning = match flaw.kind {
        FlawKind::Junk => Some(Warning::ArchiveJunk),
        FlawKind::Length => Some(Warning::ArchiveLength),
        FlawKind::Misplaced => Some(Warning::ArchiveMisplaced),
        _ => None,
    };
    if let Some(warning) = warning {
        return worker.event(ExtractEvent::Warning(&name, None, warning), out);
    }
    worker.event(ExtractEvent::Error(&error_of(batch, flaw)), out);
}

/// Renders that something is wrong with a response.
fn report_response<P: Default>(
    worker: &Worker<'_, P>,
    batch: &Batch,
    record: &RawRecord<'_>,
    flaws: Flaws,
    out: &mut Rendered<P>,
) {
    let name = batch.name_at(record.record_offset);
    if flaws.is_cut || flaws.is_damaged || flaws.has_unknown_coding {
        worker.event(ExtractEvent::Warning(&name, None, Warning::HttpBody), out);
    }
    let mut error = |problem: String| {
        let error = Error::new(&*name, ErrorKind::WebArchive { problem });
        worker.event(ExtractEvent::Error(&error), out);
    };
    if flaws.exceeds_limit {
        error("the body inflates too far: the rest was not read".to_owned());
    }
    if flaws.head_is_too_long {
        error("the header of the response is longer than 1 MiB: its body was not read".to_owned());
    }
}
