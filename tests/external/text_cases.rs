//! Texts from the tests of other URL finders, with the URLs that they expect.

use rehref::format::text::{TextOptions, scan};
use serde_json::Value;

use crate::shared_cases::rows;

/// The percentage of cases that must pass. The others contradict the policies: `|` ends a URL
/// there.
const PASSING: usize = 98;

/// The abilities that a case may need and a scan has by default.
const SUPPORTED: [&str; 10] = [
    "url_prefix", "angle_ws", "iri", "noauth_scheme", "any_scheme", "mail_quote", "html", "json",
    "caret", "zone_id",
];

pub(crate) const DATA: &str = "cases/text.jsonl";

pub(crate) fn texts_have_the_expected_links() {
    let (mut passed, mut applicable) = (0, 0);
    let mut failures = String::new();
    for (line, case) in rows(DATA) {
        if !applies(&case) {
            continue;
        }
        applicable += 1;
        let text = case["text"].as_str().expect("a text");
        let expected = strings(&case["expect"]);
        let mut found = Vec::new();
        scan(text, &TextOptions::default(), |url| {
            found.push(url.spans.iter().map(|span| &text[span.range()]).collect::<String>());
        });
        let passes = match case["match"].as_str() {
            Some("first") => found.first().map(String::as_str) == expected.first().copied(),
            Some("contains") => expected.iter().all(|url| found.iter().any(|other| other == url)),
            _ => found == expected,
        };
        if passes {
            passed += 1;
        } else {
            failures +=
                &format!("{DATA}:{line}: {text:?}: expected {expected:?}, found {found:?}\n");
        }
    }
    assert!(
        applicable > 0 && passed * 100 >= applicable * PASSING,
        "{passed} of {applicable} cases pass\n{failures}"
    );
}

/// Returns true if other finders agree about the case and a scan has the abilities that it needs.
fn applies(case: &Value) -> bool {
    let supported = strings(&case["needs"]).iter().all(|need| SUPPORTED.contains(need));
    supported && case["kind"] != "contested"
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
