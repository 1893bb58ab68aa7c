//! One link of a document.

use std::borrow::Cow;

use crate::bytes::{Span, Spans};
use crate::link::{BaseScope, Notes, Place, Role};
use crate::source::Text;

/// One URL or reference of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkData<'d> {
    /// The bytes of the document that spell it, without delimiters. In text they exclude removed
    /// white space; in HTML and XML they are the whole value, or the part of it that is this URL; in CSS what
    /// is in the quotes or parentheses, without the white space round it.
    pub spans: Spans,
    /// The reference after decoding: charset, character references or escapes, and white space that is
    /// not part of it.
    pub reference: Cow<'d, str>,
    /// Where it stands, and so how to write there.
    pub place: Place,
    /// What it is for.
    pub role: Role,
    /// What it is relative to.
    pub against: BaseScope,
    /// What there is to know about its reading.
    pub notes: Notes,
    /// The other readings of the reference: where it was broken after a hyphen, with that hyphen if it
    /// has none and without it if it has.
    pub alternatives: Vec<String>,
}

impl LinkData<'_> {
    /// The same link, on its own.
    pub fn into_owned(self) -> LinkData<'static> {
        LinkData {
            spans: self.spans,
            reference: Cow::Owned(self.reference.into_owned()),
            place: self.place,
            role: self.role,
            against: self.against,
            notes: self.notes,
            alternatives: self.alternatives,
        }
    }

    /// The same link, found in the text of a document, with the document's own bytes for its spans.
    pub(crate) fn led_back(self, text: &Text<'_>) -> LinkData<'static> {
        let mut link = self.into_owned();
        for span in &mut link.spans {
            *span = text.to_source(*span);
        }
        link
    }

    /// The span from the link's first byte to its last.
    pub fn extent(&self) -> Span {
        match (self.spans.first(), self.spans.last()) {
            (Some(first), Some(last)) => Span::new(first.start, last.end),
            _ => Span::new(0, 0),
        }
    }
}
