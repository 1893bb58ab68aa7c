//! The contexts of links: their text and title, and the heading before them.

use std::borrow::Cow;

use super::block::Block;
use super::blocks::blocks_of;
use super::destination::decoded;
use super::front_matter::FrontMatter;
use super::heading_text::heading_text;
use super::inlines::{Inline, Inlines, Labels, Syntax};
use super::joined::Joined;
use crate::bytes::Span;
use crate::format::Options;
use crate::format::contexts::{Contexts, ContextsBuilder};
use crate::format::options::{Dashes, Rendering};
use crate::source::{Source, Text};

/// The maximum length of the source of a text that is rendered, in bytes. Links may be nested.
const MOST_SOURCE: usize = 4096;

/// The contexts of the links of a document. HTML and URLs in the text have only the heading.
pub(super) fn contexts(document: &Source, options: &Options) -> Contexts {
    let decoded = document.text();
    let text = &*decoded.text;
    let start = FrontMatter::of(text.as_bytes()).map_or(0, |it| it.end);
    let syntax = Syntax::of(&options.markdown);
    let blocks = blocks_of(text, start, syntax.dialect);
    let mut reader = Reader {
        decoded: &decoded,
        labels: &blocks.labels,
        syntax,
        contexts: ContextsBuilder::default(),
    };
    for block in &blocks.blocks {
        match *block {
            Block::Heading(lines) => {
                let joined = blocks.joined(text, lines);
                let start = joined.to_source(Span::new(0, 0))[0].start;
                let heading = rendered(&joined.text, &blocks.labels, syntax);
                reader.contexts.heading(reader.offset(start), &heading);
                reader.links(&joined);
            }
            Block::Text(lines) => reader.links(&blocks.joined(text, lines)),
            Block::Cell(span) => reader.links(&Joined::of_cell(&text[span.range()], span.start)),
            Block::Html(_)
            | Block::Mdx { .. }
            | Block::Footnote(_)
            | Block::Fence(_)
            | Block::Tab { .. }
            | Block::Definition { .. } => {}
        }
    }
    reader.contexts.finish()
}

struct Reader<'d, 'l> {
    decoded: &'d Text<'d>,
    labels: &'l Labels,
    syntax: Syntax,
    contexts: ContextsBuilder,
}

impl Reader<'_, '_> {
    /// The offset in the document of an offset in the text.
    fn offset(&self, at: usize) -> usize {
        self.decoded.to_source(Span::new(at, at)).start
    }

    /// Adds the links with a destination in these inlines.
    fn links(&mut self, joined: &Joined<'_>) {
        let text = &*joined.text;
        Inlines::new(text, self.labels, self.syntax).read(|inline| {
            let Inline::Destination { destination, brackets } = inline else {
                return;
            };
            let span = self.decoded.to_source(joined.to_source(destination.span)[0]);
            let own = rendered(&text[brackets.text.range()], self.labels, self.syntax);
            let title = title(&text[destination.end..brackets.end - 1]);
            self.contexts.link(span, &own, title.as_deref());
        });
    }
}

/// The visible text.
fn rendered(source: &str, labels: &Labels, syntax: Syntax) -> String {
    let mut end = source.len().min(MOST_SOURCE);
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let rendering = Rendering { has_image_texts: true, dashes: Dashes::Hyphens };
    heading_text(&source[..end], labels, syntax, rendering)
}

/// The title after a destination.
fn title(source: &str) -> Option<Cow<'_, str>> {
    let quoted = source.trim_ascii();
    let inner = quoted.get(1..quoted.len().checked_sub(1)?)?;
    Some(decoded(inner))
}
