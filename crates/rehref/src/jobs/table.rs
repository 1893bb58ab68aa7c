//! Tables with the columns `old` and `new`.

use std::path::{Path, PathBuf};

use super::error::JobError;
use crate::fs::{Content, Item, ReadOptions, bytes_of_list, path_of_bytes};

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<T> {
    /// The old value.
    pub old: T,
    /// The new value.
    pub new: T,
    /// The first line, from 1.
    pub line: u64,
}

impl<T> Row<T> {
    fn map<U>(self, value: impl Fn(T) -> U) -> Row<U> {
        Row { old: value(self.old), new: value(self.new), line: self.line }
    }
}

/// Reads the rows of a table of text, in any character encoding: comma-separated values (RFC 4180),
/// or tab-separated if the name of the file ends in `.tsv` or its first line has a tab. A first row
/// `old,new` is a header. Blank lines and lines that begin with `#` are skipped.
///
/// # Errors
/// If the file cannot be read, or a row does not have two columns.
pub fn rows(file: &Path) -> Result<Vec<Row<String>>, JobError> {
    records_of_text(file, &text_of(file)?)
}

/// Reads a file of text, in any character encoding.
pub(super) fn text_of(file: &Path) -> Result<String, JobError> {
    let options = ReadOptions::default();
    match options.read(&Item::Path(file.to_owned()))? {
        Content::Document(document) => Ok(document.text().text.into_owned()),
        _ => Err(malformed(file, None, "not a text file")),
    }
}

/// Reads the rows of a table that is this text.
pub(super) fn records_of_text(file: &Path, text: &str) -> Result<Vec<Row<String>>, JobError> {
    let rows = records(file, text.as_bytes())?.into_iter();
    // The text is UTF-8, and so are its cells.
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(rows.map(|row| row.map(text)).collect())
}

/// Reads the rows of a table of paths; `-` is standard input. Like [`rows`], but without decoding:
/// file names are bytes.
///
/// # Errors
/// See [`rows`].
pub fn rows_of_paths(list: &Path) -> Result<Vec<Row<PathBuf>>, JobError> {
    let bytes = bytes_of_list(list.as_os_str())?;
    let rows = records(list, &bytes)?.into_iter();
    Ok(rows.map(|row| row.map(|bytes| path_of_bytes(&bytes))).collect())
}

/// A line after the last one. It is a record of its own unless a quote is open. File names have no
/// NUL.
const END: &[u8] = b"\n\0";

fn records(file: &Path, bytes: &[u8]) -> Result<Vec<Row<Vec<u8>>>, JobError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let is_tsv = file.extension().is_some_and(|it| it.eq_ignore_ascii_case("tsv"))
        || lines.next().is_some_and(|line| line.contains(&b'\t'));
    let with_end = [bytes, END].concat();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if is_tsv { b'\t' } else { b',' })
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(&*with_end);
    let mut rows = Vec::new();
    for record in reader.byte_records() {
        let record = record.map_err(|error| malformed(file, None, &error.to_string()))?;
        let line = record.position().map_or(0, |at| line_of(at, bytes));
        if record.iter().eq([END.trim_ascii()]) {
            break;
        }
        if record.iter().next_back().is_some_and(|it| it.ends_with(END)) {
            return Err(malformed(file, Some(line), "a quote is not closed"));
        }
        match record.iter().collect::<Vec<_>>()[..] {
            [b""] => {}
            [old, new] if rows.is_empty() && is_header(old, new) => {}
            [old, new] => rows.push(Row { old: old.to_owned(), new: new.to_owned(), line }),
            ref columns => {
                let message = match columns.len() {
                    1 => "missing NEW column: each row is old,new".to_owned(),
                    count => format!("{count} columns instead of 2: each row is old,new"),
                };
                return Err(malformed(file, Some(line), &message));
            }
        }
    }
    Ok(rows)
}

/// Returns the first line of a record. Its position is before the lines that the reader skipped.
fn line_of(position: &csv::Position, bytes: &[u8]) -> u64 {
    let start = usize::try_from(position.byte()).unwrap_or(bytes.len());
    let lines = bytes[start.min(bytes.len())..].split_inclusive(|&byte| byte == b'\n');
    let is_passed = |line: &&[u8]| matches!(line.first(), None | Some(b'#' | b'\r' | b'\n'));
    let passed = lines.take_while(is_passed).count();
    position.line() + u64::try_from(passed).unwrap_or(0)
}

fn is_header(old: &[u8], new: &[u8]) -> bool {
    let is = |value: &[u8], name: &str| value.trim_ascii().eq_ignore_ascii_case(name.as_bytes());
    is(old, "old") && is(new, "new")
}

pub(super) fn malformed(file: &Path, line: Option<u64>, message: &str) -> JobError {
    JobError::Malformed { file: file.to_owned(), line, message: message.to_owned() }
}
