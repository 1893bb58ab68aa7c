//! Markdown documents with their links, rewritten and moved by the command.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use walkdir::WalkDir;

use crate::shared_cases::rows;

pub(crate) const DATA: &str = "cases/markdown.jsonl";

type Files = BTreeMap<String, String>;

pub(crate) fn documents_have_the_expected_links() {
    each("extract", |row| {
        let arguments = ["extract", "--json", "--media", "markdown"];
        let records = records(&run(Path::new("."), &arguments, row, &["-"])?, "link");
        let uses = |record: &Value| record["cue"] == "reference";
        let found: Vec<Value> = records.into_iter().filter(|it| !uses(it)).collect();
        let expected = list(&row["expect"]);
        let mut rest = found.iter().peekable();
        for link in expected {
            if rest.next_if(|found| is_expected(link, found)).is_none()
                && link["optional"].is_null()
            {
                return Err(format!("{link} is not next of {found:?}"));
            }
        }
        match rest.next() {
            None => Ok(()),
            Some(extra) => Err(format!("{extra} is not a link")),
        }
    });
}

pub(crate) fn documents_are_rewritten_as_expected() {
    each("rewrite", |row| {
        let mut arguments = vec!["rewrite", "--media", "markdown"];
        for map in list(&row["map"]) {
            arguments.extend(["--map", map.as_str().unwrap_or_default()]);
        }
        let written = run(Path::new("."), &arguments, row, &["-"])?;
        let Some(expected) = row["expect"].as_str() else {
            return Ok(());
        };
        let accepted = list(&row["accept"]).iter().filter_map(Value::as_str);
        let is_accepted = accepted.chain([expected]).any(|it| it.as_bytes() == written);
        match is_accepted {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&written).into_owned()),
        }
    });
}

pub(crate) fn links_follow_moved_files_and_an_undo_restores_them() {
    each("move", |row| {
        let before = files(&row["files"]);
        let directory = laid(&before);
        let moved = [text(&row["move"][0]), text(&row["move"][1])];
        let arguments = ["move", "--root", ".", "-w"];
        run(directory.path(), &arguments, row, &["--", moved[0], moved[1]])?;
        let mut expected: Files = before.clone();
        let below = format!("{}/", moved[0]);
        for (path, content) in &before {
            let new = match path.strip_prefix(&below) {
                Some(rest) => format!("{}/{rest}", moved[1]),
                None if path == moved[0] => moved[1].to_owned(),
                None => continue,
            };
            expected.remove(path);
            expected.insert(new, content.clone());
        }
        expected.extend(files(&row["expect"]));
        let found = tree(directory.path());
        for (path, content) in &found {
            let mut accepted = list(&row["accept"][path]).iter().filter_map(Value::as_str);
            if expected.get(path) != Some(content) && !accepted.any(|it| it == content) {
                return Err(format!("{path} has {content:?}"));
            }
        }
        if !found.keys().eq(expected.keys()) {
            return Err(format!("the files are {:?}", found.keys()));
        }
        run(directory.path(), &["move", "--undo", "--root", "."], &Value::Null, &[])?;
        match tree(directory.path()) == before {
            true => Ok(()),
            false => Err("the undo left a difference".to_owned()),
        }
    });
}

/// Runs the rows of a kind that every build must pass. Panics if one fails.
fn each(kind: &str, check: impl Fn(&Value) -> Result<(), String>) {
    let rows = rows(DATA).into_iter();
    let rows = rows.filter(|(_, row)| row["kind"] == kind);
    let failures: Vec<String> = rows
        .filter_map(|(line, row)| {
            let error = check(&row).err()?;
            Some(format!("{DATA}:{line}: {row}\n    {error}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Runs the command with the arguments of a row, and its document as standard input. Returns what
/// it printed.
fn run(directory: &Path, first: &[&str], row: &Value, last: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.current_dir(directory).args(first);
    command.args(list(&row["args"]).iter().filter_map(Value::as_str));
    command.args(last).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    // Dropped at the end of the statement, so that the command sees the end.
    let sent = child.stdin.take().map(|mut it| it.write_all(&document(row)));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let is_ended = matches!(output.status.code(), Some(0 | 1)) && sent.is_none_or(|it| it.is_ok());
    match is_ended {
        true => Ok(output.stdout),
        false => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

fn document(row: &Value) -> Vec<u8> {
    use base64::Engine as _;
    match row["b64"].as_str() {
        Some(encoded) => {
            let decoded = base64::engine::general_purpose::STANDARD.decode(encoded);
            decoded.expect("base64")
        }
        None => row["text"].as_str().unwrap_or_default().into(),
    }
}

/// The records of a type in JSON Lines.
fn records(lines: &[u8], name: &str) -> Vec<Value> {
    let lines = String::from_utf8_lossy(lines);
    let records = lines.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    records.filter(|it: &Value| it["type"] == name).collect()
}

fn is_expected(link: &Value, found: &Value) -> bool {
    let without_blanks = |it: &Value| text(it).replace(' ', "");
    let fields = ["place", "cue", "role", "element", "attr"];
    let accepted = list(&link["accept_ref"]).iter();
    let mut references = accepted.chain([&link["ref"]]);
    link["spans"] == found["spans"]
        && without_blanks(&link["raw"]) == without_blanks(&found["raw"])
        && references.any(|it| without_blanks(it) == without_blanks(&found["ref"]))
        && fields.iter().all(|&it| link[it].is_null() || link[it] == found[it])
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn files(value: &Value) -> Files {
    let files = value.as_object().into_iter().flatten();
    files.map(|(path, content)| (path.clone(), text(content).to_owned())).collect()
}

fn laid(files: &Files) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (path, content) in files {
        let path = directory.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, content).expect("written");
    }
    directory
}

fn tree(directory: &Path) -> Files {
    let is_state = |name: &std::ffi::OsStr| name == ".rehref";
    let entries = WalkDir::new(directory).into_iter();
    let entries = entries.filter_entry(|it| !is_state(it.file_name())).flatten();
    let files = entries.filter(|it| it.file_type().is_file()).map(|it| {
        let path = it.path().strip_prefix(directory).expect("below");
        let content = fs::read(it.path()).expect("read");
        let content = String::from_utf8_lossy(&content).into_owned();
        (path.to_string_lossy().replace('\\', "/"), content)
    });
    files.collect()
}
