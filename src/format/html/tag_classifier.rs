//! The effect of tags on the tree.

use super::lexer::Lexer;
use super::namespace::Space;
use super::token::Token;

/// What becomes of a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// It makes an element.
    Element(Space),
    /// It gives the `html` or `body` element those of its attributes that it does not have.
    Attributes,
    /// It is ignored.
    Nothing,
    /// An element or nothing: if it has a link, that must be known.
    Unsure,
}

/// Tags from here on cannot be told without the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt;

/// Something that knows what tags mean; it must be told of them in order, and of all but those that it
/// [lets pass](Self::passes_tags).
pub(super) trait Meaning {
    /// Whether it is noted which tags brought which links.
    const COUNTS_LINKS: bool = false;

    /// The lexer met a start tag: what becomes of it. Afterwards the lexer is in the state that it puts it in.
    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<Meant, Doubt>;

    /// It met an end tag.
    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Doubt>;

    /// Whether a BASE here is known to stand in a template, where it does not count.
    fn in_template(&self) -> bool;

    /// Whether the element of the last start tag stands in what a template holds, where no fragment finds it.
    fn is_in_template(&self) -> bool;

    /// Whether no element was moved before one that came earlier.
    fn keeps_order(&self) -> bool;

    /// Whether it must be told of text too.
    fn needs_text(&self) -> bool;

    /// Whether, as things stand, it need not be told of tags that have neither an effect nor anything that is
    /// [wanted](super::names::Wanted).
    fn passes_tags(&self) -> bool;

    /// It met another token.
    fn other(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), Doubt>;
}
