//! The output of `rehref check`: lines, JSON, workflow commands, test results or SARIF.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rehref::bytes::Position;
use rehref::jobs::{Baseline, CheckEvent};
use rehref::records::{
    BrokenRecord, BrokenTargetRecord, CheckSummary, OrphanRecord, WarningRecord, write_json,
};

use super::broken_targets::BrokenTargets;
use super::counted;
use super::escape::{in_command, in_xml};
use super::excerpt::Excerpt;
use super::lines::name_in_line;
use super::message::Message;
use super::progress::{self, Progress};
use super::reasons::{message_of_warning, text_of_unread};
use super::sarif;
use super::styled::Style;
use super::terminal::{Kind, Messages, Output, summarize, warn};
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
    /// SARIF 2.1.0, as code scanning of GitHub reads it
    Sarif,
}

/// The rendering of the results of a document.
#[derive(Clone, Copy)]
pub(crate) struct Renderer<'r> {
    pub(crate) format: CheckFormat,
    /// True if records of one line end with NUL instead of LF.
    pub(crate) null: bool,
    /// True if the exit status is the only answer.
    pub(crate) quiet: bool,
    /// True if each target of broken links is printed once, in place of the links.
    pub(crate) by_target: bool,
    /// The style of lines. They are sanitized where they are rendered then.
    pub(crate) style: Option<Style>,
    /// The baseline that is written.
    pub(crate) baseline: Option<&'r Baseline>,
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
    results: sarif::Results,
    /// The targets of broken links, if they are printed in place of the links.
    targets: Vec<BrokenTargetRecord<'static>>,
    /// The lines of the baseline that is written.
    lines: Vec<String>,
    /// True if a file is read.
    steps: bool,
}

impl Renderer<'_> {
    /// Renders an event.
    pub(crate) fn event(self, event: CheckEvent<'_>, out: &mut Piece) {
        match event {
            CheckEvent::Progress => out.steps = true,
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
            CheckEvent::Surveyed(_) if self.format == CheckFormat::Sarif => {
                out.head = sarif::head();
            }
            CheckEvent::Document(name) => out.name = Some(name.to_owned()),
            CheckEvent::Warning(name, place, warning) => match self.format {
                CheckFormat::Jsonl => {
                    self.json(&WarningRecord::new(name, warning), &mut out.records);
                }
                _ => out.messages.add(message_of_warning(name, place, warning, None), false),
            },
            CheckEvent::Damaged(error) => match self.format {
                CheckFormat::Jsonl => {
                    self.json(&WarningRecord::unreadable(error), &mut out.records);
                    out.messages.add_recorded_failure();
                }
                _ => out.messages.add(error, true),
            },
            CheckEvent::Error(error) => out.messages.add(error, true),
            CheckEvent::Unknown(link) => match self.format {
                CheckFormat::Jsonl => {
                    self.json(&WarningRecord::unknown_target(link), &mut out.records);
                    out.messages.add_recorded_failure();
                }
                _ => {
                    let (line, column) = (link.line(), link.column());
                    let position = Some(Position { line, column });
                    let text = format!("{}: could not be looked up", link.reference());
                    let message = Message::about(link.document().path(), position, text)
                        .with_excerpt(Excerpt::of_link(link))
                        .with_help("check as a user who may read the directory of the target");
                    out.messages.add(message, true);
                }
            },
            CheckEvent::Accepted(broken) => {
                out.lines.extend(self.baseline.map(|it| it.line_of_broken(broken)));
            }
            CheckEvent::AcceptedOrphan(name) => {
                out.lines.extend(self.baseline.map(|it| it.line_of_orphan(name)));
            }
            CheckEvent::Broken(broken) => {
                out.lines.extend(self.baseline.map(|it| it.line_of_broken(broken)));
                if self.by_target {
                    return out.targets.push(BrokenTargetRecord::new(broken).into_owned());
                }
                if self.format == CheckFormat::Sarif {
                    let result = out.results.broken(broken);
                    return self.sarif(&result, &mut out.records);
                }
                let record = BrokenRecord::new(broken);
                self.json(&record, &mut out.records);
                let name = broken.link.document().path();
                let near = record.near.as_ref();
                let near = near.map_or(String::new(), |near| format!(" (near: {near})"));
                let why = match self.format {
                    CheckFormat::Github | CheckFormat::Junit => sarif::description_of(broken.why),
                    _ => record.why,
                };
                let message = format!("{}: {why}{near}", record.reference);
                let (line, column) = (record.line, record.col);
                let place = Some(Position { line, column });
                self.message(name, place, record.why, &message, &mut out.records);
            }
            CheckEvent::Orphan(name) => {
                out.lines.extend(self.baseline.map(|it| it.line_of_orphan(name)));
                if self.format == CheckFormat::Sarif {
                    let result = out.results.orphan(name);
                    return self.sarif(&result, &mut out.records);
                }
                self.json(&OrphanRecord::new(name), &mut out.records);
                let message = "orphan: no document links here";
                self.message(name, None, "orphan", message, &mut out.records);
            }
            _ => {}
        }
    }

    /// The end of a record of one line.
    fn end(self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// Appends a record as JSON.
    fn json(self, record: &impl serde::Serialize, out: &mut Vec<u8>) {
        if self.format == CheckFormat::Jsonl {
            write_json(record, out);
            out.push(self.end());
        }
    }

    /// Appends a result of SARIF, after a comma.
    fn sarif(self, result: &serde_json::Value, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\n");
        write_json(result, out);
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
            CheckFormat::Jsonl | CheckFormat::Sarif => return,
            CheckFormat::Text => return self.line(name, at, message, out),
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
}

impl Renderer<'_> {
    /// Appends a record of text.
    fn line(self, name: &Path, at: Option<Position>, message: &str, out: &mut Vec<u8>) {
        let shown = name_in_line(name, self.null);
        // One link is one line.
        let message = message.replace('\n', "\\n").replace('\r', "\\r");
        let numbers = at.map(|at| [at.line, at.column]);
        match self.style {
            Some(style) => {
                style.name(&shown, name, out);
                for number in numbers.into_iter().flatten() {
                    out.push(b':');
                    style.number(number, out);
                }
                out.extend_from_slice(b": ");
                style.text(&message, out);
            }
            None => {
                out.extend_from_slice(&shown);
                for number in numbers.into_iter().flatten() {
                    out.extend_from_slice(format!(":{number}").as_bytes());
                }
                out.extend_from_slice(b": ");
                out.extend_from_slice(message.as_bytes());
            }
        }
        out.push(self.end());
    }
}

/// Prints the results of documents in order.
pub(crate) struct Printer<'r> {
    renderer: Renderer<'r>,
    output: Output,
    /// True if a result of SARIF was printed: the next one follows a comma.
    has_results: bool,
    /// The targets of broken links, if they are printed in place of the links.
    targets: BrokenTargets,
    /// The lines of the baseline that is written.
    lines: BTreeSet<String>,
    progress: Progress,
}

impl<'r> Printer<'r> {
    pub(crate) fn new(renderer: Renderer<'r>, exit: Exit) -> Self {
        let kind = match renderer.format {
            CheckFormat::Jsonl | CheckFormat::Sarif => Kind::Json,
            CheckFormat::Text | CheckFormat::Github | CheckFormat::Junit => Kind::Text,
        };
        Self {
            renderer,
            output: Output::new(kind, exit),
            has_results: false,
            targets: BrokenTargets::default(),
            lines: BTreeSet::new(),
            progress: Progress::new(None),
        }
    }

    /// Prints the results of a document. Breaks if the reader has closed the pipe.
    pub(crate) fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        self.lines.extend(piece.lines);
        piece.targets.into_iter().for_each(|target| self.targets.add(target));
        if piece.steps {
            self.progress.step();
        }
        let output = &mut self.output;
        if self.renderer.quiet {
            return output.print(&piece.messages, b"");
        }
        output.print(&piece.messages, piece.head.as_bytes())?;
        let records = &piece.records;
        match (&piece.name, self.renderer.format) {
            (Some(name), CheckFormat::Junit) => {
                let name = name.to_string_lossy();
                let name = in_xml(&name);
                let tag = format!("<testcase classname=\"rehref.check\" name=\"{name}\"");
                output.write(&match records.is_empty() {
                    true => [tag.as_bytes(), b"/>\n"].concat(),
                    false => [tag.as_bytes(), b">\n", records, b"</testcase>\n"].concat(),
                })
            }
            (_, CheckFormat::Sarif) if !self.has_results && !records.is_empty() => {
                self.has_results = true;
                output.write(&records[1..])
            }
            (_, CheckFormat::Text) if self.renderer.style.is_some() => {
                output.write_sanitized(records)
            }
            _ => output.write(records),
        }
    }

    /// Prints the end of the report and a summary. Returns the exit status, and the lines of the
    /// baseline to write.
    pub(crate) fn end(
        mut self,
        summary: &CheckSummary,
        shows_orphans: bool,
    ) -> anyhow::Result<(Exit, Option<BTreeSet<String>>)> {
        progress::clear();
        let failed = self.output.exit == Exit::Trouble;
        if summary.docs == 0 {
            self.output.exit = Exit::Trouble;
        }
        if !self.renderer.quiet {
            let renderer = self.renderer;
            let mut out = Vec::new();
            let is_json = renderer.format == CheckFormat::Jsonl;
            self.targets.render(is_json, renderer.style, renderer.end(), &mut out);
            if renderer.style.is_some() {
                let _: ControlFlow<()> = self.output.write_sanitized(&std::mem::take(&mut out));
            }
            renderer.json(summary, &mut out);
            match self.renderer.format {
                CheckFormat::Junit => out.extend_from_slice(b"</testsuite>\n</testsuites>\n"),
                CheckFormat::Sarif => {
                    out.extend_from_slice(sarif::end(self.output.exit).as_bytes())
                }
                CheckFormat::Text | CheckFormat::Jsonl | CheckFormat::Github => {}
            }
            let _: ControlFlow<()> = self.output.write(&out);
        }
        if self.output.flush().is_break() {
            return Ok((self.output.stopped()?, None));
        }
        match summary.docs {
            // The error has the reason.
            0 if failed => {}
            0 => warn(nothing_was_checked(summary)),
            // The record has the numbers.
            _ if self.renderer.format == CheckFormat::Jsonl => {}
            _ => summarize(text_of(summary, shows_orphans)),
        }
        let exit = self.output.finish()?;
        let exit = match summary.broken + summary.orphans {
            0 => exit,
            _ => exit.max(Exit::No),
        };
        Ok((exit, Some(self.lines)))
    }
}

/// The message about a run that read no document.
fn nothing_was_checked(summary: &CheckSummary) -> Message {
    let message =
        Message::new("nothing was checked: no HTML, Markdown, XML or CSS document was found");
    match text_of_unread(&summary.unread) {
        Some(unread) => message.followed_by(&format!("; {unread}")),
        None => message,
    }
}

fn text_of(summary: &CheckSummary, shows_orphans: bool) -> Message {
    let docs = counted(summary.docs, "file");
    let local = counted(summary.local, "local link");
    let mut text = format!("checked {docs}, {local}: {} broken", summary.broken);
    if shows_orphans {
        text += &format!(", {}", counted(summary.orphans, "orphan"));
    }
    if summary.accepted > 0 {
        text += &format!("; {} accepted by the baseline", summary.accepted);
    }
    if summary.excluded > 0 {
        text += &format!("; {} excluded", counted(summary.excluded, "link"));
    }
    if summary.exempt > 0 {
        text += &format!("; {} exempt by comments", counted(summary.exempt, "link"));
    }
    if summary.rootless > 0 {
        let links = counted(summary.rootless, "link");
        text += &format!("; {links} from the root of the site not checked");
    }
    if summary.templates > 0 {
        let links = counted(summary.templates, "link");
        text += &format!("; {links} with templates not checked");
    }
    if summary.generated > 0 {
        let links = counted(summary.generated, "link");
        text += &format!("; {links} to generated or other pages of the site not checked");
    }
    if summary.unused > 0 {
        let definitions = counted(summary.unused, "unused link definition");
        text += &format!("; {definitions} without a target");
    }
    text += &fragments_of(summary);
    if let Some(unread) = text_of_unread(&summary.unread) {
        text += &format!("; {unread}");
    }
    let message = Message::new(text);
    match summary.rootless {
        0 => message,
        _ => message.with_help("use --root DIR to name the root of the site"),
    }
}

/// The number of fragments that were not checked, after a semicolon. Empty without any.
fn fragments_of(summary: &CheckSummary) -> String {
    match summary.fragments {
        0 => String::new(),
        links => {
            format!("; {} not checked (anchors are off or computed)", counted(links, "fragment"))
        }
    }
}

/// Reports the lines of the baseline with this name that no longer have a finding.
pub(crate) fn report_stale(stale: &[&str], name: &Path) {
    if stale.is_empty() {
        return;
    }
    let findings = counted(stale.len(), "accepted finding");
    let mut text = format!("{findings} no longer found:");
    for line in stale.iter().take(MAX_STALE) {
        let [document, reason, reference] =
            [0, 1, 2].map(|at| line.split('\t').nth(at).unwrap_or_default());
        text += &format!(" {document}: {reference} {reason};");
    }
    let more = stale.len().saturating_sub(MAX_STALE);
    if more > 0 {
        text += &format!(" and {more} more;");
    }
    let message = Message::about(name, None, text.trim_end_matches(';'));
    summarize(message.with_help("use --write-baseline to remove them"));
}

/// The maximum number of lines of a baseline that are named.
const MAX_STALE: usize = 5;
