//! Runs: workers in parallel, delivery in order.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::document::{Output, Worker};
use super::done::Done;
use super::file;
use super::in_place::Replacing;
use super::integrity::{HASHED, HashedFiles, KeptHash, report_stale};
use super::layout::{Layout, Task, TaskResult, files_of, in_place, laid_out, to_read};
use super::options::{Outcome, Rewrite};
use super::sites::Sites;
use crate::error::{Error, ErrorKind};
use crate::format::Options;
use crate::fs::journal::{PlanWriter, Root, RunState};
use crate::fs::{BaseMapping, Item, NewTree, list};
use crate::jobs::edits::{
    CompressedCopies, EditEvent, EditReport, EditSink, EditTotals, JournalRun, NewTreeReport,
    ShownRoot,
};
use crate::jobs::error::{JobError, MirrorError, PathReason};
use crate::jobs::names::has_extension;
use crate::jobs::ordered::{self, Bounds};
use crate::jobs::sink::{lock, no_piece};
use crate::site::Site;

impl Rewrite {
    /// Rewrites the documents and calls `each` with the events, in order and on one thread.
    ///
    /// Uses one thread. [`run`](Self::run) uses all.
    ///
    /// # Errors
    /// See [`run`](Self::run).
    pub fn for_each(
        mut self,
        each: impl FnMut(EditEvent<'_>) + Send,
    ) -> Result<EditReport, JobError> {
        self.inputs.threads = NonZeroUsize::MIN;
        let each = Mutex::new(each);
        self.run(|event, ()| lock(&each)(event), no_piece)
    }

    /// Rewrites the documents in parallel.
    ///
    /// `render` is called in the worker threads with each event of a document and the document's
    /// piece, such as a buffer of output. `take` gets the finished pieces in order, one at a time.
    /// If it breaks, a run that writes nothing ends after an [`EditEvent::Stopped`]; a run that
    /// writes continues.
    ///
    /// # Errors
    /// If an input cannot be written, the new tree would overwrite an input, or the journal refuses
    /// the run. Errors of single documents are events.
    pub fn run<P: Default + Send>(
        &self,
        render: impl Fn(EditEvent<'_>, &mut P) + Sync,
        mut take: impl FnMut(P) -> ControlFlow<()> + Send,
    ) -> Result<EditReport, JobError> {
        let sink = &EditSink::new(&render, &mut take);
        let mut run = Run {
            rewrite: self,
            sink,
            report: EditReport {
                maps_only: !self.rules.is_empty() && self.rules.only_map_urls(),
                ..EditReport::default()
            },
            hashes: Vec::new(),
            changed: Vec::new(),
            matches_again: false,
        };
        let items = &self.inputs.items;
        if let (Outcome::NewTree(_), Some(root)) = (&self.outcome, &self.mirror_root) {
            refuse_partial(root.path(), items)?;
        }
        let preview = match &self.outcome {
            Outcome::DryRun(options) | Outcome::Filter(options) => {
                match Replacing::new(options, items) {
                    Ok(replacing) => replacing.root,
                    Err(error) => {
                        sink.event(EditEvent::WouldRefuse(&JobError::File(error)));
                        None
                    }
                }
            }
            _ => None,
        };
        let output = match &self.outcome {
            Outcome::NewTree(directory) => {
                let tree = NewTree::new(directory);
                Output::NewTree(match self.replaces_files {
                    true => tree.replacing_files(),
                    false => tree,
                })
            }
            Outcome::InPlace(options) => Output::InPlace(Replacing::new(options, items)?),
            Outcome::Filter(_) => Output::Filter,
            Outcome::DryRun(_) | Outcome::Check => Output::DryRun,
        };
        if self.outcome.writes() {
            refuse_unwritable(items)?;
        }
        let layout = match &output {
            Output::NewTree(tree) => {
                let (directory, walk) = (tree.directory(), &self.inputs.walk);
                Some(laid_out(directory, self.replaces_files, walk, items.clone())?)
            }
            _ => None,
        };
        let mut worker = Worker {
            rewrite: self,
            // Links are resolved as new references are.
            options: Options { resolver: self.rules.resolver, ..self.options.clone() },
            output,
            site: run.site(),
            sites: Sites::new(self),
            files: HashedFiles::new(self.inputs.read.retrieval.as_ref()),
            copies: layout.as_ref().map_or_else(CompressedCopies::default, |layout| {
                CompressedCopies::of_listed(layout.directories.values(), layout.copies())
            }),
            preview,
            refused: Mutex::default(),
        };
        if self.removes_hashes && !matches!(self.outcome, Outcome::Filter(_)) {
            worker.files.changing = self.changing(&worker);
        }
        run.start(&worker, layout)?;
        run.report.totals.unread.add_ignored(&self.inputs.walk.gitignore);
        Ok(run.report)
    }

    /// Returns the style sheets and scripts that change.
    fn changing(&self, worker: &Worker<'_>) -> HashSet<PathBuf> {
        let mut changing = HashSet::new();
        let tasks = to_read(&self.inputs.walk, self.inputs.items.clone());
        let tasks = tasks.flatten().filter(|task| {
            let name = task.item.file();
            name.is_some_and(|name| has_extension(name, &HASHED))
        });
        let work = |task: Task| worker.changing(&task);
        ordered::for_each(Bounds::of_files(self.inputs.threads), tasks, work, |found| {
            changing.extend(found);
            ControlFlow::Continue(())
        });
        changing
    }
}

/// Refuses inputs that cannot be replaced. Reading a pipe again, or renaming over it, would lose
/// its content.
fn refuse_unwritable(items: &[Item]) -> Result<(), JobError> {
    let is_path = |item: &&Item| match item {
        Item::Path(path) => path.is_file() || path.is_dir() || !path.exists(),
        _ => false,
    };
    match items.iter().find(|item| !is_path(item)) {
        Some(item) => Err(JobError::path(item.name(), PathReason::NotWritable)),
        None => Ok(()),
    }
}

/// Refuses a new tree that would not have all of the mirror at the same paths: links would break.
fn refuse_partial(common: &Path, items: &[Item]) -> Result<(), JobError> {
    let holds_all = |item: &Item| {
        let path = item.file().and_then(|path| path.canonicalize().ok());
        path.is_some_and(|path| common.starts_with(&path))
    };
    match items.iter().any(holds_all) {
        true => Ok(()),
        false => Err(MirrorError::Partial(common.to_owned()).into()),
    }
}

/// Delivers results in order.
struct Run<'r, P> {
    rewrite: &'r Rewrite,
    sink: &'r EditSink<'r, P>,
    report: EditReport,
    hashes: Vec<KeptHash>,
    changed: Vec<PathBuf>,
    /// True if a URL that a pattern matches again was reported.
    matches_again: bool,
}

impl<P: Default + Send> Run<'_, P> {
    /// Returns the tree in which rules may break links.
    fn site(&mut self) -> Option<Site> {
        let Some(BaseMapping::Tree { url, directory }) = &self.rewrite.inputs.read.retrieval else {
            return None;
        };
        self.rewrite.rules.map_urls().then(|| {
            let listing = list(directory.path(), |error| self.sink.event(EditEvent::Error(&error)));
            Site::new(url, listing, Vec::new())
        })
    }

    fn start(&mut self, worker: &Worker<'_>, layout: Option<Layout>) -> Result<(), JobError> {
        let inputs = &self.rewrite.inputs;
        let (walk, items) = (&inputs.walk, inputs.items.clone());
        let bounds = Bounds::of_files(inputs.threads);
        let sink = self.sink;
        let listed_work =
            |task: &TaskResult| sink.piece(|event| file::rewrite_or_copy(worker, task, event));
        let work = |task| listed_work(&task);
        match &worker.output {
            Output::NewTree(tree) => {
                let Layout { tasks, directories } = layout.unwrap_or_default();
                self.sink.event(EditEvent::Writing(Some(tasks.len())));
                self.report.new_tree = Some(NewTreeReport {
                    directory: tree.directory().to_owned(),
                    files: files_of(&tasks),
                    written: 0,
                });
                tree.make_root(directories)?;
                // Without records the results are small.
                let bounds = match self.rewrite.has_large_results {
                    true => bounds,
                    false => Bounds::of_small(inputs.threads),
                };
                let mut flow = ControlFlow::Continue(());
                ordered::for_each(bounds, tasks.iter(), listed_work, |result| {
                    flow = self.take_written(result);
                    flow
                });
                if flow.is_continue() {
                    tree.make_directories(|error| {
                        if worker.is_first_error_of(error.path()) {
                            self.sink.event(EditEvent::Error(&error));
                        }
                    });
                }
                tree.finish(|error| sink.event(EditEvent::Error(&error)));
            }
            Output::InPlace(replacing) => {
                self.sink.event(EditEvent::Writing(None));
                let tasks = in_place(walk, items, replacing.backup.as_deref());
                match &replacing.root {
                    Some(root) => return self.plan_and_apply(root, tasks, work),
                    None => {
                        ordered::for_each(bounds, tasks, work, |result| self.take_written(result))
                    }
                }
            }
            Output::DryRun | Output::Filter => {
                let mut flow = ControlFlow::Continue(());
                ordered::for_each(bounds, to_read(walk, items), work, |(piece, done)| {
                    flow?;
                    flow = self.take(piece, done);
                    if self.rewrite.stop.is_stopped() {
                        flow = ControlFlow::Break(());
                    }
                    if flow.is_break() {
                        // Before the return: a thread may wait for input.
                        self.sink.event(EditEvent::Stopped);
                    }
                    flow
                });
                if flow.is_break() {
                    return Ok(());
                }
                if let (Some((root, shown)), 1..) = (&worker.preview, self.report.totals.changed)
                    && let Err(error) = PlanWriter::dry_run(root)
                {
                    let error = JobError::Refused(shown.named(error));
                    self.sink.event(EditEvent::WouldRefuse(&error));
                }
            }
        }
        self.end();
        Ok(())
    }

    /// Takes the result of a file.
    fn take(&mut self, piece: P, done: Done) -> ControlFlow<()> {
        self.hashes.extend(done.hashes);
        self.changed.extend(done.changed);
        if let (false, Some(uri)) = (self.matches_again, &done.matches_again) {
            self.matches_again = true;
            self.sink.event(EditEvent::MatchesAgain(uri));
        }
        self.report.totals.add(done.totals);
        let mut piece = piece;
        self.sink.render(EditEvent::Progress, &mut piece);
        self.sink.take(piece)
    }

    /// Takes the result of a file in a run that writes. The run continues even if no one reads its
    /// output.
    fn take_written(&mut self, (piece, done): (P, Done)) -> ControlFlow<()> {
        if let Some(tree) = &mut self.report.new_tree {
            tree.written += usize::from(done.is_written);
        }
        let is_full = done.is_full && self.report.new_tree.is_some();
        let _: ControlFlow<()> = self.take(piece, done);
        match is_full || self.rewrite.stop.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Reports stale hashes.
    fn end(&mut self) {
        if matches!(self.rewrite.outcome, Outcome::Filter(_)) {
            return;
        }
        let (hashes, changed) =
            (std::mem::take(&mut self.hashes), std::mem::take(&mut self.changed));
        report_stale(&hashes, &changed, &mut |event| self.sink.event(event));
    }

    /// Plans the edits of all documents, and applies them once all are in the journal.
    fn plan_and_apply(
        &mut self,
        (root, shown): &(Root, ShownRoot),
        tasks: impl Iterator<Item = TaskResult> + Send,
        work: impl Fn(TaskResult) -> (P, Done) + Sync,
    ) -> Result<(), JobError> {
        let threads = self.rewrite.inputs.threads;
        let refused = |error| JobError::Refused(shown.named(error));
        let mut plan = PlanWriter::begin(root).map_err(refused)?;
        let mut broken: Option<Error> = None;
        ordered::for_each(Bounds::of_files(threads), tasks, work, |(mut piece, mut done)| {
            if let Some(Err(error)) = done.edit.take().map(|edit| plan.edit(edit)) {
                done.totals.changed = 0;
                done.totals.edits = 0;
                if plan.is_broken() {
                    broken.get_or_insert(error);
                    return ControlFlow::Break(());
                }
                let error = shown.named(error);
                self.sink.render(EditEvent::Error(&error), &mut piece);
            }
            self.take_written((piece, done))
        });
        if let Some(error) = broken {
            drop(plan);
            return Err(match error.kind() {
                ErrorKind::Write(_) => JobError::NotJournaled(shown.named(error)),
                _ => refused(error),
            });
        }
        if self.rewrite.stop.is_stopped() {
            drop(plan);
            self.report.unchanged = true;
            return Ok(());
        }
        let mut journal = JournalRun::with_root(root.clone(), shown.clone());
        journal.threads = threads;
        journal.stop = self.rewrite.stop.clone();
        if let Some(applied) = journal.finish(plan, &mut |event| self.sink.event(event))? {
            let number = |count| usize::try_from(count).unwrap_or(usize::MAX);
            self.report.totals = EditTotals {
                changed: number(applied.done.files),
                edits: number(applied.done.changes),
                ..std::mem::take(&mut self.report.totals)
            };
            let is_finished = applied.state == RunState::Finished;
            self.report.applied = Some(applied);
            self.report.root = Some(shown.name_of(root.directory()));
            if !is_finished {
                return Ok(());
            }
        }
        self.end();
        Ok(())
    }
}
