//! `rehref check`

use crate::args::check::CheckArgs;
use crate::exit::Exit;
use crate::process::Interrupt;

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    Interrupt::listen()?;
    args.quiet().choose();
    let check = args.job()?;
    let renderer = args.renderer();
    let mut output = renderer.output();
    let summary = check.run(
        |event, piece| renderer.event(event, piece),
        |piece| renderer.print(piece, &mut output),
    );
    renderer.end(&summary, check.orphans, &mut output)
}
