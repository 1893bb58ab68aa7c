//! `rehref extract`

use rehref::fs::Item;

use crate::args::Args;
use crate::args::extract::ExtractArgs;
use crate::args::reading::report_unmatched;
use crate::exit::Exit;
use crate::files::{self, print_types};
use crate::interrupt::Interrupt;
use crate::process::leave;
use crate::render::extract::Printer;
use crate::render::progress::Progress;

pub(crate) fn run(args: &ExtractArgs) -> anyhow::Result<Exit> {
    Interrupt::listen()?;
    args.quiet().choose();
    if args.inputs.reading.type_list {
        return print_types();
    }
    if args.inputs.lack_inputs() {
        return Ok(Args::print_brief_help("extract"));
    }
    args.inputs.report_empty_stdin();
    let renderer = args.renderer();
    let (extract, exit) = args.job()?;
    if args.inputs.reading.files {
        return files::print(&extract.inputs, |_| true, args.null(), exit);
    }
    // Files of directories do not wait for input. Many have few links.
    let is_directory = |item: &Item| matches!(item, Item::Path(path) if path.is_dir());
    let is_buffered = extract.inputs.items.iter().all(is_directory);
    let items = &extract.inputs.items;
    let files = || (!items.iter().any(is_directory)).then_some(items.len());
    let mut printer = Printer::new(&renderer, exit, is_buffered, Progress::of_files(files));
    let totals = extract.run(
        |event, piece| renderer.event(event, piece),
        |piece| {
            let is_last = piece.is_last;
            let flow = printer.take(piece);
            if is_last {
                // The answer is complete, or the reader has closed the pipe. Threads may still wait
                // for input.
                leave(printer.end());
            }
            flow
        },
    );
    printer.count_unread(totals.unread);
    let end = printer.end();
    report_unmatched(&extract.inputs);
    end
}
