//! Runs that write in place: planned, applied, and gone on with or taken back later.

mod foreign;

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{anyhow, bail};
use rehref::error::{Error, ErrorKind};
use rehref::fs::journal::{Applied, ApplyOptions, Counts, PlanWriter, Rename, Root, Run, RunState};

use crate::exit::Exit;
use crate::render::messages::Messages;
use crate::render::progress::Progress;
use crate::render::terminal::warn;
use crate::signals::Interrupt;

/// What lies in the root of a run is called as the user called that folder.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Without symbolic links, as in errors.
    root: PathBuf,
    /// What names begin with.
    typed: PathBuf,
}

impl Places {
    /// The root was named so; what lies in the current folder is called by its name alone.
    pub(crate) fn new(root: &Root, typed: &Path) -> Self {
        let typed = match typed == Path::new(".") {
            true => Path::new(""),
            false => typed,
        };
        Self {
            root: root.folder().to_owned(),
            typed: typed.to_owned(),
        }
    }

    /// These files and folders were named, of which some lie in the root.
    pub(crate) fn of_items<'p>(
        root: &Root,
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> Option<Self> {
        let typed = paths.into_iter().find_map(|path| {
            let real = path.canonicalize().ok()?;
            let below = real.strip_prefix(root.folder()).ok()?;
            // What a symbolic link is called says nothing about where it leads.
            let folder = path.ancestors().nth(below.iter().count())?;
            (folder.join(below) == path).then(|| folder.to_owned())
        });
        typed.map(|typed| Self {
            root: root.folder().to_owned(),
            typed,
        })
    }

    fn of(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.root) {
            Ok(below) if below != Path::new("") => self.typed.join(below),
            Ok(_) if self.typed == Path::new("") => PathBuf::from("."),
            Ok(_) => self.typed.clone(),
            Err(_) => path.to_owned(),
        }
    }

    /// The same about a file as the user would call it.
    pub(crate) fn name(&self, error: Error) -> Error {
        let path = self.of(error.path());
        error.about(path)
    }

    /// Why a run cannot begin, with what can be done about it.
    pub(crate) fn refusal(&self, error: Error) -> anyhow::Error {
        let error = self.name(error);
        let folder = error.path().display();
        match error.kind() {
            ErrorKind::Interrupted => anyhow!(
                "{folder}: a run was interrupted here: --resume finishes it, --undo takes it back"
            ),
            // What it would do is not for us to recommend.
            ErrorKind::ForeignJournal(_) | ErrorKind::Journal { .. } => {
                let state = error.path().parent().unwrap_or(Path::new(""));
                anyhow!("{error}; remove {} if you do not know it", state.display())
            }
            _ => error.into(),
        }
    }
}

/// How a run is gone on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    Undo,
    Resume,
}

/// How runs are applied.
pub(crate) struct Applying<'a> {
    pub(crate) jobs: NonZeroUsize,
    /// What moves are done by.
    pub(crate) rename: Option<&'a Rename<'a>>,
    pub(crate) places: &'a Places,
    pub(crate) interrupt: &'a Interrupt,
}

impl Applying<'_> {
    /// Ends a plan and applies it, if there is anything to do.
    pub(crate) fn finish(&self, plan: PlanWriter) -> anyhow::Result<Option<Applied>> {
        let replaces = plan.replaces_run();
        let refusal = |error| self.places.refusal(error);
        let Some(run) = plan.finish().map_err(refusal)? else {
            return Ok(None);
        };
        if replaces {
            warn("the run before this one can no longer be taken back");
        }
        self.apply(run).map(Some)
    }

    /// Applies a run, or what is left of it, and says what went wrong.
    fn apply(&self, run: Run) -> anyhow::Result<Applied> {
        self.with(run.counts(), |options| run.apply(options))
    }

    /// Takes back the last run in a root, or what is left of it.
    pub(crate) fn undo(&self, root: &Root, trust: bool) -> anyhow::Result<Exit> {
        let Some(run) = self.open(root, trust, Again::Undo)? else {
            let root = self.places.of(root.folder());
            bail!("{}: there is no run to take back", root.display());
        };
        self.take_back(run)
    }

    /// Finishes the run that was interrupted in a root; if it was being taken back, that.
    pub(crate) fn resume(&self, root: &Root, trust: bool) -> anyhow::Result<Exit> {
        let run = self.open(root, trust, Again::Resume)?;
        let interrupted = run.filter(|run| {
            matches!(
                run.state(),
                RunState::Interrupted | RunState::UndoInterrupted
            )
        });
        let Some(run) = interrupted else {
            let root = self.places.of(root.folder());
            bail!("{}: there is no run that was interrupted", root.display());
        };
        if run.state() == RunState::UndoInterrupted {
            return self.take_back(run);
        }
        let applied = self.apply(run)?;
        if applied.state == RunState::Finished {
            warn(format_args!("finished: {}", described(applied.done)));
        }
        Ok(exit(&applied))
    }

    /// The last run in a root. Of one that does not belong there, says what it would do, and refuses it.
    fn open(&self, root: &Root, trust: bool, again: Again) -> anyhow::Result<Option<Run>> {
        let opened = match trust {
            true => Run::open_foreign(root),
            false => Run::open(root),
        };
        let error = match opened {
            Ok(run) => return Ok(run),
            Err(error) if !matches!(error.kind(), ErrorKind::ForeignJournal(_)) => {
                return Err(self.places.refusal(error));
            }
            Err(error) => error,
        };
        let run = Run::open_foreign(root);
        let Some(run) = run.map_err(|error| self.places.refusal(error))? else {
            return Ok(None);
        };
        warn(self.places.name(error));
        let again = match run.state() {
            RunState::UndoInterrupted => Again::Undo,
            _ => again,
        };
        foreign::show_steps(&run, again)?;
        let state = self.places.of(&root.folder().join(".rehref"));
        bail!(
            "nothing has been changed; if the directory was moved, copied or restored since you ran rehref there, and \
             you want these steps, use --trust-journal; otherwise remove {}",
            state.display()
        )
    }

    fn take_back(&self, run: Run) -> anyhow::Result<Exit> {
        let applied = self.with(run.counts(), |options| run.undo(options))?;
        match applied.state {
            RunState::Undone if !applied.is_new => warn("there was nothing left to take back"),
            RunState::Undone => warn(format_args!("taken back: {}", described(applied.done))),
            RunState::Finished if applied.problems.is_empty() => {
                warn("interrupted: nothing has been taken back");
            }
            RunState::Finished => warn(
                "nothing has been taken back: what was changed since would stay with references that are meant for \
                 another place",
            ),
            RunState::Interrupted | RunState::UndoInterrupted => {}
        }
        Ok(exit(&applied))
    }

    /// Does `run`, which has so many steps, and says what went wrong.
    fn with(
        &self,
        counts: Counts,
        run: impl FnOnce(&ApplyOptions<'_>) -> Result<Applied, Error>,
    ) -> anyhow::Result<Applied> {
        self.interrupt.defer();
        let Counts {
            files,
            changes: _,
            moves,
            created,
            made,
            removed,
        } = counts;
        let steps = usize::try_from(files + moves + created + made + removed);
        let progress = Mutex::new(Progress::new(steps.ok()));
        // It is asked before each step.
        let stop = || {
            progress
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .step();
            self.interrupt.asked().is_some()
        };
        let applied = run(&ApplyOptions {
            jobs: self.jobs,
            rename: self.rename,
            stop: &stop,
        })
        .map_err(|error| self.places.name(error))?;
        drop(progress);
        for (path, links) in &applied.linked {
            warn(format_args!(
                "{}: {}",
                self.places.of(path).display(),
                other_links(*links)
            ));
        }
        for path in &applied.stripped {
            warn(format_args!(
                "{}: {STRIPPED}",
                self.places.of(path).display()
            ));
        }
        let mut applied = applied;
        applied.problems = applied
            .problems
            .into_iter()
            .map(|error| self.places.name(error))
            .collect();
        applied.problems.iter().for_each(warn);
        let so_far = described(applied.done);
        let is_gone = |it: &Error| matches!(it.kind(), ErrorKind::JournalGone);
        match applied.state {
            RunState::Interrupted | RunState::UndoInterrupted
                if applied.problems.iter().any(is_gone) =>
            {
                warn(format_args!("not finished: {so_far} so far"));
            }
            RunState::Finished | RunState::Undone => {}
            RunState::Interrupted => warn(format_args!(
                "not finished: {so_far} so far; --resume goes on, --undo takes it back"
            )),
            RunState::UndoInterrupted => warn(format_args!(
                "not taken back to the end: {so_far} so far; --undo goes on"
            )),
        }
        Ok(applied)
    }
}

/// What is said in a preview of what `-w` would not do.
pub(crate) fn would_refuse(refusal: impl Display) -> String {
    format!("-w would refuse: {refusal}")
}

/// Says in a preview what `-w` would say of a file that it edits.
pub(crate) fn preview(checked: Result<u64, Error>, name: &Path, messages: &mut Messages) {
    match checked {
        Ok(0) => {}
        Ok(links) => messages.note(format!("{}: {}", name.display(), other_links(links))),
        Err(error) => messages.note(would_refuse(error.about(name))),
    }
}

/// How a run ended.
pub(crate) fn exit(applied: &Applied) -> Exit {
    match applied.problems.is_empty() {
        true => Exit::Done,
        false => Exit::Trouble,
    }
}

/// That a file has lost something.
pub(crate) const STRIPPED: &str = "not all of its extended attributes could be kept";

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
