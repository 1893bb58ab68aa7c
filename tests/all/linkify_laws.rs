//! Laws of links that are made in HTML and plain text: the DOM without the new links is the DOM
//! before, whatever the markup is; a second run changes nothing; time is linear.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::Linkify;
use rehref::format::text::{Iri, Join, TextOptions};

use crate::html_soup::{soup, wild_soup};
use crate::linear::assert_linear;
use crate::support::unlinked_dom::{MARK, assert_same, assert_text, has_touching_urls};
use crate::tier;

/// Tags, some of them damaged, and texts around URLs.
const PIECES: [&str; 120] = strings![
    "<p>" "</p>" "<div>" "</div>" "<span>" "</span>" "<b>" "</b>" "<i class=x>" "</i>" "<a href=x>"
    "<a>" "</a>" "<nobr>" "</nobr>" "<font size=1>" "</font>" "<table>" "</table>" "<tr>" "</tr>"
    "<td>" "</td>" "<th>" "<caption>" "</caption>" "<colgroup>" "<col>" "<tbody>" "<select>"
    "</select>" "<option>" "</option>" "<optgroup>" "<button>" "</button>" "<ul>" "<li>" "</ul>"
    "<dl>" "<dd>" "<pre>" "</pre>" "<code>" "</code>" "<h1>" "</h1>" "<form>" "</form>" "<object>"
    "</object>" "<marquee>" "<template>" "</template>" "<svg>" "</svg>" "<math>" "</math>" "<mi>"
    "<foreignObject>" "</foreignObject>" "<desc>" "<annotation-xml encoding=text/html>" "<svg/>"
    "<textarea>" "</textarea>" "<title>" "</title>" "<style>" "</style>" "<script>" "</script>"
    "<xmp>" "</xmp>" "<iframe>" "</iframe>" "<noscript>" "</noscript>" "<noembed>" "</noembed>"
    "<noframes>" "</noframes>" "<plaintext>" "<frameset>" "<html>" "</html>" "<head>" "</head>"
    "<body>" "</body>" "<!DOCTYPE html>" "<br>" "</br>" "<wbr>" "<WBR class=y>" "<img alt='"
    "<p title=\"" "'>" "\">" "<!--" "-->" "--!>" "<!" "<?" "</" "<" "<![CDATA[" "]]>" "<hr>"
    "<input>" "<ruby><rt>" "<image>" "<details><summary>" "\0" "&amp;" "&lt;" "&gt;" "&quot;" "&#"
    "&nbsp"
];

/// URLs, and what may begin, end or continue one.
const URLS: [&str; 44] = strings![
    "http://a.example/" " http://a.example/b " "http://a.example/?c=1&amp;d=2"
    "https://e.example/(f)" "HTTP://G.EXAMPLE" "ftp://h.example/'i'" "http://j.example/\"k\""
    "<http://l.example/>" "&lt;http://m.example/&gt;" "&lt;URL:http://n.\nexample/&gt;"
    "http://o.example/p<wbr>q" "\"http://r.\nexample/\"" " http://s.example/t-\nu/v "
    "http://w.example/onclick=alert(1)//" "http://x.example/--" "http://y.example/<b>"
    "javascript:alert(1)" "data:text/html,x" "mailto:z@a.example" "b@c.example" " www.d.example/e "
    "&#104;ttp://f.example/" "http&colon;//g" "http://h.example/&#x0;" "http://i.example/&shy;j"
    "http://k.example/\u{200B}l" "http://m.example/\0n" "http://\u{4F8B}.example/\u{3002}"
    "http://[::1]:80/" "http://u:p@o.example:8/" "foo://bar/" ":" "://" "//" "http" "@" "." "," ";"
    ")" "word " "\n" " " "\r\n&gt; "
];

fn soup_of_links() -> impl Strategy<Value = String> {
    let piece = prop_oneof![select(&PIECES[..]), select(&URLS[..])];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Pages whose links are in attributes, with URLs in between.
fn page_with_urls(page: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (page, prop::collection::vec((any::<prop::sample::Index>(), select(&URLS[..])), 0..8)).prop_map(
        |(mut page, urls)| {
            for (at, url) in urls {
                let mut at = at.index(page.len() + 1);
                while !page.is_char_boundary(at) {
                    at -= 1;
                }
                page.insert_str(at, url);
            }
            page
        },
    )
}

fn any_text_options() -> impl Strategy<Value = TextOptions> {
    let join = prop::option::of(select(vec![Join::None, Join::Angle, Join::Guess]));
    let iri = select(vec![Iri::Auto, Iri::Ascii, Iri::Full]);
    (any::<[bool; 3]>(), join, iri).prop_map(|([abbreviated, emails, strict], join, iri)| {
        TextOptions { abbreviated, emails, strict, join, iri, ..TextOptions::default() }
    })
}

fn marking(text: TextOptions) -> Linkify {
    let linkify = Linkify::new().text_options(text);
    linkify.attribute(MARK, "").expect("a name")
}

proptest! {
    #![proptest_config(tier::cases(6_000))]

    #[test]
    fn page_without_its_new_links_has_the_old_dom(
        html in prop_oneof![
            3 => soup_of_links(),
            1 => page_with_urls(soup()),
            2 => page_with_urls(wild_soup()),
        ],
        text in any_text_options(),
    ) {
        let linkify = marking(text);
        let linked = linkify.html(&html);
        assert_same(&html, &linked);
        if !has_touching_urls(&linked) {
            prop_assert_eq!(&linkify.html(&linked), &linked, "a second run");
        }
    }

    #[test]
    fn plain_text_becomes_text_with_links(
        text in prop_oneof![
            2 => prop::collection::vec(select(&URLS[..]), 0..12).prop_map(|it| it.concat()),
            1 => soup_of_links(),
            1 => any::<String>(),
        ],
        options in any_text_options(),
    ) {
        let linkify = marking(options);
        let linked = linkify.text(&text);
        assert_text(&text, &linked);
        if !has_touching_urls(&linked) {
            prop_assert_eq!(&linkify.html(&linked), &linked, "a second run");
        }
    }
}

/// A guess joins the last two lines to a URL that becomes no link. A second run sees no lines
/// before them, and guesses otherwise.
#[test]
fn lines_joined_to_a_url_without_a_link_have_their_links() {
    let lines = concat!(
        "-- in.url\n+++ absolute.{\"remove_folder\":{\"path\":\"url\n--- in.url\nhttp://a.example/--- in.url\n+++ map.url\n",
        "@@ -2,1 +2,1 @@\n-U<base href=RL=htwp://mill.example/M\u{FC}ller\r\n+URL=http://mill.eContent-Transfer-EncCon",
    );
    let linkify = marking(TextOptions {
        abbreviated: true,
        emails: true,
        join: Some(Join::Guess),
        ..TextOptions::default()
    });
    let linked = linkify.text(lines);
    assert_text(lines, &linked);
    assert!(linked.ends_with(">http://mill.eContent-Transfer-EncCon</a>"), "{linked}");
    assert_eq!(linkify.html(&linked), linked);
    let page = lines.replace('<', "&lt;");
    let linked = linkify.html(&page);
    assert_same(&page, &linked);
    assert_eq!(linkify.html(&linked), linked);
}

#[test]
fn contents_of_a_template_keep_their_tree() {
    let linkify = marking(TextOptions::default());
    let url = "http://a.example/";
    for (html, links) in [
        ("see @ <tr><td>b</td></tr>", 0),
        ("see @ <TD>b", 0),
        ("@<caption>b</caption>", 0),
        ("@<col>", 0),
        ("@ <!-- --> <script></script><tr>", 0),
        ("@</p>", 0),
        ("@</br>", 0),
        ("@ </p> @ <tr>", 0),
        ("@ </p> @ <i>", 1),
        ("@ <p>@<tr>", 2),
        ("<p>@ <tr> @", 2),
        ("<td>@</td>", 1),
        ("<tr><td>@<td>@</tr> @", 2),
        ("<col><td>@", 0),
        ("@", 1),
        ("@ </div> @", 2),
    ] {
        let html = html.replace('@', url);
        let linked = linkify.html(&html);
        assert_same(&html, &linked);
        assert_eq!(linked.matches("<a href").count(), links, "{linked}");
        assert_eq!(linkify.html(&linked), linked);
    }
}

#[test]
fn url_in_many_pieces_has_no_link() {
    let linkify = marking(TextOptions::default());
    let quoted = |lines: usize| format!("> <http://a.example/{}\n> >", "\n> b".repeat(lines));
    assert!(linkify.text(&quoted(10)).contains("<a href"));
    assert!(!linkify.text(&quoted(100)).contains("<a href"));
}

#[test]
fn hostile_pages_take_linear_time() {
    let linkify =
        marking(TextOptions { abbreviated: true, emails: true, ..TextOptions::default() });
    for family in [
        "⟦http://a.example/ ⟧",
        "⟦<p>http://a.example/⟧",
        "⟦<div>http://a.example/⟧",
        "⟦<b>http://a.example/⟧",
        "⟦<b><p>http://a.example/</b>⟧",
        "⟦<a href=x><p>http://a.example/⟧",
        "⟦<table>http://a.example/⟧",
        "⟦<table><b>http://a.example/⟧",
        "⟦<svg>http://a.example/⟧",
        "⟦<noscript>http://a.example/</noscript>⟧",
        "⟦<template>http://a.example/⟧",
        "⟦<wbr>http://a.example/<wbr>⟧",
        "http://a.example/⟦b<wbr>⟧",
        "⟦&lt;http://a.example/⟧",
        "⟦http://a.example/&quot;⟧",
        "⟦a@b.example⟧",
        "⟦<i><i><div>http://a.example/</i>⟧",
    ] {
        assert_linear(family, |html| drop(std::hint::black_box(linkify.html(html))));
        assert_linear(family, |text| drop(std::hint::black_box(linkify.text(text))));
    }
}
