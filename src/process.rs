//! The end of the process: exit statuses, SIGINT and SIGTERM.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rehref::jobs::Stop;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit::Exit;
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
        // Without the handler, the process ends in the default way of the system.
        let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

/// SIGINT and SIGTERM end the process at once, until files are written. Then they end the run
/// before the next file, so that no temporary file stays behind; a second signal ends the process.
pub(crate) struct Interrupt {
    at_once: Arc<AtomicBool>,
    /// The signal received.
    signal: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Interrupt {
    /// Installs the signal handlers.
    pub(crate) fn listen() -> io::Result<Self> {
        let at_once = Arc::new(AtomicBool::new(true));
        let received = Arc::new(AtomicUsize::new(0));
        let stop = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            flag::register_conditional_shutdown(signal, exit_code(signal), Arc::clone(&at_once))?;
            // After the first signal, the next one ends the process.
            flag::register(signal, Arc::clone(&at_once))?;
            flag::register_usize(signal, Arc::clone(&received), signal as usize)?;
            flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Self { at_once, signal: received, stop })
    }

    /// Defers signals: files are written after this call.
    pub(crate) fn defer(&self) {
        self.at_once.store(false, Ordering::Relaxed);
    }

    /// The token that a signal sets.
    pub(crate) fn stop(&self) -> Stop {
        Stop::from(Arc::clone(&self.stop))
    }

    /// The exit status if a signal was received.
    pub(crate) fn status(&self) -> Option<i32> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(exit_code(signal as i32)),
        }
    }

    /// Returns the result of a run, or ends the process if a signal was received.
    pub(crate) fn or_interrupted(&self, result: anyhow::Result<Exit>) -> anyhow::Result<Exit> {
        let Some(status) = self.status() else {
            return result;
        };
        if let Err(error) = result {
            warn(error);
        }
        leave_with(status)
    }
}

/// Not SIGHUP: `nohup` ignores it, and a handler would undo that.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The exit status that shells report for a signal: 130 for SIGINT.
fn exit_code(signal: i32) -> i32 {
    128 + signal
}
