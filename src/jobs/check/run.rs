//! Runs: surveying all documents, then reporting in order.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::anchor_cache::AnchorCache;
use super::documents::{Documents, SurveyedDocument};
use super::event::{CheckEvent, Surveyed};
use super::options::Check;
use crate::fs::{Item, ignores_case, list};
use crate::jobs::ordered::{self, WINDOW_OF_SMALL};
use crate::records::CheckSummary;
use crate::site::Site;
use crate::site::check::{CheckOptions, Checker};

impl Check {
    /// Checks the tree and calls `each` with the events, in order and on one thread.
    ///
    /// Uses one thread. [`run`](Self::run) uses all.
    pub fn for_each(&self, each: impl FnMut(CheckEvent<'_>) + Send) -> CheckSummary {
        let sequential = Self {
            threads: NonZeroUsize::MIN,
            ..self.clone()
        };
        let each = Mutex::new(each);
        let render = |event: CheckEvent<'_>, (): &mut ()| {
            let mut each = each.lock().unwrap_or_else(PoisonError::into_inner);
            each(event);
        };
        sequential.run(render, |()| ControlFlow::Continue(()))
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
        let listing = list(&self.root, |error| {
            let _: ControlFlow<()> = deliver(CheckEvent::Error(&error));
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
        let walk = self.walk.walk(vec![Item::Path(self.start.clone())]);
        let walk = walk.filter(|found| {
            let error = found.as_ref().err();
            error.is_none_or(|it| !unlisted.contains(it.path()))
        });
        let mut surveyed: Vec<SurveyedDocument> = Vec::new();
        let survey = |found| documents.survey(found);
        ordered::for_each_within(WINDOW_OF_SMALL, walk, self.threads, survey, |result| {
            match result {
                Ok(None) => {}
                Ok(Some(document)) => surveyed.push(*document),
                Err(error) => deliver(CheckEvent::Error(&error))?,
            }
            self.flow()
        });
        let mut totals = CheckSummary {
            docs: surveyed.len(),
            links: surveyed.iter().map(|it| it.survey.links).sum(),
            local: surveyed.iter().map(|it| it.survey.local).sum(),
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
            self.threads,
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
