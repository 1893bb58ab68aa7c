//! `--undo` and `--resume` of `rewrite` and `move`.

use rehref::fs::journal::RunState;
use rehref::jobs::{JobError, JournalRun};

use crate::exit::Exit;
use crate::render::edits::{Piece, Printer, Renderer, described, print_unfinished};
use crate::render::progress;
use crate::render::reasons::explained;
use crate::render::steps::print_steps;
use crate::render::terminal::warn;
use crate::signals::Interrupt;

/// What is done with an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    Undo,
    Resume,
}

impl Again {
    /// What these arguments want, of which at most one is given.
    pub(crate) fn new(undo: bool, resume: bool) -> Option<Self> {
        match (undo, resume) {
            (true, _) => Some(Self::Undo),
            (_, true) => Some(Self::Resume),
            _ => None,
        }
    }
}

/// Undoes the last run, or finishes an interrupted one.
pub(crate) fn finish_or_undo(
    mut journal: JournalRun<'_>,
    again: Again,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    journal.stop = interrupt.stop();
    let renderer = Renderer {
        json: false,
        diff: false,
        moves: false,
        end: b'\n',
    };
    let mut printer = Printer::new(renderer, interrupt, Exit::Done);
    let event = |event: rehref::jobs::EditEvent<'_>| {
        let mut piece = Piece::default();
        renderer.event(event, &mut piece);
        let _: std::ops::ControlFlow<()> = printer.take(piece);
    };
    let result = match again {
        Again::Undo => journal.undo(event),
        Again::Resume => journal.resume(event),
    };
    progress::clear();
    let report = match result {
        Ok(report) => report,
        Err(error) => {
            if let JobError::ForeignJournal(journal) = &error {
                print_steps(journal)?;
            }
            return interrupt.or_interrupted(Err(explained(error)));
        }
    };
    let applied = report.applied;
    print_unfinished(&applied);
    match applied.state {
        RunState::Undone if !applied.is_new => warn("there was nothing left to undo"),
        RunState::Undone => warn(format_args!("taken back: {}", described(applied.done))),
        RunState::Finished if !report.undoes => {
            warn(format_args!("finished: {}", described(applied.done)));
        }
        RunState::Finished if applied.problems.is_empty() => {
            warn("interrupted: nothing has been taken back");
        }
        RunState::Finished => warn(
            "nothing has been taken back: what was changed since would stay with references that are meant for \
             another place",
        ),
        RunState::Interrupted | RunState::UndoInterrupted => {}
    }
    interrupt.or_interrupted(Ok(match applied.problems.is_empty() {
        true => Exit::Done,
        false => Exit::Trouble,
    }))
}
