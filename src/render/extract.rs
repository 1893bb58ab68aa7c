//! The output of `rehref extract`.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rehref::error::Warning;
use rehref::jobs::{ExtractEvent, ExtractTotals, UnreadKind};
use rehref::link::Place;
use rehref::records::{
    CountBy, FileCountRecord, LinkRecord, LinkReport, SummaryRecord, UnreadDocuments,
    WarningRecord, write_json,
};

use super::counted_by::CountedLinks;
use super::csv;
use super::lines::{name_in_line, value_in_line};
use super::message::Message;
use super::progress::Progress;
use super::reasons::{message_of_file, message_of_unread, message_of_warning};
use super::styled::Style;
use super::terminal::{Kind, Messages, Output, summarize, warn};
use crate::exit::Exit;
use crate::render::printing::{OutputFormat, PrintArgs};

/// The rendering of the links of a document.
pub(crate) struct Renderer {
    pub(crate) print: PrintArgs,
    /// The types of files that are read, or nothing for all.
    pub(crate) types: String,
    /// True if other readings of a link are on separate lines.
    pub(crate) alternatives: bool,
    pub(crate) context: bool,
    pub(crate) unwrap: bool,
    pub(crate) count_by: Option<CountBy>,
    /// The first of several paths, if it does not exist and could be a host.
    pub(crate) host: Option<String>,
    /// The style of lines. They are sanitized where they are rendered then.
    pub(crate) style: Option<Style>,
}

/// The room for records that a piece has when it gets the first one, in bytes.
const FIRST_RECORDS: usize = 4 << 10;

/// The output of a document, or of a piece of one.
#[derive(Default)]
pub(crate) struct Piece {
    records: Vec<u8>,
    /// The ends of records with `--unique`.
    ends: Vec<RecordEnd>,
    totals: ExtractTotals,
    messages: Messages,
    /// The kind of the current file, if its links are not read.
    unread: Option<UnreadKind>,
    /// The name of the file, if this is its last piece.
    file: Option<PathBuf>,
    progress: Option<(u64, Option<u64>)>,
    /// True if no more pieces follow.
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
        !self.print.count && !self.print.quiet && !self.print.files_with_links
    }

    /// Returns true if lines or columns are printed. Counting lines takes time.
    pub(crate) fn prints_positions(&self) -> bool {
        let has_positions = !self.print.is_text() || self.print.has_lines();
        self.prints() && self.count_by.is_none() && has_positions
    }

    /// Renders an event.
    pub(crate) fn event(&self, event: ExtractEvent<'_>, out: &mut Piece) {
        out.totals.count(&event);
        match event {
            ExtractEvent::Link(report, charset) => self.link(report, charset, out),
            ExtractEvent::Warning(name, place, warning) => match self.records_warnings() {
                true => self.json(&WarningRecord::new(name, warning), &mut out.records),
                false => {
                    let message = message_of_warning(name, place, warning, out.unread);
                    out.messages.add(message, false);
                }
            },
            ExtractEvent::Unread(_, kind) => out.unread = Some(kind),
            ExtractEvent::BinaryMail(name) => {
                let warning = Warning::Binary;
                match self.records_warnings() {
                    true => {
                        self.json(&WarningRecord::new(name, warning), &mut out.records);
                        out.messages.add_recorded_failure();
                    }
                    false => {
                        let message = message_of_warning(name, None, warning, out.unread);
                        out.messages.add(message, true);
                    }
                }
            }
            ExtractEvent::Error(error) => match self.records_warnings() {
                true => {
                    self.json(&WarningRecord::unreadable(error), &mut out.records);
                    out.messages.add_recorded_failure();
                }
                false => {
                    let message = message_of_file(error);
                    let host = self.host.as_deref().filter(|it| error.path() == Path::new(it));
                    let message = match host {
                        Some(host) => message.with_help(format_args!(
                            "use --host {host} to print only the links to this host"
                        )),
                        None => message,
                    };
                    out.messages.add(message, true);
                }
            },
            ExtractEvent::Progress { read, len } => out.progress = Some((read, len)),
            ExtractEvent::FileEnd(name) => {
                out.file = Some(name.to_owned());
                out.unread = None;
            }
            ExtractEvent::Stopped => out.is_last = true,
            _ => {}
        }
    }

    #[inline]
    fn link(&self, report: &LinkReport<'_>, charset: &str, out: &mut Piece) {
        let value = match self.print.raw {
            true => report.reference(),
            false => report.url_or_reference(),
        };
        if let Some(by) = self.count_by {
            // Among the records, so that `--unique` drops it.
            CountedLinks::write_key(&by.key(report, self.print.matched()), &mut out.records);
            return self.end_record(value, true, out);
        }
        if self.print.is_text() {
            return self.lines(report, value, out);
        }
        if self.prints() {
            let record = LinkRecord::new(report, charset);
            match self.print.format() {
                OutputFormat::Csv => csv::write_link(&record, self.print.rows(), &mut out.records),
                _ => self.json(&record, &mut out.records),
            }
        }
        self.end_record(value, true, out);
    }

    /// Renders the lines of a link: its value, and other values that are wanted.
    fn lines(&self, report: &LinkReport<'_>, value: &str, out: &mut Piece) {
        self.line(report, value, true, out);
        if let Some(inner) = report.unwrapped() {
            self.line(report, inner, false, out);
        }
        let alternatives = report.alternatives().iter().filter(|_| self.alternatives);
        for other in alternatives {
            match report.place() {
                Place::Text(cue) if !self.print.raw => {
                    self.line(report, &cue.completed(other), false, out);
                }
                _ => self.line(report, other, false, out),
            }
        }
    }

    /// Renders a line of a link. With contexts, a tab and the anchor text follow the value.
    fn line(&self, report: &LinkReport<'_>, value: &str, is_link: bool, out: &mut Piece) {
        let (print, records) = (&self.print, &mut out.records);
        if records.is_empty() {
            records.reserve(FIRST_RECORDS);
        }
        if self.has_only_values() {
            records.extend_from_slice(value_in_line(value, print.null).as_bytes());
            records.push(print.end());
        } else if self.prints() {
            let document = report.document();
            let archive = document.mail_part().map(|part| &*part.archive);
            if print.has_names() {
                let file = archive.unwrap_or(document.path());
                // Editors open the file.
                let name = if print.has_columns() { file } else { document.path() };
                let name = name_in_line(name, print.null);
                match self.style {
                    Some(style) => style.name(&name, file, records),
                    None => records.extend_from_slice(&name),
                }
                records.push(b':');
            }
            for (is_wanted, number) in [
                (print.has_lines(), report.line()),
                (print.has_columns(), report.column()),
                (print.byte_offset, report.offset()),
            ] {
                match self.style {
                    _ if !is_wanted => continue,
                    Some(style) => style.number(number, records),
                    None => {
                        records.extend_from_slice(itoa::Buffer::new().format(number).as_bytes())
                    }
                }
                records.push(b':');
            }
            let shown = value_in_line(value, print.null);
            match self.style {
                Some(style) => style.url(&shown, report.url() == Some(value), records),
                None => records.extend_from_slice(shown.as_bytes()),
            }
            if self.context {
                let text = report.context().and_then(|it| it.text).unwrap_or_default();
                records.push(b'\t');
                match self.style {
                    Some(style) => style.text(text, records),
                    None => records.extend_from_slice(text.as_bytes()),
                }
            }
            records.push(print.end());
        }
        self.end_record(value, is_link, out);
    }

    /// Returns true if lines have only a value.
    fn has_only_values(&self) -> bool {
        let print = &self.print;
        let has_more = print.has_names() | print.has_lines() | print.byte_offset | self.context;
        self.prints() & !has_more & self.style.is_none()
    }

    #[inline]
    fn end_record(&self, value: &str, is_link: bool, out: &mut Piece) {
        if self.print.unique {
            out.ends.push(RecordEnd { at: out.records.len(), value: value.to_owned(), is_link });
        }
    }

    /// Returns true if warnings and errors are records, which no message repeats.
    fn records_warnings(&self) -> bool {
        self.prints() && self.count_by.is_none() && self.print.format() == OutputFormat::Jsonl
    }

    fn json(&self, record: &impl serde::Serialize, out: &mut Vec<u8>) {
        write_json(record, out);
        out.push(self.print.end());
    }
}

/// Prints pieces in order.
pub(crate) struct Printer<'r> {
    renderer: &'r Renderer,
    output: Output,
    /// The values printed so far with `--unique`.
    seen: HashSet<String>,
    /// With `--count-by`.
    counted: Option<CountedLinks>,
    totals: ExtractTotals,
    /// The links of the current file.
    links_of_file: usize,
    progress: Progress,
}

impl<'r> Printer<'r> {
    /// Prints the head of the output. `is_buffered` is true if pieces may be printed later, because
    /// no input is waited for.
    pub(crate) fn new(
        renderer: &'r Renderer,
        exit: Exit,
        is_buffered: bool,
        progress: Progress,
    ) -> Self {
        let kind = match renderer.print.format() {
            OutputFormat::Csv => Kind::Csv,
            OutputFormat::Jsonl => Kind::Json,
            OutputFormat::Lines | OutputFormat::Vimgrep => Kind::Text,
        };
        let mut output = Output::new(kind, exit);
        if is_buffered {
            output = output.buffered();
        }
        let mut head = Vec::new();
        if kind == Kind::Csv && renderer.count_by.is_none() {
            if renderer.prints() {
                let (context, unwrap) = (renderer.context, renderer.unwrap);
                csv::write_names(context, unwrap, renderer.print.rows(), &mut head);
            } else if renderer.print.count && !renderer.print.quiet {
                let names = ["doc", "links"].map(str::as_bytes);
                csv::write_count(names, renderer.print.rows(), &mut head);
            }
        }
        let _: ControlFlow<()> = output.write(&head);
        Self {
            renderer,
            output,
            seen: HashSet::new(),
            counted: renderer.count_by.map(CountedLinks::new),
            totals: ExtractTotals::default(),
            links_of_file: 0,
            progress,
        }
    }

    /// Prints a piece. Breaks if the answer is complete, or the reader has closed the pipe.
    pub(crate) fn take(&mut self, mut piece: Piece) -> ControlFlow<()> {
        if self.renderer.print.unique {
            self.drop_seen(&mut piece);
        }
        let links = piece.totals.links;
        self.totals += piece.totals;
        self.links_of_file += links;
        self.output.print(&piece.messages, b"")?;
        if self.renderer.print.quiet && links > 0 {
            return ControlFlow::Break(());
        }
        match (&mut self.counted, self.renderer.style) {
            (Some(counted), _) => counted.add_keys(&piece.records),
            (None, Some(_)) => self.output.write_sanitized(&piece.records)?,
            (None, None) => self.output.write(&piece.records)?,
        }
        if let Some((read, len)) = piece.progress {
            self.progress.read(read, len);
        }
        if let Some(name) = piece.file {
            self.file_end(&name)?;
        }
        self.output.flush_old()
    }

    /// Prints the name or the number of links of a file that has links, if they are wanted.
    fn file_end(&mut self, name: &Path) -> ControlFlow<()> {
        let links = std::mem::take(&mut self.links_of_file);
        self.progress.step();
        let print = self.renderer.print;
        if print.quiet || links == 0 {
            return ControlFlow::Continue(());
        }
        let mut record = Vec::new();
        if print.files_with_links {
            let shown = name_in_line(name, print.null);
            if let Some(style) = self.renderer.style {
                style.name(&shown, name, &mut record);
                record.push(print.end());
                return self.output.write_sanitized(&record);
            }
            record.extend_from_slice(&shown);
            record.push(print.end());
        } else if print.count {
            match print.format() {
                OutputFormat::Jsonl => {
                    let count = FileCountRecord::new(name, links);
                    self.renderer.json(&count, &mut record);
                }
                OutputFormat::Csv => {
                    let name = name.as_os_str().as_encoded_bytes();
                    csv::write_count(
                        [name, links.to_string().as_bytes()],
                        print.rows(),
                        &mut record,
                    );
                }
                OutputFormat::Lines | OutputFormat::Vimgrep if print.has_names() => {
                    record.extend_from_slice(&name_in_line(name, print.null));
                    record.extend_from_slice(format!(":{links}").as_bytes());
                    record.push(print.end());
                }
                OutputFormat::Lines | OutputFormat::Vimgrep => {}
            }
        }
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

    /// Sets the documents of the whole run whose links were not read.
    pub(crate) fn count_unread(&mut self, unread: UnreadDocuments) {
        self.totals.unread = unread;
    }

    /// Prints the end of the output. Returns the exit status.
    pub(crate) fn end(&mut self) -> anyhow::Result<Exit> {
        let (renderer, print, totals) = (self.renderer, self.renderer.print, &self.totals);
        let mut last = Vec::new();
        if let Some(counted) = self.counted.as_ref().filter(|_| !print.quiet) {
            counted.render(print, &mut last);
        } else if print.count && print.is_text() && !print.quiet && !print.has_names() {
            last.extend_from_slice(totals.links.to_string().as_bytes());
            last.push(print.end());
        } else if !print.quiet && print.format() == OutputFormat::Jsonl {
            renderer.json(&SummaryRecord::from(totals.clone()), &mut last);
        }
        let found = totals.links > 0;
        let _: ControlFlow<()> = self.output.write(&last);
        if self.output.flush().is_break() {
            return self.output.stopped();
        }
        // The JSON summary has the numbers.
        let is_told = !print.quiet && print.format() != OutputFormat::Jsonl;
        if is_told && let Some(message) = message_of_unread(&totals.unread) {
            summarize(message);
        }
        let exit = self.output.finish()?;
        if !renderer.types.is_empty() && totals.documents == 0 && exit == Exit::Done {
            let types = &renderer.types;
            let message =
                Message::from(format_args!("--type {types}: no file of this type was found"));
            warn(message.with_help("types go by file names; -g selects other names"));
        }
        Ok(match (print.quiet, found) {
            (true, true) => Exit::Done,
            (true, false) => exit.max(Exit::No),
            (false, _) => exit,
        })
    }
}
