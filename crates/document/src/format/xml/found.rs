//! The links and anchors found in a document.

use std::borrow::Cow;

use super::pieces::PieceSpans;
use crate::format::batch::Batch;
use crate::link::AttributeSpan;

/// The result of reading a document.
pub(super) struct Found<'b, 's> {
    pub(super) links: Batch<'b, 's>,
    pub(super) anchors: Vec<Cow<'s, str>>,
    /// The first XHTML `base` with a `href`; `Some(None)` if it has an entity.
    pub(super) base: Option<Option<String>>,
    pub(super) base_elements: Vec<AttributeSpan>,
    /// The texts that were read as HTML, if requested.
    pub(super) html: Option<Vec<PieceSpans>>,
    /// True if tags of HTML were read without context.
    pub(super) guessed: bool,
    /// True if an element has no end tag, or an end tag has no element.
    pub(super) is_unbalanced: bool,
}

impl<'b, 's> Found<'b, 's> {
    pub(super) fn new(links: Batch<'b, 's>) -> Self {
        Self {
            links,
            anchors: Vec::new(),
            base: None,
            base_elements: Vec::new(),
            html: None,
            guessed: false,
            is_unbalanced: false,
        }
    }
}
