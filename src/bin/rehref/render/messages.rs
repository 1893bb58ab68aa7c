//! The messages of a document, printed when its turn comes.

use std::path::Path;

use rehref::bytes::Position;
use rehref::error::{Error, Warning};

use super::terminal::warn;
use crate::exit::Exit;

/// The messages of a document. They are collected in a worker thread and printed in order.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    lines: Vec<String>,
    failed: bool,
}

impl Messages {
    /// Adds an error. The run will fail.
    pub(crate) fn error(&mut self, error: &Error) {
        self.failure(error.to_string());
    }

    /// Adds a warning about a document.
    pub(crate) fn warning(&mut self, name: &Path, place: Option<Position>, warning: Warning) {
        let place = place.map_or(String::new(), |at| format!("{}:{}:", at.line, at.column));
        let text = warning.text();
        self.note(format!("{}:{place} {text}", name.display()));
    }

    /// Adds a message about something that makes the run fail.
    pub(crate) fn failure(&mut self, line: String) {
        self.failed = true;
        self.lines.push(line);
    }

    /// Adds a message.
    pub(crate) fn note(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Prints the messages. Returns the exit status of the document.
    pub(crate) fn print(&self) -> Exit {
        self.lines.iter().for_each(warn);
        match self.failed {
            true => Exit::Trouble,
            false => Exit::Done,
        }
    }
}
