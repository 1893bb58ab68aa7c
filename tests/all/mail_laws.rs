//! What holds of all mail: where links stand in their file, that line ends do not matter, that nothing that is
//! cut or damaged makes it fail, and that a mailbox is the same in parts and as a whole.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mail_parser::{MessageParser, PartType};
use proptest::prelude::*;
use rehref::document::{Located, Media};
use rehref::mail::{Batch, MailOptions, Mbox, MboxFormat, Part, documents};
use serde_json::Value;

use crate::linear::assert_linear_in;
use crate::mail_corpus::{
    Found, Mail, for_each_message, format_of, found_in, mails, media, options,
};

/// What a damaged file may take, unoptimised and on a busy machine.
const LIMIT: Duration = Duration::from_secs(20);

/// The links but for where they stand.
const WHAT: &str = "doc part message_id header place cue element attr role ref uri base_from charset \
     target_part same_document notes";

/// What quoted-printable says, apart from the program: escapes undone, and soft line breaks.
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
        let blanks = after
            .iter()
            .take_while(|it| matches!(it, b' ' | b'\t'))
            .count();
        match &after[blanks..] {
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => rest = after,
            [] => rest = &[],
            _ => out.push(b'='),
        }
    }
    out
}

/// Calls `each` with the documents of a file in memory.
fn for_each_part(bytes: &[u8], media: Media, mut each: impl FnMut(Part)) {
    let name: Arc<Path> = Path::new("in").into();
    if media == Media::Mbox {
        let format = format_of(bytes);
        let options = MailOptions {
            quoting: Some(format),
            ..options()
        };
        for_each_message(bytes, format, |message| {
            documents(message, &name, &options, &mut each);
        });
        return;
    }
    let batch = Batch::of_one(bytes.to_vec(), 0, false);
    for message in batch.messages() {
        documents(message, &name, &options(), &mut each);
    }
}

fn spans(link: &Value, field: &str) -> Option<Vec<Range<usize>>> {
    let spans = link[field].as_array()?.iter();
    let bound = |span: &Value, at: usize| span[at].as_u64().expect("an offset") as usize;
    Some(spans.map(|span| bound(span, 0)..bound(span, 1)).collect())
}

/// Fails unless the spans of all links are in order, and those in the file spell what those in the part do.
fn check_spans(name: &str, bytes: &[u8], media: Media) {
    let mut parts: Vec<Part> = Vec::new();
    for_each_part(bytes, media, |part| parts.push(part));
    let found = found_in(bytes, media);
    for link in &found.links {
        let doc = link["doc"].as_str().expect("a name");
        let part = parts
            .iter()
            .find(|part| part.document.name == Path::new(doc));
        let document = &part.expect("links are in parts").document;
        let in_part = spans(link, "spans").expect("a link has spans");
        let ends =
            |spans: &[Range<usize>]| spans.windows(2).all(|pair| pair[0].end <= pair[1].start);
        assert!(ends(&in_part), "{name}: {link}");
        assert!(
            in_part.iter().all(|span| span.start <= span.end),
            "{name}: {link}"
        );
        let located = &document.carrier.as_ref().expect("it is in mail").located;
        let Some(in_file) = spans(link, "file_spans") else {
            assert!(matches!(located, Located::Nowhere), "{name}: {link}");
            continue;
        };
        assert!(ends(&in_file), "{name}: {link}");
        assert_eq!(in_file.len(), in_part.len(), "{name}: {link}");
        for (in_file, in_part) in in_file.into_iter().zip(in_part) {
            let (in_file, in_part) = (&bytes[in_file], &document.bytes[in_part]);
            let mut decoded = in_file.to_vec();
            // A message in quoted-printable may have parts in quoted-printable.
            for _ in 0..4 {
                if matches!(located, Located::Decoded(..)) && decoded != in_part {
                    decoded = unquoted_printable(&decoded);
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

#[test]
fn spans_of_the_file_spell_what_those_of_the_part_do() {
    for mail in mails() {
        check_spans(&mail.name, &mail.bytes, media(&mail));
    }
}

/// With LF for its line ends.
fn with_lf(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let is_kept = |at: usize| bytes[at] != b'\r' || bytes.get(at + 1) != Some(&b'\n');
    let mut at = 0..;
    out.retain(|_| at.next().is_some_and(is_kept));
    out
}

fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    let lines = with_lf(bytes);
    let lines = lines.iter().flat_map(|byte| match byte {
        b'\n' => &b"\r\n"[..],
        other => std::slice::from_ref(other),
    });
    lines.copied().collect()
}

/// Fails unless the file has the same links whatever its lines end with.
pub(crate) fn check_line_ends(name: &str, bytes: &[u8], media: Media) {
    let lf = found_in(&with_lf(bytes), media);
    let crlf = found_in(&with_crlf(bytes), media);
    assert_eq!(lf.messages, crlf.messages, "{name}: messages");
    assert_eq!(lf.records(WHAT), crlf.records(WHAT), "{name}");
    assert_eq!(lf.repaired, crlf.repaired, "{name}");
}

#[test]
fn line_ends_change_nothing() {
    for mail in mails() {
        // A `Content-Length` counts line ends too.
        if !mail.name.contains("mboxcl2") {
            check_line_ends(&mail.name, &mail.bytes, media(&mail));
        }
    }
}

/// Fails if reading takes longer than it may, or says something impossible.
pub(crate) fn check_damaged(name: &str, bytes: &[u8], media: Media) -> Found {
    let start = Instant::now();
    let found = found_in(bytes, media);
    let time = start.elapsed();
    assert!(time < LIMIT, "{name}: {time:?}");
    for link in &found.links {
        let in_file = spans(link, "file_spans").unwrap_or_default();
        assert!(
            in_file.iter().all(|span| span.end <= bytes.len()),
            "{name}: {link}"
        );
    }
    found
}

#[test]
fn what_is_cut_anywhere_is_read() {
    for mail in mails() {
        for len in 0..mail.bytes.len() {
            check_damaged(&mail.name, &mail.bytes[..len], media(&mail));
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

/// A file of the corpus in which some bytes are others.
fn damaged() -> impl Strategy<Value = (String, Media, Shown)> {
    let mail = prop::sample::select((0..mails().len()).collect::<Vec<_>>());
    let byte = prop_oneof![
        any::<u8>(),
        prop::sample::select(b"\n\r\0 =-:;\"<>?&FM\xEF".to_vec()),
    ];
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), byte), 1..20);
    (mail, damage).prop_map(|(at, damage)| {
        let Mail {
            name,
            path,
            mut bytes,
        } = mails().swap_remove(at);
        let media = Media::detect(&path, &bytes);
        for (at, flips_a_bit, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = if flips_a_bit {
                bytes[at] ^ 1 << (byte % 8)
            } else {
                byte
            };
        }
        (name, media, Shown(bytes))
    })
}

proptest! {
    #[test]
    fn what_is_damaged_is_read((name, media, Shown(bytes)) in damaged()) {
        check_damaged(&name, &bytes, media);
        check_spans(&name, &bytes, media);
    }
}

/// A message of a mailbox: where it begins, and its bytes.
type Message = (u64, Vec<u8>);

fn messages(batches: impl Iterator<Item = io::Result<Batch>>) -> Vec<Message> {
    let mut found = Vec::new();
    for batch in batches {
        let batch = batch.expect("nothing fails");
        for message in batch.messages() {
            found.push((message.offset, message.bytes.to_vec()));
        }
    }
    found
}

/// The messages that begin in a part of a mailbox.
fn messages_of_part(bytes: &[u8], format: MboxFormat, wanted: Range<u64>) -> Vec<Message> {
    let from = wanted.start.saturating_sub(Mbox::<&[u8]>::LOOK_BACK);
    let mut reader = Cursor::new(bytes);
    reader
        .seek(SeekFrom::Start(from))
        .expect("within the mailbox");
    messages(Mbox::part(reader, format, from, wanted))
}

/// Where a line begins with `From ` that parts nothing: a part that begins there takes it for a separator.
fn is_unsure(bytes: &[u8], cut: usize, whole: &[Message]) -> bool {
    let begins_line = cut == 0 || bytes[cut - 1] == b'\n';
    begins_line
        && bytes[cut..].starts_with(b"From ")
        && !whole.iter().any(|(at, _)| *at == cut as u64)
}

/// Fails unless the messages of two parts are those of the whole.
fn check_cut(name: &str, bytes: &[u8], cut: usize, whole: &[Message]) {
    let format = format_of(bytes);
    let mut parts = messages_of_part(bytes, format, 0..cut as u64);
    parts.extend(messages_of_part(bytes, format, cut as u64..u64::MAX));
    let lens = |messages: &[Message]| -> Vec<(u64, usize)> {
        messages
            .iter()
            .map(|(at, bytes)| (*at, bytes.len()))
            .collect()
    };
    assert_eq!(lens(&parts), lens(whole), "{name}: cut at {cut}");
    assert!(parts == whole, "{name}: cut at {cut}");
}

fn mailboxes() -> Vec<Mail> {
    let is_mailbox = |mail: &Mail| media(mail) == Media::Mbox;
    mails().into_iter().filter(is_mailbox).collect()
}

#[test]
fn a_mailbox_in_two_parts_has_the_messages_of_the_whole() {
    for mail in mailboxes() {
        // A part does not know of a `Content-Length` before it.
        if mail.name.contains("mboxcl2") {
            continue;
        }
        let whole = messages(Mbox::new(&mail.bytes[..], format_of(&mail.bytes)));
        for cut in 0..=mail.bytes.len() {
            if !is_unsure(&mail.bytes, cut, &whole) {
                check_cut(&mail.name, &mail.bytes, cut, &whole);
            }
        }
    }
}

#[test]
fn messages_are_all_of_a_mailbox_but_what_stands_before_them() {
    for mail in mailboxes() {
        let whole = messages(Mbox::new(&mail.bytes[..], format_of(&mail.bytes)));
        let mut end = whole[0].0;
        assert!(
            mail.bytes[..end as usize]
                .iter()
                .all(u8::is_ascii_whitespace),
            "{}",
            mail.name
        );
        for (at, message) in &whole {
            assert_eq!(*at, end, "{}", mail.name);
            end += message.len() as u64;
        }
        assert_eq!(end, mail.bytes.len() as u64, "{}", mail.name);
    }
}

/// Reads what it has in pieces of these lengths.
struct Slow<'d> {
    rest: &'d [u8],
    lens: std::iter::Cycle<std::slice::Iter<'d, usize>>,
}

impl<'d> Slow<'d> {
    fn new(rest: &'d [u8], lens: &'d [usize]) -> Self {
        Self {
            rest,
            lens: lens.iter().cycle(),
        }
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = *self.lens.next().unwrap_or(&1);
        let (piece, rest) = self
            .rest
            .split_at(len.min(buffer.len()).min(self.rest.len()));
        buffer[..piece.len()].copy_from_slice(piece);
        self.rest = rest;
        Ok(piece.len())
    }
}

/// Mailboxes of lines that mean something, as the files of the corpus and longer than a batch.
fn mailbox() -> impl Strategy<Value = Shown> {
    let line = prop_oneof![
        8 => prop::sample::select(vec![
            "",
            "",
            "From a@b.example Mon Jul 21 10:00:00 1997",
            "From a@b.example Mon Jul 21 10:00:00 1997",
            "From - Mon Jul 21 10:00:00 1997",
            "From -",
            "From",
            "From here on",
            ">From a@b.example Mon Jul 21 10:00:00 1997",
            "Subject: x",
            "From: x",
            "Content-Length: 7",
            "Content-Length: 60",
            "Content-Length: 999999",
            "http://a.example/",
            " folded",
            "\u{FEFF}",
        ]).prop_map(str::to_owned),
        1 => (1..40_000_usize).prop_map(|len| "text and ".repeat(len)),
    ];
    let lines = prop::collection::vec((line, any::<bool>()), 0..60);
    (lines, any::<bool>()).prop_map(|(lines, mixes)| {
        let mut text = String::new();
        for (line, has_cr) in lines {
            text.push_str(&line);
            text.push_str(if mixes && has_cr { "\r\n" } else { "\n" });
        }
        Shown(text.into_bytes())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn how_a_reader_reads_changes_nothing(
        Shown(bytes) in mailbox(),
        lens in prop::collection::vec(prop_oneof![1..9_usize, 1..700_000_usize], 1..6),
    ) {
        for format in [MboxFormat::Auto, MboxFormat::Mboxo] {
            let whole = messages(Mbox::new(&bytes[..], format));
            let slow = messages(Mbox::new(Slow::new(&bytes, &lens), format));
            prop_assert!(whole == slow, "{format}");
            let len: usize = whole.iter().map(|(_, message)| message.len()).sum();
            let start = whole.first().map_or(bytes.len(), |(at, _)| *at as usize);
            prop_assert_eq!(start + len, bytes.len());
        }
    }

    #[test]
    fn any_mailbox_in_two_parts_has_the_messages_of_the_whole(
        Shown(bytes) in mailbox(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..20),
    ) {
        // `Content-Length` is for those that read all that is before.
        let format = MboxFormat::Mboxrd;
        let whole = messages(Mbox::new(&bytes[..], format));
        for cut in cuts {
            let cut = cut.index(bytes.len() + 1);
            if is_unsure(&bytes, cut, &whole) {
                continue;
            }
            let mut parts = messages_of_part(&bytes, format, 0..cut as u64);
            parts.extend(messages_of_part(&bytes, format, cut as u64..u64::MAX));
            prop_assert!(parts == whole, "cut at {cut}");
        }
    }
}

/// A message made to know all about it: its type, and what it holds.
#[derive(Clone, Debug)]
enum Tree {
    Leaf {
        text: String,
        encoding: Encoding,
    },
    Multipart {
        subtype: &'static str,
        parts: Vec<Tree>,
    },
    Message {
        tree: Box<Tree>,
        is_encoded: bool,
    },
}

#[derive(Clone, Copy, Debug)]
enum Encoding {
    Identity,
    QuotedPrintable,
    Base64,
}

/// Text that no encoding changes: no blank ends a line.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "word ",
        "http://a.example/b",
        "http://a.example/?c=d&e=%20",
        "<http://a.example/\nb>",
        "\n",
        "=",
        "é",
        "-- ",
        "--",
        ".",
        ">From ",
    ]);
    prop::collection::vec(word, 0..12).prop_map(|words| {
        let text = words.concat();
        let lines = text.lines().map(str::trim_end);
        let mut text = lines.collect::<Vec<_>>().join("\n");
        text.push('.');
        text
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    let encoding = prop::sample::select(vec![
        Encoding::Identity,
        Encoding::QuotedPrintable,
        Encoding::Base64,
    ]);
    let leaf = (text(), encoding).prop_map(|(text, encoding)| Tree::Leaf { text, encoding });
    leaf.prop_recursive(5, 24, 4, |inner| {
        let subtype = prop::sample::select(vec!["mixed", "alternative", "related", "x-own"]);
        let parts = prop::collection::vec(inner.clone(), 1..4);
        // The peer panics where a message is all that a message holds.
        let held = inner.prop_filter("a message", |tree| !matches!(tree, Tree::Message { .. }));
        prop_oneof![
            4 => (subtype, parts).prop_map(|(subtype, parts)| Tree::Multipart { subtype, parts }),
            1 => held.prop_map(|tree| Tree::Message { tree: Box::new(tree), is_encoded: false }),
        ]
    })
}

impl Tree {
    /// Appends the header fields of an entity, the empty line and the body. `boundaries` counts those that there are.
    fn write(&self, boundaries: &mut usize, out: &mut String) {
        match self {
            Self::Leaf { text, encoding } => {
                let (name, body) = match encoding {
                    Encoding::Identity => ("8bit", text.clone()),
                    Encoding::QuotedPrintable => ("quoted-printable", quoted_printable(text)),
                    Encoding::Base64 => ("base64", base64(text)),
                };
                out.push_str("Content-Type: text/plain; charset=utf-8\n");
                out.push_str(&format!("Content-Transfer-Encoding: {name}\n\n{body}"));
            }
            Self::Multipart { subtype, parts } => {
                *boundaries += 1;
                // The one begins with the other.
                let boundary = format!("=_b{boundaries}");
                out.push_str(&format!(
                    "Content-Type: multipart/{subtype};\n\tboundary=\"{boundary}\"\n\n"
                ));
                out.push_str("preamble\n");
                for part in parts {
                    out.push_str(&format!("--{boundary}\n"));
                    part.write(boundaries, out);
                    out.push('\n');
                }
                out.push_str(&format!("--{boundary}--\n"));
            }
            Self::Message { tree, is_encoded } => {
                let mut inner =
                    String::from("From: a@b.example\nSubject: inner\nMIME-Version: 1.0\n");
                tree.write(boundaries, &mut inner);
                out.push_str("Content-Type: message/rfc822\n");
                match is_encoded {
                    true => out.push_str(&format!(
                        "Content-Transfer-Encoding: base64\n\n{}",
                        base64(&inner)
                    )),
                    false => out.push_str(&format!("\n{inner}")),
                }
            }
        }
    }

    /// The texts of the leaves, in order.
    fn texts<'t>(&'t self, out: &mut Vec<&'t str>) {
        match self {
            Self::Leaf { text, .. } => out.push(text),
            Self::Multipart { parts, .. } => parts.iter().for_each(|part| part.texts(out)),
            Self::Message { tree, .. } => tree.texts(out),
        }
    }

    fn message(&self) -> String {
        let mut out = String::from("From: a@b.example\nSubject: x\nMIME-Version: 1.0\n");
        self.write(&mut 0, &mut out);
        out.push('\n');
        out
    }
}

fn quoted_printable(text: &str) -> String {
    let mut out = String::new();
    for line in text.split('\n') {
        let mut column = 0;
        for byte in line.bytes() {
            if column >= 20 {
                out.push_str("=\n");
                column = 0;
            }
            match byte {
                b'!'..=b'<' | b'>'..=b'~' | b' ' => out.push(byte as char),
                _ => out.push_str(&format!("={byte:02X}")),
            }
            column += 1;
        }
        out.push('\n');
    }
    out.pop();
    out
}

fn base64(text: &str) -> String {
    use base64::Engine as _;
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    let lines = encoded.as_bytes().chunks(76);
    let lines = lines.map(|line| std::str::from_utf8(line).expect("ASCII"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The texts of the leaves as `mail_parser` reads them.
fn peer_texts(message: &mail_parser::Message<'_>, out: &mut Vec<String>) {
    for part in &message.parts {
        match &part.body {
            PartType::Text(text) => out.push(text.to_string()),
            PartType::Message(message) => peer_texts(message, out),
            _ => assert!(part.is_message() || matches!(part.body, PartType::Multipart(_))),
        }
    }
}

proptest! {
    #[test]
    fn well_formed_messages_have_the_parts_that_a_peer_reads(tree in tree(), has_cr in any::<bool>()) {
        let mut message = tree.message().into_bytes();
        if has_cr {
            message = with_crlf(&message);
        }
        let mut expected = Vec::new();
        tree.texts(&mut expected);
        let lf = |text: &str| text.replace("\r\n", "\n").trim_end().to_owned();
        let mut ours = Vec::new();
        for_each_part(&message, Media::Mail, |part| {
            if part.document.media != Media::Header {
                ours.push(lf(&String::from_utf8_lossy(&part.document.bytes)));
            }
        });
        prop_assert_eq!(&ours, &expected);
        let peer = MessageParser::new().parse(&message[..]);
        let mut theirs = Vec::new();
        peer_texts(&peer.expect("it is well-formed"), &mut theirs);
        let theirs: Vec<_> = theirs.iter().map(|text| lf(text)).collect();
        prop_assert_eq!(ours, theirs);
        check_spans("a tree", &message, Media::Mail);
    }
}

/// What is found in a message, and how long that takes.
fn found_in_time(message: &str) -> (Found, Duration) {
    let start = Instant::now();
    let found = found_in(message.as_bytes(), Media::Mail);
    (found, start.elapsed())
}

#[test]
fn parts_may_nest_too_deep() {
    let mut message = String::from("From: a@b.example\n");
    for depth in 0..10_000 {
        message.push_str(&format!(
            "Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n"
        ));
    }
    message.push_str("\nhttp://deep.example/\n");
    let (found, time) = found_in_time(&message);
    assert_eq!(found.unread, [1]);
    // What is too deep to be parted is read as text.
    assert_eq!(found.links.len(), 1);
    assert!(time < LIMIT, "{time:?}");
    let nested = "Content-Type: message/rfc822\n\n".repeat(10_000);
    let (found, time) = found_in_time(&format!("{nested}Subject: http://deep.example/\n\n"));
    assert_eq!(found.unread, [1]);
    assert!(time < LIMIT, "{time:?}");
}

#[test]
fn messages_may_be_encoded_within_encoded_ones() {
    let mut message = String::from("Subject: x\n\nhttp://deep.example/\n");
    for depth in 0..10 {
        message = format!(
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}\n",
            base64(&message)
        );
        let (found, _) = found_in_time(&message);
        // The first that is too deep is read as text.
        assert_eq!(found.links.len(), usize::from(depth <= 4), "{depth}");
        assert_eq!(found.unread.is_empty(), depth < 4, "{depth}");
    }
}

/// Each `multipart/alternative` has a number of its own, also within messages that are decoded first.
#[test]
fn alternatives_of_encoded_messages_are_told_apart() {
    let inner = "Content-Type: multipart/alternative; boundary=a\n\n\
        --a\n\nhttp://a.example/\n--a\nContent-Type: text/html\n\n<a href=http://b.example/>\n--a--\n";
    let part = format!(
        "--m\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}\n",
        base64(inner)
    );
    let outer = format!("--m\n{inner}");
    let message =
        format!("Content-Type: multipart/mixed; boundary=m\n\n{outer}{part}{part}--m--\n");
    let mut seen = Vec::new();
    for_each_part(message.as_bytes(), Media::Mail, |part| {
        seen.push(part.alternatives)
    });
    let places: Vec<Vec<usize>> = seen
        .iter()
        .map(|alternatives| alternatives.iter().map(|(_, place)| *place).collect())
        .collect();
    assert_eq!(places, [[1], [2], [1], [2], [1], [2]]);
    let numbers: std::collections::BTreeSet<usize> = seen.iter().map(|it| it[0].0).collect();
    assert_eq!(numbers.len(), 3, "{seen:?}");
}

#[test]
fn there_may_be_too_many_parts() {
    let parts = |count: usize| {
        let part = "--b\n\nhttp://part.example/\n".repeat(count);
        format!("Content-Type: multipart/mixed; boundary=b\n\n{part}--b--\n")
    };
    let (found, time) = found_in_time(&parts(100_000));
    assert_eq!(found.unread, [1]);
    // The message is one of them.
    assert_eq!(found.links.len(), rehref::mail::MAX_PARTS - 1);
    assert!(time < LIMIT, "{time:?}");
    let (found, _) = found_in_time(&parts(rehref::mail::MAX_PARTS - 1));
    assert!(found.unread.is_empty());
}

#[test]
fn a_header_may_be_long() {
    const LEN: usize = 20 << 20;
    let field = "X-Long: words of a line that nobody reads\n";
    let folded = " <http://list.example/help> and words, and\n";
    let endings = "\n\nhttp://body.example/\n";
    for (name, first, unit, links) in [
        ("fields", "Subject: x\n", field, 1),
        ("one field", "Subject: ", "x", 1),
        ("blank lines", "Subject: x\n", " \nSubject: x\n", 1),
        ("folded", "X-Long: x\n", folded, 1),
        ("lines that are none", "Subject: x\n", "no field\n", 1),
    ] {
        let message = format!("{first}{}{endings}", unit.repeat(LEN / unit.len()));
        let (found, time) = found_in_time(&message);
        assert_eq!(found.links.len(), links, "{name}");
        assert!(time < LIMIT, "{name}: {time:?}");
    }
}

#[test]
fn a_message_may_be_too_long() {
    const MAX: usize = rehref::mail::MAX_MESSAGE;
    const SEPARATOR: &str = "From a@b.example Mon Jul 21 10:00:00 1997\nSubject: x\n\n";
    let line = "http://body.example/ and words\n";
    // Exactly as long as may be, a byte longer, and so long that its end is not held together with its beginning.
    for len in [MAX, MAX + 1, 3 * MAX] {
        let mut first = SEPARATOR.to_owned() + &line.repeat(len / line.len());
        first.truncate(len - 2);
        first.push_str("\n\n");
        assert_eq!(first.len(), len);
        for before in ["", SEPARATOR] {
            let mailbox = format!("{before}{first}{SEPARATOR}last\n");
            let mut seen = Vec::new();
            for_each_message(mailbox.as_bytes(), MboxFormat::Auto, |message| {
                seen.push((message.offset as usize, message.bytes.len(), message.is_cut));
            });
            let mut expected = vec![
                (before.len(), len.min(MAX), len > MAX),
                (before.len() + len, SEPARATOR.len() + "last\n".len(), false),
            ];
            if !before.is_empty() {
                expected.insert(0, (0, before.len(), false));
            }
            assert_eq!(seen, expected, "{len}");
        }
    }
}

/// What costs time if anything is looked for again and again.
#[test]
fn time_is_linear() {
    let boundaries = |len: usize| {
        let mut message = String::from("From: a@b.example\n");
        for part in 0..len / 100 {
            message.push_str(&format!(
                "Content-Type: multipart/mixed; boundary=never{part:06}\n\nwords that are the preamble\n"
            ));
        }
        message
    };
    let siblings = |len: usize| {
        let part = "--b\nContent-Type: multipart/mixed; boundary=never\n\nhttp://a.example/\n";
        format!(
            "Content-Type: multipart/mixed; boundary=b\n\n{}--b--\n",
            part.repeat(len / part.len())
        )
    };
    let open = |len: usize| {
        let mut message = String::new();
        for depth in 0..60 {
            message.push_str(&format!(
                "Content-Type: multipart/mixed; boundary=b{depth:02}\n\n--b{depth:02}\n"
            ));
        }
        message + "\n" + &"--b\n--words\n".repeat(len / 12)
    };
    let located = |len: usize| {
        let part = "--b\nContent-Location: a\nContent-ID: <a>\n\nhttp://a.example/\n";
        format!(
            "Content-Type: multipart/related; boundary=b\n\n{}--b--\n",
            part.repeat(len / part.len())
        )
    };
    // Each part has a copy of its base.
    let based = |len: usize| {
        let part = "--b\n\nhttp://a.example/\n";
        format!(
            "Content-Base: http://a.example/{}/\nContent-Type: multipart/mixed; boundary=b\n\n{}--b--\n",
            "x".repeat(len / 2),
            part.repeat((len / 2 / part.len()).min(9000))
        )
    };
    let headless = |len: usize| {
        let part = "--b\nwords\n";
        format!(
            "Content-Type: multipart/mixed; boundary=b\n\n{}",
            part.repeat(len / part.len())
        )
    };
    let units = [
        ("blank lines in a header", "Subject: x\n", " \nSubject: x\n"),
        (
            "lines that are no fields",
            "Subject: x\n",
            "none\nDate: x\n",
        ),
        ("long fields", "Subject: ", "=?utf-8?Q?http://a.example/?= "),
        ("open words", "Subject: ", "=?utf-8?Q?"),
        ("quotes in a type", "Content-Type: text/plain; a=", "\"\\"),
        ("comments in a type", "Content-Type: text/plain ", "("),
        ("parameters", "Content-Type: text/plain", "; a*0=b"),
        (
            "comments of an encoding",
            "Content-Transfer-Encoding: ",
            "(",
        ),
        (
            "escapes",
            "Content-Transfer-Encoding: quoted-printable\n\n",
            "=41= \n=\n= ",
        ),
        (
            "base64",
            "Content-Transfer-Encoding: base64\n\n",
            "YWJj\n=\n",
        ),
        ("undeclared", "Subject: x\n\n", "=3D=\n"),
        (
            "flowed",
            "Content-Type: text/plain; format=flowed; delsp=yes\n\n",
            "> http://a.example/ \n",
        ),
        ("quoted", "Subject: x\n\n", "> > <http://a/\n"),
        (
            "mailbox",
            "From a Mon Jul 21 10:00:00 1997\nSubject: x\n\n",
            "\n\nFrom x\n",
        ),
        (
            "lengths",
            "",
            "From a Mon Jul 21 10:00:00 1997\nContent-Length: 40000\n\nx\n\n",
        ),
    ];
    for (name, first, unit) in units {
        let media = if first.starts_with("From ") || name == "lengths" {
            Media::Mbox
        } else {
            Media::Mail
        };
        let text = |len: usize| format!("{first}{}", unit.repeat(len / unit.len()));
        assert_linear_in(name, text, |text| drop(found_in(text.as_bytes(), media)));
    }
    let made: [(&str, &dyn Fn(usize) -> String); 6] = [
        ("a long base", &based),
        ("parts without an empty line", &headless),
        ("boundaries that never come", &boundaries),
        ("the same in parts", &siblings),
        ("many open boundaries", &open),
        ("locations", &located),
    ];
    for (name, text) in made {
        assert_linear_in(name, text, |text| {
            drop(found_in(text.as_bytes(), Media::Mail))
        });
    }
}

/// What `rehref extract --json` says, and what it ends with.
fn extract(path: &Path) -> (Option<i32>, String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_rehref"))
        .args(["extract", "--json"])
        .arg(path)
        .output()
        .expect("rehref runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// What `rehref extract` prints of a file, or of bytes on standard input.
fn printed(arguments: &[&str], path: &Path, stdin: Option<&[u8]>) -> String {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
        .arg("extract")
        .args(arguments)
        .arg(if stdin.is_some() {
            Path::new("-")
        } else {
            path
        })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rehref runs");
    let mut input = child.stdin.take().expect("piped");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(stdin.unwrap_or_default()).expect("taken"));
        child.wait_with_output().expect("rehref ends")
    });
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A mailbox of many batches is the same by one thread and by many, from a file, a pipe and compressed.
#[test]
fn how_a_long_mailbox_is_read_changes_nothing() {
    use std::fmt::Write as _;
    use std::io::Write as _;
    let mut mailbox = String::new();
    for number in 0..4000_usize {
        let _ = write!(
            mailbox,
            "From a@b.example Mon Jul 21 10:00:00 1997\nFrom: a@b.example\nSubject: http://a.example/s/{number}\n\n\
             See http://a.example/{number} and\n<http://a.example/\nover/{number}>\n\n{}\n\n",
            "words of no interest\n".repeat(number % 130),
        );
    }
    assert!(mailbox.len() > 4 << 20);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mbox");
    std::fs::write(&path, &mailbox).expect("written");
    let expected = printed(&["-j1"], &path, None);
    assert_eq!(expected.lines().count(), 12_000);
    assert_eq!(printed(&["-j4"], &path, None), expected);
    let stdin = Some(mailbox.as_bytes());
    assert_eq!(printed(&["-j3"], Path::new("-"), stdin), expected);
    let compressed = folder.path().join("a.mbox.gz");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(mailbox.as_bytes()).expect("written");
    std::fs::write(&compressed, gzip.finish().expect("written")).expect("written");
    assert_eq!(printed(&["-j2"], &compressed, None), expected);
    // The numbers go on from batch to batch, and the slices of a file have what it has.
    let numbered = printed(&["-H", "--place", "header"], &path, None);
    let last = numbered.lines().last().expect("a line");
    assert!(
        last.ends_with("a.mbox!4000!HEADER:http://a.example/s/3999"),
        "{last}"
    );
    let mut slices = String::new();
    for cut in (0..mailbox.len()).step_by(700_001) {
        let slice = format!("{}#{cut},700001", path.display());
        slices += &printed(&["-j2"], Path::new(&slice), None);
    }
    assert!(slices == expected);
}

/// A compressed file may come to a thousand times its length, and is given up on before.
#[test]
fn a_mailbox_that_inflates_too_far_is_an_error() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().expect("a folder");
    for (name, first) in [
        (
            "a.mbox.gz",
            "From a@b.example Mon Jul 21 10:00:00 1997\nSubject: x\n\nhttp://a.example/\n",
        ),
        (
            "a.eml.gz",
            "From: a@b.example\nSubject: x\n\nhttp://a.example/\n",
        ),
    ] {
        let path = folder.path().join(name);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(first.as_bytes()).expect("written");
        let zeros = vec![b'0'; 1 << 20];
        for _ in 0..60 {
            gzip.write_all(&zeros).expect("written");
        }
        std::fs::write(&path, gzip.finish().expect("written")).expect("written");
        let start = Instant::now();
        let (code, stdout, stderr) = extract(&path);
        let time = start.elapsed();
        assert_eq!(code, Some(2), "{name}: {stderr}");
        assert!(
            stderr.contains("inflates to more than 200 times"),
            "{name}: {stderr}"
        );
        assert!(stdout.len() < 10_000, "{name}: {stdout}");
        assert!(time < LIMIT, "{name}: {time:?}");
    }
}
