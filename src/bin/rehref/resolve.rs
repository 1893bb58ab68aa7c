//! `rehref resolve`

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use anyhow::Context;
use rehref::report::{ResolveFailure, ResolvedRecord, sanitized, write_json};
use rehref::uri::{Parts, Resolved, Resolver};

use crate::args::{Args, ResolveArgs};
use crate::terminal::{Output, complain, stdin_is_terminal, stdout_is_terminal};
use crate::{Exit, interrupt};

pub(crate) fn run(args: &ResolveArgs) -> anyhow::Result<Exit> {
    if args.references.is_empty() && stdin_is_terminal() {
        Args::print_short_help("resolve");
        return Ok(Exit::Trouble);
    }
    interrupt::ends_process()?;
    let mut answers = Answers {
        args,
        resolver: args.resolving.resolver(),
        sanitize: stdout_is_terminal(),
        output: Output::new(),
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
    answers.output.finish()?;
    Ok(answers.exit)
}

struct Answers<'a> {
    args: &'a ResolveArgs,
    resolver: Resolver,
    sanitize: bool,
    output: Output,
    exit: Exit,
}

impl Answers<'_> {
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
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if self
                .answer(&String::from_utf8_lossy(text), Some(number))
                .is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    /// Prints the answer for one input, which stands on this line of standard input.
    fn answer(&mut self, input: &str, line: Option<usize>) -> ControlFlow<()> {
        let base = &self.args.base;
        let mut record = ResolvedRecord {
            base,
            reference: Some(input),
            uri: None,
            current_document: false,
            fragment: Parts::split(input).fragment,
            error: None,
        };
        let relative;
        let resolved;
        let printed = if self.args.relative {
            relative = self.resolver.relative_reference(base, input);
            record.uri = Some(input);
            record.reference = relative.as_deref();
            match &relative {
                Some(reference) => reference.clone(),
                None => {
                    self.exit = self.exit.max(Exit::No);
                    "(none)".to_owned()
                }
            }
        } else {
            match self.resolver.resolve(base, input) {
                Ok(found) => {
                    resolved = found;
                    match &resolved {
                        Resolved::Target(uri) => {
                            record.uri = Some(uri);
                            uri.clone()
                        }
                        Resolved::CurrentDocument { fragment } => {
                            record.current_document = true;
                            let fragment = fragment.as_ref().map(|it| format!("#{it}"));
                            format!("(current document){}", fragment.unwrap_or_default())
                        }
                    }
                }
                Err(error) => {
                    self.exit = self.exit.max(Exit::No);
                    let column = error.range().map_or(0, |range| range.start) + 1;
                    let place = line.map_or(String::new(), |line| format!("-:{line}:{column}: "));
                    complain(format_args!("{place}{input:?}: {error} ({})", error.rule()));
                    record.error = Some(ResolveFailure::from(&error));
                    format!("(error: {error})")
                }
            }
        };
        let mut out = Vec::new();
        if self.args.json {
            write_json(&record, &mut out);
        } else if self.sanitize {
            out.extend_from_slice(sanitized(&printed).as_bytes());
        } else {
            out.extend_from_slice(printed.as_bytes());
        }
        out.push(if self.args.null { 0 } else { b'\n' });
        self.output.write(&out)
    }
}
