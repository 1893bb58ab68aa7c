//! Markdown documents with their links, rewritten and moved by the command.

use serde_json::Value;

use crate::shared_cases::rows;
use crate::support::tree::{Files, Tree};

pub(crate) const DATA: &str = "cases/markdown.jsonl";

pub(crate) fn documents_have_the_expected_links() {
    each("extract", |row| {
        let arguments = ["extract", "--json", "--media", "markdown"];
        let records = records(&run(&Tree::empty(), &arguments, row, &["-"])?, "link");
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
        let written = run(&Tree::empty(), &arguments, row, &["-"])?;
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
        let tree = Tree::empty().with(before.iter().map(|(name, text)| (&**name, text)));
        let moved = [text(&row["move"][0]), text(&row["move"][1])];
        let arguments = ["move", "--root", ".", "-w"];
        run(&tree, &arguments, row, &["--", moved[0], moved[1]])?;
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
        let found = tree.files();
        for (path, content) in &found {
            let mut accepted = list(&row["accept"][path]).iter().filter_map(Value::as_str);
            if expected.get(path) != Some(content) && !accepted.any(|it| it == content) {
                return Err(format!("{path} has {content:?}"));
            }
        }
        if !found.keys().eq(expected.keys()) {
            return Err(format!("the files are {:?}", found.keys()));
        }
        run(&tree, &["move", "--undo", "--root", "."], &Value::Null, &[])?;
        match tree.files() == before {
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
fn run(tree: &Tree, first: &[&str], row: &Value, last: &[&str]) -> Result<Vec<u8>, String> {
    let of_row: Vec<_> = list(&row["args"]).iter().filter_map(Value::as_str).collect();
    let ran = tree.run_reading([first, &of_row, last].concat().as_slice(), document(row));
    match ran.code {
        0 | 1 => Ok(ran.out_bytes),
        code => Err(format!("{code}: {}", ran.err)),
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
