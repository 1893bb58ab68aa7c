//! The identity of a link in its document.

use crate::bytes::Span;

/// The identity of a link in its document: the byte offset of its first byte, counted from 0.
///
/// No two links of a document begin at the same byte, except for those without bytes in PDF files:
/// they have the offset 0. So an id does not depend on the options that the links are found with,
/// and it orders links as the document does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(usize);

impl LinkId {
    /// The id of the link whose first piece is `span`.
    pub(crate) const fn of_span(span: Span) -> Self {
        Self(span.start)
    }

    /// The byte offset of the link's first byte, counted from 0.
    pub const fn offset(self) -> usize {
        self.0
    }
}
