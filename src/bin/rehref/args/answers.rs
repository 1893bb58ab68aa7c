//! The arguments about printing answers to single references.

/// How answers are printed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct AnswerArgs {
    /// Print one JSON object per input
    #[arg(long)]
    pub(crate) json: bool,
    /// End records with NUL
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}
