//! One link of a document.

use std::borrow::Cow;

use crate::bytes::{Span, Spans};
use crate::link::MarkdownForm;
use crate::link::{Absoluteness, BaseScope, LinkId, Notes, Place, Role};
use crate::source::Text;

/// One URL or reference of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedLink<'d> {
    /// The bytes of the link in the document, without delimiters. In text they exclude removed
    /// white space. In HTML and XML they are the whole value, or the URL's part of it. In CSS they
    /// are the content of the quotes or parentheses, without surrounding white space. Empty in a
    /// compressed object of a PDF file.
    pub spans: Spans,
    /// The reference, with charset, character references and escapes decoded and surrounding white
    /// space removed.
    pub reference: Cow<'d, str>,
    /// The place of the link, which determines how to write a link there.
    pub place: Place,
    /// The purpose of the link.
    pub role: Role,
    /// The need for an absolute reference.
    pub absoluteness: Absoluteness,
    /// The base that the reference is relative to.
    pub base_scope: BaseScope,
    /// Remarks on how the link was read.
    pub notes: Notes,
    /// The other readings of a reference that was broken after a hyphen: with that hyphen if
    /// `reference` lacks it, and without it otherwise.
    pub alternatives: Box<[String]>,
}

impl<'d> ParsedLink<'d> {
    /// Creates a link that may be relative to the document's base, without notes or other readings.
    pub fn new(spans: Spans, reference: Cow<'d, str>, place: Place, role: Role) -> Self {
        Self {
            spans,
            reference,
            place,
            role,
            absoluteness: Absoluteness::Optional,
            base_scope: BaseScope::Base,
            notes: Notes::NONE,
            alternatives: Box::default(),
        }
    }
}

impl ParsedLink<'_> {
    /// Returns the link with an owned reference. Copies the reference if it is borrowed.
    pub fn into_owned(mut self) -> ParsedLink<'static> {
        let reference = std::mem::take(&mut self.reference).into_owned();
        self.with_reference(Cow::Owned(reference))
    }

    /// Returns the link with a reference of the document with these bytes, which has the link at its
    /// spans. Copies the reference if it is spelled otherwise there.
    pub(crate) fn in_document(self, bytes: &[u8]) -> ParsedLink<'_> {
        let spelled = match self.spans[..] {
            [span] => Some(&bytes[span.range()]),
            _ => None,
        };
        let spelled = spelled.filter(|it| *it == self.reference.as_bytes());
        match spelled.and_then(|it| std::str::from_utf8(it).ok()) {
            Some(reference) => self.with_reference(Cow::Borrowed(reference)),
            None => self.into_owned(),
        }
    }

    fn with_reference(self, reference: Cow<'_, str>) -> ParsedLink<'_> {
        ParsedLink {
            spans: self.spans,
            reference,
            place: self.place,
            role: self.role,
            absoluteness: self.absoluteness,
            base_scope: self.base_scope,
            notes: self.notes,
            alternatives: self.alternatives,
        }
    }

    /// Returns a link found in decoded text, with its spans mapped to the bytes of the document.
    pub fn with_source_spans(self, text: &Text<'_>) -> ParsedLink<'static> {
        let mut link = self.into_owned();
        for span in &mut link.spans {
            *span = text.to_source(*span);
        }
        link
    }

    /// The identity of the link in its document.
    pub fn id(&self) -> LinkId {
        LinkId::of_span(self.extent())
    }

    /// Returns true if the link is an address of the document that contains it: an alias, a
    /// redirect or a permalink in the front matter of Markdown.
    pub fn is_own_address(&self) -> bool {
        self.is_front_matter() && self.role == Role::Navigate
    }

    /// Returns true if the link is a value of the front matter of Markdown.
    pub fn is_front_matter(&self) -> bool {
        matches!(&self.place, Place::Markdown(place) if place.form == MarkdownForm::FrontMatter)
    }

    /// The span from the link's first byte to its last.
    pub fn extent(&self) -> Span {
        match (self.spans.first(), self.spans.last()) {
            (Some(first), Some(last)) => Span::new(first.start, last.end),
            _ => Span::new(0, 0),
        }
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    /// A page may have a link for every few bytes.
    #[test]
    fn link_takes_128_bytes() {
        assert_eq!(size_of::<ParsedLink<'_>>(), 128);
    }
}
