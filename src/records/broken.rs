//! Broken links and files that nothing links to, as records, lines, workflow commands and test results.

use std::borrow::Cow;
use std::path::Path;

use super::lines::name_in_line;
use super::{Bytes, write_json};
use crate::bytes::Position;
use crate::site::check::Broken;
use crate::source::Source;

/// A broken link with everything that is reported of it.
#[derive(Clone, Copy, Debug)]
pub struct BrokenReport<'r> {
    /// The document.
    pub document: &'r Source,
    /// The link, and why it is broken.
    pub broken: &'r Broken<'r>,
    /// Where it begins.
    pub position: Position,
    /// Whether the URI is told: not where the tree has none but the one that it was given for the time being.
    pub with_uri: bool,
}

/// The record of a broken link.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "broken")]
struct BrokenRecord<'r> {
    doc: Bytes<'r>,
    line: usize,
    col: usize,
    spans: Vec<[usize; 2]>,
    #[serde(rename = "ref")]
    reference: &'r str,
    uri: Option<&'r str>,
    why: &'static str,
    near: Option<&'r str>,
}

/// The record of a file that no document links to.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "orphan")]
struct OrphanRecord<'r> {
    doc: Bytes<'r>,
}

/// What checking a tree came to.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
#[serde(tag = "type", rename = "summary")]
pub struct CheckSummary {
    /// How many documents were read.
    pub docs: usize,
    /// How many links they have.
    pub links: usize,
    /// How many of them lead into the tree, or should.
    pub local: usize,
    /// How many are broken.
    pub broken: usize,
    /// How many files no document links to, if that was asked for.
    pub orphans: usize,
    /// How many warnings there were.
    pub warnings: usize,
}

/// How broken links are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BrokenFormat {
    /// `PATH:LINE:COL: REF: why (near: ...)`
    #[default]
    Text,
    /// One JSON object a line.
    Jsonl,
    /// Workflow commands of GitHub Actions, which show them beside the lines that they stand on.
    Github,
    /// A report of tests in the format of JUnit: one for each document.
    Junit,
}

/// How broken links are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct BrokenWriter {
    /// In which form.
    pub format: BrokenFormat,
    /// Whether lines end with NUL instead of LF, where each is a record of its own.
    pub null: bool,
}

impl BrokenWriter {
    /// Appends what comes before all documents, of which there are so many, and so many with something broken.
    pub fn begin(self, documents: usize, failed: usize, out: &mut Vec<u8>) {
        if self.format == BrokenFormat::Junit {
            let numbers =
                format!("name=\"rehref check\" tests=\"{documents}\" failures=\"{failed}\"");
            let text = format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {numbers}>\n<testsuite {numbers}>\n"
            );
            out.extend_from_slice(text.as_bytes());
        }
    }

    /// Appends a document with what was told of it.
    pub fn document(self, name: &Path, told: &[u8], out: &mut Vec<u8>) {
        if self.format != BrokenFormat::Junit {
            return out.extend_from_slice(told);
        }
        let name = in_xml(&name.to_string_lossy()).into_owned();
        let tag = format!("<testcase classname=\"rehref.check\" name=\"{name}\"");
        out.extend_from_slice(tag.as_bytes());
        if told.is_empty() {
            return out.extend_from_slice(b"/>\n");
        }
        out.extend_from_slice(b">\n");
        out.extend_from_slice(told);
        out.extend_from_slice(b"</testcase>\n");
    }

    /// Appends what comes after all documents.
    pub fn end(self, summary: &CheckSummary, out: &mut Vec<u8>) {
        match self.format {
            BrokenFormat::Text | BrokenFormat::Github => {}
            BrokenFormat::Jsonl => {
                write_json(summary, out);
                self.end_record(out);
            }
            BrokenFormat::Junit => out.extend_from_slice(b"</testsuite>\n</testsuites>\n"),
        }
    }

    /// Appends a broken link.
    pub fn broken(self, report: &BrokenReport<'_>, out: &mut Vec<u8>) {
        let BrokenReport {
            document,
            broken,
            position,
            with_uri,
        } = *report;
        let why = broken.why.as_str();
        let reference = &*broken.link.reference;
        if self.format == BrokenFormat::Jsonl {
            let spans = broken.link.spans.iter();
            let record = BrokenRecord {
                doc: Bytes::of_name(&document.name),
                line: position.line,
                col: position.column,
                spans: spans.map(|span| [span.start, span.end]).collect(),
                reference,
                uri: broken.uri.filter(|_| with_uri),
                why,
                near: broken.near.as_deref(),
            };
            write_json(&record, out);
            return self.end_record(out);
        }
        let near = broken.near.as_ref();
        let near = near.map_or(String::new(), |near| format!(" (near: {near})"));
        let message = format!("{reference}: {why}{near}");
        self.message(&document.name, Some(position), why, &message, out);
    }

    /// Appends a file that no document links to.
    pub fn orphan(self, name: &Path, out: &mut Vec<u8>) {
        if self.format == BrokenFormat::Jsonl {
            let doc = Bytes::of_name(name);
            write_json(&OrphanRecord { doc }, out);
            return self.end_record(out);
        }
        let message = "orphan: no document links here";
        self.message(name, None, "orphan", message, out);
    }

    /// Appends what ends a record.
    pub fn end_record(self, out: &mut Vec<u8>) {
        out.push(if self.null { 0 } else { b'\n' });
    }

    fn message(
        self,
        name: &Path,
        at: Option<Position>,
        kind: &str,
        message: &str,
        out: &mut Vec<u8>,
    ) {
        let shown = name.to_string_lossy();
        match self.format {
            BrokenFormat::Jsonl => {}
            BrokenFormat::Text => {
                out.extend_from_slice(&name_in_line(name, self.null));
                let place = at.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
                // One link is one line, whatever stands in it.
                let message = message.replace('\n', "\\n").replace('\r', "\\r");
                out.extend_from_slice(format!("{place}: {message}").as_bytes());
                self.end_record(out);
            }
            BrokenFormat::Github => {
                let shown = shown.strip_prefix("./").unwrap_or(&shown);
                let place = at.map_or(String::new(), |at| {
                    format!(",line={},col={}", at.line, at.column)
                });
                let file = in_command(shown, true);
                let message = in_command(message, false);
                let line = format!("::error file={file}{place}::{message}\n");
                out.extend_from_slice(line.as_bytes());
            }
            BrokenFormat::Junit => {
                let place = at.map_or(String::new(), |at| format!("{}:{}: ", at.line, at.column));
                let message = in_xml(message);
                let line = format!("<failure type=\"{kind}\" message=\"{place}{message}\"/>\n");
                out.extend_from_slice(line.as_bytes());
            }
        }
    }
}

/// The text as workflow commands have it: what would end the command, or its property, percent-encoded.
fn in_command(text: &str, is_property: bool) -> Cow<'_, str> {
    let special = |character: char| {
        matches!(character, '%' | '\r' | '\n') || is_property && matches!(character, ':' | ',')
    };
    escaped(text, special, |character, out| {
        out.push_str(&format!("%{:02X}", u32::from(character)));
    })
}

/// The text as an attribute of XML may hold it. Characters that XML cannot have are replaced.
fn in_xml(text: &str) -> Cow<'_, str> {
    let is_none = |it: char| {
        it < ' ' && !matches!(it, '\t' | '\n' | '\r') || matches!(it, '\u{FFFE}' | '\u{FFFF}')
    };
    let special = |it: char| it < ' ' || is_none(it) || matches!(it, '&' | '<' | '>' | '"');
    escaped(text, special, |character, out| match character {
        character if is_none(character) => out.push('\u{FFFD}'),
        character => out.push_str(&format!("&#{};", u32::from(character))),
    })
}

fn escaped(
    text: &str,
    special: impl Fn(char) -> bool,
    escape: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.contains(&special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match special(character) {
            true => escape(character, &mut out),
            false => out.push(character),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_is_escaped() {
        assert_eq!(in_command("a:b,c%\r\n", true), "a%3Ab%2Cc%25%0D%0A");
        assert_eq!(in_command("a:b,c%\n", false), "a:b,c%25%0A");
        assert_eq!(
            in_xml("<&>\"'\n\x01é"),
            "&#60;&#38;&#62;&#34;'&#10;\u{FFFD}é"
        );
    }
}
