//! `rehref move`

use std::path::PathBuf;

use rehref::jobs::DiffRoot;
use rehref::jobs::git::is_in_index;

use crate::args::moving::MoveArgs;
use crate::editing::{end, undo_or_resume};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render::edits::Printer;
use crate::render::escape::shell_path;
use crate::render::message::Message;
use crate::render::reasons::BaseOption;
use crate::render::terminal::{summarize, warn};

pub(crate) fn run(args: &MoveArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    args.quiet().choose();
    if args.undo || args.resume {
        let journal = args.journal()?;
        let moves = args.moves_without_git(&journal);
        let exit = undo_or_resume(journal, args.command(), args.undo, &interrupt)?;
        print_left_in_index(&moves);
        return Ok(exit);
    }
    let mut relocate = args.job()?;
    if args.has_no_renames(&relocate) {
        summarize("no renames");
        return Ok(Exit::Done);
    }
    relocate.stop = interrupt.stop();
    let root = DiffRoot::of_paths([relocate.root.as_path()]);
    let renderer = args.renderer(relocate.outcome, &root);
    let mut printer = Printer::new(renderer, &interrupt, Exit::Done);
    let result =
        relocate.run(|event, piece| renderer.event(event, piece), |piece| printer.take(piece));
    let done = args.done(relocate.outcome);
    end(result, &mut printer.output, &interrupt, done, BaseOption::OfFiles)
}

/// Prints that git still tracks a file at its new path, after the run that moved it was undone
/// without git.
fn print_left_in_index(moves: &[(PathBuf, PathBuf)]) {
    let mut undone = moves.iter().filter(|(_, new)| new.symlink_metadata().is_err());
    let Some((old, new)) = undone.find(|(_, new)| is_in_index(new)) else {
        return;
    };
    let (old_word, new_word) = (shell_path(old), shell_path(new));
    let message = Message::about(new, None, "undone without --git: git still tracks this path");
    warn(message.with_help(format_args!(
        "update the index with: git add -A {new_word} {old_word}; `move --undo --git` does it in one step"
    )));
}
