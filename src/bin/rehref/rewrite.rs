//! `rehref rewrite`

use std::fmt::Write as _;

use rehref::fs::journal::RunState;
use rehref::jobs::{EditTotals, Outcome};

use crate::args::Args;
use crate::args::rewrite::RewriteArgs;
use crate::exit::{Exit, leave};
use crate::render::edits::{Printer, of_scripts, print_unfinished};
use crate::render::progress;
use crate::render::reasons::explained;
use crate::render::terminal::warn;
use crate::signals::Interrupt;
use crate::undo::finish_or_undo;

pub(crate) fn run(args: &RewriteArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    if let Some(again) = args.again() {
        return finish_or_undo(args.journal()?, again, &interrupt);
    }
    if args.lack_inputs() {
        return Ok(Args::print_short_help("rewrite"));
    }
    let (mut rewrite, exit) = args.job()?;
    rewrite.stop = interrupt.stop();
    let is_filter = matches!(rewrite.outcome, Outcome::Filter(_));
    let renderer = args.renderer(&rewrite.outcome);
    let mut printer = Printer::new(renderer, &interrupt, exit);
    let result = rewrite.run(
        |event, piece| renderer.event(event, piece),
        |piece| {
            let is_last = piece.is_last;
            let flow = printer.take(piece);
            if is_last {
                // The reader has gone. Threads may still wait for input.
                leave(Ok(Exit::Done));
            }
            flow
        },
    );
    progress::clear();
    let report = match result {
        Ok(report) => report,
        Err(error) => return interrupt.or_interrupted(Err(explained(error))),
    };
    if report.unchanged {
        warn("interrupted: nothing has been changed");
        return interrupt.or_interrupted(Ok(printer.exit));
    }
    if let Some(applied) = &report.applied {
        print_unfinished(applied);
        if applied.state != RunState::Finished {
            return interrupt.or_interrupted(Ok(printer.exit));
        }
    }
    if printer.reader_is_gone() && !rewrite.outcome.writes() {
        return Ok(Exit::Done);
    }
    if !is_filter {
        warn(summary(&report.totals, &rewrite.outcome));
    }
    let mut exit = printer.finish();
    if matches!(rewrite.outcome, Outcome::Check) && report.totals.changed > 0 {
        exit = exit.map(|exit| exit.max(Exit::No));
    }
    if interrupt.status().is_some() && report.applied.is_none() {
        warn("interrupted: all other files are as they were");
    }
    interrupt.or_interrupted(exit)
}

fn summary(totals: &EditTotals, outcome: &Outcome) -> String {
    let EditTotals {
        documents,
        others,
        changed,
        edits,
        unverified,
        broken,
        scripted,
        skipped,
        ..
    } = totals;
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "{edits} edit{} in {changed} of {documents} document{}",
        plural(*edits),
        plural(*documents)
    );
    if *others > 0 {
        let done = match outcome {
            Outcome::NewTree(_) => "copied",
            _ => "left alone",
        };
        let _ = write!(text, ", {others} other file{} {done}", plural(*others));
    }
    if *unverified > 0 {
        let _ = write!(text, ", {unverified} not verified");
    }
    if *broken > 0 {
        let _ = write!(text, ", {broken} link{} broken by it", plural(*broken));
    }
    text += &of_scripts(*scripted);
    for (at, (reason, count)) in skipped.iter().enumerate() {
        let separator = if at == 0 { "; kept: " } else { ", " };
        let _ = write!(text, "{separator}{count} {}", reason.as_str());
    }
    text
}
