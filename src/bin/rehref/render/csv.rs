//! Links and counts as CSV (RFC 4180).

use std::borrow::Cow;

use rehref::records::{LinkRecord, MailRecord};

/// The format of CSV rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CsvFormat {
    /// End rows with NUL instead of LF.
    pub(crate) null: bool,
    /// Begin cells with an apostrophe that spreadsheets would take for formulas: cells of more than one character that
    /// begin with `=`, `+`, `-`, `@`, a tab or a line break.
    pub(crate) escape_formulas: bool,
}

/// Appends the names of the columns of links, with those of contexts and of decoded URLs if wanted.
pub(crate) fn write_csv_names(
    context: bool,
    unwrapped: bool,
    format: CsvFormat,
    out: &mut Vec<u8>,
) {
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

/// The columns of contexts.
const CONTEXT_NAMES: [&str; 4] = ["text", "rel", "title", "heading"];

/// The columns of places in mail.
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

/// Appends the row of a link (RFC 4180). Null is an empty cell. `start` and `end` are those of all spans; notes and
/// alternatives are separated by spaces.
pub(crate) fn write_csv(record: &LinkRecord<'_>, format: CsvFormat, out: &mut Vec<u8>) {
    let start = record.spans.first().map_or(0, |span| span[0]);
    let end = record.spans.last().map_or(0, |span| span[1]);
    let numbers = [record.line, record.col, start, end].map(|it| it.to_string());
    let [line, col, start, end] = &numbers;
    let (notes, alternatives) = (record.notes.join(" "), record.alternatives.join(" "));
    let row: [&str; LINK_NAMES.len() - 1] = [
        line,
        col,
        start,
        end,
        text(&record.uri),
        &record.reference,
        &record.raw,
        text(&record.base),
        record.base_from.unwrap_or_default(),
        record.place,
        record.cue.unwrap_or_default(),
        text(&record.element),
        text(&record.attr),
        record.role,
        &notes,
        &alternatives,
    ];
    let context = record.context.as_ref().map(|context| match context {
        Some(it) => [&it.text, &it.rel, &it.title, &it.heading].map(text),
        None => [""; CONTEXT_NAMES.len()],
    });
    let unwrapped = record.unwrapped.as_ref().map(text);
    let mail = record.mail.as_ref();
    let numbers = mail.map(mail_numbers).unwrap_or_default();
    let [message, offset, file_start, file_end] = &numbers;
    let message_id = mail.and_then(|it| it.message_id.as_ref());
    let mail: [&[u8]; MAIL_NAMES.len()] = [
        message.as_bytes(),
        offset.as_bytes(),
        message_id.map_or(b"", |id| &id.0),
        mail.map_or("", |it| &it.part).as_bytes(),
        mail.map_or("", |it| text(&it.header)).as_bytes(),
        file_start.as_bytes(),
        file_end.as_bytes(),
        mail.map_or("", |it| text(&it.target_part)).as_bytes(),
    ];
    let context = context.into_iter().flatten();
    let texts = row.into_iter().chain(context).chain(unwrapped);
    let cells = std::iter::once(&*record.doc.0).chain(texts.map(str::as_bytes));
    write_row(cells.chain(mail), format, out);
}

fn text<'c>(cell: &'c Option<Cow<'_, str>>) -> &'c str {
    cell.as_deref().unwrap_or_default()
}

/// The number of the message, its first byte, and the first and last byte of the link in the file.
fn mail_numbers(mail: &MailRecord<'_>) -> [String; 4] {
    let spans = &mail.file_spans;
    let number = |at: Option<u64>| at.map_or(String::new(), |at| at.to_string());
    [
        mail.message.to_string(),
        mail.message_offset.to_string(),
        number(spans.first().map(|[start, _]| *start)),
        number(spans.last().map(|[_, end]| *end)),
    ]
}

/// Appends the names of the columns of counts as CSV.
pub(crate) fn write_count_names(format: CsvFormat, out: &mut Vec<u8>) {
    write_row([&b"host"[..], b"links"], format, out);
}

/// Appends the row of a count as CSV.
pub(crate) fn write_count_row(host: &str, links: usize, format: CsvFormat, out: &mut Vec<u8>) {
    write_row([host.as_bytes(), links.to_string().as_bytes()], format, out);
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
    // Writing to memory cannot fail, and the writer flushes when dropped.
    let written = writer.write_record(cells);
    debug_assert!(written.is_ok());
}
