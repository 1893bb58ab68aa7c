//! `rehref parse`

use std::borrow::Cow;

use rehref::records::{UriRecord, write_json};

use crate::answers::{Answer, answer_each};
use crate::args::parse::ParseArgs;
use crate::exit::Exit;

pub(crate) fn run(args: &ParseArgs) -> anyhow::Result<Exit> {
    answer_each("parse", &args.references, args.answers, |input| {
        let record = UriRecord::of_bytes(input, args.profile);
        let mut printed = Vec::new();
        if args.answers.json {
            write_json(&record, &mut printed);
        } else {
            let text = String::from_utf8_lossy(input);
            printed = described(args, &text, &record).into_bytes();
        }
        Answer { printed, is_error: record.error.is_some() }
    })
}

/// The text, followed by a line for each component that is defined.
fn described(args: &ParseArgs, text: &str, record: &UriRecord<'_>) -> String {
    let mut out = in_a_line(text).into_owned();
    let mut line = |name: &str, value: &str| {
        let line = format!("\n  {name:<10} {}", in_a_line(value));
        // No trailing spaces after an empty component.
        out.push_str(if value.is_empty() { line.trim_end() } else { &line });
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
