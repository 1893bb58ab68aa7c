//! `rehref unpack`

use crate::args::unpack::UnpackArgs;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::process::or_interrupted;
use crate::render::message::Message;
use crate::render::progress;
use crate::render::unpack::Printer;

pub(crate) fn run(args: &UnpackArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    args.quiet().choose();
    let (mut unpack, exit) = args.job()?;
    unpack.stop = interrupt.stop();
    let mut printer = Printer::new(args.renderer(), &interrupt, exit);
    let stop = unpack.stop.clone();
    let is_dry_run = unpack.dry_run;
    let result = unpack.for_each(|event| {
        // A run that writes continues without a reader.
        if printer.event(&event).is_break() && is_dry_run {
            stop.stop();
        }
    });
    progress::clear();
    or_interrupted(
        &interrupt,
        match result {
            Ok(report) => printer.end(&report, &unpack),
            Err(error) => Err(Message::from(&error).into()),
        },
    )
}
