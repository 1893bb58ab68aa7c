//! Tables of references: resolved, relative, parsed and compared.

use std::collections::BTreeSet;
use std::fs;

use rehref::records::UriRecord;
use rehref::uri::{
    AboveRoot, Equivalence, ErrorKind, Grammar, Profile, Resolved, Resolver, SameScheme,
    are_equivalent,
};
use serde_json::Value;

use crate::needs::{repository, shared};

/// The rows of a table, with their line numbers.
pub(crate) fn rows(table: &str) -> Vec<(usize, Value)> {
    let text = fs::read_to_string(shared(table)).unwrap_or_else(|error| panic!("{table}: {error}"));
    let rows = (1..).zip(text.lines()).map(|(line, row)| {
        let row = serde_json::from_str(row);
        (line, row.unwrap_or_else(|error| panic!("{table}:{line}: {error}")))
    });
    let rows: Vec<_> = rows.collect();
    assert!(!rows.is_empty(), "{table} has no rows");
    rows
}

/// Panics if a row failed.
fn report(table: &str, total: usize, failures: &[String]) {
    let failed = failures.len();
    assert!(failures.is_empty(), "{table}: {failed} of {total} rows fail\n{}", failures.join("\n"));
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_default()
}

pub(crate) fn resolved_references_are_as_expected() {
    let rows = rows("cases/resolve.jsonl");
    let mut failures = Vec::new();
    for (line, row) in &rows {
        let policy = |field, default| row[field].as_str().unwrap_or(default);
        let resolver = Resolver {
            profile: text(row, "profile").parse::<Profile>().expect("a profile"),
            above_root: policy("above_root", "retain").parse::<AboveRoot>().expect("a policy"),
            same_scheme: policy("same_scheme", "strict").parse::<SameScheme>().expect("a policy"),
        };
        let accepted: Vec<&Value> = match row["accept"].as_array() {
            Some(accepted) => accepted.iter().collect(),
            None => vec![&row["expect"]],
        };
        let got = resolver.resolve(text(row, "base"), text(row, "ref"));
        let pass = match &got {
            Ok(Resolved::Target(target)) => accepted.iter().any(|a| a.as_str() == Some(target)),
            Ok(Resolved::CurrentDocument { fragment }) => {
                row["current_document"] == true && row["fragment"].as_str() == fragment.as_deref()
            }
            Err(error) => match error.kind() {
                ErrorKind::AboveRoot => row["error"] == "above-root",
                ErrorKind::Whatwg => row["failure"] == true,
                _ => false,
            },
        };
        if !pass {
            failures.push(format!("resolve.jsonl:{line}: {row}\n    got {got:?}"));
        }
    }
    report("resolve.jsonl", rows.len(), &failures);
}

pub(crate) fn relative_references_are_as_expected() {
    let rows = rows("cases/relativize.jsonl");
    let resolver = Resolver::default();
    let mut failures = Vec::new();
    for (line, row) in &rows {
        let got = resolver.relative_reference(text(row, "base"), text(row, "target"));
        let any = row["expect_any_of"].as_array().map(Vec::as_slice).unwrap_or_default();
        let pass = match &got {
            Some(reference) => any.iter().any(|a| a.as_str() == Some(reference)),
            None => row["unreachable"] == true,
        };
        if !pass {
            failures.push(format!("relativize.jsonl:{line}: {row}\n    got {got:?}"));
        }
    }
    report("relativize.jsonl", rows.len(), &failures);
}

/// At `rfc3986-string` the two are compared as they are (RFC 3986, 6.2.1).
pub(crate) fn equivalence_is_as_expected() {
    let rows = rows("cases/equiv.jsonl");
    let mut failures = Vec::new();
    for (line, row) in &rows {
        let (a, b) = (text(row, "a"), text(row, "b"));
        let got = match text(row, "level") {
            "rfc3986-string" => a == b,
            "url-1997-common" => are_equivalent(a, b, Equivalence::Common),
            "rfc3986-case" => are_equivalent(a, b, Equivalence::Case),
            "rfc3986-syntax" => are_equivalent(a, b, Equivalence::Syntax),
            "rfc3986-scheme" => are_equivalent(a, b, Equivalence::Scheme),
            level => panic!("equiv.jsonl:{line}: unknown level {level}"),
        };
        if row["equivalent"] != got {
            failures.push(format!("equiv.jsonl:{line}: {row}\n    got {got}"));
        }
    }
    report("equiv.jsonl", rows.len(), &failures);
}

/// The crate `url` does not follow the standard everywhere. The corpus lists the rows that fail, so
/// that a row that passes now is noticed like a row that fails now.
pub(crate) fn whatwg_references_are_as_expected() {
    let known = repository().join("corpus/uri/whatwg-known-failures.jsonl");
    let known = fs::read_to_string(known).expect("the list is part of the corpus");
    let key =
        |row: &Value| (row["base"].as_str().map(str::to_owned), text(row, "input").to_owned());
    let mut known: BTreeSet<_> = known
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row is JSON"))
        .inspect(|row: &Value| assert!(row["why"].is_string(), "{row}"))
        .map(|row| key(&row))
        .collect();
    let resolver = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
    let mut failures = Vec::new();
    let rows = rows("cases/whatwg.jsonl");
    for (line, row) in &rows {
        let base = row["base"].as_str().unwrap_or("about:blank");
        let got = resolver.resolve(base, text(row, "input"));
        let pass = match &got {
            Ok(Resolved::Target(target)) => row["href"].as_str() == Some(target),
            Ok(Resolved::CurrentDocument { .. }) => false,
            Err(_) => row["href"].is_null(),
        };
        // Rows that fail as listed are removed from the list. A row that is left was not in the
        // table.
        if pass == known.remove(&key(row)) {
            let known = if pass { "passes" } else { "fails" };
            failures.push(format!("whatwg.jsonl:{line} {known}: {row}\n    got {got:?}"));
        }
    }
    let left = known.iter().map(|row| format!("not in whatwg.jsonl: {row:?}"));
    failures.extend(left);
    report("whatwg.jsonl (or fail as listed)", rows.len(), &failures);
}

pub(crate) fn parsed_references_are_as_expected() {
    // Fields of the rows that records do not have.
    const OTHER_FIELDS: [&str; 7] =
        ["id", "kind", "production", "productions", "opaque_part", "why", "hand_checked"];
    let rows = rows("cases/parse.jsonl");
    let mut failures = Vec::new();
    for (line, row) in &rows {
        let grammar: Grammar = text(row, "profile").parse().expect("a grammar");
        let input = text(row, "input");
        let parsed = grammar.parse(input);
        let record = serde_json::to_value(UriRecord::new(input, &parsed)).expect("JSON");
        let row = row.as_object().expect("an object");
        for (field, expected) in
            row.iter().filter(|(field, _)| !OTHER_FIELDS.contains(&field.as_str()))
        {
            let got = record.get(field);
            if got != Some(expected) {
                failures.push(format!(
                    "parse.jsonl:{line}: {input}: {field} {expected}\n    got {got:?}"
                ));
            }
        }
    }
    report("parse.jsonl", rows.len(), &failures);
}
