//! The links found in HTML are those of the DOM that html5ever builds.
//!
//! html5ever reads the page with a sink that numbers the start tags. The tree builder may move and
//! clone elements, but the number stays with them: each source tag counts once, in source order.
//! What the DOM's elements link to is worked out here from tables and parsers of this file's own.
#![expect(
    clippy::print_stdout,
    reason = "a test says what it skipped and how much it ran"
)]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use html5ever::interface::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, StartTag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use rehref::document::{Charset, Document};
use rehref::find::{FindOptions, Place, find};

use crate::html_corpus;
use crate::html_soup::soup;

/// Element, attribute and reference.
type Link = (String, String, String);

const NUMBER: &str = "rehref-number";

/// Passes tokens on to the tree builder, with a number on each start tag.
struct Numbering {
    builder: TreeBuilder<Handle, RcDom>,
    next: Cell<usize>,
}

impl TokenSink for Numbering {
    type Handle = Handle;

    fn process_token(&self, mut token: Token, line: u64) -> TokenSinkResult<Handle> {
        if let Token::TagToken(tag) = &mut token
            && tag.kind == StartTag
        {
            let number = self.next.replace(self.next.get() + 1);
            tag.attrs.push(Attribute {
                name: QualName::new(None, ns!(), LocalName::from(NUMBER)),
                value: StrTendril::from(number.to_string()),
            });
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// The links of the DOM, in the order of their tags.
fn links_of_dom(html: &str) -> Vec<Link> {
    let options = TreeBuilderOpts {
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let sink = Numbering {
        builder: TreeBuilder::new(RcDom::default(), options),
        next: Cell::new(0),
    };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();

    let mut links = BTreeMap::new();
    let mut open = vec![tokenizer.sink.builder.sink.document.clone()];
    while let Some(node) = open.pop() {
        open.extend(node.children.borrow().iter().cloned());
        let NodeData::Element {
            name,
            attrs,
            template_contents,
            ..
        } = &node.data
        else {
            continue;
        };
        open.extend(template_contents.borrow().clone());
        let attributes = attributes_of(&attrs.borrow());
        let number = attributes.iter().find(|(name, _)| name == NUMBER);
        // What no tag spells, such as a `body` that is left out, has no number.
        let Some(number) = number.and_then(|(_, number)| number.parse::<usize>().ok()) else {
            continue;
        };
        let element = name.local.to_ascii_lowercase().to_string();
        let namespace = if name.ns == ns!(html) {
            Namespace::Html
        } else if name.ns == ns!(svg) {
            Namespace::Svg
        } else {
            Namespace::MathMl
        };
        links.insert(number, links_of_element(namespace, &element, &attributes));
    }
    links.into_values().flatten().collect()
}

/// Names in lower case, `xlink:` written out where it is the namespace, and values.
fn attributes_of(attributes: &[Attribute]) -> Vec<(String, String)> {
    let name = |name: &QualName| {
        let prefix = if name.ns == ns!(xlink) { "xlink:" } else { "" };
        format!("{prefix}{}", name.local.to_ascii_lowercase())
    };
    attributes
        .iter()
        .map(|attribute| (name(&attribute.name), attribute.value.to_string()))
        .collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Namespace {
    Html,
    Svg,
    MathMl,
}

fn links_of_element(
    namespace: Namespace,
    element: &str,
    attributes: &[(String, String)],
) -> Vec<Link> {
    let value_of = |wanted: &str| {
        let found = attributes.iter().find(|(name, _)| name == wanted);
        found.map_or("", |(_, value)| value.as_str())
    };
    let mut links = Vec::new();
    for (name, value) in attributes {
        let references: Vec<String> = match (namespace, element, name.as_str()) {
            (Namespace::Html, "meta", "content") => {
                let is_refresh = value_of("http-equiv").eq_ignore_ascii_case("refresh");
                refresh(value).filter(|_| is_refresh).into_iter().collect()
            }
            (Namespace::Html, "param", "value") => {
                let by_name = ["movie", "src", "href", "url", "data", "filename"]
                    .contains(&value_of("name").to_ascii_lowercase().as_str());
                let by_type = value_of("valuetype").eq_ignore_ascii_case("ref");
                Vec::from_iter((by_name || by_type).then(|| value.clone()))
            }
            (Namespace::Html, "img" | "source", "srcset")
            | (Namespace::Html, "link", "imagesrcset") => srcset(value),
            (Namespace::Html, "a" | "area", "ping") | (Namespace::Html, "head", "profile") => {
                value.split_ascii_whitespace().map(str::to_owned).collect()
            }
            (Namespace::Html, "object" | "applet", "archive") => value
                .split(|it: char| it.is_ascii_whitespace() || it == ',')
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect(),
            (Namespace::Html, element, name) if is_url(element, name) => vec![value.clone()],
            (Namespace::Svg, "a", "href") => vec![value.clone()],
            (Namespace::Svg, element, "href") if SVG.contains(&element) => vec![value.clone()],
            (Namespace::Svg | Namespace::MathMl, _, "xlink:href") => vec![value.clone()],
            _ => Vec::new(),
        };
        links.extend(
            references
                .iter()
                .map(|reference| (element.to_owned(), name.clone(), stripped(reference))),
        );
    }
    links
}

const SVG: [&str; 15] = [
    "animate",
    "animatemotion",
    "animatetransform",
    "cursor",
    "feimage",
    "filter",
    "image",
    "lineargradient",
    "mpath",
    "pattern",
    "radialgradient",
    "script",
    "set",
    "textpath",
    "use",
];

/// Whether the attribute of the HTML element is one URL.
fn is_url(element: &str, attribute: &str) -> bool {
    let attributes: &[&str] = match element {
        "a" | "area" | "base" | "link" => &["href"],
        "img" => &["src", "longdesc", "lowsrc", "dynsrc", "usemap"],
        "script" | "audio" | "track" | "source" | "bgsound" => &["src"],
        "video" => &["src", "poster"],
        "iframe" | "frame" => &["src", "longdesc"],
        "embed" => &["src", "pluginspage"],
        "object" => &["data", "classid", "usemap", "codebase"],
        "applet" => &["code", "codebase", "object"],
        "input" => &["src", "formaction", "usemap"],
        "button" => &["formaction"],
        "form" | "isindex" => &["action"],
        "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => &["background"],
        "blockquote" | "q" | "ins" | "del" => &["cite"],
        "html" => &["manifest"],
        "layer" | "ilayer" => &["src", "background"],
        "menuitem" | "command" => &["icon"],
        _ => &[],
    };
    attributes.contains(&attribute)
}

/// What the URL parser leaves of a value.
fn stripped(value: &str) -> String {
    let value = value.trim_matches(|it: char| it <= ' ');
    value.replace(['\t', '\n', '\r'], "")
}

/// HTML standard, "parse a srcset attribute", states and all.
fn srcset(value: &str) -> Vec<String> {
    #[derive(PartialEq)]
    enum State {
        InDescriptor,
        InParens,
        AfterDescriptor,
    }
    let input: Vec<char> = value.chars().collect();
    let space = |at: usize| input.get(at).is_some_and(char::is_ascii_whitespace);
    let mut urls = Vec::new();
    let mut at = 0;
    loop {
        while space(at) || input.get(at) == Some(&',') {
            at += 1;
        }
        if at == input.len() {
            return urls;
        }
        let start = at;
        while at < input.len() && !space(at) {
            at += 1;
        }
        let url: String = input[start..at].iter().collect();
        if url.ends_with(',') {
            urls.push(url.trim_end_matches(',').to_owned());
            continue;
        }
        urls.push(url);
        while space(at) {
            at += 1;
        }
        let mut state = State::InDescriptor;
        while let Some(&it) = input.get(at) {
            match state {
                State::InDescriptor if it.is_ascii_whitespace() => state = State::AfterDescriptor,
                State::InDescriptor if it == ',' => {
                    at += 1;
                    break;
                }
                State::InDescriptor if it == '(' => state = State::InParens,
                State::InParens if it == ')' => state = State::InDescriptor,
                State::AfterDescriptor if !it.is_ascii_whitespace() => {
                    state = State::InDescriptor;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// HTML standard, "shared declarative refresh steps", step by step.
fn refresh(value: &str) -> Option<String> {
    let mut input = value.chars().peekable();
    let skip_space = |input: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        while input.next_if(char::is_ascii_whitespace).is_some() {}
    };
    skip_space(&mut input);
    let mut time = String::new();
    while let Some(digit) = input.next_if(char::is_ascii_digit) {
        time.push(digit);
    }
    if time.is_empty() && input.peek() != Some(&'.') {
        return None;
    }
    while input
        .next_if(|it| it.is_ascii_digit() || *it == '.')
        .is_some()
    {}
    let next = input.peek()?;
    if !matches!(next, ';' | ',') && !next.is_ascii_whitespace() {
        return None;
    }
    skip_space(&mut input);
    input.next_if(|it| matches!(it, ';' | ','));
    skip_space(&mut input);
    input.peek()?;
    let whole: String = input.clone().collect();
    if input.next_if(|it| matches!(it, 'u' | 'U')).is_some() {
        for letter in ['r', 'l'] {
            if input
                .next_if(|it| it.eq_ignore_ascii_case(&letter))
                .is_none()
            {
                return Some(whole);
            }
        }
        skip_space(&mut input);
        if input.next_if_eq(&'=').is_none() {
            return Some(whole);
        }
        skip_space(&mut input);
    }
    let quote = input.next_if(|it| matches!(it, '\'' | '"'));
    let url: String = input.collect();
    let end = quote.and_then(|quote| url.find(quote));
    Some(url[..end.unwrap_or(url.len())].to_owned())
}

/// What the finder finds.
fn links_found(page: &Document) -> Vec<Link> {
    let found = find(page, &FindOptions::default());
    let links = found.links.into_iter().filter_map(|link| match link.place {
        Place::Markup(place) => Some((
            place.element.into_owned(),
            place.attribute.into_owned(),
            link.reference.into_owned(),
        )),
        _ => None,
    });
    links.collect()
}

/// The first link in which the two differ.
fn difference(found: &[Link], dom: &[Link]) -> Option<String> {
    let at = (0..found.len().max(dom.len())).find(|&at| found.get(at) != dom.get(at))?;
    Some(format!(
        "link {}: found {:?}, the DOM has {:?}",
        at + 1,
        found.get(at),
        dom.get(at)
    ))
}

#[test]
fn corpus_pages_hold_the_links_of_their_dom() {
    let mut failures = Vec::new();
    let mut compared = 0;
    for folder in html_corpus::folders() {
        let name = html_corpus::name(&folder);
        let page = html_corpus::page(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        if page.charset.encoding() != encoding_rs::UTF_8 {
            continue;
        }
        compared += 1;
        let dom = links_of_dom(&page.text().text);
        if let Some(difference) = difference(&links_found(&page), &dom) {
            failures.push(format!("{name}: {difference}"));
        }
    }
    assert!(compared > 0, "no page of the corpus is UTF-8");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The pages of the folder that the environment variable `REHREF_PAGES` names, or of a real mailing
/// list archive where it is there.
#[test]
fn real_pages_hold_the_links_of_their_dom() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let archive = match env::var_os("REHREF_PAGES") {
        Some(folder) => PathBuf::from(folder),
        None => manifest.join("../shared/corpora/sites/mhonarc"),
    };
    if !archive.is_dir() {
        println!("skipped: no {}", archive.display());
        return;
    }
    let (mut pages, mut links) = (0, 0);
    let mut failures = Vec::new();
    let mut folders = vec![archive];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry of the archive").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "html") {
                let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                let page = Document::new(&path, bytes);
                let found = links_found(&page);
                (pages, links) = (pages + 1, links + found.len());
                if let Some(difference) = difference(&found, &links_of_dom(&page.text().text)) {
                    failures.push(format!("{}: {difference}", path.display()));
                }
            }
        }
    }
    println!("{pages} pages, {links} links");
    assert!(pages > 0, "the archive has no page");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tag_soup_holds_the_links_of_its_dom(html in soup()) {
        let mut page = Document::new("soup.html", html.clone().into_bytes());
        page.charset = Charset::named("utf-8", &page.bytes).expect("a charset");
        let difference = difference(&links_found(&page), &links_of_dom(&html));
        prop_assert!(difference.is_none(), "{}\nin {:?}", difference.unwrap_or_default(), html);
    }
}
