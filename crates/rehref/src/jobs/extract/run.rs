//! Runs: workers in parallel, delivery in order.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use super::batches::Batches;
use super::container::Container;
use super::document::Worker;
use super::event::{ExtractEvent, ExtractSink, ExtractTotals};
use super::options::Extract;
use super::rendered::{Held, Rendered, Worked};
use super::short::ShortTexts;
use super::unit::Files;
use crate::container::warc::Duplicates;
use crate::docs_site::SiteChoice;
use crate::fs::Item;
use crate::jobs::input_sites::InputSites;
use crate::jobs::ordered::{self, Bounds};
use crate::jobs::sink::{lock, no_piece};

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
    ///
    /// Short documents in [memory](crate::fs::Memory) that follow each other share a piece.
    pub fn run<P: Default + Send>(
        &self,
        render: impl Fn(ExtractEvent<'_>, &mut P) + Sync,
        take: impl FnMut(P) -> ControlFlow<()> + Send,
    ) -> ExtractTotals {
        self.run_on(self.inputs.items.clone(), render, take)
    }

    /// Like [`run`](Self::run), with these inputs in place of those of the run, which can be used
    /// many times.
    pub fn run_on<P: Default + Send>(
        &self,
        items: Vec<Item>,
        render: impl Fn(ExtractEvent<'_>, &mut P) + Sync,
        mut take: impl FnMut(P) -> ControlFlow<()> + Send,
    ) -> ExtractTotals {
        let sink = &ExtractSink::new(&render, &mut take);
        let worker = self.worker(sink, &items);
        let mut delivery = Delivery { worker: &worker, totals: ExtractTotals::default() };
        // The end of a file may depend on the number of its links.
        let files = Batches::new(self.inputs.walk.walk(items), !self.first_link_only);
        ordered::run(Bounds::of_files(self.inputs.threads), files, &Files(&worker), |worked| {
            let flow = delivery.take(worked);
            if flow.is_break() {
                delivery.stopped();
            }
            flow
        });
        delivery.totals.unread.add_ignored(&self.inputs.walk.gitignore);
        delivery.totals
    }

    /// Finds the links of a short text in UTF-8 that is named `-`, with the events that a run on it
    /// in [memory](crate::fs::Memory) has, as one piece. Returns `None`, without an event, if it is
    /// long, or may be anything but plain text, or if options of the run demand more: use
    /// [`run_on`](Self::run_on) then.
    ///
    /// ```
    /// use rehref::jobs::{Extract, ExtractEvent};
    ///
    /// let mut extract = Extract::new();
    /// extract.inputs.read.charset = Some("utf-8".to_owned());
    /// extract.inputs.read.is_text = true;
    /// let render = |event: ExtractEvent<'_>, urls: &mut Vec<String>| {
    ///     if let ExtractEvent::Link(link, _) = event {
    ///         urls.push(link.url_or_reference().to_owned());
    ///     }
    /// };
    /// let urls = extract.run_on_short_text(b"See http://a.example/.", render);
    /// assert_eq!(urls, Some(vec!["http://a.example/".to_owned()]));
    /// assert_eq!(extract.run_on_short_text(b"<a href=b>", render), None);
    /// ```
    pub fn run_on_short_text<P: Default + Send>(
        &self,
        text: &[u8],
        render: impl Fn(ExtractEvent<'_>, &mut P) + Sync,
    ) -> Option<P> {
        let mut take = |_| ControlFlow::Continue(());
        let sink = &ExtractSink::new(&render, &mut take);
        let worker = self.worker(sink, &[]);
        let mut short = ShortTexts::new(&worker)?;
        let mut out = Rendered::default();
        let is_read = short.read(&worker, text, &mut out, &mut |_| {});
        short.keep();
        is_read.then_some(out.piece)
    }

    fn worker<'e, P: Default>(
        &'e self,
        sink: &'e ExtractSink<'e, P>,
        items: &[Item],
    ) -> Worker<'e, P> {
        Worker {
            extract: self,
            is_filtered: !self.filter.is_empty(),
            sites: match self.site {
                SiteChoice::Auto => InputSites::new(self.site, items),
                SiteChoice::Kind(_) => InputSites::default(),
            },
            sink,
            held: Held::of_threads(self.inputs.threads),
            duplicates: self.skip_duplicates.then(|| Arc::new(Mutex::new(Duplicates::default()))),
        }
    }
}

/// Delivers pieces in order.
struct Delivery<'w, 'e, P> {
    worker: &'w Worker<'e, P>,
    totals: ExtractTotals,
}

impl<P: Default + Send> Delivery<'_, '_, P> {
    fn take(&mut self, worked: Worked<'_, P>) -> ControlFlow<()> {
        match worked {
            Worked::Piece(out) => self.piece(out),
            Worked::Part(container, out) => self.part(&container, out),
            Worked::InTurn(work) => {
                let worked = ordered::in_turn(&mut |worked| self.take(worked), |turn| work(turn));
                self.take(worked?)
            }
        }
    }

    fn piece(&mut self, out: Rendered<P>) -> ControlFlow<()> {
        self.worker.held.taken(&out);
        self.totals += out.totals;
        self.worker.sink.take(out.piece)?;
        match self.worker.extract.stop.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn part(&mut self, container: &Container, out: Rendered<P>) -> ControlFlow<()> {
        if container.is_done() {
            self.worker.held.taken(&out);
            return ControlFlow::Continue(());
        }
        if self.worker.is_done(&out) {
            container.end();
        }
        self.piece(out)
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
