//! The arguments about project files.

use std::path::PathBuf;

use rehref::fs::Item;

use super::values::path;
use crate::heading;
use crate::project::Project;
use crate::render::message::Message;

/// The project file of a run.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::INPUT)]
pub(super) struct ProjectArgs {
    /// Read settings from FILE [default: .rehref.toml, upward from PATH]; --no-config reads none
    ///
    /// Keys: root, base, site, slugs, anchors, clean-urls, exclude, ignore-links, types. Options
    /// of the command line override them. `rehref schema config` prints their JSON Schema. For one
    /// link, a comment `rehref: ignore` exempts the links of its line from check, rewrite and move.
    #[arg(long, value_name = "FILE", value_parser = path(), hide_short_help = true)]
    config: Option<PathBuf>,
    /// Read no project file
    #[arg(long, conflicts_with = "config", hide_short_help = true, hide_long_help = true)]
    no_config: bool,
}

impl ProjectArgs {
    /// Returns the settings of the project for a command that reads these items.
    pub(super) fn project(&self, command: &str, items: &[Item]) -> Result<Project, Message> {
        match &self.config {
            _ if self.no_config => Ok(Project::default()),
            Some(file) => Project::read(file, command),
            None => Project::nearest(items, command),
        }
    }
}
