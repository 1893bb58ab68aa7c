//! Elements whose content is a reference.

use std::borrow::Cow;

use smallvec::smallvec;

use super::input::{Input, is_blank};
use super::pieces::{PieceSpans, Pieces};
use super::table::{Purpose, Row};
use crate::bytes::{Span, join};
use crate::format::value::strip;
use crate::link::{Absoluteness, BaseScope, Form, Language, Markup, Note, ParsedLink, Place, Role};
use crate::uri::Reference;

/// An element whose content is a reference, while it is read.
pub(super) struct Content {
    pub(super) row: &'static Row,
    pub(super) language: Language,
    pub(super) element: Cow<'static, str>,
    pub(super) base_scope: BaseScope,
    pub(super) absoluteness: Absoluteness,
    /// The pieces of its text, divided by comments and the borders of CDATA sections.
    pub(super) pieces: PieceSpans,
}

impl Content {
    /// The link for this content, if it is not blank.
    pub(super) fn into_link<'s>(self, input: &Input<'s, '_>) -> Option<ParsedLink<'s>> {
        if self.pieces.is_empty() {
            return None;
        }
        let pieces = Pieces::of(input, &self.pieces);
        let text = pieces.text();
        let trimmed = text.trim_start_matches(is_blank);
        let begin = text.len() - trimmed.len();
        let len = trimmed.trim_end_matches(is_blank).len();
        if len == 0 {
            return None;
        }
        let whole = Span::new(begin, begin + len);
        let source = pieces.source_of(whole);
        let notes = match source.spans.len() {
            1 => source.notes,
            _ => source.notes.with(Note::Rejoined),
        };
        let reference = strip(join(text, &smallvec![whole]));
        let notes = match self.row.purpose {
            Purpose::Copy => notes.with(Note::Copy),
            _ => notes,
        };
        let role = match self.row.purpose {
            Purpose::Is(role) => role,
            Purpose::Copy | Purpose::Rel | Purpose::Relationship => Role::Navigate,
            Purpose::PermaLink => {
                // Only an absolute URL is a link.
                Reference::split(&reference).parts().scheme?;
                Role::Navigate
            }
        };
        let place = Markup {
            language: self.language,
            element: self.element,
            attribute: Cow::Borrowed(Markup::CONTENT),
            quoting: source.quoting,
            form: Form::Whole,
            within: None,
            rel: None,
            fragment: None,
        };
        Some(ParsedLink {
            spans: source.spans,
            reference,
            place: Place::Markup(place.into()),
            role,
            absoluteness: self.absoluteness,
            base_scope: self.base_scope,
            notes,
            alternatives: Box::default(),
        })
    }
}
