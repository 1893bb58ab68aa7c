//! `rehref move`

use rehref::fs::journal::RunState;
use rehref::jobs::{EditReport, EditTotals, MoveOutcome};

use crate::args::moving::MoveArgs;
use crate::exit::Exit;
use crate::render::edits::{Printer, of_scripts, print_unfinished};
use crate::render::progress;
use crate::render::reasons::explained;
use crate::render::terminal::warn;
use crate::signals::Interrupt;
use crate::undo::finish_or_undo;

pub(crate) fn run(args: &MoveArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    if let Some(again) = args.again() {
        return finish_or_undo(args.journal()?, again, &interrupt);
    }
    let mut relocate = args.job()?;
    relocate.stop = interrupt.stop();
    let renderer = args.renderer(relocate.outcome);
    let mut printer = Printer::new(renderer, &interrupt, Exit::Done);
    let result = relocate.run(
        |event, piece| renderer.event(event, piece),
        |piece| printer.take(piece),
    );
    progress::clear();
    let report = match result {
        Ok(report) => report,
        Err(error) => return interrupt.or_interrupted(Err(explained(error))),
    };
    interrupt.or_interrupted(finished(&report, relocate.outcome, &mut printer))
}

/// Prints the summary of a run. Returns the exit status.
fn finished(
    report: &EditReport,
    outcome: MoveOutcome,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Exit> {
    if report.unchanged {
        warn("interrupted: nothing has been changed");
        return Ok(printer.exit);
    }
    if let Some(applied) = &report.applied {
        print_unfinished(applied);
        if applied.state != RunState::Finished {
            return Ok(printer.exit);
        }
    }
    if printer.reader_is_gone() && outcome != MoveOutcome::Apply {
        return Ok(Exit::Done);
    }
    warn(summary(report));
    let exit = printer.finish()?;
    Ok(
        match outcome == MoveOutcome::Check && report.changes() > 0 {
            true => exit.max(Exit::No),
            false => exit,
        },
    )
}

fn summary(report: &EditReport) -> String {
    let EditTotals {
        documents,
        changed,
        edits,
        broken,
        unverified,
        scripted,
        ..
    } = &report.totals;
    let moves = report.moves;
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "{moves} move{}, {edits} edit{} in {changed} of {documents} document{}",
        plural(moves),
        plural(*edits),
        plural(*documents)
    );
    if *unverified > 0 {
        text += &format!(", {unverified} not verified");
    }
    text += &of_scripts(*scripted);
    if *broken > 0 {
        text += &format!(", {broken} link{} broken by it", plural(*broken));
    }
    text
}
