//! The source of a document with its links marked.

use rehref::Document;
use rehref::bytes::Span;

use super::html::Html;
use super::shown_link::ShownLink;

/// The size in bytes up to which a document is shown whole.
const MAX_WHOLE: usize = 256 << 10;

/// The maximum number of bytes in an excerpt before and after a link.
const AROUND: usize = 300;

/// The length of a line or link in bytes from which on it is shown in parts.
const LONG_LINE: usize = 2000;

/// The bytes of a long line that are shown at each side of a link.
const BESIDE: usize = 160;

/// The lines of a list. A browser lays out only the lists on the screen.
const LINES: usize = 100;

/// A piece of a link in the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) span: Span,
    /// The number of the link in the document.
    pub(super) link: usize,
}

/// The source of a document.
#[derive(Debug, Default)]
pub(super) struct MarkedSource {
    /// All of it, unless it is large.
    pub(super) whole: Option<Html>,
    /// The lines near links.
    pub(super) excerpts: Html,
}

/// A part of a document that is shown.
struct Window {
    /// Its bytes.
    span: Span,
    /// The marks in it.
    marks: std::ops::Range<usize>,
}

/// A text in a line.
struct Part {
    text: String,
    /// The number of the link that it belongs to.
    link: Option<usize>,
}

impl MarkedSource {
    /// Marks links. The marks are in the order of the document.
    pub(super) fn new(document: &Document, marks: &[Mark], links: &[ShownLink]) -> Self {
        let marker = Marker { document, marks, links };
        let len = document.bytes().len();
        let whole = (len <= MAX_WHOLE).then(|| {
            let mut out = Html::default();
            let window = Window { span: Span { start: 0, end: len }, marks: 0..marks.len() };
            marker.window(&window, false, &mut out);
            out
        });
        let mut excerpts = Html::default();
        for window in marker.windows() {
            marker.window(&window, true, &mut excerpts);
        }
        Self { whole, excerpts }
    }
}

/// Marks the links of a document.
struct Marker<'d> {
    document: &'d Document,
    marks: &'d [Mark],
    links: &'d [ShownLink],
}

impl Marker<'_> {
    /// The parts around links: a line before and after each, if these are short.
    fn windows(&self) -> Vec<Window> {
        let bytes = self.document.bytes();
        let mut windows: Vec<Window> = Vec::new();
        for (at, mark) in self.marks.iter().enumerate() {
            let span = Span {
                start: self.start_before(mark.span.start),
                end: self.end_after(mark.span.end).min(bytes.len()),
            };
            match windows.last_mut() {
                Some(last) if span.start <= last.span.end => {
                    last.span.end = last.span.end.max(span.end);
                    last.marks.end = at + 1;
                }
                _ => windows.push(Window { span, marks: at..at + 1 }),
            }
        }
        windows
    }

    /// The start of the line before that of `at`, or an offset near it.
    fn start_before(&self, at: usize) -> usize {
        let bytes = self.document.bytes();
        let from = at.saturating_sub(AROUND);
        let feeds = (from..at).rev().filter(|&at| bytes[at] == b'\n');
        let mut starts = feeds.map(|at| at + 1);
        self.at_character(match (starts.next(), starts.next()) {
            (_, Some(previous)) => previous,
            _ if from == 0 => 0,
            (Some(line), None) => line,
            (None, None) => from,
        })
    }

    /// The end of the line after that of `at`, or an offset near it.
    fn end_after(&self, at: usize) -> usize {
        let bytes = self.document.bytes();
        let to = bytes.len().min(at + AROUND);
        let mut ends = (at..to).filter(|&at| bytes[at] == b'\n');
        self.at_character(match (ends.next(), ends.next()) {
            (_, Some(next)) => next,
            _ if to == bytes.len() => to,
            (Some(line), None) => line,
            (None, None) => to,
        })
    }

    /// The start of the character that `at` is in: a part must not begin or end within one. In
    /// encodings other than UTF-8 and UTF-16, the first character of an excerpt may be wrong.
    fn at_character(&self, at: usize) -> usize {
        let bytes = self.document.bytes();
        let charset = self.document.charset();
        if charset.is_utf16() {
            return at & !1;
        }
        let is_within = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
        match charset.name() == "utf-8" {
            true => (at.saturating_sub(3)..=at).rev().find(|at| !is_within(at)).unwrap_or(at),
            false => at,
        }
    }

    /// Appends the lines of a part of the document.
    fn window(&self, window: &Window, is_excerpt: bool, out: &mut Html) {
        let parts = self.parts(window);
        let feeds_before_mark: usize = parts
            .iter()
            .take_while(|part| part.link.is_none())
            .map(|part| part.text.matches('\n').count())
            .sum();
        let marks = &self.marks[window.marks.clone()];
        let first = marks
            .first()
            .map_or(1, |mark| self.links[mark.link].line.saturating_sub(feeds_before_mark));
        let mut lines = lines(parts);
        if window.span.start == 0 && lines.last().is_some_and(Vec::is_empty) {
            // The empty line after the last line feed of the document is not shown.
            lines.pop();
        }
        for (chunk, lines) in lines.chunks(LINES).enumerate() {
            out.markup("<ol class=\"src");
            if chunk == 0 && is_excerpt {
                out.markup(" excerpt");
            }
            if lines.len() < LINES / 4 {
                out.markup(" few");
            }
            out.markup("\" start=").number(first.max(1) + chunk * LINES);
            out.markup(">");
            for line in lines {
                out.markup("<li>");
                self.line(line, out);
            }
            out.markup("</ol>\n");
        }
    }

    /// The texts of a part of the document.
    fn parts(&self, window: &Window) -> Vec<Part> {
        let document = self.document;
        let mut parts = Vec::new();
        let mut at = window.span.start;
        let mut push = |span: Span, link| {
            let text = document.decode(span);
            let text = match span.start {
                0 => text.strip_prefix('\u{FEFF}').unwrap_or(&text),
                _ => &text,
            };
            let text = text.replace("\r\n", "\n");
            parts.push(Part { text, link });
        };
        for mark in &self.marks[window.marks.clone()] {
            let Span { start, end } = mark.span;
            if start < at {
                continue;
            }
            push(Span { start: at, end: start }, None);
            push(mark.span, Some(mark.link));
            at = end;
        }
        let end = window.span.end.max(at);
        push(Span { start: at, end }, None);
        parts
    }

    /// Appends a line.
    fn line(&self, line: &[Part], out: &mut Html) {
        let len: usize = line.iter().map(|part| part.text.len()).sum();
        let is_long = len > LONG_LINE;
        for (at, part) in line.iter().enumerate() {
            match part.link {
                Some(link) => self.mark(&part.text, link, out),
                None if is_long => {
                    let first = if at > 0 || line.len() == 1 { BESIDE } else { 0 };
                    let last = if at + 1 < line.len() { BESIDE } else { 0 };
                    clipped(&part.text, first, last, out);
                }
                None => {
                    out.text(&part.text);
                }
            }
        }
    }

    fn mark(&self, text: &str, link: usize, out: &mut Html) {
        let shown = &self.links[link];
        out.markup("<mark class=\"").markup(&shown.class());
        out.markup("\" data-l=").number(link).markup(">");
        match text.len() > LONG_LINE {
            true => clipped(text, BESIDE, BESIDE, out),
            false => _ = out.text(text),
        }
        out.markup("</mark>");
    }
}

/// Appends the first and last bytes of a text, with the number of those between.
pub(super) fn clipped(text: &str, first: usize, last: usize, out: &mut Html) {
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let head = (0..=first.min(text.len())).rev().find(is_boundary).unwrap_or(0);
    let tail = text.len() - last.min(text.len());
    let tail = (tail..text.len()).find(is_boundary).unwrap_or(text.len());
    if head >= tail {
        out.text(text);
        return;
    }
    out.text(&text[..head]).markup("<span class=gap>[");
    out.number(tail - head).markup(" bytes not shown]</span>");
    out.text(&text[tail..]);
}

/// Splits texts into lines.
fn lines(parts: Vec<Part>) -> Vec<Vec<Part>> {
    let mut lines = vec![Vec::new()];
    for part in parts {
        for (at, text) in part.text.split('\n').enumerate() {
            if at > 0 {
                lines.push(Vec::new());
            }
            let is_shown = !text.is_empty() || part.link.is_some() && part.text.is_empty();
            if let Some(line) = lines.last_mut().filter(|_| is_shown) {
                line.push(Part { text: text.to_owned(), link: part.link });
            }
        }
    }
    lines
}
