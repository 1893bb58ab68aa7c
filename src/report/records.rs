//! The records of `--json` and `--format csv`. Their names and fields are a contract: fields may be
//! added, never renamed.

use std::borrow::Cow;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Failure, Report};
use crate::document::Document;
use crate::edit::Edit;
use crate::error::Warning;
use crate::find::{Context, Integrity, Link, Place};
use crate::site::Site;
use crate::span::Position;
use crate::uri::{Profile, Step};

/// Appends a record as JSON, without a line's end.
pub fn write_json(record: &impl Serialize, out: &mut Vec<u8>) {
    // Writing to memory cannot fail, and no record has a map with keys that are no strings.
    let written = serde_json::to_writer(&mut *out, record);
    debug_assert!(written.is_ok());
}

/// A string, or `{"bytes":"BASE64"}` where it is not UTF-8.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes<'r>(pub &'r [u8]);

impl<'r> Bytes<'r> {
    /// The name of a document.
    pub(super) fn of_name(name: &'r Path) -> Self {
        Self(name.as_os_str().as_encoded_bytes())
    }
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = str::from_utf8(self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("bytes", &STANDARD.encode(self.0))?;
        map.end()
    }
}

/// A link.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "link")]
pub struct LinkRecord<'r> {
    doc: Bytes<'r>,
    line: usize,
    col: usize,
    spans: Vec<[usize; 2]>,
    raw: Cow<'r, str>,
    #[serde(rename = "ref")]
    reference: &'r str,
    uri: Option<&'r str>,
    alternatives: &'r [String],
    base: Option<&'r str>,
    base_from: Option<&'static str>,
    place: &'static str,
    cue: Option<&'static str>,
    element: Option<&'r str>,
    attr: Option<&'r str>,
    role: &'static str,
    charset: &'r str,
    same_document: bool,
    notes: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Option<ContextRecord<'r>>>,
}

/// What stands round a link.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
struct ContextRecord<'r> {
    text: Option<&'r str>,
    rel: Option<&'r str>,
    title: Option<&'r str>,
    heading: Option<&'r str>,
}

impl<'r> From<Context<'r>> for ContextRecord<'r> {
    fn from(context: Context<'r>) -> Self {
        let Context {
            text,
            rel,
            title,
            heading,
        } = context;
        Self {
            text,
            rel,
            title,
            heading,
        }
    }
}

impl<'r> LinkRecord<'r> {
    /// The record of a link in a document whose charset has this name.
    pub fn new(report: &'r Report<'r>, charset: &'r str) -> Self {
        let Report {
            document,
            link,
            target,
            position,
            context,
        } = report;
        let cue = match &link.place {
            Place::Text(cue) => Some(cue.as_str()),
            _ => None,
        };
        let markup = link.place.markup();
        Self {
            doc: Bytes::of_name(&document.name),
            line: position.line,
            col: position.column,
            spans: link
                .spans
                .iter()
                .map(|span| [span.start, span.end])
                .collect(),
            raw: link.raw(document),
            reference: &link.reference,
            uri: target.uri,
            alternatives: &link.alternatives,
            base: target.base.map(|(base, _)| base.as_str()),
            base_from: target.base.map(|(_, from)| from.as_str()),
            place: link.place.as_str(),
            cue,
            element: markup.map(|it| it.element.as_ref()),
            attr: markup.map(|it| it.attribute.as_ref()),
            role: link.role.as_str(),
            charset,
            same_document: target.same_document,
            notes: target.notes.iter().map(|note| note.as_str()).collect(),
            context: context.map(|it| it.map(ContextRecord::from)),
        }
    }
}

/// Appends the names of the CSV columns, with those of what stands round links if that is told. Rows end
/// with LF, or NUL.
pub fn write_csv_names(context: bool, null: bool, out: &mut Vec<u8>) {
    const NAMES: [&str; 21] = [
        "doc",
        "line",
        "col",
        "start",
        "end",
        "uri",
        "ref",
        "raw",
        "base",
        "base_from",
        "place",
        "cue",
        "element",
        "attr",
        "role",
        "notes",
        "alternatives",
        "text",
        "rel",
        "title",
        "heading",
    ];
    let names = NAMES.map(str::as_bytes);
    let count = if context { 21 } else { LINK_COLUMNS };
    write_row(&names[..count], null, out);
}

/// How many columns a link has without what stands round it.
const LINK_COLUMNS: usize = 17;

/// Appends the row of a link as CSV (RFC 4180). What a record has as null is empty; `start` and
/// `end` are those of all its spans, and the notes and alternatives have blanks between them.
pub fn write_csv(report: &Report<'_>, null: bool, out: &mut Vec<u8>) {
    let record = LinkRecord::new(report, "");
    let extent = report.link.extent();
    let numbers = [record.line, record.col, extent.start, extent.end].map(|it| it.to_string());
    let [line, col, start, end] = &numbers;
    let text = |text: Option<&'static str>| text.unwrap_or_default();
    let context = record.context.flatten().unwrap_or_default();
    let row: [&[u8]; 21] = [
        report.name().as_os_str().as_encoded_bytes(),
        line.as_bytes(),
        col.as_bytes(),
        start.as_bytes(),
        end.as_bytes(),
        record.uri.unwrap_or_default().as_bytes(),
        record.reference.as_bytes(),
        record.raw.as_bytes(),
        record.base.unwrap_or_default().as_bytes(),
        text(record.base_from).as_bytes(),
        record.place.as_bytes(),
        text(record.cue).as_bytes(),
        record.element.unwrap_or_default().as_bytes(),
        record.attr.unwrap_or_default().as_bytes(),
        record.role.as_bytes(),
        &record.notes.join(" ").into_bytes(),
        &record.alternatives.join(" ").into_bytes(),
        context.text.unwrap_or_default().as_bytes(),
        context.rel.unwrap_or_default().as_bytes(),
        context.title.unwrap_or_default().as_bytes(),
        context.heading.unwrap_or_default().as_bytes(),
    ];
    let count = if record.context.is_some() {
        row.len()
    } else {
        LINK_COLUMNS
    };
    write_row(&row[..count], null, out);
}

fn write_row(row: &[&[u8]], null: bool, out: &mut Vec<u8>) {
    let end = csv::Terminator::Any(if null { 0 } else { b'\n' });
    let mut writer = csv::WriterBuilder::new().terminator(end).from_writer(out);
    // Into memory nothing can fail, and the writer flushes when it goes.
    let written = writer.write_record(row);
    debug_assert!(written.is_ok());
}

/// Something about a document that is no link.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "warning")]
pub struct WarningRecord<'r> {
    doc: Bytes<'r>,
    code: &'static str,
    text: &'r str,
}

impl<'r> WarningRecord<'r> {
    /// The record of a warning.
    pub fn new(doc: &'r Path, warning: Warning) -> Self {
        Self {
            doc: Bytes::of_name(doc),
            code: warning.code(),
            text: warning.text(),
        }
    }

    /// The record of a document that could not be read.
    pub fn unreadable(doc: &'r Path, text: &'r str) -> Self {
        Self {
            doc: Bytes::of_name(doc),
            code: "unreadable",
            text,
        }
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
#[serde(tag = "type", rename = "summary")]
pub struct SummaryRecord {
    /// How many documents were read.
    pub docs: usize,
    /// How many links were reported.
    pub links: usize,
    /// How many warnings there were.
    pub warnings: usize,
}

/// An edit.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "edit")]
pub struct EditRecord<'r> {
    doc: Bytes<'r>,
    line: usize,
    col: usize,
    span: [usize; 2],
    old: Cow<'r, str>,
    new: Option<&'r str>,
    old_uri: Option<&'r str>,
    new_uri: Option<&'r str>,
    rule: &'static str,
}

impl<'r> EditRecord<'r> {
    /// The record of an edit of `link`, which begins at `position` and led to `old_uri`. In a tree that has no URL
    /// nothing leads to a URI. Where an integrity goes,
    /// `old` is the attribute.
    pub fn new(
        document: &'r Document,
        link: &'r Link<'r>,
        edit: &Edit<'r>,
        old_uri: Option<&'r str>,
        position: Position,
    ) -> Self {
        Self {
            doc: Bytes::of_name(&document.name),
            line: position.line,
            col: position.column,
            span: [edit.span.start, edit.span.end],
            old: match edit.rule {
                Integrity::RULE => document.decode(edit.span),
                _ => Cow::Borrowed(&link.reference),
            },
            new: (!edit.removes).then_some(edit.reference),
            old_uri: old_uri.filter(|uri| edit.rule != Integrity::RULE && !Site::is_private(uri)),
            new_uri: Some(edit.new_uri).filter(|uri| !edit.removes && !Site::is_private(uri)),
            rule: edit.rule,
        }
    }
}

/// A file that moves.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "move")]
pub struct MoveRecord<'r> {
    old: Bytes<'r>,
    new: Bytes<'r>,
}

impl<'r> MoveRecord<'r> {
    /// The record of a file that moves from `old` to `new`.
    pub fn new(old: &'r Path, new: &'r Path) -> Self {
        Self {
            old: Bytes::of_name(old),
            new: Bytes::of_name(new),
        }
    }
}

/// What a reference resolves to.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "resolved")]
pub struct ResolvedRecord<'r> {
    /// The base.
    pub base: &'r str,
    /// The reference.
    #[serde(rename = "ref")]
    pub reference: Option<Bytes<'r>>,
    /// Its target.
    pub uri: Option<Bytes<'r>>,
    /// Whether it is to the current document.
    pub current_document: bool,
    /// Its fragment.
    pub fragment: Option<&'r str>,
    /// Why there is no target.
    pub error: Option<Failure>,
    /// Which step of the algorithm decided, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// Which step of an algorithm decided.
#[derive(Debug, serde::Serialize)]
pub struct Explanation {
    /// The step's name.
    pub step: &'static str,
    /// The text and section that has it.
    pub rule: &'static str,
    /// In words.
    pub text: &'static str,
}

impl Explanation {
    /// The explanation of a step of this profile's algorithm.
    pub fn new(step: Step, profile: Profile) -> Self {
        Self {
            step: step.as_str(),
            rule: step.rule(profile),
            text: step.as_sentence(),
        }
    }
}
