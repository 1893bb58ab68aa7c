//! The arguments of `move`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use rehref::format::Options;
use rehref::fs::{BaseMapping, Item};
use rehref::jobs::git;
use rehref::jobs::{DiffRoot, JournalRun, MoveOutcome, MoveRequest, Redirects, Relocate};

use super::filter::FilterArgs;
use super::project::ProjectArgs;
use super::reading::GitArgs;
use super::run::RunArgs;
use super::site::SiteArgs;
use super::values::{base_mapping, name, one_of, path, the_base};
use crate::heading;
use crate::render::edits::Renderer;
use crate::render::git::{rename_by_git, renames_since};
use crate::render::journal_command::JournalCommand;
use crate::render::message::Message;
use crate::render::quiet::Quiet;
use crate::render::reasons::explained;
use crate::render::summary::Done;

/// The moves, and the options of the run.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub(crate) struct MoveArgs {
    /// Files and directories, then their destination: a directory or a new path
    ///
    /// DST/ with a slash is a directory to move into. It is created if it is missing.
    #[arg(value_name = "SRC... DST", group = "what", value_parser = path(), help_heading = heading::MOVES)]
    paths: Vec<PathBuf>,
    /// Also move the paths in the rows of FILE: old,new
    ///
    /// FILE is CSV, or TSV if its name ends in .tsv or its first line has a tab. `-` is standard
    /// input.
    #[arg(long, value_name = "FILE", group = "what", value_parser = path(), help_heading = heading::MOVES)]
    from_list: Vec<PathBuf>,
    /// OLD was already moved to NEW: only update references
    #[arg(long, value_name = "OLD=NEW", group = "what", conflicts_with_all = ["paths", "from_list"], value_parser = name(), help_heading = heading::MOVES)]
    moved: Vec<OsString>,
    /// Follow the renames of `git diff -M REV`: only update references
    ///
    /// The files are already moved. REV is a revision, which is compared with the files now, or a
    /// range such as main..HEAD. Links that work at the new paths stay, except in files that git
    /// shows to be unchanged since.
    #[arg(long, value_name = "REV", group = "what", conflicts_with_all = ["paths", "from_list"], value_parser = revision(), help_heading = heading::MOVES)]
    from_git: Option<OsString>,
    /// Update references in the tree of DIR [default: .]
    ///
    /// DIR is also the directory that / means at the start of links. For --undo and --resume, the
    /// default is the nearest directory that has a run, from the current one upward.
    #[arg(long, value_name = "DIR", value_parser = path(), help_heading = heading::MOVES)]
    root: Option<PathBuf>,
    /// Also update absolute references: the URL of the tree
    ///
    /// URL=DIR is the URL of a directory that contains the tree.
    #[arg(long, value_name = "URL", value_parser = base_mapping(), help_heading = heading::BASE)]
    base: Vec<BaseMapping>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    site: SiteArgs,
    /// Move the files and update references; --undo undoes it
    ///
    /// The journal is in .rehref/ under the root. Only the last run can be undone.
    #[arg(short, long, conflicts_with = "check", help_heading = heading::WRITING)]
    write: bool,
    /// Write nothing; exit with 1 if something would change
    #[arg(long, help_heading = heading::WRITING)]
    check: bool,
    /// Print moves and edits as JSON, one object per line
    #[arg(long, help_heading = heading::OUTPUT)]
    json: bool,
    /// Print no summary and no progress, and no warnings with --check
    #[arg(short, long, help_heading = heading::OUTPUT)]
    quiet: bool,
    /// Print the reason for each link that a move affects and that stays unchanged
    #[arg(long, help_heading = heading::OUTPUT)]
    explain: bool,
    /// Parse both versions again; refuse the move if more than links changed
    #[arg(long, help_heading = heading::SAFETY)]
    verify: bool,
    /// Let git move the files that it tracks
    #[arg(long, conflicts_with_all = ["moved", "from_git"], help_heading = heading::WRITING)]
    git: bool,
    /// Also write redirects from the old addresses
    #[arg(long, value_name = "HOW", value_parser = one_of(Redirects::ALL, redirects_value), help_heading = heading::WRITING)]
    redirects: Option<Redirects>,
    /// Undo the last run with -w, byte by byte
    ///
    /// Only the last run can be undone. It may have been interrupted.
    #[arg(long, groups = ["what", "again"], conflicts_with_all = ["paths", "from_list", "moved", "from_git", "resume", "write", "check"], help_heading = heading::SAFETY)]
    pub(crate) undo: bool,
    /// Finish an interrupted run with -w
    #[arg(long, groups = ["what", "again"], conflicts_with_all = ["paths", "from_list", "moved", "from_git", "write", "check"], help_heading = heading::SAFETY)]
    pub(crate) resume: bool,
    /// Let --undo or --resume use a journal that was written for another directory
    ///
    /// Use it where the directory was moved, copied or restored since the run.
    #[arg(long, requires = "again", help_heading = heading::SAFETY, hide_short_help = true)]
    trust_journal: bool,
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    git_rules: GitArgs,
    #[command(flatten)]
    run: RunArgs,
}

impl MoveArgs {
    pub(crate) fn quiet(&self) -> Quiet {
        Quiet::new(self.quiet, self.check)
    }

    /// The command that undoes or finishes a run.
    pub(crate) fn command(&self) -> JournalCommand {
        match self.git {
            true => JournalCommand::MoveByGit,
            false => JournalCommand::Move,
        }
    }

    /// Returns the earlier run in the root.
    pub(crate) fn journal(&self) -> anyhow::Result<JournalRun<'static>> {
        let mut journal = match &self.root {
            Some(root) => JournalRun::new(root)?,
            None => JournalRun::nearest(Path::new("."))?,
        };
        journal.threads = self.run.threads();
        journal.rename = self.git.then_some(&rename_by_git);
        journal.allow_foreign = self.trust_journal;
        Ok(journal)
    }

    /// Returns old and new paths of the run that is undone, unless git undoes its moves.
    pub(crate) fn moves_without_git(&self, journal: &JournalRun<'_>) -> Vec<(PathBuf, PathBuf)> {
        match self.undo && !self.git {
            // The undo itself reports an unusable journal.
            true => journal.moves().unwrap_or_default(),
            false => Vec::new(),
        }
    }

    pub(crate) fn job(&self) -> anyhow::Result<Relocate> {
        if self.git {
            let root = self.root.as_deref().unwrap_or(Path::new("."));
            git::check_safe(root).map_err(|it| Message::from(it).within("--git"))?;
        }
        let items = self.root.iter().cloned().map(Item::Path).collect::<Vec<_>>();
        let project = self.project.project("move", &items)?;
        let requests = self.requests()?;
        // Files outside of the root of the project are in the current directory.
        let moved = requests.iter().filter_map(|request| match request {
            MoveRequest::Moved(_, new) => Some(new),
            _ => None,
        });
        let paths = self.paths.iter().chain(moved).map(PathBuf::as_path);
        let root = project.root.as_deref().filter(|_| project.has(paths));
        let root = self.root.as_deref().or(root);
        let mut relocate = Relocate::new(root.unwrap_or(Path::new(".")));
        relocate.verify = self.verify;
        // A user who names the root has chosen it.
        relocate.reports_larger_tree = self.root.is_none();
        relocate.requests = requests;
        let is_of_project = project.has([&*relocate.root]);
        relocate.base = match the_base(self.base.clone())? {
            Some(base) => Some(base),
            None => project.base.clone().filter(|_| is_of_project),
        };
        relocate.site = self.site.choice(&project);
        relocate.filter = self.filter.of_project(&project, relocate.base.as_ref())?;
        let rels = relocate.filter.needs_rels();
        relocate.options = Options { scripted: self.explain, rels, ..self.run.options() };
        relocate.reports_skipped = self.explain;
        relocate.redirects = self.redirects;
        relocate.rename = self.git.then_some(rename_by_git);
        relocate.outcome = match (self.write, self.check) {
            (true, _) => MoveOutcome::Apply,
            (_, true) => MoveOutcome::Check,
            _ => MoveOutcome::DryRun,
        };
        relocate.gitignore = self.git_rules.rules();
        relocate.threads = self.run.threads();
        Ok(relocate)
    }

    pub(crate) fn renderer<'r>(&self, outcome: MoveOutcome, root: &'r DiffRoot) -> Renderer<'r> {
        match outcome {
            _ if self.json => Renderer::Json(b'\n'),
            MoveOutcome::Check if self.is_after_the_fact() && !self.quiet => Renderer::Lines,
            MoveOutcome::DryRun => Renderer::MoveDiff(root),
            _ => Renderer::Messages,
        }
    }

    pub(crate) fn done(&self, outcome: MoveOutcome) -> Done {
        match outcome {
            MoveOutcome::Apply => Done::Written(self.command()),
            MoveOutcome::Check => Done::Checked,
            _ => Done::Shown,
        }
    }

    /// Returns true if the files were moved before the run.
    fn is_after_the_fact(&self) -> bool {
        self.from_git.is_some() || !self.moved.is_empty()
    }

    /// Returns true if git was asked for renames and a run has none to follow.
    pub(crate) fn has_no_renames(&self, relocate: &Relocate) -> bool {
        self.from_git.is_some() && relocate.requests.is_empty()
    }

    /// The moves that the arguments name.
    fn requests(&self) -> anyhow::Result<Vec<MoveRequest>> {
        let mut requests = Vec::new();
        match self.paths.as_slice() {
            [] => {}
            [sources @ .., to] if !sources.is_empty() => {
                requests.push(MoveRequest::Sources(sources.to_vec(), to.clone()));
            }
            _ => {
                let missing = Message::new("missing DST");
                return Err(missing.with_help("write `rehref move SRC... DST`").into());
            }
        }
        requests.extend(self.from_list.iter().cloned().map(MoveRequest::List));
        for entry in &self.moved {
            requests.push(MoveRequest::of_moved(entry).map_err(explained)?);
        }
        if let Some(revision) = &self.from_git {
            let root = self.root.as_deref().unwrap_or(Path::new("."));
            let renames = renames_since(root, revision)?;
            if !renames.files.is_empty() {
                requests.push(MoveRequest::Renames(renames));
            }
        }
        Ok(requests)
    }
}

/// Names and describes a form of redirects in help.
fn redirects_value(redirects: Redirects) -> PossibleValue {
    PossibleValue::new(redirects.as_str()).help(redirects.description())
}

/// A parser of a revision of git.
fn revision() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|revision| match revision.is_empty() {
        true => Err("a revision is empty"),
        false => Ok(revision),
    })
}
