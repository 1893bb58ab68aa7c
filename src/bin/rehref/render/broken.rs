//! Broken links as lines, JSON, workflow commands and test results.

use std::borrow::Cow;
use std::path::Path;

use clap::ValueEnum;
use rehref::records::{BrokenRecord, CheckSummary, OrphanRecord, write_json};

use super::lines::name_in_line;

/// The format of broken links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BrokenFormat {
    /// file:line:column: reference: reason
    Text,
    /// One JSON object per line
    Jsonl,
    /// Workflow commands of GitHub Actions
    Github,
    /// A JUnit report with a test case per document
    Junit,
}

/// Writes broken links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrokenWriter {
    /// The format.
    pub(crate) format: BrokenFormat,
    /// Whether records of one line end with NUL instead of LF.
    pub(crate) null: bool,
}

impl BrokenWriter {
    /// Appends the head of the report, with the numbers of documents and of those with broken links.
    pub(crate) fn begin(self, documents: usize, failed: usize, out: &mut Vec<u8>) {
        if self.format == BrokenFormat::Junit {
            let numbers =
                format!("name=\"rehref check\" tests=\"{documents}\" failures=\"{failed}\"");
            let text = format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {numbers}>\n<testsuite {numbers}>\n"
            );
            out.extend_from_slice(text.as_bytes());
        }
    }

    /// Appends a document with its records.
    pub(crate) fn document(self, name: &Path, records: &[u8], out: &mut Vec<u8>) {
        if self.format != BrokenFormat::Junit {
            return out.extend_from_slice(records);
        }
        let name = in_xml(&name.to_string_lossy()).into_owned();
        let tag = format!("<testcase classname=\"rehref.check\" name=\"{name}\"");
        out.extend_from_slice(tag.as_bytes());
        if records.is_empty() {
            return out.extend_from_slice(b"/>\n");
        }
        out.extend_from_slice(b">\n");
        out.extend_from_slice(records);
        out.extend_from_slice(b"</testcase>\n");
    }

    /// Appends the end of the report.
    pub(crate) fn end(self, summary: &CheckSummary, out: &mut Vec<u8>) {
        match self.format {
            BrokenFormat::Text | BrokenFormat::Github => {}
            BrokenFormat::Jsonl => self.json(summary, out),
            BrokenFormat::Junit => out.extend_from_slice(b"</testsuite>\n</testsuites>\n"),
        }
    }

    /// Appends a broken link.
    pub(crate) fn broken(self, name: &Path, record: &BrokenRecord<'_>, out: &mut Vec<u8>) {
        if self.format == BrokenFormat::Jsonl {
            return self.json(record, out);
        }
        let BrokenRecord {
            line,
            col: column,
            reference,
            why,
            near,
            ..
        } = record;
        let near = near.as_ref();
        let near = near.map_or(String::new(), |near| format!(" (near: {near})"));
        let message = format!("{reference}: {why}{near}");
        self.message(name, Some((*line, *column)), why, &message, out);
    }

    /// Appends a record that has a JSON form only.
    pub(crate) fn json(self, record: &impl serde::Serialize, out: &mut Vec<u8>) {
        if self.format == BrokenFormat::Jsonl {
            write_json(record, out);
            out.push(if self.null { 0 } else { b'\n' });
        }
    }

    /// Appends a page without links from other documents.
    pub(crate) fn orphan(self, name: &Path, out: &mut Vec<u8>) {
        if self.format == BrokenFormat::Jsonl {
            return self.json(&OrphanRecord::new(name), out);
        }
        let message = "orphan: no document links here";
        self.message(name, None, "orphan", message, out);
    }

    fn message(
        self,
        name: &Path,
        at: Option<(usize, usize)>,
        kind: &str,
        message: &str,
        out: &mut Vec<u8>,
    ) {
        let shown = name.to_string_lossy();
        match self.format {
            BrokenFormat::Jsonl => {}
            BrokenFormat::Text => {
                out.extend_from_slice(&name_in_line(name, self.null));
                let place = at.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
                // One link is one line.
                let message = message.replace('\n', "\\n").replace('\r', "\\r");
                out.extend_from_slice(format!("{place}: {message}").as_bytes());
                out.push(if self.null { 0 } else { b'\n' });
            }
            BrokenFormat::Github => {
                let shown = shown.strip_prefix("./").unwrap_or(&shown);
                let place = at.map_or(String::new(), |(line, column)| {
                    format!(",line={line},col={column}")
                });
                let file = in_command(shown, true);
                let message = in_command(message, false);
                let line = format!("::error file={file}{place}::{message}\n");
                out.extend_from_slice(line.as_bytes());
            }
            BrokenFormat::Junit => {
                let place = at.map_or(String::new(), |(line, column)| format!("{line}:{column}: "));
                let message = in_xml(message);
                let line = format!("<failure type=\"{kind}\" message=\"{place}{message}\"/>\n");
                out.extend_from_slice(line.as_bytes());
            }
        }
    }
}

/// Escapes a text for a workflow command: characters that would end the command or the property are percent-encoded.
fn in_command(text: &str, is_property: bool) -> Cow<'_, str> {
    let special = |character: char| {
        matches!(character, '%' | '\r' | '\n') || is_property && matches!(character, ':' | ',')
    };
    escaped(text, special, |character, out| {
        out.push_str(&format!("%{:02X}", u32::from(character)));
    })
}

/// Escapes a text for an attribute of XML. Characters that XML forbids are replaced.
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
    fn special_characters_are_escaped() {
        assert_eq!(in_command("a:b,c%\r\n", true), "a%3Ab%2Cc%25%0D%0A");
        assert_eq!(in_command("a:b,c%\n", false), "a:b,c%25%0A");
        assert_eq!(
            in_xml("<&>\"'\n\x01é"),
            "&#60;&#38;&#62;&#34;'&#10;\u{FFFD}é"
        );
    }
}
