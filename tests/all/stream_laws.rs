//! A text in pieces has the links of the whole text.

use std::cell::Cell;
use std::io::{self, Read};

use proptest::prelude::*;
use rehref::bytes::Position;
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::format::text::{
    Join, LinePosition, TextOptions, TextPart, TextParts, TextRanges, TextStream, scan,
};
use rehref::link::ParsedLink;
use rehref::source::{Charset, TextSyntax};

use crate::text_laws::{PIECES, options};
use crate::tier;

type Found = Vec<(ParsedLink<'static>, Position)>;

/// The links of a text that is read in pieces of these lengths, and where it is invalid.
type InSome = fn(&Document, &Options, &[usize]) -> (Found, Option<Position>);

fn in_pieces(document: &Document, options: &Options, cuts: &[usize]) -> (Found, Option<Position>) {
    let mut stream = TextStream::new(document.source(), options);
    let mut found = Vec::new();
    let mut rest = document.bytes();
    for &cut in cuts.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at(cut.min(rest.len()));
        stream.push(piece, |link, position| found.push((link.into_owned(), position.get())));
        rest = after;
    }
    stream.finish(|link, position| found.push((link.into_owned(), position.get())));
    let malformed = stream.malformed();
    (found, malformed)
}

/// Reads its bytes in pieces of these lengths.
pub(crate) struct Slow<'d> {
    rest: &'d [u8],
    lens: std::iter::Cycle<std::slice::Iter<'d, usize>>,
}

impl<'d> Slow<'d> {
    pub(crate) fn new(rest: &'d [u8], lens: &'d [usize]) -> Self {
        Self { rest, lens: lens.iter().cycle() }
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = *self.lens.next().unwrap_or(&1);
        let (piece, rest) = self.rest.split_at(len.min(buffer.len()).min(self.rest.len()));
        buffer[..piece.len()].copy_from_slice(piece);
        self.rest = rest;
        Ok(piece.len())
    }
}

/// The links of a text whose parts are searched independently. They are the same if each part is
/// searched when it is taken.
fn in_parts(document: &Document, options: &Options, cuts: &[usize]) -> (Found, Option<Position>) {
    let independently = searching_parts(read_parts(document, options, cuts), true);
    let in_turn = searching_parts(read_parts(document, options, cuts), false);
    assert!(independently == in_turn);
    independently
}

fn read_parts(
    document: &Document,
    options: &Options,
    cuts: &[usize],
) -> (TextStream, Vec<TextPart>) {
    let reader = Slow::new(document.bytes(), cuts);
    let parts = TextParts::new(reader, document.source(), options);
    (parts.stream(), parts.map(|part| part.expect("nothing fails")).collect())
}

/// Like [`in_parts`], for parts that are read as ranges. Without counting lines, the links are the
/// same.
fn in_ranges(document: &Document, options: &Options, cuts: &[usize]) -> (Found, Option<Position>) {
    let bytes = document.bytes();
    let len = bytes.len() as u64;
    let parts = TextParts::new(io::empty(), document.source(), options);
    let Some(ranges) = parts.ranges(len, cuts[0]) else {
        return in_parts(document, options, cuts);
    };
    let copy = |offset: usize, buffer: &mut [u8]| {
        buffer.copy_from_slice(&bytes[offset..][..buffer.len()]);
        Ok(buffer.len())
    };
    let searched = |parts: &TextParts<io::Empty>, ranges: &TextRanges| {
        let read = |number| ranges.part(number, copy).expect("nothing fails");
        searching_parts((parts.stream(), (0..ranges.count()).map(read).collect()), true)
    };
    let counted = searched(&parts, &ranges);
    let parts = parts.in_one_line();
    let (mut found, mut malformed) =
        searched(&parts, &parts.ranges(len, cuts[0]).expect("it has ranges"));
    let positions = found.iter_mut().map(|(_, position)| position).chain(&mut malformed);
    for position in positions {
        assert_eq!(position.line, 1);
        *position = ranges.position(position.column - 1, copy).expect("nothing fails");
    }
    assert!(counted == (found, malformed));
    counted
}

/// The links of a text in parts, which are searched independently or when they are taken.
fn searching_parts(
    (mut stream, parts): (TextStream, Vec<TextPart>),
    independently: bool,
) -> (Found, Option<Position>) {
    let mut found = Vec::new();
    let mut beginning = LinePosition::BEGIN;
    for part in parts {
        let mut own_found = Vec::new();
        let own = independently.then(|| {
            TextStream::of_part(&part, |link, at| {
                own_found.push((link.into_owned(), at.from(beginning)))
            })
        });
        beginning = part.line_feeds().after(beginning);
        match stream.follow(own.flatten()) {
            true => found.extend(own_found),
            false => stream.take(&part, |link, at| found.push((link.into_owned(), at.get()))),
        }
    }
    stream.finish(|link, position| found.push((link.into_owned(), position.get())));
    (found, stream.malformed())
}

fn whole(document: &Document, options: &Options) -> (Found, Option<Position>) {
    let parsed_links = document.found(options);
    let mut lines = document.lines();
    let mut position =
        |link: ParsedLink<'_>| (lines.position(link.extent().start), link.into_owned());
    let links = parsed_links.links.into_iter().map(|link| {
        let (position, link) = position(link);
        (link, position)
    });
    let links = links.collect();
    let malformed = parsed_links.malformed.map(|at| document.lines().position(at));
    (links, malformed)
}

/// Names of texts without a syntax, and with one each.
const NAMES: [&str; 20] = [
    "a.txt", "a.txt", "a.txt", "a.txt", "a.csv", "a.tsv", "a.man", "a.adoc", "a.wiki", "a.texi",
    "a.tex", "a.po", "a.py", "a.js", "a.json", "a.properties", "a.ics", "a.ldif", "a.diff",
    "a.diff",
];

/// Texts longer than the lookahead, so that they are cut everywhere.
fn long_texts() -> impl Strategy<Value = String> {
    let filler = prop::sample::select(vec![
        "a", " ", "\n", "b/", "word ", "(", "看", "> \n", "-", "x.", "a@",
    ]);
    let filler = (filler, 0..6000usize).prop_map(|(unit, len)| unit.repeat(len / unit.len()));
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 1..12);
    // The beginning of a long line can decide, even if it is out of view.
    let lines = prop::collection::vec(
        prop::sample::select(
            strings![
                "word " "word " "word " "word " "// " "> " "# " "http://a.b/c-\n" "http://a.b/c \n"
                "c/d.html " "<http://a.b/\n" "> c>"
                "http://a.b/cccccccccccccccccccccccccccccccccccccccccc\n" "c/d.x/e "
            ]
            .to_vec(),
        ),
        1..400,
    );
    // Escapes and markers of many syntaxes.
    let escapes = prop::collection::vec(
        prop::sample::select(vec![
            "http://a.b/c", "http:", "\\/", "\\/", "d", "\n", " ", "\"", "\"\n\"", "' +\n'", "\\",
            "\\\n", "\\n", "\\u0026", "\\fB", "\\(ti", "\\-", ",", "|", "[x]", "{", "}", "@",
            "@url{", "\\verb+", "\\_", "{\\~{}}", "\u{1B}[1m", "\u{1B}[K", "\u{1B}", "é", "<", ">",
        ]),
        1..400,
    );
    let diffs = prop::collection::vec(
        prop::sample::select(
            strings![
                "http://a.b/c" "http:" "\\/" "\\/" "d" "\n " "\n+" "\n-" "\n> +" "\"" "\\n" "\\,"
                "\n--- a/a.c\n+++ b/a.json\n" "\ndiff --git a/a.ics b/a.ics\n"
                "\n@@ -1,99 +1,99 @@\n" "\n> @@ -1 +1 @@\n> -" "\n@@ -1 +1 @@\n-"
            ]
            .to_vec(),
        ),
        1..400,
    );
    let runs = prop_oneof![
        1 => diffs.prop_map(|diffs| diffs.concat()),
        2 => escapes.prop_map(|escapes| escapes.concat()),
        3 => pieces.prop_map(|pieces| pieces.concat()),
        2 => lines.prop_map(|lines| lines.concat()),
        1 => filler,
    ];
    prop::collection::vec(runs, 1..16).prop_map(|runs| runs.concat())
}

fn encoded(text: &str, label: &str) -> Vec<u8> {
    match label {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        label => {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
            encoding.encode(text).0.into_owned()
        }
    }
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(32, 400)))]

    #[test]
    fn text_in_pieces_has_the_links_of_the_whole(
        text in long_texts(),
        name in prop::sample::select(NAMES.to_vec()),
        text_options in options(),
        label in prop::sample::select(vec![
            "utf-8", "utf-8", "utf-8", "utf-16le", "utf-16be", "shift_jis", "gb18030", "iso-2022-jp", "windows-1252",
        ]),
        mark in any::<bool>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cuts in prop::collection::vec(prop_oneof![1..40usize, 1..20_000usize], 1..8),
    ) {
        let text = if mark && label.starts_with("utf") { format!("\u{FEFF}{text}") } else { text };
        let mut bytes = encoded(&text, label);
        // LIMITS.md: line numbers of invalid ISO-2022-JP may differ.
        let damage = if label == "iso-2022-jp" { vec![] } else { damage };
        for (at, byte) in damage.iter().filter(|_| !bytes.is_empty()).collect::<Vec<_>>() {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        let charset = Charset::named(label, &bytes).expect("a label");
        let document = Document::new(name, bytes)
            .with_format(Format::Text)
            .with_syntax(TextSyntax::detect(name.as_ref(), b""))
            .with_charset(charset);
        let options = Options { text: text_options, ..Options::default() };
        let (expected, malformed) = whole(&document, &options);
        for in_some in [in_pieces, in_parts, in_ranges] {
            let (found, malformed_in_some) = in_some(&document, &options, &cuts);
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(malformed_in_some, malformed);
        }
    }
}

/// The links of the decoded text, with the spans that the map of the text gives, and the first
/// invalid byte.
fn decoded(document: &Document, options: &Options) -> (Found, Option<Position>) {
    let text = document.text();
    let in_text = Document::new("a.txt", text.text.as_bytes().to_vec())
        .with_format(Format::Text)
        .with_charset(Charset::named("utf-8", b"").expect("a label"));
    let mut lines = document.lines();
    let found = in_text.found(options).links.into_iter().map(|link| {
        let mut link = link.into_owned();
        for span in &mut link.spans {
            *span = text.to_source(*span);
        }
        let position = lines.position(link.extent().start);
        (link, position)
    });
    let malformed = text.malformed.map(|at| document.lines().position(at));
    (found.collect(), malformed)
}

/// The encodings in which ASCII characters are ASCII bytes.
const SUPERSETS_OF_ASCII: [&str; 37] = [
    "utf-8", "ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6",
    "iso-8859-7", "iso-8859-8", "iso-8859-8-i", "iso-8859-10", "iso-8859-13", "iso-8859-14",
    "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "macintosh", "windows-874", "windows-1250",
    "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
    "windows-1257", "windows-1258", "x-mac-cyrillic", "gbk", "gb18030", "big5", "euc-jp",
    "shift_jis", "euc-kr", "x-user-defined", "iso-8859-1",
];

/// Texts with words of many scripts, and bytes that are invalid in most encodings.
fn hostile_bytes() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let of_any = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        2 => prop::sample::select(vec![
            &b" http://a.example/b "[..], b"<http://a.example/b-\nc>", b"\"http://a.example/\"", b"http://a.example/b-\nc/d ", b"a:b ",
            b"see http://a.example:", b"www.a.example", b"a@b.example", b"data:,", b"\n", b" ",
        ]).prop_map(<[u8]>::to_vec),
        4 => prop::sample::select(vec![
            &b"\x81\x40"[..], b"\x81\x67", b"\x81\x68", b"\x83\x5C", b"\x88\xEA", b"\xB1", b"\xA1\xA1", b"\xA1\xB0", b"\xA1\xB1",
            b"\xD6\xD0", b"\x81\x30", b"\x81\x30\x81\x30", b"\x8F\xA2\xAF", b"\xA4\xA2", b"\x88\x62", b"\xE4\xB8\xAD", b"\xE4",
            b"\xD1\xC2", b"\xFF", b"\x80", b"\xAB", b"\xA0", b"\x93", b"\x94", b"\xC3\xA9", b"\x81", b"\xB0\xA1",
        ]).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    let filler = prop::sample::select(vec![
        &b"word "[..],
        b"\xD1\xCC\xCF ",
        b"\xD6\xD0",
        b"\x88\xEA",
        b"\x83\x5C",
        b"\xE4\xB8\xAD",
        b"x",
        b"\xB1\n",
        b"\x81\x30\x81\x30",
        b"\x8F\xA2\xAF",
        b"a: ",
        b"a:b \xE9",
        b"\xFF",
    ]);
    let filler = (filler, 0..9000usize).prop_map(|(unit, len)| unit.repeat(len / unit.len()));
    let run = prop_oneof![3 => prop::collection::vec(of_any, 1..60).prop_map(|pieces| pieces.concat()), 1 => filler];
    prop::collection::vec(run, 1..12)
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(64, 2000)))]

    #[test]
    fn undecoded_text_has_the_links_of_its_decoded_text(
        runs in hostile_bytes(),
        text_options in options(),
        label in prop::sample::select(SUPERSETS_OF_ASCII.to_vec()),
        cuts in prop::collection::vec(prop_oneof![1..40usize, 1..20_000usize, Just(1 << 20)], 1..8),
    ) {
        let bytes = runs.concat();
        let charset = Charset::named(label, &bytes).expect("a label");
        let document = Document::new("a.txt", bytes).with_format(Format::Text).with_charset(charset);
        let options = Options { text: text_options, ..Options::default() };
        let (expected, malformed) = decoded(&document, &options);
        for (in_some, cuts) in [
            (in_pieces as InSome, &cuts[..]),
            (in_parts, &cuts),
            (in_ranges, &cuts),
            (|document, options, _| whole(document, options), &[]),
        ] {
            let (found, malformed_in_some) = in_some(&document, &options, cuts);
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(malformed_in_some, malformed);
        }
    }
}

/// Limits on reading a line backward are counted in bytes.
#[test]
fn a_long_line_may_be_read_from_within_a_character() {
    for before in 0..4 {
        let line = "\u{143}\u{11A} ".repeat(100);
        let text = format!("{}{line}http://a.example/b\nc/d", "x".repeat(before));
        let join = Some(Join::Guess);
        let options = TextOptions { join, ..TextOptions::default() };
        let mut urls = Vec::new();
        scan(&text, &options, |url| urls.push(url));
        assert_eq!(urls.len(), 1);
    }
}

/// Counts the bytes that are read, some at a time.
struct Counted<'d>(Slow<'d>, &'d Cell<usize>);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read(buffer)?;
        self.1.set(self.1.get() + len);
        Ok(len)
    }
}

/// The number of bytes of a text that a stream and a stream of parts read before they report the
/// first link.
fn read_until_reported(document: &Document) -> [usize; 2] {
    const STEP: usize = 1000;
    let options = Options::default();
    let mut stream = TextStream::new(document.source(), &options);
    let mut is_reported = false;
    let mut pushed = 0;
    for piece in document.bytes().chunks(STEP) {
        stream.push(piece, |_, _| is_reported = true);
        pushed += piece.len();
        if is_reported {
            break;
        }
    }
    let read = Cell::new(0);
    let reader = Counted(Slow::new(document.bytes(), &[STEP]), &read);
    let parts = TextParts::new(reader, document.source(), &options);
    let mut stream = parts.stream();
    let mut is_reported = false;
    for part in parts {
        let part = part.expect("nothing fails");
        stream.take(&part, |_, _| is_reported = true);
        if is_reported {
            break;
        }
    }
    [pushed, read.get()]
}

/// LIMITS.md has the numbers.
#[test]
fn link_is_reported_after_a_few_kilobytes() {
    for (label, word, most) in [
        ("utf-8", "\u{E9}".as_bytes(), 16 << 10),
        ("utf-8", b"\xE9", 16 << 10),
        ("windows-1252", b"\xE9", 16 << 10),
        ("shift_jis", b"\x83\x5C", 16 << 10),
        ("gb18030", b"\xD6\xD0", 24 << 10),
    ] {
        let words = [word, b" words of a line\n"].concat().repeat(4000);
        let text = [b"http://a.example/b\n".as_slice(), &words].concat();
        let charset = Charset::named(label, &text).expect("a label");
        let document = Document::new("a.txt", text).with_charset(charset);
        for read in read_until_reported(&document) {
            assert!(read <= most, "{label}: {read}");
        }
    }
}

#[test]
fn too_long_urls_are_skipped() {
    let long = "a".repeat(rehref::format::text::MAX_URL + 1);
    let text = format!("http://a/{long}:http://b/ http://c/ data:,{long} http://d/");
    let document = Document::new("a.txt", text.into_bytes());
    let options = Options::default();
    let (expected, _) = whole(&document, &options);
    let references: Vec<_> = expected.iter().map(|(link, _)| link.reference.as_ref()).collect();
    assert_eq!(references, ["http://c/", "http://d/"]);
    assert!(in_pieces(&document, &options, &[1 << 20, 77]).0 == expected);
    assert!(in_parts(&document, &options, &[1 << 20, 77]).0 == expected);

    let text = [b"http://a/b \xE9 ", document.bytes(), b" http://e/"].concat();
    let charset = Charset::named("windows-1252", &text).expect("a label");
    let document = Document::new("a.txt", text).with_charset(charset);
    let found = document.found(&options);
    let references = found.links.iter().map(|link| link.reference.as_ref());
    let expected = ["http://a/b", "http://c/", "http://d/", "http://e/"];
    assert_eq!(references.collect::<Vec<_>>(), expected);
}

/// Markers are at the beginning of a line; a part may begin within one.
#[test]
fn parts_of_a_text_use_the_text_before_them() {
    let words = "word ".repeat(97);
    for (line, join, delsp) in [
        ("// http://a/b-\n// c/d.html ", None, false),
        ("> http://a/b \n> c/d.html ", None, true),
        ("http://a/bbbbbbbbbbbbbbbbbbbb\nc/d.html ", Some(Join::Guess), false),
    ] {
        let text = format!("{words}{line}").repeat(4000);
        let document = Document::new("a.txt", text.into_bytes());
        let text = TextOptions { join, delsp, ..TextOptions::default() };
        let options = Options { text, ..Options::default() };
        let expected = whole(&document, &options);
        assert_eq!(expected.0.len(), 4000);
        for cuts in [&[1 << 20][..], &[10_001]] {
            assert!(in_parts(&document, &options, cuts) == expected, "{line}");
        }
    }
}

#[test]
fn long_texts_have_the_same_links_in_parts() {
    let mut text = String::new();
    for at in 0..60_000 {
        text.push_str(match at % 7 {
            0 => "See <http://a/b-\n  c> and",
            1 => "http://a/b, \u{201C}http://a/c\u{201D}",
            2 => "",
            3 => "a line that ends in URL:",
            4 => "http://a/b-",
            5 => "c/d <",
            _ => "  http://a/ >",
        });
        text.push('\n');
    }
    let document = Document::new("a.txt", text.into_bytes());
    let options = Options::default();
    let expected = whole(&document, &options);
    assert!(expected.0.len() > 40_000);
    for cuts in [&[1 << 20][..], &[65_536], &[100_000, 1, 9000]] {
        assert!(in_parts(&document, &options, cuts) == expected);
        assert!(in_ranges(&document, &options, cuts) == expected);
    }
}

/// The text that decides about a URL may be far after it. The text is cut at many places between.
#[test]
fn urls_may_be_decided_by_later_text() {
    let blanks = " ".repeat(3000);
    let line = "x".repeat(150);
    let page =
        format!("<http://a/b\n\n{line}  [Page 2]\n\u{C}\nRFC 1  {line}  May 1997\n\n\n\n\n\nc>");
    let templates = [
        format!("<http://a/b{blanks}c>"),
        format!("\"http://a/b\n{blanks}c\""),
        format!("http://a/b-{}\n{}c/d", &blanks[..900], &blanks[..200]),
        format!("<URL:{}http://a/b>", &blanks[..200]),
        format!("http://a/{{{}}}", "b".repeat(200)),
        format!("data:a/b{},c", ";d=e".repeat(60)),
        page,
    ];
    for template in &templates {
        for before in (0..4096).step_by(97) {
            for (filler, in_some) in
                [("a ", in_pieces as InSome), ("a\n", in_parts), ("a\n", in_ranges)]
            {
                let after = filler.repeat(9000);
                let text = format!("{}{template} end {after}", filler.repeat(before / 2));
                let document = Document::new("a.txt", text.into_bytes());
                let options = Options::default();
                let expected = whole(&document, &options).0;
                assert_eq!(expected.len(), 1);
                assert!(
                    in_some(&document, &options, &[4096]).0 == expected,
                    "{before} {template:.40}"
                );
            }
        }
    }
}
