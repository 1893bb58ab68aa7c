//! `rehref resolve`

use rehref::records::{RecordBase, ResolvedRecord, write_json};

use crate::answers::{Answer, answer_each};
use crate::args::resolve::ResolveArgs;
use crate::exit::Exit;

pub(crate) fn run(args: &ResolveArgs) -> anyhow::Result<Exit> {
    let base = RecordBase::new(&args.base, args.resolving.resolver());
    answer_each("resolve", &args.references, args.answers, |input| {
        let mut record = match args.relative {
            true => base.relative(input),
            false => base.resolve(input),
        };
        if !args.explain {
            record.explanation = None;
        }
        let mut printed = Vec::new();
        match args.answers.json {
            true => write_json(&record, &mut printed),
            false => print(input, &record, args.relative, &mut printed),
        }
        Answer { printed, is_error: record.error.is_some() }
    })
}

/// Appends the answer to an input as text.
fn print(input: &[u8], record: &ResolvedRecord<'_>, is_relative: bool, out: &mut Vec<u8>) {
    let answer = match is_relative {
        true => &record.reference,
        false => &record.uri,
    };
    match (&record.error, answer) {
        (Some(_), _) if record.is_unreachable => out.extend_from_slice(b"(none)"),
        (Some(error), _) => {
            let reference = String::from_utf8_lossy(input);
            let error = error.in_place(&reference);
            out.extend_from_slice(format!("(error: {error})").as_bytes());
        }
        (None, Some(answer)) => out.extend_from_slice(&answer.0),
        (None, None) => {
            out.extend_from_slice(b"(current document)");
            let fragment = record.fragment.map(|it| format!("#{it}"));
            out.extend_from_slice(fragment.unwrap_or_default().as_bytes());
        }
    }
    if let Some(it) = &record.explanation {
        out.extend_from_slice(format!("\t{}: {}", it.rule, it.text).as_bytes());
    }
}
