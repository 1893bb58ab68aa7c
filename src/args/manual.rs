//! The arguments of `man`.

use std::path::PathBuf;

use super::values::path;
use crate::heading;

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Print the page of this command [default: the page of rehref]
    #[arg(value_name = "COMMAND", help_heading = heading::INPUT, conflicts_with = "output")]
    pub(crate) command: Option<String>,
    /// Write the pages of all commands to files in the directory DIR, which is created if missing
    #[arg(short, long, alias = "dir", value_name = "DIR", help_heading = heading::OUTPUT, value_parser = path())]
    pub(crate) output: Option<PathBuf>,
}
