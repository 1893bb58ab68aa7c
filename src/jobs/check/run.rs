//! Runs: surveying all documents, then reporting in order.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::anchor_cache::AnchorCache;
use super::documents::{Documents, Found, SurveyedDocument};
use super::event::{CheckEvent, Surveyed};
use super::options::Check;
use crate::fs::{ignores_case, list};
use crate::jobs::callback::{Callback, no_piece};
use crate::jobs::ordered::{self, WINDOW_OF_SMALL};
use crate::jobs::unread::kind_of_unreadable_directory;
use crate::records::{CheckSummary, UnreadDocuments};
use crate::site::Site;
use crate::site::check::{CheckOptions, Checker};

impl Check {
    /// Checks the tree and calls `each` with the events, in order and on one thread.
    ///
    /// Uses one thread. [`run`](Self::run) uses all.
    pub fn for_each(mut self, each: impl FnMut(CheckEvent<'_>) + Send) -> CheckSummary {
        self.inputs.threads = NonZeroUsize::MIN;
        let each = Callback::new(each);
        self.run(|event, ()| (each.get())(event), no_piece)
    }

    /// Checks the tree in parallel.
    ///
    /// `render` is called in the worker threads with each event of a document and the document's piece, such as a buffer
    /// of output. `take` gets the finished pieces in order, one at a time. If it breaks, the run ends.
    pub fn run<P, R, T>(&self, render: R, mut take: T) -> CheckSummary
    where
        P: Default + Send,
        R: Fn(CheckEvent<'_>, &mut P) + Sync,
        T: FnMut(P) -> ControlFlow<()> + Send,
    {
        let mut deliver = |event: CheckEvent<'_>| {
            let mut piece = P::default();
            render(event, &mut piece);
            take(piece)
        };
        let mut unlisted = HashSet::new();
        let mut unread = UnreadDocuments::default();
        let listing = list(&self.root, |error| {
            let _: ControlFlow<()> = deliver(CheckEvent::Error(&error));
            if let Some(kind) = kind_of_unreadable_directory(&error) {
                unread.add(kind);
            }
            unlisted.insert(error.path().to_owned());
        });
        let options = CheckOptions {
            find: self.options.clone(),
            index: self.needs_index,
            case: self.case,
            folds: ignores_case(&self.root, &listing),
            confined: self.url.is_none(),
        };
        let index = self.index.clone();
        let site = match &self.url {
            Some(url) => Site::new(url, listing, index),
            None => Site::private(listing, index),
        };
        let documents = Documents {
            check: self,
            site: &site,
            checker: Checker::new(&site, options),
            anchors: AnchorCache::default(),
            render: &render,
        };
        // Errors of the listing are reported already.
        let walk = self.inputs.walk.walk(self.inputs.items.clone());
        let walk = walk.filter(|found| {
            let error = found.as_ref().err();
            error.is_none_or(|it| !unlisted.contains(it.path()))
        });
        let mut surveyed: Vec<SurveyedDocument> = Vec::new();
        let survey = |found| documents.survey(found);
        let threads = self.inputs.threads;
        ordered::for_each_within(WINDOW_OF_SMALL, walk, threads, survey, |result| {
            match result {
                Found::Document(document) => {
                    if let Some(kind) = document.unread {
                        unread.add(kind);
                        deliver(CheckEvent::Unread(documents.name(&document), kind))?;
                    }
                    surveyed.push(*document);
                }
                Found::Unread(name, kind) => {
                    unread.add(kind);
                    deliver(CheckEvent::Unread(&name, kind))?;
                }
                Found::Failed(error, kind) => {
                    kind.into_iter().for_each(|kind| unread.add(kind));
                    deliver(CheckEvent::Error(&error))?;
                }
                Found::Other => {}
            }
            self.flow()
        });
        let mut totals = CheckSummary {
            docs: surveyed.len(),
            links: surveyed.iter().map(|it| it.survey.links).sum(),
            local: surveyed.iter().map(|it| it.survey.local).sum(),
            unread,
            ..CheckSummary::default()
        };
        let failed = || surveyed.iter().filter(|it| documents.fails(it)).count();
        let mut flow = deliver(CheckEvent::Surveyed(&Surveyed {
            documents: surveyed.len(),
            failed: &failed,
        }));
        let work = |document| documents.results(document);
        ordered::for_each(
            surveyed.iter(),
            threads,
            work,
            |(piece, found): (P, CheckSummary)| {
                flow?;
                totals.broken += found.broken;
                totals.orphans += found.orphans;
                totals.warnings += found.warnings;
                flow = take(piece);
                flow?;
                self.flow()
            },
        );
        totals
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.stop.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
