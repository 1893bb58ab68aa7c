//! The records of `rehref parse --json` for the texts of `corpus/parse`.
//!
//! `REHREF_BLESS=1` completes lines that have only `input` and `profile`.

use rehref::records::{UriRecord, write_json};
use rehref::uri::Grammar;
use serde_json::Value;

use crate::tables::{Table, tables};

#[test]
fn parsed_records_are_as_expected() {
    let bless = std::env::var_os("REHREF_BLESS").is_some();
    let mut failures = Vec::new();
    for Table { path, name, text } in tables("parse", "jsonl") {
        let mut blessed = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{name}:{number}");
            let expected: Value = serde_json::from_str(line).expect(&place);
            let input = expected["input"].as_str().expect(&place);
            let grammar: Grammar =
                expected["profile"].as_str().and_then(|name| name.parse().ok()).expect(&place);
            let parsed = grammar.parse(input);
            let start = blessed.len();
            write_json(&UriRecord::new(input, &parsed), &mut blessed);
            if blessed[start..] != *line.as_bytes() {
                let got = String::from_utf8_lossy(&blessed[start..]);
                failures.push(format!("{place}: {line}\n    got {got}"));
            }
            blessed.push(b'\n');
        }
        if bless {
            std::fs::write(path, blessed).expect("the table is rewritten");
        }
    }
    assert!(bless || failures.is_empty(), "\n{}", failures.join("\n"));
}
