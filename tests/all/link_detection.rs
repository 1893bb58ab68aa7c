//! The conformance file of UTS #58, and the tables made of its data, where they are at hand.
//!
//! The file links bare hosts too; such a link gets `http://` put before it, in the text and in what is
//! expected. Lines with an address are read with addresses asked for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rehref::format::text::{TextOptions, scan};

const OPEN: char = '⸠';
const CLOSE: char = '⸡';

/// The lines that read otherwise here, and why.
const EXCEPTIONS: [(&str, &str); 6] = [
    (
        "http://john.smith@example.com",
        "a userinfo is part of a URL: RFC 3986, 3.2.1",
    ),
    ("http://john.smith@example.com/foo/bar", "the same"),
    (
        "⸠https://nap.wikipedia.org/wiki/Wikipedia:Lista_d\"e_vvoce_ca_tutt'_'e_Wikipedie_aveno_a_avé⸡",
        "a double quote delimits: RFC 3986, Appendix C",
    ),
    (
        "Lorem ipsum ⸠普遍适用测试。我爱你⸡ dolor sit amet",
        "an ideographic full stop before a character beyond ASCII ends a clause, more often than a label",
    ),
    (
        "http://john..smith@example.com",
        "a userinfo may have any dots",
    ),
    ("http://john..smith@example.com/foo/bar", "the same"),
];

fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/uts58");
    path.is_dir().then_some(path)
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "what was skipped or missed is the test's report"
)]
fn links_are_detected_as_unicode_says() {
    let Some(data) = data() else {
        eprintln!("skipped: no data of UTS #58");
        return;
    };
    let cases = fs::read_to_string(data.join("LinkDetectionTest.txt")).expect("a file of cases");
    let cases = cases
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut failures = Vec::new();
    let mut passed = 0;
    for line in cases {
        let expected = completed(line);
        let actual = marked(&expected.replace([OPEN, CLOSE], ""));
        let excepted = EXCEPTIONS.iter().any(|(known, _)| *known == line);
        if (actual == expected) == excepted {
            failures.push(format!("expected {expected}\n  actual {actual}"));
        }
        passed += usize::from(actual == expected);
    }
    eprintln!("{passed} lines pass");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The line with `http://` before each link that has neither a scheme nor is an address.
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
    let options = TextOptions {
        emails: true,
        ..TextOptions::default()
    };
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

#[test]
#[expect(clippy::print_stderr, reason = "what was skipped is the test's report")]
fn the_tables_are_what_the_script_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = root.join("scripts/link_detection.py");
    let written =
        data().and_then(|data| Command::new("python3").arg(script).arg(data).output().ok());
    let Some(written) = written.filter(|output| output.status.success()) else {
        eprintln!("skipped: no data of UTS #58, or no Python");
        return;
    };
    let table = fs::read(root.join("src/format/text/link_detection.rs")).expect("the table");
    assert!(
        table == written.stdout,
        "run scripts/link_detection.py again"
    );
}
