//! The arguments of `check`.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use rehref::error::{Error, ErrorKind};
use rehref::format::Options;
use rehref::format::markdown::Slugs;
use rehref::fs::{BaseMapping, Item};
use rehref::jobs::{Baseline, BaselineError, Check, CheckRootError, Inputs};

use super::filter::FilterArgs;
use super::lists::add_list;
use super::project::ProjectArgs;
use super::reading::ReadingArgs;
use super::run::RunArgs;
use super::site::SiteArgs;
use super::values::{name, one_of, path, the_base, warn_of_other_reading};
use crate::exit::Exit;
use crate::heading;
use crate::project::Project;
use crate::render::check::{CheckFormat, Renderer};
use crate::render::message::Message;
use crate::render::quiet::Quiet;
use crate::render::styled::{HyperlinkChoice, Style};
use crate::render::terminal::warn;

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files and directories [default: the current directory, or that of --root or --base]
    #[arg(value_name = "PATH", help_heading = heading::INPUT, value_parser = name())]
    paths: Vec<OsString>,
    /// Read more paths from the file LIST or `-`, one per line or each ended by NUL
    #[arg(long, value_name = "LIST", help_heading = heading::INPUT, hide_short_help = true, value_parser = name())]
    files_from: Vec<OsString>,
    /// Site root: `/` means DIR, and links that leave DIR are broken
    ///
    /// Without it, each directory PATH is the root of its own site, and other files are looked up.
    /// For a file PATH, links such as /a.html are not checked.
    #[arg(long, value_name = "DIR", help_heading = heading::BASE, value_parser = path())]
    root: Option<PathBuf>,
    /// Treat absolute links below URL as local: the URL of the directory, or URL=DIR
    #[arg(long, value_name = "URL", help_heading = heading::BASE)]
    base: Vec<OsString>,
    #[command(flatten)]
    site: SiteArgs,
    #[command(flatten)]
    anchors: AnchorArgs,
    /// Derive the ids of Markdown headings as this program or site does [default:
    /// as --site]
    #[arg(long, value_name = "NAME", help_heading = heading::CHECKS, hide_short_help = true,
        value_parser = one_of(Slugs::ALL, Slugs::as_str))]
    slugs: Option<Slugs>,
    /// Report links that differ from the name of their file in case
    ///
    /// Unicode normalization counts as case. Such links work only on systems that ignore the
    /// difference, such as Windows and macOS.
    #[arg(long, help_heading = heading::CHECKS)]
    case: bool,
    /// Also report pages without links from other documents
    #[arg(long, help_heading = heading::CHECKS)]
    orphans: bool,
    /// Require an index file with one of these names in linked directories
    #[arg(long, value_name = "NAMES", help_heading = heading::CHECKS, value_delimiter = ',', num_args = 0..,
        require_equals = true, default_missing_value = "index.html,index.htm")]
    index: Option<Vec<String>>,
    /// Accept links to pages without their extension: /about for about.html
    #[arg(long, help_heading = heading::CHECKS)]
    clean_urls: bool,
    #[command(flatten)]
    filter: FilterArgs,
    /// Ignore known findings listed in FILE
    #[arg(long, value_name = "FILE", help_heading = heading::FILTERS, value_parser = path())]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings to FILE, for --baseline
    #[arg(long, value_name = "FILE", help_heading = heading::FILTERS, value_parser = path())]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Print each target of broken links once, with their number, most frequent first
    #[arg(long, help_heading = heading::OUTPUT)]
    summary: bool,
    /// Print in this format
    #[arg(long, value_name = "FORMAT", help_heading = heading::OUTPUT, default_value = "text")]
    format: CheckFormat,
    /// Same as --format jsonl
    #[arg(long, help_heading = heading::OUTPUT)]
    json: bool,
    /// Make names of files hyperlinks of the terminal (OSC 8)
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true, help_heading = heading::OUTPUT)]
    hyperlink: HyperlinkChoice,
    /// End records with NUL
    #[arg(short = '0', long, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub(crate) null: bool,
    /// Print only errors; exit with 1 if a link is broken
    #[arg(short, long, help_heading = heading::OUTPUT)]
    quiet: bool,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// The check of fragments.
#[derive(Debug, clap::Args)]
pub(super) struct AnchorArgs {
    /// Do not check fragments; by default, `#id` must name an element of the page
    #[arg(long, help_heading = heading::CHECKS)]
    no_anchors: bool,
    /// The default.
    #[arg(long, hide = true, conflicts_with = "no_anchors", help_heading = heading::CHECKS)]
    anchors: bool,
}

impl AnchorArgs {
    /// Sets what is checked, which the project may decide.
    pub(super) fn apply(&self, check: &mut Check, slugs: Option<Slugs>, project: &Project) {
        check.options.anchors = self.anchors || !self.no_anchors && project.anchors.unwrap_or(true);
        if slugs.is_some() && !check.options.anchors {
            warn("--slugs has no effect without anchors");
        }
        let slugs = slugs.or(project.slugs);
        check.options.markdown.slugs = slugs.unwrap_or_default();
        check.slugs_of_site = slugs.is_none();
        check.clean_urls = project.clean_urls.unwrap_or(false);
    }
}

impl CheckArgs {
    pub(crate) fn quiet(&self) -> Quiet {
        Quiet::new(self.quiet, true)
    }

    /// Returns the job, and [`Exit::Trouble`] if a list of paths could not be read.
    pub(crate) fn job(&self) -> anyhow::Result<(Check, Exit)> {
        let format = self.format();
        if self.summary && !matches!(format, CheckFormat::Text | CheckFormat::Jsonl) {
            let name = format.to_possible_value();
            let name = name.as_ref().map_or("", |it| it.get_name());
            let message = format!("--summary cannot be combined with --format {name}");
            return Err(Message::new(message).with_help("use --format text or jsonl").into());
        }
        let base = the_base(self.base.clone())?;
        if let Some(base) = &base {
            warn_of_other_reading(base);
        }
        if self.filter.is_external() {
            let message = Message::new("check finds local links only: --external leaves none");
            warn(message.with_help("`rehref extract --external` prints the others"));
        }
        let mut exit = Exit::Done;
        let mut inputs = Inputs::default();
        self.paths.iter().for_each(|path| inputs.add_argument(path));
        for list in &self.files_from {
            if let Err(error) = add_list(&mut inputs, list) {
                warn(&error);
                exit = Exit::Trouble;
            }
        }
        if inputs.items.is_empty() && !self.files_from.is_empty() {
            let message = Message::new("nothing was checked: no path is named");
            return Err(message.within("--files-from").into());
        }
        let project = self.project(&inputs.items)?;
        // The project decides about its own files.
        let is_free = self.root.is_none()
            && base.is_none()
            && project.has(inputs.items.iter().filter_map(Item::file));
        if !is_free && self.root.is_none() && base.is_none() && project.site_root().is_some() {
            let root = project.root.as_ref().map_or("base", |_| "root");
            let message = format!("{root} of .rehref.toml does not apply: a PATH is not below it");
            warn(Message::new(message).with_help("check without a PATH uses it"));
        }
        let (check, mapping) = match is_free {
            true => {
                let url = project.base.as_ref().map(|it| OsStr::new(it.url()));
                (Check::of_inputs(inputs.items, project.site_root(), url), project.base.clone())
            }
            false => {
                let check = Check::of_inputs(inputs.items, self.root.as_deref(), base.as_deref());
                (check, base.and_then(|base| BaseMapping::parse(base).ok()))
            }
        };
        let mut check = check.map_err(|error| message_of(&error))?;
        check.filter = self.filter.of_project(&project, mapping.as_ref())?;
        check.options = Options { rels: check.filter.needs_rels(), ..self.run.options() };
        self.anchors.apply(&mut check, self.slugs, &project);
        check.site = self.site.choice(&project);
        self.reading.apply(&mut check.inputs, &project)?;
        check.needs_index = self.index.is_some();
        check.clean_urls |= self.clean_urls;
        if let Some(index) = &self.index {
            check.index.clone_from(index);
        }
        check.case = self.case;
        check.orphans = self.orphans;
        check.inputs.threads = self.run.threads();
        if let Some(path) = &self.baseline {
            let baseline = Baseline::read(path);
            let baseline = baseline.map_err(|error| message_of_baseline(&error))?;
            check.baseline = Some(Arc::new(baseline));
        }
        Ok((check, exit))
    }

    /// The settings of the project that has these items.
    fn project(&self, items: &[Item]) -> Result<Project, Message> {
        match &self.root {
            Some(root) if items.is_empty() => {
                self.project.project("check", &[Item::Path(root.clone())])
            }
            _ => self.project.project("check", items),
        }
    }

    fn format(&self) -> CheckFormat {
        match self.json {
            true => CheckFormat::Jsonl,
            false => self.format,
        }
    }

    /// Returns the renderer of a run that writes a baseline, if one is given.
    pub(crate) fn renderer<'r>(&self, baseline: Option<&'r Baseline>) -> Renderer<'r> {
        let format = self.format();
        Renderer {
            format,
            by_target: self.summary,
            style: match format {
                CheckFormat::Text => Style::new(self.hyperlink),
                _ => None,
            },
            null: self.null,
            quiet: self.quiet,
            baseline,
        }
    }
}

/// The message about a baseline that cannot be read.
fn message_of_baseline(error: &BaselineError) -> Message {
    let message = Message::new(error).within("--baseline");
    match error {
        BaselineError::File(error) if is_not_found(error) => {
            message.with_help("write it with --write-baseline FILE")
        }
        _ => message,
    }
}

fn is_not_found(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Read(error) if error.kind() == io::ErrorKind::NotFound)
}

/// The message about inputs that cannot be checked together.
fn message_of(error: &CheckRootError) -> Message {
    let message = Message::new(error);
    match error {
        CheckRootError::Base(_)
        | CheckRootError::OutsideOfBase(_)
        | CheckRootError::OtherRoot(_) => message.within("--base"),
        CheckRootError::SeveralDirectories(..) => {
            message.within("--base").with_help("use --base URL=DIR, or --root DIR")
        }
        CheckRootError::OutsideOfRoot(..) => message.within("--root"),
        _ => message,
    }
}
