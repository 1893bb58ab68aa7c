//! The arguments of `resolve`.

use std::ffi::OsString;

use super::answers::AnswerArgs;
use super::resolving::ResolvingArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct ResolveArgs {
    /// The base URI
    pub(crate) base: String,
    /// References; `-`, or none, to read them from standard input, one a line
    #[arg(value_name = "REF")]
    pub(crate) references: Vec<OsString>,
    /// The inverse: print the shortest reference that leads from BASE to each URI
    #[arg(long)]
    pub(crate) relative: bool,
    /// Say behind each answer which step of the algorithm decided, and where it is written
    #[arg(long, conflicts_with = "relative")]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArgs,
}
