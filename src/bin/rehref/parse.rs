//! `rehref parse`

use std::fmt::Display;

use rehref::report::{UriRecord, write_json};
use rehref::uri::Parsed;

use crate::Exit;
use crate::args::ParseArgs;
use crate::inputs::{Answer, Input, answer_each};

pub(crate) fn run(args: &ParseArgs) -> anyhow::Result<Exit> {
    answer_each("parse", &args.references, args.style, |input| {
        answer(args, &input)
    })
}

fn answer(args: &ParseArgs, input: &Input<'_>) -> Answer {
    let mut printed = Vec::new();
    let text = match input.text() {
        Ok(text) => text,
        Err(at) => {
            input.complain(at, "not UTF-8");
            let record = UriRecord::not_utf8(input.bytes(), args.profile, at);
            if args.style.json {
                write_json(&record, &mut printed);
            } else {
                printed.extend_from_slice(input.bytes());
                printed.extend_from_slice(b"\n  invalid    not UTF-8");
            }
            return Answer {
                printed,
                exit: Exit::No,
            };
        }
    };
    let parsed = args.profile.parse(text);
    if let Some(error) = &parsed.error {
        input.complain(error.range().start, &error.to_string());
    }
    if args.style.json {
        write_json(&UriRecord::new(text, &parsed), &mut printed);
    } else {
        printed = described(text, &parsed).into_bytes();
    }
    Answer {
        printed,
        exit: if parsed.is_valid() {
            Exit::Done
        } else {
            Exit::No
        },
    }
}

/// The text, and below it a line for each component that is defined.
fn described(text: &str, parsed: &Parsed<'_>) -> String {
    let mut out = text.to_owned();
    let mut line = |name: &str, value: &dyn Display| {
        let line = format!("\n  {name:<10} {value}");
        // An empty component leaves no blanks behind its name.
        out.push_str(if value.to_string().is_empty() {
            line.trim_end()
        } else {
            &line
        });
    };
    match &parsed.error {
        None => line("valid", &parsed.grammar),
        Some(error) => line("invalid", error),
    }
    if let Some(error) = &parsed.component_error {
        line("but", error);
    }
    let record = UriRecord::new(text, parsed);
    for (name, value) in record.components() {
        if let Some(value) = value {
            line(name, &value);
        }
    }
    if let Some(normalized) = record.normalized.as_ref().filter(|it| it.scheme != text) {
        line("normalized", &normalized.scheme);
    }
    for (name, value) in record.scheme_specific_fields() {
        line(&name, &value);
    }
    out
}
