//! The arguments of `resolve`.

use std::ffi::OsString;

use super::answers::AnswerArgs;
use super::resolving::ResolvingArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct ResolveArgs {
    /// Base URI
    pub(crate) base: String,
    /// References; `-` or none to read them from standard input, one per line
    #[arg(value_name = "REF")]
    pub(crate) references: Vec<OsString>,
    /// Print the shortest reference from BASE to each URI (the inverse)
    #[arg(long)]
    pub(crate) relative: bool,
    /// Print the step of the algorithm that decided after each answer, with its specification
    #[arg(long, conflicts_with = "relative")]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArgs,
}
