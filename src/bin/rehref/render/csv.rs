//! Links and counts as CSV (RFC 4180).

use std::borrow::Cow;

use rehref::records::{ContextRecord, LinkRecord, MailRecord};

use crate::args::printing::PrintArgs;

/// A column: its name, and its cell for a link. Null is an empty cell.
type Column = (&'static str, for<'c> fn(&'c LinkRecord<'c>) -> Cell<'c>);

type Cell<'c> = Cow<'c, [u8]>;

/// The columns of every link. `start` and `end` are those of all spans; notes and alternatives are separated by spaces.
const LINK: [Column; 17] = [
    ("doc", |it| Cow::Borrowed(&it.doc.0)),
    ("line", |it| number(Some(it.line))),
    ("col", |it| number(Some(it.col))),
    ("start", |it| number(it.spans.first().map(|span| span[0]))),
    ("end", |it| number(it.spans.last().map(|span| span[1]))),
    ("uri", |it| text(&it.uri)),
    ("ref", |it| it.reference.as_bytes().into()),
    ("raw", |it| it.raw.as_bytes().into()),
    ("base", |it| text(&it.base)),
    ("base_from", |it| name(it.base_from)),
    ("place", |it| name(Some(it.place))),
    ("cue", |it| name(it.cue)),
    ("element", |it| text(&it.element)),
    ("attr", |it| text(&it.attr)),
    ("role", |it| name(Some(it.role))),
    ("notes", |it| it.notes.join(" ").into_bytes().into()),
    ("alternatives", |it| {
        it.alternatives.join(" ").into_bytes().into()
    }),
];

/// The columns of contexts.
const CONTEXT: [Column; 4] = [
    ("text", |it| in_context(it, |it| &it.text)),
    ("rel", |it| in_context(it, |it| &it.rel)),
    ("title", |it| in_context(it, |it| &it.title)),
    ("heading", |it| in_context(it, |it| &it.heading)),
];

/// The column of decoded URLs.
const UNWRAPPED: Column = ("unwrapped", |it| it.unwrapped.as_ref().map_or(EMPTY, text));

/// The columns of places in mail.
const MAIL: [Column; 8] = [
    ("message", |it| in_mail(it, |it| number(Some(it.message)))),
    ("message_offset", |it| {
        in_mail(it, |it| number(Some(it.message_offset)))
    }),
    ("message_id", |it| {
        let mail = it.mail.as_ref();
        let id = mail.and_then(|it| it.message_id.as_ref());
        id.map_or(EMPTY, |id| Cow::Borrowed(&id.0))
    }),
    ("part", |it| in_mail(it, |it| it.part.as_bytes().into())),
    ("header", |it| in_mail(it, |it| text(&it.header))),
    ("file_start", |it| {
        in_mail(it, |it| number(it.file_spans.first().map(|it| it[0])))
    }),
    ("file_end", |it| {
        in_mail(it, |it| number(it.file_spans.last().map(|it| it[1])))
    }),
    ("target_part", |it| in_mail(it, |it| text(&it.target_part))),
];

/// The columns, with those of contexts and of decoded URLs if wanted.
fn columns(context: bool, unwrapped: bool) -> impl Iterator<Item = &'static Column> {
    let context = CONTEXT.iter().filter(move |_| context);
    let unwrapped = unwrapped.then_some(&UNWRAPPED);
    LINK.iter().chain(context).chain(unwrapped).chain(&MAIL)
}

const EMPTY: Cell<'static> = Cow::Borrowed(b"");

fn number(number: Option<impl ToString>) -> Cell<'static> {
    number.map_or(EMPTY, |it| it.to_string().into_bytes().into())
}

fn name(name: Option<&'static str>) -> Cell<'static> {
    name.unwrap_or_default().as_bytes().into()
}

fn text<'c>(text: &'c Option<Cow<'_, str>>) -> Cell<'c> {
    text.as_deref().unwrap_or_default().as_bytes().into()
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

/// Appends the names of the columns of links.
pub(crate) fn write_names(context: bool, unwrapped: bool, args: PrintArgs, out: &mut Vec<u8>) {
    let names = columns(context, unwrapped).map(|(name, _)| name.as_bytes().into());
    write_row(names, args, out);
}

/// Appends the row of a link.
pub(crate) fn write_link(record: &LinkRecord<'_>, args: PrintArgs, out: &mut Vec<u8>) {
    let columns = columns(record.context.is_some(), record.unwrapped.is_some());
    write_row(columns.map(|(_, cell)| cell(record)), args, out);
}

/// Appends the row of a count, or the names of its columns.
pub(crate) fn write_count(row: [&[u8]; 2], args: PrintArgs, out: &mut Vec<u8>) {
    write_row(row.map(Cow::Borrowed), args, out);
}

/// Appends a row. To escape formulas, cells begin with an apostrophe that spreadsheets would take for formulas: cells of
/// more than one character that begin with `=`, `+`, `-`, `@`, a tab or a line break.
fn write_row<'c>(row: impl IntoIterator<Item = Cell<'c>>, args: PrintArgs, out: &mut Vec<u8>) {
    let end = csv::Terminator::Any(args.end());
    let mut writer = csv::WriterBuilder::new().terminator(end).from_writer(out);
    let cells = row.into_iter().map(|cell| match &*cell {
        [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n', _, ..] if args.escape_formulas => {
            [b"'", &*cell].concat().into()
        }
        _ => cell,
    });
    // Writing to memory cannot fail, and the writer flushes when dropped.
    let written = writer.write_record(cells);
    debug_assert!(written.is_ok());
}
