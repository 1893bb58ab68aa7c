//! Tables of two columns: `old,new`.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rehref::fs::{Content, Item, ReadOptions, bytes_of_list, path_of_bytes};

/// A row of a table.
pub(crate) struct Row<T> {
    pub(crate) old: T,
    pub(crate) new: T,
    /// The line that it begins in, from 1.
    line: u64,
}

impl<T> Row<T> {
    fn map<U>(self, value: impl Fn(T) -> U) -> Row<U> {
        Row {
            old: value(self.old),
            new: value(self.new),
            line: self.line,
        }
    }
}

/// Where a row stands.
#[derive(Clone, Copy)]
pub(crate) struct Place<'f> {
    file: &'f Path,
    line: u64,
}

impl<'f> Place<'f> {
    pub(crate) fn of<T>(file: &'f Path, row: &Row<T>) -> Self {
        let line = row.line;
        Self { file, line }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:1", self.file.display(), self.line)
    }
}

/// The rows of a table of text, in any charset.
pub(crate) fn rows(file: &Path) -> anyhow::Result<Vec<Row<String>>> {
    let options = ReadOptions::default();
    let text = match options.read(&Item::Path(file.to_owned()))? {
        Content::Document(document) => document.text().text.into_owned(),
        Content::Damaged(..) | Content::Binary(_) => bail!("{}: this is no text", file.display()),
    };
    let rows = records(file, text.as_bytes())?.into_iter();
    // The text is UTF-8, and so is what stands between its delimiters.
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(rows.map(|row| row.map(text)).collect())
}

/// The rows of a table of paths, `-` for standard input. Names of files are bytes, so nothing is decoded.
pub(crate) fn rows_of_paths(list: &Path) -> anyhow::Result<Vec<Row<PathBuf>>> {
    let bytes = bytes_of_list(list.as_os_str())?;
    let rows = records(list, &bytes)?.into_iter();
    Ok(rows
        .map(|row| row.map(|bytes| path_of_bytes(&bytes)))
        .collect())
}

/// A line that is read after the last one: it is one of its own unless a quote is open. No name has a NUL.
const END: &[u8] = b"\n\0";

/// The rows of a table with the columns `old` and `new`: comma-separated values (RFC 4180), or separated by tabs
/// if the file's name ends in .tsv or there is a tab in its first line. A first row `old,new` is a header. Blank
/// lines, and those that begin with `#`, are passed over.
fn records(file: &Path, bytes: &[u8]) -> anyhow::Result<Vec<Row<Vec<u8>>>> {
    let shown = file.display();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let is_tsv = file
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("tsv"))
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
        let record = record.with_context(|| shown.to_string())?;
        let line = record.position().map_or(0, |at| line_of(at, bytes));
        if record.iter().eq([END.trim_ascii()]) {
            break;
        }
        if record
            .iter()
            .next_back()
            .is_some_and(|it| it.ends_with(END))
        {
            bail!("{shown}:{line}:1: a quote is open to the end of the file");
        }
        match record.iter().collect::<Vec<_>>()[..] {
            [b""] => {}
            [old, new] if rows.is_empty() && is_header(old, new) => {}
            [old, new] => rows.push(Row {
                old: old.to_owned(),
                new: new.to_owned(),
                line,
            }),
            ref columns => {
                let (count, plural) = (columns.len(), if columns.len() == 1 { "" } else { "s" });
                bail!("{shown}:{line}:1: {count} column{plural} instead of 2 (old,new)");
            }
        }
    }
    Ok(rows)
}

/// The line that a record begins in. Its position is where the reader began to look for it: before what it passed
/// over.
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
