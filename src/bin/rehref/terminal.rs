//! Standard output and standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;

use rehref::report::sanitized;

/// Standard output. A reader that has gone ends the run quietly, as it does in a pipe with `head`.
pub(crate) struct Output {
    stdout: io::StdoutLock<'static>,
    failure: Option<io::Error>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self {
            stdout: io::stdout().lock(),
            failure: None,
        }
    }

    /// Writes; breaks where nothing more can be written.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if bytes.is_empty() {
            return ControlFlow::Continue(());
        }
        match self.stdout.write_all(bytes) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        }
    }

    /// Ends the output; fails where something could not be written, but for a reader that has gone.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        if self.failure.is_none()
            && let Err(error) = self.stdout.flush()
        {
            let _: ControlFlow<()> = self.fail(error);
        }
        match self.failure {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(anyhow::Error::new(error).context("cannot write to standard output"))
            }
            _ => Ok(()),
        }
    }

    fn fail(&mut self, error: io::Error) -> ControlFlow<()> {
        self.failure = Some(error);
        ControlFlow::Break(())
    }
}

/// Whether standard output is read by a person.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard input is typed by a person.
pub(crate) fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Says something on standard error, after the program's name.
pub(crate) fn complain(message: impl fmt::Display) {
    print_error(format_args!("rehref: {message}\n"));
}

/// Prints to standard error. Where even that fails there is nobody left to tell.
pub(crate) fn print_error(text: impl fmt::Display) {
    let text = text.to_string();
    let mut stderr = io::stderr().lock();
    let lines = text.split_inclusive('\n');
    for line in lines {
        let (line, end) = line
            .strip_suffix('\n')
            .map_or((line, ""), |line| (line, "\n"));
        let _ = write!(stderr, "{}{end}", sanitized(line));
    }
}
