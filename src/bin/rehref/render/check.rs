//! The output of `rehref check`: lines, JSON, workflow commands or test results.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rehref::bytes::Position;
use rehref::jobs::CheckEvent;
use rehref::records::{BrokenRecord, CheckSummary, OrphanRecord, WarningRecord, write_json};

use super::counted;
use super::escape::{in_command, in_xml};
use super::lines::name_in_line;
use super::reasons::message_of_warning;
use super::terminal::{Kind, Messages, Output, summarize};
use crate::exit::Exit;

/// The format of broken links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// file:line:column: reference: reason
    Text,
    /// One JSON object per line
    Jsonl,
    /// Workflow commands of GitHub Actions
    Github,
    /// A JUnit report with a test case per document
    Junit,
}

/// How the results of a document are rendered.
#[derive(Clone, Copy)]
pub(crate) struct Renderer {
    pub(crate) format: CheckFormat,
    /// Whether records of one line end with NUL instead of LF.
    pub(crate) null: bool,
    /// Whether the exit status is the only answer.
    pub(crate) quiet: bool,
}

/// The output of a document.
#[derive(Default)]
pub(crate) struct Piece {
    /// The name of the document.
    name: Option<PathBuf>,
    /// The head of the report.
    head: String,
    records: Vec<u8>,
    messages: Messages,
}

impl Renderer {
    /// Renders an event.
    pub(crate) fn event(self, event: CheckEvent<'_>, out: &mut Piece) {
        match event {
            CheckEvent::Surveyed(it) if self.format == CheckFormat::Junit => {
                let numbers = format!(
                    "name=\"rehref check\" tests=\"{}\" failures=\"{}\"",
                    it.documents,
                    it.count_failed()
                );
                out.head = format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {numbers}>\n<testsuite {numbers}>\n"
                );
            }
            CheckEvent::Document(name) => out.name = Some(name.to_owned()),
            CheckEvent::Warning(name, place, warning) => match self.format {
                CheckFormat::Jsonl => {
                    self.json(&WarningRecord::new(name, warning), &mut out.records);
                }
                _ => out
                    .messages
                    .add(message_of_warning(name, place, warning), false),
            },
            CheckEvent::Damaged(error) => match self.format {
                CheckFormat::Jsonl => {
                    self.json(&WarningRecord::unreadable(error), &mut out.records);
                    out.messages.add_recorded_failure();
                }
                _ => out.messages.add(error, true),
            },
            CheckEvent::Error(error) => out.messages.add(error, true),
            CheckEvent::Broken(broken) => {
                let record = BrokenRecord::new(broken);
                self.json(&record, &mut out.records);
                let name = broken.link.document().path();
                let near = record.near.as_ref();
                let near = near.map_or(String::new(), |near| format!(" (near: {near})"));
                let message = format!("{}: {}{near}", record.reference, record.why);
                let (line, column) = (record.line, record.col);
                let place = Some(Position { line, column });
                self.message(name, place, record.why, &message, &mut out.records);
            }
            CheckEvent::Orphan(name) => {
                self.json(&OrphanRecord::new(name), &mut out.records);
                let message = "orphan: no document links here";
                self.message(name, None, "orphan", message, &mut out.records);
            }
            _ => {}
        }
    }

    /// Appends a record as JSON.
    fn json(self, record: &impl serde::Serialize, out: &mut Vec<u8>) {
        if self.format == CheckFormat::Jsonl {
            write_json(record, out);
            out.push(if self.null { 0 } else { b'\n' });
        }
    }

    /// Appends a record in a format other than JSON.
    fn message(
        self,
        name: &Path,
        at: Option<Position>,
        kind: &str,
        message: &str,
        out: &mut Vec<u8>,
    ) {
        let shown = name.to_string_lossy();
        let text = match self.format {
            CheckFormat::Jsonl => return,
            CheckFormat::Text => {
                out.extend_from_slice(&name_in_line(name, self.null));
                let place = at.map_or(String::new(), |at| format!(":{at}"));
                // One link is one line.
                let message = message.replace('\n', "\\n").replace('\r', "\\r");
                format!("{place}: {message}{}", if self.null { '\0' } else { '\n' })
            }
            CheckFormat::Github => {
                let file = in_command(shown.strip_prefix("./").unwrap_or(&shown), true);
                let place = at.map(|at| format!(",line={},col={}", at.line, at.column));
                let (place, message) = (place.unwrap_or_default(), in_command(message, false));
                format!("::error file={file}{place}::{message}\n")
            }
            CheckFormat::Junit => {
                let place = at.map_or(String::new(), |at| format!("{at}: "));
                let message = in_xml(message);
                format!("<failure type=\"{kind}\" message=\"{place}{message}\"/>\n")
            }
        };
        out.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn output(self) -> Output {
        let is_json = self.format == CheckFormat::Jsonl;
        let kind = if is_json { Kind::Json } else { Kind::Text };
        Output::new(kind, Exit::Done)
    }

    /// Prints the results of a document. Breaks if the reader has gone.
    pub(crate) fn print(self, piece: Piece, output: &mut Output) -> ControlFlow<()> {
        if self.quiet {
            return output.print(&piece.messages, b"");
        }
        output.print(&piece.messages, piece.head.as_bytes())?;
        let records = &piece.records;
        match &piece.name {
            Some(name) if self.format == CheckFormat::Junit => {
                let name = name.to_string_lossy();
                let name = in_xml(&name);
                let tag = format!("<testcase classname=\"rehref.check\" name=\"{name}\"");
                output.write(&match records.is_empty() {
                    true => [tag.as_bytes(), b"/>\n"].concat(),
                    false => [tag.as_bytes(), b">\n", records, b"</testcase>\n"].concat(),
                })
            }
            _ => output.write(records),
        }
    }

    /// Prints the end of the report and a summary. Returns the exit status.
    pub(crate) fn end(
        self,
        summary: &CheckSummary,
        shows_orphans: bool,
        output: &mut Output,
    ) -> anyhow::Result<Exit> {
        if !self.quiet {
            let mut out = Vec::new();
            self.json(summary, &mut out);
            if self.format == CheckFormat::Junit {
                out.extend_from_slice(b"</testsuite>\n</testsuites>\n");
            }
            let _: ControlFlow<()> = output.write(&out);
        }
        if output.reader_is_gone() {
            return Ok(Exit::Done);
        }
        let docs = counted(summary.docs, "document");
        let local = counted(summary.local, "local link");
        let (broken, orphans) = (summary.broken, summary.orphans);
        let of_orphans = match shows_orphans {
            true => format!(", {}", counted(orphans, "orphan")),
            false => String::new(),
        };
        let unread = summary.unread.message();
        let unread = unread.map_or(String::new(), |it| format!("; {it}"));
        summarize(format_args!(
            "{docs}, {local}, {broken} broken{of_orphans}{unread}"
        ));
        let exit = output.finish()?;
        Ok(match broken + orphans {
            0 => exit,
            _ => exit.max(Exit::No),
        })
    }
}
