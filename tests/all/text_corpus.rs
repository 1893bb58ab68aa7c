//! `corpus/text/*.txt`: texts with their links marked in the text itself; corpus/README.md has the
//! marks. They are stripped, the rest is given to `rehref extract` with the flags of `NAME.args`, and
//! what is found is marked again: the two texts must be the same. `REHREF_BLESS=1` writes the second
//! over the first.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use serde_json::Value;

use crate::tables::{Table, tables};

const OPEN: char = '⟦';
const CLOSE: char = '⟧';
/// The label of another reading, which does not stand in the text.
const READING: &str = "|";

#[test]
fn texts_are_found_as_marked() {
    let bless = env::var_os("REHREF_BLESS").is_some_and(|value| value == "1");
    let mut report = String::new();
    for table in texts() {
        let actual = marked(&table.plain(), &table.flags);
        if actual == table.marked {
            continue;
        }
        if bless {
            fs::write(&table.path, actual)
                .unwrap_or_else(|error| panic!("{}: {error}", table.name));
            continue;
        }
        tell(&table.name, &table.marked, &actual, &mut report);
    }
    assert!(
        report.is_empty(),
        "links differ from the marks:\n{report}(REHREF_BLESS=1 cargo test texts_are_found_as_marked rewrites the files)"
    );
}

#[test]
fn other_line_ends_change_nothing() {
    let mut report = String::new();
    for table in texts() {
        let with_cr = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
        let actual = marked(&with_cr(&table.plain()), &table.flags);
        tell(&table.name, &with_cr(&table.marked), &actual, &mut report);
    }
    assert!(report.is_empty(), "with CR LF:\n{report}");
}

/// `iri-ascii.txt`, `iri-auto.txt` and `iri-full.txt` are one text, read in three ways; and so are all
/// whose flags give values to the same option.
#[test]
fn choices_are_shown_on_one_text() {
    let mut readings: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for table in texts() {
        if let [option, _value] = &table.flags[..] {
            let plain = table.plain();
            readings
                .entry(option.clone())
                .or_default()
                .push((table.name, plain));
        }
    }
    for (option, tables) in readings {
        for (name, text) in &tables {
            assert_eq!(*text, tables[0].1, "{option}: {name} and {}", tables[0].0);
        }
    }
}

/// A text of the corpus.
struct Text {
    path: std::path::PathBuf,
    name: String,
    marked: String,
    /// What the command line says.
    flags: Vec<String>,
}

impl Text {
    /// The text without its marks.
    fn plain(&self) -> String {
        unmarked(&self.marked).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

fn texts() -> impl Iterator<Item = Text> {
    tables("text", "txt").into_iter().map(|table| {
        let Table { path, name, text } = table;
        let flags = fs::read_to_string(path.with_extension("args")).unwrap_or_default();
        Text {
            path,
            name,
            marked: text,
            flags: flags.split_whitespace().map(str::to_owned).collect(),
        }
    })
}

/// Appends the lines that differ. Marks hold no line ends, so that both have the same lines.
fn tell(name: &str, expected: &str, actual: &str, report: &mut String) {
    for (number, (expected, actual)) in (1..).zip(expected.lines().zip(actual.lines())) {
        if expected != actual {
            let _ = writeln!(
                report,
                "{name}:{number}:\n  expected {expected}\n    actual {actual}"
            );
        }
    }
}

fn unmarked(marked: &str) -> Result<String, String> {
    let mut text = String::with_capacity(marked.len());
    let mut rest = marked;
    while let Some((before, inside)) = rest.split_once(OPEN) {
        let piece = inside.split_once(CLOSE).and_then(|(mark, after)| {
            let (label, piece) = mark.split_once(' ')?;
            Some((label, piece, after))
        });
        let Some((label, piece, after)) = piece else {
            return Err(format!("a mark without blank or end: {OPEN}{inside:.40}"));
        };
        text.push_str(before);
        if label != READING {
            text.push_str(piece);
        }
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}

/// The text with marks round every link.
fn marked(text: &str, flags: &[String]) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut copied = 0;
    for link in extracted(text, flags) {
        let string = |value: &Value| value.as_str().expect("a string").to_owned();
        let mut label = string(&link["cue"]);
        let notes = link["notes"].as_array().expect("notes");
        if notes.iter().any(|note| note == "doubtful") {
            label.push('?');
        }
        for span in link["spans"].as_array().expect("spans") {
            let bound = |at: usize| span[at].as_u64().expect("an offset") as usize;
            let piece = &text[bound(0)..bound(1)];
            marked.push_str(&text[copied..bound(0)]);
            let _ = write!(marked, "{OPEN}{label} {piece}{CLOSE}");
            copied = bound(1);
            label = "+".to_owned();
        }
        for reading in link["alternatives"].as_array().expect("alternatives") {
            let _ = write!(marked, "{OPEN}{READING} {}{CLOSE}", string(reading));
        }
    }
    marked.push_str(&text[copied..]);
    marked
}

/// The links that `rehref extract` finds in `text`, as records.
fn extracted(text: &str, flags: &[String]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
        .args(["extract", "--json", "--media", "text", "--charset", "utf-8"])
        .args(flags)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rehref runs");
    let mut stdin = child.stdin.take().expect("piped");
    let output = thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(text.as_bytes()).expect("taken"));
        child.wait_with_output().expect("rehref ends")
    });
    assert_eq!(output.status.code(), Some(0), "{flags:?}");
    let records = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let records = records
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    records
        .filter(|record: &Value| record["type"] == "link")
        .collect()
}
