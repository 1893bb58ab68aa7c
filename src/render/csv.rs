//! Links and counts as CSV (RFC 4180).

use std::borrow::Cow;

use rehref::records::{ContextRecord, LinkRecord, MailRecord, WebArchiveRecord};

use super::csv_text::write_text;

/// The style of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowStyle {
    /// The byte after each row.
    pub(crate) end: u8,
    /// True if cells that spreadsheets would read as formulas are escaped.
    pub(crate) escapes_formulas: bool,
}

/// A column: its name, and its cell for a link. Null is an empty cell.
type Column = (&'static str, for<'c> fn(&'c LinkRecord<'c>) -> Cell<'c>);

/// A cell, before it is escaped.
enum Cell<'c> {
    Text(Cow<'c, [u8]>),
    /// A name of a list, which has no character to escape.
    Name(&'static str),
    Number(u64),
}

/// The columns of every link. `start` and `end` are those of all spans; notes and alternatives are
/// separated by spaces.
const LINK: [Column; 17] = [
    ("doc", |it| bytes(&it.doc.0)),
    ("line", |it| index(Some(it.line))),
    ("col", |it| index(Some(it.col))),
    ("start", |it| index(it.spans.as_ref().and_then(|it| it.first()).map(|span| span[0]))),
    ("end", |it| index(it.spans.as_ref().and_then(|it| it.last()).map(|span| span[1]))),
    ("uri", |it| text(&it.uri)),
    ("ref", |it| bytes(it.reference.as_bytes())),
    ("raw", |it| bytes(it.raw.as_bytes())),
    ("base", |it| text(&it.base)),
    ("base_from", |it| name(it.base_from)),
    ("place", |it| name(Some(it.place))),
    ("cue", |it| name(it.cue)),
    ("element", |it| text(&it.element)),
    ("attr", |it| text(&it.attr)),
    ("role", |it| name(Some(it.role))),
    ("notes", |it| words(it.notes.join(" "))),
    ("alternatives", |it| words(it.alternatives.join(" "))),
];

/// The columns of contexts.
const CONTEXT: [Column; 7] = [
    ("text", |it| in_context(it, |it| &it.text)),
    ("rel", |it| in_context(it, |it| &it.rel)),
    ("title", |it| in_context(it, |it| &it.title)),
    ("heading", |it| in_context(it, |it| &it.heading)),
    ("message_date", |it| in_context(it, |it| &it.date)),
    ("from", |it| in_context(it, |it| &it.from)),
    ("subject", |it| in_context(it, |it| &it.subject)),
];

/// The column of decoded URLs.
const UNWRAPPED: Column = ("unwrapped", |it| it.unwrapped.as_ref().map_or(EMPTY, text));

/// The columns of places in mail.
const MAIL: [Column; 8] = [
    ("message", |it| in_mail(it, |it| Cell::Number(it.message))),
    ("message_offset", |it| in_mail(it, |it| Cell::Number(it.message_offset))),
    ("message_id", |it| {
        let mail = it.mail.as_ref();
        let id = mail.and_then(|it| it.message_id.as_ref());
        id.map_or(EMPTY, |id| bytes(&id.0))
    }),
    ("part", |it| in_mail(it, |it| bytes(it.part.as_bytes()))),
    ("header", |it| in_mail(it, |it| text(&it.header))),
    ("file_start", |it| {
        in_mail(it, |it| it.file_spans.first().map_or(EMPTY, |it| Cell::Number(it[0])))
    }),
    ("file_end", |it| {
        in_mail(it, |it| it.file_spans.last().map_or(EMPTY, |it| Cell::Number(it[1])))
    }),
    ("target_part", |it| in_mail(it, |it| text(&it.target_part))),
];

/// The columns of records of web archives.
const WEB_ARCHIVE: [Column; 8] = [
    ("record_offset", |it| in_archive(it, |it| Cell::Number(it.record_offset))),
    ("member_offset", |it| in_archive(it, |it| Cell::Number(it.member_offset))),
    ("record_id", |it| in_archive(it, |it| text(&it.record_id))),
    ("retrieved", |it| in_archive(it, |it| text(&it.retrieved))),
    ("status", |it| in_archive(it, |it| index(it.status.map(usize::from)))),
    ("date", |it| in_archive(it, |it| text(&it.date))),
    ("record_type", |it| in_archive(it, |it| bytes(it.record_type.as_bytes()))),
    ("content_type", |it| in_archive(it, |it| text(&it.content_type))),
];

/// The columns, with those of contexts and of decoded URLs if wanted.
fn columns(context: bool, unwrapped: bool) -> impl Iterator<Item = &'static Column> {
    let context = CONTEXT.iter().filter(move |_| context);
    let unwrapped = unwrapped.then_some(&UNWRAPPED);
    let contexts = LINK.iter().chain(context).chain(unwrapped);
    contexts.chain(&MAIL).chain(&WEB_ARCHIVE)
}

const EMPTY: Cell<'static> = Cell::Name("");

fn index(number: Option<usize>) -> Cell<'static> {
    number.map_or(EMPTY, |it| Cell::Number(it as u64))
}

fn name(name: Option<&'static str>) -> Cell<'static> {
    name.map_or(EMPTY, Cell::Name)
}

fn bytes(bytes: &[u8]) -> Cell<'_> {
    Cell::Text(Cow::Borrowed(bytes))
}

fn text<'c>(text: &'c Option<Cow<'_, str>>) -> Cell<'c> {
    text.as_deref().map_or(EMPTY, |it| bytes(it.as_bytes()))
}

fn words(words: String) -> Cell<'static> {
    Cell::Text(Cow::Owned(words.into_bytes()))
}

fn in_context<'c>(
    record: &'c LinkRecord<'c>,
    cell: impl FnOnce(&'c ContextRecord<'c>) -> &'c Option<Cow<'c, str>>,
) -> Cell<'c> {
    let context = record.context.as_ref().and_then(Option::as_ref);
    context.map_or(EMPTY, |it| text(cell(it)))
}

fn in_mail<'c>(
    record: &'c LinkRecord<'c>,
    cell: impl FnOnce(&'c MailRecord<'c>) -> Cell<'c>,
) -> Cell<'c> {
    record.mail.as_ref().map_or(EMPTY, cell)
}

fn in_archive<'c>(
    record: &'c LinkRecord<'c>,
    cell: impl FnOnce(&'c WebArchiveRecord<'c>) -> Cell<'c>,
) -> Cell<'c> {
    record.web_archive.as_ref().map_or(EMPTY, cell)
}

/// Appends the names of the columns of links.
pub(crate) fn write_names(context: bool, unwrapped: bool, style: RowStyle, out: &mut Vec<u8>) {
    let names = columns(context, unwrapped).map(|(name, _)| Cell::Name(name));
    write_row(names, style, out);
}

/// Appends the row of a link.
pub(crate) fn write_link(record: &LinkRecord<'_>, style: RowStyle, out: &mut Vec<u8>) {
    let columns = columns(record.context.is_some(), record.unwrapped.is_some());
    write_row(columns.map(|(_, cell)| cell(record)), style, out);
}

/// Appends the row of a count, or the names of its columns.
pub(crate) fn write_count(row: [&[u8]; 2], style: RowStyle, out: &mut Vec<u8>) {
    write_row(row.map(bytes), style, out);
}

/// Appends a row. To escape formulas, an apostrophe is added to cells that spreadsheets would read
/// as formulas: cells of more than one character that begin with `=`, `+`, `-`, `@`, a tab or a
/// line break.
fn write_row<'c>(row: impl IntoIterator<Item = Cell<'c>>, style: RowStyle, out: &mut Vec<u8>) {
    row.into_iter().for_each(|cell| {
        match cell {
            Cell::Name(name) => out.extend_from_slice(name.as_bytes()),
            Cell::Number(number) => {
                out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            Cell::Text(text) => {
                let is_formula =
                    matches!(*text, [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n', _, ..]);
                let prefix = if is_formula && style.escapes_formulas { "'" } else { "" };
                write_text(prefix, &text, style.end, out);
            }
        }
        out.push(b',');
    });
    // Instead of the last comma.
    out.pop();
    out.push(style.end);
}
