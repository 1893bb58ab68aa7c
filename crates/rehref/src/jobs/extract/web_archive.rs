//! The events of records of web archives, in a worker thread.

use std::sync::Arc;

use super::document::{LARGE, Worker};
use super::event::ExtractEvent;
use super::rendered::{Rendered, Worked};
use super::unit::Container;
use crate::container::http::Flaws;
use crate::container::warc::{Batch, DocumentReader, Entry, Flaw, FlawKind, RawRecord};
use crate::error::{Error, ErrorKind, Warning};
use crate::fs::{Work, error_of};
use crate::jobs::ordered::Turn;

/// Renders the events of records. A large document is read in the turn of the part.
pub(super) fn records<P: Default>(
    worker: &Worker<'_, P>,
    work: &Work,
    container: &Arc<Container>,
    turn: &mut Turn<'_, Worked<P>>,
    out: &mut Rendered<P>,
) {
    match work {
        Work::Batch(batch) => records_of_batch(worker, batch, container, turn, out),
        Work::Part(part) => {
            for batch in part.batches() {
                records_of_batch(worker, &batch, container, turn, out);
            }
        }
    }
}

fn records_of_batch<P: Default>(
    worker: &Worker<'_, P>,
    batch: &Batch,
    container: &Arc<Container>,
    turn: &mut Turn<'_, Worked<P>>,
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
        let mut read_rest = |limit, turn: &mut Turn<'_, Worked<P>>, out: &mut Rendered<P>| {
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
