//! The arguments of `completions`.

use clap_complete::Shell;

use crate::heading;

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", help_heading = heading::INPUT)]
    pub(crate) shell: Shell,
}
