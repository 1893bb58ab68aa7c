//! `rehref resolve`

use rehref::report::{Bytes, Explanation, ResolveFailure, ResolvedRecord, write_json};
use rehref::uri::{Base, Parts, Profile, ResolveError, Resolved};

use crate::Exit;
use crate::args::ResolveArgs;
use crate::inputs::{Answer, Input, answer_each};

pub(crate) fn run(args: &ResolveArgs) -> anyhow::Result<Exit> {
    let resolver = args.resolving.resolver();
    let answers = Answers {
        args,
        profile: resolver.profile,
        base: resolver.base(&args.base),
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
    profile: Profile,
    base: Result<Base, ResolveError>,
}

impl<'a> Answers<'a> {
    /// The target of a reference.
    fn resolved(&self, input: &Input<'_>, reference: &str) -> Answer {
        let mut record = self.record(reference);
        let (found, step) = match &self.base {
            Ok(base) => {
                let (found, step) = base.explain(reference);
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
                let at = failure.start.unwrap_or(0);
                let accepted = match failure.accepted_by.as_slice() {
                    [] => String::new(),
                    profiles => format!("; accepted by {}", profiles.join(", ")),
                };
                input.complain(at, &format!("{error} ({}{accepted})", failure.rule));
                record.error = Some(failure);
                format!("(error: {error})")
            }
        };
        if let Some(step) = step.filter(|_| self.args.explain) {
            let explanation = Explanation::new(step, self.profile);
            printed = format!("{printed}\t{}: {}", explanation.rule, explanation.text);
            record.explanation = Some(explanation);
        }
        let exit = if found.is_ok() { Exit::Done } else { Exit::No };
        self.answer(&record, &printed, exit)
    }

    /// The shortest reference that leads to `uri`.
    fn relative(&self, uri: &str) -> Answer {
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
            accepted_by: Vec::new(),
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
            explanation: None,
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
