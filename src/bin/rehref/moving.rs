//! `rehref move`

use rehref::jobs::DiffRoot;

use crate::args::moving::MoveArgs;
use crate::editing::{end, undo_or_resume};
use crate::exit::Exit;
use crate::process::Interrupt;
use crate::render::edits::Printer;

pub(crate) fn run(args: &MoveArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    args.quiet().choose();
    if args.undo || args.resume {
        return undo_or_resume(args.journal()?, args.command(), args.undo, &interrupt);
    }
    let mut relocate = args.job()?;
    relocate.stop = interrupt.stop();
    let root = DiffRoot::of_paths([relocate.root.as_path()]);
    let renderer = args.renderer(relocate.outcome, &root);
    let mut printer = Printer::new(renderer, &interrupt, Exit::Done);
    let result = relocate.run(
        |event, piece| renderer.event(event, piece),
        |piece| printer.take(piece),
    );
    let done = args.done(relocate.outcome);
    end(result, &mut printer.output, &interrupt, done)
}
