//! Standard output and standard error.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;

use super::escape::{sanitized, sanitized_csv, sanitized_json};
use super::{color, progress};
use crate::exit::Exit;

/// The messages of a document. They are collected in a worker thread and printed in order.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    lines: Vec<String>,
    failed: bool,
}

impl Messages {
    /// Adds a message. A failure makes the run fail.
    pub(crate) fn add(&mut self, message: String, is_failure: bool) {
        self.failed |= is_failure;
        self.lines.push(message);
    }
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Json,
    Csv,
    Diff,
}

/// Standard output. On a terminal, characters that would move the cursor, be invisible or reorder text are escaped.
pub(crate) struct Output {
    stdout: Box<dyn Write + Send>,
    /// The escapes, if the output is a terminal.
    sanitize: Option<fn(&str) -> Cow<'_, str>>,
    /// Whether diffs are colored.
    paints: bool,
    failure: Option<io::Error>,
    /// The exit status so far.
    pub(crate) exit: Exit,
}

impl Output {
    /// Output of this kind. The exit status is `exit` if all goes well.
    pub(crate) fn new(kind: Kind, exit: Exit) -> Self {
        let stdout = io::stdout();
        let sanitize: fn(&str) -> Cow<'_, str> = match kind {
            Kind::Text | Kind::Diff => sanitized,
            Kind::Json => sanitized_json,
            Kind::Csv => sanitized_csv,
        };
        Self {
            sanitize: stdout.is_terminal().then_some(sanitize),
            stdout: Box::new(stdout),
            paints: kind == Kind::Diff && color::is_on(),
            failure: None,
            exit,
        }
    }

    /// Buffers the output unless it is a terminal: for many short pieces.
    pub(crate) fn buffered(self) -> Self {
        match self.sanitize {
            Some(_) => self,
            None => Self {
                stdout: Box::new(BufWriter::with_capacity(BUFFER, self.stdout)),
                ..self
            },
        }
    }

    /// Flushes the buffer, before a wait for input.
    pub(crate) fn flush(&mut self) -> ControlFlow<()> {
        match self.stdout.flush() {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        }
    }

    /// Returns true if the reader has closed the pipe.
    pub(crate) fn reader_is_gone(&self) -> bool {
        let failure = self.failure.as_ref();
        failure.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Prints messages to standard error, then writes. Breaks if nothing more can be written.
    pub(crate) fn print(&mut self, messages: &Messages, bytes: &[u8]) -> ControlFlow<()> {
        messages.lines.iter().for_each(warn);
        if messages.failed {
            self.exit = self.exit.max(Exit::Trouble);
        }
        self.write(bytes)
    }

    /// Writes. Breaks if nothing more can be written.
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

    /// Ends the output. Returns the exit status.
    ///
    /// # Errors
    /// If something could not be written, unless the reader has closed the pipe, as `head` does.
    pub(crate) fn finish(&mut self) -> anyhow::Result<Exit> {
        if self.failure.is_none() {
            let _: ControlFlow<()> = self.flush();
        }
        match self.failure.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(anyhow::Error::new(error).context("cannot write to standard output"))
            }
            _ => Ok(self.exit),
        }
    }

    fn fail(&mut self, error: io::Error) -> ControlFlow<()> {
        self.failure = Some(error);
        ControlFlow::Break(())
    }
}

/// The size of the buffer in bytes.
const BUFFER: usize = 64 << 10;

/// Returns true if standard input is a terminal.
pub(crate) fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Returns true if standard output is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Returns true if standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Prints a message on standard error, after the program's name.
pub(crate) fn warn(message: impl fmt::Display) {
    // One message is one line, also if a file name has a line break.
    let message = message.to_string().replace('\n', "\\n");
    print_error(format_args!("rehref: {message}\n"));
}

/// Prints to standard error. Errors are ignored: they could not be printed either.
pub(crate) fn print_error(text: impl fmt::Display) {
    let text = text.to_string();
    let _ = progress::aside(|| io::stderr().lock().write_all(sanitized(&text).as_bytes()));
}
