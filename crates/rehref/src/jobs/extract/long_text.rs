//! The links of a long text. Each part is searched by one thread, from its reading to its output.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::document::Worker;
use super::event::ExtractEvent;
use super::options::Extract;
use super::rendered::Rendered;
use crate::bytes::Position;
use crate::document::Document;
use crate::error::Error;
use crate::format::UnreadKind;
use crate::format::text::{
    LinePosition, LinkPosition, TextPart, TextParts, TextRanges, TextStream,
};
use crate::fs::{SharedFile, Stream, kind_of};
use crate::jobs::chain::Chain;
use crate::jobs::unread::kind_of_text;
use crate::link::{LinkResolver, ParsedLink};
use crate::records::LinkReport;

/// A long text.
pub(super) struct LongText {
    document: Document,
    charset: String,
    unread: Option<UnreadKind>,
    /// The parts that any thread can read.
    ranges: Option<(TextRanges, SharedFile)>,
    /// The position of the next part.
    position: Chain<LinePosition>,
    /// True if no more links are wanted.
    is_done: AtomicBool,
}

/// A part of a text: one that was read, or one that the thread reads.
pub(super) enum Part {
    Read(io::Result<TextPart>),
    Range,
}

/// A part that was searched.
pub(super) struct SearchedPart<P> {
    part: TextPart,
    /// The search, if the part was searched independently, and its output.
    own: Option<(TextStream, Rendered<P>)>,
}

impl LongText {
    /// Opens a text. Its parts are those of the stream unless it has [ranges](Self::count).
    pub(super) fn open(
        extract: &Extract,
        stream: Stream,
    ) -> (Arc<Self>, TextParts<impl Read + Send + use<>>) {
        let document = stream.document.clone();
        let unread = kind_of_text(document.path(), &stream.beginning, extract.inputs.read.format);
        let file = stream.file().cloned();
        let parts = TextParts::new(stream.reader(), document.source(), &extract.options);
        let ranges = file
            .and_then(|file| Some((parts.ranges(file.byte_len(), TextRanges::DISTANCE)?, file)));
        let text = Arc::new(Self {
            charset: document.charset().name(),
            document,
            unread,
            ranges,
            position: Chain::new(LinePosition::BEGIN),
            is_done: AtomicBool::new(false),
        });
        (text, parts)
    }

    /// The number of ranges that any thread can read. `None` if it cannot be divided.
    pub(super) fn count(&self) -> Option<usize> {
        self.ranges.as_ref().map(|(ranges, _)| ranges.count())
    }

    pub(super) fn document(&self) -> &Document {
        &self.document
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }

    pub(super) fn end(&self) {
        self.is_done.store(true, Ordering::Relaxed);
    }

    /// Searches a part.
    pub(super) fn search<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        number: usize,
        part: Part,
    ) -> io::Result<SearchedPart<P>> {
        let part = match (part, &self.ranges) {
            (Part::Read(part), _) => part,
            (Part::Range, Some((ranges, file))) => {
                ranges.part(number, |offset, buffer| file.read_at(offset as u64, buffer))
            }
            (Part::Range, None) => Err(io::ErrorKind::Unsupported.into()),
        };
        let position = self.position.pass(number as u64, |position| {
            let before = *position;
            if let Ok(part) = &part {
                *position = part.position_after(before);
            }
            before
        });
        let part = part?;
        let mut out = Rendered::default();
        let mut resolver = self.resolver(worker);
        let own = part.search(position, |link, at| {
            self.link(worker, &mut resolver, &link, at, &mut out);
        });
        let own = own.map(|own| (own, out));
        Ok(SearchedPart { part, own })
    }

    /// The output of a part, which follows the text before it.
    pub(super) fn follow<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        before: &mut TextStream,
        searched: SearchedPart<P>,
    ) -> Rendered<P> {
        let (own, out) = searched.own.unzip();
        if before.follow(own) {
            return out.unwrap_or_default();
        }
        // The text before it has an influence on it.
        let mut out = Rendered::default();
        let mut resolver = self.resolver(worker);
        before.take(&searched.part, |link, at| {
            self.link(worker, &mut resolver, &link, at, &mut out);
        });
        out
    }

    /// Renders the last links of a text, and its end.
    pub(super) fn finish<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        mut stream: TextStream,
        failure: Option<io::Error>,
    ) -> Rendered<P> {
        let document = &self.document;
        let mut out = Rendered::default();
        if !self.is_done() {
            worker.unread(document.path(), self.unread, &mut out);
            let mut resolver = self.resolver(worker);
            stream.finish(|link, at| self.link(worker, &mut resolver, &link, at, &mut out));
            worker.warnings(document, document.base(), stream.malformed(), &mut out);
            if let Some(error) = failure {
                let error = Error::new(document.path(), kind_of(error));
                worker.event(ExtractEvent::Error(&error), &mut out);
            }
        }
        worker.event(ExtractEvent::FileEnd(document.path()), &mut out);
        out
    }

    fn resolver<P: Default>(&self, worker: &Worker<'_, P>) -> LinkResolver {
        let mut resolver = worker.resolver();
        let base = self.document.base();
        resolver.set_document(base, base);
        resolver.set_charset(self.document.charset());
        resolver
    }

    fn link<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        resolver: &mut LinkResolver,
        link: &ParsedLink<'_>,
        at: &mut LinkPosition<'_>,
        out: &mut Rendered<P>,
    ) {
        let mut report = LinkReport {
            document: &self.document,
            link,
            target: resolver.target(link),
            position: Position::START,
            context: worker.extract.contexts.then_some(None),
            unwrapped: None,
        };
        if worker.extract.filter.passes(&report) {
            worker.link(&mut report, || at.get(), &self.charset, out);
        }
    }
}
