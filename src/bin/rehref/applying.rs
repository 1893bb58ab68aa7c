//! Runs that write in place: planned, applied, and gone on with or taken back later.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use rehref::commit::{Applied, ApplyOptions, Counts, Rename, Root, Run, RunState};
use rehref::error::{Error, ErrorKind};

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::terminal::complain;

/// How runs are applied.
pub(crate) struct Applying<'a> {
    pub(crate) jobs: NonZeroUsize,
    /// What moves are done by.
    pub(crate) rename: &'a Rename<'a>,
    pub(crate) interrupt: &'a Interrupt,
}

impl Applying<'_> {
    /// Applies a run, or what is left of it, and says what went wrong.
    pub(crate) fn apply(&self, run: Run) -> anyhow::Result<Applied> {
        self.with(|options| run.apply(options))
    }

    /// Takes back the last run in a root, or what is left of it.
    pub(crate) fn undo(&self, root: &Root) -> anyhow::Result<Exit> {
        let Some(run) = Run::open(root).map_err(refusal)? else {
            bail!("{}: there is no run to take back", root.folder().display());
        };
        self.take_back(run)
    }

    /// Finishes the run that was interrupted in a root; if it was being taken back, that.
    pub(crate) fn resume(&self, root: &Root) -> anyhow::Result<Exit> {
        let run = Run::open(root).map_err(refusal)?;
        let interrupted = run.filter(|run| {
            matches!(
                run.state(),
                RunState::Interrupted | RunState::UndoInterrupted
            )
        });
        let Some(run) = interrupted else {
            bail!(
                "{}: there is no run that was interrupted",
                root.folder().display()
            );
        };
        if run.state() == RunState::UndoInterrupted {
            return self.take_back(run);
        }
        let applied = self.apply(run)?;
        if applied.state == RunState::Finished {
            complain(format_args!("finished: {}", described(applied.done)));
        }
        Ok(exit(&applied))
    }

    fn take_back(&self, run: Run) -> anyhow::Result<Exit> {
        let applied = self.with(|options| run.undo(options))?;
        match applied.state {
            RunState::Undone if !applied.is_new => complain("there was nothing left to take back"),
            RunState::Undone => complain(format_args!("taken back: {}", described(applied.done))),
            RunState::Finished if applied.problems.is_empty() => {
                complain("interrupted: nothing has been taken back");
            }
            RunState::Finished => complain(
                "nothing has been taken back: files that were changed would be moved back with references that \
                 are meant for another place",
            ),
            RunState::Interrupted | RunState::UndoInterrupted => {}
        }
        Ok(exit(&applied))
    }

    fn with(
        &self,
        run: impl FnOnce(&ApplyOptions<'_>) -> Result<Applied, Error>,
    ) -> anyhow::Result<Applied> {
        self.interrupt.defer();
        let applied = run(&ApplyOptions {
            jobs: self.jobs,
            rename: self.rename,
            stop: &|| self.interrupt.asked().is_some(),
        })?;
        for (path, links) in &applied.linked {
            complain(format_args!(
                "{}: {}",
                short(path).display(),
                other_links(*links)
            ));
        }
        let mut applied = applied;
        applied.problems = applied.problems.into_iter().map(named).collect();
        applied.problems.iter().for_each(complain);
        let so_far = described(applied.done);
        match applied.state {
            RunState::Finished | RunState::Undone => {}
            RunState::Interrupted => complain(format_args!(
                "not finished: {so_far} so far; --resume goes on, --undo takes it back"
            )),
            RunState::UndoInterrupted => complain(format_args!(
                "not taken back to the end: {so_far} so far; --undo goes on"
            )),
        }
        Ok(applied)
    }
}

/// How a run ended.
pub(crate) fn exit(applied: &Applied) -> Exit {
    match applied.problems.is_empty() {
        true => Exit::Done,
        false => Exit::Trouble,
    }
}

/// Why a run cannot begin, with what can be done about it.
pub(crate) fn refusal(error: Error) -> anyhow::Error {
    let folder = error.path().display();
    match error.kind() {
        ErrorKind::Interrupted => anyhow!(
            "{folder}: a run was interrupted here: --resume finishes it, --undo takes it back"
        ),
        _ => error.into(),
    }
}

/// The same about a file as a user would name it from here.
pub(crate) fn named(error: Error) -> Error {
    let path = short(error.path());
    error.about(path)
}

/// A path without that of the current folder.
fn short(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here.map(|here| path.strip_prefix(here).unwrap_or(path));
    below.unwrap_or(path).to_owned()
}

/// That a file has other names.
pub(crate) fn other_links(links: u64) -> String {
    match links {
        1 => "has another hard link, which keeps the old content".to_owned(),
        _ => format!("has {links} other hard links, which keep the old content"),
    }
}

/// What was done, for people: the kinds of steps of which there are any.
fn described(done: Counts) -> String {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "{} edit{} in {} document{}",
        done.changes,
        plural(done.changes),
        done.files,
        plural(done.files)
    );
    for (count, one, many) in [
        (done.moves, "moved", "moved"),
        (done.created, "created", "created"),
        (done.made, "new folder", "new folders"),
        (done.removed, "removed folder", "removed folders"),
    ] {
        match count {
            0 => {}
            1 => text += &format!(", 1 {one}"),
            _ => text += &format!(", {count} {many}"),
        }
    }
    text
}
