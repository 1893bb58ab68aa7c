//! The arguments of `report`.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use rehref::error::ErrorKind;
use rehref::fs::{BaseMapping, OutputFile};
use rehref::jobs::{Check, Extract, LocalTree, MoveRequest, Relocate, Rewrite};

use super::check::AnchorArgs;
use super::filter::FilterArgs;
use super::inputs::InputArgs;
use super::mail::MailArgs;
use super::rules::RuleArgs;
use super::site::SiteArgs;
use super::text::TextArgs;
use super::values::path;
use crate::exit::Exit;
use crate::heading;
use crate::project::Project;
use crate::render::message::Message;
use crate::render::report::is_report;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("rule").multiple(true))]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Write the page to FILE, or to standard output if FILE is `-`
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["files", "type_list"], value_parser = path(), help_heading = heading::OUTPUT)]
    output: Option<PathBuf>,
    /// Replace FILE even if it is not a report
    #[arg(long, help_heading = heading::OUTPUT)]
    force: bool,
    /// Show what `rehref move SRC DST` would change
    #[arg(long = "move", num_args = 2, value_names = ["SRC", "DST"], value_parser = path(), conflicts_with = "rule",
        help_heading = heading::MOVES)]
    moves: Vec<PathBuf>,
    #[command(flatten)]
    anchors: AnchorArgs,
    /// Also find URLs in the text of HTML and XML, and links in escaped HTML of feeds
    ///
    /// In mail they are always found.
    #[arg(long, help_heading = heading::LINKS)]
    html_text: bool,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    site: SiteArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    mail: MailArgs,
}

/// The options of other commands that are rare here.
const RARE: [&str; 9] = [
    "absolute", "root_relative", "map_file", "map_re", "mirror", "exclude", "media", "html_text",
    "choice",
];

/// Leaves rare options out of the short help.
pub(super) fn with_short_help(command: clap::Command) -> clap::Command {
    // This keeps the order of the options.
    command.mut_args(|arg| match RARE.contains(&arg.get_id().as_str()) {
        true => arg.hide_short_help(true),
        false => arg,
    })
}

/// The runs of a report.
pub(crate) struct ReportJobs {
    pub(crate) extract: Extract,
    /// The tree, if the only input is a directory, and the search for its broken links.
    pub(crate) tree: Option<(LocalTree, Check)>,
    pub(crate) plan: Option<PlannedRun>,
    /// The file of the page. `None` for standard output.
    pub(crate) output: Option<OutputFile>,
    pub(crate) exit: Exit,
}

/// A run whose plan the page shows.
pub(crate) enum PlannedRun {
    Rewrite(Box<Rewrite>),
    Move(Box<Relocate>),
}

impl ReportArgs {
    /// The names of the inputs.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = self.inputs.paths.iter().chain(&self.inputs.files_from);
        names.map(|name| name.to_string_lossy().into_owned()).collect()
    }

    /// The file of the page. `None` for standard output.
    pub(crate) fn output_path(&self) -> Option<&Path> {
        // As a file, a closed one could be written.
        let standard = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        let output = self.output.as_deref();
        output.filter(|output| !standard.iter().any(|it| *output == Path::new(it)))
    }

    pub(crate) fn jobs(&self) -> anyhow::Result<ReportJobs> {
        let may_replace = |head: &[u8]| self.force || is_report(head);
        let output = self.output_path().map(|path| OutputFile::new(path, may_replace));
        self.refuse_input_as_output()?;
        let output = output.transpose().map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                anyhow::Error::new(Message::from(&error).with_help("use --force to replace it"))
            }
            _ => error.into(),
        })?;
        let mut extract = Extract::new();
        let (project, exit) = self.inputs.apply(&mut extract.inputs, "report")?;
        let base = extract.inputs.read.retrieval.clone();
        extract.filter = self.filter.of_project(&project, base.as_ref())?;
        extract.options = rehref::Options {
            html_text: self.html_text,
            escaped_html: self.html_text,
            text: self.text.options(),
            rels: extract.filter.needs_rels(),
            ..self.inputs.run.options()
        };
        self.mail.apply(&mut extract);
        extract.site = self.site.choice(&project);
        extract.whole_documents = true;
        let directory = self.directory();
        extract.inputs.walk.output = self.output_path().map(Path::to_owned);
        let tree =
            directory.map(|directory| self.tree(directory, &extract, &project)).transpose()?;
        if let Some((tree, _)) = &tree {
            extract.inputs.read.retrieval = Some(tree.retrieval());
        }
        let plan = self.plan(directory, &project)?;
        Ok(ReportJobs { extract, tree, plan, output, exit })
    }

    /// Refuses to replace a file that is shown, even with `--force`.
    fn refuse_input_as_output(&self) -> anyhow::Result<()> {
        let canonical = |path: &Path| path.canonicalize().ok();
        let Some((named, output)) = self.output_path().and_then(|it| Some((it, canonical(it)?)))
        else {
            return Ok(());
        };
        let mut inputs = self.inputs.paths.iter().map(Path::new);
        match inputs.any(|input| canonical(input).is_some_and(|input| input == output)) {
            true if output.is_file() => {
                let message = Message::about(named, None, "the page would replace an input");
                Err(message.with_help("name another file after -o").into())
            }
            _ => Ok(()),
        }
    }

    /// The directory, if that is the only input.
    fn directory(&self) -> Option<&Path> {
        match self.inputs.paths.as_slice() {
            [only] if self.inputs.files_from.is_empty() => {
                Some(Path::new(only)).filter(|path| path.is_dir())
            }
            _ => None,
        }
    }

    /// The tree of a directory, and the search for its broken links.
    fn tree(
        &self,
        directory: &Path,
        extract: &Extract,
        project: &Project,
    ) -> anyhow::Result<(LocalTree, Check)> {
        let base = extract.inputs.read.retrieval.as_ref().filter(|base| contains(base, directory));
        if base.is_none() && self.inputs.base()?.is_some() {
            let message = Message::about(directory, None, "is not in the directory of the URL");
            return Err(message.within("--base").into());
        }
        // The walk reports directories that cannot be listed.
        let tree = LocalTree::new(directory, base, |_| {});
        let tree = tree.map_err(|error| anyhow!("--base: {error}"))?;
        let tree = tree.with_site(extract.site);
        let mut check = tree.check(directory);
        let items = std::mem::take(&mut check.inputs.items);
        check.inputs = extract.inputs.clone();
        check.inputs.items = items;
        check.inputs.read.retrieval = None;
        check.site = extract.site;
        check.filter = extract.filter.clone();
        let rels = check.filter.needs_rels();
        check.options = rehref::Options { rels, ..self.inputs.run.options() };
        self.anchors.apply(&mut check, None, project);
        Ok((tree, check))
    }

    /// The run whose plan the page shows.
    fn plan(
        &self,
        directory: Option<&Path>,
        project: &Project,
    ) -> anyhow::Result<Option<PlannedRun>> {
        if self.rules.are_given() {
            let (mut rewrite, ..) = self.rules.rewrite(&self.inputs, &self.filter, false)?;
            rewrite.inputs.walk.output = self.output_path().map(Path::to_owned);
            rewrite.site = self.site.choice(project);
            rewrite.reports_skipped = true;
            return Ok(Some(PlannedRun::Rewrite(Box::new(rewrite))));
        }
        if self.moves.is_empty() {
            return Ok(None);
        }
        let Some(root) = directory else {
            bail!("--move needs the directory of the tree as the only PATH");
        };
        let mut relocate = Relocate::new(root);
        relocate.requests = self.moves.chunks_exact(2).map(request_of).collect();
        relocate.base = self.inputs.base()?.or_else(|| project.base.clone());
        relocate.site = self.site.choice(project);
        relocate.filter = self.filter.of_project(project, relocate.base.as_ref())?;
        let rels = relocate.filter.needs_rels();
        relocate.options = rehref::Options { scripted: true, rels, ..self.inputs.run.options() };
        relocate.gitignore = self.inputs.reading.git_rules();
        relocate.reports_skipped = true;
        relocate.threads = self.inputs.run.threads();
        Ok(Some(PlannedRun::Move(Box::new(relocate))))
    }
}

/// Returns true if a directory may be that of the URL, or is in it.
fn contains(base: &BaseMapping, directory: &Path) -> bool {
    match base {
        BaseMapping::Tree { directory: of, .. } => {
            directory.canonicalize().is_ok_and(|it| it.starts_with(of.path()))
        }
        _ => true,
    }
}

/// The move of SRC and DST.
fn request_of(pair: &[PathBuf]) -> MoveRequest {
    let (sources, to) = pair.split_at(1);
    MoveRequest::Sources(sources.to_vec(), to.iter().collect())
}
