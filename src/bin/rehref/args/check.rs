//! The arguments of `check`.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::anyhow;
use rehref::format::Options;
use rehref::jobs::{Check, CheckRootError};

use super::heading;
use super::reading::ReadingArgs;
use super::run::RunArgs;
use super::values::{path, the_base};
use crate::render::check::{CheckFormat, Renderer};
use crate::render::quiet::Quiet;

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Directory to check [default: the current one, or that of --base]
    #[arg(value_name = "DIR", help_heading = heading::INPUT, value_parser = path())]
    directory: Option<PathBuf>,
    /// Set the URL of the directory, or URL=DIR; absolute links below URL are local
    #[arg(long, value_name = "URL", help_heading = heading::BASE)]
    base: Vec<OsString>,
    /// Also check that fragments name existing elements
    #[arg(long, help_heading = heading::CHECKS)]
    anchors: bool,
    /// Report links that only work where file names ignore case or Unicode normalization
    #[arg(long, help_heading = heading::CHECKS)]
    case: bool,
    /// Also report pages without links from other documents
    #[arg(long, help_heading = heading::CHECKS)]
    orphans: bool,
    /// Require an index file with one of these names for links to directories
    #[arg(long, value_name = "NAMES", help_heading = heading::CHECKS, value_delimiter = ',', num_args = 0..,
        require_equals = true, default_missing_value = "index.html,index.htm")]
    index: Option<Vec<String>>,
    /// Print in this format
    #[arg(long, value_name = "FORMAT", help_heading = heading::OUTPUT, default_value = "text")]
    format: CheckFormat,
    /// Same as --format jsonl
    #[arg(long, help_heading = heading::OUTPUT)]
    json: bool,
    /// End records with NUL
    #[arg(short = '0', long, help_heading = heading::OUTPUT, hide_short_help = true)]
    null: bool,
    /// Print only errors; exit with 1 if a link is broken
    #[arg(short, long, help_heading = heading::OUTPUT)]
    quiet: bool,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    run: RunArgs,
}

impl CheckArgs {
    pub(crate) fn quiet(&self) -> Quiet {
        Quiet::new(self.quiet, true)
    }

    pub(crate) fn job(&self) -> anyhow::Result<Check> {
        let base = the_base(self.base.clone())?;
        let check = Check::of_directory(self.directory.as_deref(), base.as_deref());
        let mut check = check.map_err(|error| match error {
            CheckRootError::Base(_) | CheckRootError::OutsideOfBase(_) => {
                anyhow!("--base: {error}")
            }
            _ => error.into(),
        })?;
        check.options = Options {
            anchors: self.anchors,
            ..self.run.options()
        };
        self.reading.apply(&mut check.inputs)?;
        check.needs_index = self.index.is_some();
        if let Some(index) = &self.index {
            check.index.clone_from(index);
        }
        check.case = self.case;
        check.orphans = self.orphans;
        check.inputs.threads = self.run.threads();
        Ok(check)
    }

    pub(crate) fn renderer(&self) -> Renderer {
        Renderer {
            format: match self.json {
                true => CheckFormat::Jsonl,
                false => self.format,
            },
            null: self.null,
            quiet: self.quiet,
        }
    }
}
