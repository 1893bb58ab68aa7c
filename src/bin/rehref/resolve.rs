//! `rehref resolve`

use std::fmt::Write;

use rehref::records::{Bytes, Explanation, Failure, ResolvedRecord, write_json};
use rehref::uri::{Base, Parts, Profile, ResolveError, Resolved, Step};

use crate::args::resolve::ResolveArgs;
use crate::exit::Exit;
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
        args.answers,
        |input| match input.text() {
            Ok(text) if args.relative => answers.relative(&input, text),
            Ok(text) => answers.resolved(&input, text),
            Err(range) => answers.refused(&input, Failure::not_utf8(range)),
        },
    )
}

struct Answers<'a> {
    args: &'a ResolveArgs,
    profile: Profile,
    /// The base. If it is invalid, that is the answer to every reference.
    base: Result<Base, ResolveError>,
}

impl<'a> Answers<'a> {
    /// Resolves a reference.
    fn resolved(&self, input: &Input<'_>, reference: &str) -> Answer {
        let mut record = self.record(reference);
        let found = match &self.base {
            Ok(base) => base.explain(reference),
            Err(error) => Err(error.clone()),
        };
        let step = match &found {
            Ok((_, step)) => Some(*step),
            Err(error) => error.step(),
        };
        let mut printed = match &found {
            Ok((Resolved::Target(uri), _)) => {
                record.uri = Some(Bytes::new(uri.as_bytes()));
                uri.clone()
            }
            Ok((Resolved::CurrentDocument { fragment }, _)) => {
                record.current_document = true;
                let fragment = fragment.as_ref().map(|it| format!("#{it}"));
                format!("(current document){}", fragment.unwrap_or_default())
            }
            Err(error) => {
                record.error = Some(Failure::from(error));
                format!("(error: {error})")
            }
        };
        if let Some(step) = step.filter(|_| self.args.explain) {
            let explanation = Explanation::new(step, self.profile);
            // Writing into a `String` cannot fail.
            let _ = write!(printed, "\t{}: {}", explanation.rule, explanation.text);
            record.explanation = Some(explanation);
        }
        self.answer(input, &record, &printed)
    }

    /// Returns the shortest reference from the base to `uri`.
    fn relative(&self, input: &Input<'_>, uri: &str) -> Answer {
        let mut record = self.record(uri);
        record.uri = Some(Bytes::new(uri.as_bytes()));
        record.reference = None;
        let found = match &self.base {
            Ok(base) => base.relative_reference(uri),
            Err(error) => {
                record.error = Some(Failure::from(error));
                return self.answer(input, &record, &format!("(error: {error})"));
            }
        };
        let Some(found) = found else {
            record.error = Some(self.unreachable(uri));
            return self.answer(input, &record, "(none)");
        };
        record.reference = Some(Bytes::new(found.as_bytes()));
        self.answer(input, &record, &found)
    }

    /// The reason that there is no reference to `uri`.
    fn unreachable(&self, uri: &str) -> Failure {
        let (message, rule) = match Parts::split(uri).scheme {
            None => ("not an absolute URI", "RFC 3986, 4.3"),
            Some(_) => {
                let rule = Step::MergedPath.rule(self.profile);
                ("no relative reference resolves to it", rule)
            }
        };
        Failure::whole(message, rule)
    }

    /// The answer to an input that is not UTF-8.
    fn refused(&self, input: &Input<'_>, failure: Failure) -> Answer {
        let printed = format!("(error: {})", failure.message);
        let given = Some(Bytes::new(input.bytes()));
        let (reference, uri) = if self.args.relative {
            (None, given)
        } else {
            (given, None)
        };
        let record = ResolvedRecord {
            reference,
            uri,
            error: Some(failure),
            ..self.record("")
        };
        self.answer(input, &record, &printed)
    }

    fn record<'r>(&self, input: &'r str) -> ResolvedRecord<'r>
    where
        'a: 'r,
    {
        ResolvedRecord {
            base: &self.args.base,
            reference: Some(Bytes::new(input.as_bytes())),
            uri: None,
            current_document: false,
            fragment: Parts::split(input).fragment,
            error: None,
            explanation: None,
        }
    }

    fn answer(&self, input: &Input<'_>, record: &ResolvedRecord<'_>, printed: &str) -> Answer {
        let mut out = Vec::new();
        if self.args.answers.json {
            write_json(record, &mut out);
        } else {
            out.extend_from_slice(printed.as_bytes());
        }
        Answer {
            message: record.error.as_ref().map(|error| input.message(error)),
            printed: out,
        }
    }
}
