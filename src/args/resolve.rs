//! The arguments of `resolve`.

use std::ffi::OsString;

use super::answers::AnswerArgs;
use super::resolving::ResolvingArgs;
use crate::heading;

#[derive(Debug, clap::Args)]
pub(crate) struct ResolveArgs {
    /// The base URL
    #[arg(help_heading = heading::INPUT)]
    pub(crate) base: String,
    /// References; `-` or none to read them from standard input, one per line
    #[arg(value_name = "REF", help_heading = heading::INPUT)]
    pub(crate) references: Vec<OsString>,
    /// Print the shortest reference from BASE to each URI (the inverse)
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) relative: bool,
    /// Print the step of the algorithm that decided, with its section of the RFC
    #[arg(long, help_heading = heading::OUTPUT, conflicts_with = "relative")]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArgs,
}
