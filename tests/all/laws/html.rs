//! Generated pages of HTML. [`tree`] has laws of what is read from the tree of a page, [`base`] those
//! of pages whose BASE changes, [`one_pass`] those of pages that are rewritten in one pass.

mod base;
mod one_pass;
mod tree;

use proptest::prelude::*;
use proptest::sample::select;
use rehref::document::Document;
use rehref::format::{Extra, Format, Options};
use rehref::rewrite::Rule;

use super::{CHARSETS, Row, config, rules};
use crate::html_soup::wild_soup as soup;
use crate::support::charsets::page_of;
use crate::support::links::references;
use crate::support::planned::{prefix_map, rewritten};

laws! {
    pages: PAGES;
    wild_soup: WILD_SOUP;
}

const PAGES: Row = Row {
    options: || any::<bool>().prop_map(html_text).boxed(),
    read_back: |read, _, spelled| {
        // An attribute in single quotes may hold a double one.
        Some(read(&format!("<a href=\"{}\">", spelled.replace('"', "&quot;"))))
    },
    // The trees of both pages are compared.
    compares_bytes: false,
    hostile: HOSTILE,
    ..Row::new(
        Format::Html,
        "page.html",
        |row| row.encoded(pages_of_tags(), &CHARSETS),
        || tag().boxed(),
    )
};

const WILD_SOUP: Row = Row {
    documents: |row| row.encoded(soup(), &["utf-8"]),
    options: || {
        any::<[bool; 2]>().prop_map(|[text, extra]| with_extra(html_text(text), extra)).boxed()
    },
    // Links may be in style sheets and in pages within the page.
    read_back: |_, _, _| None,
    hostile: &[],
    ..PAGES
};

fn html_text(html_text: bool) -> Options {
    Options { html_text, ..Options::default() }
}

/// Options for all links that are not read by default, or none of them.
fn with_extra(options: Options, is_any: bool) -> Options {
    let extra = Extra { meta: is_any, data: is_any, json: is_any, comments: is_any };
    Options { extra, ..options }
}

/// Attributes with links, what else their tag needs, and whether the value is a list.
const PLACES: [(&str, &str); 18] = [
    ("svg><use", "xlink:href"),
    ("a", "href"),
    ("A", "HREF"),
    ("img", "src"),
    ("img", "srcset"),
    ("image", "src"),
    ("link rel=stylesheet", "href"),
    ("link", "imagesrcset"),
    ("a", "ping"),
    ("object", "archive"),
    ("object codebase='cb/&amp;/'", "data"),
    ("object codebase='http://h/x/'", "archive"),
    ("form", "action"),
    ("blockquote", "cite"),
    ("input", "usemap"),
    ("html", "manifest"),
    ("meta http-equiv=refresh", "content"),
    ("param name=src", "value"),
];

/// Parts of references, as the source spells them. Some character encodings need character
/// references.
const PIECES: [&str; 58] = [
    "http://h/", "http://h", "HTTP://H/", "https://h/", "//h/", "//n/", "http://h/d/e/",
    "http://h/d/e/1", "/", "/d/", "/d/e/f", "../", "../../", "./", ".", "..", "a", "b.c", "a:b",
    "?", "?x=1", "?y", "#", "#f", "&amp;", "&amp", "&", "&copy=", "&copy", "&copy;", "&#47;",
    "&#x3a;", "&#38;", "&#32", "&#44", "&#x20", "&lt;", "&quot;", "&#39;", ";", "=", ",", ", ",
    "(", " ", "\n", "%20", "%zz", "é", "日", "ソ", "&#26085;", "|", "\\", "0;url=", "5, ", "1x, ",
    "mailto:x@h",
];

fn reference() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&PIECES[..]), 0..6).prop_map(|it| it.concat())
}

fn tag() -> impl Strategy<Value = String> {
    (select(&PLACES[..]), reference(), 0..8, "[ \n]?").prop_map(
        |((element, attribute), value, quoting, space)| {
            let assign = format!("<{element}{space} {attribute}={space}");
            match quoting {
                0 => format!("<{element} {attribute}>"),
                1 | 2 => format!("{assign}'{value}'>"),
                3 | 4 => {
                    let value = value.replace(|it: char| it.is_ascii_whitespace(), "");
                    format!("{assign}{value}{space}>")
                }
                _ => format!("{assign}\"{value}\" title='日本 &amp;'>"),
            }
        },
    )
}

fn pages_of_tags() -> impl Strategy<Value = String> {
    let base = prop_oneof![
        5 => Just(String::new()),
        1 => Just("<base href='http://h/d/'>".to_owned()),
        1 => Just("<base target=t href=g/h><base href=x>".to_owned()),
        1 => Just("<base href='../x,y/é/z'>".to_owned()),
        1 => Just("<base href='//n/日/?&amp;'>".to_owned()),
    ];
    let text = select(
        strings![
            "日本" "text " "<!-- <a href=x> -->" "\r\n" "<script>'<a href=y>'</script>"
            "http://h/日?a&amp;b" "&lt;http://h/a\r\nb&gt;" "“http&#58;//h/a”"
        ]
        .to_vec(),
    );
    let piece = prop_oneof![3 => tag(), 1 => text.prop_map(str::to_owned)];
    (base, prop::collection::vec(piece, 0..8))
        .prop_map(|(base, pieces)| format!("{base}{}", pieces.concat()))
}

/// Pages in different character encodings.
pub(crate) fn any_page() -> impl Strategy<Value = Document> {
    PAGES.encoded(pages_of_tags(), &CHARSETS)
}

#[test]
fn comma_skips_one_link_only() {
    let html = "<object archive='http://h/a.jar'><a href=http://h/b>";
    let map = prefix_map(&["http://h/=http://n/x,y/"]);
    let edited = rewritten(&page_of(html.into(), "utf-8"), Rule::Map(map));
    assert_eq!(references(&edited), ["http://h/a.jar", "http://n/x,y/b"]);
}

#[test]
fn unmappable_characters_are_percent_encoded_or_stay_character_references() {
    let map = prefix_map(&["http://h/=http://n/日/"]);
    let edited = rewritten(
        &page_of(b"<a href='http://h/\xE9&#x4E2D;'>".to_vec(), "windows-1252"),
        Rule::Map(map),
    );
    assert_eq!(edited.bytes(), b"<a href='http://n/%E6%97%A5/\xE9&#x4E2D;'>");
    assert_eq!(references(&edited), ["http://n/%E6%97%A5/é中"]);
}

#[test]
fn list_item_with_an_equals_sign_needs_no_quotes() {
    let html = "<img srcset=a?x=1,b?y=2><a ping=a?x=1><img src=a?x=1>";
    let edited = rewritten(&page_of(html.into(), "utf-8"), Rule::Absolute);
    assert_eq!(
        edited.text().text,
        "<img srcset=http://h/d/e/a?x=1,b?y=2><a ping=http://h/d/e/a?x=1><img src=\"http://h/d/e/a?x=1\">"
    );
}

#[test]
fn long_codebase_is_stored_once() {
    let base = "a".repeat(1 << 20);
    let archive = "x ".repeat(1 << 19);
    let html = format!("<object codebase='&amp;{base}' archive='{archive}'>");
    // It would take half a terabyte if it were stored with each item.
    assert_eq!(page_of(html.into(), "utf-8").links().len(), 1 + (1 << 19));
}

/// Pages that could take long to read.
const HOSTILE: &[&str] = &strings![
    "⟦<⟧" "⟦<!⟧" "⟦<!--⟧" "⟦<!-- --⟧" "⟦-->⟧" "⟦</⟧" "⟦<?⟧" "⟦<a⟧" "⟦<a ⟧" "⟦<a href=⟧" "⟦<a b ⟧"
    "⟦<a href='⟧" "⟦<a href=\"x\" ⟧" "⟦<a href=x>⟧" "⟦<a href>⟧" "⟦&amp⟧" "⟦&⟧" "⟦&#⟧" "⟦&a⟧"
    "⟦\"⟧" "⟦=⟧" "⟦<div>⟧" "⟦<svg>⟧" "⟦<template>⟧" "⟦<base href=x>⟧" "⟦<script>⟧" "⟦<script><!--⟧"
    "⟦<style>⟧" "⟦<title>⟧" "⟦</title⟧" "⟦<img srcset=','>⟧" "⟦<!--<script>⟧" "⟦--!⟧" "⟦<![CDATA[⟧"
    "⟦<svg><![CDATA[⟧" "⟦<meta http-equiv=refresh content='0;url=x'>⟧" "⟦<p>⟧"
    // Markup that the tree builder may multiply.
    "⟦<ul><li>⟧" "⟦<p><b>⟧" "⟦<b><p></b>⟧" "⟦<b><b><b><p></b>⟧" "⟦<a href=x><p>⟧" "⟦<table><b>⟧"
    "⟦<table><tr><td>⟧" "<table>⟦x<b>⟧" "<table>⟦<a href=x>⟧" "⟦<svg><p>⟧" "⟦<svg><desc>⟧"
    "⟦<math><annotation-xml encoding=text/html>⟧" "<svg>⟦</g>⟧" "<svg>⟦<a href=x>⟧"
    "⟦<select><option>⟧" "⟦<template><tr>⟧" "⟦<frameset>⟧" "⟦<nobr>⟧" "⟦<li><div>⟧" "⟦<button>⟧"
    "⟦</p>⟧" "⟦<form action=x>⟧" "<form><template>⟦<form action=x>⟧" "<div><div><div>⟦</b>⟧"
    "⟦<p><font size=№>⟧" "⟦<b class=№>⟧" "⟦<b class=№></p>⟧" "⟦<p><b class=№><i class=№></p>⟧"
    "⟦<html a№>⟧" "⟦<body a№>⟧" "⟦<z№>⟧" "⟦<svg><z№>⟧" "⟦<a b№ href=x>⟧"
    // The cost may be within one tag or one value.
    "<a ⟦b ⟧>" "<a ⟦href=x ⟧>" "<meta ⟦content=x ⟧>" "<meta ⟦content=x ⟧http-equiv=refresh>"
    "<param ⟦value=x ⟧>" "<img ⟦src=x srcset=x ⟧>" "<link ⟦rel=x ⟧href=x>"
    "<object ⟦codebase=x data=x ⟧>" "<base href=http://h/⟦a⟧><a href=b>"
    "<object codebase='http://h/⟦a⟧' archive='b b b b'>"
    "<object codebase='http://h/a' archive='⟦b ⟧'>" "<svg>⟦<title>⟧" "<svg>⟦<desc><svg>⟧</svg>"
    "<svg>⟦<svg></math></title>⟧" "<a ⟦=⟧>" "<a ⟦/⟧>" "<a href='⟦&amp;⟧'>" "<a href='⟦&amp⟧'>"
    "<a href='⟦ ⟧'>" "<a href='⟦\n⟧x'>" "<a href='⟦../⟧'>" "<a href='⟦a/⟧'>" "<img srcset='⟦,⟧'>"
    "<img srcset='⟦a,⟧'>" "<img srcset='⟦a, ⟧'>" "<img srcset='⟦a (⟧'>" "<img srcset='⟦&#44;⟧'>"
    "<a ping='⟦a ⟧'>" "<object archive='⟦a,⟧'>" "<meta http-equiv=refresh content='⟦0⟧'>"
    "<meta http-equiv=refresh content='0;url=⟦'⟧\">" "<script><!--⟦<script>⟧"
    "<script><!--⟦</script⟧" "<script>⟦--⟧" "<script><!--⟦-->⟧" "<title>⟦</title⟧"
    "<title>⟦</titl⟧" "<!--⟦--⟧" "<!--⟦>⟧" "<!--⟦- ->⟧" "<svg><![CDATA[⟦]]⟧"
];
