//! Links in the header of a message.

use std::borrow::Cow;

use super::text::{self, Join};
use super::{Against, FindOptions, Findings, Link, Notes, Place, Role};
use crate::document::Document;
use crate::mail::{FieldKind, Header, is_external, location, words};
use crate::span::{Span, Spans};

/// The links of a header: those in the text of fields that hold some, encoded words decoded (RFC 2047), and the
/// values that are URIs as a whole.
pub(super) fn find<'d>(document: &'d Document, options: &FindOptions) -> Findings<'d> {
    let decoded = document.text();
    let text = &*decoded.text;
    let header = Header::read(text.as_bytes(), 0, |_| false);
    let mut links = Vec::new();
    for field in &header.fields {
        let value = &text[field.value.clone()];
        let at = field.value.start;
        let place = Place::Header(text[field.name.clone()].into());
        let to_source = |span: Span| decoded.to_source(span.shifted(at));
        match field.kind {
            FieldKind::Links => in_text(value, &place, to_source, options, &mut links),
            FieldKind::ContentType if is_external(value.as_bytes()) => {
                in_text(value, &place, to_source, options, &mut links);
            }
            FieldKind::ContentLocation => {
                links.extend(whole(value, place, Role::Metadata, to_source))
            }
            FieldKind::ContentBase => links.extend(whole(value, place, Role::Base, to_source)),
            _ => {}
        }
    }
    Findings::of_links(links, document.base.clone(), decoded.malformed)
}

/// The links in the text of a field.
fn in_text(
    value: &str,
    place: &Place,
    to_source: impl Fn(Span) -> Span,
    options: &FindOptions,
    links: &mut Vec<Link<'_>>,
) {
    let words = words::decode(value);
    let text = words.as_ref().map_or(value, |(text, _)| text);
    let options = text::TextOptions {
        join: Some(options.text.join.unwrap_or(Join::Angle)),
        ..options.text
    };
    text::scan(text, &options, |url| {
        let back = |span: &Span| match &words {
            Some((_, map)) => to_source(map.to_source(*span)),
            None => to_source(*span),
        };
        let reference = url.spans.iter().map(|span| &text[span.range()]);
        let reference = reference.collect::<String>();
        let reference = url.cue.completed(&reference).into_owned();
        let mut spans: Spans = url.spans.iter().map(back).collect();
        // Pieces of one encoded word are in the same bytes.
        spans.dedup_by(|next, last| {
            let overlaps = next.start < last.end;
            last.end = if overlaps {
                last.end.max(next.end)
            } else {
                last.end
            };
            overlaps
        });
        links.push(Link {
            notes: Notes::NONE.of_url(&url),
            alternatives: url.alternatives(text),
            ..link(spans, reference, place.clone(), Role::Navigate)
        });
    });
}

/// The link that a value is as a whole.
fn whole(
    value: &str,
    place: Place,
    role: Role,
    to_source: impl Fn(Span) -> Span,
) -> Option<Link<'static>> {
    let reference = location(value.as_bytes());
    let start = value.find(|c: char| !c.is_whitespace() && c != '<' && c != '"')?;
    let end = value
        .trim_end_matches(|c: char| c.is_whitespace() || c == '>' || c == '"')
        .len();
    let span = to_source(Span::new(start, end.max(start)));
    (!reference.is_empty()).then(|| link(Spans::from_buf([span]), reference, place, role))
}

fn link(spans: Spans, reference: String, place: Place, role: Role) -> Link<'static> {
    Link {
        spans,
        reference: Cow::Owned(reference),
        place,
        role,
        against: Against::Base,
        notes: Notes::NONE,
        alternatives: Vec::new(),
    }
}
