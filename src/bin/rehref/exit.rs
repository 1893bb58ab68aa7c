//! Exit statuses.

use crate::render::progress;
use crate::render::terminal::warn;

/// The result of a run. A worse result is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Success.
    Done,
    /// The answer is no.
    No,
    /// Something could not be read or written; the rest was.
    Trouble,
}

/// Ends the process with the result of a run, even if threads still wait for input.
pub(crate) fn leave(result: anyhow::Result<Exit>) -> ! {
    let exit = result.unwrap_or_else(|error| {
        warn(format_args!("{error:#}"));
        Exit::Trouble
    });
    leave_with(exit as i32)
}

/// Ends the process with this status.
pub(crate) fn leave_with(status: i32) -> ! {
    progress::clear();
    std::process::exit(status)
}
