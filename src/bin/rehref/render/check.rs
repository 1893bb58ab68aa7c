//! The output of `rehref check`.

use std::ops::ControlFlow;
use std::path::PathBuf;

use rehref::jobs::CheckEvent;
use rehref::records::{BrokenRecord, CheckSummary, WarningRecord};

use super::broken::{BrokenFormat, BrokenWriter};
use super::messages::Messages;
use super::numbers::counted;
use super::terminal::{Output, warn};
use crate::exit::Exit;

/// How the results of a document are rendered.
pub(crate) struct Renderer {
    pub(crate) writer: BrokenWriter,
    /// Whether the tree has a URL, so that records have URLs.
    pub(crate) has_url: bool,
}

/// The output of a document.
#[derive(Default)]
pub(crate) struct Piece {
    /// The name of the document.
    name: Option<PathBuf>,
    /// The head of the report.
    head: Vec<u8>,
    records: Vec<u8>,
    messages: Messages,
}

impl Renderer {
    /// Renders an event.
    pub(crate) fn event(&self, event: CheckEvent<'_>, out: &mut Piece) {
        let writer = self.writer;
        match event {
            CheckEvent::Surveyed(it) if writer.format == BrokenFormat::Junit => {
                writer.begin(it.documents, it.count_failed(), &mut out.head);
            }
            CheckEvent::Document(name) => out.name = Some(name.to_owned()),
            CheckEvent::Warning(name, place, warning) => {
                writer.json(&WarningRecord::new(name, warning), &mut out.records);
                out.messages.add(warning.message(name, place), false);
            }
            CheckEvent::Damaged(error) => {
                let text = error.to_string();
                let record = WarningRecord::unreadable(error.path(), &text);
                writer.json(&record, &mut out.records);
                out.messages.add(error.to_string(), true);
            }
            CheckEvent::Error(error) => out.messages.add(error.to_string(), true),
            CheckEvent::Broken(broken) => {
                let record = BrokenRecord::new(broken, self.has_url);
                let name = broken.link.document().path();
                writer.broken(name, &record, &mut out.records);
            }
            CheckEvent::Orphan(name) => writer.orphan(name, &mut out.records),
            _ => {}
        }
    }
}

/// Prints the results of documents in order.
pub(crate) struct Printer {
    writer: BrokenWriter,
    output: Output,
    exit: Exit,
}

impl Printer {
    pub(crate) fn new(writer: BrokenWriter) -> Self {
        Self {
            writer,
            output: Output::new(writer.format == BrokenFormat::Jsonl),
            exit: Exit::Done,
        }
    }

    /// Prints the results of a document. Breaks if the reader has gone.
    pub(crate) fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        self.exit = self.exit.max(piece.messages.print());
        let mut out = piece.head;
        if let Some(name) = &piece.name {
            self.writer.document(name, &piece.records, &mut out);
        }
        self.output.write(&out)
    }

    /// Prints the end of the report and a summary. Returns the exit status.
    pub(crate) fn end(
        &mut self,
        summary: &CheckSummary,
        shows_orphans: bool,
    ) -> anyhow::Result<Exit> {
        let mut out = Vec::new();
        self.writer.end(summary, &mut out);
        let _: ControlFlow<()> = self.output.write(&out);
        if self.output.reader_is_gone() {
            return Ok(Exit::Done);
        }
        let CheckSummary {
            docs,
            local,
            broken,
            orphans,
            ..
        } = *summary;
        let (docs, local) = (counted(docs, "document"), counted(local, "local link"));
        let of_orphans = match shows_orphans {
            true => format!(", {}", counted(orphans, "orphan")),
            false => String::new(),
        };
        warn(format_args!("{docs}, {local}, {broken} broken{of_orphans}"));
        self.output.finish()?;
        Ok(match broken + orphans {
            0 => self.exit,
            _ => self.exit.max(Exit::No),
        })
    }
}
