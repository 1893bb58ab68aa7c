//! `corpus/text/*.txt`: texts with their links marked in the text itself.
//!
//! `⟦angle http://a/⟧` is a link with its cue; `⟦+ b⟧` continues it after removed white space. The
//! marks are stripped, the rest is scanned, and what is found is marked again: the two texts must be
//! the same. `REHREF_BLESS=1` writes the second over the first.

use std::fmt::Write as _;
use std::{env, fs};

use rehref::find::text::{TextOptions, TextUrl, scan};

use crate::tables::{Table, tables};

const OPEN: char = '⟦';
const CLOSE: char = '⟧';

#[test]
fn texts_are_found_as_marked() {
    let bless = env::var_os("REHREF_BLESS").is_some_and(|value| value == "1");
    let mut report = String::new();
    for table in tables("text", "txt") {
        let Table {
            path,
            name,
            text: expected,
        } = table;
        let text = unmarked(&expected).unwrap_or_else(|error| panic!("{name}: {error}"));
        let actual = marked(&text);
        if actual == expected {
            continue;
        }
        if bless {
            fs::write(path, actual).unwrap_or_else(|error| panic!("{name}: {error}"));
            continue;
        }
        // Marks hold no line ends, so that both have the same lines.
        for (number, (expected, actual)) in (1..).zip(expected.lines().zip(actual.lines())) {
            if expected != actual {
                let _ = writeln!(
                    report,
                    "{name}:{number}:\n  expected {expected}\n    actual {actual}"
                );
            }
        }
    }
    assert!(
        report.is_empty(),
        "links differ from the marks:\n{report}(REHREF_BLESS=1 cargo test texts_are_found_as_marked rewrites the files)"
    );
}

/// The text without its marks.
fn unmarked(marked: &str) -> Result<String, String> {
    let mut text = String::with_capacity(marked.len());
    let mut rest = marked;
    while let Some((before, inside)) = rest.split_once(OPEN) {
        let piece = inside.split_once(CLOSE).and_then(|(mark, after)| {
            let (_label, piece) = mark.split_once(' ')?;
            Some((piece, after))
        });
        let Some((piece, after)) = piece else {
            return Err(format!("a mark without blank or end: {OPEN}{inside:.40}"));
        };
        text.push_str(before);
        text.push_str(piece);
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}

/// The text with marks round every link.
fn marked(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut copied = 0;
    scan(
        text,
        &TextOptions::default(),
        |TextUrl { spans, cue, .. }| {
            for (at, span) in spans.iter().enumerate() {
                let label = if at == 0 { cue.as_str() } else { "+" };
                marked.push_str(&text[copied..span.start]);
                let _ = write!(marked, "{OPEN}{label} {}{CLOSE}", &text[span.range()]);
                copied = span.end;
            }
        },
    );
    marked.push_str(&text[copied..]);
    marked
}
