//! The cases shared between implementations, where they are at hand: the tests of other finders, as
//! inputs and expected URLs.

use std::fs;
use std::path::Path;

use rehref::format::text::{TextOptions, scan};
use serde_json::Value;

/// The part of the cases, in per cent, that has to pass. The rest contradicts the policies: `|` ends a
/// URL there.
const PASSING: usize = 98;

/// What a case may ask for and a plain scan does.
const SUPPORTED: [&str; 10] = [
    "url_prefix",
    "angle_ws",
    "iri",
    "noauth_scheme",
    "any_scheme",
    "mail_quote",
    "html",
    "json",
    "caret",
    "zone_id",
];

#[test]
#[expect(
    clippy::print_stderr,
    reason = "what was skipped or missed is the test's report"
)]
fn shared_cases_pass() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/text.jsonl");
    let Ok(cases) = fs::read_to_string(&path) else {
        eprintln!("skipped: no {}", path.display());
        return;
    };
    let (mut passed, mut applicable) = (0, 0);
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        if !applies(&case) {
            continue;
        }
        applicable += 1;
        let text = case["text"].as_str().expect("a text");
        let expected = strings(&case["expect"]);
        let mut found = Vec::new();
        scan(text, &TextOptions::default(), |url| {
            found.push(
                url.spans
                    .iter()
                    .map(|span| &text[span.range()])
                    .collect::<String>(),
            );
        });
        let passes = match case["match"].as_str() {
            Some("first") => found.first().map(String::as_str) == expected.first().copied(),
            Some("contains") => expected
                .iter()
                .all(|url| found.iter().any(|other| other == url)),
            _ => found == expected,
        };
        if passes {
            passed += 1;
        } else {
            eprintln!(
                "{}: {text:?}: expected {expected:?}, found {found:?}",
                case["id"]
            );
        }
    }
    eprintln!("{passed} of {applicable} cases pass");
    assert!(
        applicable > 0 && passed * 100 >= applicable * PASSING,
        "see the cases above"
    );
}

/// Whether the case is undisputed and asks for nothing that a plain scan does not do.
fn applies(case: &Value) -> bool {
    let supported = strings(&case["needs"])
        .iter()
        .all(|need| SUPPORTED.contains(need));
    supported && case["kind"] != "contested"
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}
