//! Tables of two columns: `old,new`.

use std::path::Path;

use anyhow::{Context, bail};
use rehref::source::{Content, Item, ReadOptions};

/// A row of a table.
pub(crate) struct Row {
    pub(crate) old: String,
    pub(crate) new: String,
    /// The line that it begins in, from 1.
    pub(crate) line: u64,
}

/// The rows of a table with the columns `old` and `new`: comma-separated values (RFC 4180), or separated by tabs
/// if the file's name ends in .tsv or there is a tab in its first line. A first row `old,new` is a header. Blank
/// lines, and those that begin with `#`, are passed over.
pub(crate) fn rows(file: &Path) -> anyhow::Result<Vec<Row>> {
    let shown = file.display();
    let options = ReadOptions::default();
    let text = match options.read(&Item::Path(file.to_owned()))? {
        Content::Document(document) => document.text().text.into_owned(),
        Content::Damaged(..) | Content::Binary(_) => bail!("{shown}: this is no text"),
    };
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let is_tsv = file
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("tsv"))
        || text.lines().next().is_some_and(|line| line.contains('\t'));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if is_tsv { b'\t' } else { b',' })
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.with_context(|| shown.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        match record.iter().collect::<Vec<_>>()[..] {
            [""] => {}
            ["old", "new"] if rows.is_empty() => {}
            [old, new] => rows.push(Row {
                old: old.to_owned(),
                new: new.to_owned(),
                line,
            }),
            ref columns => {
                let count = columns.len();
                bail!("{shown}:{line}:1: {count} columns where there are two: old,new");
            }
        }
    }
    Ok(rows)
}
