//! Generated XML that need not be well-formed.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::{Format, Options};
use rehref::link::{ParsedLink, Quoting};

use super::{CHARSETS, Row};
use crate::support::links::targets;

laws! { documents: ROW; }

const ROW: Row = Row {
    options: || {
        any::<bool>().prop_map(|it| Options { html_text: it, ..Options::default() }).boxed()
    },
    read_back,
    hostile: HOSTILE,
    ..Row::new(
        Format::Xml,
        "feed.xml",
        |row| row.encoded(documents(), &CHARSETS),
        || pieces().boxed(),
    )
};

/// Parts of malformed documents, in addition to values.
const PIECES: [&str; 46] = strings![
    "<rss>" "<a " "<link>" "</link>" "<link " "<enclosure " "<image:loc>" "<guid>" "<html>"
    "<feed xmlns='http://www.w3.org/2005/Atom'>" "<h:a " "<svg xmlns='http://www.w3.org/2000/svg'>"
    "href='" "href=\"" "href=" "url=\"" "xml:base='" "xml:base=" "xlink:href='" "xlink:href="
    "xmlns='" "xmlns:x='http://www.w3.org/1999/xlink'" "x:href='" "isPermaLink='false'" "srcset='"
    "'" "\"" ">" "/>" " " "\n" "<" "</" "</a>" "<![CDATA[" "]]>" "<!--" "-->" "<?" "?>"
    "<?xml-stylesheet " "<!DOCTYPE a [" "]" "=" "</rss>" "<base "
];

const VALUES: [&str; 24] = [
    "http://h/", "http://h/d/e/", "https://h/", "//h/", "/", "/d/", "../", "a", "b.c", "?x=1",
    "#f", "&amp;", "&", "&lt;", "&#x26;", "&site;", "&#26085;", "日", "é", "ソ", "%20", "|", "\\",
    ";",
];

fn pieces() -> impl Strategy<Value = String> {
    let any_piece = prop_oneof![select(&PIECES[..]), select(&VALUES[..]),];
    let value = || prop::collection::vec(select(&VALUES[..]), 0..5);
    let attribute = select(vec![
        "a xlink:href", "enclosure url", "outline xmlUrl", "g xml:base", "h:img srcset",
        "h:a href", "h:base href", "h:a ping", "atom:link href", "use xlink:href",
        "rdf:li resource",
    ]);
    let element = select(vec!["link", "guid", "image:loc", "atom:icon", "docs"]);
    let quote = select(vec!["'", "\"", ""]);
    prop_oneof![
        3 => any_piece.prop_map(str::to_owned),
        2 => (attribute, quote, value(), "[/ ]?").prop_map(|(attribute, quote, value, end)| {
            format!("<{attribute}={quote}{}{quote}{end}>", value.concat())
        }),
        1 => (element, value(), any::<bool>()).prop_map(|(element, value, cdata)| {
            let (open, close) = if cdata { ("<![CDATA[ ", "]]>\n") } else { ("\n", " ") };
            format!("<{element}>{open}{}{close}</{element}>", value.concat())
        }),
    ]
}

fn documents() -> impl Strategy<Value = String> {
    let root = select(vec!["<rss>", "<html>", "<doc xml:base='../x/'>", ""]);
    let pieces = prop::collection::vec(pieces(), 0..12);
    (root, pieces).prop_map(|(root, pieces)| format!("{root}{}", pieces.concat()))
}

fn read_back(
    read: &dyn Fn(&str) -> String,
    link: &ParsedLink<'_>,
    spelled: &str,
) -> Option<String> {
    let text = match link.place.markup()?.quoting {
        Quoting::Cdata => format!("<rss><link><![CDATA[{spelled}]]></link>"),
        // In an element, a line break is not read as a space as in an attribute (XML 1.0, 3.3.3).
        Quoting::Content => format!("<rss><link>{spelled}</link>"),
        _ => format!("<rss><a xlink:href=\"{}\"></a>", spelled.replace('"', "&quot;")),
    };
    Some(read(&text))
}

#[test]
fn too_deeply_nested_bases_are_not_used() {
    let depth = rehref::link::MAX_NESTED + 10;
    let link = "<a xlink:href='b'/>";
    let xml = format!("{}{link}{}{link}", "<g xml:base='a/'>".repeat(depth), "</g>".repeat(depth));
    let targets = targets(&ROW.document(xml.into_bytes(), "utf-8"));
    let deepest = format!("http://h/d/e/{}b", "a/".repeat(rehref::link::MAX_NESTED));
    assert_eq!(targets[depth].as_deref(), Some(deepest.as_str()));
    assert_eq!(targets[depth + 1].as_deref(), Some("http://h/d/e/b"));
}

/// Documents that could take long to read.
const HOSTILE: &[&str] = &strings![
    "⟦<⟧" "⟦<!⟧" "⟦<!--⟧" "⟦</⟧" "⟦<?⟧" "⟦<?a⟧" "⟦<a⟧" "⟦<a ⟧" "⟦<a b='⟧" "⟦<a b=\"⟧" "⟦<a b='\">⟧"
    "⟦<a b=⟧" "⟦<![CDATA[⟧" "⟦<!DOCTYPE [⟧" "⟦<!DOCTYPE a ['⟧" "<!DOCTYPE [⟦<!--⟧"
    "<!DOCTYPE [⟦'\"⟧" "<!DOCTYPE [⟦<?⟧" "⟦&⟧" "⟦]]>⟧" "<a b='⟦]]⟧'>" "⟦<a>⟧" "⟦</a>⟧"
    "<r>⟦<a><b></a>⟧" "⟦<a xmlns:b='c'>⟧" "⟦<a xml:base='b/'>⟧"
    "<r xmlns:xlink='http://www.w3.org/1999/xlink'>⟦<a xml:base='b/' xlink:href='c'>⟧"
    "⟦<x:a x:b='c'>⟧" "<a ⟦b='c' ⟧/>" "<a ⟦xml:base='c' ⟧/>" "<a ⟦xlink:href='c' ⟧/>"
    "<atom:link ⟦href='c' ⟧/>" "<h:link ⟦rel='c' href='d' ⟧/>" "<a ⟦xmlns:b='c' ⟧/>"
    "<a xlink:href='⟦&amp;⟧'/>" "<a xlink:href='⟦&⟧'/>" "<a xlink:href='⟦&a⟧'/>"
    "<a xlink:href='⟦&#1⟧'/>" "<a xlink:href='⟦\n⟧'/>" "<rss><link>⟦<!---->a⟧</link>"
    "<rss><link>⟦<![CDATA[a]]>⟧</link>" "<rss><link>⟦ <!---->⟧</link>" "<rss>⟦<link>⟧"
    "<rss>⟦<link>a⟧" "<rss>⟦<guid>a⟧" "<?xml-stylesheet ⟦href='a' ⟧?>" "⟦<?xml-stylesheet ⟧"
    "<html>⟦<h:base href='x'/>⟧" "<html>⟦<template>⟧" "<h:img srcset='⟦a, ⟧'/>"
    "<h:object codebase='a/⟦b/⟧' archive='c c c'/>" "<h:object codebase='a/' archive='⟦b ⟧'/>"
    "<a xml:base='a/⟦b/⟧'><b xlink:href='c'/></a>"
];
