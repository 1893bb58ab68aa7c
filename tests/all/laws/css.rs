//! Generated style sheets.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::Format;
use rehref::link::{CssForm, ParsedLink, Place};
use rehref::rewrite::Rule;

use super::{CHARSETS, Row, config, map};
use crate::support::charsets::encode;
use crate::support::links::{references, uris};
use crate::support::planned::{Planned, Say, rewritten};

laws! { sheets: ROW; }

const ROW: Row = Row {
    read_back,
    // The white space that ends an escape at the end of a URL is not written again.
    is_verified_otherwise: |document| {
        let links = document.links();
        links.iter().any(|link| link.raw().ends_with(char::is_whitespace))
    },
    hostile: HOSTILE,
    ..Row::new(Format::Css, "sheet.css", |row| row.encoded(sheets(), &CHARSETS), || place().boxed())
};

/// The text before and after a reference.
const PLACES: [(&str, &str); 16] = [
    ("a{b:url(", ")}"),
    ("a{b:url( ", "\n)}"),
    ("a{b:URL(\"", "\")}"),
    ("a{b:u\\72l( ' ", " ' )}"),
    ("@import '", "';"),
    ("@import\"", "\" screen;"),
    ("@import url(", ") layer(x);"),
    ("@\\69mport/**/url('", "')"),
    ("a{b:image-set('", "' 1x, \"x.png\" type('image/png') 2x)}"),
    ("a{b:-webkit-image-set(url(", ") 1x)}"),
    ("@namespace url(", ");"),
    ("@namespace x '", "';"),
    ("a::after{content:'", "'}"),
    ("/* url(", ") */"),
    ("url(", ""),
    ("@import \"", ""),
];

/// Parts of references, as a style sheet spells them.
const PIECES: [&str; 50] = [
    "http://h/", "http://h", "HTTP://H/", "https://h/", "//h/", "//n/", "http://h/d/e/", "/",
    "/d/", "/d/e/f", "../", "../../", "./", ".", "..", "a", "b.c", "a:b", "?", "?x=1", "?y", "#",
    "#f", "data:,a", "&amp;", "\\20", "\\20 ", "\\41", "\\000041", "\\2f", "\\(", "\\)", "\\\"",
    "\\'", "\\\\", "\\\n", "\\\r\n", "\\", "\\0", "\\65e5 ", "\\a ", "%20", "%zz", "é", "日", "ソ",
    "|", "\t", " ", "(",
];

fn place() -> impl Strategy<Value = String> {
    let reference = prop::collection::vec(select(&PIECES[..]), 0..6);
    (select(&PLACES[..]), reference)
        .prop_map(|((before, after), reference)| format!("{before}{}{after}", reference.concat()))
}

fn sheets() -> impl Strategy<Value = String> {
    let other = select(vec![
        "日本", " ", "\n", "}", ")", "'", "\"", "/*", "*/", "image-set(", "http://h/a", ";",
        "@import ",
    ]);
    let piece = prop_oneof![3 => place(), 1 => other.prop_map(str::to_owned)];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn read_back(
    read: &dyn Fn(&str) -> String,
    link: &ParsedLink<'_>,
    spelled: &str,
) -> Option<String> {
    let Place::Css(place) = &link.place else {
        return None;
    };
    let css = match place.form {
        CssForm::Url => format!("url({spelled}"),
        CssForm::String { quote } => format!("@import {}{spelled}", char::from(quote)),
    };
    Some(read(&css))
}

proptest! {
    #![proptest_config(config())]

    /// A written reference is read back in every form, and no link is skipped.
    #[test]
    fn written_references_are_read_back(
        reference in "[!-~éß日𝄞\u{FFFD}\u{80}]([ -~é日\x01-\x08\x0B\x0C\x0E-\x1F\x7F]{0,12}[!-~éß日\u{7F}])?",
        charset in select(vec!["utf-8", "utf-16le", "utf-16be", "windows-1252", "koi8-r"]),
        end in select(vec!["", "\n", "a", "0"]),
    ) {
        let mut css = String::new();
        for (before, after) in PLACES {
            css.push_str(&format!("{before}old{after}\n"));
        }
        // The last two forms continue to the end of the sheet.
        css.truncate(css.find("url(old\n").expect("the place"));
        for open in ["url(old", "url( old", "url('old", "@import \"old", "@import ' old "] {
            let sheet = ROW.document(encode(&format!("{css}{open}{end}"), charset), charset);
            let links = sheet.links();
            let plan = Planned::new(&links, &Say(reference.clone()));
            let is_same = |link: &ParsedLink<'_>| link.reference == *reference;
            prop_assert_eq!(
                plan.skipped().len(),
                links.found().links.iter().filter(|link| is_same(link)).count(),
                "{:?}", plan.skipped()
            );
            let read = references(&plan.applied_to(&sheet));
            for edit in plan.edits() {
                prop_assert_eq!(&read[plan.number(edit.link)], edit.reference);
            }
            if charset.starts_with("utf") {
                prop_assert!(read.iter().all(|it| *it == reference), "{:?}", read);
            } else {
                prop_assert_eq!(uris(read), uris(vec![reference.clone(); links.found().links.len()]));
            }
        }
    }
}

#[test]
fn unmappable_characters_are_percent_encoded_or_stay_escapes() {
    let sheet = ROW.document(b"a{b:url(http://h/\xE9\\4e2d)}".to_vec(), "windows-1252");
    let edited = rewritten(&sheet, Rule::Map(map()));
    assert_eq!(edited.bytes(), b"a{b:url(http://m/\xE9/\xE9\\4e2d)}");
    let sheet = ROW.document(b"a{b:url('http://h/d/\\4e2d a')}".to_vec(), "windows-1252");
    let edited = rewritten(&sheet, Rule::Map(map()));
    assert_eq!(edited.text().text, "a{b:url('http://n/%E6%97%A5/&amp;,/x=/\\4e2d a')}");
}

/// Sheets that could take long to read.
const HOSTILE: &[&str] = &[
    "⟦(⟧", "⟦)⟧", "⟦\\⟧", "⟦\\a⟧", "⟦a\\⟧(", "⟦aaaa⟧(", "⟦\"⟧", "⟦'\"⟧", "⟦'\n⟧", "⟦'\r\"\r⟧",
    "⟦'\\\n⟧", "\"⟦\\\n⟧", "⟦/*⟧", "⟦/⟧", "/*⟦*⟧", "/*⟦/⟧", "⟦@⟧", "⟦@import⟧", "⟦@import ⟧",
    "⟦@import/**/⟧", "@import⟦/**/⟧", "⟦@namespace a ⟧", "⟦@namespace a(⟧", "⟦@\\⟧", "⟦url(⟧",
    "⟦url( ⟧", "⟦url(a ⟧", "⟦url(a b) ⟧", "⟦url(a) ⟧", "⟦url('a'⟧", "⟦url('a\n⟧", "url(a b⟦\\)⟧",
    "url(⟦\\61 ⟧)", "url('⟦a\t⟧')", "url(⟦a⟧)", "⟦u\\72l⟧(", "⟦image-set(⟧", "⟦image-set('a'⟧",
    "image-set(⟦(⟧)", "image-set(⟦'a' 1x,⟧)", "⟦<!--⟧url(", "⟦--⟧(", "⟦#⟧url(",
];
