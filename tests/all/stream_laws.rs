//! A text that comes in pieces has the links of the whole.

use proptest::prelude::*;
use rehref::document::{Charset, Document, Media};
use rehref::find::{FindOptions, Link, TextStream, find};
use rehref::span::Position;

use crate::text_laws::{PIECES, options};

type Found = Vec<(Link<'static>, Position)>;

fn in_pieces(
    document: &Document,
    options: &FindOptions,
    cuts: &[usize],
) -> (Found, Option<Position>) {
    let mut stream = TextStream::new(document.charset, document.media, options);
    let mut found = Vec::new();
    let mut rest = &document.bytes[..];
    for &cut in cuts.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at(cut.min(rest.len()));
        stream.push(piece, |link, position| {
            found.push((link.into_owned(), position.get()))
        });
        rest = after;
    }
    stream.finish(|link, position| found.push((link.into_owned(), position.get())));
    let malformed = stream.malformed();
    (found, malformed)
}

fn whole(document: &Document, options: &FindOptions) -> (Found, Option<Position>) {
    let findings = find(document, options);
    let mut lines = document.lines();
    let mut position = |link: Link<'_>| (lines.position(link.extent().start), link.into_owned());
    let links = findings.links.into_iter().map(|link| {
        let (position, link) = position(link);
        (link, position)
    });
    let links = links.collect();
    let malformed = findings.malformed.map(|at| document.lines().position(at));
    (links, malformed)
}

/// Texts longer than what the search looks ahead, so that it is cut in all places.
fn long_texts() -> impl Strategy<Value = String> {
    let filler = prop::sample::select(vec![
        "a", " ", "\n", "b/", "word ", "(", "看", "> \n", "-", "x.", "a@",
    ]);
    let filler = (filler, 0..6000usize).prop_map(|(unit, len)| unit.repeat(len / unit.len()));
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 1..12);
    let runs = prop_oneof![3 => pieces.prop_map(|pieces| pieces.concat()), 1 => filler];
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
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_have_the_links_of_the_whole(
        text in long_texts(),
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
        // Lines of broken ISO-2022-JP are a limit that ARCHITECTURE.md names.
        let damage = if label == "iso-2022-jp" { vec![] } else { damage };
        for (at, byte) in damage.iter().filter(|_| !bytes.is_empty()).collect::<Vec<_>>() {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        let mut document = Document::new("a.txt", bytes);
        document.media = Media::Text;
        document.charset = Charset::named(label, &document.bytes).expect("a label");
        let options = FindOptions { text: text_options, ..FindOptions::default() };
        let (expected, malformed) = whole(&document, &options);
        let (found, malformed_in_pieces) = in_pieces(&document, &options, &cuts);
        prop_assert_eq!(found, expected);
        prop_assert_eq!(malformed_in_pieces, malformed);
    }
}

#[test]
fn a_url_that_is_too_long_is_passed_over() {
    let long = "a".repeat(rehref::find::text::MAX_URL + 1);
    let text = format!("http://a/{long}:http://b/ http://c/ data:,{long} http://d/");
    let document = Document::new("a.txt", text.into_bytes());
    let options = FindOptions::default();
    let (expected, _) = whole(&document, &options);
    let references: Vec<_> = expected
        .iter()
        .map(|(link, _)| link.reference.as_ref())
        .collect();
    assert_eq!(references, ["http://c/", "http://d/"]);
    assert!(in_pieces(&document, &options, &[1 << 20, 77]).0 == expected);
}

/// What decides about a URL may stand far behind it: the text is cut at each of many places between.
#[test]
fn what_decides_may_come_later() {
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
        format!("data:{},c", "a/b;".repeat(60)),
        page,
    ];
    for template in &templates {
        for before in (0..4096).step_by(97) {
            let text = format!(
                "{}{template} end {}",
                "a ".repeat(before / 2),
                "b ".repeat(9000)
            );
            let document = Document::new("a.txt", text.into_bytes());
            let options = FindOptions::default();
            let expected = whole(&document, &options).0;
            assert_eq!(expected.len(), 1);
            assert!(
                in_pieces(&document, &options, &[4096]).0 == expected,
                "{before} {template:.40}"
            );
        }
    }
}
