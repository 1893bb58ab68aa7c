//! The links of a long text. Each part is searched by one thread, from its reading to its output.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::document::Worker;
use super::event::ExtractEvent;
use super::options::Extract;
use super::rendered::{Rendered, Worked};
use crate::bytes::Position;
use crate::document::Document;
use crate::error::Error;
use crate::format::UnreadKind;
use crate::format::text::{
    LinePosition, LinkPosition, TextPart, TextParts, TextRanges, TextStream,
};
use crate::fs::{SharedFile, Stream, kind_of};
use crate::jobs::chain::Chain;
use crate::jobs::sink::lock;
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
    before: Mutex<Before>,
    /// True if no more links are wanted.
    is_done: AtomicBool,
}

/// The text before the part whose turn it is.
struct Before {
    stream: TextStream,
    /// The error that ended reading.
    failure: Option<io::Error>,
}

/// A part of a text: one that was read, or one that the thread reads.
pub(super) enum Part {
    Read(io::Result<Box<TextPart>>),
    Range,
}

/// A part that was searched.
struct SearchedPart<P> {
    part: Box<TextPart>,
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
            before: Mutex::new(Before { stream: parts.stream(), failure: None }),
            is_done: AtomicBool::new(false),
        });
        (text, parts)
    }

    /// The number of ranges that any thread can read. `None` if it cannot be divided.
    pub(super) fn count(&self) -> Option<usize> {
        self.ranges.as_ref().map(|(ranges, _)| ranges.count())
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }

    /// Renders the beginning of the text.
    pub(super) fn begin<P: Default>(&self, worker: &Worker<'_, P>) -> Rendered<P> {
        let mut out = Rendered::default();
        worker.event(ExtractEvent::Document(self.document.path()), &mut out);
        out
    }

    /// Searches a part. The text before it decides in its turn if that counts.
    pub(super) fn search<'w, P: Default + Send>(
        self: Arc<Self>,
        worker: &'w Worker<'_, P>,
        number: usize,
        part: Part,
    ) -> Worked<'w, P> {
        let searched = self.searched(worker, number, part);
        Worked::InTurn(Box::new(move |_| Worked::Piece(self.follow(worker, searched))))
    }

    fn searched<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        number: usize,
        part: Part,
    ) -> io::Result<SearchedPart<P>> {
        let position = self.position.link(number as u64);
        let part = match (part, &self.ranges) {
            (Part::Read(part), _) => part,
            (Part::Range, Some((ranges, file))) => ranges
                .part(number, |offset, buffer| file.read_at(offset as u64, buffer))
                .map(Box::new),
            (Part::Range, None) => Err(io::ErrorKind::Unsupported.into()),
        };
        let position = position.pass(|position| {
            let before = *position;
            if let Ok(part) = &part {
                *position = part.position_after(before);
            }
            before
        });
        let part = part?;
        let mut out = Rendered::default();
        let mut resolver = self.resolver(worker);
        let own = TextStream::of_part(&part, position, |link, at| {
            self.link(worker, &mut resolver, &link, at, &mut out);
        });
        let own = own.map(|own| (own, out));
        Ok(SearchedPart { part, own })
    }

    /// The output of a part, which follows the text before it.
    fn follow<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        searched: io::Result<SearchedPart<P>>,
    ) -> Rendered<P> {
        let mut before = lock(&self.before);
        if before.failure.is_some() || self.is_done() {
            return Rendered::default();
        }
        let SearchedPart { part, own } = match searched {
            Ok(searched) => searched,
            Err(error) => {
                before.failure = Some(error);
                return Rendered::default();
            }
        };
        let (own, out) = own.unzip();
        let mut out = out.unwrap_or_default();
        if !before.stream.follow(own) {
            // The text before it has an influence on it.
            out = Rendered::default();
            let mut resolver = self.resolver(worker);
            before.stream.take(&part, |link, at| {
                self.link(worker, &mut resolver, &link, at, &mut out);
            });
        }
        if worker.is_done(&out) {
            self.is_done.store(true, Ordering::Relaxed);
        }
        out
    }

    /// Renders the last links of the text, and its end.
    pub(super) fn finish<P: Default>(&self, worker: &Worker<'_, P>) -> Rendered<P> {
        let document = &self.document;
        let Before { stream, failure } = &mut *lock(&self.before);
        let mut out = Rendered::default();
        if !self.is_done() {
            worker.unread(document.path(), self.unread, &mut out);
            let mut resolver = self.resolver(worker);
            stream.finish(|link, at| self.link(worker, &mut resolver, &link, at, &mut out));
            worker.warnings(document, document.base(), stream.malformed(), &mut out);
            if let Some(error) = failure.take() {
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
