//! Standard output and standard error.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, LineWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::escape::{sanitized, sanitized_csv, sanitized_json};
use super::message::Message;
use super::quiet::Quiet;
use super::{color, progress};
use crate::exit::Exit;
use crate::standard_streams::StandardOutput;

/// The messages of a document. They are collected in a worker thread and printed in order.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    messages: Vec<Message>,
    failed: bool,
    /// The failures that only records report.
    recorded: usize,
}

impl Messages {
    /// Adds a message. A failure makes the run fail.
    pub(crate) fn add(&mut self, message: impl Into<Message>, is_failure: bool) {
        self.failed |= is_failure;
        if is_failure || !Quiet::silences_warnings() {
            self.messages.push(message.into());
        }
    }

    /// Counts a failure that a record on standard output reports, so that no message repeats it.
    pub(crate) fn add_recorded_failure(&mut self) {
        self.failed = true;
        self.recorded += 1;
    }
}

/// The kind of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Json,
    Csv,
    Diff,
}

/// Standard output. On a terminal, characters that would move the cursor, be invisible or reorder
/// text are escaped.
pub(crate) struct Output {
    stdout: Box<dyn Write + Send>,
    /// The escapes, if the output is a terminal.
    sanitize: Option<fn(&str) -> Cow<'_, str>>,
    last_flush: Instant,
    /// True if diffs are colored.
    paints: bool,
    failure: Option<io::Error>,
    /// The failures that only records report.
    recorded: usize,
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
            stdout: Box::new(LineWriter::new(StandardOutput)),
            last_flush: Instant::now(),
            paints: kind == Kind::Diff && color::is_on(),
            failure: None,
            recorded: 0,
            exit,
        }
    }

    /// Buffers the output unless it is a terminal: for many short pieces.
    pub(crate) fn buffered(self) -> Self {
        match self.sanitize {
            Some(_) => self,
            None => {
                Self { stdout: Box::new(BufWriter::with_capacity(BUFFER, self.stdout)), ..self }
            }
        }
    }

    /// Flushes the buffer if some of it may be old, so that readers get the results of a slow
    /// search before its end.
    pub(crate) fn flush_old(&mut self) -> ControlFlow<()> {
        match self.last_flush.elapsed() > MAX_AGE {
            true => self.flush(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Flushes the buffer, before a wait for input. Breaks if nothing more can be written.
    pub(crate) fn flush(&mut self) -> ControlFlow<()> {
        if self.failure.is_some() {
            return ControlFlow::Break(());
        }
        self.last_flush = Instant::now();
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
        if !messages.messages.is_empty() {
            // If both go to one file, they stay in order.
            let _: ControlFlow<()> = self.flush();
        }
        messages.messages.iter().for_each(print_message);
        if messages.failed {
            self.exit = self.exit.max(Exit::Trouble);
        }
        self.recorded += messages.recorded;
        self.write(bytes)
    }

    /// Writes. Breaks if nothing more can be written.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if bytes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut bytes = Cow::Borrowed(bytes);
        if let Some(sanitize) = self.sanitize {
            let text = String::from_utf8_lossy(&bytes);
            bytes = Cow::Owned(sanitize(&text).into_owned().into_bytes());
        }
        if self.paints {
            bytes = Cow::Owned(color::painted(&bytes));
        }
        self.write_sanitized(&bytes)
    }

    /// Writes bytes with colors, which were sanitized before the colors were added. Breaks if
    /// nothing more can be written.
    pub(crate) fn write_sanitized(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if self.failure.is_some() {
            return ControlFlow::Break(());
        }
        let written = progress::aside(|| self.stdout.write_all(bytes));
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
        let _: ControlFlow<()> = self.flush();
        match self.recorded {
            0 => {}
            1 => warn("1 input could not be read; a \"warning\" record names it"),
            inputs => warn(format_args!(
                "{inputs} inputs could not be read; \"warning\" records name them"
            )),
        }
        match self.failure.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Message::about(Path::new("standard output"), None, error).into())
            }
            _ => Ok(self.exit),
        }
    }

    /// Ends the output of a run that stopped since nothing more could be written.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish).
    pub(crate) fn stopped(&mut self) -> anyhow::Result<Exit> {
        match self.reader_is_gone() {
            true => Ok(Exit::Done),
            false => self.finish(),
        }
    }

    fn fail(&mut self, error: io::Error) -> ControlFlow<()> {
        self.failure = Some(error);
        ControlFlow::Break(())
    }
}

/// The size of the buffer in bytes.
const BUFFER: usize = 64 << 10;

/// The age of buffered output after which it is flushed.
const MAX_AGE: Duration = Duration::from_millis(100);

/// Returns true if standard input is a terminal.
pub(crate) fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Returns true if standard output is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Prints a message on standard error.
pub(crate) fn warn(message: impl Into<Message>) {
    print_message(&message.into());
}

/// Prints a line of a summary on standard error, unless the run is quiet.
pub(crate) fn summarize(message: impl Into<Message>) {
    if !Quiet::silences_summaries() {
        warn(message);
    }
}

/// The ways out that were printed. Many messages have the same, which is printed once.
static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn print_message(message: &Message) {
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    print_error(message.rendered(color::is_on_for_messages(), &mut printed));
}

/// Prints to standard error. Errors are ignored: they could not be printed either.
pub(crate) fn print_error(text: impl fmt::Display) {
    let text = text.to_string();
    let _ = progress::aside(|| io::stderr().lock().write_all(text.as_bytes()));
}
