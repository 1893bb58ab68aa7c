//! The records of `--json` and `--format csv`. Their names and fields are a contract: fields may be
//! added, never renamed.

use std::borrow::Cow;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Failure, Report};
use crate::bytes::Position;
use crate::error::Warning;
use crate::format::html::Context;
use crate::link::{Integrity, LinkData, Note, Place};
use crate::rewrite::Edit;
use crate::site::Site;
use crate::source::{MailPart, Source};
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
    #[serde(skip_serializing_if = "Option::is_none")]
    unwrapped: Option<Option<&'r str>>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    mail: Option<MailRecord<'r>>,
}

/// Where in an archive of mail a link stands.
#[derive(Debug, serde::Serialize)]
struct MailRecord<'r> {
    archive: Bytes<'r>,
    message: usize,
    message_offset: u64,
    message_id: Option<Bytes<'r>>,
    part: &'r str,
    /// The name of the field, in a header.
    header: Option<&'r str>,
    /// Its bytes in the file, as its transfer encoding has them.
    file_spans: Vec<[u64; 2]>,
    /// The part of the same message that it leads to.
    target_part: Option<&'r str>,
}

impl<'r> MailRecord<'r> {
    fn new(carrier: &'r MailPart, link: &'r LinkData<'r>, uri: Option<&str>) -> Self {
        Self {
            archive: Bytes::of_name(&carrier.archive),
            message: carrier.message,
            message_offset: carrier.offset,
            message_id: carrier.message_id.as_deref().map(Bytes),
            part: &carrier.part,
            header: header_of(link),
            file_spans: link
                .spans
                .iter()
                .map(|&span| carrier.file_range(span))
                .collect(),
            target_part: uri.and_then(|uri| carrier.linked_part(uri)),
        }
    }
}

impl MailRecord<'_> {
    /// The number of the message, where it begins, and where the link begins and ends in the file.
    fn numbers(&self) -> [String; 4] {
        let spans = &self.file_spans;
        let end = |at: Option<u64>| at.map_or(String::new(), |at| at.to_string());
        [
            self.message.to_string(),
            self.message_offset.to_string(),
            end(spans.first().map(|[start, _]| *start)),
            end(spans.last().map(|[_, end]| *end)),
        ]
    }
}

/// The name of the field of a header that a link stands in.
fn header_of<'r>(link: &'r LinkData<'r>) -> Option<&'r str> {
    match &link.place {
        Place::Header(name) => Some(name),
        _ => None,
    }
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
            unwrapped,
        } = report;
        let cue = match &link.place {
            Place::Text(cue) => Some(cue.as_str()),
            _ => None,
        };
        let markup = link.place.markup();
        let carrier = document.carrier.as_ref();
        let notes = match carrier.is_some_and(|carrier| carrier.covers()) {
            true => target.notes.with(Note::Covering),
            false => target.notes,
        };
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
            notes: notes.iter().map(|note| note.as_str()).collect(),
            context: context.map(|it| it.map(ContextRecord::from)),
            unwrapped: *unwrapped,
            mail: carrier.map(|carrier| MailRecord::new(carrier, link, target.uri)),
        }
    }
}

/// How rows of CSV are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvFormat {
    /// Rows end with NUL instead of LF.
    pub null: bool,
    /// A cell that a spreadsheet would take for a formula begins with an apostrophe: it has more than one character, and
    /// the first one is `=`, `+`, `-`, `@`, a tab or a line break.
    pub escape_formulas: bool,
}

/// Appends the names of the CSV columns, with those of what stands round links and of what gateways hide if that
/// is told.
pub fn write_csv_names(context: bool, unwrapped: bool, format: CsvFormat, out: &mut Vec<u8>) {
    let context = CONTEXT_NAMES.iter().filter(|_| context);
    let unwrapped = ["unwrapped"].iter().filter(|_| unwrapped);
    let names = LINK_NAMES.iter().chain(context).chain(unwrapped);
    let names = names.chain(&MAIL_NAMES);
    write_row(names.map(|name| name.as_bytes()), format, out);
}

/// The columns of every link.
const LINK_NAMES: [&str; 17] = [
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
];

/// Those of what stands round it.
const CONTEXT_NAMES: [&str; 4] = ["text", "rel", "title", "heading"];

/// Those of where in mail it stands.
const MAIL_NAMES: [&str; 8] = [
    "message",
    "message_offset",
    "message_id",
    "part",
    "header",
    "file_start",
    "file_end",
    "target_part",
];

/// Appends the row of a link as CSV (RFC 4180). What a record has as null is empty; `start` and
/// `end` are those of all its spans, and the notes and alternatives have blanks between them.
pub fn write_csv(report: &Report<'_>, format: CsvFormat, out: &mut Vec<u8>) {
    let record = LinkRecord::new(report, "");
    let extent = report.link.extent();
    let numbers = [record.line, record.col, extent.start, extent.end].map(|it| it.to_string());
    let [line, col, start, end] = &numbers;
    let (notes, alternatives) = (record.notes.join(" "), record.alternatives.join(" "));
    let row: [&str; LINK_NAMES.len() - 1] = [
        line,
        col,
        start,
        end,
        record.uri.unwrap_or_default(),
        record.reference,
        &record.raw,
        record.base.unwrap_or_default(),
        record.base_from.unwrap_or_default(),
        record.place,
        record.cue.unwrap_or_default(),
        record.element.unwrap_or_default(),
        record.attr.unwrap_or_default(),
        record.role,
        &notes,
        &alternatives,
    ];
    let mail = record.mail.as_ref();
    let numbers = mail.map(MailRecord::numbers).unwrap_or_default();
    let [message, offset, file_start, file_end] = &numbers;
    let mail: [&[u8]; MAIL_NAMES.len()] = [
        message.as_bytes(),
        offset.as_bytes(),
        mail.and_then(|it| it.message_id).unwrap_or_default().0,
        mail.map_or("", |it| it.part).as_bytes(),
        mail.and_then(|it| it.header).unwrap_or_default().as_bytes(),
        file_start.as_bytes(),
        file_end.as_bytes(),
        mail.and_then(|it| it.target_part)
            .unwrap_or_default()
            .as_bytes(),
    ];
    let context = record.context.map(|context| {
        let it = context.unwrap_or_default();
        [it.text, it.rel, it.title, it.heading].map(Option::unwrap_or_default)
    });
    let unwrapped = record.unwrapped.map(Option::unwrap_or_default);
    let name = report.name().as_os_str().as_encoded_bytes();
    let context = context.into_iter().flatten();
    let rest = row.into_iter().chain(context).chain(unwrapped);
    let rest = rest.map(str::as_bytes).chain(mail);
    write_row(std::iter::once(name).chain(rest), format, out);
}

/// How many links lead to a host.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "count")]
pub struct CountRecord<'r> {
    host: Option<Bytes<'r>>,
    links: usize,
}

impl<'r> CountRecord<'r> {
    /// The record of a host, which is empty where links have none.
    pub fn new(host: &'r [u8], links: usize) -> Self {
        Self {
            host: (!host.is_empty()).then_some(Bytes(host)),
            links,
        }
    }
}

/// Appends the names of the columns of counts as CSV.
pub fn write_count_names(format: CsvFormat, out: &mut Vec<u8>) {
    write_row([&b"host"[..], b"links"], format, out);
}

/// Appends the row of a count as CSV.
pub fn write_count_row(host: &[u8], links: usize, format: CsvFormat, out: &mut Vec<u8>) {
    write_row([host, links.to_string().as_bytes()], format, out);
}

fn write_row<'c>(row: impl IntoIterator<Item = &'c [u8]>, format: CsvFormat, out: &mut Vec<u8>) {
    let end = csv::Terminator::Any(if format.null { 0 } else { b'\n' });
    let mut writer = csv::WriterBuilder::new().terminator(end).from_writer(out);
    let cells = row.into_iter().map(|cell| match cell {
        [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n', _, ..] if format.escape_formulas => {
            Cow::Owned([b"'", cell].concat())
        }
        _ => Cow::Borrowed(cell),
    });
    // Into memory nothing can fail, and the writer flushes when it goes.
    let written = writer.write_record(cells);
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
    /// How many messages the documents are parts of, if there are any.
    #[serde(skip_serializing_if = "is_zero")]
    pub messages: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
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
        document: &'r Source,
        link: &'r LinkData<'r>,
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
