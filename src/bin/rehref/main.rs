//! Finds every URL in plain text, HTML and XML, and rewrites links without touching any other byte.

mod applying;
mod args;
mod check;
mod color;
mod extract;
mod input;
mod inputs;
mod interrupt;
mod moving;
mod ordered;
mod parse;
mod progress;
mod resolve;
mod rewrite;
mod show;
mod table;
mod terminal;

use crate::args::{Args, Command};
use crate::terminal::warn;

/// How a run ended. Worse ends are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    /// Done.
    Done,
    /// The answer is no.
    No,
    /// Something could not be read or written; the rest was.
    Trouble,
}

fn main() -> ! {
    let args = Args::of_process();
    args.color.choose();
    exit(match args.command {
        Command::Extract(args) => extract::run(*args),
        Command::Check(args) => check::run(*args),
        Command::Resolve(args) => resolve::run(&args),
        Command::Parse(args) => parse::run(&args),
        Command::Rewrite(args) => rewrite::run(*args),
        Command::Move(args) => moving::run(*args),
    })
}

/// Ends the process, whatever its threads are waiting for.
fn exit(done: anyhow::Result<Exit>) -> ! {
    let exit = done.unwrap_or_else(|error| {
        warn(format_args!("{error:#}"));
        Exit::Trouble
    });
    progress::clear();
    std::process::exit(exit as i32)
}
