//! `rehref resolve`

use std::fmt::Write;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

use anyhow::Context;
use rehref::report::{Bytes, Explanation, ResolveFailure, ResolvedRecord, write_json};
use rehref::uri::{Base, Parts, Profile, ResolveError, Resolved};

use crate::Exit;
use crate::args::{Args, ResolveArgs};
use crate::interrupt::Interrupt;
use crate::terminal::{Output, complain, stdin_is_terminal};

pub(crate) fn run(args: &ResolveArgs) -> anyhow::Result<Exit> {
    if args.references.is_empty() && stdin_is_terminal() {
        Args::print_short_help("resolve");
        return Ok(Exit::Trouble);
    }
    Interrupt::listen()?;
    let resolver = args.resolving.resolver();
    let mut answers = Answers {
        args,
        profile: resolver.profile,
        base: resolver.base(&args.base),
        output: Output::new(args.json),
        exit: Exit::Done,
    };
    let stdin = ["-".to_owned()];
    let references = if args.references.is_empty() {
        &stdin
    } else {
        args.references.as_slice()
    };
    for reference in references {
        let flow = match reference.as_str() {
            "-" => answers.lines(io::stdin().lock())?,
            reference => answers.answer(reference, None),
        };
        if flow.is_break() {
            break;
        }
    }
    if answers.output.reader_is_gone() {
        return Ok(Exit::Done);
    }
    answers.output.finish()?;
    Ok(answers.exit)
}

struct Answers<'a> {
    args: &'a ResolveArgs,
    profile: Profile,
    base: Result<Base, ResolveError>,
    output: Output,
    exit: Exit,
}

impl<'a> Answers<'a> {
    /// Answers each line: only LF or CRLF is taken off.
    fn lines(&mut self, mut input: impl BufRead) -> anyhow::Result<ControlFlow<()>> {
        let mut line = Vec::new();
        let mut number = 0;
        loop {
            line.clear();
            let read = input
                .read_until(b'\n', &mut line)
                .context("-: cannot read")?;
            if read == 0 {
                return Ok(ControlFlow::Continue(()));
            }
            number += 1;
            let text = match line.strip_suffix(b"\n") {
                Some(text) => text.strip_suffix(b"\r").unwrap_or(text),
                None => &line,
            };
            let flow = match std::str::from_utf8(text) {
                Ok(text) => self.answer(text, Some(number)),
                Err(error) => self.refuse(text, number, error.valid_up_to()),
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
    }

    /// Prints the answer for one input, which stands on this line of standard input.
    fn answer(&mut self, input: &str, line: Option<usize>) -> ControlFlow<()> {
        if self.args.relative {
            return self.relative(input);
        }
        let mut record = self.record(input);
        let (found, step) = match &self.base {
            Ok(base) => {
                let (found, step) = base.explain(input);
                (found, Some(step))
            }
            Err(error) => (Err(error.clone()), None),
        };
        let mut printed = match &found {
            Ok(Resolved::Target(uri)) => {
                record.uri = Some(uri);
                uri.clone()
            }
            Ok(Resolved::CurrentDocument { fragment }) => {
                record.current_document = true;
                let fragment = fragment.as_ref().map(|it| format!("#{it}"));
                format!("(current document){}", fragment.unwrap_or_default())
            }
            Err(error) => {
                let failure = ResolveFailure::from(error);
                let column = error.range().map_or(0, |range| range.start) + 1;
                let place = line.map_or(String::new(), |line| format!("-:{line}:{column}: "));
                let accepted = match failure.accepted_by.as_slice() {
                    [] => String::new(),
                    profiles => format!("; accepted by {}", profiles.join(", ")),
                };
                let rule = failure.rule;
                complain(format_args!("{place}{input:?}: {error} ({rule}{accepted})"));
                record.error = Some(failure);
                format!("(error: {error})")
            }
        };
        if let Some(step) = step.filter(|_| self.args.explain) {
            let explanation = Explanation::new(step, self.profile);
            let _ = write!(printed, "\t{}: {}", explanation.rule, explanation.text);
            record.explanation = Some(explanation);
        }
        let exit = if found.is_ok() { Exit::Done } else { Exit::No };
        self.print(&record, &printed, exit)
    }

    /// Prints the shortest reference that leads to `uri`.
    fn relative(&mut self, uri: &str) -> ControlFlow<()> {
        let base = self.base.as_ref().ok();
        let found = base.and_then(|base| base.relative_reference(uri));
        let mut record = self.record(uri);
        record.uri = Some(uri);
        record.reference = found.as_ref().map(|found| Bytes(found.as_bytes()));
        let exit = if found.is_some() {
            Exit::Done
        } else {
            Exit::No
        };
        self.print(&record, found.as_deref().unwrap_or("(none)"), exit)
    }

    /// Says that a line is not UTF-8, from this byte on.
    fn refuse(&mut self, input: &[u8], line: usize, at: usize) -> ControlFlow<()> {
        let message = "the reference is not UTF-8";
        complain(format_args!("-:{line}:{}: {message}", at + 1));
        let mut record = self.record("");
        record.reference = Some(Bytes(input));
        record.error = Some(ResolveFailure {
            message: message.to_owned(),
            rule: "RFC 3987, 2.1",
            start: Some(at),
            end: Some(input.len()),
            accepted_by: Vec::new(),
        });
        self.print(&record, &format!("(error: {message})"), Exit::No)
    }

    fn record<'r>(&self, input: &'r str) -> ResolvedRecord<'r>
    where
        'a: 'r,
    {
        ResolvedRecord {
            base: &self.args.base,
            reference: Some(Bytes(input.as_bytes())),
            uri: None,
            current_document: false,
            fragment: Parts::split(input).fragment,
            error: None,
            explanation: None,
        }
    }

    fn print(&mut self, record: &ResolvedRecord<'_>, printed: &str, exit: Exit) -> ControlFlow<()> {
        self.exit = self.exit.max(exit);
        let mut out = Vec::new();
        if self.args.json {
            write_json(record, &mut out);
        } else {
            out.extend_from_slice(printed.as_bytes());
        }
        out.push(if self.args.null { 0 } else { b'\n' });
        self.output.write(&out)
    }
}
