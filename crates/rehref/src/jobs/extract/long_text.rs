//! The links of a long text. Each part is searched by one thread, from its reading to its output.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

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
use crate::link::{Context, LinkResolver, ParsedLink};
use crate::records::LinkReport;

/// A long text.
pub(super) struct LongText {
    document: Document,
    charset: String,
    unread: Option<UnreadKind>,
    /// The length of the file, if known.
    len: Option<u64>,
    /// The parts that any thread can read.
    ranges: Option<(TextRanges, SharedFile)>,
    /// The beginning of the next part.
    beginning: Chain<LinePosition>,
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
    /// `None` if it can be read again, which few parts need. So buffers are used again while they are
    /// in the cache of the processor.
    part: Option<Box<TextPart>>,
    /// The search, if the part was searched independently.
    own: Option<TextStream>,
    /// The offset of its end in the text.
    end: u64,
    out: Rendered<P>,
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
        let len = file.as_ref().map(SharedFile::byte_len);
        let mut parts = TextParts::new(stream.reader(), document.source(), &extract.options);
        let divided =
            |parts: &TextParts<_>| len.and_then(|len| parts.ranges(len, TextRanges::DISTANCE));
        if !extract.positions && divided(&parts).is_some() {
            parts = parts.in_one_line();
        }
        let ranges = divided(&parts).zip(file);
        let text = Arc::new(Self {
            charset: document.charset().name(),
            document,
            unread,
            len,
            ranges,
            beginning: Chain::new(LinePosition::BEGIN),
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
        Worked::InTurn(Box::new(move |_| Worked::Piece(self.follow(worker, number, searched))))
    }

    /// Reads a part that any thread can read.
    fn read(&self, number: usize) -> io::Result<Box<TextPart>> {
        let (ranges, file) = self.ranges.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        let read = |offset, buffer: &mut [u8]| file.read_at(offset as u64, buffer);
        ranges.part(number, read).map(Box::new)
    }

    fn searched<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        number: usize,
        part: Part,
    ) -> io::Result<SearchedPart<P>> {
        let link = self.beginning.link(number as u64);
        let part = match part {
            Part::Read(part) => part,
            Part::Range => self.read(number),
        };
        // Few parts wait for it: only those with links, if their lines are printed.
        let beginning = Arc::new(OnceLock::new());
        let line_feeds = part.as_ref().ok().map(|part| part.line_feeds());
        let known = Arc::clone(&beginning);
        link.leave(move |next| {
            known.get_or_init(|| *next);
            *next = line_feeds.map_or(*next, |it| it.after(*next));
        });
        let part = part?;
        let mut out = Rendered::default();
        let mut resolver = self.resolver(worker);
        let own = TextStream::of_part(&part, |link, at| {
            let beginning = || *beginning.wait();
            self.link(worker, &mut resolver, &link, (at, beginning), &mut out);
        });
        let is_kept = own.is_none() || self.ranges.is_none();
        let end = part.end() as u64;
        Ok(SearchedPart { part: is_kept.then_some(part), own, end, out })
    }

    /// The output of a part, which follows the text before it.
    fn follow<P: Default>(
        &self,
        worker: &Worker<'_, P>,
        number: usize,
        searched: io::Result<SearchedPart<P>>,
    ) -> Rendered<P> {
        let mut before = lock(&self.before);
        if before.failure.is_some() || self.is_done() {
            return Rendered::default();
        }
        let SearchedPart { part, own, end, mut out } = match searched {
            Ok(searched) => searched,
            Err(error) => {
                before.failure = Some(error);
                return Rendered::default();
            }
        };
        if !before.stream.follow(own) {
            // The text before it has an influence on it.
            out = Rendered::default();
            match part.map_or_else(|| self.read(number), Ok) {
                Ok(part) => {
                    let mut resolver = self.resolver(worker);
                    before.stream.take(&part, |link, at| {
                        self.link(
                            worker,
                            &mut resolver,
                            &link,
                            (at, || LinePosition::BEGIN),
                            &mut out,
                        );
                    });
                }
                Err(error) => before.failure = Some(error),
            }
        }
        worker.event(ExtractEvent::Progress { read: end, len: self.len }, &mut out);
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
            stream.finish(|link, at| {
                self.link(worker, &mut resolver, &link, (at, || LinePosition::BEGIN), &mut out);
            });
            let malformed = self.position(worker, stream.malformed()).unwrap_or_else(|error| {
                failure.get_or_insert(error);
                None
            });
            worker.warnings(document, document.base(), malformed, &mut out);
            if let Some(error) = failure.take() {
                let error = Error::new(document.path(), kind_of(error));
                worker.event(ExtractEvent::Error(&error), &mut out);
            }
        }
        worker.event(ExtractEvent::FileEnd(document.path()), &mut out);
        out
    }

    /// The line and column of a position in a text that may have been read [in one
    /// line](TextParts::in_one_line).
    fn position<P>(
        &self,
        worker: &Worker<'_, P>,
        position: Option<Position>,
    ) -> io::Result<Option<Position>> {
        match (&self.ranges, position) {
            (Some((ranges, file)), Some(Position { column, .. })) if !worker.extract.positions => {
                let read = |offset, buffer: &mut [u8]| file.read_at(offset as u64, buffer);
                ranges.position(column - 1, read).map(Some)
            }
            _ => Ok(position),
        }
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
        (at, beginning): (&mut LinkPosition<'_>, impl FnOnce() -> LinePosition),
        out: &mut Rendered<P>,
    ) {
        let mut refanged = String::new();
        let mut report = LinkReport {
            document: &self.document,
            link,
            target: worker.target(resolver, link, &mut refanged),
            position: Position::START,
            context: None,
            unwrapped: None,
        };
        if worker.is_wanted(&report) {
            let text = worker.extract.contexts.then(|| at.words_around());
            if let Some(text) = &text {
                report.set_context(Some(Context::of_text(text.as_deref())));
            }
            worker.link(&mut report, || at.from(beginning()), &self.charset, out);
        }
    }
}
