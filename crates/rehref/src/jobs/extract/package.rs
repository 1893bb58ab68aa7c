//! The parts of a document of an office or a book.

use super::document::Worker;
use super::event::ExtractEvent;
use super::rendered::{Flush, Rendered};
use crate::fs::PackageFile;

/// Renders the events of the parts of a package. Calls `flush` when a piece is large.
pub(super) fn parts<P: Default>(
    worker: &Worker<'_, P>,
    package: &PackageFile,
    out: &mut Rendered<P>,
    flush: &mut Flush<'_, P>,
) {
    for kind in package.unread() {
        worker.unread(package.name(), Some(kind), out);
    }
    let mut resolver = worker.resolver();
    let options = &worker.extract.options;
    for (_, document) in package.documents_with_uses() {
        if worker.is_done(out) {
            return;
        }
        match document {
            Ok(document) => worker.links(&document, options, &mut resolver, |_| true, out, flush),
            Err(error) => worker.event(ExtractEvent::Error(&error), out),
        }
    }
}
