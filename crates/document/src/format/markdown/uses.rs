//! The uses of link definitions.

use super::block::{Block, Blocks};
use super::blocks::each_block;
use super::destination::{is_short, normalized_label};
use super::inlines::{Inline, Inlines, Syntax};
use super::joined::Joined;
use crate::link::Role;

/// The uses of a definition.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    links: bool,
    images: bool,
    /// True if its label is in brackets where CommonMark reads no link, such as in the indented
    /// text of an admonition.
    is_named: bool,
}

impl Uses {
    pub(super) fn add(&mut self, is_image: bool) {
        self.images |= is_image;
        self.links |= !is_image;
    }

    /// Definitions that only images use are images.
    pub(super) fn role(self) -> Role {
        role(self.images && !self.links)
    }

    /// Returns true if nothing uses the definition.
    pub(super) fn are_none(self) -> bool {
        !self.links && !self.images && !self.is_named
    }
}

/// The role of a link or an image.
pub(super) fn role(is_image: bool) -> Role {
    match is_image {
        true => Role::Embed,
        false => Role::Navigate,
    }
}

/// The uses of the definitions `all` of a document.
pub(super) fn uses_of(text: &str, start: usize, syntax: Syntax, all: &Blocks) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); all.destinations.len()];
    if uses.is_empty() {
        return uses;
    }
    each_block(text, start, syntax.dialect, |blocks| {
        for block in &blocks.blocks {
            let joined = match *block {
                Block::Text(lines) | Block::Heading(lines) => blocks.joined(text, lines),
                Block::Cell(span) => Joined::of_cell(&text[span.range()], span.start),
                Block::Html(_)
                | Block::Mdx { .. }
                | Block::Footnote(_)
                | Block::Fence(_)
                | Block::Tab { .. }
                | Block::Definition { .. } => continue,
            };
            Inlines::new(&joined.text, &all.labels, syntax).read(|inline| {
                if let Inline::Reference { definition, brackets, .. } = inline {
                    uses[definition].add(brackets.is_image);
                }
            });
        }
    });
    name_unused(text, all, &mut uses);
    uses
}

/// Finds the labels of unused definitions that are in brackets anywhere in the text.
pub(super) fn name_unused(text: &str, all: &Blocks, uses: &mut [Uses]) {
    if uses.iter().all(|it| !it.are_none()) {
        return;
    }
    for open in memchr::memchr_iter(b'[', text.as_bytes()) {
        let rest = &text[open + 1..];
        let Some(len) = memchr::memchr2(b'[', b']', rest.as_bytes()) else {
            return;
        };
        let label = &rest[..len];
        // A definition has a colon after its own label, and a link with its own destination uses none.
        if rest[len..].starts_with("]:")
            || rest[len..].starts_with("](")
            || !rest[len..].starts_with(']')
            || !is_short(label.as_bytes())
        {
            continue;
        }
        let number = normalized_label(label).and_then(|it| all.labels.links.get(&it));
        if let Some(uses) = number.and_then(|&number| uses.get_mut(number)) {
            uses.is_named = true;
        }
    }
}
