//! The arguments of `move`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use clap::ValueEnum;
use rehref::format::Options;
use rehref::fs::journal::rename_noreplace;
use rehref::fs::{BaseMapping, path_of_bytes};
use rehref::jobs::{JournalRun, MoveOutcome, MoveRequest, Redirects, Relocate};

use super::run::RunArgs;
use super::values::{base_mapping, path, the_base};
use crate::render::edits::Renderer;
use crate::undo::Again;

/// What moves, and how.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "rehref move [OPTIONS] SRC... DST\n       rehref move [OPTIONS] --from-list FILE\n       \
    rehref move [OPTIONS] --moved OLD=NEW\n       rehref move --undo|--resume [--root DIR]"
)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub(crate) struct MoveArgs {
    /// Files and folders, and at last where they go: into DST if that is a folder, else DST is the new name
    #[arg(value_name = "SRC... DST", group = "what", value_parser = path())]
    paths: Vec<PathBuf>,
    /// Also move what each row of FILE, or of `-` for standard input, says: old,new as CSV, or as TSV if it ends
    /// in .tsv or its first line has a tab
    #[arg(long, value_name = "FILE", group = "what", value_parser = path())]
    from_list: Vec<PathBuf>,
    /// OLD is NEW already: only references are to follow
    #[arg(long, value_name = "OLD=NEW", group = "what", conflicts_with_all = ["paths", "from_list"])]
    moved: Vec<OsString>,
    /// The folder of the tree in which references follow
    #[arg(long, value_name = "DIR", default_value = ".", value_parser = path())]
    root: PathBuf,
    /// The URL of the tree, or URL=DIR for that of a folder that it lies in; then absolute references follow too
    #[arg(long, value_name = "URL", value_parser = base_mapping())]
    base: Vec<BaseMapping>,
    /// Move, and rewrite what has to follow; what is done is noted in .rehref/ under the root, so that it can be
    /// taken back
    #[arg(short, long, conflicts_with = "check")]
    write: bool,
    /// Write nothing; exit with 1 if something would change
    #[arg(long)]
    check: bool,
    /// Print moves and edits as JSON, one object a line
    #[arg(long)]
    json: bool,
    /// Say of each link that is kept why it is
    #[arg(long)]
    explain: bool,
    /// Before a changed document is written, read old and new apart, and leave it as it is unless they are equal
    /// but for the rewritten links
    #[arg(long)]
    verify: bool,
    /// Let git move what it knows
    #[arg(long, conflicts_with = "moved")]
    git: bool,
    /// Also tell those who come to the old places
    #[arg(long, value_name = "HOW")]
    redirects: Option<RedirectsChoice>,
    /// Take back the last run, as far as it came
    #[arg(long, groups = ["what", "again"], conflicts_with_all = ["paths", "from_list", "moved", "resume", "write", "check"])]
    undo: bool,
    /// Finish the run that was interrupted
    #[arg(long, groups = ["what", "again"], conflicts_with_all = ["paths", "from_list", "moved", "write", "check"])]
    resume: bool,
    /// Let --undo or --resume use a journal that was not written for this directory, such as that of a directory
    /// you moved, copied or restored
    #[arg(long, requires = "again")]
    trust_journal: bool,
    #[command(flatten)]
    run: RunArgs,
}

impl MoveArgs {
    /// What is done with an earlier run, if that is wanted.
    pub(crate) fn again(&self) -> Option<Again> {
        Again::new(self.undo, self.resume)
    }

    /// Returns the earlier run in the root.
    pub(crate) fn journal(&self) -> anyhow::Result<JournalRun<'static>> {
        let mut journal = JournalRun::new(&self.root)?;
        journal.threads = self.run.threads();
        journal.rename = self.git.then_some(&rename_by_git);
        journal.allow_foreign = self.trust_journal;
        Ok(journal)
    }

    pub(crate) fn job(&self) -> anyhow::Result<Relocate> {
        if self.git {
            let version = Command::new("git").arg("--version").output();
            version.context("--git: git cannot be run")?;
        }
        let mut relocate = Relocate::new(&self.root);
        relocate.verify = self.verify;
        relocate.requests = self.requests()?;
        relocate.base = the_base(self.base.clone())?;
        relocate.options = Options {
            scripted: true,
            ..self.run.options()
        };
        relocate.reports_skipped = self.explain;
        relocate.redirects = self.redirects.map(RedirectsChoice::kind);
        relocate.rename = self.git.then_some(rename_by_git);
        relocate.outcome = match (self.write, self.check) {
            (true, _) => MoveOutcome::Apply,
            (_, true) => MoveOutcome::Check,
            _ => MoveOutcome::DryRun,
        };
        relocate.threads = self.run.threads();
        Ok(relocate)
    }

    pub(crate) fn renderer(&self, outcome: MoveOutcome) -> Renderer {
        Renderer {
            json: self.json,
            diff: outcome == MoveOutcome::DryRun,
            moves: true,
            end: b'\n',
        }
    }

    /// The moves that the arguments name.
    fn requests(&self) -> anyhow::Result<Vec<MoveRequest>> {
        let mut requests = Vec::new();
        match self.paths.as_slice() {
            [] => {}
            [sources @ .., to] if !sources.is_empty() => {
                requests.push(MoveRequest::Sources(sources.to_vec(), to.clone()));
            }
            _ => bail!("SRC... DST: what moves, and where to"),
        }
        requests.extend(self.from_list.iter().cloned().map(MoveRequest::List));
        for entry in &self.moved {
            let (old, new) = moved(entry)?;
            requests.push(MoveRequest::Moved(old, new));
        }
        Ok(requests)
    }
}

/// `--redirects`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RedirectsChoice {
    /// Rules in the file `_redirects`
    Netlify,
    /// Rules in the file `.htaccess`
    Apache,
    /// Rules in the file `redirects.nginx.conf`, to be included in a server block
    Nginx,
    /// A page in each place that a page has moved from
    Html,
}

impl RedirectsChoice {
    fn kind(self) -> Redirects {
        match self {
            Self::Netlify => Redirects::Netlify,
            Self::Apache => Redirects::Apache,
            Self::Nginx => Redirects::Nginx,
            Self::Html => Redirects::Html,
        }
    }
}

/// The paths of `OLD=NEW`, of which NEW exists.
fn moved(entry: &OsStr) -> anyhow::Result<(PathBuf, PathBuf)> {
    let (shown, bytes) = (entry.display(), entry.as_encoded_bytes());
    let ends = (0..bytes.len()).filter(|&at| bytes[at] == b'=');
    let mut splits = ends
        .map(|at| (&bytes[..at], &bytes[at + 1..]))
        .filter(|(old, new)| !old.is_empty() && !new.is_empty())
        .map(|(old, new)| (path_of_bytes(old), path_of_bytes(new)))
        .peekable();
    if splits.peek().is_none() {
        bail!("{shown}: no `=` between an OLD and a NEW that are not empty");
    }
    let found = splits.find(|(_, new)| new.symlink_metadata().is_ok());
    found.with_context(|| format!("{shown}: there is no NEW"))
}

/// Renames a file, directory or symbolic link, with git if it is tracked.
fn rename_by_git(from: &Path, to: &Path) -> std::io::Result<()> {
    let directory = from.parent().unwrap_or(Path::new("."));
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(directory)
        .args(["mv", "--"])
        .arg(from)
        .arg(to);
    match command.output()?.status.success() {
        true => Ok(()),
        // It is not tracked.
        false => rename_noreplace(from, to),
    }
}
