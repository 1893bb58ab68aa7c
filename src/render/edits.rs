//! The output of runs that edit files.

use std::ops::ControlFlow;
use std::path::Path;

use rehref::jobs::{DiffRoot, EditEvent, MovedKind, append_move_diff, document_diff};
use rehref::records::{EditRecord, MoveRecord, write_json};

use super::journal_command::JournalCommand;
use super::lines::{name_in_line, value_in_line};
use super::message::Message;
use super::progress::{self, Progress};
use super::reasons::message_of;
use super::terminal::{Kind, Messages, Output};
use crate::exit::Exit;
use crate::interrupt::Interrupt;

/// The output of the edits of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Renderer<'r> {
    /// None: only messages.
    Messages,
    /// Records that end with this byte.
    Json(u8),
    /// A line for each edit.
    Lines,
    /// A diff with names relative to this directory.
    Diff(&'r DiffRoot),
    /// A diff of a run that moves files, in the format of git.
    MoveDiff(&'r DiffRoot),
}

/// The output of a document.
#[derive(Default)]
pub(crate) struct Piece {
    output: Vec<u8>,
    messages: Messages,
    /// True if a file or step is done.
    steps: bool,
    /// The number of files of the run.
    files: Option<usize>,
    /// `Some` from the moment when files are written, with their number if available.
    writing: Option<Option<usize>>,
    /// True if no more pieces follow.
    pub(crate) is_last: bool,
}

impl Renderer<'_> {
    /// Renders an event.
    pub(crate) fn event(self, event: EditEvent<'_>, out: &mut Piece) {
        let messages = &mut out.messages;
        match event {
            EditEvent::Document(plan) => match self {
                Self::Json(_) => EditRecord::for_each(plan, |record| {
                    self.record(record, &mut out.output);
                }),
                Self::Lines => EditRecord::for_each(plan, |record| {
                    line(plan.document().path(), record, &mut out.output);
                }),
                Self::Diff(root) => document_diff(plan, root, &mut out.output),
                Self::Messages | Self::MoveDiff(_) => {}
            },
            EditEvent::Moved { old, new, kind } if matches!(self, Self::Json(_)) => {
                self.record(&MoveRecord::new(old, new, kind == MovedKind::Before), &mut out.output);
            }
            EditEvent::Content(content) => out.output = content,
            EditEvent::Progress => out.steps = true,
            EditEvent::Files(files) => out.files = Some(files),
            EditEvent::Writing(files) => out.writing = Some(files),
            EditEvent::Stopped => out.is_last = true,
            other => {
                let message = match self {
                    Self::MoveDiff(root) => append_move_diff(&other, root, &mut out.output),
                    _ => None,
                };
                let message = message.map(Message::from);
                if let Some(message) = message.or_else(|| message_of(&other, self.command())) {
                    messages.add(message, other.is_failure());
                }
            }
        }
    }

    /// The command whose run has this output.
    fn command(self) -> JournalCommand {
        match self {
            Self::MoveDiff(_) | Self::Lines => JournalCommand::Move,
            Self::Messages | Self::Json(_) | Self::Diff(_) => JournalCommand::Rewrite,
        }
    }

    fn record(self, record: &impl serde::Serialize, out: &mut Vec<u8>) {
        if let Self::Json(end) = self {
            write_json(record, out);
            out.push(end);
        }
    }
}

/// Appends the line of an edit that is not written: the place, the old reference and the new one.
fn line(name: &Path, record: &EditRecord<'_>, out: &mut Vec<u8>) {
    let value = |value: &str| value_in_line(value, false).into_owned();
    let new = record.new.as_deref().map(value).unwrap_or_default();
    out.extend_from_slice(&name_in_line(name, false));
    let (line, column, old) = (record.line, record.col, value(&record.old));
    out.extend_from_slice(format!(":{line}:{column}: {old}: moved to {new}\n").as_bytes());
}

/// Prints the results of documents in order.
pub(crate) struct Printer<'i> {
    pub(crate) output: Output,
    progress: Progress,
    interrupt: &'i Interrupt,
    /// The text printed before the first output.
    header: Option<Vec<u8>>,
}

impl<'i> Printer<'i> {
    pub(crate) fn new(renderer: Renderer<'_>, interrupt: &'i Interrupt, exit: Exit) -> Self {
        let (kind, header) = match renderer {
            Renderer::Diff(root) | Renderer::MoveDiff(root) => (Kind::Diff, root.header()),
            Renderer::Json(_) => (Kind::Json, None),
            Renderer::Messages | Renderer::Lines => (Kind::Text, None),
        };
        Self { output: Output::new(kind, exit), progress: Progress::new(None), interrupt, header }
    }

    /// Prints the result of a document. Breaks if the reader has closed the pipe.
    pub(crate) fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        if let Some(files) = piece.writing {
            self.interrupt.defer();
            progress::clear();
            self.progress = Progress::new(files);
        }
        if piece.files.is_some() {
            self.progress = Progress::new(piece.files);
        }
        if piece.steps {
            self.progress.step();
        }
        if !piece.output.is_empty()
            && let Some(header) = self.header.take()
        {
            self.output.write(&header)?;
        }
        self.output.print(&piece.messages, &piece.output)
    }
}
