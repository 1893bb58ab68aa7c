//! The steps of a journal of unknown origin.

use rehref::jobs::ForeignJournal;

use super::terminal::warn;

/// The most steps shown.
const MAX_STEPS: usize = 40;

/// Prints the steps that resuming or undoing a run would do.
pub(crate) fn print_steps(journal: &ForeignJournal) -> anyhow::Result<()> {
    let undoes = journal.undoes;
    warn(&journal.error);
    warn(match undoes {
        true => "--undo would:",
        false => "--resume would:",
    });
    let mut left = 0_usize;
    for (number, step) in journal.run.steps().enumerate() {
        let step = step?;
        if number < MAX_STEPS {
            warn(format_args!("  {}", step.describe(undoes)));
        } else {
            left += 1;
        }
    }
    if left > 0 {
        warn(format_args!("  and do {left} more steps"));
    }
    Ok(())
}
