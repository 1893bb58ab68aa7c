//! What SIGINT does.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// The exit code after SIGINT.
pub(crate) const EXIT_CODE: i32 = 130;

/// Ends the process at once: for runs that write no files.
pub(crate) fn ends_process() -> io::Result<()> {
    flag::register_conditional_shutdown(SIGINT, EXIT_CODE, Arc::new(AtomicBool::new(true)))?;
    Ok(())
}

/// Asks the run to end before the next file, so that no temporary file stays behind; a second SIGINT
/// ends the process at once.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    pub(crate) fn listen() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        // In this order: the first signal must not find the flag set by itself.
        flag::register_conditional_shutdown(SIGINT, EXIT_CODE, Arc::clone(&asked))?;
        flag::register(SIGINT, Arc::clone(&asked))?;
        Ok(Self(asked))
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
