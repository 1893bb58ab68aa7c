//! The end of the process.

use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render::progress;
use crate::render::terminal::warn;

/// Ends the process with the result of a run, even if threads still wait for input.
pub(crate) fn leave(result: anyhow::Result<Exit>) -> ! {
    let exit = result.unwrap_or_else(|error| {
        warn(error);
        Exit::Trouble
    });
    leave_with(exit as i32)
}

fn leave_with(status: i32) -> ! {
    progress::clear();
    std::process::exit(status)
}

/// Makes writing past the limit for the size of a file an error. Without a handler the system ends
/// the process: buffered output is lost, and no message is printed.
pub(crate) fn survive_file_limits() {
    #[cfg(unix)]
    {
        // Without the handler, the process ends as the system does it.
        let _ =
            signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

/// Returns the result of a run, or ends the process if a signal was received.
pub(crate) fn or_interrupted(
    interrupt: &Interrupt,
    result: anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    let Some(status) = interrupt.status() else {
        return result;
    };
    if let Err(error) = result {
        warn(error);
    }
    leave_with(status)
}
