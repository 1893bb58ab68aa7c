//! `rehref check`

use crate::args::check::CheckArgs;
use crate::exit::Exit;
use crate::render::check::{Printer, Renderer};
use crate::signals::Interrupt;

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    Interrupt::listen()?;
    let check = args.job()?;
    let renderer = Renderer {
        writer: args.writer(),
        has_url: check.url.is_some(),
    };
    let mut printer = Printer::new(renderer.writer);
    let summary = check.run(
        |event, piece| renderer.event(event, piece),
        |piece| printer.take(piece),
    );
    printer.end(&summary, check.orphans)
}
