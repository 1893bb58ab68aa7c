//! Links in the head of an HTTP response.
//!
//! | field | links |
//! |---|---|
//! | `Location` (RFC 9110, section 10.2.2), under any status | the value |
//! | `Content-Location` (RFC 9110, section 8.7) | the value; it is not a base (RFC 7231, appendix B) |
//! | `Link` (RFC 8288) | each reference in `<` and `>`; `rel` says what it is for, as for the element `link` |
//! | `Refresh` | the URL in the syntax of a `meta` refresh |
//! | `SourceMap`, `X-SourceMap` (ECMA-426, section 6.1.4) | the value |
//!
//! Heads are read as UTF-8. A reference that is folded over lines is joined without the white
//! space.

mod head;
mod language;

pub use head::{FieldKind, Head};
pub(crate) use language::LANGUAGE;

use crate::bytes::{Span, Spans, join};
use crate::format::html::table::role_of_rel;
use crate::format::html::values;
use crate::format::value::{notes_of, strip};
use crate::format::{Options, ParsedLinks};
use crate::link::{FieldPlace, Note, ParsedLink, Place, Role};
use crate::source::{Source, Text};

/// The links of a head, which may lack its status line.
fn find<'d>(source: &'d Source, _: &Options) -> ParsedLinks<'d> {
    let decoded = source.text();
    let text = &*decoded.text;
    let head = Head::read(text.as_bytes()).unwrap_or_else(|| Head::of_fields(text.as_bytes(), 0));
    let mut links = Vec::new();
    for field in &head.fields {
        let value = &text[field.value.clone()];
        let mut add = |span: Span, role| {
            let place = Place::Field(FieldPlace {
                language: LANGUAGE.name,
                key: text[field.name.clone()].into(),
            });
            links.push(link(&decoded, span.shifted(field.value.start), place, role));
        };
        let role = match field.kind {
            FieldKind::Location => Role::Navigate,
            FieldKind::ContentLocation | FieldKind::SourceMap => Role::Metadata,
            FieldKind::Refresh => {
                if let Some((span, _)) = values::refresh(value) {
                    add(span, Role::Navigate);
                }
                continue;
            }
            FieldKind::Link => {
                each_link_value(value, add);
                continue;
            }
            FieldKind::ContentType
            | FieldKind::ContentEncoding
            | FieldKind::ContentLength
            | FieldKind::TransferEncoding => continue,
        };
        if !value.trim_ascii().is_empty() {
            add(Span::new(0, value.len()), role);
        }
    }
    ParsedLinks::of_links(links, source.base.clone(), decoded.malformed)
}

/// The link at `span` of a head.
fn link<'d>(decoded: &Text<'d>, span: Span, place: Place, role: Role) -> ParsedLink<'d> {
    let mut pieces = Spans::new();
    let mut start = span.start;
    for line in decoded.text[span.range()].split('\n') {
        let text = line.trim_ascii_start();
        let from = start + (line.len() - text.len());
        let piece = Span::new(from, from + text.trim_ascii_end().len());
        if !piece.is_empty() {
            pieces.push(piece);
        }
        start += line.len() + 1;
    }
    if pieces.is_empty() {
        pieces.push(Span::new(span.start, span.start));
    }
    let mut notes = notes_of(decoded, span);
    if pieces.len() > 1 {
        notes = notes.with(Note::Rejoined);
    }
    let reference = strip(join(&decoded.text, &pieces));
    let spans = pieces.iter().map(|piece| decoded.to_source(*piece));
    ParsedLink { notes, ..ParsedLink::new(spans.collect(), reference, place, role) }
}

/// Calls a function with the reference and the role of each link in a value of `Link` (RFC 8288,
/// appendix B.2).
///
/// Text that is not a link is skipped to the next comma.
fn each_link_value(value: &str, mut found: impl FnMut(Span, Role)) {
    let mut input = Cursor { value, at: 0 };
    while let Some(byte) = input.peek() {
        if byte == b',' || byte.is_ascii_whitespace() {
            input.at += 1;
        } else if byte == b'<' {
            let start = input.at + 1;
            let Some(len) = memchr::memchr(b'>', &value.as_bytes()[start..]) else {
                return;
            };
            input.at = start + len + 1;
            let rel = input.rel();
            found(Span::new(start, start + len), role_of_rel(rel));
        } else {
            input.skip_until(b",");
        }
    }
}

/// Reads the value of a field.
struct Cursor<'v> {
    value: &'v str,
    at: usize,
}

impl<'v> Cursor<'v> {
    fn peek(&self) -> Option<u8> {
        self.value.as_bytes().get(self.at).copied()
    }

    /// The next byte after white space.
    fn peek_word(&mut self) -> Option<u8> {
        while self.peek().is_some_and(|it| it.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.peek()
    }

    /// The value of the first parameter `rel` of a link, and the end of its parameters. Empty if it
    /// has none.
    fn rel(&mut self) -> &'v str {
        let mut rel = None;
        while self.peek_word() == Some(b';') {
            self.at += 1;
            self.peek_word();
            let name = self.skip_until(b"=;,").trim_ascii();
            if self.peek() != Some(b'=') {
                continue;
            }
            self.at += 1;
            self.peek_word();
            let text = self.skip_until(b";,").trim_ascii();
            if name.eq_ignore_ascii_case("rel") && rel.is_none() {
                rel = Some(text.trim_matches('"'));
            }
        }
        rel.unwrap_or_default()
    }

    /// Skips to one of these bytes outside of quotes, and returns the text before it.
    fn skip_until(&mut self, ends: &[u8]) -> &'v str {
        let start = self.at;
        let mut in_quotes = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => in_quotes = !in_quotes,
                // The next byte may be within a character, but never an end.
                b'\\' if in_quotes => self.at += 1,
                _ if !in_quotes && ends.contains(&byte) => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.value.len());
        &self.value[start..self.at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Charset;

    /// The fields, references, roles and spelled texts of the links, with the status line before
    /// the fields.
    fn links(fields: &[u8]) -> Vec<(String, String, Role, String)> {
        let bytes = [b"HTTP/1.1 200 OK\r\n", fields].concat();
        let source = Source::new(bytes, Charset::VALID);
        let found = find(&source, &Options::default());
        let links = found.links.iter().map(|link| {
            let pieces: Vec<_> = link.spans.iter().map(|it| source.decode(*it)).collect();
            (
                link.place.attribute().unwrap_or_default().to_owned(),
                link.reference.to_string(),
                link.role,
                pieces.join("|"),
            )
        });
        links.collect()
    }

    fn references(fields: &str) -> Vec<String> {
        let links = links(fields.as_bytes()).into_iter();
        links.map(|(_, reference, _, _)| reference).collect()
    }

    #[test]
    fn fields_with_links_have_roles() {
        for (field, reference, role) in [
            ("Location: ../a?b#c", "../a?b#c", Role::Navigate),
            ("location:next page.html ", "next page.html", Role::Navigate),
            ("Content-Location: /a", "/a", Role::Metadata),
            ("SOURCEMAP: a.map", "a.map", Role::Metadata),
            ("X-SourceMap: a.map", "a.map", Role::Metadata),
            ("Refresh: 0; url=/a", "/a", Role::Navigate),
            ("Refresh: 5;URL='/a b' c", "/a b", Role::Navigate),
            ("Link: </a>", "/a", Role::Metadata),
            ("Link : </a>; rel=stylesheet", "/a", Role::Style),
            ("Link: </a>;rel=\"next preload\"; as=style", "/a", Role::Embed),
            ("Link: </a>; title=\"x\" ; REL = icon; rel=stylesheet", "/a", Role::Embed),
            ("Location: /o\u{f9}", "/o\u{f9}", Role::Navigate),
        ] {
            let found = links(format!("X: <b>\r\n{field}\r\n\r\n").as_bytes());
            let name = field.split(':').next().unwrap_or_default().trim();
            let expected = (name.to_owned(), reference.to_owned(), role, reference.to_owned());
            assert_eq!(found, [expected], "{field}");
        }
        for field in [
            "Location:", "Content-Location: \t", "Refresh: 5", "Refresh: soon", "Link: a",
            "Links: <a>",
        ] {
            assert_eq!(references(&format!("{field}\r\n\r\n")), [""; 0], "{field}");
        }
    }

    #[test]
    fn a_field_may_have_several_links() {
        let found = references(
            "Link: </a,b?x=1,2>; rel=\"next\"; title=\"a, <b> \\\" c\", <c>,<d>;rel=x;anchor=\"#e\"\nLink: <f>",
        );
        assert_eq!(found, ["/a,b?x=1,2", "c", "d", "f"]);
        assert_eq!(references("Link: , , <a>; ;x=\"<no>\";y , no <no>, <b>"), ["a", "b"]);
        assert_eq!(references("Link: <a>; x=\"unclosed, <no>"), ["a"]);
        assert_eq!(references("Link: <a>; x=\"\\"), ["a"]);
        assert_eq!(references("Link: <a>, <unclosed"), ["a"]);
        assert_eq!(references("Link: <>; rel=self"), [""]);
    }

    #[test]
    fn folded_fields_are_unfolded() {
        let found = links(
            b"Link:\r\n </a>;\r\n\trel=stylesheet,\r\n < /b\r\n  /c >\r\nLocation:\n\t/d\n /e \n\n",
        );
        let parts: Vec<_> = found.iter().map(|it| (&*it.1, it.2, &*it.3)).collect();
        let expected = [
            ("/a", Role::Style, "/a"),
            ("/b/c", Role::Metadata, "/b|/c"),
            ("/d/e", Role::Navigate, "/d|/e"),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn bytes_that_are_not_utf_8_have_a_note() {
        let source = |bytes: &[u8]| Source::new(bytes.to_vec(), Charset::VALID);
        let source = source(b"Server: \xE9\nLocation: /\xE9/a\nLink: <b>\n\n");
        let found = find(&source, &Options::default());
        let [location, link] = &found.links[..] else { panic!("{:?}", found.links) };
        assert_eq!(location.reference, "/\u{FFFD}/a");
        assert!(location.notes.contains(Note::Undecodable));
        assert_eq!(&source.bytes[link.extent().range()], b"b");
        assert!(!link.notes.contains(Note::Undecodable));
    }
}
