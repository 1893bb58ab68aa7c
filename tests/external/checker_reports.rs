//! Reports of link checkers about a server with every kind of redirect.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::needs::shared;
use crate::support::tree::Tree;

/// The expected results of a map of the report: the path of a URL, the path that replaces it or
/// `-`, and the reason.
pub(crate) const TRUTH: &str = "web/map_truth.tsv";

/// The report, and the server in it.
const REPORT: &str = "web/lychee-0.24.2.json";
const SERVER: &str = "http://127.0.0.1:8731";

pub(crate) fn a_report_of_lychee_has_the_listed_replacements() {
    let truth = fs::read_to_string(shared(TRUTH)).expect("the table");
    let rows: Vec<Vec<&str>> = truth.lines().skip(1).map(|it| it.split('\t').collect()).collect();
    assert!(rows.len() > 16, "{TRUTH}");
    let links = rows.iter().map(|row| {
        let path = row[0].replace('&', "&amp;");
        format!("<a href=\"{SERVER}{path}\">a</a>\n")
    });
    let tree = Tree::new(&[("page.html", &links.collect::<String>())]);
    let report = shared(REPORT);
    let report = report.to_str().expect("UTF-8");
    let output = tree.run(["rewrite", "--json", "--map-file", report, "page.html"]).ends(0);
    let found = output.out;
    let edits = found.lines().map(|line| {
        let edit: Value = serde_json::from_str(line).expect("JSON");
        let path = |key: &str| {
            let url = edit[key].as_str().expect("a URL");
            url.strip_prefix(SERVER).unwrap_or(url).to_owned()
        };
        (path("old_uri"), path("new"))
    });
    let edits: BTreeMap<String, String> = edits.collect();
    let wrong: Vec<_> =
        rows.iter().filter(|row| edits.get(row[0]).map_or("-", |it| it) != row[1]).collect();
    assert!(wrong.is_empty(), "{wrong:?} of {edits:?}");
}
