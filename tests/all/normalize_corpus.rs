//! Normalizes every input of the tables in `corpus/normalize`; see `corpus/README.md` for their
//! format.

use std::collections::HashMap;
use std::fmt::Write;

use rehref::uri::{Equivalence, normalize};

use crate::tables::{run_all, tables};

#[test]
fn tables_have_the_expected_results() {
    run_all(&tables("normalize", "txt"), run_table);
}

/// Checks one table, appends failures, and returns the number of cases.
fn run_table(name: &str, text: &str, failures: &mut String) -> usize {
    let mut cases = 0;
    let mut block = HashMap::new();
    let lines = text.lines().map(str::trim_end).chain([""]);
    for (number, line) in (1..).zip(lines) {
        let mut fail = |message: String| {
            let _ = writeln!(failures, "{name}:{number}: {message}");
        };
        if line.starts_with("--") {
            continue;
        }
        if line.is_empty() {
            let Some(input) = block.remove("input") else {
                if !block.is_empty() {
                    fail("a block without input".to_owned());
                    block.clear();
                }
                continue;
            };
            cases += 1;
            for (level, expected) in expected(input, &block) {
                let got = normalize(input, level);
                if got != expected {
                    fail(format!("{input}\n    {level}: {got}\n    and not {expected}"));
                }
            }
            block.clear();
            continue;
        }
        let Some((key, value)) = line.split_once(' ') else {
            fail(format!("neither an input nor a level: {line}"));
            continue;
        };
        let is_known = key == "input" || Equivalence::ALL.iter().any(|level| level.as_str() == key);
        if !is_known || block.insert(key, value.trim_start()).is_some() {
            fail(format!("unknown, or there already: {key}"));
        }
    }
    cases
}

/// The expected result at each level. A missing level has the result of the next finer one.
fn expected<'a>(
    input: &'a str,
    block: &HashMap<&str, &'a str>,
) -> impl Iterator<Item = (Equivalence, &'a str)> {
    let at = |level: Equivalence, finer| block.get(level.as_str()).copied().unwrap_or(finer);
    let common = at(Equivalence::Common, input);
    let case = at(Equivalence::Case, input);
    let syntax = at(Equivalence::Syntax, case);
    let scheme = at(Equivalence::Scheme, syntax);
    Equivalence::ALL.iter().copied().zip([common, case, syntax, scheme])
}
