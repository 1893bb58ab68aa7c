//! The arguments of `parse`.

use std::ffi::OsString;

use rehref::uri::Grammar;

use super::answers::AnswerArgs;
use super::values::one_of;
use crate::heading;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::INPUT)]
pub(crate) struct ParseArgs {
    /// URIs or references; `-` or none to read them from standard input, one per line
    #[arg(value_name = "URI")]
    pub(crate) references: Vec<OsString>,
    /// Validate by the grammar of this specification
    #[arg(long, value_name = "NAME", default_value = "rfc3986",
        value_parser = one_of(Grammar::ALL, Grammar::as_str))]
    pub(crate) profile: Grammar,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
}
