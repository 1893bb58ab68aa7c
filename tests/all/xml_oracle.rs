//! The links of XML are those of the tree that roxmltree builds, by separate tables, resolved
//! against the `xml:base` of ancestors. A rewritten document has the same tree except for the
//! values of links.

use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::link::{Form, Markup, ParsedLink as Found, Place};
use rehref::rewrite::Rule;
use rehref::uri::{Outcome, Resolver};

use roxmltree::{Node, NodeType, ParsingOptions};

use crate::document_corpus::fixtures;
use crate::laws::rules;
use crate::support::links::stripped;
use crate::support::planned::{plan, rewritten};
use crate::tier;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";
const ATOM: &str = "http://www.w3.org/2005/Atom";
const RSS: &str = "http://purl.org/rss/1.0/";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const MEDIA: &str = "http://search.yahoo.com/mrss/";
const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const OTHER: &str = "urn:x";
const NAMESPACES: [&str; 11] =
    [XHTML, SVG, XLINK, ATOM, RSS, RDF, MEDIA, SITEMAP, IMAGE, OTHER, ""];

/// Root elements, with the elements of their default namespace.
const ROOTS: [(&str, &str); 8] = [
    ("rss", ""),
    ("rdf:RDF", RSS),
    ("doc", ""),
    ("feed", ATOM),
    ("html", XHTML),
    ("svg", SVG),
    ("urlset", SITEMAP),
    ("doc", OTHER),
];

const ELEMENTS: [&str; 33] = [
    "a", "h:a", "s:a", "x:a", "link", "atom:link", "r:link", "loc", "image:loc", "p:loc", "guid",
    "url", "icon", "uri", "img", "image", "s:image", "use", "script", "source", "enclosure",
    "m:content", "m:thumbnail", "rdf:li", "base", "q", "ulink", "generator", "comments", "docs",
    "template", "feImage", "div",
];

const ATTRIBUTES: [&str; 16] = [
    "href", "src", "xlink:href", "x:href", "xml:base", "url", "uri", "rdf:resource", "resource",
    "cite", "isPermaLink", "srcset", "rel", "xlink:show", "HREF", "title",
];

const VALUES: [&str; 20] = [
    "a", "../b", "/c?d=1&amp;e=2", "//h/d", "http://h/x/y", "https://g/é&#x65E5;", "#f", "", "?q",
    " a b\n", "a\tb\r\nc", "&#10;a&#9;", "&lt;&gt;&quot;&apos;", "true", "false", "enclosure",
    "embed", "a>b", "http://h/x/", "a 1x, b/c 2x",
];

const TEXTS: [&str; 14] = [
    " ", "\n  ", "http://h/x/1", "a/b", "text", "&amp;x=&#49;", "<!-- http://h/no -->",
    "<?pi href='no'?>", "<![CDATA[http://h/x/2?a&b]]>", "<![CDATA[]]>", "<![CDATA[ ]]>", "日", "]",
    "http://h/<![CDATA[x]]>y",
];

fn attributes() -> impl Strategy<Value = String> {
    let names = prop::sample::subsequence(&ATTRIBUTES[..], 0..4).prop_shuffle();
    let value = (prop::sample::select(&VALUES[..]), any::<bool>());
    let prefix = prop::sample::select(vec!["", ":x", ":s", ":h", ":m"]);
    let namespace = prop::sample::select(&NAMESPACES[..]);
    let declaration = prop::option::weighted(0.2, (prefix, namespace));
    (names, prop::collection::vec(value, 4), declaration).prop_map(
        |(names, values, declaration)| {
            let mut out = String::new();
            for (name, (value, single)) in names.iter().zip(values) {
                let quote = if single { '\'' } else { '"' };
                out.push_str(&format!(" {name} = {quote}{value}{quote}"));
            }
            match declaration {
                // In XML 1.0 a prefix cannot be undeclared.
                Some((prefix, namespace)) if prefix.is_empty() || !namespace.is_empty() => {
                    out.push_str(&format!(" xmlns{prefix}='{namespace}'"));
                }
                _ => {}
            }
            out
        },
    )
}

fn element() -> impl Strategy<Value = String> {
    let text = || prop::sample::select(&TEXTS[..]).prop_map(str::to_owned);
    let name = || prop::sample::select(&ELEMENTS[..]);
    let texts = prop::collection::vec(text(), 0..3);
    let leaf = (name(), attributes(), texts).prop_map(|(name, attributes, texts)| {
        match texts.concat().as_str() {
            "" => format!("<{name}{attributes} />"),
            texts => format!("<{name}{attributes}>{texts}</{name}\n>"),
        }
    });
    leaf.prop_recursive(5, 24, 4, move |inner| {
        let children = prop::collection::vec(prop_oneof![3 => inner, 1 => text()], 0..4);
        (name(), attributes(), children).prop_map(|(name, attributes, children)| {
            format!("<{name}{attributes}>{}</{name}>", children.concat())
        })
    })
}

fn documents() -> impl Strategy<Value = String> {
    let root = prop::sample::select(&ROOTS[..]);
    (root, attributes(), prop::collection::vec(element(), 0..5)).prop_map(
        |((root, default), attributes, children)| {
            let default = match default {
                _ if attributes.contains(" xmlns=") => String::new(),
                "" => String::new(),
                default => format!(" xmlns='{default}'"),
            };
            let bound = [
                ("h", XHTML), ("s", SVG), ("x", XLINK), ("xlink", XLINK), ("atom", ATOM), ("r", RSS),
                ("rdf", RDF), ("m", MEDIA), ("p", SITEMAP), ("image", IMAGE),
            ];
            let bound = bound.into_iter().filter(|(prefix, _)| {
                !attributes.contains(&format!(" xmlns:{prefix}="))
            });
            let bound: String = bound
                .map(|(prefix, namespace)| format!(" xmlns:{prefix}='{namespace}'"))
                .collect();
            let children = children.concat();
            format!("<!DOCTYPE x [<!-- ' > ]> -->]><{root}{default}{attributes}{bound}>{children}</{root}>")
        },
    )
}

fn document_of(xml: &str) -> Document {
    let document = Document::new("a.xml", xml.as_bytes().to_vec());
    assert_eq!(document.format(), Format::Xml);
    document.retrieved_from("http://h/x/doc")
}

fn tree(xml: &str) -> Result<roxmltree::Document<'_>, roxmltree::Error> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    roxmltree::Document::parse_with_options(xml, options)
}

/// Local names of element and attribute, reference, and target.
type ParsedLink = (String, String, String, Option<String>);

fn links_found(document: &Document) -> Vec<ParsedLink> {
    let found = document.links_with(&Options::default());
    let mut resolving = found.resolving();
    let local = |name: &str| name.split_once(':').map_or(name, |it| it.1).to_owned();
    let links = found.found().links.iter().filter(|link| !is_in_text(link)).map(|link| {
        let Place::Markup(place) = &link.place else { panic!("{link:?} is in no markup") };
        let target = resolving.target(link).uri.map(str::to_owned);
        let (element, attribute) = (local(&place.element), local(&place.attribute));
        (element, attribute, link.reference.to_string(), target)
    });
    links.collect()
}

/// Returns true for a URL in a text, which a border may end that the tree does not have.
fn is_in_text(link: &Found<'_>) -> bool {
    let place = link.place.markup();
    place.is_some_and(|it| it.form == Form::Text && it.attribute == Markup::CONTENT)
}

struct Oracle {
    bare: &'static str,
    document: String,
    base: String,
    links: Vec<ParsedLink>,
}

fn resolved(base: &str, reference: &str) -> Option<String> {
    let mut out = String::new();
    let base = Resolver::default().base(base).ok()?;
    let outcome = base.resolve_into(reference, &mut out).ok()?;
    (outcome == Outcome::Target).then_some(out)
}

impl Oracle {
    fn links(tree: &roxmltree::Document<'_>) -> Vec<ParsedLink> {
        let root = tree.root_element();
        let bare = match (root.tag_name().namespace(), root.tag_name().name()) {
            (None | Some(""), "rss") => RSS,
            (None | Some(""), "feed") => ATOM,
            (None | Some(""), "html") => XHTML,
            (None | Some(""), "svg") => SVG,
            (None | Some(""), "urlset") => SITEMAP,
            _ => "",
        };
        let mut oracle = Self {
            bare,
            document: "http://h/x/doc".to_owned(),
            base: "http://h/x/doc".to_owned(),
            links: Vec::new(),
        };
        let is_base = |node: &Node<'_, '_>| {
            let is_template = |it: Node<'_, '_>| {
                oracle.namespace(it) == XHTML && it.tag_name().name() == "template"
            };
            oracle.namespace(*node) == XHTML
                && node.tag_name().name() == "base"
                && href(*node).is_some()
                && !node.ancestors().any(is_template)
        };
        let governs = oracle.namespace(root) == XHTML;
        if let Some(base) = tree.descendants().find(is_base).filter(|_| governs) {
            let reference = stripped(href(base).unwrap_or_default());
            oracle.base = resolved(&oracle.document, &reference).expect("a base");
        }
        oracle.element(root, &oracle.base.clone());
        oracle.links
    }

    fn namespace<'a>(&'a self, node: Node<'a, '_>) -> &'a str {
        match node.tag_name().namespace().unwrap_or_default() {
            "" => self.bare,
            namespace => namespace,
        }
    }

    fn element(&mut self, node: Node<'_, '_>, outer: &str) {
        let base = match node.attribute((XML, "base")) {
            Some(base) => resolved(outer, &stripped(base)).expect("a base"),
            None => outer.to_owned(),
        };
        let (namespace, name) = (self.namespace(node).to_owned(), node.tag_name().name());
        for attribute in node.attributes() {
            let own = attribute.namespace().unwrap_or_default();
            let value = attribute.value();
            let values = match (namespace.as_str(), name, own, attribute.name()) {
                (_, _, XML, "base")
                | (_, _, XLINK, "href")
                | (_, _, RDF, "resource")
                | (XHTML, "a" | "link" | "base", "", "href")
                | (XHTML, "img" | "script" | "source", "", "src")
                | (XHTML, "q", "", "cite")
                | (SVG, "a" | "use" | "image" | "script" | "feImage", "", "href")
                | (ATOM, "link", "", "href")
                | (ATOM, "content", "", "src")
                | (ATOM, "generator", "", "uri" | "url")
                | (RSS, "enclosure" | "source", "", "url")
                | (RSS, "link", "", "href")
                | (MEDIA, "content" | "thumbnail", "", "url")
                | (RDF, "li", "", "resource")
                | ("", "ulink", "", "url") => vec![value.to_owned()],
                (XHTML, "img" | "source", "", "srcset") => candidates(value),
                // In other vocabularies, absolute URLs are links.
                (_, _, _, "rel") => Vec::new(),
                ("" | OTHER, _, "", _) | (_, _, OTHER, _) => {
                    let urls = value.split_ascii_whitespace();
                    let urls = urls.filter(|it| it.starts_with("http"));
                    urls.map(str::to_owned).collect()
                }
                _ => Vec::new(),
            };
            for value in values {
                let reference = stripped(&value);
                let against = match (namespace.as_str(), name, own) {
                    (XHTML, "base", "") => &self.document,
                    (_, _, XML) => outer,
                    _ => &base,
                };
                let uri = absolute(against, &reference);
                self.links.push((name.to_owned(), attribute.name().to_owned(), reference, uri));
            }
        }
        let is_link = match (namespace.as_str(), name) {
            (ATOM, "icon" | "logo" | "uri" | "url")
            | (RSS, "link" | "comments" | "docs" | "url")
            | (SITEMAP | IMAGE, "loc") => true,
            (RSS, "guid") => node.attribute("isPermaLink").is_none_or(|it| it.trim() == "true"),
            _ => false,
        };
        if is_link {
            let own = node.children().take_while(|it| !it.is_element());
            let text: String = own.filter_map(|it| it.text().filter(|_| it.is_text())).collect();
            let reference = stripped(&text);
            let scheme = reference.split_once(':').map_or("", |it| it.0);
            let has_scheme = scheme.starts_with(|it: char| it.is_ascii_alphabetic())
                && scheme.chars().all(|it| it.is_ascii_alphanumeric());
            let is_any = !reference.is_empty() && (name != "guid" || has_scheme);
            if is_any {
                let uri = absolute(&base, &reference);
                self.links.push((name.to_owned(), "#text".to_owned(), reference, uri));
            }
        }
        for child in node.children().filter(Node::is_element) {
            self.element(child, &base);
        }
    }
}

/// The `href` without a namespace.
fn href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let mut attributes = node.attributes();
    let href = attributes.find(|it| it.namespace().is_none() && it.name() == "href")?;
    Some(href.value())
}

/// An absolute reference keeps its spelling.
fn absolute(base: &str, reference: &str) -> Option<String> {
    if reference.starts_with("http://") || reference.starts_with("https://") {
        return Some(reference.to_owned());
    }
    resolved(base, reference)
}

/// The image candidates of these values. None has a comma in its URL except at the end.
fn candidates(value: &str) -> Vec<String> {
    let urls = value.split(", ").filter_map(|it| it.split_ascii_whitespace().next());
    urls.map(str::to_owned).collect()
}

/// The parts of a tree without the values of links.
fn skeleton(xml: &str) -> Vec<String> {
    let tree = tree(xml).expect("a tree");
    let nodes = tree.descendants().map(|node| {
        let names = node.attributes().map(|it| (it.namespace(), it.name()));
        match node.node_type() {
            NodeType::Element => format!("{:?} {:?}", node.tag_name(), names.collect::<Vec<_>>()),
            NodeType::Text => "text".to_owned(),
            _ => format!("{:?} {:?}", node.text(), node.pi().map(|it| it.target)),
        }
    });
    nodes.collect()
}

#[test]
fn rewritten_corpus_stays_well_formed() {
    let mut compared = 0;
    for fixture in fixtures("xml") {
        let document = fixture.document;
        let Ok(text) = String::from_utf8(document.bytes().to_vec()) else {
            continue;
        };
        let text = text.trim_start_matches('\u{FEFF}');
        if tree(text).is_err() {
            continue;
        }
        compared += 1;
        for rule in rules() {
            let edited = rewritten(&document, rule);
            let edited = edited.text().text.into_owned();
            assert_eq!(skeleton(&edited), skeleton(text), "{edited}");
        }
    }
    assert!(compared > 10, "{compared} documents of the corpus are well-formed");
}

proptest! {
    #![proptest_config(tier::cases(4000))]

    #[test]
    fn documents_have_the_links_of_their_tree(xml in documents()) {
        let tree = tree(&xml);
        // One attribute can occur twice with two prefixes.
        prop_assume!(!matches!(tree, Err(roxmltree::Error::DuplicatedAttribute(..))));
        let tree = tree.map_err(|error| TestCaseError::fail(format!("{error} in {xml}")))?;
        prop_assert_eq!(links_found(&document_of(&xml)), Oracle::links(&tree), "{}", xml);
    }

    #[test]
    fn rewritten_documents_are_well_formed_with_the_planned_links(xml in documents(), rule in 0usize..3) {
        prop_assume!(tree(&xml).is_ok());
        let document = document_of(&xml);
        let plan = plan(&document, rules().swap_remove(rule));
        let edited = String::from_utf8(plan.bytes().to_vec()).expect("UTF-8");
        let skeletons = (skeleton(&xml), skeleton(&edited));
        prop_assert_eq!(skeletons.0, skeletons.1, "{}", edited);
        let links = document.links();
        let links = &links.found().links;
        let mut meant: Vec<&str> = links.iter().map(|it| &*it.reference).collect();
        for edit in plan.edits() {
            meant[plan.number(edit.link)] = edit.reference;
        }
        let meant = meant.into_iter().zip(links).filter(|(_, link)| !is_in_text(link));
        let meant: Vec<&str> = meant.map(|(reference, _)| reference).collect();
        // Checked by the tree, not by the reader that verified the plan.
        let tree = tree(&edited).expect("a tree");
        let read: Vec<String> = Oracle::links(&tree).into_iter().map(|it| it.2).collect();
        prop_assert_eq!(read, meant, "{}", edited);
    }
}

/// Any new URL is read back, with all quotes.
#[test]
fn any_new_url_is_read_back() {
    let news = [
        "http://n/&", "http://n/&amp;", "http://n/<a>", "http://n/\"'", "http://n/]]>",
        "http://n/]]", "http://n/]", "http://n/&lt;", "http://n/é日𝄞", "http://n/?>",
        "http://n/-->", "http://n/\u{1}", "http://n/\u{FFFF}", "http://n/a\tb",
        "http://n/a\u{A0}b",
    ];
    let xml = "<?xml-stylesheet href='http://o/0'?><rss xmlns:xlink='http://www.w3.org/1999/xlink'>\
        <a xlink:href='http://o/1'/><a xlink:href=\"http://o/2\"/><link>http://o/3</link>\
        <link><![CDATA[http://o/4]]></link><link> <![CDATA[\nhttp://o/5 ]]>\n</link></rss>";
    for new in news {
        let mut map = rehref::rewrite::PrefixMap::default();
        map.insert_entry(&format!("http://o={new}")).expect("an entry");
        let document = document_of(xml);
        let plan = plan(&document, Rule::Map(map));
        let edited = String::from_utf8(plan.bytes().to_vec()).expect("UTF-8");
        assert_eq!(skeleton(&edited), skeleton(xml), "{new:?}: {edited}");
        let links = links_found(&document_of(&edited));
        let is_unspeakable = new.contains(['\u{1}', '\u{FFFF}', '\t']);
        for (at, link) in links.iter().enumerate() {
            let is_kept = is_unspeakable || new.contains("]]>") && (4..6).contains(&at);
            let start = if is_kept { "http://o" } else { new };
            assert_eq!(link.2, format!("{start}/{at}"), "{edited}");
        }
        let tree = tree(&edited).expect("a tree");
        let read: Vec<_> = Oracle::links(&tree).into_iter().map(|it| it.2).collect();
        let found: Vec<_> = links.into_iter().map(|it| it.2).skip(1).collect();
        assert_eq!(read, found);
    }
}
