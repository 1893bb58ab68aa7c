//! The blocks of a document.

use super::definition::definition;
use super::inlines::Labels;
use super::joined::Joined;
use super::line::after_line_end;
use crate::bytes::Span;
use crate::format::options::Dialect;

/// A leaf block, or a part of one, that may hold links.
#[derive(Clone, Copy, Debug)]
pub(super) enum Block {
    /// Inlines in these lines.
    Text(Lines),
    /// Inlines of a heading in these lines.
    Heading(Lines),
    /// Inlines in a cell of a table.
    Cell(Span),
    /// HTML in these lines.
    Html(Lines),
    /// Tags and expressions of MDX, within this number of quotes; or its statements.
    Mdx { span: Span, quotes: usize },
    /// The label of a footnote whose text follows.
    Footnote(Span),
    /// The information of a fence that has attributes in braces.
    Fence(Span),
    /// A tab of Python-Markdown: its title, and the numbers of its set and in it.
    Tab { title: Span, set: usize, number: usize },
    /// A definition. `is_bracketed` is true if its destination is in `<` and `>`.
    Definition { number: usize, is_bracketed: bool },
}

/// A range of [`Blocks::lines`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    first: usize,
    end: usize,
}

/// The blocks of a document.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The blocks that were not passed on.
    pub(super) blocks: Vec<Block>,
    /// The lines of these blocks.
    pub(super) lines: Vec<Span>,
    pub(super) labels: Labels,
    /// The destinations of the definitions, by their numbers.
    pub(super) destinations: Vec<Span>,
    /// The number of definitions so far.
    pub(super) definitions: usize,
    /// True if labels and destinations are dropped.
    pub(super) forgets: bool,
    /// True if adjacent lines may be merged: a paragraph may have millions.
    pub(super) merges: bool,
    /// The program that reads the document.
    pub(super) dialect: Dialect,
}

impl Blocks {
    /// Adds a line to the lines of an open block. Merges the lines before it if they are adjacent.
    pub(super) fn open_line(&self, text: &[u8], open: &mut Vec<Span>, line: Span) {
        if self.merges
            && let [.., before, last] = &mut open[..]
            && after_line_end(text, before.end) == last.start
        {
            before.end = last.end;
            *last = line;
            return;
        }
        open.push(line);
    }

    /// Adds the definitions that an open paragraph of `text` begins with, and removes their lines.
    pub(super) fn take_definitions(&mut self, text: &str, open: &mut Vec<Span>) {
        let is_bracket = |line: &Span| text.as_bytes().get(line.start) == Some(&b'[');
        if !open.first().is_some_and(is_bracket) {
            return;
        }
        let joined = Joined::of_lines(text, open);
        let mut end = 0;
        while let Some(found) = definition(&joined.text, end) {
            end = found.end;
            // A destination holds no line end, so it has one span.
            let span = joined.to_source(found.destination.span)[0];
            let number = self.definitions;
            self.definitions += 1;
            if !self.forgets {
                self.destinations.push(span);
                self.labels.links.entry(found.label).or_insert(number);
            }
            let is_bracketed = found.destination.is_bracketed;
            self.blocks.push(Block::Definition { number, is_bracketed });
        }
        // A definition ends with its line.
        let left = match end < joined.text.len() {
            true => joined.to_source(Span::new(end, end))[0].start,
            false => usize::MAX,
        };
        open.retain_mut(|line| {
            line.start = line.start.max(left.min(line.end));
            !line.is_empty()
        });
    }

    /// Adds the lines of a block.
    pub(super) fn add_lines(&mut self, lines: &mut Vec<Span>) -> Lines {
        let first = self.lines.len();
        match self.lines.is_empty() {
            true => std::mem::swap(&mut self.lines, lines),
            false => self.lines.append(lines),
        }
        lines.clear();
        Lines { first, end: self.lines.len() }
    }

    /// Removes the blocks so far.
    pub(super) fn forget(&mut self) {
        self.blocks.clear();
        self.lines.clear();
    }

    /// The text of these lines.
    pub(super) fn joined<'t>(&self, text: &'t str, lines: Lines) -> Joined<'t> {
        Joined::of_lines(text, self.lines(lines))
    }

    /// The lines, each without the parts that belong to other blocks.
    pub(super) fn lines(&self, lines: Lines) -> &[Span] {
        &self.lines[lines.first..lines.end]
    }
}
