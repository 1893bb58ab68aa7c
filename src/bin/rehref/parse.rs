//! `rehref parse`

use std::borrow::Cow;

use rehref::records::{UriRecord, write_json};

use crate::args::parse::ParseArgs;
use crate::exit::Exit;
use crate::inputs::{Answer, Input, answer_each};

pub(crate) fn run(args: &ParseArgs) -> anyhow::Result<Exit> {
    answer_each(
        "parse",
        &args.references,
        args.answers,
        |input| match input.text() {
            Ok(text) => {
                let parsed = args.profile.parse(text);
                answer(args, &input, &UriRecord::new(text, &parsed))
            }
            Err(range) => {
                let record = UriRecord::not_utf8(input.bytes(), args.profile, range);
                answer(args, &input, &record)
            }
        },
    )
}

fn answer(args: &ParseArgs, input: &Input<'_>, record: &UriRecord<'_>) -> Answer {
    let message = record.error.as_ref().map(|error| input.message(error));
    let mut printed = Vec::new();
    if args.answers.json {
        write_json(record, &mut printed);
    } else {
        let text = String::from_utf8_lossy(input.bytes());
        printed = described(args, &text, record).into_bytes();
    }
    Answer { message, printed }
}

/// The text, followed by a line for each component that is defined.
fn described(args: &ParseArgs, text: &str, record: &UriRecord<'_>) -> String {
    let mut out = in_a_line(text).into_owned();
    let mut line = |name: &str, value: &str| {
        let line = format!("\n  {name:<10} {}", in_a_line(value));
        // No trailing spaces after an empty component.
        out.push_str(if value.is_empty() {
            line.trim_end()
        } else {
            &line
        });
    };
    match &record.error {
        None => line("valid", args.profile.as_str()),
        Some(failure) => line("invalid", &failure.in_place(text)),
    }
    if let Some(failure) = &record.component_error {
        line("but", &failure.in_place(text));
    }
    for (name, value) in record.components() {
        if let Some(value) = value {
            line(name, &String::from_utf8_lossy(&value.0));
        }
    }
    if let Some(normalized) = &record.normalized
        && normalized.scheme != text
    {
        line("normalized", &normalized.scheme);
    }
    for (name, value) in record.scheme_specific_fields() {
        line(&name, &value);
    }
    out
}

/// Quotes a text that could be read as several lines, or as a line of the output.
fn in_a_line(text: &str) -> Cow<'_, str> {
    let has_blank_end = text.starts_with(' ') || text.ends_with(' ');
    if has_blank_end || text.contains(|c: char| c.is_control()) {
        format!("{text:?}").into()
    } else {
        text.into()
    }
}
