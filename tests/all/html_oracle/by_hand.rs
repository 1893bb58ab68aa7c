//! Pages and their DOM, worked out by hand from the HTML standard.

use crate::support::dom_oracle::links::Namespace;
use crate::support::dom_oracle::{Dom, differences, page_of};

/// The page; the tags with something in the DOM, in source order (`svg:` and `math:` before
/// elements of SVG and MathML, `+` before tags that only brought attributes); the references in
/// them; and the base.
const BY_HAND: &str = "\
# Formatting elements are copied, and still count once.
<b><p></b>x</p> | b p | |
<a href=1><p><a href=2> | a p a | 1 2 |
<p><a href=1><div><a href=2></a></div> | p a div a | 1 2 |
<b><b><b><b><b><p>x<p>x<a href=1> | b b b b b p p a | 1 |
<a href=1><table><a href=2><tr><td><a href=3> | a table a tr td a | 1 2 3 |
# A second `html` or `body` gives its attributes to the first where they are new.
<body><body background=x> | body +body | x |
<body background=1><body background=2> | body +body | 1 |
<p><body background=x><body background=y> | p +body +body | x |
<p><html manifest=m> | p +html | m |
<html manifest=1><html manifest=2 profile=3> | html +html | 1 |
<template><html manifest=1><body background=2> | template | |
<head profile=1><head profile=2> | head | 1 |
x<head profile=1> | |  |
<svg><body background=x> | svg +body | x |
# Table parts count in tables only.
<table background=1><tr background=2><td background=3><th background=4> | table tr td th | 1 2 3 4 |
<tr background=x><td background=y> | |  |
<table><td background=1><tbody background=2><thead background=3> | table td tbody thead | 1 2 3 |
<table><tr><td><tr background=1></table><tr background=2> | table tr td tr | 1 |
<table><caption><td background=x> | table caption td | x |
<table><select><td background=x> | table select td | x |
<template><td background=1><tr background=2> | template td | 1 |
<template><tr background=1></template><tr background=2> | template tr | 1 |
# One form at a time, but in templates.
<form action=a><form action=b> | form | a |
<table><td><form action=a><form action=b> | table td form | a |
<form action=a></form><form action=b> | form form | a b |
<template><form action=a><form action=b> | template form form | a b |
<form action=a><template><form action=b></template> | form template form | a b |
# Frames, and the body that a frameset removes.
<frame src=x> | |  |
<frameset><frame src=x><a href=y> | frameset frame | x |
<a href=1><frameset><frame src=2> | frameset frame | 2 |
<body background=1><frameset><frame src=2> | body | 1 |
<link href=0><a href=1><frameset><frame src=2> | link frameset frame | 0 2 |
<html manifest=0><p><html profile=1><base href=2><body background=3><frameset> | html p +html base +body | 0 2 3 | 2
<title></title><link href=0><p><frameset><frame src=2> | title link frameset frame | 0 2 |
<a href=1><frameset></frameset></html> <frame src=2> | frameset | |
x<frameset><frame src=2> | |  |
<div><base href=1><frameset><noframes><a href=2> | frameset noframes | |
# Select, as browsers have read it since 2025.
<select><input src=x> | select input | x |
<select><a href=x><option><img src=y> | select a option img | x y |
<select><select><a href=x> | select a | x |
# Other languages.
<svg><a href=x><p><a href=y> | svg svg:a p a | x y |
<svg><a xlink:href=x><title><a xlink:href=y href=z> | svg svg:a svg:title a | x z |
<svg><image href=1 src=2><desc><image href=3 src=4> | svg svg:image svg:desc img | 1 4 |
<svg><foreignObject><svg></foreignObject><a xlink:href=x> | svg svg:foreignobject svg svg:a | x |
<svg><style><a href=x> | svg svg:style svg:a | x |
<svg><![CDATA[<a href=x>]]><use href=y> | svg svg:use | y |
<![CDATA[<a href=x>]]><svg></svg> | svg | |
<svg><base href=x> | svg svg:base | |
<svg><font xlink:href=x><font color=y xlink:href=z> | svg svg:font font | x |
<svg><template><base href=x></svg><base href=y> | svg svg:template svg:base base | y | y
<math><annotation-xml encoding=text/html><a href=x> | math math:annotation-xml a | x |
<math><annotation-xml><a href=x> | math math:annotation-xml math:a | |
<math><annotation-xml><svg><a href=x> | math math:annotation-xml svg svg:a | x |
<math><mi><mglyph xlink:href=x /><a href=y><mglyph xlink:href=z> | math math:mi math:mglyph a mglyph | x y |
<math><mi><mglyph><a href=x> | math math:mi math:mglyph math:a | |
# Templates hold links, but no base.
<template><a href=1><base href=2></template><base href=3> | template a base base | 1 2 3 | 3
<template shadowrootmode=open><a href=1></template> | template a | 1 |
<div><template shadowrootmode=open><base href=1></template><base href=2> | div template base base | 1 2 | 2
# The first base is that of the tree, not of the source.
<table><tr><td><base href=1></td></tr><base href=2></table> | table tr td base base | 1 2 | 2
<table><base href=1><tr><td><base href=2> | table base tr td base | 1 2 | 1
<p><base><base href=1><base href=2> | p base base base | 1 2 | 1
<a href=1><base href><base href=2> | a base base | 1  2 |
# Raw text is what its element makes of it.
<table><title><a href=x></title><style><a href=y></style> | table title style | |
<select><title><a href=x></title><a href=y> | select title a | y |
<frameset><title><a href=x></title><frame src=y> | frameset frame | y |
<frameset><style><a href=x></style><frame src=y> | frameset frame | y |
<plaintext><a href=x> | plaintext | |
<textarea><a href=x></textarea><a href=y> | textarea a | y |
# What panics in html5ever 0.39 is read all the same.
<meta http-equiv=content-type content='text/html; charset'><a href=x> | meta a | x |
<meta http-equiv=refresh content='0;url=x'> | meta | x |
# An unfinished tag is none.
<a href=1><a href=2 | a | 1 |
";

struct Row {
    html: &'static str,
    /// Tags, references and base.
    expected: [&'static str; 3],
}

fn rows() -> impl Iterator<Item = Row> {
    let lines = BY_HAND.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.split('|');
        let mut next = || {
            let field = fields.next().unwrap_or_default();
            field.strip_suffix(' ').unwrap_or(field).trim_start()
        };
        Row { html: next(), expected: [next(), next(), next()] }
    })
}

#[test]
fn dom_equals_that_of_the_standard() {
    let mut failures = Vec::new();
    for Row { html, expected } in rows() {
        let dom = Dom::read(html, false);
        let made = dom.tags.iter().map(|tag| {
            let prefix = match tag.namespace {
                _ if tag.merged => "+",
                Namespace::Svg if tag.name != "svg" => "svg:",
                Namespace::MathMl if tag.name != "math" => "math:",
                _ => "",
            };
            format!("{prefix}{}", tag.name)
        });
        let made: Vec<_> = made.collect();
        let references: Vec<_> = dom.links().into_iter().map(|(.., it)| it).collect();
        let actual = [made.join(" "), references.join(" "), dom.base.unwrap_or_default()];
        if actual != expected {
            failures.push(format!("{html}\n  expected {expected:?}\n       has {actual:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn listed_pages_have_the_links_of_their_dom() {
    let failures = rows().filter_map(|Row { html, .. }| {
        let difference = differences(&page_of(html))?;
        Some(format!("{html}\n  {difference}"))
    });
    let failures: Vec<_> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// With scripting, the content of `noscript` is text.
#[test]
fn noscript_is_markup_without_scripting_only() {
    for (html, without, with) in [
        ("<noscript><a href=1></noscript><a href=2>", "1 2", "2"),
        ("<head><noscript><link href=1></noscript><link href=2>", "1 2", "2"),
        ("<head><noscript><a href=1></noscript><a href=2>", "1 2", "2"),
        ("<noscript><!--</noscript><a href=1>--></noscript><a href=2>", "2", "1 2"),
        ("<svg><noscript><a href=1>", "1", "1"),
        ("<template><noscript><a href=1></noscript>", "1", ""),
    ] {
        for (scripting, expected) in [(false, without), (true, with)] {
            let links = Dom::read(html, scripting).links();
            let references: Vec<_> = links.into_iter().map(|(.., it)| it).collect();
            assert_eq!(references.join(" "), expected, "{html}, {scripting}");
        }
        assert_eq!(differences(&page_of(html)), None, "{html}");
    }
}
