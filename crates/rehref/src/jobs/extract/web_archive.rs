//! The events of records of web archives, in a worker thread.

use std::sync::Arc;

use super::container::Container;
use super::document::{LARGE, Worker};
use super::event::ExtractEvent;
use super::rendered::{Rendered, Worked};
use crate::container::http::Flaws;
use crate::container::warc::{Batch, DocumentReader, Entry, Flaw, FlawKind, RawRecord, Records};
use crate::error::{Error, ErrorKind, Warning};
use crate::fs::{ArchiveRanges, error_of, kind_of};
use crate::jobs::ordered::Turn;
use crate::jobs::ranged_records::{Early, OfRange, RangedRecords};

/// An archive that is read in ranges.
pub(super) struct Archive {
    container: Arc<Container>,
    records: RangedRecords,
}

impl Archive {
    pub(super) fn new(container: &Arc<Container>, ranges: ArchiveRanges) -> Arc<Self> {
        let container = Arc::clone(container);
        Arc::new(Self { container, records: RangedRecords::new(ranges) })
    }

    /// The number of its ranges.
    pub(super) fn count(&self) -> u64 {
        self.records.count()
    }

    /// Searches the records of a range.
    pub(super) fn search<'w, P: Default + Send>(
        self: Arc<Self>,
        worker: &'w Worker<'_, P>,
        number: u64,
        turn: &mut Turn<'_, Worked<'w, P>>,
    ) -> Worked<'w, P> {
        let searched = self.records.read(number, turn, |records, turn| {
            let mut out = Rendered::default();
            self.batches(worker, records, turn, &mut out);
            out
        });
        match searched {
            OfRange::Early(early) => Worked::InTurn(Box::new(move |turn| {
                let decided = self.records.decide(number, early);
                self.decided(worker, number, decided, turn)
            })),
            decided => self.decided(worker, number, decided, turn),
        }
    }

    /// Returns the events of a range. Searches it again if they do not count.
    fn decided<'w, P: Default>(
        &self,
        worker: &Worker<'_, P>,
        number: u64,
        searched: OfRange<Rendered<P>>,
        turn: &mut Turn<'_, Worked<'w, P>>,
    ) -> Worked<'w, P> {
        let out = match searched {
            OfRange::Counted(counted) => counted.output,
            OfRange::Wrong(out) | OfRange::Early(Early { output: out, .. }) => {
                worker.held.taken(&out);
                let mut out = Rendered::default();
                if turn.wait().is_continue() && !self.container.is_done() {
                    self.records.read_again(number, |records| {
                        self.batches(worker, records, turn, &mut out);
                    });
                }
                out
            }
        };
        Worked::Part(Arc::clone(&self.container), out)
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
