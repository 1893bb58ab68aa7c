//! The effect of tags on the tree.

use super::lexer::Lexer;
use super::namespace::Namespace;
use super::token::Token;

/// The effect of a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagEffect {
    /// It creates an element.
    Element(Namespace),
    /// It adds missing attributes to the `html` or `body` element.
    Attributes,
    /// It is ignored.
    Nothing,
    /// It creates an element or is ignored. If it has a link, the tree must
    /// [decide](TagClassifier::decide).
    Unsure,
}

/// Tags from here on cannot be classified without the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NeedsTree;

/// Classifies tags. It must receive them in order, all except those that
/// [`skips_tags`](Self::skips_tags) and [`skips_childless`](Self::skips_childless) let pass.
pub(super) trait TagClassifier {
    /// True if a `frameset` may be known to remove elements.
    const REMOVES: bool = false;

    /// Classifies a start tag. Sets the state of the lexer for the text after it.
    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree>;

    /// Classifies a start tag that might have been skipped by its element. It has no effect on any
    /// state.
    fn plain_start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        self.start_tag(lexer)
    }

    /// Decides about the last start tag, whose effect was [unsure](TagEffect::Unsure).
    fn decide(&mut self, _: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        Err(NeedsTree)
    }

    /// Decides whether a CDATA section follows, where that is in doubt.
    fn section(&mut self, _: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        Err(NeedsTree)
    }

    /// Receives an end tag.
    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree>;

    /// Returns true if a BASE here is certainly in a template, where it has no effect.
    fn in_template(&self) -> bool;

    /// Returns true if the element of the last start tag is in the contents of a template, where no
    /// fragment finds it.
    fn is_in_template(&self) -> bool;

    /// Returns true if no element was moved before an earlier one.
    fn keeps_order(&self) -> bool;

    /// Returns true if it needs text tokens.
    fn needs_text(&self) -> bool;

    /// Returns true if tags without an effect and without [wanted](super::names::Wanted) names may
    /// be skipped in the current state.
    fn skips_tags(&self) -> bool;

    /// Returns true if it is certain that a self-closing tag here creates an element of SVG or
    /// MathML, and has no other effect, unless its name [may have
    /// one](super::names::Wanted::may_leave_foreign).
    fn skips_childless(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// Returns true if it is certain that no later tag removes what is already found.
    fn is_final(&self) -> bool {
        false
    }

    /// Returns true if a later `frameset` removes the elements and the text of the last token, with
    /// the body.
    fn is_removed(&self) -> bool {
        false
    }

    /// Receives another token.
    fn other(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree>;
}
