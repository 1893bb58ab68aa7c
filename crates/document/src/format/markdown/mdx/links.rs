//! The links of tags, expressions and statements.

use std::borrow::Cow;

use super::scan::{Attribute, Found, Tag};
use super::{Fuel, flow, statements};
use crate::bytes::Span;
use crate::format::Options;
use crate::format::html::read_fragment;
use crate::link::{MarkdownForm, MarkdownPlace, Markup, ParsedLink, Place, Role};

/// The attributes of components that are links, and the tag and the attribute of HTML that they are
/// read as.
const OF_COMPONENTS: [(&str, &str, &str); 5] = [
    ("href", "a", "href"),
    ("to", "a", "href"),
    ("src", "img", "src"),
    ("srcSet", "img", "srcset"),
    ("poster", "video", "poster"),
];

/// The links and anchors of a piece of a text.
#[derive(Default)]
pub(in crate::format::markdown) struct Part {
    pub(in crate::format::markdown) links: Vec<ParsedLink<'static>>,
    pub(in crate::format::markdown) anchors: Vec<Cow<'static, str>>,
}

/// Reads a piece of a text: tags and expressions, within this number of quotes, or statements.
/// Spans count the bytes of the text.
pub(in crate::format::markdown) fn read(
    text: &str,
    piece: Span,
    quotes: usize,
    options: &Options,
) -> Part {
    let mut found = Found::default();
    let bytes = &text.as_bytes()[..piece.end];
    let mut fuel = Fuel::of(piece.len());
    match bytes[piece.start] {
        b'<' | b'{' => {
            flow(bytes, piece.start, quotes, &mut fuel, &mut found);
        }
        _ => {
            statements(bytes, piece.start, &mut fuel, &mut found);
        }
    }
    let mut part = Part::default();
    for (span, directive) in found.paths {
        let Some(span) = path_in(text, span) else {
            continue;
        };
        // An escaped punctuation mark is itself in a string.
        let reference = Cow::Owned(text[span.range()].replace('\\', ""));
        let place = MarkdownPlace::new(MarkdownForm::Directive(directive));
        let spans = smallvec::smallvec![span];
        let link = ParsedLink::new(spans, reference, Place::Markdown(place), Role::Embed);
        part.links.push(link);
    }
    // Those of a tag may be around other tags.
    found.attributes.sort_by_key(|it| it.tag);
    for attributes in found.attributes.chunk_by(|a, b| a.tag == b.tag) {
        let tag = found.tags[attributes[0].tag];
        if !tag.span.is_empty() {
            add_tag(&mut part, text, tag, attributes, options);
        }
    }
    part.links.sort_by_key(|link| link.extent().start);
    part
}

/// The path in the string of an import: without the names of loaders before it and the query after
/// it. `None` if it is the name of a package.
fn path_in(text: &str, string: Span) -> Option<Span> {
    let whole = &text[string.range()];
    let start = whole.rfind('!').map_or(0, |at| at + 1);
    let len = whole[start..].find('?').unwrap_or(whole.len() - start);
    let path = &whole[start..start + len];
    let begins = ["./", "../", "@site/"];
    let is_escape = |at: usize| {
        let next = path.as_bytes().get(at + 1);
        next.is_some_and(|it| it.is_ascii_punctuation() && *it != b'\\')
    };
    let is_path = begins.iter().any(|it| path.starts_with(it))
        && !path.contains(['\n', '{'])
        && path.match_indices('\\').all(|(at, _)| is_escape(at));
    is_path.then(|| Span::new(string.start + start, string.start + start + len))
}

/// Adds the links and the anchor of a tag.
fn add_tag(part: &mut Part, text: &str, tag: Tag, attributes: &[Attribute], options: &Options) {
    let name = &text[tag.name.range()];
    let is_component = name.contains('.') || !name.starts_with(|it: char| it.is_ascii_lowercase());
    let attributes = attributes.iter().filter(|it| is_literal(text, it));
    if !is_component {
        let attributes = attributes.map(|it| (&text[it.name.range()], it));
        add_html(part, text, name, attributes, options, |_| {});
        return;
    }
    for attribute in attributes {
        let own = &text[attribute.name.range()];
        let value = attribute.text.map_or("", |it| &text[it.range()]);
        let path = value.split(['#', '?']).next().unwrap_or_default();
        let is_path = value.starts_with(['/', '.', '#', '@'])
            || value.contains(':')
            || own != "to" && [".md", ".mdx"].iter().any(|it| path.ends_with(it));
        let is_known = is_path || name == "Link" || own == "srcSet";
        let known = match own {
            "id" => Some(&("id", "a", "id")),
            // The component may complete the value by other rules.
            _ if !is_known => None,
            own => OF_COMPONENTS.iter().find(|(it, ..)| *it == own),
        };
        let Some((_, element, html)) = known else {
            continue;
        };
        let attribute = std::iter::once((*html, attribute));
        add_html(part, text, element, attribute, options, |markup| {
            markup.element = Cow::Owned(name.to_owned());
            markup.attribute = Cow::Owned(own.to_owned());
        });
    }
}

/// Adds the links and anchors of a tag of HTML with these attributes. `rename` changes the places
/// of the links.
fn add_html<'a>(
    part: &mut Part,
    text: &str,
    name: &str,
    attributes: impl Iterator<Item = (&'a str, &'a Attribute)>,
    options: &Options,
    rename: impl Fn(&mut Markup),
) {
    let mut html = format!("<{name}");
    // The offsets of the values in the tag and in the text.
    let mut values: Vec<(usize, usize)> = Vec::new();
    for (name, attribute) in attributes {
        let Some(value) = attribute.text else {
            continue;
        };
        let quote = match text.as_bytes()[value.start - 1] {
            b'\'' => '\'',
            _ => '"',
        };
        html.push(' ');
        html.push_str(name);
        html.push('=');
        html.push(quote);
        values.push((html.len(), value.start));
        html.push_str(&text[value.range()]);
        html.push(quote);
    }
    html.push('>');
    let mut links = Vec::new();
    let anchors = read_fragment(&html, options, &mut |found| links.append(found)).into_iter();
    part.anchors.extend(anchors.map(|it| Cow::Owned(it.into_owned())));
    for link in links {
        let mut link = link.into_owned();
        for span in &mut link.spans {
            let after = values.partition_point(|(at, _)| *at <= span.start);
            let (at, start) = values[..after].last().copied().unwrap_or_default();
            *span = Span::new(span.start - at + start, span.end - at + start);
        }
        if let Some(markup) = link.place.markup() {
            let mut markup = markup.clone();
            rename(&mut markup);
            link.place.set_markup(markup);
        }
        part.links.push(link);
    }
}

/// Returns true if a value is read as written: strings in expressions have other escapes than HTML.
fn is_literal(text: &str, attribute: &Attribute) -> bool {
    attribute.text.is_some_and(|value| {
        let text = &text[value.range()];
        !attribute.is_expression || !text.contains(['\\', '&', '$', '"', '\n', '\r'])
    })
}
