//! The summaries of runs that edit files.

use std::cmp::Reverse;
use std::path::Path;

use rehref::error::{Error, ErrorKind};
use rehref::fs::journal::{Applied, RunState};
use rehref::jobs::{EditReport, NewTreeReport};
use rehref::rewrite::SkipReason;

use super::counted;
use super::journal_command::JournalCommand;
use super::message::Message;
use super::reasons::{BaseOption, help_of, text_of_unread};
use super::terminal::{summarize, warn};
use crate::interrupt::Interrupt;

/// The use of the edits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// They are shown.
    Shown,
    /// The exit status is 1 if any exist.
    Checked,
    /// The document with them is printed.
    Printed,
    /// They are in a new tree.
    Copied,
    /// They are in the files. This command also undoes the run.
    Written(JournalCommand),
}

impl Done {
    /// Returns true if files are written.
    pub(crate) fn writes(self) -> bool {
        matches!(self, Self::Copied | Self::Written(_))
    }
}

/// Returns true if a rule could not be applied to some links of a run. By other reasons, rules
/// leave links as intended.
fn has_failures(report: &EditReport) -> bool {
    use SkipReason::{
        Ambiguous, BarePage, Base, Canonical, Empty, Exempt, Filtered, Name, NoRule, OtherSite,
        SameDocument, Text, Unchanged, Updated,
    };
    let is_failure = |reason: &SkipReason| {
        // For a text, a message states that only maps rewrite it.
        !matches!(
            reason,
            Unchanged
                | NoRule
                | Filtered
                | Exempt
                | OtherSite
                | SameDocument
                | Empty
                | Name
                | Base
                | Canonical
                | Text
                | Updated
                | Ambiguous
                | BarePage
        )
    };
    report.totals.skipped.keys().any(is_failure)
}

/// Prints the summary of a run. A filter has one only if a rule could not be applied to some links,
/// or some were not read.
pub(crate) fn print_summary(report: &EditReport, done: Done, base: BaseOption) {
    let totals = &report.totals;
    let is_read = totals.unread.is_empty() && totals.scripted == 0;
    if done == Done::Printed && is_read && !has_failures(report) {
        return;
    }
    let mut skipped: Vec<_> = totals.skipped.iter().collect();
    // The most frequent reason first. The sort is stable.
    skipped.sort_by_key(|&(_, &number)| Reverse(number));
    let skipped = skipped.into_iter().map(|(reason, &number)| {
        match reason {
            SkipReason::NoBase if report.maps_only => {
                let links = counted(number, "relative link");
                return format!("{links} (maps change them only with {base})");
            }
            SkipReason::Base => {
                let elements = counted(number, "BASE element");
                return format!("{elements} (use --base-element)");
            }
            SkipReason::BarePage => {
                let links = counted(number, "link");
                return format!(
                    "{links} without an extension may name a page that moves (--explain prints them)"
                );
            }
            SkipReason::Ambiguous => {
                let (links, why) = (counted(number, "link"), reason.as_str());
                return format!("{links} {why} (--explain prints them)");
            }
            _ => {}
        }
        let links = counted(number, "link");
        let help = help_of(*reason, base).map(|help| format!(" ({help})"));
        format!("{links} {}{}", reason.as_str(), help.unwrap_or_default())
    });
    let skipped: Vec<_> = skipped.collect();
    if !skipped.is_empty() {
        summarize(format_args!("unchanged: {}", skipped.join("; ")));
    }
    if totals.missing_in_root > 0 {
        let links = counted(totals.missing_in_root, "link");
        let message = format!("{links} from the root named no file in the directory");
        warn(Message::new(message).with_help("if the site has another root, use --base URL=DIR"));
    }
    for (names, &number) in &totals.other_names {
        let links = counted(number, "link");
        let have = if number == 1 { "has" } else { "have" };
        let names = names.as_str();
        let message = format!("{links} to the copy {have} a file only by the names of {names}");
        warn(Message::new(message).with_help(format_args!("use --local-name {names}")));
    }
    let mut text = match (report.moves, report.moved_before) {
        (0, 0) => String::new(),
        (0, renames) => format!("{}: ", counted(renames, "rename")),
        (moves, _) => format!("{}: ", counted(moves, "move")),
    };
    let (change, broken) = match done.writes() || done == Done::Printed {
        true => ("changed", "broken"),
        false => ("would change", "would break"),
    };
    let (links, changed) = (counted(totals.edits, "link"), totals.changed);
    text += &match done {
        _ if totals.documents == 0 && report.moves == 0 => "nothing to rewrite".to_owned(),
        Done::Shown | Done::Checked if report.changes() == 0 => {
            format!("nothing to change in {}", counted(totals.documents, "file"))
        }
        Done::Written(_) => format!("{change} {links} in {}", counted(changed, "file")),
        Done::Printed => format!("{change} {links}"),
        _ => {
            let files = counted(totals.documents, "file");
            format!("{change} {links} in {changed} of {files}")
        }
    };
    if done == Done::Shown && report.changes() > 0 {
        text += " (dry run; -w writes)";
    }
    // Others, such as images, only matter where they are copied.
    let copied = if done == Done::Copied { totals.others } else { 0 };
    for (number, noun, what) in [
        (copied, "other file", "copied"),
        (totals.unverified, "file", "failed verification"),
        (totals.broken, "link", broken),
        (totals.scripted, "link", "built by scripts not seen"),
    ] {
        if number > 0 {
            text += &format!("; {} {what}", counted(number, noun));
        }
    }
    if let Some(unread) = text_of_unread(&totals.unread) {
        text += &format!("; {unread}");
    }
    if let (Done::Written(command), Some(root)) = (done, &report.root) {
        text += &format!("; undo with: {}", command.undo(root));
    }
    summarize(text);
}

/// Prints that a new tree lacks files.
pub(crate) fn print_incomplete(tree: &NewTreeReport, interrupt: &Interrupt) {
    let interrupted = match interrupt.status() {
        Some(_) => "interrupted: ",
        None => "",
    };
    let (written, files) = (tree.written, counted(tree.files, "file"));
    let directory = tree.directory.display();
    warn(format_args!(
        "{interrupted}wrote {written} of {files} to {directory}: the tree is incomplete"
    ));
}

/// Prints the progress of an interrupted run of this command in a directory.
pub(crate) fn print_unfinished(applied: &Applied, command: JournalCommand, directory: &Path) {
    let so_far = applied.done;
    let mut kinds = applied.problems.iter().map(Error::kind);
    let journal_is_gone = kinds.any(|kind| matches!(kind, ErrorKind::JournalRemoved));
    match applied.state {
        RunState::Finished | RunState::Undone => {}
        _ if journal_is_gone => warn(format_args!("not finished: {so_far} so far")),
        RunState::Interrupted => {
            let message = Message::new(format_args!("not finished: {so_far} so far"));
            warn(command.with_recovery_help(message, directory));
        }
        RunState::UndoInterrupted => {
            let message = Message::new(format_args!("not completely undone: {so_far} so far"));
            let undo = command.undo(directory);
            warn(message.with_help(format_args!("finish it with: {undo}")));
        }
    }
}
