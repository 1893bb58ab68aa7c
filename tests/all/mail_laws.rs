//! Laws of mail: spans in the file are right, line endings do not matter, and truncated or damaged
//! mail never fails. [`mailbox`] has the laws of mailboxes, [`peer`] the comparison with
//! mail-parser.

mod mailbox;
pub(crate) mod peer;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use rehref::bytes::Span;
use rehref::container::mail::{MessageReader, Part, documents};
use rehref::document::Document;
use rehref::format::{Format, Options};
use rehref::link::{LinkResolver, Notes};
use rehref::source::SourceMap;
use serde_json::Value;

use crate::mail_corpus::{Mail, format, mails};
use crate::support::links::assert_sorted;
use crate::support::mail::{
    check_damaged, check_line_ends, for_each_message_of, found_in, options, spans,
};
use crate::tier;

/// Decodes quoted-printable independently: escapes and soft line breaks.
fn unquoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'=' {
            out.push(*byte);
            continue;
        }
        let digits = after.get(..2).and_then(|it| std::str::from_utf8(it).ok());
        let decoded = digits.and_then(|it| u8::from_str_radix(it, 16).ok());
        if let Some(decoded) = decoded {
            out.push(decoded);
            rest = &after[2..];
            continue;
        }
        let blanks = after.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
        match &after[blanks..] {
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => rest = after,
            [] => rest = &[],
            _ => out.push(b'='),
        }
    }
    out
}

/// Calls `each` with the documents of a file in memory.
pub(crate) fn for_each_part(bytes: &[u8], format: Format, mut each: impl FnMut(Part)) {
    let name: Arc<Path> = Path::new("in").into();
    for_each_message_of(bytes, format, |message, options| {
        documents(message, &name, options, &mut each);
    });
}

/// The properties of a part, without its links.
fn properties(part: &Part) -> impl PartialEq + std::fmt::Debug + use<> {
    let document = &part.document;
    let mail_part = document.mail_part().expect("a part of a message");
    let html = mail_part.html.iter().map(|page| page.document().name.clone());
    (
        (
            document.path().to_owned(),
            document.bytes().to_vec(),
            document.format(),
            document.charset(),
            document.base().cloned(),
            document.syntax(),
        ),
        (
            mail_part.message,
            mail_part.offset,
            mail_part.message_id.clone(),
            mail_part.part.clone(),
            mail_part.flowed,
            mail_part.file_range(Span::new(0, document.bytes().len())),
            mail_part.linked_part("cid:a@b.example").map(str::to_owned),
            html.collect::<Vec<_>>(),
        ),
        (part.alternatives.clone(), part.is_repaired, part.is_unknown),
    )
}

/// The targets of the links of a part.
fn targets(part: &Part, resolver: &mut LinkResolver) -> Vec<(Option<String>, Notes)> {
    let found = part.document.found(&Options::default());
    let target = |link| {
        let target = resolver.target(link);
        (target.uri.map(str::to_owned), target.notes)
    };
    found.links.iter().map(target).collect()
}

#[test]
fn documents_in_reused_memory_are_the_same() {
    let archive: Arc<Path> = Path::new("in").into();
    let options = options();
    let mut reader = MessageReader::new(&archive, &options);
    let mut resolver = LinkResolver::new(Options::default().resolver, None, None);
    for mail in mails() {
        for_each_message_of(&mail.bytes, format(&mail), |message, _| {
            let (mut fresh, mut reused) = (Vec::new(), Vec::new());
            documents(message, &archive, &options, |part| {
                let source = part.document.source();
                let mut resolver = LinkResolver::new(Options::default().resolver, None, None);
                resolver.set_document(source.base.as_ref(), source.base.as_ref());
                fresh.push((properties(&part), targets(&part, &mut resolver)));
            });
            let mut number = 0;
            reader.read(message, |part| {
                let base = part.document.base();
                resolver.set_document(base, base);
                reused.push((properties(&part), targets(&part, &mut resolver)));
                number += 1;
                // Some callers keep a document.
                (number % 3 != 0).then_some(part)
            });
            assert_eq!(fresh, reused, "{}", mail.name);
        });
    }
}

/// Panics unless the spans of all links are in order, and those in the file decode to those in the
/// part.
fn check_spans(name: &str, bytes: &[u8], format: Format) {
    let mut parts: Vec<Part> = Vec::new();
    for_each_part(bytes, format, |part| {
        assert_sorted(&part.document.links_with(&Options::default()));
        parts.push(part);
    });
    let found = found_in(bytes, format);
    for link in &found.links {
        let doc = link["doc"].as_str().expect("a name");
        let part = parts.iter().find(|part| part.document.path() == Path::new(doc));
        let document = &part.expect("links are in parts").document;
        let in_part = spans(link, "spans").expect("a link has spans");
        let ends =
            |spans: &[Range<usize>]| spans.windows(2).all(|pair| pair[0].end <= pair[1].start);
        assert!(ends(&in_part), "{name}: {link}");
        assert!(in_part.iter().all(|span| span.start <= span.end), "{name}: {link}");
        let source_map = &document.mail_part().as_ref().expect("it is in mail").source_map;
        let file_range = spans(link, "file_spans").expect("the part has file spans");
        assert_eq!(file_range.len(), in_part.len(), "{name}: {link}");
        // UTF-7 is a further encoding.
        if name.contains("utf-7") {
            continue;
        }
        if document.mail_part().as_ref().is_some_and(|it| it.covers()) {
            check_covering(name, bytes, link, &file_range, document, &in_part);
            continue;
        }
        assert!(ends(&file_range), "{name}: {link}");
        for (file_range, in_part) in file_range.into_iter().zip(in_part) {
            let (file_range, in_part) = (&bytes[file_range], &document.bytes()[in_part]);
            let mut decoded = file_range.to_vec();
            // A message in quoted-printable may have parts in quoted-printable.
            for _ in 0..4 {
                if matches!(source_map, SourceMap::Decoded(..)) && decoded != in_part {
                    // A `=` at the end of a span is literal if neither digits nor a line break
                    // follow.
                    let ends_in_literal = decoded.ends_with(b"=") && in_part.ends_with(b"=");
                    decoded = unquoted_printable(&decoded);
                    if ends_in_literal {
                        decoded.push(b'=');
                    }
                }
            }
            assert_eq!(
                decoded.escape_ascii().to_string(),
                in_part.escape_ascii().to_string(),
                "{name}: {link}"
            );
        }
    }
}

/// Panics unless the bytes of the file that cover a link are few, and decode to it if they are
/// valid base64.
fn check_covering(
    name: &str,
    bytes: &[u8],
    link: &Value,
    file_range: &[Range<usize>],
    document: &Document,
    in_part: &[Range<usize>],
) {
    use base64::Engine as _;
    let notes = link["notes"].as_array().expect("notes");
    assert!(notes.iter().any(|note| note == "covering"), "{name}: {link}");
    // Nested parts may have other encodings.
    if !name.contains("base64") || name.contains("nested") {
        return;
    }
    for (file_range, in_part) in file_range.iter().zip(in_part) {
        let covering: Vec<u8> = bytes[file_range.clone()]
            .iter()
            .copied()
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect();
        let decoded = base64::engine::general_purpose::STANDARD.decode(&covering);
        let Ok(decoded) = decoded else { continue };
        let link_bytes = &document.bytes()[in_part.clone()];
        let found = decoded.windows(link_bytes.len().max(1)).any(|it| it == link_bytes);
        // Damaged data may be base64 by chance.
        let is_whole = file_range.len() > in_part.len() * 2 + 12;
        assert!(found || is_whole || covering == link_bytes, "{name}: {link}");
    }
}

#[test]
fn file_spans_decode_to_the_spans_in_the_part() {
    for mail in mails() {
        check_spans(&mail.name, &mail.bytes, format(&mail));
    }
}

#[test]
fn line_endings_do_not_change_the_links() {
    for mail in mails() {
        // A `Content-Length` includes the line endings.
        if !mail.name.contains("mboxcl2") {
            check_line_ends(&mail.name, &mail.bytes, format(&mail));
        }
    }
}

#[test]
fn truncated_mail_is_read() {
    for mail in mails() {
        for len in (0..mail.bytes.len()).step_by(tier::pick(13, 1)) {
            check_damaged(&mail.name, &mail.bytes[..len], format(&mail));
        }
    }
}

/// Bytes that failures show as text.
#[derive(Clone)]
struct Shown(Vec<u8>);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// A file of the corpus with some changed bytes.
fn damaged() -> impl Strategy<Value = (String, Format, Shown)> {
    let mail = prop::sample::select((0..mails().len()).collect::<Vec<_>>());
    let byte = prop_oneof![any::<u8>(), prop::sample::select(b"\n\r\0 =-:;\"<>?&FM\xEF".to_vec()),];
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), byte), 1..20);
    (mail, damage).prop_map(|(at, damage)| {
        let Mail { name, path, mut bytes } = mails().swap_remove(at);
        let format = Format::detect(&path, &bytes);
        for (at, flips_a_bit, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = if flips_a_bit { bytes[at] ^ 1 << (byte % 8) } else { byte };
        }
        (name, format, Shown(bytes))
    })
}

proptest! {
    #[test]
    fn damaged_mail_is_read((name, format, Shown(bytes)) in damaged()) {
        check_damaged(&name, &bytes, format);
        check_spans(&name, &bytes, format);
    }
}
