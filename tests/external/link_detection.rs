//! The conformance test of UTS #58, and the tables made of its data.
//!
//! The conformance test also links bare hosts. Here `http://` is put before them, in the text and
//! in the expected links. Bare email addresses are links.

use std::fs;
use std::process::Command;

use rehref::format::text::{TextOptions, scan};

use crate::needs::{repository, shared};

pub(crate) const DATA: &str = "data/uts58";

const OPEN: char = '⸠';
const CLOSE: char = '⸡';

/// The lines with other links here, and the reasons.
const EXCEPTIONS: [(&str, &str); 6] = [
    ("http://john.smith@example.com", "a userinfo is part of a URL: RFC 3986, 3.2.1"),
    ("http://john.smith@example.com/foo/bar", "the same"),
    (
        "⸠https://nap.wikipedia.org/wiki/Wikipedia:Lista_d\"e_vvoce_ca_tutt'_'e_Wikipedie_aveno_a_avé⸡",
        "a double quote delimits: RFC 3986, Appendix C",
    ),
    (
        "Lorem ipsum ⸠普遍适用测试。我爱你⸡ dolor sit amet",
        "an ideographic full stop before a character beyond ASCII ends a clause, more often than a label",
    ),
    ("http://john..smith@example.com", "a userinfo may have any dots"),
    ("http://john..smith@example.com/foo/bar", "the same"),
];

pub(crate) fn links_are_those_of_uts_58() {
    let cases = shared(DATA).join("LinkDetectionTest.txt");
    let cases = fs::read_to_string(cases).expect("the conformance test is readable");
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let cases: Vec<&str> = cases.lines().filter(is_case).collect();
    assert!(!cases.is_empty(), "the conformance test has no cases");
    let mut failures = Vec::new();
    for line in cases {
        let expected = completed(line);
        let actual = marked(&expected.replace([OPEN, CLOSE], ""));
        let excepted = EXCEPTIONS.iter().any(|(known, _)| *known == line);
        if (actual == expected) == excepted {
            failures.push(format!("expected {expected}\n  actual {actual}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The line with `http://` before each link that has no scheme and is not an email address.
fn completed(line: &str) -> String {
    let mut out = String::new();
    for (at, piece) in line.split(OPEN).enumerate() {
        if at > 0 {
            let link = piece.split(CLOSE).next().unwrap_or_default();
            let authority = link.split(['/', '?', '#']).next().unwrap_or_default();
            out.push(OPEN);
            if !authority.contains('@') && !link.contains("://") && !link.starts_with("mailto:") {
                out.push_str("http://");
            }
        }
        out.push_str(piece);
    }
    out
}

fn marked(text: &str) -> String {
    let options = TextOptions { emails: true, ..TextOptions::default() };
    let mut out = String::new();
    let mut copied = 0;
    scan(text, &options, |url| {
        let (start, end) = (url.spans[0].start, url.spans[0].end);
        out.push_str(&text[copied..start]);
        out.push(OPEN);
        out.push_str(&text[start..end]);
        out.push(CLOSE);
        copied = end;
    });
    out + &text[copied..]
}

pub(crate) fn tables_are_what_the_script_writes() {
    let script = repository().join("scripts/link_detection.py");
    let written = Command::new("python3").arg(script).arg(shared(DATA)).output();
    let written = written.expect("Python runs");
    assert!(written.status.success(), "{written:?}");
    let table = repository().join("crates/document/src/format/text/link_detection.rs");
    let table = fs::read(table).expect("the table is readable");
    assert!(table == written.stdout, "run scripts/link_detection.py again");
}
