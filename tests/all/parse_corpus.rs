//! What each text of `corpus/parse` is to a grammar: the records of `rehref parse --json`.
//!
//! A line that holds only `input` and `profile` gets the rest with `REHREF_BLESS=1`.

use std::path::{Path, PathBuf};

use rehref::report::{UriRecord, write_json};
use rehref::uri::Grammar;
use serde_json::Value;

#[test]
fn records() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/parse");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("corpus/parse is a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "corpus/parse is empty");

    let bless = std::env::var_os("REHREF_BLESS").is_some();
    let mut failures = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("the table is UTF-8");
        assert!(!text.trim().is_empty(), "{} is empty", file.display());
        let mut blessed = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{}:{number}", file.display());
            let expected: Value = serde_json::from_str(line).expect(&place);
            let input = expected["input"].as_str().expect(&place);
            let grammar: Grammar = expected["profile"]
                .as_str()
                .and_then(|name| name.parse().ok())
                .expect(&place);
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
            std::fs::write(file, blessed).expect("the table is rewritten");
        }
    }
    assert!(bless || failures.is_empty(), "\n{}", failures.join("\n"));
}
