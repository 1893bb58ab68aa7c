//! What signals do.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// SIGINT and SIGTERM end the process at once, until files are written: then they ask the
/// run to end before the next file, so that no temporary file stays behind, and a second one ends
/// the process.
pub(crate) struct Interrupt {
    at_once: Arc<AtomicBool>,
    /// The signal that came.
    asked: Arc<AtomicUsize>,
}

impl Interrupt {
    pub(crate) fn listen() -> io::Result<Self> {
        let at_once = Arc::new(AtomicBool::new(true));
        let asked = Arc::new(AtomicUsize::new(0));
        for signal in SIGNALS {
            flag::register_conditional_shutdown(signal, exit_code(signal), Arc::clone(&at_once))?;
            // The first signal that comes later makes the next one final.
            flag::register(signal, Arc::clone(&at_once))?;
            flag::register_usize(signal, Arc::clone(&asked), signal as usize)?;
        }
        // Without this the system ends the process where a file grows past a limit; with it the
        // write fails, and the file is as it was.
        #[cfg(unix)]
        flag::register(
            signal_hook::consts::SIGXFSZ,
            Arc::new(AtomicBool::new(false)),
        )?;
        Ok(Self { at_once, asked })
    }

    /// From now on files are written.
    pub(crate) fn defer(&self) {
        self.at_once.store(false, Ordering::Relaxed);
    }

    /// The exit code, if the run is to end.
    pub(crate) fn asked(&self) -> Option<i32> {
        match self.asked.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(exit_code(signal as i32)),
        }
    }
}

/// Not SIGHUP: it is ignored under `nohup`, and a handler would undo that.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// What a shell reports of a process that a signal ended: 130 for SIGINT.
fn exit_code(signal: i32) -> i32 {
    128 + signal
}
