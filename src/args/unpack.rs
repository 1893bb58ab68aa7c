//! The arguments of `unpack`.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::ValueEnum;
use rehref::fs::Item;
use rehref::jobs::{CaptureDate, Inputs, MissingLinks, Unpack};

use super::run::ThreadsArgs;
use super::values::{name, path};
use crate::exit::Exit;
use crate::heading;
use crate::render::message::Message;
use crate::render::quiet::Quiet;
use crate::render::terminal::warn;
use crate::render::unpack::Renderer;

#[derive(Debug, clap::Args)]
pub(crate) struct UnpackArgs {
    /// Web archives: WARC, ARC or WACZ files, compressed or not
    ///
    /// A revisit may have its body in another one of them.
    #[arg(value_name = "ARCHIVE", value_parser = name(), required_unless_present = "files_from",
        help_heading = heading::INPUT)]
    archives: Vec<OsString>,
    /// Read more paths from the file LIST or `-`, one per line or each ended by NUL
    #[arg(long, value_name = "LIST", hide_short_help = true, value_parser = name(), help_heading = heading::INPUT)]
    files_from: Vec<OsString>,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Write the files to DIR; existing files with another content are refused
    #[arg(short, long, value_name = "DIR", required = true, value_parser = path(), help_heading = heading::WRITING)]
    output: PathBuf,
    /// Choose the newest capture of each URL that is not later than DATE, or the oldest one
    ///
    /// DATE is a year, a month, a day, or a time in UTC, such as 2024, 2024-05, 2024-05-31 or
    /// 2024-05-31T12:00:00Z. Without it, the newest capture is chosen.
    #[arg(long, value_name = "DATE", help_heading = heading::FILTERS)]
    date: Option<CaptureDate>,
    /// Also write error pages of URLs without any other capture
    #[arg(long, help_heading = heading::FILTERS)]
    errors: bool,
    /// Make links to missing URLs of captured hosts absolute, or local paths that do not exist
    ///
    /// With local paths, a browser fetches nothing from these hosts.
    #[arg(long, value_name = "HOW", default_value = "absolute", help_heading = heading::RULES)]
    missing: MissingChoice,
    /// Write nothing; print the path and the URL of each file
    #[arg(short = 'n', long, help_heading = heading::WRITING)]
    dry_run: bool,
    /// Replace existing files with another content
    #[arg(long, help_heading = heading::SAFETY)]
    force: bool,
    /// Print files, redirects and missing URLs as JSON, one object per line
    #[arg(long, help_heading = heading::OUTPUT)]
    json: bool,
    /// End JSON records with NUL
    #[arg(short = '0', long, help_heading = heading::OUTPUT, hide_short_help = true)]
    null: bool,
    /// Print no summary and no progress
    #[arg(short, long, help_heading = heading::OUTPUT)]
    quiet: bool,
}

/// `--missing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MissingChoice {
    /// A browser fetches them
    Absolute,
    /// Paths of the files that would be there
    Local,
}

impl UnpackArgs {
    pub(crate) fn quiet(&self) -> Quiet {
        Quiet::new(self.quiet, false)
    }

    pub(crate) fn renderer(&self) -> Renderer {
        match (self.json, self.null, self.dry_run) {
            (true, false, _) => Renderer::Json(b'\n'),
            (true, true, _) => Renderer::Json(0),
            (false, _, true) => Renderer::Lines,
            (false, _, false) => Renderer::Messages,
        }
    }

    /// The run, and [`Exit::Trouble`] if a list of paths could not be read.
    pub(crate) fn job(&self) -> anyhow::Result<(Unpack, Exit)> {
        let mut exit = Exit::Done;
        let mut inputs = Inputs::default();
        self.archives.iter().for_each(|it| inputs.add_argument(it));
        for list in &self.files_from {
            if let Err(error) = inputs.add_list(list) {
                warn(&error);
                exit = Exit::Trouble;
            }
        }
        let mut unpack = Unpack::new(&self.output);
        unpack.threads = self.threads.threads();
        for item in inputs.items {
            match item {
                Item::Path(_) => unpack.archives.push(item),
                other => {
                    let text = "archives are read twice, so they must be whole files";
                    return Err(anyhow!(Message::about(other.name(), None, text)));
                }
            }
        }
        unpack.choice.date = self.date;
        unpack.choice.errors = self.errors;
        unpack.missing_links = match self.missing {
            MissingChoice::Absolute => MissingLinks::Absolute,
            MissingChoice::Local => MissingLinks::Local,
        };
        unpack.replaces_files = self.force;
        unpack.dry_run = self.dry_run;
        Ok((unpack, exit))
    }
}
