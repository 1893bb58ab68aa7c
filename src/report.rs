//! `rehref report`

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use rehref::jobs::{EditEvent, ExtractEvent, Inputs};

use crate::args::Args;
use crate::args::reading::report_unmatched;
use crate::args::report::{PlannedRun, ReportArgs, ReportJobs};
use crate::exit::Exit;
use crate::files::{self, print_types};
use crate::interrupt::Interrupt;
use crate::render::message::Message;
use crate::render::progress::{self, Progress};
use crate::render::report::{CheckPiece, Collected, Page, Piece, PlanPiece};
use crate::render::terminal::{Kind, Output, summarize, warn};

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    Interrupt::listen()?;
    if args.inputs.reading.type_list {
        return print_types();
    }
    if args.inputs.lack_inputs() {
        return Ok(Args::print_brief_help("report"));
    }
    if args.inputs.reading.files {
        let mut inputs = Inputs::default();
        let (_, exit) = args.inputs.apply(&mut inputs, "report")?;
        return files::print(&inputs, |_| true, false, exit);
    }
    let ReportJobs { extract, tree, plan, output, exit } = args.jobs()?;
    let mut found = Collected::default();
    let progress = Progress::new(None);
    let the_tree = tree.as_ref().map(|(tree, _)| tree);
    let is_full = AtomicBool::new(false);
    let totals = extract.run(
        |event: ExtractEvent<'_>, piece: &mut Piece| piece.event(event, the_tree, &is_full),
        |piece| {
            if piece.steps {
                progress.step();
            }
            found.add(piece, &is_full);
            ControlFlow::Continue(())
        },
    );
    drop(progress);
    report_unmatched(&extract.inputs);
    found.end_links(&totals);
    if let Some((tree, check)) = &tree {
        let summary = check.run(
            |event, piece: &mut CheckPiece| piece.event(event, tree),
            |piece| {
                found.add_check(piece);
                ControlFlow::Continue(())
            },
        );
        found.end_check(&summary);
    }
    let render = |event: EditEvent<'_>, piece: &mut PlanPiece| piece.event(event, the_tree);
    let result = match &plan {
        None => None,
        Some(PlannedRun::Rewrite(rewrite)) => Some(rewrite.run(render, |piece| {
            found.add_plan(piece);
            ControlFlow::Continue(())
        })),
        Some(PlannedRun::Move(relocate)) => Some(relocate.run(render, |piece| {
            found.add_plan(piece);
            ControlFlow::Continue(())
        })),
    };
    if let Some(result) = result {
        found.end_plan(result);
    }
    progress::clear();
    let exit = match found.failed() {
        true => exit.max(Exit::Trouble),
        false => exit,
    };
    if totals.documents == 0 {
        warn(Message::new("no page is written, since no document was read"));
        return Ok(Exit::Trouble);
    }
    let inputs = args.names();
    let page = Page { found: &found, inputs: &inputs, file: args.output_path() };
    let html = page.html();
    match output {
        None => {
            let mut stdout = Output::new(Kind::Text, exit);
            let _: ControlFlow<()> = stdout.write(html.as_bytes());
            stdout.finish()
        }
        Some(file) => {
            file.write(html.as_bytes())?;
            summarize(page.summary());
            Ok(exit)
        }
    }
}
