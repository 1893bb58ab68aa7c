//! Finds every URL in plain text and HTML, and rewrites links without touching any other byte.

mod args;
mod extract;
mod input;
mod interrupt;
mod ordered;
mod resolve;
mod rewrite;
mod terminal;

use std::process::ExitCode;

use crate::args::{Args, Command};
use crate::terminal::complain;

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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

fn main() -> ExitCode {
    let done = match Args::of_process().command {
        Command::Extract(args) => extract::run(*args),
        Command::Resolve(args) => resolve::run(&args),
        Command::Rewrite(args) => rewrite::run(*args),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            complain(format_args!("{error:#}"));
            Exit::Trouble.into()
        }
    }
}
