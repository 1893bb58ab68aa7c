//! What a journal of unknown origin would do.

use rehref::fs::journal::{PlannedStep, Run};

use super::Again;
use crate::render::terminal::warn;

/// How many steps are shown.
const MOST_STEPS: usize = 40;

/// How many changes of a file are shown.
const MOST_CHANGES: usize = 3;

/// How many characters of a text are shown.
const MOST_TEXT: usize = 80;

/// Says what it would be to finish a run, or to take it back.
pub(super) fn show_steps(run: &Run, again: Again) -> anyhow::Result<()> {
    let undoes = again == Again::Undo;
    warn(match undoes {
        true => "--undo would:",
        false => "--resume would:",
    });
    let mut left = 0_usize;
    for (number, step) in run.steps().enumerate() {
        let step = step?;
        if number < MOST_STEPS {
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
            for (old, new) in changes.iter().take(MOST_CHANGES) {
                let (old, new) = if undoes { (new, old) } else { (old, new) };
                text += &format!(" {} becomes {},", quoted(old), quoted(new));
            }
            match changes.len().saturating_sub(MOST_CHANGES) {
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

/// A text as one line that is not long.
fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String = text.chars().take(MOST_TEXT).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}
