//! `rehref rewrite`

mod mirror;
mod rules;

use std::fmt::Write as _;

use rehref::fs::journal::RunState;
use rehref::fs::{Compressed, Item};
use rehref::jobs::{InPlace, JournalRun, MirrorTrees, Outcome, Rewrite, RewriteTotals};

use self::mirror::trees;
use self::rules::rules;
use crate::args::{InPlaceArgs, IntegrityChoice, RewriteArgs};
use crate::exit::{Exit, leave};
use crate::input::Input;
use crate::render::edits::{Printer, Renderer, of_scripts, print_unfinished};
use crate::render::progress;
use crate::render::reasons::explained;
use crate::render::terminal::warn;
use crate::signals::Interrupt;
use crate::undo::{Again, finish_or_undo};

pub(crate) fn run(args: RewriteArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    if args.in_place.undo || args.in_place.resume {
        return again(args, &interrupt);
    }
    let mut trees = trees(&args)?;
    let mut rewrite = Rewrite::new(rules(&args, trees.as_mut())?).verify(args.verify);
    rewrite.mirror_root = trees.as_ref().and_then(MirrorTrees::root).cloned();
    rewrite.options.scripting = args.input.html.scripting;
    rewrite.options.extra = args.input.html.extra();
    rewrite.removes_hashes = args.integrity == IntegrityChoice::Drop;
    rewrite.reports_skipped = args.explain;
    rewrite.has_large_results = args.json || args.explain;
    rewrite.stop = interrupt.stop();
    let Some(input) = Input::new(args.input, "rewrite")? else {
        return Ok(Exit::Trouble);
    };
    rewrite.inputs = input.inputs;
    rewrite.inputs.read.compressed = Compressed::Keep;
    let in_place = in_place(args.in_place);
    rewrite.outcome = match args.output {
        Some(directory) => Outcome::NewTree(directory),
        None if args.write => Outcome::InPlace(in_place),
        None if args.check => Outcome::Check,
        None if rewrite.inputs.items == [Item::Stdin] && !args.diff && !args.json => {
            Outcome::Filter(in_place)
        }
        None => Outcome::DryRun(in_place),
    };
    let is_filter = matches!(rewrite.outcome, Outcome::Filter(_));
    rewrite.options.scripted = !is_filter;
    let renderer = Renderer {
        json: args.json,
        diff: matches!(rewrite.outcome, Outcome::DryRun(_)),
        moves: false,
        end: if args.null { 0 } else { b'\n' },
    };
    let mut printer = Printer::new(renderer, &interrupt, input.exit);
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

fn in_place(args: InPlaceArgs) -> InPlace {
    let mut in_place = InPlace::default();
    in_place.root = args.root;
    in_place.no_journal = args.no_journal;
    in_place.backup = args.backup;
    in_place
}

/// `rewrite --undo` and `rewrite --resume`.
fn again(mut args: RewriteArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if args.input.paths.is_empty() && args.input.files_from.is_empty() {
        args.input.paths.push(".".into());
    }
    let Some(input) = Input::new(args.input, "rewrite")? else {
        return Ok(Exit::Trouble);
    };
    let mut journal = JournalRun::of_items(args.in_place.root.as_deref(), &input.inputs.items)?;
    journal.threads = input.inputs.threads;
    journal.allow_foreign = args.in_place.trust_journal;
    let again = match args.in_place.undo {
        true => Again::Undo,
        false => Again::Resume,
    };
    finish_or_undo(journal, again, interrupt)
}

fn summary(totals: &RewriteTotals, outcome: &Outcome) -> String {
    let RewriteTotals {
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
