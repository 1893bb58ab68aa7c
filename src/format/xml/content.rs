//! Elements whose content is a reference.

use std::borrow::Cow;

use smallvec::{SmallVec, smallvec};

use super::input::{Input, is_blank};
use super::table::{Purpose, Row};
use super::value::Within;
use crate::bytes::{Span, Spans, join};
use crate::format::markup::value::Value;
use crate::format::value::strip;
use crate::link::{
    Absoluteness, BaseScope, Form, Language, LinkData, Markup, Note, Notes, Place, Quoting, Role,
};
use crate::uri::Reference;

/// An element whose content is a reference, while it is read.
pub(super) struct Content {
    pub(super) row: &'static Row,
    pub(super) element: Cow<'static, str>,
    pub(super) against: BaseScope,
    pub(super) absoluteness: Absoluteness,
    /// The pieces of its text, divided by comments and the borders of CDATA sections.
    pub(super) pieces: SmallVec<[(Span, Within); 1]>,
}

impl Content {
    /// The link for this content, if it is not blank.
    pub(super) fn into_link<'s>(self, input: &Input<'s, '_>) -> Option<LinkData<'s>> {
        let decode = |&(piece, within)| input.decode(piece, within);
        let values: SmallVec<[Value<'s>; 1]> = self.pieces.iter().map(decode).collect();
        let text: Cow<'s, str> = match values.as_slice() {
            [value] => value.text.clone(),
            values => values.iter().map(|value| &*value.text).collect(),
        };
        let trimmed = text.trim_start_matches(is_blank);
        let begin = text.len() - trimmed.len();
        let len = trimmed.trim_end_matches(is_blank).len();
        if len == 0 {
            return None;
        }
        let whole = Span::new(begin, begin + len);
        let mut spans = Spans::new();
        let mut notes = Notes::NONE;
        let mut quoting = None;
        let mut at = 0;
        for (value, (_, within)) in values.iter().zip(&self.pieces) {
            let end = at + value.text.len();
            let (begin, end) = (whole.start.clamp(at, end), whole.end.clamp(at, end));
            let piece = Span::new(begin - at, end - at);
            at += value.text.len();
            if piece.is_empty() {
                continue;
            }
            spans.push(value.to_source(piece));
            notes = value.notes(piece).iter().fold(notes, Notes::with);
            quoting = quoting.or(Some(match within {
                Within::Cdata => Quoting::Cdata,
                Within::Content | Within::Attribute => Quoting::Content,
            }));
        }
        if spans.len() > 1 {
            notes = notes.with(Note::Rejoined);
        }
        let reference = strip(join(&text, &smallvec![whole]));
        let role = match self.row.purpose {
            Purpose::Is(role) => role,
            Purpose::Rel => Role::Navigate,
            Purpose::PermaLink => {
                // Only an absolute URL is a link.
                Reference::split(&reference).parts().scheme?;
                Role::Navigate
            }
        };
        let place = Markup {
            language: Language::Xml,
            element: self.element,
            attribute: Cow::Borrowed(Markup::CONTENT),
            quoting: quoting.unwrap_or(Quoting::Content),
            form: Form::Whole,
            within: None,
        };
        Some(LinkData {
            spans,
            reference,
            place: Place::Markup(place),
            role,
            absoluteness: self.absoluteness,
            against: self.against,
            notes,
            alternatives: Vec::new(),
        })
    }
}
