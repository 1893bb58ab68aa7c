//! Checking of Markdown: ids of headings by every rule, and broken links.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::shared_cases::rows;
use crate::support::tree::Tree;

pub(crate) const DATA: &str = "cases/markdown.jsonl";

/// The document and the reference of each broken link that `check` reports in this tree.
fn broken(tree: &Tree, arguments: &[&str]) -> Vec<(String, String)> {
    let output = tree.run([&["check"], arguments, &["--json", "."]].concat().as_slice());
    assert!(matches!(output.code, 0 | 1), "{}", output.err);
    let records = output.out.lines().map(|line| {
        serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    });
    let broken = records.filter(|record| record["type"] == "broken");
    let field = |record: &Value, name: &str| record[name].as_str().unwrap_or_default().to_owned();
    broken
        .map(|record| {
            let document = field(&record, "doc");
            let document = document.trim_start_matches("./").to_owned();
            (document, field(&record, "ref"))
        })
        .collect()
}

fn strings<'r>(row: &'r Value, field: &str) -> Vec<&'r str> {
    let values = row[field].as_array().map(Vec::as_slice).unwrap_or_default();
    values.iter().filter_map(Value::as_str).collect()
}

fn report(failures: &[String]) {
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn rows_of_kind(kind: &str) -> Vec<(usize, Value)> {
    let mut rows = rows(DATA);
    rows.retain(|(_, row)| row["kind"] == kind);
    assert!(!rows.is_empty(), "no rows of kind {kind}");
    rows
}

pub(crate) fn headings_have_the_ids_of_their_site() {
    let mut failures = Vec::new();
    for (line, row) in rows_of_kind("slug") {
        let tree = Tree::new(&[("doc.md", row["text"].as_str().expect("a text"))]);
        let (ids, absent) = (strings(&row, "ids"), strings(&row, "absent"));
        let links = ids.iter().chain(&absent);
        let links: String = links.map(|id| format!("[x](<doc.md#{id}>)\n\n")).collect();
        tree.write("links.md", links);
        let dialect = row["dialect"].as_str().expect("a name");
        let found = broken(&tree, &["--slugs", dialect]);
        let of_links = found.into_iter().filter(|(doc, _)| doc == "links.md");
        let found: BTreeSet<String> = of_links.map(|(_, reference)| reference).collect();
        let expected: BTreeSet<String> = absent.iter().map(|id| format!("doc.md#{id}")).collect();
        if found != expected {
            failures.push(format!(
                "{DATA}:{line}: {row}\n  expected broken {expected:?}\n     found broken {found:?}"
            ));
        }
    }
    report(&failures);
}

pub(crate) fn broken_links_of_markdown_are_reported() {
    let mut failures = Vec::new();
    for (line, row) in rows_of_kind("check") {
        let tree = Tree::empty();
        for (name, content) in row["files"].as_object().expect("files") {
            tree.write(name, content.as_str().expect("a text"));
        }
        // The rows are older than two defaults: fragments are checked, and definitions that nothing
        // uses are counted apart.
        let mut args = strings(&row, "args");
        if !args.contains(&"--anchors") {
            args.push("--no-anchors");
        }
        let mut found = broken(&tree, &args);
        let pairs = row["broken"].as_array().expect("a list").iter();
        let pair = |pair: &Value| {
            let part = |index: usize| pair[index].as_str().unwrap_or_default().to_owned();
            (part(0), part(1))
        };
        let is_used = |(_, reference): &(String, String)| !reference.starts_with("nodef");
        let mut expected: Vec<_> = pairs.map(pair).filter(is_used).collect();
        found.sort();
        expected.sort();
        if found != expected {
            failures.push(format!(
                "{DATA}:{line}: {row}\n  expected {expected:?}\n     found {found:?}"
            ));
        }
    }
    report(&failures);
}
