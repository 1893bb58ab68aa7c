//! The output of `rehref extract`.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rehref::error::Warning;
use rehref::jobs::{ExtractEvent, ExtractTotals, HostCounts};
use rehref::link::Place;
use rehref::records::{
    CountRecord, LinkRecord, LinkReport, SummaryRecord, WarningRecord, write_json,
};

use super::csv::{CsvFormat, write_count_names, write_count_row, write_csv, write_csv_names};
use super::lines::{LineFormat, name_in_line};
use super::progress::Progress;
use super::terminal::{Kind, Messages, Output};
use crate::exit::Exit;

/// The format of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// One link per line
    Lines,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values, with a header
    Csv,
    /// file:line:column:link
    Vimgrep,
}

/// How the links of a document are rendered.
pub(crate) struct Renderer {
    pub(crate) format: OutputFormat,
    pub(crate) line: LineFormat,
    pub(crate) csv: CsvFormat,
    pub(crate) count: bool,
    pub(crate) unique: bool,
    pub(crate) quiet: bool,
    /// Whether other readings of a link have lines of their own.
    pub(crate) alternatives: bool,
    pub(crate) context: bool,
    pub(crate) unwrap: bool,
    pub(crate) count_by_host: bool,
}

/// The output of a document, or of a piece of one.
#[derive(Default)]
pub(crate) struct Piece {
    records: Vec<u8>,
    /// The ends of records with `--unique`.
    ends: Vec<RecordEnd>,
    totals: ExtractTotals,
    messages: Messages,
    /// The name of the file, if this is its last piece.
    file: Option<PathBuf>,
    progress: Option<(u64, Option<u64>)>,
    /// Whether no more pieces follow.
    pub(crate) is_last: bool,
}

/// The end of a record with `--unique`.
struct RecordEnd {
    at: usize,
    /// The text that is printed once.
    value: String,
    /// False for other readings of the last link.
    is_link: bool,
}

impl Renderer {
    /// Returns true if records are printed.
    pub(crate) fn prints(&self) -> bool {
        !self.count && !self.quiet
    }

    /// Returns true if lines or columns are printed. Counting lines takes time.
    pub(crate) fn prints_positions(&self) -> bool {
        let has_positions = self.format != OutputFormat::Lines || self.line.line;
        self.prints() && !self.count_by_host && has_positions
    }

    /// Returns true if the notes of links are printed. Looking for errors in references takes time.
    pub(crate) fn prints_diagnostics(&self) -> bool {
        matches!(self.format, OutputFormat::Jsonl | OutputFormat::Csv)
    }

    /// Renders an event.
    pub(crate) fn event(&self, event: ExtractEvent<'_>, out: &mut Piece) {
        out.totals.count(&event);
        match event {
            ExtractEvent::Link(report, charset) => self.link(report, charset, out),
            ExtractEvent::Warning(name, place, warning) => {
                self.warning(&WarningRecord::new(name, warning), out);
                out.messages.add(warning.message(name, place), false);
            }
            ExtractEvent::BinaryMail(name) => {
                self.warning(&WarningRecord::new(name, Warning::Binary), out);
                out.messages.add(Warning::Binary.message(name, None), true);
            }
            ExtractEvent::Error(error) => {
                let text = error.to_string();
                self.warning(&WarningRecord::unreadable(error.path(), &text), out);
                out.messages.add(text, true);
            }
            ExtractEvent::Progress { read, len } => out.progress = Some((read, len)),
            ExtractEvent::FileEnd(name) => out.file = Some(name.to_owned()),
            ExtractEvent::Stopped => out.is_last = true,
            _ => {}
        }
    }

    fn link(&self, report: &LinkReport<'_>, charset: &str, out: &mut Piece) {
        if self.count_by_host {
            // Among the records, so that `--unique` drops it.
            out.records
                .extend_from_slice(report.host().unwrap_or_default().as_bytes());
            out.records.push(0);
            return self.end_record(self.line.value(report), true, out);
        }
        if self.prints() {
            self.record(report, charset, &mut out.records);
        }
        self.end_record(self.line.value(report), true, out);
        if !matches!(self.format, OutputFormat::Lines | OutputFormat::Vimgrep) {
            return;
        }
        if let Some(inner) = report.unwrapped() {
            self.further_line(report, inner, out);
        }
        if self.alternatives {
            for other in report.alternatives() {
                match report.place() {
                    Place::Text(cue) if !self.line.raw => {
                        self.further_line(report, &cue.completed(other), out);
                    }
                    _ => self.further_line(report, other, out),
                }
            }
        }
    }

    /// Renders another line of a link.
    fn further_line(&self, report: &LinkReport<'_>, value: &str, out: &mut Piece) {
        if self.prints() {
            self.line.write_value(report, value, &mut out.records);
        }
        self.end_record(value, false, out);
    }

    fn end_record(&self, value: &str, is_link: bool, out: &mut Piece) {
        if self.unique {
            out.ends.push(RecordEnd {
                at: out.records.len(),
                value: value.to_owned(),
                is_link,
            });
        }
    }

    fn record(&self, report: &LinkReport<'_>, charset: &str, out: &mut Vec<u8>) {
        match self.format {
            OutputFormat::Lines | OutputFormat::Vimgrep => {
                self.line.write_value(report, self.line.value(report), out);
            }
            OutputFormat::Csv => write_csv(&LinkRecord::new(report, charset), self.csv, out),
            OutputFormat::Jsonl => {
                write_json(&LinkRecord::new(report, charset), out);
                self.line.end(out);
            }
        }
    }

    /// Renders the number of links to each host. Lines have a tab and the host after the number; `-` for links without a
    /// host.
    fn counts(&self, hosts: &HostCounts, out: &mut Vec<u8>) {
        if self.format == OutputFormat::Csv {
            write_count_names(self.csv, out);
        }
        for (host, links) in hosts.sorted() {
            match self.format {
                OutputFormat::Csv => write_count_row(host, links, self.csv, out),
                OutputFormat::Jsonl => {
                    write_json(&CountRecord::new(host.as_bytes(), links), out);
                    self.line.end(out);
                }
                OutputFormat::Lines | OutputFormat::Vimgrep => {
                    let host = if host.is_empty() { "-" } else { host };
                    out.extend_from_slice(format!("{links}\t{host}").as_bytes());
                    self.line.end(out);
                }
            }
        }
    }

    fn warning(&self, record: &WarningRecord<'_>, out: &mut Piece) {
        if self.prints() && !self.count_by_host && self.format == OutputFormat::Jsonl {
            write_json(record, &mut out.records);
            self.line.end(&mut out.records);
        }
    }
}

/// Prints pieces in order.
pub(crate) struct Printer<'r> {
    renderer: &'r Renderer,
    output: Output,
    /// The values printed so far with `--unique`.
    seen: HashSet<String>,
    hosts: HostCounts,
    totals: ExtractTotals,
    /// The links of the current file.
    links_of_file: usize,
    progress: Progress,
}

impl<'r> Printer<'r> {
    pub(crate) fn new(renderer: &'r Renderer, exit: Exit) -> Self {
        let kind = match renderer.format {
            OutputFormat::Csv => Kind::Csv,
            OutputFormat::Jsonl => Kind::Json,
            OutputFormat::Lines | OutputFormat::Vimgrep => Kind::Text,
        };
        Self {
            renderer,
            output: Output::new(kind, exit),
            seen: HashSet::new(),
            hosts: HostCounts::default(),
            totals: ExtractTotals::default(),
            links_of_file: 0,
            progress: Progress::new(None),
        }
    }

    /// Prints the head of the output.
    pub(crate) fn begin(&mut self) -> ControlFlow<()> {
        let mut names = Vec::new();
        let it = self.renderer;
        if it.prints() && !it.count_by_host && it.format == OutputFormat::Csv {
            write_csv_names(it.context, it.unwrap, it.csv, &mut names);
        }
        self.output.write(&names)
    }

    /// Prints a piece. Breaks if the answer is known, or the reader has gone.
    pub(crate) fn take(&mut self, mut piece: Piece) -> ControlFlow<()> {
        if self.renderer.unique {
            self.drop_seen(&mut piece);
        }
        self.totals += piece.totals;
        self.links_of_file += piece.totals.links;
        self.output.print(&piece.messages, b"")?;
        if self.renderer.quiet && piece.totals.links > 0 {
            return ControlFlow::Break(());
        }
        if self.renderer.count_by_host {
            let hosts = String::from_utf8_lossy(&piece.records);
            hosts
                .split_terminator('\0')
                .for_each(|host| self.hosts.add(host));
        } else {
            self.output.write(&piece.records)?;
        }
        if let Some((read, len)) = piece.progress {
            self.progress.read(read, len);
        }
        match piece.file {
            Some(name) => self.file_end(&name),
            None => ControlFlow::Continue(()),
        }
    }

    /// Prints the number of links of a file with `-c -H`.
    fn file_end(&mut self, name: &Path) -> ControlFlow<()> {
        let links = std::mem::take(&mut self.links_of_file);
        self.progress.step();
        let Renderer {
            count, line, quiet, ..
        } = self.renderer;
        if !count || !line.name || *quiet || links == 0 {
            return ControlFlow::Continue(());
        }
        let mut record = name_in_line(name, line.null).into_owned();
        record.extend_from_slice(format!(":{links}").as_bytes());
        line.end(&mut record);
        self.output.write(&record)
    }

    /// Removes the records of values that were printed before.
    fn drop_seen(&mut self, piece: &mut Piece) {
        let mut kept = Vec::with_capacity(piece.records.len());
        let mut start = 0;
        piece.totals.links = 0;
        for end in piece.ends.drain(..) {
            if self.seen.insert(end.value) {
                piece.totals.links += usize::from(end.is_link);
                kept.extend_from_slice(&piece.records[start..end.at]);
            }
            start = end.at;
        }
        kept.extend_from_slice(&piece.records[start..]);
        piece.records = kept;
    }

    /// Prints the end of the output. Returns the exit status.
    pub(crate) fn end(&mut self) -> anyhow::Result<Exit> {
        let Self {
            renderer, totals, ..
        } = &*self;
        let mut last = Vec::new();
        if renderer.count_by_host && !renderer.quiet {
            renderer.counts(&self.hosts, &mut last);
        } else if renderer.count && !renderer.quiet && !renderer.line.name {
            last.extend_from_slice(totals.links.to_string().as_bytes());
            renderer.line.end(&mut last);
        } else if renderer.prints() && renderer.format == OutputFormat::Jsonl {
            write_json(&SummaryRecord::from(*totals), &mut last);
            renderer.line.end(&mut last);
        }
        let found = totals.links > 0;
        let _: ControlFlow<()> = self.output.write(&last);
        if self.output.reader_is_gone() {
            return Ok(Exit::Done);
        }
        let exit = self.output.finish()?;
        Ok(match (self.renderer.quiet, found) {
            (true, true) => Exit::Done,
            (true, false) => exit.max(Exit::No),
            (false, _) => exit,
        })
    }
}
