//! The steps of a journal of unknown origin.

use rehref::fs::journal::PlannedStep;
use rehref::jobs::ForeignJournal;

use super::terminal::warn;

/// The most steps shown.
const MAX_STEPS: usize = 40;

/// The most changes of a file shown.
const MAX_CHANGES: usize = 3;

/// The most characters of a text shown.
const MAX_TEXT: usize = 80;

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
            warn(format_args!("  {}", described(&step, undoes)));
        } else {
            left += 1;
        }
    }
    if left > 0 {
        warn(format_args!("  and do {left} more steps"));
    }
    Ok(())
}

fn described(step: &PlannedStep, undoes: bool) -> String {
    match (step, undoes) {
        (PlannedStep::Edit { path, changes }, _) => {
            let mut text = format!("edit {}:", path.display());
            for (old, new) in changes.iter().take(MAX_CHANGES) {
                let (old, new) = if undoes { (new, old) } else { (old, new) };
                text += &format!(" {} becomes {},", quoted(old), quoted(new));
            }
            match changes.len().saturating_sub(MAX_CHANGES) {
                0 => _ = text.pop(),
                more => text += &format!(" and {more} more"),
            }
            text
        }
        (PlannedStep::Rename { from, to }, false) => {
            format!("move {} to {}", from.display(), to.display())
        }
        (PlannedStep::Rename { from, to }, true) => {
            format!("move {} to {}", to.display(), from.display())
        }
        (PlannedStep::MakeFolder(path), false) | (PlannedStep::RemoveFolder(path), true) => {
            format!("make the directory {}", path.display())
        }
        (PlannedStep::RemoveFolder(path), false) | (PlannedStep::MakeFolder(path), true) => {
            format!("remove the directory {} if it is empty", path.display())
        }
        (PlannedStep::Create { path, content }, false) => {
            format!("create {}: {}", path.display(), quoted(content))
        }
        (PlannedStep::Create { path, .. }, true) => format!("remove {}", path.display()),
        (other, _) => format!("{other:?}"),
    }
}

/// A text as one short line.
fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String = text.chars().take(MAX_TEXT).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}
