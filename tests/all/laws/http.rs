//! Generated HTTP responses: laws of their heads, with httparse as another reader, of their bodies,
//! and of the links of heads.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use proptest::prelude::*;
use proptest::sample::select;
use rehref::container::http::{Response, ResponseReader, document_kind, request_method};
use rehref::format::Format;
use rehref::link::{Note, Role};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::Row;
use crate::linear::assert_linear;
use crate::support::compressed::gzip;
use crate::support::links::stripped;
use crate::tier;

laws! { heads: ROW; }

const ROW: Row = Row {
    base: "http://a.example/b/c",
    read_back: |_, link, spelled| {
        assert_eq!(link.notes.contains(Note::Rejoined), link.spans.len() > 1);
        Some(stripped(spelled))
    },
    hostile: HOSTILE,
    first: "HTTP/1.1 200 OK\r\n",
    config,
    ..Row::new(
        Format::Http,
        "head",
        |row| blocks().prop_map(|bytes| row.document(bytes, "utf-8")).boxed(),
        || select(&PIECES[..]).prop_map(str::to_owned).boxed(),
    )
};

fn config() -> ProptestConfig {
    tier::cases(4000)
}

/// Pieces of heads.
const PIECES: [&str; 60] = strings![
    "\r\n" "\r\n" "\n" "\r\r\n" "\r" "\r\n " "\n\t" "HTTP/1.1 200 OK\r\n" "HTTP/1.0 302\r\n"
    "HTTP/2 103 Early\n" "ICY 200 OK\n" "Location:" "location: " "Link:" "LINK : "
    "Refresh: 0;url=" "refresh:5, " "Content-Location: " "SourceMap:" "X-SourceMap: "
    "Content-Type: text/html" "Content-Type:\ttext/plain; charset=" "Transfer-Encoding: chunked"
    "Content-Encoding: gzip" "Content-Encoding: deflate, br, zstd, x" "Server: a" "no colon" ": b"
    "\u{1F}\u{8B}\u{8}" "\0" "3\r\nabc\r\n" "0\r\n\r\n" "FFFFFFFFFFFFFFFF\r\n" "<" ">"
    "</a>; rel=next" "<b>;rel=\"stylesheet x\"" ";" "," "=" "\"" "\\" "'" "rel=icon"
    "title=\"a, <b>\"" "http://a.example/" "/a" "../b?c=d#e" " " "  \t" "\u{e9}" "\u{65E5}"
    "\u{FFFD}" "<!DOCTYPE html>" "<p>" "charset=koi8-r" "words" "9" "url" "5"
];

/// Blocks of responses, most with a status line. Some bytes are changed.
fn blocks() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(select(&PIECES[..]), 0..24);
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
    (prop::bool::weighted(0.8), pieces, changes).prop_map(|(has_head, pieces, changes)| {
        let first = if has_head { "HTTP/1.1 200 OK\r\n" } else { "" };
        let mut bytes = format!("{first}{}", pieces.concat()).into_bytes();
        for (at, byte) in changes.iter().filter(|_| !pieces.is_empty()) {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        bytes
    })
}

/// The fields, references and roles of the links.
fn links(bytes: &[u8]) -> Vec<(String, String, Role)> {
    let document = ROW.document(bytes.to_vec(), "utf-8");
    let links = document.links();
    let links = links.iter().map(|link| {
        let name = link.place().attribute().unwrap_or_default().to_owned();
        (name, link.reference().to_owned(), link.role())
    });
    links.collect()
}

/// A value on one line.
fn unfolded(value: &[u8]) -> String {
    let lines = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let lines: Vec<_> =
        lines.filter(|line| !line.is_empty()).map(String::from_utf8_lossy).collect();
    lines.join(" ")
}

/// Compares a response with that of httparse. Returns false if httparse refuses it.
fn is_compared_with_httparse(block: &[u8], response: &Response<'_>) -> bool {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut expected = httparse::Response::new(&mut headers);
    let mut config = httparse::ParserConfig::default();
    config
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true);
    let Ok(httparse::Status::Complete(len)) = config.parse_response(&mut expected, block) else {
        return false;
    };
    // Interim responses are skipped.
    if expected.code.is_none_or(|code| code < 200) {
        return false;
    }
    assert_eq!(response.status, expected.code);
    assert!(block[..len].ends_with(response.head));
    let values = |name: &str| {
        let named = expected.headers.iter().filter(move |it| it.name.eq_ignore_ascii_case(name));
        named.map(|it| unfolded(it.value)).collect::<Vec<_>>()
    };
    let location = values("location").into_iter().next();
    assert_eq!(response.location.as_deref(), location.as_deref());
    let types = values("content-type");
    let content_type = types.iter().rfind(|it| it.contains('/')).or(types.last());
    assert_eq!(response.content_type.as_deref(), content_type.map(|it| &**it));
    true
}

/// The block of a response with these fields.
fn block(fields: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").as_bytes(), body].concat()
}

/// The bytes in chunks that end at these places.
fn chunked(bytes: &[u8], ends: &[prop::sample::Index], style: u8) -> Vec<u8> {
    let mut ends: Vec<_> = ends.iter().map(|it| it.index(bytes.len() + 1)).collect();
    ends.push(bytes.len());
    ends.sort_unstable();
    ends.dedup();
    let line_end = if style & 1 == 0 { "\r\n" } else { "\n" };
    let extension = ["", ";a=b", " ; a=\"b;c\"", "  "][usize::from(style >> 1) % 4];
    let mut encoded = Vec::new();
    let mut start = 0;
    for end in ends.into_iter().filter(|end| *end > 0) {
        let size = end - start;
        match style & 8 {
            0 => encoded.extend(format!("{size:x}{extension}{line_end}").bytes()),
            _ => encoded.extend(format!("{size:04X}{extension}{line_end}").bytes()),
        }
        encoded.extend(&bytes[start..end]);
        encoded.extend(line_end.bytes());
        start = end;
    }
    let trailer = if style & 16 == 0 { "" } else { "Expires: 0\r\n" };
    encoded.extend(format!("0{line_end}{trailer}{line_end}").bytes());
    encoded
}

/// The names of content codings.
const CODINGS: [&str; 5] = ["gzip", "deflate", "Deflate", "br", "zstd"];

fn encoded(coding: &str, bytes: &[u8]) -> Vec<u8> {
    let level = Compression::fast();
    match coding {
        "gzip" => gzip(bytes),
        "deflate" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).and(encoder.finish()).expect("zlib")
        }
        "Deflate" => {
            let mut encoder = DeflateEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).and(encoder.finish()).expect("deflate")
        }
        "br" => brotli(bytes),
        _ => compress_to_vec(bytes, CompressionLevel::Fastest),
    }
}

/// Stores bytes in blocks that are not compressed (RFC 7932, section 9.2).
fn brotli(bytes: &[u8]) -> Vec<u8> {
    // A window of 16 bits is written as one bit, which is 0.
    let mut encoded = Vec::new();
    let mut bits = (0_u32, 1);
    for part in bytes.chunks(1 << 16) {
        let (mut value, mut count) = bits;
        // Not the last block, a length of four digits, the length less 1, not compressed.
        for (field, len) in [(0, 1), (0, 2), (part.len() as u32 - 1, 16), (1, 1)] {
            value |= field << count;
            count += len;
        }
        encoded.extend(&value.to_le_bytes()[..(count as usize).div_ceil(8)]);
        encoded.extend(part);
        bits = (0, 0);
    }
    // The last block, and it is empty.
    encoded.push((0b11 << bits.1) as u8);
    encoded
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(select(&PIECES[..]), 0..40).prop_map(|it| it.concat().into_bytes()),
        prop::collection::vec(any::<u8>(), 0..300),
        (any::<u8>(), 0..200_000_usize).prop_map(|(byte, len)| vec![byte; len]),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn heads_are_those_of_httparse(block in blocks()) {
        let mut reader = ResponseReader::new();
        let response = reader.read(&block);
        if response.status.is_none() {
            prop_assert!(response.head.is_empty() && response.body == block);
        }
        is_compared_with_httparse(&block, &response);
        request_method(&block);
        let kind = document_kind(response.content_type.as_deref(), "http://a.example/b.html", response.body);
        prop_assert!(kind.is_none_or(|(format, _)| !format.is_mail()));
        prop_assert!(response.may_have_links || links(response.head).is_empty());
    }

    #[test]
    fn well_formed_heads_are_those_of_httparse(
        (status, reason) in select(vec![(200, " OK"), (302, ""), (404, " Not \u{e9}"), (999, " ")]),
        fields in prop::collection::vec(
            (
                select(vec!["Location", "location ", "Content-Type", "CONTENT-TYPE", "Link", "Server", "X"]),
                "[ \t]{0,2}[a-z/<>;:=,\"\u{e9}]{0,8}",
                prop::option::of("[a-z/: ]{1,4}"),
            ),
            0..9,
        ),
        line_break in select(vec!["\r\n", "\n"]),
        body in "[a-z:\n]{0,9}",
    ) {
        let mut text = format!("HTTP/1.1 {status}{reason}{line_break}");
        for (name, value, more) in &fields {
            let fold = more.as_ref().map_or(String::new(), |more| format!("{line_break} x{more}"));
            text += &format!("{name}:{value}{fold}{line_break}");
        }
        text += line_break;
        text += &body;
        let mut reader = ResponseReader::new();
        let response = reader.read(text.as_bytes());
        prop_assert_eq!(response.body, body.as_bytes());
        prop_assert!(is_compared_with_httparse(text.as_bytes(), &response), "{:?}", text);
    }

    #[test]
    fn line_breaks_make_no_difference(pieces in prop::collection::vec(select(&PIECES[8..]), 0..24)) {
        // A line break in a piece would not be one with the others.
        let pieces: Vec<_> = pieces.into_iter().filter(|it| !it.contains(['\r', '\n'])).collect();
        let lines = format!("HTTP/1.1 200 OK\n{}", pieces.join("\n").replace("5\n", "\n "));
        let expected = links(lines.as_bytes());
        for line_break in ["\r\n", "\r\r\n"] {
            prop_assert_eq!(&links(lines.replace('\n', line_break).as_bytes()), &expected);
        }
    }

    #[test]
    fn links_of_a_field_are_those_that_were_written(
        written in prop::collection::vec(
            ("[a-z/,;?=\u{e9}]{0,6}", prop::option::of(select(vec![("stylesheet", Role::Style), ("icon", Role::Embed), ("next", Role::Metadata)])), "[ a-z<>,;=\u{e9}]{0,8}"),
            0..6,
        ),
        (space, comma) in select(vec![("", ","), (" ", ", "), ("\r\n ", " ,"), ("\t", "\n\t,, "), (" ", ",\r\n  ")]),
    ) {
        let values = written.iter().map(|(reference, rel, title)| {
            let rel = rel.map_or(String::new(), |(rel, _)| format!("{space};{space}rel={rel}"));
            format!("<{reference}>{space};{space}title{space}=\"{title}\\\"\"{rel}; Rel=\"preload\"")
        });
        let values: Vec<_> = values.collect();
        let found = links(format!("HTTP/1.1 200 OK\r\nLink: {}\r\n\r\n", values.join(comma)).as_bytes());
        let expected: Vec<_> = written.iter().map(|(reference, rel, _)| {
            let role = rel.map_or(Role::Embed, |(_, role)| role);
            ("Link".to_owned(), reference.clone(), role)
        }).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn chunks_are_undone(
        body in bodies(),
        ends in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        style in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let stored = chunked(&body, &ends, style);
        let field = "Transfer-Encoding: Chunked";
        let mut reader = ResponseReader::new();
        let whole = block(field, &stored);
        let response = reader.read(&whole);
        prop_assert_eq!(response.body, &body[..]);
        prop_assert!(response.flaws.is_empty());

        let cut = block(field, &stored[..cut.index(stored.len())]);
        let response = reader.read(&cut);
        let is_stored = cut.ends_with(response.body);
        prop_assert!(body.starts_with(response.body) || is_stored, "{:?}", response);
    }

    #[test]
    fn codings_are_undone(
        body in bodies(),
        codings in prop::collection::vec(select(&CODINGS[..]), 1..4),
        is_transfer in any::<bool>(),
        ends in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        // Less than 9 bytes of some codings may be text by chance.
        prop_assume!(body.len() > 8);
        let stored = codings.iter().fold(body.clone(), |bytes, coding| encoded(coding, &bytes));
        let list = codings.join(", ");
        let (fields, stored) = match is_transfer {
            true => (format!("Transfer-Encoding: {list}, chunked"), chunked(&stored, &ends, 0)),
            false => (format!("Content-Encoding: {list}"), stored),
        };
        let mut reader = ResponseReader::new();
        let whole = block(&fields, &stored);
        let response = reader.read(&whole);
        prop_assert!(response.body == body, "{}", fields);
        prop_assert!(response.flaws.is_empty(), "{:?}", response.flaws);

        let is_text = |bytes: &[u8]| bytes.iter().all(|it| !(0..9).contains(it));
        let cut = block(&fields, &stored[..cut.index(stored.len())]);
        let response = reader.read(&cut);
        if let [_] = codings[..] && !is_transfer && !is_text(&cut) {
            let is_stored = cut.ends_with(response.body);
            prop_assert!(body.starts_with(response.body) || is_stored, "{}", fields);
        }
    }

    #[test]
    fn damaged_codings_have_bounded_bodies(
        body in bodies(),
        coding in select(&CODINGS[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        len in any::<prop::sample::Index>(),
    ) {
        let mut stored = encoded(coding, &body);
        stored.truncate(1 + len.index(stored.len()));
        for (at, byte) in changes {
            let at = at.index(stored.len());
            stored[at] = byte;
        }
        let block = block(&format!("Content-Encoding: {coding}"), &stored);
        let mut reader = ResponseReader::new();
        let response = reader.read(&block);
        prop_assert!(response.body.len() <= (1 << 20).max(4096 * stored.len()));
    }

    #[test]
    fn a_reader_keeps_nothing_of_a_response(
        first in bodies(),
        second in bodies(),
        coding in select(&CODINGS[..]),
    ) {
        let fields = format!("Content-Encoding: {coding}, {coding}");
        let [first, second] = [first, second].map(|it| block(&fields, &encoded(coding, &encoded(coding, &it))));
        let mut reader = ResponseReader::new();
        let expected = ResponseReader::new().read(&second).body.to_vec();
        reader.read(&first);
        prop_assert!(reader.read(&second).body == expected);
    }
}

#[test]
fn responses_are_read_in_linear_time() {
    let read = |text: &str| {
        ResponseReader::new().read(text.as_bytes());
    };
    for fields in HOSTILE {
        assert_linear(&format!("HTTP/1.1 200 OK\r\n{fields}"), read);
    }
    for body in [
        "Transfer-Encoding: chunked\r\n\r\n⟦1\r\na\r\n⟧",
        "Transfer-Encoding: chunked\r\n\r\n⟦1;⟧",
        "Transfer-Encoding: chunked, chunked, chunked\r\n\r\n⟦1\r\na\r\n⟧",
        "Content-Encoding: br, deflate, gzip\r\n\r\n⟦[a](b) ⟧",
    ] {
        assert_linear(&format!("HTTP/1.1 200 OK\r\n{body}"), read);
    }
    let member = encoded("gzip", b"");
    let unit = "a".repeat(member.len());
    assert_linear(&format!("⟦{unit}⟧"), |text| {
        let block = block("Content-Encoding: gzip", &member.repeat(text.len() / member.len()));
        assert!(ResponseReader::new().read(&block).body.is_empty());
    });
}

/// Fields that could take long to read.
const HOSTILE: &[&str] = &strings![
    "⟦Link: <a>\r\n⟧" "⟦Link: <a>; rel=\"\r\n ⟧" "⟦x: y\r\n⟧" "⟦\r\n ⟧"
    "⟦HTTP/1.1 100 Continue\r\n\r\n⟧" "⟦Content-Encoding: gzip, br\r\n⟧" "⟦Content-Type: a\r\n⟧"
    "Link: ⟦<⟧\r\n\r\n" "Link: ⟦<a>,⟧\r\n\r\n" "Link: ⟦\"⟧\r\n\r\n" "Link: ⟦\\⟧\r\n\r\n"
    "Link: ⟦,⟧\r\n\r\n" "Link: ⟦;⟧\r\n\r\n" "Link: ⟦<a>;x=\"⟧\r\n\r\n" "Link: ⟦x;⟧\r\n\r\n"
    "Link: ⟦<a>\r\n ⟧\r\n\r\n" "Link: ⟦=⟧\r\n\r\n" "Link: ⟦\r\n \r\n ⟧\r\n\r\n"
];
