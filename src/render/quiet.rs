//! The output that a quiet run omits.

use std::sync::OnceLock;

/// The output that `-q` silences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Quiet {
    /// None.
    #[default]
    Off,
    /// Summaries, progress and excerpts.
    Summaries,
    /// Everything but errors: the answer is the exit status.
    AllButErrors,
}

static QUIET: OnceLock<Quiet> = OnceLock::new();

impl Quiet {
    /// The effect of `-q`, if it is given, on a run that changes files or only answers a question.
    pub(crate) fn new(is_given: bool, only_answers: bool) -> Self {
        match (is_given, only_answers) {
            (false, _) => Self::Off,
            (true, false) => Self::Summaries,
            (true, true) => Self::AllButErrors,
        }
    }

    /// Applies to this process, from now on.
    pub(crate) fn choose(self) {
        // A process has one command, which chooses once.
        let _: Result<(), Self> = QUIET.set(self);
    }

    /// Returns true if this process prints no summaries, progress and excerpts.
    pub(crate) fn silences_summaries() -> bool {
        Self::of_process() >= Self::Summaries
    }

    /// Returns true if this process prints only errors.
    pub(crate) fn silences_warnings() -> bool {
        Self::of_process() == Self::AllButErrors
    }

    fn of_process() -> Self {
        QUIET.get().copied().unwrap_or_default()
    }
}
