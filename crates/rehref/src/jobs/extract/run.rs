//! Runs: workers in parallel, delivery in order.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

use super::document::Worker;
use super::event::{ExtractEvent, ExtractSink, ExtractTotals};
use super::options::Extract;
use super::rendered::{Flush, Held, Place, Rendered, Worked};
use super::web_archive;
use crate::bytes::Position;
use crate::container::mail::Batch;
use crate::container::warc::Duplicates;
use crate::docs_site::SiteChoice;
use crate::error::Error;
use crate::format::text::{LinkPosition, TextPart, TextParts};
use crate::fs::{MailReader, Stream, kind_of};
use crate::fs::{WebArchiveReader, Work};
use crate::jobs::input_sites::InputSites;
use crate::jobs::ordered::{self, Bounds, Turn};
use crate::jobs::sink::{lock, no_piece};
use crate::jobs::unread::kind_of_text;
use crate::link::ParsedLink;
use crate::records::LinkReport;

/// The most threads for one stream or mailbox. More would wait for its bytes.
const STREAM_THREADS: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// The size in bytes from which on messages are processed one at a time: the links in them may take
/// many times as much memory.
const LARGE: usize = 2 << 20;

impl Extract {
    /// Finds the links and calls `each` with the events, in order and on one thread.
    ///
    /// Uses one thread. [`run`](Self::run) uses all.
    pub fn for_each(mut self, each: impl FnMut(ExtractEvent<'_>) + Send) -> ExtractTotals {
        self.inputs.threads = NonZeroUsize::MIN;
        let each = Mutex::new(each);
        self.run(|event, ()| lock(&each)(event), no_piece)
    }

    /// Finds the links in parallel.
    ///
    /// `render` is called in the worker threads with each event of a document and the document's
    /// piece, such as a buffer of output. `take` gets the finished pieces in order, one at a time.
    /// If it breaks, the run ends after an [`ExtractEvent::Stopped`]. Threads that wait for input
    /// delay the return, but not that event.
    pub fn run<P: Default + Send>(
        &self,
        render: impl Fn(ExtractEvent<'_>, &mut P) + Sync,
        mut take: impl FnMut(P) -> ControlFlow<()> + Send,
    ) -> ExtractTotals {
        let sink = &ExtractSink::new(&render, &mut take);
        let worker = Worker {
            extract: self,
            sites: match self.site {
                SiteChoice::Auto => InputSites::new(self.site, &self.inputs.items),
                SiteChoice::Kind(_) => InputSites::default(),
            },
            sink,
            held: Held::default(),
        };
        let mut delivery = Delivery {
            worker: &worker,
            totals: ExtractTotals::default(),
            duplicates: self.skip_duplicates.then(Duplicates::default),
        };
        let walk = self.inputs.walk.walk(self.inputs.items.clone());
        let threads = self.inputs.threads;
        ordered::for_each_in_turns(
            Bounds::of_files(threads),
            walk,
            |_| 0,
            |found, turn| worker.file(found, turn),
            |worked| {
                let flow = match worked {
                    Worked::Piece(out) | Worked::End(out) => delivery.piece(out),
                    Worked::Stream(stream) => delivery.stream(*stream),
                    Worked::Mailbox(mailbox) => delivery.mailbox(*mailbox),
                    Worked::WebArchive(archive) => delivery.web_archive(*archive),
                };
                if flow.is_break() {
                    delivery.stopped();
                }
                flow
            },
        );
        delivery.totals
    }
}

/// Delivers pieces in order.
struct Delivery<'w, 'e, P> {
    worker: &'w Worker<'e, P>,
    totals: ExtractTotals,
    /// The records of web archives so far, if later ones with the same content are skipped.
    duplicates: Option<Duplicates>,
}

impl<P: Default + Send> Delivery<'_, '_, P> {
    fn piece(&mut self, out: Rendered<P>) -> ControlFlow<()> {
        self.worker.held.taken(&out);
        self.totals += out.totals;
        self.worker.sink.take(out.piece)?;
        match self.worker.extract.stop.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn event(&mut self, event: ExtractEvent<'_>) -> ControlFlow<()> {
        let mut out = Rendered::default();
        self.worker.event(event, &mut out);
        self.piece(out)
    }

    /// Reports that no more events follow, once.
    fn stopped(&mut self) {
        if !self.totals.stopped {
            let _: ControlFlow<()> = self.event(ExtractEvent::Stopped);
        }
    }

    /// Searches a long text as it is read.
    fn stream(&mut self, stream: Stream) -> ControlFlow<()> {
        let worker = self.worker;
        let extract = worker.extract;
        let document = stream.document.clone();
        let charset = document.charset().name();
        let base = document.base();
        let mut resolver = worker.resolver();
        resolver.set_document(base, base);
        resolver.set_charset(document.charset());
        let mut link = |link: &ParsedLink<'_>, at: &mut LinkPosition<'_>, out: &mut Rendered<P>| {
            let mut report = LinkReport {
                document: &document,
                link,
                target: resolver.target(link),
                position: Position::START,
                context: extract.contexts.then_some(None),
                unwrapped: None,
            };
            if extract.filter.passes(&report) {
                worker.link(&mut report, || at.get(), &charset, out);
            }
        };
        let format = extract.inputs.read.format;
        let unread = kind_of_text(document.path(), &stream.beginning, format);
        let parts = TextParts::new(stream.reader(), document.source(), &extract.options);
        let mut text = parts.stream();
        let mut failure = None;
        self.event(ExtractEvent::Document(document.path()))?;
        let mut flow = ControlFlow::Continue(());
        let mut is_done = false;
        let threads = extract.inputs.threads.min(STREAM_THREADS);
        // A single thread searches a part when it takes it: the URLs found before that would have
        // to be held.
        let search = |part: io::Result<TextPart>| match threads {
            NonZeroUsize::MIN => part,
            _ => part.map(TextPart::searched),
        };
        ordered::for_each(Bounds::of_parts(threads), parts, search, |part| {
            end_if(is_done, flow)?;
            let mut out = Rendered::default();
            match part {
                Ok(part) => text.take(part, |found, at| link(&found, at, &mut out)),
                Err(error) => failure = Some(error),
            }
            is_done = worker.is_done(&out);
            flow = self.piece(out);
            if flow.is_break() {
                // Before the return: a thread may wait for more of the text.
                self.stopped();
            }
            end_if(is_done, flow)
        });
        flow?;
        if is_done {
            return self.file_end(document.path());
        }
        let mut out = Rendered::default();
        worker.unread(document.path(), unread, &mut out);
        text.finish(|found, at| link(&found, at, &mut out));
        worker.warnings(&document, base, text.malformed(), &mut out);
        if let Some(error) = failure {
            let error = Error::new(document.path(), kind_of(error));
            worker.event(ExtractEvent::Error(&error), &mut out);
        }
        worker.event(ExtractEvent::FileEnd(document.path()), &mut out);
        self.piece(out)
    }

    /// Searches a long mailbox as it is read.
    fn mailbox(&mut self, mailbox: MailReader) -> ControlFlow<()> {
        let worker = self.worker;
        let name = mailbox.name().clone();
        let options = worker.extract.mail_options(&mailbox);
        let len = mailbox.byte_len();
        let search = |batch: &Batch, _, out: &mut Rendered<P>, flush: Option<&mut Flush<'_, P>>| {
            match flush {
                None if batch.byte_len() > LARGE => return Some(Place::default()),
                None => worker.messages(batch, &name, &options, out, &mut |_| {}),
                Some(flush) => worker.messages(batch, &name, &options, out, flush),
            }
            None
        };
        let threads = worker.extract.inputs.threads.min(STREAM_THREADS);
        self.batches(mailbox, threads, len, Batch::byte_len, Batch::end, search)?;
        self.file_end(&name)
    }

    /// Searches a long web archive as it is read. A thread inflates while the others search, or
    /// each inflates a part.
    fn web_archive(&mut self, archive: WebArchiveReader) -> ControlFlow<()> {
        let worker = self.worker;
        let name = archive.name().clone();
        let len = archive.byte_len();
        let search =
            |work: &Work, from, out: &mut Rendered<P>, flush: Option<&mut Flush<'_, P>>| {
                web_archive::records(worker, work, from, out, flush)
            };
        let threads = worker.extract.inputs.threads;
        let mut duplicates = self.duplicates.take();
        let (parts, threads): (Box<dyn Iterator<Item = _> + Send>, _) = match &mut duplicates {
            None if threads > NonZeroUsize::MIN => (Box::new(archive.in_parts()), threads),
            None => (Box::new(archive.map(|batch| batch.map(Work::Batch))), threads),
            // Which record is the first depends on all before it.
            Some(duplicates) => {
                let batches = archive.map(|batch| {
                    let mut batch = batch?;
                    duplicates.remove_from(&mut batch);
                    Ok(Work::Batch(batch))
                });
                (Box::new(batches), threads.min(STREAM_THREADS))
            }
        };
        let flow = self.batches(parts, threads, len, Work::byte_len, Work::end, search);
        self.duplicates = duplicates;
        flow?;
        self.file_end(&name)
    }

    /// Searches batches of documents as they are read, in parallel. `size` is the number of bytes
    /// of a batch, `end` its end in the file, which has the length `len`. `search` returns the
    /// place of a document whose links are to be delivered in pieces.
    fn batches<B: Send>(
        &mut self,
        batches: impl Iterator<Item = Result<B, Error>> + Send,
        threads: NonZeroUsize,
        len: Option<u64>,
        size: fn(&B) -> usize,
        end: fn(&B) -> u64,
        search: impl Fn(&B, Place, &mut Rendered<P>, Option<&mut Flush<'_, P>>) -> Option<Place> + Sync,
    ) -> ControlFlow<()> {
        let worker = self.worker;
        let size = |batch: &Result<B, Error>| batch.as_ref().map_or(0, size);
        let work = |batch: Result<B, Error>, _: &mut Turn<'_, _>| {
            let mut out = Rendered::default();
            let batch = match batch {
                Err(error) => {
                    worker.event(ExtractEvent::Error(&error), &mut out);
                    return (out, 0, None);
                }
                Ok(batch) => batch,
            };
            let end = end(&batch);
            let rest = search(&batch, Place::default(), &mut out, None);
            (out, end, rest.map(|rest| (batch, rest)))
        };
        let mut flow = ControlFlow::Continue(());
        let mut is_done = false;
        ordered::for_each_in_turns(
            Bounds::of_parts(threads),
            batches,
            size,
            work,
            |(mut out, end, rest)| {
                end_if(is_done, flow)?;
                let mut flush = |out: &mut Rendered<P>| {
                    if flow.is_continue() {
                        flow = self.piece(std::mem::take(out));
                        if flow.is_break() {
                            // At once: a thread may wait for more of the file.
                            self.stopped();
                        }
                    }
                };
                if let Some((batch, from)) = rest {
                    search(&batch, from, &mut out, Some(&mut flush));
                }
                is_done = worker.is_done(&out);
                flush(&mut out);
                if flow.is_continue() {
                    flow = self.event(ExtractEvent::Progress { read: end, len });
                }
                end_if(is_done, flow)
            },
        );
        flow
    }

    fn file_end(&mut self, name: &Path) -> ControlFlow<()> {
        self.event(ExtractEvent::FileEnd(name))
    }
}

/// Breaks if no more of a file is wanted.
fn end_if(is_done: bool, flow: ControlFlow<()>) -> ControlFlow<()> {
    match is_done {
        true => ControlFlow::Break(()),
        false => flow,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    #[test]
    fn a_long_text_is_one_document_with_all_of_its_bytes() {
        let text = "See http://a.example/ there.\n".repeat(60_000);
        let files = Tree::new(&[("long.txt", &text)]);
        let mut extract = Extract::new().path(files.at("long.txt"));
        extract.whole_documents = true;
        let (mut links, mut ends) = (0, Vec::new());
        extract.for_each(|event| match event {
            ExtractEvent::Link(..) => links += 1,
            ExtractEvent::DocumentEnd(document) => {
                assert_eq!(document.bytes(), text.as_bytes());
                ends.push(links);
            }
            _ => {}
        });
        assert_eq!(ends, [60_000]);
    }

    /// Some of them are delivered in pieces, whose total is more than may wait.
    #[test]
    fn long_documents_are_reported_in_order_by_any_number_of_threads() {
        let files = Tree::empty();
        for number in 0..12_usize {
            let count = if number.is_multiple_of(5) { 20_000 } else { 30 };
            let page: String = (0..count)
                .map(|link| format!("<a href=http://{number}.example/{link}>b</a> "))
                .collect();
            files.write(format!("{number:02}.html"), page);
        }
        let run = |threads: usize, most: usize| {
            let mut extract = Extract::new().path(files.path());
            extract.inputs.threads = NonZeroUsize::new(threads).unwrap();
            let (mut pieces, mut urls) = (0, Vec::new());
            let render = |event: ExtractEvent<'_>, piece: &mut Vec<String>| match event {
                ExtractEvent::Link(link, _) => piece.push(link.url_or_reference().to_owned()),
                ExtractEvent::FileEnd(_) => piece.push("end".to_owned()),
                ExtractEvent::Stopped => piece.push("stopped".to_owned()),
                _ => {}
            };
            extract.run(render, |piece: Vec<String>| {
                pieces += 1;
                urls.extend(piece);
                match pieces < most {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            (pieces, urls)
        };
        let (pieces, all) = run(1, usize::MAX);
        assert!(pieces > 50, "{pieces}");
        assert_eq!(all.len(), 3 * 20_000 + 9 * 30 + 12);
        for threads in [2, 5] {
            assert!(run(threads, usize::MAX).1 == all, "{threads} threads");
            let (_, stopped) = run(threads, 3);
            let end = stopped.iter().position(|it| it == "stopped").unwrap();
            assert!(all.starts_with(&stopped[..end]), "{threads} threads");
        }
    }
}
