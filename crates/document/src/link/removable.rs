//! Markup of links that a plan may remove.

use crate::bytes::Span;
use crate::link::LinkId;

/// Markup of a link that a plan may remove: a BASE element, or the `integrity` attribute of a
/// `script` or `link`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeSpan {
    /// The first piece of the link.
    link: Span,
    /// The bytes to delete. None if they are not contiguous, or if a second such attribute would
    /// take effect instead.
    pub removal: Option<Span>,
}

impl AttributeSpan {
    /// `link` is the first piece of the link, and `removal` the bytes to delete.
    pub const fn new(link: Span, removal: Option<Span>) -> Self {
        Self { link, removal }
    }

    /// The link: that of the BASE element, or the one whose target has the hash.
    pub const fn link(&self) -> LinkId {
        LinkId::of_span(self.link)
    }

    /// Returns the markup with its spans mapped, like those of links.
    pub fn mapped(self, map: impl Fn(Span) -> Span) -> Self {
        Self { link: map(self.link), removal: self.removal.map(map) }
    }
}
