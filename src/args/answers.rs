//! The arguments about printing answers to single references.

use crate::heading;

/// The arguments for printing answers.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = heading::OUTPUT)]
pub(crate) struct AnswerArgs {
    /// Print one JSON object per input
    #[arg(long)]
    pub(crate) json: bool,
    /// End records with NUL
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,
}
