//! Messages of the runs, each shown once.

use std::collections::HashSet;

use super::html::Html;
use crate::render::message::Message;
use crate::render::terminal::warn;

/// The maximum number of messages on the page.
const MAX_SHOWN: usize = 200;

/// A message of a run.
#[derive(Debug)]
pub(super) struct Problem {
    message: Message,
    /// True if a part of the input could not be read.
    is_failure: bool,
}

impl Problem {
    pub(super) fn new(message: impl Into<Message>, is_failure: bool) -> Self {
        Self { message: message.into(), is_failure }
    }
}

/// The messages of all runs. They read the same files, so that most errors come more than once.
#[derive(Debug, Default)]
pub(super) struct Problems {
    seen: HashSet<String>,
    shown: Vec<String>,
    /// True if a part of the input could not be read.
    pub(super) failed: bool,
}

impl Problems {
    /// Prints messages that are new.
    pub(super) fn add(&mut self, problems: Vec<Problem>) {
        for Problem { message, is_failure } in problems {
            self.failed |= is_failure;
            let text = message.to_string();
            if self.seen.insert(text.clone()) {
                warn(message);
                if self.shown.len() < MAX_SHOWN {
                    self.shown.push(text);
                }
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.seen.len()
    }

    /// Appends the messages as a list.
    pub(super) fn write(&self, out: &mut Html) {
        out.markup("<ul>");
        for message in &self.shown {
            out.markup("<li class=code>").text(message);
        }
        out.markup("</ul>");
        let hidden = self.seen.len() - self.shown.len();
        if hidden > 0 {
            out.markup("<p class=note>").number(hidden);
            out.markup(" more are not shown.</p>");
        }
    }
}
