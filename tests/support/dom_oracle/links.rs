//! The links in the attributes of an element, by separate tables and parsers.

use html5ever::{Attribute, QualName, ns};

use super::ParsedLink;
use crate::support::links::stripped;

/// Names and values. Names are in lower case, with the prefix `xlink:` for its namespace.
pub(super) fn attributes_of(attributes: &[Attribute]) -> Vec<(String, String)> {
    let name = |name: &QualName| {
        let prefix = if name.ns == ns!(xlink) { "xlink:" } else { "" };
        format!("{prefix}{}", name.local.to_ascii_lowercase())
    };
    attributes
        .iter()
        .map(|attribute| (name(&attribute.name), attribute.value.to_string()))
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Namespace {
    Html,
    Svg,
    MathMl,
}

impl Namespace {
    pub(super) fn of(name: &QualName) -> Self {
        if name.ns == ns!(html) {
            Self::Html
        } else if name.ns == ns!(svg) {
            Self::Svg
        } else {
            Self::MathMl
        }
    }
}

pub(super) fn links_of_element(
    namespace: Namespace,
    element: &str,
    attributes: &[(String, String)],
) -> Vec<ParsedLink> {
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
    "animate", "animatemotion", "animatetransform", "cursor", "feimage", "filter", "image",
    "lineargradient", "mpath", "pattern", "radialgradient", "script", "set", "textpath", "use",
];

/// Returns true if the value of this attribute of an HTML element is one URL.
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
    while input.next_if(|it| it.is_ascii_digit() || *it == '.').is_some() {}
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
            if input.next_if(|it| it.eq_ignore_ascii_case(&letter)).is_none() {
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
