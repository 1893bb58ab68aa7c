//! Runs: workers in parallel, delivery in order.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use super::broken::Trees;
use super::document::{Done, Worker};
use super::file;
use super::followed::name_of;
use super::inner_roots::{InnerLinks, InnerRoots};
use super::larger::{LargerTree, highest, name_above};
use super::options::{MoveOutcome, Relocate};
use super::requests::{Resolved, url_of_root};
use super::steps::{add_steps, added_and_new};
use crate::fs::journal::{PlanWriter, Rename, Root};
use crate::fs::{layouts, list, path_of_bytes};
use crate::jobs::edits::{
    CompressedCopies, EditEvent, EditReport, EditSink, JournalRun, ShownRoot,
};
use crate::jobs::error::JobError;
use crate::jobs::names::joined;
use crate::jobs::ordered::{self, Bounds};
use crate::jobs::redirects::{RedirectFile, Redirects, redirect_files};
use crate::jobs::sink::{lock, no_piece};
use crate::listing::{Entry, Moves};
use crate::rules::Relocation;
use crate::site::{INDEX_FILES, Site};

impl Relocate {
    /// Moves the files and calls `each` with the events, in order and on one thread.
    ///
    /// Uses one thread. [`run`](Self::run) uses all.
    ///
    /// # Errors
    /// See [`run`](Self::run).
    pub fn for_each(
        mut self,
        each: impl FnMut(EditEvent<'_>) + Send,
    ) -> Result<EditReport, JobError> {
        self.threads = NonZeroUsize::MIN;
        let each = Mutex::new(each);
        self.run(|event, ()| lock(&each)(event), no_piece)
    }

    /// Moves the files, rewriting documents in parallel.
    ///
    /// `render` is called in the worker threads with each event of a document and the document's
    /// piece, such as a buffer of output. `take` gets the finished pieces in order, one at a time.
    /// If it breaks, a run that writes nothing reads no more documents; a run that writes
    /// continues.
    ///
    /// # Errors
    /// If a path cannot be moved, a document could not be read or edited in a run that writes, or
    /// the journal refuses the run.
    pub fn run<P: Default + Send>(
        &self,
        render: impl Fn(EditEvent<'_>, &mut P) + Sync,
        mut take: impl FnMut(P) -> ControlFlow<()> + Send,
    ) -> Result<EditReport, JobError> {
        let sink = &EditSink::new(&render, &mut take);
        let mut run = Run {
            relocate: self,
            sink,
            report: EditReport::default(),
            failed: false,
            referred_above: None,
            inner_links: InnerLinks::default(),
        };
        let root = Root::new(&self.root)?;
        let now = list(&self.root, |error| {
            run.failed = true;
            sink.event(EditEvent::Error(&error));
        });
        let Resolved { before, moves, made } = Resolved::new(self, now)?;
        let moves = match self.redirects {
            // Pages stay in the old directories, so files move one by one.
            Some(Redirects::Html) if made.is_none() => {
                let expanded = moves.expanded(&before);
                expanded.map_err(|error| JobError::Moves { root: self.root.clone(), error })?
            }
            _ => moves,
        };
        let after = moves.applied_to(&before);
        let index = INDEX_FILES.map(str::to_owned).to_vec();
        let before = match &self.base {
            None => Site::private(before, index),
            Some(base) => Site::new(&url_of_root(base, &self.root)?, before, index),
        };
        let layouts = match made.is_some() {
            // The files are at their new paths.
            true => {
                let now = layouts(&self.root, self.site, &after);
                let back = Moves::new(&after, moves.reversed());
                back.map(|back| now.moved(&back)).unwrap_or(now)
            }
            false => layouts(&self.root, self.site, before.listing()),
        };
        let layouts_after = layouts.moved(&moves);
        if made.is_none() {
            for [site, old, new] in layouts.moved_content(&moves) {
                let site = match site.is_empty() {
                    true => self.root.clone(),
                    false => joined(&self.root, &path_of_bytes(&site)),
                };
                sink.event(EditEvent::MovedContent {
                    site: &site,
                    old: &path_of_bytes(&old),
                    new: &path_of_bytes(&new),
                });
            }
        }
        let before = before.with_layouts(layouts);
        let after = before.with_listing(after).with_layouts(layouts_after);
        run.excluded(&before, &after, &moves);
        let redirects = self.redirects;
        let redirects = redirects.map(|kind| redirect_files(kind, &before, &after, &moves));
        let redirects = redirects.unwrap_or_default();
        for address in &redirects.without_rule {
            sink.event(EditEvent::NoRedirect(address));
        }
        let (added, redirects) = added_and_new(redirects, &after)?;
        match &made {
            Some(made) => {
                run.report.moved_before = moves.iter().count() + made.taken.len();
                let name = |path| name_of(root.directory(), path, &self.root);
                for (old, new, reason) in &made.problems {
                    sink.event(EditEvent::NotFollowed {
                        old: &name(old),
                        new: &name(new),
                        reason: *reason,
                    });
                }
            }
            None => run.report.moves = moves.iter().count(),
        }
        run.report.redirects = redirects.len() + added.len();
        let worker = Worker {
            relocate: self,
            relocation: Relocation::new(
                &before, &after, &moves, self.options.resolver, &self.filter,
            ),
            trees: Trees { before: &before, after: &after, moves: &moves },
            inner_roots: InnerRoots::of_moves(&moves),
            named: OnceLock::new(),
            added,
            made,
            copies: CompressedCopies::default(),
            root,
        };
        run.start(&worker, &redirects)?;
        run.report.totals.unread.add_ignored(&self.gitignore);
        Ok(run.report)
    }
}

/// Delivers results in order.
struct Run<'r, P> {
    relocate: &'r Relocate,
    sink: &'r EditSink<'r, P>,
    report: EditReport,
    /// True if a file could not be read or edited.
    failed: bool,
    /// The highest directory above the root to which a moving document refers.
    referred_above: Option<PathBuf>,
    inner_links: InnerLinks,
}

impl<P: Default + Send> Run<'_, P> {
    fn start(&mut self, worker: &Worker<'_>, redirects: &[RedirectFile]) -> Result<(), JobError> {
        let outcome = self.relocate.outcome;
        let shown = ShownRoot::new(&worker.root, &self.relocate.root);
        let refused = |error| JobError::Refused(shown.named(error));
        let mut plan = match outcome {
            MoveOutcome::Apply => Some(PlanWriter::begin(&worker.root).map_err(refused)?),
            MoveOutcome::DryRun | MoveOutcome::Check => None,
        };
        self.documents(worker, plan.as_mut(), &shown);
        self.dangling(worker);
        self.larger_tree(worker);
        self.inner_root(worker);
        if let Some(mut plan) = plan {
            if self.relocate.stop.is_stopped() {
                self.report.unchanged = true;
                return Ok(());
            }
            if self.failed {
                // A document that could not be read or edited may refer to a moved file.
                return Err(JobError::Incomplete);
            }
            add_steps(worker, redirects, &mut plan).map_err(|error| shown.named(error))?;
            let rename = self.relocate.rename;
            let rename = rename.as_ref().map(|rename| rename as &Rename<'_>);
            let mut journal = JournalRun::with_root(worker.root.clone(), shown.clone());
            journal.threads = self.relocate.threads;
            journal.rename = rename;
            journal.stop = self.relocate.stop.clone();
            self.report.applied = journal.finish(plan, &mut |event| self.sink.event(event))?;
            let root = self.report.applied.as_ref().map(|_| worker.root.directory());
            self.report.root = root.map(|it| shown.name_of(it));
        } else if outcome == MoveOutcome::DryRun {
            for file in redirects {
                let name = joined(&self.relocate.root, &path_of_bytes(&file.path));
                self.sink.event(EditEvent::NewFile(&name, &file.text));
            }
            if self.report.changes() > 0 {
                self.dry_run(worker, redirects, &shown);
            }
        }
        Ok(())
    }

    /// Reports files that the configuration of their site excludes at their new path only.
    fn excluded(&self, before: &Site, after: &Site, moves: &Moves) {
        let files = before.listing().iter().map(|(_, path, _)| path);
        let mut excluded = files.filter_map(|old| {
            let new = moves.new_path(old);
            let is_new = after.layouts().excludes(&new) && !before.layouts().excludes(old);
            is_new.then_some((old, new))
        });
        if let Some((old, new)) = excluded.next() {
            self.sink.event(EditEvent::Excluded {
                old: &joined(&self.relocate.root, &path_of_bytes(old)),
                new: &path_of_bytes(&new),
                others: excluded.count(),
            });
        }
    }

    /// Rewrites the documents, into the plan if there is one.
    fn documents(
        &mut self,
        worker: &Worker<'_>,
        mut plan: Option<&mut PlanWriter>,
        shown: &ShownRoot,
    ) {
        let listing = worker.trees.before.listing();
        let directory = |path: &[u8]| path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        let filled: HashSet<&[u8]> =
            listing.iter().map(|(_, it, _)| &it[..directory(it)]).collect();
        let rules = self.relocate.gitignore.rules(worker.root.directory());
        let entries: Vec<(&[u8], Entry)> = listing
            .iter()
            .map(|(_, path, entry)| (path, entry))
            .filter(|(path, entry)| *entry != Entry::Directory || !filled.contains(path))
            .filter(|(path, _)| {
                let moves = *worker.trees.moves.new_path(path) != **path;
                moves || !rules.as_ref().is_some_and(|it| it.ignore(&path_of_bytes(path), false))
            })
            .collect();
        self.sink.event(match plan {
            Some(_) => EditEvent::Writing(Some(entries.len())),
            None => EditEvent::Files(entries.len()),
        });
        let sink = self.sink;
        let work = |(path, entry)| sink.piece(|event| file::relocate(worker, path, entry, event));
        let take = |(mut piece, done): (P, Done)| {
            self.report.totals.add(done.totals);
            self.failed |= done.failed;
            let above = self.referred_above.take().into_iter();
            let above = above.chain(done.referred_above);
            self.referred_above = highest(above);
            self.inner_links.add(done.inner_links);
            let mut is_broken = false;
            if let (Some(plan), Some(edit)) = (&mut plan, done.edit)
                && let Err(error) = plan.edit(edit)
            {
                self.failed = true;
                is_broken = plan.is_broken();
                let error = shown.named(error);
                self.sink.render(EditEvent::Error(&error), &mut piece);
            }
            self.sink.render(EditEvent::Progress, &mut piece);
            let flow = self.sink.take(piece);
            if is_broken || self.relocate.stop.is_stopped() {
                return ControlFlow::Break(());
            }
            match plan {
                Some(_) => ControlFlow::Continue(()),
                None => flow,
            }
        };
        ordered::for_each(Bounds::of_files(self.relocate.threads), entries.into_iter(), work, take);
    }

    /// Reports symbolic links that would have no target: they are not rewritten.
    fn dangling(&mut self, worker: &Worker<'_>) {
        let Trees { before, after, moves } = &worker.trees;
        for (_, path, entry) in before.listing().iter() {
            let new = after.listing().id(&moves.new_path(path));
            let has_target = matches!(entry, Entry::Link(_));
            if has_target && new.map(|id| after.listing().entry(id)) == Some(Entry::Nowhere) {
                let path = joined(&self.relocate.root, &path_of_bytes(path));
                self.sink.event(EditEvent::BreaksSymlink(&path));
            }
        }
    }

    /// Reports a larger tree, whose documents are not updated.
    fn larger_tree(&mut self, worker: &Worker<'_>) {
        if !self.relocate.reports_larger_tree || self.report.moves + self.report.moved_before == 0 {
            return;
        }
        let (root, referred) = (&worker.root, self.referred_above.take());
        let Some(larger) = LargerTree::find(self.relocate, root, worker.trees.moves, referred)
        else {
            return;
        };
        let name = |path: &Path| name_above(root.directory(), path, &self.relocate.root);
        self.report.stale += larger.document.iter().len() + larger.others;
        self.sink.event(EditEvent::LargerTree {
            root: &self.relocate.root,
            larger: &name(&larger.directory),
            evidence: larger.evidence,
            document: larger.document.map(|it| name(&it)).as_deref(),
            others: larger.others,
            is_counted: larger.is_counted,
        });
    }

    /// Reports a directory that is the root of the site by its links, which are not updated.
    fn inner_root(&mut self, worker: &Worker<'_>) {
        let links = std::mem::take(&mut self.inner_links);
        if let Some((directory, links, first)) = worker.inner_roots.best(&links) {
            self.report.stale += links;
            self.sink.event(EditEvent::InnerRoot {
                directory: &joined(&self.relocate.root, &path_of_bytes(directory)),
                links,
                first,
            });
        }
    }

    /// Reports in a dry run what a run that writes would refuse.
    fn dry_run(&mut self, worker: &Worker<'_>, redirects: &[RedirectFile], shown: &ShownRoot) {
        let result = PlanWriter::dry_run(&worker.root).and_then(|mut plan| {
            add_steps(worker, redirects, &mut plan)?;
            plan.finish().map(drop)
        });
        if let Err(error) = result {
            let error = JobError::Refused(shown.named(error));
            self.sink.event(EditEvent::WouldRefuse(&error));
        }
    }
}
