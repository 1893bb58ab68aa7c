//! The arguments about printing answers to single references.

/// How answers are printed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct AnswerArgs {
    /// One JSON object for each
    #[arg(long)]
    pub(crate) json: bool,
    /// End records with NUL
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}
