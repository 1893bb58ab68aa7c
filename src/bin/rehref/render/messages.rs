//! The messages of a document, printed when its turn comes.

use super::terminal::warn;
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

    /// Prints the messages. Returns the exit status of the document.
    pub(crate) fn print(&self) -> Exit {
        self.lines.iter().for_each(warn);
        match self.failed {
            true => Exit::Trouble,
            false => Exit::Done,
        }
    }
}
