//! The order of the steps in each phase.

use super::journal_file::Journal;
use super::line::{MakeStep, MoveStep, RemoveStep};
use super::values::Text;

/// A step other than an edit or a new file.
#[derive(Clone, Copy)]
pub(super) enum Step<'j> {
    Move(&'j MoveStep),
    Leave(&'j MoveStep),
    Arrive(&'j MoveStep),
    Make(&'j MakeStep),
    Remove(&'j RemoveStep),
}

pub(super) fn created_directories(
    journal: &Journal,
    staged: bool,
) -> impl Iterator<Item = &MakeStep> {
    let steps = journal.directories.iter();
    steps.filter(move |step| step.staged == staged)
}

pub(super) fn moved(journal: &Journal, staged: bool) -> impl Iterator<Item = &MoveStep> {
    let steps = journal.moves.iter();
    steps.filter(move |step| step.stage.is_some() == staged)
}

pub(super) fn removed(journal: &Journal, staged: bool) -> impl Iterator<Item = &RemoveStep> {
    let steps = journal.removals.iter();
    steps.filter(move |step| step.staged == staged)
}

/// The steps that leave for the stage, the deepest first: a directory follows the entries that
/// leave it, and the directories in it that are removed.
pub(super) fn leaving(journal: &Journal) -> Vec<Step<'_>> {
    let moves = moved(journal, true).map(|step| (depth(&step.from), Step::Leave(step)));
    let removals = removed(journal, true).map(|step| (depth(&step.path), Step::Remove(step)));
    let mut steps: Vec<_> = moves.chain(removals).collect();
    steps.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
    steps.into_iter().map(|(_, step)| step).collect()
}

/// The steps that arrive from the stage, the highest first: a directory precedes the entries that
/// arrive in it.
pub(super) fn arriving(journal: &Journal) -> Vec<Step<'_>> {
    let moves = moved(journal, true).map(|step| (depth(&step.to), Step::Arrive(step)));
    let directories =
        created_directories(journal, true).map(|step| (depth(&step.path), Step::Make(step)));
    let mut steps: Vec<_> = moves.chain(directories).collect();
    steps.sort_by_key(|(depth, _)| *depth);
    steps.into_iter().map(|(_, step)| step).collect()
}

fn depth(path: &Text) -> usize {
    path.path().map_or(0, |path| path.components().count())
}
