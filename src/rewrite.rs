//! `rehref rewrite`

use rehref::fs::Item;
use rehref::jobs::{DiffRoot, Inputs};

use crate::args::Args;
use crate::args::reading::report_unmatched;
use crate::args::rewrite::RewriteArgs;
use crate::editing::{end, undo_or_resume};
use crate::exit::Exit;
use crate::files::{self, print_types};
use crate::interrupt::Interrupt;
use crate::process::leave;
use crate::render::edits::Printer;
use crate::render::journal_command::JournalCommand;
use crate::render::reasons::BaseOption;

pub(crate) fn run(args: &RewriteArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    args.quiet().choose();
    if args.in_place.undo || args.in_place.resume {
        return undo_or_resume(
            args.journal()?,
            JournalCommand::Rewrite,
            args.in_place.undo,
            &interrupt,
        );
    }
    if args.inputs.reading.type_list {
        return print_types();
    }
    if args.lack_inputs() {
        return Ok(Args::print_brief_help("rewrite"));
    }
    args.report_empty_stdin();
    if args.inputs.reading.files {
        let mut inputs = Inputs::default();
        let (_, exit) = args.inputs.apply(&mut inputs, "rewrite")?;
        return files::print(&inputs, |_| true, args.null, exit);
    }
    let (mut rewrite, exit) = args.job()?;
    rewrite.stop = interrupt.stop();
    let root = DiffRoot::of_items(&rewrite.inputs.items);
    let renderer = args.renderer(&rewrite.outcome, &root);
    let mut printer = Printer::new(renderer, &interrupt, exit);
    let result = rewrite.run(
        |event, piece| renderer.event(event, piece),
        |piece| {
            let is_last = piece.is_last;
            let flow = printer.take(piece);
            if is_last {
                // Nothing more can be written. Threads may still wait for input.
                leave(printer.output.stopped());
            }
            flow
        },
    );
    let done = args.done(&rewrite.outcome);
    let base = match rewrite.inputs.items.iter().all(|it| *it == Item::Stdin) {
        true => BaseOption::OfStdin,
        false => BaseOption::OfFiles,
    };
    let end = end(result, &mut printer.output, &interrupt, done, base);
    report_unmatched(&rewrite.inputs);
    end
}
