//! The links and anchors found in a document.

use std::borrow::Cow;

use super::pieces::PieceSpans;
use crate::link::{LinkData, Removable};

/// The result of reading a document.
#[derive(Default)]
pub(super) struct Found<'s> {
    pub(super) links: Vec<LinkData<'s>>,
    pub(super) anchors: Vec<Cow<'s, str>>,
    /// The first XHTML `base` with a `href`; `Some(None)` if it has an entity.
    pub(super) base: Option<Option<String>>,
    pub(super) base_elements: Vec<Removable>,
    /// The texts that were read as HTML.
    pub(super) html: Vec<PieceSpans>,
    /// Whether tags of HTML were read without context.
    pub(super) guessed: bool,
}
