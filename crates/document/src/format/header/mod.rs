//! Links in the header of a message.
//!
//! Fields are running text or a URI. Encoded words are decoded with a map in which each word is one
//! unit: a link in a word has the span of the word.

pub(crate) mod fields;
mod language;
mod message_fields;
pub mod words;

pub(crate) use language::LANGUAGE;

pub use fields::{FieldKind, Header, begin_of_header};
pub use message_fields::message_fields;
use std::ops::Range;

use memchr::memchr2_iter;

use super::text::{self, Join};
use super::{Options, ParsedLinks};
use crate::bytes::{OffsetMap, Span, Spans};
use crate::link::Delimiter;
use crate::link::{FieldPlace, Note, Notes, ParsedLink, Place, Role};
use crate::source::Source;

/// The links of a header: those in the text of certain fields, with encoded words decoded (RFC
/// 2047), and the values that are URIs as a whole.
pub(crate) fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    let part = document.mail_part.as_deref();
    if part.is_some_and(|part| part.has_no_urls) && has_schemes_only(options) {
        return ParsedLinks::of_links(Vec::new(), document.base.clone(), None);
    }
    let decoded = document.text();
    let text = &*decoded.text;
    let header = Header::read(text.as_bytes(), 0, |_| false);
    let mut links = Vec::new();
    for field in &header.fields {
        let value = &text[field.value.clone()];
        let at = field.value.start;
        let place = Place::Field(FieldPlace {
            language: LANGUAGE.name,
            key: text[field.name.clone()].into(),
        });
        let to_source = |span: Span| decoded.to_source(span.shifted(at));
        match field.kind {
            FieldKind::Links => {
                let first = links.len();
                let mut delimiters = Vec::new();
                in_text(value, &place, to_source, options, |link, delimiter| {
                    links.push(link);
                    delimiters.push(delimiter);
                });
                // Text outside of brackets is a comment or to be ignored (RFC 2369, section 2).
                let is_of_list = text[field.name.clone()].to_ascii_lowercase().starts_with("list-");
                if is_of_list && delimiters.contains(&Delimiter::Angle) {
                    let mut delimiters = delimiters.into_iter();
                    let mut of_field = links.split_off(first);
                    of_field.retain(|_| delimiters.next() == Some(Delimiter::Angle));
                    links.append(&mut of_field);
                }
            }
            FieldKind::ContentType if is_external(value.as_bytes()) => {
                in_text(value, &place, to_source, options, |link, _| links.push(link));
            }
            FieldKind::ContentLocation => {
                links.extend(whole(value, place, Role::Metadata, to_source))
            }
            FieldKind::ContentBase => links.extend(whole(value, place, Role::Base, to_source)),
            _ => {}
        }
    }
    ParsedLinks::of_links(links, document.base.clone(), decoded.malformed)
}

/// Returns true if a header has a field that may have links, even if it has none now.
pub fn has_links(header: &Header, bytes: &[u8]) -> bool {
    let content_type = header.value(FieldKind::ContentType, bytes);
    header.fields.iter().any(|field| field.kind.has_links())
        || content_type.is_some_and(is_external)
}

/// Returns false if no field of a header of a message has a link that `find` finds with options
/// for which `has_schemes_only` is true.
pub fn may_have_urls(header: &Header, bytes: &[u8]) -> bool {
    header.fields.iter().any(|field| {
        let value = &bytes[field.value.clone()];
        match field.kind {
            FieldKind::Links => may_have_url(value),
            FieldKind::ContentType => is_external(value) && may_have_url(value),
            FieldKind::ContentLocation | FieldKind::ContentBase => true,
            _ => false,
        }
    })
}

/// Returns true if these options find only URLs that have a scheme.
fn has_schemes_only(options: &Options) -> bool {
    !options.text.abbreviated && !options.text.emails
}

/// Returns false if a value has no URL with a scheme: each of its colons is before white space, and
/// it has no encoded word.
fn may_have_url(value: &[u8]) -> bool {
    let follows = |at: usize| match value.get(at + 1..) {
        // In brackets, white space may be between the colon and `//`.
        Some([b' ' | b'\t', after @ ..]) => after.starts_with(b"/"),
        _ => true,
    };
    memchr2_iter(b':', b'?', value).any(|at| match value[at] {
        b'?' => at > 0 && value[at - 1] == b'=',
        _ => follows(at),
    })
}

/// Finds the links in the text of a field.
fn in_text(
    value: &str,
    place: &Place,
    to_source: impl Fn(Span) -> Span,
    options: &Options,
    mut found: impl FnMut(ParsedLink<'static>, Delimiter),
) {
    let words = words::decode(value);
    let text = words.as_ref().map_or(value, |(text, _)| text);
    let options =
        text::TextOptions { join: Some(options.text.join.unwrap_or(Join::Angle)), ..options.text };
    text::scan(text, &options, |url| {
        let back = |span: &Span| to_source(in_value(*span, words.as_ref()));
        let reference = url.spans.iter().map(|span| &text[span.range()]);
        let reference = reference.collect::<String>();
        let reference = url.delimiter.completed(&reference).into_owned();
        let mut spans: Spans = url.spans.iter().map(back).collect();
        merge_overlapping(&mut spans);
        let link = ParsedLink {
            notes: url.notes(),
            alternatives: url.alternatives(text).into(),
            ..ParsedLink::new(spans, reference.into(), place.clone(), Role::Navigate)
        };
        found(link, url.delimiter);
    });
}

/// The link for a value that is a URI as a whole.
fn whole(
    value: &str,
    place: Place,
    role: Role,
    to_source: impl Fn(Span) -> Span,
) -> Option<ParsedLink<'static>> {
    let words = words::decode(value);
    let text = words.as_ref().map_or(value, |(text, _)| text);
    let pieces = location_pieces(text);
    let reference: String = pieces.iter().map(|piece| &text[piece.clone()]).collect();
    let pieces = pieces.into_iter();
    let mut spans: Spans = pieces
        .map(|piece| to_source(in_value(Span::new(piece.start, piece.end), words.as_ref())))
        .collect();
    merge_overlapping(&mut spans);
    let notes = match spans.len() {
        0 => return None,
        1 => Notes::NONE,
        _ => Notes::NONE.with(Note::Rejoined),
    };
    Some(ParsedLink { notes, ..ParsedLink::new(spans, reference.into(), place, role) })
}

/// The bytes of a value that spell `span` of its text, in which words may be decoded.
fn in_value(span: Span, words: Option<&(String, OffsetMap)>) -> Span {
    words.map_or(span, |(_, map)| map.to_source(span))
}

/// Merges pieces of one encoded word, which have the same bytes.
fn merge_overlapping(spans: &mut Spans) {
    spans.dedup_by(|next, last| {
        let overlaps = next.start < last.end;
        last.end = if overlaps { last.end.max(next.end) } else { last.end };
        overlaps
    });
}

/// The pieces of the URI in the value of a `Content-Location`, without the white space of folding
/// (RFC 2557, section 4.4.2), without quotes or brackets around it, and without a comment or
/// parameters after it.
pub fn location_pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for word in text.split(char::is_whitespace) {
        if !pieces.is_empty() && word.starts_with([';', '(']) {
            break;
        }
        let opened = word.trim_start_matches(['"', '<']);
        let from = start + word.len() - opened.len();
        let piece = from..from + opened.trim_end_matches(['"', '>']).len();
        if !piece.is_empty() {
            pieces.push(piece);
        }
        // The separator is one character, but not always one byte.
        let rest = &text[start + word.len()..];
        start += word.len() + rest.chars().next().map_or(0, char::len_utf8);
    }
    pieces
}

/// Returns true if the content of a part with this type is elsewhere (RFC 2046, section 5.2.3, and
/// RFC 2017).
pub(crate) fn is_external(value: &[u8]) -> bool {
    let name = b"message/external-body";
    let start = value.trim_ascii_start().get(..name.len());
    start.is_some_and(|it| it.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::format::text::{Hyphen, Iri, TextOptions};
    use crate::source::Charset;

    fn links(text: &str, options: &Options) -> usize {
        let source = Source::new(text.as_bytes().to_vec(), Charset::VALID);
        find(&source, options).links.len()
    }

    proptest! {
        #![proptest_config(crate::tier::cases(10_000))]

        #[test]
        fn headers_without_urls_have_no_links(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "Subject:", "Subject: ", "List-Post: ", "Archived-At:", "Content-Type:", "message/external-body",
                "Content-Location: ", "Message-ID: ", "To: ", "\n", "\r\n", "\n ", "\n\t", " ", "Re: ", ":", ": ", ":/",
                ": //", ":\t//", "//", "http", "mailto:", "<", ">", "<URL:", "URL:", "news:", "a@b.example", "www.a.example",
                "\"", "=?utf-8?q?http=3A//a.example/?=", "=?", "x", "\u{e9}", "\u{201c}",
            ]), 0..12),
            (strict, is_wide, joins) in any::<(bool, bool, bool)>(),
        ) {
            let text = pieces.concat();
            let header = Header::read(text.as_bytes(), 0, |_| false);
            prop_assume!(!may_have_urls(&header, text.as_bytes()));
            let options = Options {
                text: TextOptions {
                    strict,
                    iri: if is_wide { Iri::Auto } else { Iri::Ascii },
                    join: joins.then_some(Join::Guess),
                    hyphen: Hyphen::default(),
                    ..TextOptions::default()
                },
                ..Options::default()
            };
            prop_assert_eq!(links(&text, &options), 0, "{:?}", text);
        }
    }

    #[test]
    fn usual_subjects_have_no_urls() {
        for (text, expected) in [
            ("Subject: Re: words: more\nTo: <mailto:x>\n", false),
            ("Subject: see http://a.example/\n", true),
            ("Subject: < http: //a.example/ >\n", true),
            ("Subject: =?utf-8?q?words?=\n", true),
            ("Content-Location: words\n", true),
        ] {
            let header = Header::read(text.as_bytes(), 0, |_| false);
            assert_eq!(may_have_urls(&header, text.as_bytes()), expected, "{text}");
        }
    }
}
