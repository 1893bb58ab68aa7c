//! `rehref extract`

mod counts;
mod filter;
mod mail;

use std::collections::HashSet;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rehref::bytes::Position;
use rehref::container::mail::MailOptions;
use rehref::error::{Error, ErrorKind, Warning};
use rehref::format::html::Contexts;
use rehref::format::text::{LinkPosition, TextPart, TextParts, find_each_in_text};
use rehref::format::{Options, find};
use rehref::fs::{Content, MailReader, ReadOptions, Reading, Stream, WalkEntry};
use rehref::link::{LinkData, LinkResolver, MAX_BASE, Place, unwrapped};
use rehref::records::{
    CsvFormat, LineFormat, LinkRecord, Report, SummaryRecord, WarningRecord, name_in_line,
    write_csv, write_csv_names, write_json,
};
use rehref::source::{Base, Format, Source};

use crate::args::{ExtractArgs, OutputFormat};
use crate::input::{Input, Messages, turn};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::terminal::Output;
use crate::{Exit, ordered};

use counts::Counts;
use filter::{Filter, host};

/// How many threads search a stream at most, or the messages of an archive. More would wait for its bytes.
const STREAM_THREADS: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// How long the records of a document become at most before they are printed, in bytes, where nothing else is waited
/// for: so memory does not grow with the links of a long message.
const MOST_RECORDS: usize = 256 << 10;

/// How many parts of a stream are held beside those that are searched. It bounds the memory.
const PARTS_WAITING: usize = 2;

pub(crate) fn run(args: ExtractArgs) -> anyhow::Result<Exit> {
    let extract = Extract::new(&args)?;
    Interrupt::listen()?;
    let mbox = args.mail.mbox;
    let Some(mut input) = Input::new(args.input, "extract")? else {
        return Ok(Exit::Trouble);
    };
    input.options.mbox = mbox;
    let mut run = Run::new(&extract, input.jobs, input.exit);
    if run.begin().is_continue() {
        let walk = input.tree.walk(input.items);
        let work = |found| extract.document(found, &input.options);
        ordered::for_each(walk, input.jobs, work, |result| {
            let flow = run.take(result);
            run.progress.step();
            if flow.is_break() {
                // The answer is known, or nobody reads it: what others still wait for is not.
                crate::exit(run.end());
            }
            flow
        });
    }
    run.end()
}

/// What is wanted.
struct Extract {
    find: Options,
    filter: Filter,
    format: OutputFormat,
    line: LineFormat,
    csv: CsvFormat,
    count: bool,
    unique: bool,
    quiet: bool,
    /// Whether the other readings of a link get lines of their own.
    alternatives: bool,
    /// Whether it is told what links lead to that a gateway has put in the place of others.
    unwrap: bool,
    /// Whether links are counted by their hosts.
    count_by_host: bool,
    /// How messages are taken apart.
    mail: MailOptions,
    /// Whether a link that is in several alternatives of a message is taken of the first only.
    first_alternative: bool,
    /// Whether it is told what stands round links.
    context: bool,
}

/// What came of one document, or of a piece of one.
#[derive(Default)]
struct Extracted {
    /// Nothing yet: it is read when its turn comes.
    stream: Option<Box<Stream>>,
    /// The same of mail.
    archive: Option<Box<MailReader>>,
    name: PathBuf,
    /// The records, rendered. Where each link is wanted once, their ends are noted with what makes
    /// them the same.
    records: Vec<u8>,
    ends: Vec<RecordEnd>,
    links: usize,
    /// How many documents were read, and of how many messages they are.
    docs: usize,
    messages_read: usize,
    /// Records of warnings.
    warnings: usize,
    messages: Messages,
}

/// The end of a record, where each link is wanted once.
struct RecordEnd {
    at: usize,
    /// What makes it the same as another.
    value: String,
    /// Whether it is that of a link, and not of another reading of the last one.
    is_link: bool,
}

impl Extract {
    fn new(args: &ExtractArgs) -> anyhow::Result<Self> {
        let format = if args.json {
            OutputFormat::Jsonl
        } else {
            args.format
        };
        let is_vimgrep = format == OutputFormat::Vimgrep;
        let resolver = args.input.resolving.resolver();
        Ok(Self {
            find: Options {
                scripted: false,
                resolver,
                html_text: args.html_text,
                scripting: args.input.html.scripting,
                extra: args.input.html.extra(),
                anchors: false,
                text: args.text.options(),
            },
            filter: Filter::new(args)?,
            format,
            line: LineFormat {
                raw: args.raw,
                name: args.with_filename || is_vimgrep,
                line: args.line_number || is_vimgrep,
                column: is_vimgrep,
                offset: args.byte_offset,
                null: args.null,
            },
            csv: CsvFormat {
                null: args.null,
                escape_formulas: args.escape_formulas,
            },
            count: args.count,
            unique: args.unique,
            quiet: args.quiet,
            alternatives: args.text.prints_alternatives(),
            context: args.context,
            unwrap: args.unwrap,
            count_by_host: args.count_by.is_some(),
            mail: MailOptions {
                resolver,
                headers: !args.mail.no_headers,
                charset: args.input.reading.charset.clone(),
                ..MailOptions::default()
            },
            first_alternative: args.mail.takes_first(),
        })
    }

    /// Whether records are rendered at all.
    fn prints(&self) -> bool {
        !self.count && !self.quiet
    }

    fn document(&self, found: Result<WalkEntry, Error>, options: &ReadOptions) -> Extracted {
        let mut out = Extracted::default();
        let _turn = found.as_ref().ok().map(|found| turn(&found.item, options));
        let read = found.and_then(|found| Ok((options.read_or_stream(&found.item)?, found)));
        let (content, found) = match read {
            Err(error) => {
                self.error(&error, &mut out);
                return out;
            }
            Ok((Reading::Stream(stream), _)) => {
                out.stream = Some(Box::new(stream));
                return out;
            }
            Ok((Reading::Mail(archive), _)) => {
                match archive.is_small() {
                    true => self.archive(archive, &mut out),
                    false => out.archive = Some(Box::new(archive)),
                }
                return out;
            }
            Ok((Reading::Whole(content), found)) => (content, found),
        };
        match content {
            // In a folder binary files are to be expected; one that is named, or mail, is not.
            Content::Binary(_) if is_mail_by_name(found.item.name()) => {
                let name = found.item.name();
                self.warning_record(&WarningRecord::new(name, Warning::Binary), &mut out);
                let text = Warning::Binary.text();
                out.messages.failure(format!("{}: {text}", name.display()));
            }
            Content::Binary(_) if found.root.is_none() => {
                self.warn(found.item.name(), None, Warning::Binary, &mut out);
            }
            Content::Binary(_) => {}
            Content::Document(document) => {
                self.links(&document, |_| true, &mut out, &mut |_| {});
            }
            Content::Damaged(document, error) => {
                self.links(&document, |_| true, &mut out, &mut |_| {});
                self.error(&error, &mut out);
            }
        }
        out
    }

    /// Takes those links of a document that pass the filter, and that `takes` says. Calls `print` where there are so
    /// many records that they had better be printed.
    fn links(
        &self,
        document: &Source,
        mut takes: impl FnMut(&Report<'_>) -> bool,
        out: &mut Extracted,
        print: &mut dyn FnMut(&mut Extracted),
    ) {
        out.docs += 1;
        if document.carrier.is_none() {
            out.name.clone_from(&document.name);
        }
        if document.format.is_text() {
            self.links_of_text(document, takes, out, print);
            return;
        }
        let findings = find(document, &self.find);
        let mut lines = document.lines();
        let charset = document.charset.name();
        let mut resolving = self.resolving(findings.base.as_ref(), document);
        let tells_context = self.context && self.prints() && !findings.links.is_empty();
        let contexts = tells_context.then(|| Contexts::of(document, &self.find));
        for link in &findings.links {
            let context = contexts.as_ref().map(|contexts| contexts.of_link(link));
            let position = || lines.position(link.extent().start);
            let report = Report {
                document,
                link,
                target: resolving.target(link),
                position: Position::START,
                context,
                unwrapped: None,
            };
            if self.filter.takes(&report, &self.line) && takes(&report) {
                self.link(report, position, &charset, out);
            }
            if self.quiet && out.links > 0 {
                return;
            }
            if out.records.len() > MOST_RECORDS {
                print(out);
            }
        }
        let malformed = findings.malformed;
        let malformed = malformed.map(|offset| document.lines().position(offset));
        self.warn_of_reading(document, findings.base.as_ref(), malformed, out);
        if findings.guessed {
            self.warn(&document.name, None, Warning::Nesting, out);
        }
    }

    /// The same of a text, link after link.
    fn links_of_text(
        &self,
        document: &Source,
        mut takes: impl FnMut(&Report<'_>) -> bool,
        out: &mut Extracted,
        print: &mut dyn FnMut(&mut Extracted),
    ) {
        let mut lines = document.lines();
        let charset = document.charset.name();
        let base = document.base.as_ref();
        let mut resolving = self.resolving(base, document);
        let malformed = find_each_in_text(document, &self.find, |link| {
            if self.quiet && out.links > 0 {
                return;
            }
            let report = Report {
                document,
                link: &link,
                target: resolving.target(&link),
                position: Position::START,
                context: self.context.then_some(None),
                unwrapped: None,
            };
            if self.filter.takes(&report, &self.line) && takes(&report) {
                let position = || lines.position(link.extent().start);
                self.link(report, position, &charset, out);
            }
            if out.records.len() > MOST_RECORDS {
                print(out);
            }
        });
        let malformed = malformed.map(|offset| document.lines().position(offset));
        if !self.quiet || out.links == 0 {
            self.warn_of_reading(document, base, malformed, out);
        }
    }

    /// What resolves the links of a document. Only records tell what is wrong with a reference.
    fn resolving(&self, base: Option<&Base>, document: &Source) -> LinkResolver {
        let resolving = LinkResolver::new(self.find.resolver, base, document.base.as_ref())
            .in_charset(document.charset);
        match self.format {
            OutputFormat::Jsonl | OutputFormat::Csv => resolving,
            OutputFormat::Lines | OutputFormat::Vimgrep => resolving.unchecked(),
        }
    }

    /// Takes a link. Where it is, is worked out only if it is printed.
    fn link(
        &self,
        report: Report<'_>,
        position: impl FnOnce() -> Position,
        charset: &str,
        out: &mut Extracted,
    ) {
        out.links += 1;
        let found = report.target.uri.filter(|_| self.unwrap);
        let inner = found.and_then(unwrapped);
        let mut report = Report {
            unwrapped: self.unwrap.then_some(inner.as_deref()),
            ..report
        };
        if self.count_by_host {
            Counts::note(host(&report.target), &mut out.records);
        } else if self.prints() {
            // Counting lines takes time: only where they are printed.
            if self.format != OutputFormat::Lines || self.line.line {
                report.position = position();
            }
            self.record(&report, charset, &mut out.records);
        }
        self.end_record(self.line.value(&report), true, out);
        if self.count_by_host {
            return;
        }
        if let Some(inner) = &inner
            && matches!(self.format, OutputFormat::Lines | OutputFormat::Vimgrep)
        {
            if self.prints() {
                self.line.write_value(&report, inner, &mut out.records);
            }
            self.end_record(inner, false, out);
        }
        if self.alternatives && matches!(self.format, OutputFormat::Lines | OutputFormat::Vimgrep) {
            for other in &report.link.alternatives {
                let other = match &report.link.place {
                    Place::Text(cue) if !self.line.raw => cue.completed(other),
                    _ => other.into(),
                };
                if self.prints() {
                    self.line.write_value(&report, &other, &mut out.records);
                }
                self.end_record(&other, false, out);
            }
        }
    }

    fn end_record(&self, value: &str, is_link: bool, out: &mut Extracted) {
        if self.unique {
            out.ends.push(RecordEnd {
                at: out.records.len(),
                value: value.to_owned(),
                is_link,
            });
        }
    }

    /// Says what there is to say about the reading of a document.
    fn warn_of_reading(
        &self,
        document: &Source,
        base: Option<&Base>,
        malformed: Option<Position>,
        out: &mut Extracted,
    ) {
        if malformed.is_some() {
            self.warn(&document.name, malformed, Warning::Charset, out);
        }
        if base.is_some_and(|base| base.uri.len() > MAX_BASE) {
            self.warn(&document.name, None, Warning::Base, out);
        }
    }

    fn record(&self, report: &Report<'_>, charset: &str, out: &mut Vec<u8>) {
        match self.format {
            OutputFormat::Lines | OutputFormat::Vimgrep => {
                self.line.write_value(report, self.line.value(report), out);
            }
            OutputFormat::Csv => write_csv(report, self.csv, out),
            OutputFormat::Jsonl => {
                write_json(&LinkRecord::new(report, charset), out);
                self.line.end(out);
            }
        }
    }

    fn error(&self, error: &Error, out: &mut Extracted) {
        let text = error.to_string();
        self.warning_record(&WarningRecord::unreadable(error.path(), &text), out);
        out.messages.error(error);
    }

    fn warn(&self, name: &Path, place: Option<Position>, warning: Warning, out: &mut Extracted) {
        self.warning_record(&WarningRecord::new(name, warning), out);
        out.messages.warning(name, place, warning);
    }

    fn warning_record(&self, record: &WarningRecord<'_>, out: &mut Extracted) {
        out.warnings += 1;
        if self.prints() && !self.count_by_host && self.format == OutputFormat::Jsonl {
            write_json(record, &mut out.records);
            self.line.end(&mut out.records);
        }
    }
}

/// Whether a file is called as mail is, compressed in any way.
fn is_mail_by_name(name: &Path) -> bool {
    const COMPRESSED: [&str; 8] = ["bz2", "xz", "zst", "lzma", "lz4", "br", "z", "zip"];
    let extension = name.extension().and_then(|it| it.to_str());
    let is_compressed = extension.is_some_and(|it| {
        let is = |known: &&str| it.eq_ignore_ascii_case(known);
        COMPRESSED.iter().any(is)
    });
    let inner = name.file_stem().filter(|_| is_compressed).map(Path::new);
    Format::from_extension(inner.unwrap_or(name)).is_some_and(Format::is_mail)
}

/// A run, document after document.
struct Run<'e> {
    extract: &'e Extract,
    output: Output,
    seen: HashSet<String>,
    counts: Counts,
    summary: SummaryRecord,
    progress: Progress,
    /// How many threads may search a stream, beside those that work on other documents.
    jobs: NonZeroUsize,
    exit: Exit,
}

impl<'e> Run<'e> {
    fn new(extract: &'e Extract, jobs: NonZeroUsize, exit: Exit) -> Self {
        Self {
            extract,
            output: match extract.format {
                OutputFormat::Csv => Output::of_csv(),
                format => Output::new(format == OutputFormat::Jsonl),
            },
            seen: HashSet::new(),
            counts: Counts::default(),
            summary: SummaryRecord::default(),
            progress: Progress::new(None),
            jobs,
            exit,
        }
    }

    fn begin(&mut self) -> ControlFlow<()> {
        let mut names = Vec::new();
        let extract = self.extract;
        if extract.prints() && !extract.count_by_host && extract.format == OutputFormat::Csv {
            write_csv_names(extract.context, extract.unwrap, extract.csv, &mut names);
        }
        self.output.write(&names)
    }

    fn take(&mut self, mut result: Extracted) -> ControlFlow<()> {
        if let Some(stream) = result.stream.take() {
            return self.take_stream(*stream);
        }
        if let Some(archive) = result.archive.take() {
            return self.take_archive(*archive);
        }
        let name = std::mem::take(&mut result.name);
        let links = self.take_piece(result)?;
        self.take_count(&name, links)
    }

    /// Reads a text, and takes its links as they come.
    fn take_stream(&mut self, stream: Stream) -> ControlFlow<()> {
        let extract = self.extract;
        let options = &extract.find;
        let document = stream.document.clone();
        let charset = document.charset.name();
        let base = document.base.as_ref();
        let mut resolving = extract.resolving(base, &document);
        let mut link =
            |link: LinkData<'_>, position: &mut LinkPosition<'_>, out: &mut Extracted| {
                let report = Report {
                    document: &document,
                    link: &link,
                    target: resolving.target(&link),
                    position: Position::START,
                    context: extract.context.then_some(None),
                    unwrapped: None,
                };
                if extract.filter.takes(&report, &extract.line) {
                    extract.link(report, || position.get(), &charset, out);
                }
            };
        let parts = TextParts::new(stream.reader(), &document, options);
        let mut text = parts.stream();
        let search = |part: io::Result<TextPart>| part.map(TextPart::searched);
        let mut links = 0;
        let mut failure = None;
        let threads = self.jobs.min(STREAM_THREADS);
        let window = threads.saturating_add(PARTS_WAITING);
        ordered::for_each_within(window, parts, threads, search, |part| {
            let mut out = Extracted::default();
            match part {
                Ok(part) => text.take(part, |found, position| link(found, position, &mut out)),
                Err(error) => failure = Some(error),
            }
            match self.take_piece(out) {
                ControlFlow::Continue(new) => links += new,
                // A thread may wait for more of the text.
                ControlFlow::Break(()) => crate::exit(self.end()),
            }
            ControlFlow::Continue(())
        });
        let mut out = Extracted::default();
        text.finish(|found, position| link(found, position, &mut out));
        out.docs = 1;
        extract.warn_of_reading(&document, base, text.malformed(), &mut out);
        if let Some(error) = failure {
            extract.error(
                &Error::new(&document.name, ErrorKind::Read(error)),
                &mut out,
            );
        }
        links += self.take_piece(out)?;
        self.take_count(&document.name, links)
    }

    /// Takes what came of a document, or of a piece of one. Returns how many links are new.
    fn take_piece(&mut self, mut result: Extracted) -> ControlFlow<(), usize> {
        if self.extract.unique {
            self.drop_seen(&mut result);
        }
        self.summary.docs += result.docs;
        self.summary.messages += result.messages_read;
        self.summary.links += result.links;
        self.summary.warnings += result.warnings;
        self.exit = self.exit.max(result.messages.say());
        if self.extract.quiet && result.links > 0 {
            return ControlFlow::Break(());
        }
        if self.extract.count_by_host {
            self.counts.add(&result.records);
        } else {
            self.output.write(&result.records)?;
        }
        ControlFlow::Continue(result.links)
    }

    /// Prints how many links a document has, if that is wanted.
    fn take_count(&mut self, name: &Path, links: usize) -> ControlFlow<()> {
        let Extract {
            count, line, quiet, ..
        } = self.extract;
        if !count || !line.name || *quiet || links == 0 {
            return ControlFlow::Continue(());
        }
        let mut record = name_in_line(name, line.null).into_owned();
        record.extend_from_slice(format!(":{links}").as_bytes());
        line.end(&mut record);
        self.output.write(&record)
    }

    /// Takes out the records of links that were there before.
    fn drop_seen(&mut self, result: &mut Extracted) {
        let mut kept = Vec::with_capacity(result.records.len());
        let mut start = 0;
        result.links = 0;
        for end in result.ends.drain(..) {
            if self.seen.insert(end.value) {
                result.links += usize::from(end.is_link);
                kept.extend_from_slice(&result.records[start..end.at]);
            }
            start = end.at;
        }
        kept.extend_from_slice(&result.records[start..]);
        result.records = kept;
    }

    fn end(&mut self) -> anyhow::Result<Exit> {
        let Self {
            extract, summary, ..
        } = &*self;
        let mut last = Vec::new();
        if extract.count_by_host && !extract.quiet {
            self.counts
                .write(extract.format, extract.line, extract.csv, &mut last);
        } else if extract.count && !extract.quiet && !extract.line.name {
            last.extend_from_slice(summary.links.to_string().as_bytes());
            extract.line.end(&mut last);
        } else if extract.prints() && extract.format == OutputFormat::Jsonl {
            write_json(summary, &mut last);
            extract.line.end(&mut last);
        }
        let found = summary.links > 0;
        let _: ControlFlow<()> = self.output.write(&last);
        if self.output.reader_is_gone() {
            return Ok(Exit::Done);
        }
        self.output.finish()?;
        Ok(match (self.extract.quiet, found) {
            (true, true) => Exit::Done,
            (true, false) => self.exit.max(Exit::No),
            (false, _) => self.exit,
        })
    }
}
