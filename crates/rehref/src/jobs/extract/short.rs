//! Short plain texts in memory, whose kind is certain at once.

use std::cell::Cell;
use std::path::Path;

use super::document::Worker;
use super::event::ExtractEvent;
use super::rendered::{Flush, Rendered};
use crate::docs_site::{SiteChoice, SiteKind};
use crate::document::Document;
use crate::format::Format;
use crate::link::LinkResolver;
use crate::source::{Charset, Source};
use crate::uri::Resolver;

/// The size in bytes from which on a document in memory is not short.
pub(super) const SHORT: usize = 32 << 10;

/// The name of texts.
pub(super) const NAME: &str = "-";

/// A reader of short plain texts in UTF-8, which reuses its memory. To find out what another
/// document is takes longer than to find the links of such a text.
pub(super) struct ShortTexts {
    document: Document,
    resolver: LinkResolver,
    /// The options of the resolver, and whether it checks references.
    resolving: (Resolver, bool),
}

thread_local! {
    /// The reader of the last run in this thread: one short text may be all that a run has.
    static LAST: Cell<Option<Box<ShortTexts>>> = const { Cell::new(None) };
}

impl ShortTexts {
    /// `None` if the options of the run allow no text to be read so.
    pub(super) fn new<P: Default>(worker: &Worker<'_, P>) -> Option<Box<Self>> {
        let extract = worker.extract;
        let read = &extract.inputs.read;
        let is_plain = read.is_text
            && read.charset.as_deref() == Some("utf-8")
            && read.format.is_none_or(Format::is_plain_text)
            && read.syntax.is_none()
            && read.retrieval.is_none()
            && !extract.file_positions
            && matches!(extract.site, SiteChoice::Kind(SiteKind::Plain));
        let charset = Charset::named("utf-8", b"").ok().filter(|_| is_plain)?;
        let resolving = (extract.options.resolver, extract.diagnostics);
        if let Some(last) = LAST.take().filter(|it| it.resolving == resolving) {
            return Some(last);
        }
        let source = Source { name: NAME.into(), ..Source::new(Vec::new(), charset) };
        let document = Document::from_source(source, Format::detect(Path::new(NAME), b""));
        Some(Box::new(Self { document, resolver: worker.resolver(), resolving }))
    }

    /// Keeps the reader for the next run in this thread.
    pub(super) fn keep(self: Box<Self>) {
        LAST.set(Some(self));
    }

    /// Renders the events of a text. Returns false, without an event, if it must be read as any
    /// other document.
    pub(super) fn read<P: Default>(
        &mut self,
        worker: &Worker<'_, P>,
        text: &[u8],
        out: &mut Rendered<P>,
        flush: &mut Flush<'_, P>,
    ) -> bool {
        if text.len() >= SHORT || !Format::is_begun_by_words(text) {
            return false;
        }
        let bytes = &mut self.document.source_mut(self.document.format()).bytes;
        bytes.clear();
        bytes.extend_from_slice(text);
        let options = &worker.extract.options;
        worker.links(&self.document, options, &mut self.resolver, |_| true, out, flush);
        worker.event(ExtractEvent::FileEnd(Path::new(NAME)), out);
        true
    }
}
