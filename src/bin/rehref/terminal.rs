//! Standard output and standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;

use rehref::report::sanitized;

/// Standard output. On a terminal, what comes from documents cannot do harm: what would move the
/// cursor, be invisible or change the direction of text is shown as an escape.
pub(crate) struct Output {
    stdout: io::StdoutLock<'static>,
    is_terminal: bool,
    failure: Option<io::Error>,
}

impl Output {
    pub(crate) fn new() -> Self {
        let stdout = io::stdout().lock();
        let is_terminal = stdout.is_terminal();
        Self {
            stdout,
            is_terminal,
            failure: None,
        }
    }

    /// Writes; breaks where nothing more can be written.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if bytes.is_empty() {
            return ControlFlow::Continue(());
        }
        let written = if self.is_terminal {
            let text = String::from_utf8_lossy(bytes);
            self.stdout.write_all(sanitized(&text).as_bytes())
        } else {
            self.stdout.write_all(bytes)
        };
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        }
    }

    /// Ends the output; fails where something could not be written, but for a reader that has gone:
    /// that ends quietly, as it does in a pipe with `head`.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        if self.failure.is_none()
            && let Err(error) = self.stdout.flush()
        {
            let _: ControlFlow<()> = self.fail(error);
        }
        match self.failure.take() {
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

/// Whether standard input is typed by a person.
pub(crate) fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Says something on standard error, after the program's name.
pub(crate) fn complain(message: impl fmt::Display) {
    // One message is one line, whatever a file is called.
    let message = message.to_string().replace('\n', "\\n");
    print_error(format_args!("rehref: {message}\n"));
}

/// Prints to standard error. Where even that fails there is nobody left to tell.
pub(crate) fn print_error(text: impl fmt::Display) {
    let _ = io::stderr()
        .lock()
        .write_all(sanitized(&text.to_string()).as_bytes());
}
