//! `rehref move`

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use rehref::fs::journal::{RunState, rename_noreplace};
use rehref::fs::path_of_bytes;
use rehref::jobs::{
    JournalRun, MoveOutcome, MoveRequest, Relocate, RelocateReport, RelocateTotals, threads,
};

use crate::args::{MoveArgs, the_base};
use crate::exit::Exit;
use crate::render::edits::{Printer, Renderer, of_scripts, print_unfinished};
use crate::render::progress;
use crate::render::reasons::explained;
use crate::render::terminal::warn;
use crate::signals::Interrupt;
use crate::undo::{Again, finish_or_undo};

pub(crate) fn run(args: MoveArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    if args.undo || args.resume {
        let mut journal = JournalRun::new(&args.root)?;
        journal.threads = threads(args.jobs.jobs);
        journal.rename = args.git.then_some(&rename_by_git);
        journal.allow_foreign = args.trust_journal;
        let again = match args.undo {
            true => Again::Undo,
            false => Again::Resume,
        };
        return finish_or_undo(journal, again, &interrupt);
    }
    if args.git {
        let version = Command::new("git").arg("--version").output();
        version.context("--git: git cannot be run")?;
    }
    let mut relocate = Relocate::new(&args.root).verify(args.verify);
    relocate.requests = requests(&args)?;
    relocate.base = the_base(args.base.clone())?;
    relocate.options.resolver = args.resolving.resolver();
    relocate.options.scripting = args.html.scripting;
    relocate.options.extra = args.html.extra();
    relocate.reports_skipped = args.explain;
    relocate.redirects = args.redirects.map(|it| it.kind());
    relocate.rename = args.git.then_some(rename_by_git);
    relocate.outcome = match (args.write, args.check) {
        (true, _) => MoveOutcome::Apply,
        (_, true) => MoveOutcome::Check,
        _ => MoveOutcome::DryRun,
    };
    relocate.threads = threads(args.jobs.jobs);
    relocate.stop = interrupt.stop();
    let renderer = Renderer {
        json: args.json,
        diff: relocate.outcome == MoveOutcome::DryRun,
        moves: true,
        end: b'\n',
    };
    let mut printer = Printer::new(renderer, &interrupt, Exit::Done);
    let result = relocate.run(
        |event, piece| renderer.event(event, piece),
        |piece| printer.take(piece),
    );
    progress::clear();
    let report = match result {
        Ok(report) => report,
        Err(error) => return interrupt.or_interrupted(Err(explained(error))),
    };
    interrupt.or_interrupted(finished(&report, relocate.outcome, &mut printer))
}

/// Prints the summary of a run. Returns the exit status.
fn finished(
    report: &RelocateReport,
    outcome: MoveOutcome,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Exit> {
    if report.unchanged {
        warn("interrupted: nothing has been changed");
        return Ok(printer.exit);
    }
    if let Some(applied) = &report.applied {
        print_unfinished(applied);
        if applied.state != RunState::Finished {
            return Ok(printer.exit);
        }
    }
    if printer.reader_is_gone() && outcome != MoveOutcome::Apply {
        return Ok(Exit::Done);
    }
    warn(summary(report));
    let exit = printer.finish()?;
    Ok(
        match outcome == MoveOutcome::Check && report.changes() > 0 {
            true => exit.max(Exit::No),
            false => exit,
        },
    )
}

/// The moves that the arguments name.
fn requests(args: &MoveArgs) -> anyhow::Result<Vec<MoveRequest>> {
    let mut requests = Vec::new();
    match args.paths.as_slice() {
        [] => {}
        [sources @ .., to] if !sources.is_empty() => {
            requests.push(MoveRequest::Sources(sources.to_vec(), to.clone()));
        }
        _ => bail!("SRC... DST: what moves, and where to"),
    }
    let lists = args.from_list.iter().cloned().map(MoveRequest::List);
    requests.extend(lists);
    for entry in &args.moved {
        let (old, new) = moved(entry)?;
        requests.push(MoveRequest::Moved(old, new));
    }
    Ok(requests)
}

/// The paths of `OLD=NEW`, of which NEW exists.
fn moved(entry: &OsStr) -> anyhow::Result<(PathBuf, PathBuf)> {
    let (shown, bytes) = (entry.display(), entry.as_encoded_bytes());
    let ends = (0..bytes.len()).filter(|&at| bytes[at] == b'=');
    let mut splits = ends
        .map(|at| (&bytes[..at], &bytes[at + 1..]))
        .filter(|(old, new)| !old.is_empty() && !new.is_empty())
        .map(|(old, new)| (path_of_bytes(old), path_of_bytes(new)))
        .peekable();
    if splits.peek().is_none() {
        bail!("{shown}: no `=` between an OLD and a NEW that are not empty");
    }
    let found = splits.find(|(_, new)| new.symlink_metadata().is_ok());
    found.with_context(|| format!("{shown}: there is no NEW"))
}

/// Renames a file, directory or symbolic link, with git if it is tracked.
fn rename_by_git(from: &Path, to: &Path) -> std::io::Result<()> {
    let directory = from.parent().unwrap_or(Path::new("."));
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(directory)
        .args(["mv", "--"])
        .arg(from)
        .arg(to);
    match command.output()?.status.success() {
        true => Ok(()),
        // It is not tracked.
        false => rename_noreplace(from, to),
    }
}

fn summary(report: &RelocateReport) -> String {
    let RelocateTotals {
        documents,
        changed,
        edits,
        broken,
        unverified,
        scripted,
        ..
    } = report.totals;
    let moves = report.moves;
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "{moves} move{}, {edits} edit{} in {changed} of {documents} document{}",
        plural(moves),
        plural(edits),
        plural(documents)
    );
    if unverified > 0 {
        text += &format!(", {unverified} not verified");
    }
    text += &of_scripts(scripted);
    if broken > 0 {
        text += &format!(", {broken} link{} broken by it", plural(broken));
    }
    text
}
