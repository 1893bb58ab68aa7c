//! The arguments of `rewrite`.

use std::path::PathBuf;

use clap::ValueEnum;
use rehref::fs::Item;
use rehref::jobs::{DiffRoot, Inputs, JournalRun, Outcome, Rewrite};

use super::filter::FilterArgs;
use super::in_place::InPlaceArgs;
use super::inputs::InputArgs;
use super::rules::RuleArgs;
use super::site::SiteArgs;
use super::values::path;
use crate::exit::Exit;
use crate::heading;
use crate::render::edits::Renderer;
use crate::render::journal_command::JournalCommand;
use crate::render::quiet::Quiet;
use crate::render::summary::Done;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("rule").required(true).multiple(true))]
pub(crate) struct RewriteArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    site: SiteArgs,
    /// Change the files in place; --undo undoes it
    ///
    /// The journal is in .rehref/ under the root. Only the last run can be undone.
    #[arg(short, long, conflicts_with_all = ["output", "check", "diff"], help_heading = heading::WRITING)]
    write: bool,
    /// Write a new tree to DIR, with copies of all other files
    #[arg(short, long, value_name = "DIR", value_parser = path(), conflicts_with_all = ["check", "diff"], help_heading = heading::WRITING)]
    output: Option<PathBuf>,
    /// Replace files that are in the DIR of -o already; all its other files stay
    #[arg(long, requires = "output", help_heading = heading::SAFETY, hide_short_help = true)]
    force: bool,
    /// Write nothing; exit with 1 if something would change
    #[arg(long, conflicts_with = "diff", help_heading = heading::WRITING)]
    check: bool,
    /// Print a diff, even if standard input is the only document
    #[arg(long, help_heading = heading::OUTPUT, hide_short_help = true)]
    diff: bool,
    /// Print the edits as JSON, one object per line
    #[arg(long, conflicts_with = "diff", help_heading = heading::OUTPUT)]
    json: bool,
    /// End JSON records with NUL
    #[arg(short = '0', long, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(crate) null: bool,
    /// Print no summary and no progress, and no warnings with --check
    #[arg(short, long, help_heading = heading::OUTPUT)]
    quiet: bool,
    /// Print the reason for each link that stays unchanged, and count links that scripts build
    #[arg(long, help_heading = heading::OUTPUT)]
    explain: bool,
    /// Parse both versions again; skip a file where more than links changed
    ///
    /// The versions are parsed independently, HTML as a DOM.
    #[arg(long, help_heading = heading::SAFETY)]
    verify: bool,
    /// Keep or remove the hashes (`integrity`) of style sheets and scripts that this run changes
    #[arg(long, value_name = "WHAT", default_value = "keep", help_heading = heading::RULES, hide_short_help = true)]
    integrity: IntegrityChoice,
    /// Rewrite signed documents of offices and books, which breaks their signatures
    #[arg(long, help_heading = heading::SAFETY, hide_short_help = true)]
    break_signatures: bool,
    #[command(flatten)]
    pub(crate) in_place: InPlaceArgs,
}

/// Leaves options out of the short help.
pub(super) fn with_short_help(command: clap::Command) -> clap::Command {
    command.mut_arg("choice", |arg| arg.hide_short_help(true))
}

impl RewriteArgs {
    pub(crate) fn quiet(&self) -> Quiet {
        Quiet::new(self.quiet, self.check)
    }

    /// Returns true if nothing names an input, and standard input is a terminal.
    pub(crate) fn lack_inputs(&self) -> bool {
        self.inputs.lack_inputs() && !self.rules.mirror.is_given()
    }

    /// Warns if standard input is read since nothing names an input, and it is empty.
    pub(crate) fn report_empty_stdin(&self) {
        if !self.rules.mirror.is_given() {
            self.inputs.report_empty_stdin();
        }
    }

    /// Returns the earlier run in the inputs or the current directory.
    pub(crate) fn journal(&self) -> anyhow::Result<JournalRun<'static>> {
        let mut inputs = Inputs::default();
        match self.inputs.are_empty() {
            true => inputs.add_path("."),
            false => _ = self.inputs.add_paths(&mut inputs),
        }
        let mut journal = JournalRun::of_items(self.in_place.root.as_deref(), &inputs.items)?;
        journal.threads = self.inputs.run.threads();
        journal.allow_foreign = self.in_place.trust_journal;
        Ok(journal)
    }

    /// Returns the run, and [`Exit::Trouble`] if a list of paths could not be read. Prints messages
    /// about mirrors.
    pub(crate) fn job(&self) -> anyhow::Result<(Rewrite, Exit)> {
        let (mut rewrite, project, exit) =
            self.rules.rewrite(&self.inputs, &self.filter, self.explain)?;
        rewrite.site = self.site.choice(&project);
        rewrite.verify = self.verify;
        rewrite.replaces_files = self.force;
        rewrite.breaks_signatures = self.break_signatures;
        rewrite.removes_hashes = self.integrity == IntegrityChoice::Drop;
        rewrite.reports_skipped = self.explain;
        rewrite.has_large_results = self.json || self.explain;
        let in_place = self.in_place.options();
        rewrite.outcome = match &self.output {
            Some(directory) => Outcome::NewTree(directory.clone()),
            None if self.write => Outcome::InPlace(in_place),
            None if self.check => Outcome::Check,
            None if rewrite.inputs.items == [Item::Stdin] && !self.diff && !self.json => {
                Outcome::Filter(in_place)
            }
            None => Outcome::DryRun(in_place),
        };
        rewrite.reports_plans = self.json || matches!(rewrite.outcome, Outcome::DryRun(_));
        Ok((rewrite, exit))
    }

    pub(crate) fn renderer<'r>(&self, outcome: &Outcome, root: &'r DiffRoot) -> Renderer<'r> {
        match outcome {
            _ if self.json => Renderer::Json(if self.null { 0 } else { b'\n' }),
            Outcome::DryRun(_) => Renderer::Diff(root),
            _ => Renderer::Messages,
        }
    }

    pub(crate) fn done(&self, outcome: &Outcome) -> Done {
        match outcome {
            Outcome::InPlace(_) => Done::Written(JournalCommand::Rewrite),
            Outcome::NewTree(_) => Done::Copied,
            Outcome::Filter(_) => Done::Printed,
            Outcome::Check => Done::Checked,
            _ => Done::Shown,
        }
    }
}

/// `--integrity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IntegrityChoice {
    /// Keep them, and warn that they are stale
    Keep,
    /// Remove the attributes
    Drop,
}
