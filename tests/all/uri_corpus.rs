//! Resolves every row of the tables in `corpus/uri`; see `corpus/README.md` for their format.

use std::fmt::Write;

use rehref::uri::{ErrorKind, Resolved, Resolver};

use crate::tables::{run_all, tables};

#[test]
fn tables_have_the_expected_results() {
    run_all(&tables("uri", "txt"), run_table);
}

/// Checks one table, appends failures, and returns the number of cases.
fn run_table(name: &str, text: &str, failures: &mut String) -> usize {
    let mut resolver = Resolver::default();
    let mut base = "";
    let mut cases = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let mut fail = |message: String| {
            let _ = writeln!(failures, "{name}:{number}: {message}");
        };
        if line.trim().is_empty() || line.starts_with("--") {
            continue;
        }
        if let Some((reference, expected)) = line.split_once(" = ") {
            cases += 1;
            let reference = reference.trim();
            let reference = if reference == "<>" { "" } else { reference };
            let got = shown(&resolver, base, reference);
            if got != expected.trim() {
                fail(format!("{line}\n    got {got} against {base}"));
            }
            continue;
        }
        let Some((key, value)) = line.split_once(": ") else {
            fail(format!("neither a case nor a setting: {line}"));
            continue;
        };
        let value = value.trim();
        let set = match key {
            "base" => {
                base = value;
                Ok(())
            }
            "profile" => value.parse().map(|v| resolver.profile = v),
            "above-root" => value.parse().map(|v| resolver.above_root = v),
            "same-scheme" => value.parse().map(|v| resolver.same_scheme = v),
            _ => {
                fail(format!("unknown setting {key}"));
                continue;
            }
        };
        if let Err(error) = set {
            fail(error.to_string());
        }
    }
    cases
}

/// The result in the notation of the tables.
fn shown(resolver: &Resolver, base: &str, reference: &str) -> String {
    match resolver.resolve(base, reference) {
        Ok(Resolved::Target(target)) => target,
        Ok(Resolved::CurrentDocument { fragment: None }) => "(current document)".to_owned(),
        Ok(Resolved::CurrentDocument { fragment: Some(fragment) }) => {
            format!("(current document)#{fragment}")
        }
        Err(error) => match error.kind() {
            ErrorKind::AboveRoot => "(above the root)".to_owned(),
            ErrorKind::BaseNotAbsolute => "(base not absolute)".to_owned(),
            _ => "(failure)".to_owned(),
        },
    }
}
