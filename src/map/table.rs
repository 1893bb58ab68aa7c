//! Maps of prefixes as tables: comma-separated values (RFC 4180), or values separated by tabs.

use std::borrow::Cow;
use std::fmt;

use super::{PrefixMap, PrefixMapError};

/// Why a table is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// The column in that line, in bytes from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: TableFault,
}

/// What is wrong in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableFault {
    /// A row has as many columns instead of two.
    Columns(usize),
    /// A quote is not closed.
    OpenQuote,
    /// Something stands between the quote that closes a value and its end.
    AfterQuote,
    /// The row is no entry of the map.
    Entry(PrefixMapError),
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns(1) => f.write_str("1 column instead of 2 (old,new)"),
            Self::Columns(count) => write!(f, "{count} columns instead of 2 (old,new)"),
            Self::OpenQuote => f.write_str("a quote is not closed"),
            Self::AfterQuote => f.write_str("a value goes on after its closing quote"),
            Self::Entry(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.fault)
    }
}

impl std::error::Error for TableError {}

impl PrefixMap {
    /// Adds the rows of a table with the columns `old` and `new`, which `separator` separates. Values may stand
    /// in quotes, in which a quote is doubled (RFC 4180). A first row `old,new` is a header. Passed over are
    /// blank lines, lines that begin with `#`, and a byte order mark.
    ///
    /// # Errors
    /// As [`PrefixMap::insert`], and where a row has not two columns; with the place. The rows before it are
    /// there then.
    pub fn insert_table(&mut self, text: &str, separator: char) -> Result<(), TableError> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut rows = Rows {
            rest: text,
            line: 1,
            separator,
        };
        let mut is_first = true;
        while let Some(row) = rows.next() {
            let Row { line, values } = row?;
            let [(old_at, old), (new_at, new)] = &values[..] else {
                let (column, _) = values.first().map_or((1, ""), |(at, it)| (*at, it));
                return Err(TableError {
                    line,
                    column,
                    fault: TableFault::Columns(values.len()),
                });
            };
            let is_header = is_first
                && old.trim().eq_ignore_ascii_case("old")
                && new.trim().eq_ignore_ascii_case("new");
            is_first = false;
            if is_header {
                continue;
            }
            self.insert(old, new).map_err(|error| TableError {
                line,
                column: match error {
                    PrefixMapError::NewNotAbsolute => *new_at,
                    _ => *old_at,
                },
                fault: TableFault::Entry(error),
            })?;
        }
        Ok(())
    }
}

/// What is not read yet of a table.
struct Rows<'t> {
    rest: &'t str,
    line: usize,
    separator: char,
}

/// A row, each value with its column.
struct Row<'t> {
    line: usize,
    values: Vec<(usize, Cow<'t, str>)>,
}

impl<'t> Rows<'t> {
    fn next(&mut self) -> Option<Result<Row<'t>, TableError>> {
        while !self.rest.is_empty() {
            let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
            let line = &self.rest[..end];
            if !line.trim().is_empty() && !line.starts_with('#') {
                return Some(self.row());
            }
            self.rest = &self.rest[end..];
            self.line += 1;
        }
        None
    }

    fn row(&mut self) -> Result<Row<'t>, TableError> {
        let line = self.line;
        let mut values = Vec::new();
        let mut column = 1;
        loop {
            let (value, len) = match self.rest.strip_prefix('"') {
                Some(quoted) => self.quoted(quoted, line, column)?,
                None => {
                    let ends = |it: char| it == self.separator || it == '\n';
                    let len = self.rest.find(ends).unwrap_or(self.rest.len());
                    let value = &self.rest[..len];
                    let is_last = !self.rest[len..].starts_with(self.separator);
                    let value = value
                        .strip_suffix('\r')
                        .filter(|_| is_last)
                        .unwrap_or(value);
                    (Cow::Borrowed(value), len)
                }
            };
            values.push((column, value));
            column += len;
            self.rest = &self.rest[len..];
            if let Some(rest) = self.rest.strip_prefix(self.separator) {
                self.rest = rest;
                column += self.separator.len_utf8();
                continue;
            }
            let rest = self.rest.strip_prefix('\r').unwrap_or(self.rest);
            self.rest = rest.strip_prefix('\n').unwrap_or(rest);
            self.line += 1;
            return Ok(Row { line, values });
        }
    }

    /// The value that is `quoted` up to the next single quote mark, and its length with both quotes. The line
    /// is counted on.
    fn quoted(
        &mut self,
        quoted: &str,
        line: usize,
        column: usize,
    ) -> Result<(Cow<'t, str>, usize), TableError> {
        let failure = |fault| TableError {
            line,
            column,
            fault,
        };
        let mut value = String::new();
        let mut rest = quoted;
        loop {
            let end = rest
                .find('"')
                .ok_or_else(|| failure(TableFault::OpenQuote))?;
            value.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix('"') {
                Some(after) => {
                    value.push('"');
                    rest = after;
                }
                None => break,
            }
        }
        let ends = [&self.separator.to_string()[..], "\n", "\r\n"];
        if !rest.is_empty() && !ends.iter().any(|end| rest.starts_with(end)) {
            return Err(failure(TableFault::AfterQuote));
        }
        self.line += value.matches('\n').count();
        Ok((Cow::Owned(value), 1 + quoted.len() - rest.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str, separator: char) -> Result<PrefixMap, String> {
        let mut map = PrefixMap::default();
        match map.insert_table(text, separator) {
            Ok(()) => Ok(map),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn tables_are_read_with_quotes_headers_and_comments() {
        let text = "\u{FEFF}# of May\r\nOld,New\r\n\r\nhttp://a,http://b\r\n\"http://c/,\",\"http://d/\"\"\"\n  \nhttp://e,http://f";
        let map = map(text, ',').expect("a table");
        let get = |uri| map.get(uri);
        assert_eq!(map.len(), 3);
        assert_eq!(get("http://a/x").as_deref(), Some("http://b/x"));
        assert_eq!(get("http://c/,").as_deref(), Some("http://d/\""));
        assert_eq!(get("http://e").as_deref(), Some("http://f"));
        let map = self::map("http://a/,x\thttp://b\n", '\t').expect("a table");
        assert_eq!(map.get("http://a/,x").as_deref(), Some("http://b"));
        assert!(self::map("", ',').expect("a table").is_empty());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, expected) in [
            (
                "http://a,http://b\nc,http://d\n",
                "2:1: OLD is not an absolute URI",
            ),
            ("\n#\nhttp://a,b\n", "3:10: NEW is not an absolute URI"),
            ("http://a\n", "1:1: 1 column instead of 2 (old,new)"),
            (
                "http://a,http://b,\n",
                "1:1: 3 columns instead of 2 (old,new)",
            ),
            ("http://a,\"http://b\n", "1:10: a quote is not closed"),
            (
                "http://a,\"b\"c",
                "1:10: a value goes on after its closing quote",
            ),
            (
                "\"http://a\n\",http://b\nhttp://a,http://c\nx,y",
                "4:1: OLD is not an absolute URI",
            ),
            (
                "http://a,http://b\nHTTP://A/,http://c",
                "2:1: OLD is mapped already",
            ),
        ] {
            assert_eq!(map(text, ',').expect_err("no table"), expected, "{text}");
        }
    }
}
