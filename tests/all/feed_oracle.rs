//! The links of HTML that is escaped in feeds are those of a DOM: roxmltree decodes each text, and html5ever builds its tree.
//! Rewritten, both trees are the same except for the values of links.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::{Form, Language, LinkData, Markup, Place, Quoting};
use rehref::rewrite::{PrefixMap, Rule};

use crate::edit_laws::{config, plan, references, rewritten, rules, targets, uris};
use crate::html_soup::{soup, wild_soup};
use crate::support::dom_oracle::{Dom, LinkData as DomLink};
use crate::tier;
use crate::tree_laws::verifies;

/// Elements whose text is HTML.
const HTML: [(&str, &str); 6] = [
    ("description", ""),
    ("content:encoded", ""),
    ("itunes:summary", ""),
    ("atom:content", " type='html'"),
    ("atom:title", " type=\"HTML\""),
    ("media:description", " type='html'"),
];

const NAMESPACES: &str = "xmlns:content='http://purl.org/rss/1.0/modules/content/' \
    xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' xmlns:atom='http://www.w3.org/2005/Atom' \
    xmlns:media='http://search.yahoo.com/mrss/'";

/// The ways to escape HTML.
#[derive(Clone, Copy, Debug)]
enum Escape {
    /// What must be escaped.
    Markup,
    /// Also quotes.
    Quotes,
    /// By numbers.
    Numbers,
    Cdata,
}

const ESCAPES: [Escape; 4] = [
    Escape::Markup,
    Escape::Quotes,
    Escape::Numbers,
    Escape::Cdata,
];

fn escaped(html: &str, how: Escape) -> String {
    let mut out = String::new();
    for character in html.chars() {
        match (how, character) {
            (Escape::Cdata, _) => out.push(character),
            (Escape::Numbers, '<' | '>' | '&' | '"' | '/') => {
                out.push_str(&format!("&#{};", u32::from(character)));
            }
            (Escape::Quotes, '"') => out.push_str("&quot;"),
            (Escape::Quotes, '\'') => out.push_str("&apos;"),
            (_, '<') => out.push_str("&lt;"),
            (_, '>') => out.push_str("&gt;"),
            (_, '&') => out.push_str("&amp;"),
            _ => out.push(character),
        }
    }
    match how {
        Escape::Cdata => format!("<![CDATA[{}]]>", out.replace("]]>", "]]]]><![CDATA[>")),
        _ => out,
    }
}

/// HTML without the characters that XML cannot have.
fn html() -> impl Strategy<Value = String> {
    let own = prop::collection::vec(
        select(
            &[
                "<a href=\"/x?a&amp;b\">",
                "<img src='y' srcset='a 1x, b&amp;c 2x'>",
                "<a href=plain>",
                "<a href=\"http://h/d/é?q=%20&copy=1\">",
                "<p id=x>text </p>",
                "<base href='b/'>",
                "<a href>",
                "<a href=''>",
                "]]>",
                "]]",
                "<!-- <a href=no> -->",
                "\r\n",
            ][..],
        ),
        0..6,
    );
    let any = prop_oneof![2 => own.prop_map(|it| it.concat()), 2 => soup(), 1 => wild_soup()];
    let is_char = |it: char| !matches!(it, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}');
    any.prop_map(move |html| {
        let allowed = html.chars().map(|it| if is_char(it) { it } else { 'x' });
        allowed.collect()
    })
}

/// The content of an element: HTML in up to three pieces, each escaped in its own way, perhaps with comments between them.
fn content() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![3 => Just(1_usize), 1 => 2..4_usize];
    let ways = prop::collection::vec((select(&ESCAPES[..]), any::<Index>(), any::<bool>()), 3);
    (html(), pieces, ways).prop_map(|(html, pieces, ways)| {
        let mut rest = &*html;
        let mut out = String::new();
        for (number, (how, at, has_comment)) in ways.into_iter().take(pieces).enumerate() {
            let ends: Vec<usize> = rest.char_indices().map(|it| it.0).collect();
            let end = match ends.is_empty() || number + 1 == pieces {
                true => rest.len(),
                false => *at.get(&ends),
            };
            out.push_str(&escaped(&rest[..end], how));
            if has_comment && number + 1 < pieces {
                out.push_str("<!-- <a href='no'> -->");
            }
            rest = &rest[end..];
        }
        out
    })
}

fn feeds() -> impl Strategy<Value = String> {
    let element = (select(&HTML[..]), content());
    let elements = element.prop_map(|((name, attributes), content)| {
        format!("<{name}{attributes}>{content}</{name}>\n")
    });
    prop::collection::vec(elements, 1..4).prop_map(|elements| {
        let elements = elements.concat();
        format!("<rss {NAMESPACES}><title>&lt;a href='no'></title>{elements}</rss>")
    })
}

fn document_of(xml: &str) -> Document {
    Document::new("feed.xml", xml.as_bytes().to_vec()).retrieved_from("http://h/d/e/f?q")
}

/// The HTML of a feed, as roxmltree decodes it.
fn texts(xml: &str) -> Vec<String> {
    let tree = roxmltree::Document::parse(xml).unwrap_or_else(|error| panic!("{error} in {xml}"));
    let names = HTML.map(|(name, _)| name.rsplit(':').next().unwrap_or(name));
    let is_html = |it: &roxmltree::Node<'_, '_>| {
        let name = it.tag_name();
        names.contains(&name.name()) && !(name.name() == "title" && name.namespace().is_none())
    };
    let elements = tree.descendants().filter(is_html);
    let text = |it: roxmltree::Node<'_, '_>| -> String {
        let texts = it.children().filter(|it| it.is_text());
        texts.filter_map(|it| it.text()).collect()
    };
    elements.map(text).collect()
}

/// Returns true for a link that the DOM's tables have: in an attribute, and not in a page within the HTML.
fn is_compared(link: &LinkData<'_>) -> bool {
    let Place::Markup(markup) = &link.place else {
        return false;
    };
    markup.attribute != Markup::CONTENT
        && markup.within.as_ref().is_some_and(|it| it.within.is_none())
}

fn links_found(document: &Document) -> Vec<DomLink> {
    let found = document.found(&Options::default());
    let links = found.links.into_iter().filter(is_compared);
    let links = links.filter_map(|link| {
        let Place::Markup(markup) = link.place else {
            return None;
        };
        let (element, attribute) = (markup.element, markup.attribute);
        Some((element.into(), attribute.into(), link.reference.into()))
    });
    links.collect()
}

fn links_of_dom(xml: &str) -> Vec<DomLink> {
    let texts = texts(xml).into_iter();
    texts
        .flat_map(|html| Dom::read(&html, false).links())
        .collect()
}

/// What a rewritten feed has in common with the old one: the elements with their attributes, and the tags and anchors of the
/// HTML.
fn shape(xml: &str) -> Vec<String> {
    let tree = roxmltree::Document::parse(xml).expect("a tree");
    let nodes = tree.descendants().filter(|it| !it.is_text());
    let nodes = nodes.map(|it| {
        format!(
            "{:?} {:?}",
            it.tag_name(),
            it.attributes().collect::<Vec<_>>()
        )
    });
    let html = texts(xml).into_iter().map(|html| {
        let dom = Dom::read(&html, false);
        let tags = dom
            .tags
            .iter()
            .map(|tag| format!("{:?} {}", tag.namespace, tag.name));
        format!("{:?} {:?}", tags.collect::<Vec<_>>(), dom.anchors)
    });
    nodes.chain(html).collect()
}

/// A document with only this link, which has the same bytes and the same escapes around it.
fn alone(document: &Document, link: &LinkData<'_>) -> Option<String> {
    let markup = link.place.markup().filter(|it| it.form == Form::Whole)?;
    let outer = markup.within.as_ref()?;
    let [span] = link.spans[..] else { return None };
    let raw = document.decode(span);
    let value = match markup.quoting {
        Quoting::Double => format!("\"{raw}\""),
        Quoting::Single => format!("'{raw}'"),
        Quoting::Unquoted => format!("{raw} "),
        _ => return None,
    };
    Some(match outer.quoting {
        Quoting::Cdata => {
            format!("<rss><description><![CDATA[<a href={value}>]]></description></rss>")
        }
        _ => format!("<rss><description>&lt;a href={value}&gt;</description></rss>"),
    })
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(256, 10_000)))]

    #[test]
    fn escaped_html_has_the_links_of_its_dom(xml in feeds()) {
        prop_assert_eq!(links_found(&document_of(&xml)), links_of_dom(&xml), "{}", xml);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rewritten_feeds_keep_their_trees_and_have_the_planned_links(xml in feeds(), rule in 0usize..5) {
        let document = document_of(&xml);
        let plan = plan(&document, rules().swap_remove(rule));
        let edited = String::from_utf8(plan.bytes().to_vec()).expect("UTF-8");
        prop_assert_eq!(shape(&edited), shape(&xml), "{}", edited);
        let found = document.found(&Options::default());
        let mut meant = references(&document);
        for edit in plan.edits() {
            meant[plan.number(edit.link)] = edit.reference.to_owned();
        }
        let compared = found.links.iter().zip(meant).filter(|(link, _)| is_compared(link));
        let meant: Vec<String> = compared.map(|(_, meant)| meant).collect();
        // Read by the two trees, and not by the reader that verified the plan.
        let read: Vec<String> = links_of_dom(&edited).into_iter().map(|it| it.2).collect();
        prop_assert_eq!(read, meant, "{}", edited);
    }

    #[test]
    fn spans_of_escaped_links_decode_to_their_references(xml in feeds()) {
        let document = document_of(&xml);
        for link in document.found(&Options::default()).links {
            if let Some(alone) = alone(&document, &link) {
                let read = references(&document_of(&alone));
                prop_assert_eq!(read, [&*link.reference], "{}", alone);
            }
        }
    }

    #[test]
    fn plans_of_feeds_verify_and_damaged_results_do_not(
        xml in feeds(), rule in 0usize..5, at in any::<Index>(),
    ) {
        verifies(&document_of(&xml), rules().swap_remove(rule), at)?;
    }

    #[test]
    fn absolute_references_in_feeds_keep_their_targets(xml in feeds()) {
        let document = document_of(&xml);
        let edited = rewritten(&document, Rule::Absolute);
        prop_assert_eq!(uris(targets(&edited)), uris(targets(&document)));
        prop_assert!(plan(&edited, Rule::Absolute).is_empty());
    }

    #[test]
    fn html_text_finds_the_same_links_and_those_of_the_text(xml in feeds()) {
        let document = document_of(&xml);
        let with_text = Options { html_text: true, escaped_html: false, ..Options::default() };
        let is_text = |link: &LinkData<'_>| matches!(link.place, Place::Text(_));
        let all = document.found(&with_text).links.into_iter();
        let all: Vec<_> = all.filter(|link| !is_text(link)).map(|it| it.spans).collect();
        let own = document.found(&Options::default()).links.into_iter();
        let own: Vec<_> = own.map(|it| it.spans).collect();
        prop_assert_eq!(all, own);
        let none = Options { escaped_html: false, ..Options::default() };
        let none = document.found(&none).links;
        let is_html = |link: &LinkData<'_>| {
            link.place.markup().is_some_and(|it| it.language == Language::Html)
        };
        prop_assert!(!none.iter().any(is_html), "{none:?}");
    }
}

/// Any new URL is read back through both layers, with all quotes, and never ends a section.
#[test]
fn any_new_url_is_read_back_from_escaped_html() {
    let html = "<a href=\"http://o/1\"><a href='http://o/2'><a href=http://o/3><img srcset='http://o/4 1x'>\
        <p style='background: url(http://o/5)'><a href=http://o>";
    let feed = |how| {
        let html = escaped(html, how);
        format!("<rss><description>{html}</description></rss>")
    };
    for new in [
        "http://n/&",
        "http://n/&amp;",
        "http://n/&lt;",
        "http://n/?a=1&copy=2",
        "http://n/<a>",
        "http://n/\"'",
        "http://n/]]>",
        "http://n/]]",
        "http://n/]",
        "http://n/é日𝄞",
        "http://n/-->",
        "http://n/a b",
        "http://n/`=",
    ] {
        for how in ESCAPES {
            let xml = feed(how);
            let mut map = PrefixMap::default();
            map.insert_entry(&format!("http://o={new}"))
                .expect("an entry");
            let document = document_of(&xml);
            let plan = plan(&document, Rule::Map(map));
            let edited = String::from_utf8(plan.bytes().to_vec()).expect("UTF-8");
            assert_eq!(shape(&edited), shape(&xml), "{new:?}: {edited}");
            let mut meant = references(&document);
            for edit in plan.edits() {
                meant[plan.number(edit.link)] = edit.reference.to_owned();
            }
            assert_eq!(references(&document_of(&edited)), meant, "{edited}");
            let is_unspeakable = new.contains("]]>") && matches!(how, Escape::Cdata);
            let least = if is_unspeakable { 1 } else { 5 };
            assert!(plan.edits().len() >= least, "{new:?} {how:?}: {edited}");
        }
    }
}
