//! The comments of Markdown, by which its author exempts links.

use std::ops::Range;

use super::block::{Block, Blocks};
use super::blocks::blocks_of;
use super::front_matter::FrontMatter;
use super::inlines::{Inline, Inlines, Syntax};
use super::joined::Joined;
use crate::bytes::Span;
use crate::format::comments::{Comment, Commented, DEFINITION, Exempt, MDX, SHELL, exempt_lines};
use crate::format::html;
use crate::format::options::Dialect;
use crate::source::Source;

/// The links of a document that comments exempt.
pub(super) fn exempt(source: &Source) -> Exempt {
    let is_mdx = source.name.extension().is_some_and(|it| it == "mdx");
    let dialect = if is_mdx { Dialect::Mdx } else { Dialect::None };
    let syntax = Syntax { dialect, wiki: false };
    Exempt::of(source, |text| exempt_in(text, FrontMatter::of(text.as_bytes()), syntax))
}

/// The lines of Markdown in another document that comments exempt.
pub(in crate::format) fn exempt_in_part(text: &str) -> Vec<Range<usize>> {
    exempt_in(text, None, Syntax::default())
}

fn exempt_in(text: &str, front_matter: Option<FrontMatter>, syntax: Syntax) -> Vec<Range<usize>> {
    let start = front_matter.map_or(0, |it| it.end);
    let blocks = blocks_of(text, start, syntax.dialect);
    let front_matter = Commented { range: 0..start, comments: SHELL };
    let mut found = Comments { text, syntax, parts: vec![front_matter] };
    blocks.blocks.iter().for_each(|block| found.block(*block, &blocks));
    found.parts.sort_by_key(|it| it.range.start);
    exempt_lines(text, &found.parts, true)
}

/// Collects the parts of a document that have comments.
struct Comments<'t> {
    text: &'t str,
    syntax: Syntax,
    parts: Vec<Commented>,
}

impl Comments<'_> {
    fn block(&mut self, block: Block, blocks: &Blocks) {
        match block {
            Block::Text(lines) | Block::Heading(lines) => {
                self.inlines(&blocks.joined(self.text, lines), blocks);
            }
            Block::Cell(span) => {
                self.inlines(&Joined::of_cell(&self.text[span.range()], span.start), blocks);
            }
            Block::Html(lines) => {
                let joined = blocks.joined(self.text, lines);
                self.html(&joined, Span::new(0, joined.text.len()));
            }
            Block::Mdx { span, .. } => {
                self.parts.push(Commented { range: span.range(), comments: MDX });
            }
            Block::Footnote(_) | Block::Fence(_) | Block::Tab { .. } => {}
            Block::Definition { number, .. } => {
                let destination = blocks.destinations[number];
                let start = destination.start.saturating_sub("[//]: ".len());
                let len = self.text[destination.end..].find('\n');
                let end = len.map_or(self.text.len(), |len| destination.end + len);
                self.parts.push(Commented { range: start..end, comments: DEFINITION });
            }
        }
    }

    /// Collects the HTML in a text, and the text outside of code, which may be MDX.
    fn inlines(&mut self, joined: &Joined<'_>, blocks: &Blocks) {
        let mut start = 0;
        Inlines::new(&joined.text, &blocks.labels, self.syntax).read(|inline| {
            let (Inline::Html(span) | Inline::Mdx(span) | Inline::Code { span, .. }) = inline
            else {
                return;
            };
            self.part(joined, Span::new(start, span.start), MDX);
            start = span.end;
            match inline {
                Inline::Html(_) => self.html(joined, span),
                Inline::Mdx(_) => self.part(joined, span, MDX),
                _ => {}
            }
        });
        self.part(joined, Span::new(start, joined.text.len()), MDX);
    }

    fn html(&mut self, joined: &Joined<'_>, piece: Span) {
        for part in html::comments(&joined.text[piece.range()]) {
            let span = Span::new(part.range.start, part.range.end).shifted(piece.start);
            self.part(joined, span, part.comments);
        }
    }

    /// Adds a part of the text of a block, with what is between its lines.
    fn part(&mut self, joined: &Joined<'_>, span: Span, comments: &'static [Comment]) {
        let spans = joined.to_source(span);
        if let (Some(first), Some(last)) = (spans.first(), spans.last()) {
            self.parts.push(Commented { range: first.start..last.end, comments });
        }
    }
}
