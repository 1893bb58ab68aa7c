//! The events of records of web archives, in a worker thread.

use super::document::Worker;
use super::event::ExtractEvent;
use super::rendered::{Flush, Place, Rendered};
use crate::container::http::Flaws;
use crate::container::warc::{Batch, DocumentReader, Entry, Flaw, FlawKind, RawRecord};
use crate::error::{Error, ErrorKind, Warning};
use crate::fs::{Work, error_of};

/// The length of a document in bytes from which on its links are delivered in pieces: they may take
/// many times as much memory.
const LARGE: usize = 2 << 20;

/// Renders the events of records from `from` on. Calls `flush` when a piece is large. Without it,
/// returns the place of the first large document, which is not read.
pub(super) fn records<P: Default>(
    worker: &Worker<'_, P>,
    work: &Work,
    from: Place,
    out: &mut Rendered<P>,
    mut flush: Option<&mut Flush<'_, P>>,
) -> Option<Place> {
    let part = match work {
        Work::Batch(batch) => return records_of_batch(worker, batch, from, out, flush),
        Work::Part(part) => part,
    };
    let mut first = 0;
    for batch in part.batches() {
        let entries = batch.entries().count();
        // A part is inflated again up to the place.
        if first + entries > from.entry {
            let within = Place {
                entry: from.entry.saturating_sub(first),
                documents: if from.entry < first { 0 } else { from.documents },
            };
            let flush = flush.as_deref_mut();
            if let Some(place) = records_of_batch(worker, &batch, within, out, flush) {
                let entry = first + place.entry;
                return Some(Place { entry, ..place });
            }
        }
        first += entries;
    }
    None
}

/// Like [`records`], for a batch.
fn records_of_batch<P: Default>(
    worker: &Worker<'_, P>,
    batch: &Batch,
    from: Place,
    out: &mut Rendered<P>,
    mut flush: Option<&mut Flush<'_, P>>,
) -> Option<Place> {
    let mut reader = DocumentReader::new(batch.archive(), &worker.extract.records);
    let mut resolver = worker.resolver();
    let options = &worker.extract.options;
    for (entry, content) in batch.entries().enumerate().skip(from.entry) {
        if worker.is_done(out) {
            return None;
        }
        let record = match content {
            Entry::Record(record) => record,
            Entry::Flaw(flaw) => {
                report(worker, batch, flaw, out);
                continue;
            }
        };
        let read_before = if entry == from.entry { from.documents } else { 0 };
        let limit = match flush {
            Some(_) => usize::MAX,
            None => LARGE,
        };
        let mut documents = 0;
        let flaws = reader.read_short(limit, &record, |document| {
            documents += 1;
            if documents > read_before {
                let flush: &mut Flush<'_, P> = match &mut flush {
                    Some(flush) => flush,
                    None => &mut |_| {},
                };
                worker.links(document, options, &mut resolver, |_| true, out, flush);
            }
        });
        let Some(flaws) = flaws else {
            return Some(Place { entry, documents });
        };
        if !flaws.is_empty() {
            report_response(worker, batch, &record, flaws, out);
        }
    }
    None
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
