//! Standard output and standard error.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;

use super::escape::{sanitized, sanitized_csv, sanitized_json};
use super::{color, progress};

/// Standard output. On a terminal, what comes from documents cannot do harm: what would move the
/// cursor, be invisible or change the direction of text is shown as an escape.
pub(crate) struct Output {
    stdout: Box<dyn Write + Send>,
    /// How to make harmless what is shown, if somebody looks.
    sanitize: Option<fn(&str) -> Cow<'_, str>>,
    /// Whether it is coloured as a diff.
    paints: bool,
    failure: Option<io::Error>,
}

impl Output {
    /// Of JSON, or of lines.
    pub(crate) fn new(json: bool) -> Self {
        let stdout = io::stdout();
        let sanitize: fn(&str) -> Cow<'_, str> = if json { sanitized_json } else { sanitized };
        Self {
            sanitize: stdout.is_terminal().then_some(sanitize),
            stdout: Box::new(stdout),
            paints: false,
            failure: None,
        }
    }

    /// Of rows of CSV.
    pub(crate) fn of_csv() -> Self {
        let output = Self::new(false);
        Self {
            sanitize: output.sanitize.and(Some(sanitized_csv)),
            ..output
        }
    }

    /// Of diffs, in colour if that is wanted.
    pub(crate) fn of_diffs() -> Self {
        Self {
            paints: color::is_on(),
            ..Self::new(false)
        }
    }

    /// The same, kept back until it is much, or [`Output::flush`] is called: for many short pieces.
    /// Not on a terminal, where somebody looks on.
    pub(crate) fn buffered(json: bool) -> Self {
        let output = Self::new(json);
        if output.sanitize.is_some() {
            return output;
        }
        Self {
            stdout: Box::new(BufWriter::with_capacity(BUFFER, output.stdout)),
            ..output
        }
    }

    /// Lets go of what was written so far, before something is waited for.
    pub(crate) fn flush(&mut self) -> ControlFlow<()> {
        match self.stdout.flush() {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        }
    }

    /// Whether the reader has gone, so that nothing more is to be said.
    pub(crate) fn reader_is_gone(&self) -> bool {
        let failure = self.failure.as_ref();
        failure.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Writes; breaks where nothing more can be written.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if bytes.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.failure.is_some() {
            return ControlFlow::Break(());
        }
        let mut bytes = Cow::Borrowed(bytes);
        if let Some(sanitize) = self.sanitize {
            let text = String::from_utf8_lossy(&bytes);
            bytes = Cow::Owned(sanitize(&text).into_owned().into_bytes());
        }
        if self.paints {
            bytes = Cow::Owned(color::painted(&bytes));
        }
        let written = progress::aside(|| self.stdout.write_all(&bytes));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        }
    }

    /// Ends the output; fails where something could not be written, but for a reader that has gone:
    /// that ends quietly, as it does in a pipe with `head`.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        if self.failure.is_none() {
            let _: ControlFlow<()> = self.flush();
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

/// How much is kept back at most, in bytes.
const BUFFER: usize = 64 << 10;

/// Whether standard input is typed by a person.
pub(crate) fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Says something on standard error, after the program's name.
pub(crate) fn warn(message: impl fmt::Display) {
    // One message is one line, whatever a file is called.
    let message = message.to_string().replace('\n', "\\n");
    print_error(format_args!("rehref: {message}\n"));
}

/// Prints to standard error. Where even that fails there is nobody left to tell.
pub(crate) fn print_error(text: impl fmt::Display) {
    let text = text.to_string();
    let _ = progress::aside(|| io::stderr().lock().write_all(sanitized(&text).as_bytes()));
}
