//! `rehref check`

use std::ops::ControlFlow;
use std::path::Path;

use rehref::error::ErrorKind;
use rehref::fs::OutputFile;
use rehref::jobs::Baseline;

use crate::args::check::CheckArgs;
use crate::args::reading::report_unmatched;
use crate::exit::Exit;
use crate::files::{self, print_types};
use crate::interrupt::Interrupt;
use crate::render::check::{Printer, report_stale};
use crate::render::counted;
use crate::render::message::Message;
use crate::render::terminal::summarize;

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    Interrupt::listen()?;
    args.quiet().choose();
    if args.reading.type_list {
        return print_types();
    }
    let (check, exit) = args.job()?;
    if args.reading.files {
        return files::print(&check.inputs, |name| check.may_read(name), args.null, exit);
    }
    let written = match &args.write_baseline {
        Some(path) => Some((path, Baseline::new(path), output_file(path)?)),
        None => None,
    };
    let renderer = args.renderer(written.as_ref().map(|(_, baseline, _)| baseline));
    let mut printer = Printer::new(renderer, exit);
    let mut flow = ControlFlow::Continue(());
    let summary = check.run(
        |event, piece| renderer.event(event, piece),
        |piece| {
            flow = printer.take(piece);
            flow
        },
    );
    let (exit, lines) = printer.end(&summary, check.orphans)?;
    if flow.is_continue() {
        report_unmatched(&check.inputs);
    }
    if let Some(path) = &args.baseline {
        report_stale(&check.stale(), path);
    }
    let Some((path, _, file)) = written else {
        return Ok(exit);
    };
    let Some(lines) = lines.filter(|_| exit != Exit::Trouble) else {
        let text = "not written, since not everything was checked";
        return Err(Message::about(path, None, text).into());
    };
    let written = file.write(Baseline::text(&lines).as_bytes());
    written.map_err(|error| Message::from(&error))?;
    let findings = counted(lines.len(), "accepted finding");
    summarize(Message::about(path, None, format!("{findings} written")));
    Ok(Exit::Done)
}

/// The file of a baseline. Nothing else is replaced.
fn output_file(path: &Path) -> Result<OutputFile, Message> {
    OutputFile::new(path, Baseline::is_baseline).map_err(|error| {
        let message = Message::from(&error).within("--write-baseline");
        match error.kind() {
            ErrorKind::AlreadyExists => {
                message.with_help("name another file: this is not a baseline")
            }
            _ => message,
        }
    })
}
