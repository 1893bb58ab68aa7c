//! Links that a page has, changed by a function: only the attributes of `a` elements change in the
//! DOM, and only bytes of their tags.

use encoding_rs::{ISO_2022_JP, UTF_16LE, WINDOWS_1252};
use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::Format;
use rehref::rewrite::{Anchor, AnchorChoice};
use rehref::{Document, Linkify};

use crate::html_soup::wild_soup;
use crate::support::unlinked_dom::{Piece, read, unlinked};
use crate::tier;

const NEW_HREF: &str = "/go?a='b'&c=\"<d>\"";

/// Parts of tags, and markup around them.
const PIECES: [&str; 54] = strings![
    "<a" "<A" "<a " "<a\n" "<a/" " href=x" "href=x" " href=\"y\"" " href='z'" "href='z'" " href"
    " href=" " href=\"\"" " HREF=w" " class=c" "class='c'" " class" " class=" "/class=\"c\"" " rel=r"
    " rel=\"r\"" " data-x=0" " a\"b" " @c=d" " title='&lt;>'" "/" " /" ">" "/>" " >" "</a>" "<p>"
    "<svg>" "</svg>" "<noscript>" "</noscript>" "<template>" "<!--" "-->" "<textarea>" "<table>" "text "
    "http://a.example/ " "=e" "<p title='" "<p title=\"" "'>" "\">" "<select>" "<style>" "</style>"
    "<math>" "</textarea>" "</select>"
];

fn tags() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&PIECES[..]), 0..24).prop_map(|pieces| pieces.concat())
}

/// Removes every third link. Of the others, changes the target, sets an attribute and removes one.
fn changing() -> impl FnMut(&mut Anchor<'_>) -> AnchorChoice {
    let mut calls = 0;
    move |anchor| {
        if !anchor.is_existing() {
            return AnchorChoice::Skip;
        }
        calls += 1;
        anchor.set_href(NEW_HREF);
        anchor.set_attribute("data-x", "1").expect("a name");
        anchor.remove_attribute("class");
        anchor.set_text("never written");
        match calls % 3 {
            0 => AnchorChoice::Unlink,
            _ => AnchorChoice::Make,
        }
    }
}

/// Returns true for an attribute with this name in no namespace.
fn is(attribute: &(String, String), name: &str) -> bool {
    attribute.0.contains("Atom('' ") && attribute.0.contains(&format!(" Atom('{name}' "))
}

/// Panics unless the DOMs differ in attributes of `a` elements only, and these as `changing` changes
/// them. Returns the numbers of elements that changed and of links that did not.
fn compare(html: &str, changed: &str, scripting: bool) -> (usize, usize) {
    let pieces = |html: &str| unlinked(&read(html, scripting, None), false);
    let (old, new) = (pieces(html), pieces(changed));
    assert_eq!(old.len(), new.len(), "{html}\n{changed}");
    let (mut differing, mut same) = (0, 0);
    for (old, new) in old.iter().zip(&new) {
        let has_href = |it: &Piece| match it {
            Piece::Open(name, attributes) => {
                let is_link = name.contains("'a'") && !name.contains("MathML");
                is_link && attributes.iter().any(|it| is(it, "href"))
            }
            _ => false,
        };
        // With scripting, the tags in `noscript` are text.
        let is_text = matches!((old, new), (Piece::Text(_), Piece::Text(_)));
        if old == new || scripting && is_text {
            same += usize::from(has_href(old));
            continue;
        }
        let (Piece::Open(name, before), Piece::Open(new_name, after)) = (old, new) else {
            panic!("{old:?} {new:?}\n{html}\n{changed}");
        };
        assert!(has_href(old) && name == new_name, "{old:?} {new:?}\n{html}\n{changed}");
        let value = |name: &str| after.iter().find(|it| is(it, name)).map(|it| &*it.1);
        let is_unlinked = value("href").is_none();
        let kept = |all: &[(String, String)]| {
            let is_changed = |it: &&(String, String)| {
                ["href", "class", "data-x"].iter().any(|name| is(it, name))
                    || is_unlinked && it.0.contains("xlink") && it.0.contains("href")
            };
            all.iter().filter(|it| !is_changed(it)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(kept(before), kept(after), "{html}\n{changed}");
        assert_eq!((value("class"), value("data-x")), (None, Some("1")), "{html}\n{changed}");
        assert!(value("href").is_none_or(|it| it == NEW_HREF), "{html}\n{changed}");
        differing += 1;
    }
    (differing, same)
}

proptest! {
    #![proptest_config(tier::cases(6_000))]

    #[test]
    fn only_attributes_of_links_change(html in prop_oneof![2 => tags(), 1 => wild_soup()]) {
        let linkify = Linkify::new().existing(true);
        let changed = linkify.html_with(&html, changing());
        for scripting in [false, true] {
            let (_, same) = compare(&html, &changed, scripting);
            // No link is given where parsers disagree.
            let lower = html.to_ascii_lowercase();
            let disputed = ["noscript", "select", "<svg", "<math", "search", "isindex"];
            let is_exempt = disputed.iter().any(|it| lower.contains(it));
            prop_assert!(scripting || same == 0 || is_exempt, "links that are the same: {}\n{}", html, changed);
        }
        let kept = linkify.html_with(&html, |anchor| match anchor.is_existing() {
            true => AnchorChoice::Make,
            false => AnchorChoice::Skip,
        });
        prop_assert_eq!(kept, html, "a function that changes nothing");
    }
}

#[test]
fn tags_keep_what_does_not_change() {
    let cases = [
        ("<a href=x>b</a>", "<a href=\"/1\" rel=\"n\">b</a>"),
        (
            "<A\n class='c'\n HREF='x'\n title=\"&auml;\" >",
            "<A\n HREF=\"/1\"\n title=\"&auml;\" rel=\"n\" >",
        ),
        ("<a href=x class='c'/>", "<a href=\"/1\" rel=\"n\" />"),
        ("<a id=y class='c'/href=x>", "<a id=y /href=\"/1\" rel=\"n\">"),
        ("<a class='c'href=x>", "<a href=\"/1\" rel=\"n\">"),
        ("<a href=x rel=r>", "<a href=\"/1\" rel=\"n\">"),
        ("<a href=x href=y id= >", "<a href=\"/1\" href=y id=\"\" rel=\"n\">"),
        ("<a rel=r class/id href=x>", "<a rel=\"n\" /id href=\"/1\">"),
        ("<a id class=c =e href=x>", "<a id / =e href=\"/1\" rel=\"n\">"),
        ("<a title='</p>' href=x>", "<a title='</p>' href=\"/1\" rel=\"n\">"),
        ("<noscript><a href=x></noscript>", "<noscript><a href=\"/1\" rel=\"n\"></noscript>"),
        ("<!-- <a href=x> --><textarea><a href=x></textarea><a name=z>", ""),
    ];
    for (html, expected) in cases {
        let changed = Linkify::new().existing(true).html_with(html, |anchor| {
            anchor.set_href("/1");
            anchor.set_attribute("rel", "n").expect("a name");
            anchor.remove_attribute("class");
            AnchorChoice::Make
        });
        assert_eq!(changed, if expected.is_empty() { html } else { expected });
    }
}

/// Here a quote of the new tag would end an attribute that another parser reads.
#[test]
fn tags_that_parsers_read_in_different_ways_stay() {
    for html in [
        "<noscript><p title='</noscript><p title=\"'><a href='x onmouseover=alert(1) y'>b</a>\">",
        "<noscript><!-- </noscript><p title=\"--><a href='x onmouseover=alert(1) y'>b</a>\">",
        "<noscript><style></noscript><p title=\"</style><a href='x y'>b</a>\">",
        "<noscript><p title='</noscript><p title=\"'></noscript> <a href='x'>b</a> \">",
        "<noscript><a title='</noscript><p title=\"' href='x'>b</a> \">",
        "<select><svg><textarea><p title='</textarea><p title=\"'><a href='x y'>b</a>\">",
        "<select><svg><script><p title='</script><p title=\"'></select><a href='x y'>b</a>\">",
        "<select><p><svg><a href=x></svg></select><a href=y>",
    ] {
        let changed = Linkify::new().existing(true).html_with(html, |_| AnchorChoice::Unlink);
        assert_eq!(changed, html);
    }
}

#[test]
fn functions_see_links_in_their_order() {
    let html = "http://a.example/ <a href='/b&amp;c' title=t> d\n <b>e</b></a> http://f.example/";
    let mut seen = Vec::new();
    let changed = Linkify::new().existing(true).html_with(html, |anchor| {
        let attributes: Vec<_> =
            anchor.attributes().map(|it| format!("{}={}", it.0, it.1)).collect();
        assert_eq!(anchor.delimiter().is_none(), anchor.is_existing());
        seen.push(format!("{} {} {attributes:?}", anchor.href(), anchor.text()));
        AnchorChoice::Unlink
    });
    assert_eq!(
        seen,
        [
            "http://a.example/ http://a.example/ []",
            "/b&c d e [\"title=t\"]",
            "http://f.example/ http://f.example/ []"
        ]
    );
    assert_eq!(changed, "http://a.example/ <a title=t> d\n <b>e</b></a> http://f.example/");
}

#[test]
fn unsafe_targets_are_removed_if_a_function_sets_them() {
    let html = "<a href='javascript:a()'>b</a><a href=c>d</a>";
    let changed = Linkify::new().existing(true).html_with(html, |anchor| {
        if anchor.href() == "c" {
            anchor.set_href("java\nscript:e()");
        }
        anchor.set_attribute("rel", "n").expect("a name");
        AnchorChoice::Make
    });
    assert_eq!(changed, "<a href='javascript:a()' rel=\"n\">b</a><a rel=\"n\">d</a>");
    // In SVG, `xlink:href` is a target, too.
    for choice in [AnchorChoice::Make, AnchorChoice::Unlink] {
        let changed = Linkify::new().existing(true).html_with("<svg><a href=x>b", |anchor| {
            anchor.set_attribute("xlink:href", "javascript:e()").expect("a name");
            choice
        });
        assert_eq!(changed, "<svg><a>b");
    }
}

#[test]
fn documents_keep_their_character_encoding() {
    let html = "<p>\u{E4}<a class=c href=x title='\u{E4}'>\u{E4}</a> <a href=y/ >";
    for encoding in [UTF_16LE, WINDOWS_1252, encoding_rs::UTF_8, ISO_2022_JP] {
        let bytes = match encoding == UTF_16LE {
            true => html.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            false => encoding.encode(html).0.into_owned(),
        };
        let document = Document::from_bytes(bytes).charset(encoding.name());
        let document = document.format(Format::Html).build().expect("a document");
        let linkify = Linkify::new().existing(true);
        let changed = linkify.document_with(&document, changing()).expect("HTML");
        let changed = encoding.decode_without_bom_handling(&changed.bytes).0.into_owned();
        let expected = linkify.html_with(html, changing());
        assert_ne!(expected, html);
        let expected = match encoding == ISO_2022_JP {
            true => expected.replace('\u{E4}', "&#228;"),
            false => expected,
        };
        assert_eq!(changed, expected, "{}", encoding.name());
    }
}
