//! `rehref resolve`

use rehref::report::{Bytes, ResolveFailure, ResolvedRecord, write_json};
use rehref::uri::{Parts, Resolved, Resolver};

use crate::Exit;
use crate::args::ResolveArgs;
use crate::inputs::{Answer, Input, answer_each};

pub(crate) fn run(args: &ResolveArgs) -> anyhow::Result<Exit> {
    let answers = Answers {
        args,
        resolver: args.resolving.resolver(),
    };
    answer_each(
        "resolve",
        &args.references,
        args.style,
        |input| match input.text() {
            Ok(text) if args.relative => answers.relative(text),
            Ok(text) => answers.resolved(&input, text),
            Err(at) => answers.refused(&input, at),
        },
    )
}

struct Answers<'a> {
    args: &'a ResolveArgs,
    resolver: Resolver,
}

impl<'a> Answers<'a> {
    /// The target of a reference.
    fn resolved(&self, input: &Input<'_>, reference: &str) -> Answer {
        let mut record = self.record(reference);
        let found = self.resolver.resolve(&self.args.base, reference);
        let printed = match &found {
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
                let at = error.range().map_or(0, |range| range.start);
                input.complain(at, &format!("{error} ({})", error.rule()));
                record.error = Some(ResolveFailure::from(error));
                format!("(error: {error})")
            }
        };
        let exit = if found.is_ok() { Exit::Done } else { Exit::No };
        self.answer(&record, &printed, exit)
    }

    /// The shortest reference that leads to `uri`.
    fn relative(&self, uri: &str) -> Answer {
        let found = self.resolver.relative_reference(&self.args.base, uri);
        let mut record = self.record(uri);
        record.uri = Some(uri);
        record.reference = found.as_ref().map(|found| Bytes(found.as_bytes()));
        let exit = if found.is_some() {
            Exit::Done
        } else {
            Exit::No
        };
        self.answer(&record, found.as_deref().unwrap_or("(none)"), exit)
    }

    /// That an input is not UTF-8, from this byte on.
    fn refused(&self, input: &Input<'_>, at: usize) -> Answer {
        let message = "the reference is not UTF-8";
        input.complain(at, message);
        let mut record = self.record("");
        record.reference = Some(Bytes(input.bytes()));
        record.error = Some(ResolveFailure {
            message: message.to_owned(),
            rule: "RFC 3987, 2.1",
            start: Some(at),
            end: Some(input.bytes().len()),
        });
        self.answer(&record, &format!("(error: {message})"), Exit::No)
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
        }
    }

    fn answer(&self, record: &ResolvedRecord<'_>, printed: &str, exit: Exit) -> Answer {
        let mut out = Vec::new();
        if self.args.style.json {
            write_json(record, &mut out);
        } else {
            out.extend_from_slice(printed.as_bytes());
        }
        Answer { printed: out, exit }
    }
}
