//! `rehref extract`

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rehref::document::{Document, Media};
use rehref::error::{Error, Warning};
use rehref::find::{FindOptions, MAX_BASE, Target, find};
use rehref::report::{
    LineFormat, LinkRecord, Report, SummaryRecord, WarningRecord, write_csv, write_csv_names,
    write_json,
};
use rehref::source::{Content, Found, ReadOptions};
use rehref::span::Position;
use rehref::uri::Parts;

use crate::args::{ExtractArgs, Format};
use crate::input::{Input, Messages};
use crate::interrupt::Interrupt;
use crate::terminal::Output;
use crate::{Exit, ordered};

pub(crate) fn run(args: ExtractArgs) -> anyhow::Result<Exit> {
    let extract = Extract::new(&args)?;
    Interrupt::listen()?;
    let Some(input) = Input::new(args.input, "extract")? else {
        return Ok(Exit::Trouble);
    };
    let mut run = Run::new(&extract, input.exit);
    if run.begin().is_continue() {
        let walk = input.tree.walk(input.items);
        let work = |found| extract.document(found, &input.options);
        ordered::for_each(walk, input.jobs, work, |result| {
            let flow = run.take(result);
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
    find: FindOptions,
    filter: Filter,
    format: Format,
    line: LineFormat,
    count: bool,
    unique: bool,
    quiet: bool,
}

/// What came of one document.
struct Extracted {
    name: PathBuf,
    /// The records, rendered. Where each link is wanted once, their ends are noted with what makes
    /// them the same.
    records: Vec<u8>,
    ends: Vec<(String, usize)>,
    links: usize,
    read: bool,
    /// Records of warnings.
    warnings: usize,
    messages: Messages,
}

impl Extract {
    fn new(args: &ExtractArgs) -> anyhow::Result<Self> {
        let format = if args.json {
            Format::Jsonl
        } else {
            args.format
        };
        let is_vimgrep = format == Format::Vimgrep;
        Ok(Self {
            find: FindOptions {
                resolver: args.input.resolving.resolver(),
                html_text: args.html_text,
                text: rehref::find::TextOptions::default(),
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
            count: args.count,
            unique: args.unique,
            quiet: args.quiet,
        })
    }

    /// Whether records are rendered at all.
    fn prints(&self) -> bool {
        !self.count && !self.quiet
    }

    fn document(&self, found: Result<Found, Error>, options: &ReadOptions) -> Extracted {
        let mut out = Extracted {
            name: PathBuf::new(),
            records: Vec::new(),
            ends: Vec::new(),
            links: 0,
            read: false,
            warnings: 0,
            messages: Messages::default(),
        };
        match found.and_then(|found| Ok((options.read(&found.item)?, found))) {
            Err(error) => self.error(&error, &mut out),
            Ok((Content::Binary(_), found)) => {
                // In a folder binary files are to be expected; one that is named is not.
                if found.root.is_none() {
                    self.warn(found.item.name(), None, Warning::Binary, &mut out);
                }
            }
            Ok((Content::Document(document), _)) => self.links(&document, options, &mut out),
            Ok((Content::Damaged(document, error), _)) => {
                self.links(&document, options, &mut out);
                self.error(&error, &mut out);
            }
        }
        out
    }

    fn links(&self, document: &Document, options: &ReadOptions, out: &mut Extracted) {
        out.read = true;
        out.name.clone_from(&document.name);
        let findings = find(document, &self.find);
        let mut lines = document.lines();
        let charset = document.charset.name();
        let mut resolving = findings.resolving(document, self.find.resolver);
        for link in &findings.links {
            let target = resolving.target(link);
            let mut report = Report {
                document,
                link,
                target,
                position: Position::START,
            };
            if !self.filter.takes(&report, &self.line) {
                continue;
            }
            out.links += 1;
            if self.prints() {
                // Counting lines takes time: only where they are printed.
                if self.format != Format::Lines || self.line.line {
                    report.position = lines.position(link.extent().start);
                }
                self.record(&report, &charset, &mut out.records);
            }
            if self.unique {
                let value = self.line.value(&report).to_owned();
                out.ends.push((value, out.records.len()));
            }
            if self.quiet {
                return;
            }
        }
        if let Some(offset) = findings.malformed {
            let place = document.lines().position(offset);
            self.warn(&document.name, Some(place), Warning::Charset, out);
        }
        if findings
            .base
            .as_ref()
            .is_some_and(|base| base.uri.len() > MAX_BASE)
        {
            self.warn(&document.name, None, Warning::Base, out);
        }
        let is_text = !matches!(document.media, Media::Text | Media::Html);
        if is_text && options.media.is_some() {
            self.warn(&document.name, None, Warning::ReadAsText, out);
        }
    }

    fn record(&self, report: &Report<'_>, charset: &str, out: &mut Vec<u8>) {
        match self.format {
            Format::Lines | Format::Vimgrep => self.line.write(report, out),
            Format::Csv => write_csv(report, self.line.null, out),
            Format::Jsonl => {
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
        if self.prints() && self.format == Format::Jsonl {
            write_json(record, &mut out.records);
            self.line.end(&mut out.records);
        }
    }
}

/// A run, document after document.
struct Run<'e> {
    extract: &'e Extract,
    output: Output,
    seen: HashSet<String>,
    summary: SummaryRecord,
    exit: Exit,
}

impl<'e> Run<'e> {
    fn new(extract: &'e Extract, exit: Exit) -> Self {
        Self {
            extract,
            output: Output::new(extract.format == Format::Jsonl),
            seen: HashSet::new(),
            summary: SummaryRecord::default(),
            exit,
        }
    }

    fn begin(&mut self) -> ControlFlow<()> {
        let mut names = Vec::new();
        if self.extract.prints() && self.extract.format == Format::Csv {
            write_csv_names(self.extract.line.null, &mut names);
        }
        self.output.write(&names)
    }

    fn take(&mut self, mut result: Extracted) -> ControlFlow<()> {
        if self.extract.unique {
            self.drop_seen(&mut result);
        }
        self.summary.docs += usize::from(result.read);
        self.summary.links += result.links;
        self.summary.warnings += result.warnings;
        self.exit = self.exit.max(result.messages.say());
        if self.extract.quiet && result.links > 0 {
            return ControlFlow::Break(());
        }
        if self.extract.count && self.extract.line.name && !self.extract.quiet && result.links > 0 {
            let line = &self.extract.line;
            let name = result.name.as_os_str().as_encoded_bytes();
            result.records.extend_from_slice(name);
            result
                .records
                .extend_from_slice(format!(":{}", result.links).as_bytes());
            line.end(&mut result.records);
        }
        self.output.write(&result.records)
    }

    /// Takes out the records of links that were there before.
    fn drop_seen(&mut self, result: &mut Extracted) {
        let mut kept = Vec::with_capacity(result.records.len());
        let mut start = 0;
        result.links = 0;
        for (value, end) in result.ends.drain(..) {
            if self.seen.insert(value) {
                result.links += 1;
                kept.extend_from_slice(&result.records[start..end]);
            }
            start = end;
        }
        kept.extend_from_slice(&result.records[start..]);
        result.records = kept;
    }

    fn end(&mut self) -> anyhow::Result<Exit> {
        let Self {
            extract, summary, ..
        } = &*self;
        let mut last = Vec::new();
        if extract.count && !extract.quiet && !extract.line.name {
            last.extend_from_slice(summary.links.to_string().as_bytes());
            extract.line.end(&mut last);
        } else if extract.prints() && extract.format == Format::Jsonl {
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

/// Which links are taken: those that pass every test that is asked for.
struct Filter {
    schemes: Vec<String>,
    hosts: globset::GlobSet,
    pattern: Option<regex::Regex>,
    roles: Vec<String>,
    places: Vec<String>,
}

impl Filter {
    fn new(args: &ExtractArgs) -> anyhow::Result<Self> {
        let mut hosts = globset::GlobSetBuilder::new();
        for pattern in &args.host {
            let glob = globset::GlobBuilder::new(pattern)
                .case_insensitive(true)
                .build();
            hosts.add(glob.context("--host")?);
        }
        Ok(Self {
            schemes: args.scheme.clone(),
            hosts: hosts.build().context("--host")?,
            pattern: args.pattern.clone(),
            roles: args.role.clone(),
            places: args.place.clone(),
        })
    }

    fn takes(&self, report: &Report<'_>, line: &LineFormat) -> bool {
        let among = |names: &[String], name: &str| {
            names.is_empty() || names.iter().any(|it| it.eq_ignore_ascii_case(name))
        };
        let Report { link, target, .. } = report;
        among(&self.roles, link.role.as_str())
            && among(&self.places, link.place.as_str())
            && (self.schemes.is_empty()
                || scheme(target).is_some_and(|it| among(&self.schemes, it)))
            && (self.hosts.is_empty() || host(target).is_some_and(|it| self.hosts.is_match(it)))
            && self
                .pattern
                .as_ref()
                .is_none_or(|pattern| pattern.is_match(line.value(report)))
    }
}

fn scheme<'t>(target: &Target<'t>) -> Option<&'t str> {
    Parts::split(target.uri?).scheme
}

/// The host of a target, without userinfo and port (RFC 3986, section 3.2).
fn host<'t>(target: &Target<'t>) -> Option<&'t str> {
    let authority = Parts::split(target.uri?).authority?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    Some(match host.rsplit_once(':') {
        Some((host, port)) if is_port(port) => host,
        _ => host,
    })
}
