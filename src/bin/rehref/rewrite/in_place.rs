//! `rewrite -w`: all edits are planned, and then made.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use rehref::document::Document;
use rehref::error::{Error, ErrorKind};
use rehref::fs::Item;

use rehref::fs::journal::{Edit, PlanWriter, Root, RunState};
use rehref::rewrite::Plan;

use super::layout::TaskResult;
use super::{Done, Run, Totals};
use crate::applying::{Applying, Places, STRIPPED, exit, other_links};
use crate::args::{InPlaceArgs, RewriteArgs};
use crate::exit::Exit;
use crate::input::Input;
use crate::render::messages::Messages;
use crate::render::progress;
use crate::render::terminal::warn;
use crate::signals::Interrupt;
use rehref::jobs::ordered;

/// How files are replaced.
pub(super) struct InPlace {
    /// Where the journal lies; without one each file is replaced at once.
    pub(super) root: Option<(Root, Places)>,
    /// The ending of the names of backups.
    pub(super) backup: Option<String>,
}

impl InPlace {
    pub(super) fn new(args: InPlaceArgs, items: &[Item]) -> anyhow::Result<Self> {
        let root = match &args.root {
            _ if args.no_journal => None,
            Some(folder) => Some(root_of(Some(folder), items)?),
            // Where nothing is there nothing is written, and each item is an error of its own.
            None => root_of(None, items).ok(),
        };
        let backup = args.backup;
        Ok(Self { root, backup })
    }

    /// Replaces the file of a document, or gives the edit that is to do so.
    pub(super) fn write(
        &self,
        document: &Document,
        plan: &Plan,
        messages: &mut Messages,
    ) -> Result<Option<Edit>, Error> {
        let backup = self.backup.as_deref();
        let Some((root, _)) = &self.root else {
            if let Some(suffix) = backup {
                rehref::fs::back_up(&document.name, suffix)?;
            }
            // The backup is a hard link, and keeps the old content as it should.
            let replaced = rehref::fs::replace(&document.name, plan.apply(document))?;
            let name = document.name.display();
            let links = replaced.links.saturating_sub(u64::from(backup.is_some()));
            if links > 0 {
                messages.note(format!("{name}: {}", other_links(links)));
            }
            if replaced.is_stripped {
                messages.note(format!("{name}: {STRIPPED}"));
            }
            return Ok(None);
        };
        let unreadable = |error| Error::new(&document.name, ErrorKind::Read(error));
        let path = std::path::absolute(&document.name).map_err(unreadable)?;
        let changes = plan.edits.iter().map(|edit| (edit.span.range(), edit.new));
        let edit = Edit::new(root, &path, &document.bytes, changes, backup);
        edit.map(Some).map_err(|error| error.about(&document.name))
    }
}

/// The root, and what is called how in it: as its documents are.
fn root_of(named: Option<&Path>, items: &[Item]) -> Result<(Root, Places), Error> {
    let paths = || items.iter().filter_map(Item::file);
    let root = match named {
        Some(folder) => Root::new(folder)?,
        None => Root::holding(paths())?,
    };
    let places = Places::of_items(&root, paths());
    let places = places.unwrap_or_else(|| Places::new(&root, named.unwrap_or(root.folder())));
    Ok((root, places))
}

/// `rewrite --undo` and `rewrite --resume`.
pub(super) fn again(mut args: RewriteArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if args.input.paths.is_empty() && args.input.files_from.is_empty() {
        args.input.paths.push(".".into());
    }
    let InPlaceArgs {
        root,
        undo,
        trust_journal,
        ..
    } = args.in_place;
    let Some(input) = Input::new(args.input, "rewrite")? else {
        return Ok(Exit::Trouble);
    };
    let (root, places) = root_of(root.as_deref(), &input.inputs.items)?;
    let applying = Applying {
        jobs: input.inputs.threads,
        rename: None,
        places: &places,
        interrupt,
    };
    let exit = match undo {
        true => applying.undo(&root, trust_journal),
        false => applying.resume(&root, trust_journal),
    };
    super::ended(exit, interrupt)
}

impl Run<'_> {
    /// Plans the edits of all documents, and makes them when all are known and on the disk.
    pub(super) fn plan_and_apply(
        &mut self,
        (root, places): &(Root, Places),
        tasks: impl Iterator<Item = TaskResult> + Send,
        jobs: NonZeroUsize,
        work: impl Fn(TaskResult) -> Done + Sync,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Exit> {
        let refusal = |error| places.refusal(error);
        let mut plan = PlanWriter::begin(root).map_err(refusal)?;
        let mut broken: Option<Error> = None;
        ordered::for_each(tasks, jobs, work, |mut done| {
            if let Some(Err(error)) = done.edit.take().map(|edit| plan.edit(edit)) {
                done.totals.changed = 0;
                done.totals.edits = 0;
                if plan.is_broken() {
                    broken.get_or_insert(error);
                    return ControlFlow::Break(());
                }
                done.messages.error(&places.name(error));
            }
            self.take_unless(interrupt, done)
        });
        progress::clear();
        if let Some(error) = broken {
            drop(plan);
            return Err(match error.kind() {
                ErrorKind::Write(_) => anyhow::Error::from(places.name(error))
                    .context("nothing has been changed (--no-journal notes nothing)"),
                _ => refusal(error),
            });
        }
        if interrupt.asked().is_some() {
            drop(plan);
            warn("interrupted: nothing has been changed");
            return Ok(self.exit);
        }
        let applying = Applying {
            jobs,
            rename: None,
            places,
            interrupt,
        };
        if let Some(applied) = applying.finish(plan)? {
            self.exit = self.exit.max(exit(&applied));
            self.totals = Totals {
                changed: usize::try_from(applied.done.files)?,
                edits: usize::try_from(applied.done.changes)?,
                ..std::mem::take(&mut self.totals)
            };
            if applied.state != RunState::Finished {
                return Ok(self.exit);
            }
        }
        self.end()
    }
}
