//! The common part of `rewrite` and `move`: the end of a run, `--undo` and `--resume`.

use std::ops::ControlFlow;

use rehref::fs::journal::RunState;
use rehref::jobs::{EditEvent, EditReport, ForeignJournal, JobError, JournalRun};

use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::process::or_interrupted;
use crate::render::counted;
use crate::render::edits::{Piece, Printer, Renderer};
use crate::render::escape::shell_path;
use crate::render::journal_command::JournalCommand;
use crate::render::message::Message;
use crate::render::progress;
use crate::render::reasons::{BaseOption, explained, message_of_run};
use crate::render::summary::{Done, print_incomplete, print_summary, print_unfinished};
use crate::render::terminal::{Output, summarize, warn};

/// Prints the end of a run, with this option if the URL of documents is unknown. Returns the exit
/// status, or ends the process if a signal was received.
pub(crate) fn end(
    result: Result<EditReport, JobError>,
    output: &mut Output,
    interrupt: &Interrupt,
    done: Done,
    base: BaseOption,
) -> anyhow::Result<Exit> {
    progress::clear();
    or_interrupted(
        interrupt,
        match result {
            Ok(report) => end_of_run(&report, output, interrupt, done, base),
            Err(error) => Err(match done {
                Done::Written(command) => message_of_run(&error, command).into(),
                _ => explained(error),
            }),
        },
    )
}

fn end_of_run(
    report: &EditReport,
    output: &mut Output,
    interrupt: &Interrupt,
    done: Done,
    base: BaseOption,
) -> anyhow::Result<Exit> {
    if report.unchanged {
        warn("interrupted: nothing was changed");
        return output.finish();
    }
    if let (Some(applied), Done::Written(command), Some(root)) =
        (&report.applied, done, &report.root)
    {
        print_unfinished(applied, command, root);
        if applied.state != RunState::Finished {
            return output.finish();
        }
    }
    if output.flush().is_break() && !done.writes() {
        return output.stopped();
    }
    print_summary(report, done, base);
    if let Some(tree) = report.new_tree.as_ref().filter(|it| it.written < it.files) {
        print_incomplete(tree, interrupt);
    } else if interrupt.status().is_some() && report.applied.is_none() {
        warn("interrupted: all other files are unchanged");
    }
    let exit = output.finish()?;
    Ok(match done == Done::Checked && report.changes() + report.stale > 0 {
        true => exit.max(Exit::No),
        false => exit,
    })
}

/// Undoes the last run, or finishes an interrupted one, as this command. Returns the exit status.
pub(crate) fn undo_or_resume(
    mut journal: JournalRun<'_>,
    command: JournalCommand,
    undoes: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    journal.stop = interrupt.stop();
    let mut printer = Printer::new(Renderer::Messages, interrupt, Exit::Done);
    let event = |event: EditEvent<'_>| {
        let mut piece = Piece::default();
        Renderer::Messages.event(event, &mut piece);
        let _: ControlFlow<()> = printer.take(piece);
    };
    let result = match undoes {
        true => journal.undo(event),
        false => journal.resume(event),
    };
    progress::clear();
    let report = match result {
        Ok(report) => report,
        Err(error) => {
            if let JobError::ForeignJournal(journal) = &error {
                print_steps(journal)?;
            }
            return or_interrupted(interrupt, Err(explained(error)));
        }
    };
    let applied = report.applied;
    print_unfinished(&applied, command, &journal.directory());
    match applied.state {
        RunState::Undone if !applied.problems.is_empty() => {
            let undone = match applied.is_new {
                true => format!("undone: {}", applied.done),
                false => "nothing was undone".to_owned(),
            };
            let left = counted(applied.problems.len(), "file");
            let state = journal.directory().join(".rehref");
            summarize(Message::new(format_args!("{undone}; {left} left unchanged")).with_help(
                format_args!(
                    "restore what was left by hand, or remove {} to forget the run",
                    shell_path(&state)
                ),
            ));
        }
        RunState::Undone if !applied.is_new => summarize("there was nothing left to undo"),
        RunState::Undone => summarize(format_args!("undone: {}", applied.done)),
        RunState::Finished if !report.undoes => {
            summarize(format_args!("finished: {}", applied.done));
        }
        RunState::Finished if applied.problems.is_empty() => {
            warn("interrupted: nothing was undone");
        }
        RunState::Finished | RunState::Interrupted | RunState::UndoInterrupted => {}
    }
    or_interrupted(
        interrupt,
        Ok(match applied.problems.is_empty() {
            true => Exit::Done,
            false => Exit::Trouble,
        }),
    )
}

/// The maximum number of steps that are shown of a journal of unknown origin.
const MAX_STEPS: usize = 40;

/// Prints the steps that resuming or undoing a run would do.
fn print_steps(journal: &ForeignJournal) -> anyhow::Result<()> {
    let undoes = journal.undoes;
    warn(&journal.error);
    let option = if undoes { "--undo" } else { "--resume" };
    warn(format_args!("{option} would:"));
    let mut steps = journal.run.steps();
    for step in steps.by_ref().take(MAX_STEPS) {
        warn(format_args!("  {}", step?.describe(undoes)));
    }
    match steps.count() {
        0 => {}
        left => warn(format_args!("  and do {left} more steps")),
    }
    Ok(())
}
