//! A line of a document with a part of it underlined.

use std::io::{self, IsTerminal};
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use rehref::bytes::Span;
use rehref::document::{Document, Link};
use terminal_size::{Width, terminal_size_of};

use super::escape::sanitized;
use super::quiet::Quiet;

/// The maximum number of bytes of a line before and after the start of the underlined part. More
/// would not fit on a terminal, and a document may be one line.
const REACH: usize = 1 << 10;

/// The columns of a terminal of unknown size.
const COLUMNS: u16 = 80;

/// A line with a part of it underlined.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The number of the line, from 1.
    number: usize,
    /// The line, or the part of it around the underlined one, in which harmful characters are
    /// escaped.
    line: String,
    /// The bytes of `line` that are underlined.
    span: Range<usize>,
}

impl Excerpt {
    /// A line of text. `span` are the bytes to underline, which are clipped to the line.
    pub(crate) fn new(number: usize, line: &str, span: Range<usize>) -> Option<Self> {
        let end = line.find(['\n', '\r']).unwrap_or(line.len());
        let line = &line[..end];
        let (start, end) = (span.start.min(end), span.end.min(end));
        let parts = [line.get(..start)?, line.get(start..end)?, line.get(end..)?];
        let [before, marked, after] = parts.map(escaped);
        Some(Self {
            number,
            span: before.len()..before.len() + marked.len(),
            line: before + &marked + &after,
        })
    }

    /// The first line of a link. `None` if excerpts are not shown.
    pub(crate) fn of_link(link: &Link<'_>) -> Option<Self> {
        let first = link.spans().first()?;
        Self::in_document(link.document(), link.line(), first.start..first.end)
    }

    /// The line with these bytes of a document. `None` if excerpts are not shown.
    pub(crate) fn in_document(
        document: &Document,
        number: usize,
        span: Range<usize>,
    ) -> Option<Self> {
        // The line feeds of UTF-16 are not single bytes.
        if !shows_excerpts() || document.charset().is_utf16() {
            return None;
        }
        let bytes = document.bytes();
        let start = span.start.min(bytes.len());
        let window = start.saturating_sub(REACH)..bytes.len().min(start + REACH);
        let line_start = memchr::memrchr(b'\n', &bytes[window.start..start]);
        let line_start = line_start.map_or(window.start, |at| window.start + at + 1);
        let line_end = memchr::memchr(b'\n', &bytes[start..window.end]);
        let line_end = line_end.map_or(window.end, |at| start + at);
        let end = span.end.clamp(start, line_end);
        let decoded = [line_start..start, start..end, end..line_end]
            .map(|range| document.decode(Span::new(range.start, range.end)).into_owned());
        let [before, marked, after] = decoded;
        let span = before.len()..before.len() + marked.len();
        Self::new(number, &(before + &marked + &after), span)
    }

    /// A line of a file, from 1. `None` if excerpts are not shown, or the file cannot be read
    /// again.
    pub(crate) fn in_file(path: &Path, number: u64) -> Option<Self> {
        // Reading a pipe or standard input again would wait.
        if !shows_excerpts() || !path.is_file() {
            return None;
        }
        let number = usize::try_from(number).ok()?;
        let document = rehref::open(path).ok()?.next()?.ok()?;
        let starts = memchr::memchr_iter(b'\n', document.bytes()).map(|at| at + 1);
        let start = std::iter::once(0).chain(starts).nth(number.checked_sub(1)?)?;
        Self::in_document(&document, number, start..document.bytes().len())
    }

    /// Returns the lines to print, each with its line break.
    pub(crate) fn rendered(&self, is_colored: bool) -> String {
        let columns = terminal_size_of(io::stderr()).map_or(COLUMNS, |(Width(columns), _)| columns);
        self.in_columns(columns, is_colored)
    }

    /// Returns the lines to print on a terminal of this width.
    pub(crate) fn in_columns(&self, columns: u16, is_colored: bool) -> String {
        let renderer = match is_colored {
            true => Renderer::styled(),
            false => Renderer::plain(),
        };
        let annotation = AnnotationKind::Primary.span(self.span.clone());
        let snippet =
            Snippet::source(self.line.as_str()).line_start(self.number).annotation(annotation);
        let group = Group::with_level(Level::ERROR).element(snippet);
        let rendered = renderer.term_width(columns.into()).render(&[group]);
        let lines = rendered.lines().map(|line| format!("{}\n", line.trim_end()));
        lines.collect()
    }
}

/// Returns true if messages have excerpts.
fn shows_excerpts() -> bool {
    io::stderr().is_terminal() && !Quiet::silences_summaries()
}

/// Escapes harmful characters. Tabs are kept.
fn escaped(text: &str) -> String {
    sanitized(text).replace('\0', "\\u{0}")
}
