//! The visible text of a heading.
//!
//! Emphasis, links and tags are removed, code and the text of links remain.

use super::emphasis::{Run, match_delimiters};
use super::inlines::{Brackets, Inline, Inlines, Labels, Syntax};
use super::line::{after_line_end, is_blank};
use crate::bytes::Span;
use crate::format::markup::charref::complete_reference_at;
use crate::format::options::{Dashes, Rendering};

/// The text of a heading with this source. Its lines end in line feeds.
pub(super) fn heading_text(
    source: &str,
    labels: &Labels,
    syntax: Syntax,
    rendering: Rendering,
) -> String {
    if !source.bytes().any(is_special) {
        return source.to_owned();
    }
    let mut renderer = Renderer {
        source,
        rendering,
        text: String::with_capacity(source.len()),
        runs: Vec::new(),
        open: Vec::new(),
        links: Vec::new(),
    };
    let mut at = 0;
    for mark in marks(source, labels, syntax, rendering.has_image_texts) {
        // A mark within an image is not shown.
        if mark.span.start >= at {
            renderer.plain(Span::new(at, mark.span.start));
            renderer.mark(mark.content);
            at = mark.span.end;
        }
    }
    renderer.plain(Span::new(at, source.len()));
    renderer.finish()
}

fn is_special(byte: u8) -> bool {
    byte.is_ascii_punctuation() || matches!(byte, b'\n' | b'\r')
}

/// A part of the source that is not plain text.
#[derive(Clone, Copy, Debug)]
struct Mark {
    span: Span,
    content: Content,
}

/// The replacement of a mark.
#[derive(Clone, Copy, Debug)]
enum Content {
    Nothing,
    /// A part of the source, unchanged.
    Literal(Span),
    /// The text between the backquotes of a code span.
    Code(Span),
    /// The bracket before the text of a link.
    Open,
    /// The bracket and the destination after the text of a link.
    Close,
}

/// The marks of a source, in their order.
fn marks(source: &str, labels: &Labels, syntax: Syntax, has_image_texts: bool) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut add = |start, end, content| {
        let span = Span::new(start, end);
        marks.push(Mark { span, content });
    };
    let syntax = Syntax { wiki: false, ..syntax };
    Inlines::new(source, labels, syntax).read(|inline| match inline {
        Inline::Destination { brackets, .. } | Inline::Reference { brackets, .. } => {
            let Brackets { is_image, text, end } = brackets;
            let start = text.start - 1 - usize::from(is_image);
            if is_image && !has_image_texts {
                add(start, end, Content::Nothing);
            } else {
                add(start, text.start, Content::Open);
                add(text.end, end, Content::Close);
            }
        }
        Inline::Url { literal, is_bracketed } => {
            let (span, bracket) = (literal.span, usize::from(is_bracketed));
            add(span.start - bracket, span.end + bracket, Content::Literal(span));
        }
        // The text of an expression counts.
        Inline::Mdx(span) if source.as_bytes()[span.start] == b'{' => {
            let content = Span::new(span.start + 1, span.end - 1);
            add(span.start, span.end, Content::Literal(content));
        }
        Inline::Html(span) | Inline::Mdx(span) | Inline::Footnote(span) => {
            add(span.start, span.end, Content::Nothing)
        }
        Inline::Code { span, content } => add(span.start, span.end, Content::Code(content)),
        Inline::Wiki { .. } => {}
    });
    marks.sort_unstable_by_key(|mark| mark.span.start);
    marks
}

struct Renderer<'s> {
    source: &'s str,
    rendering: Rendering,
    /// The text without the delimiters of emphasis.
    text: String,
    /// The runs of delimiters, each with its offset in the text.
    runs: Vec<(usize, Run)>,
    /// The numbers of the runs outside of links that have ended. Emphasis does not cross the end of
    /// a link.
    open: Vec<usize>,
    /// For each link that did not end, the length of `open` at its start.
    links: Vec<usize>,
}

impl Renderer<'_> {
    fn mark(&mut self, content: Content) {
        match content {
            Content::Nothing => {}
            Content::Literal(span) => self.text.push_str(&self.source[span.range()]),
            Content::Code(span) => self.code(span),
            Content::Open => self.links.push(self.open.len()),
            Content::Close => {
                let start = self.links.pop().unwrap_or_default();
                self.match_delimiters(start);
            }
        }
    }

    /// Matches the delimiters after the first `start` open ones, and closes them.
    fn match_delimiters(&mut self, start: usize) {
        let open = self.open.split_off(start);
        let mut runs: Vec<Run> = open.iter().map(|&number| self.runs[number].1).collect();
        match_delimiters(&mut runs);
        for (number, run) in open.into_iter().zip(runs) {
            self.runs[number].1 = run;
        }
    }

    /// Adds code: line ends are blanks, and a blank at both ends is dropped (CommonMark, section
    /// 6.1).
    fn code(&mut self, span: Span) {
        let code = self.source[span.range()].replace("\r\n", " ");
        let code = code.replace(['\n', '\r'], " ");
        let inner = code.strip_prefix(' ').and_then(|it| it.strip_suffix(' '));
        let is_blank = code.bytes().all(|it| it == b' ');
        self.text.push_str(inner.filter(|_| !is_blank).unwrap_or(&code));
    }

    /// Adds the text between two marks.
    fn plain(&mut self, span: Span) {
        let bytes = self.source.as_bytes();
        let mut at = span.start;
        while at < span.end {
            let rest = &bytes[at..span.end];
            let is_end = |&byte: &u8| {
                matches!(byte, b'\\' | b'&' | b'*' | b'_' | b'~' | b'-' | b'.' | b'\n' | b'\r')
            };
            let len = rest.iter().position(is_end).unwrap_or(rest.len());
            self.text.push_str(&self.source[at..at + len]);
            at += len;
            if at < span.end {
                at = self.special(at, span);
            }
        }
    }

    /// Adds the special character at `at`, which is in `span`. Returns the offset after it.
    fn special(&mut self, at: usize, span: Span) -> usize {
        let rest = &self.source[at..span.end];
        let byte = rest.as_bytes()[0];
        let run = rest.bytes().take_while(|&it| it == byte).count();
        match byte {
            b'\\' => {
                let next = rest.as_bytes().get(1);
                if next.is_some_and(u8::is_ascii_punctuation) {
                    self.text.push_str(&rest[1..2]);
                    return at + 2;
                }
                // A hard line break.
                if !matches!(next, Some(b'\n' | b'\r')) {
                    self.text.push('\\');
                }
                at + 1
            }
            b'&' => match complete_reference_at(rest) {
                Some((len, first, second)) => {
                    self.text.push(first);
                    self.text.extend(second);
                    at + len
                }
                None => {
                    self.text.push('&');
                    at + 1
                }
            },
            b'*' | b'_' | b'~' => {
                self.open.push(self.runs.len());
                let run_at = Run::at(self.source, at, run);
                self.runs.push((self.text.len(), run_at));
                at + run
            }
            b'-' => {
                let (dashes, hyphens) = self.rendering.dashes.of(run);
                self.text.extend(std::iter::repeat_n('–', dashes));
                self.text.extend(std::iter::repeat_n('-', hyphens));
                at + run
            }
            b'.' => {
                let is_ellipsis = run >= 3 && self.rendering.dashes != Dashes::Hyphens;
                self.text.push_str(if is_ellipsis { "…" } else { "." });
                at + if is_ellipsis { 3 } else { 1 }
            }
            _ => {
                self.line_end(&self.source.as_bytes()[span.start..at]);
                let after = after_line_end(self.source.as_bytes(), at);
                let next = self.source.as_bytes()[after..span.end.max(after)].iter();
                after + next.take_while(|&&byte| is_blank(byte)).count()
            }
        }
    }

    /// Adds a line end after this text. Blanks before it are dropped.
    fn line_end(&mut self, before: &[u8]) {
        let blanks = before.iter().rev().take_while(|&&it| is_blank(it)).count();
        self.text.truncate(self.text.len().saturating_sub(blanks));
        self.text.push('\n');
    }

    /// The text with the delimiters that are not part of emphasis.
    fn finish(mut self) -> String {
        self.match_delimiters(0);
        let mut text = String::with_capacity(self.source.len());
        let mut at = 0;
        for &(offset, run) in &self.runs {
            text.push_str(&self.text[at..offset]);
            text.extend(std::iter::repeat_n(char::from(run.byte), run.left));
            at = offset;
        }
        text.push_str(&self.text[at..]);
        text
    }
}

#[cfg(test)]
mod tests;
