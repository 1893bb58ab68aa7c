//! The start tags of the links in a page, with their attributes.

use super::context::contexts_of;
use super::lexer::Lexer;
use super::page::Page;
use super::reader::read;
use super::token::Token;
use crate::bytes::Span;
use crate::format::Options;
use crate::format::language::{LinkTag, TagAttribute};
use crate::format::markup::charref::Within;
use crate::link::{Markup, ParsedLink, Quoting};
use crate::source::Source;

/// The most attributes of a tag: programs search them one after another.
const MOST_ATTRIBUTES: usize = 256;

/// Finds the tags `<a href>` of a document: see `language::LinkTags`.
pub(crate) fn link_tags(document: &Source, options: &Options) -> Vec<LinkTag> {
    if let Some(page) = Page::of_document(document, options) {
        let start = document.charset.bom_len();
        return tags_of_page(&page, |span| span.shifted(start));
    }
    let text = document.text();
    tags_of_page(&Page::of_text(&text.text, options), |span| text.to_source(span))
}

fn tags_of_page(page: &Page<'_, '_>, to_source: impl Fn(Span) -> Span) -> Vec<LinkTag> {
    let contexts = contexts_of(page);
    let links = read(page).links;
    let links = links.iter().filter(|link| link.place.markup().is_some_and(is_href));
    let tag = |link| {
        let start = contexts.tag_start(link)?;
        let text = contexts.of_link(link).and_then(|context| context.text);
        let tag = tag_at(page, start, link, &to_source)?;
        Some(LinkTag { text: text.unwrap_or_default().to_owned(), ..tag })
    };
    links.filter_map(tag).collect()
}

/// Returns true for the `href` of an `a` element, not in HTML within the page.
fn is_href(markup: &Markup) -> bool {
    markup.element == "a" && markup.attribute == "href" && markup.within.is_none()
}

/// Reads the tag of a link.
fn tag_at(
    page: &Page<'_, '_>,
    start: usize,
    link: &ParsedLink<'_>,
    to_source: &impl Fn(Span) -> Span,
) -> Option<LinkTag> {
    let mut lexer = Lexer::starting_at(page.bytes, start);
    if lexer.next() != Some(Token::Start) || lexer.attributes.len() > MOST_ATTRIBUTES {
        return None;
    }
    let tag = Span::new(start, lexer.at());
    // With scripting, the tag may be text in `noscript` that this ends.
    if memchr::memmem::find(&page.bytes[tag.range()], b"</").is_some() {
        return None;
    }
    let mut href = None;
    let mut attributes = Vec::with_capacity(lexer.attributes.len());
    for (number, attribute) in lexer.attributes.iter().enumerate() {
        let name = page.decode_plain(attribute.name).text.into_owned();
        // Another value before it would make it a part of that.
        if name.starts_with('=') {
            return None;
        }
        let value = page.decode(attribute.value, Within::Attribute).text.into_owned();
        let end = match attribute.quoting {
            Quoting::Double | Quoting::Single => attribute.value.end + 1,
            _ => attribute.value.end.max(attribute.name.end),
        };
        if name.eq_ignore_ascii_case("href") && href.is_none() {
            let extent = link.extent();
            let is_link = attribute.value.start <= extent.start && extent.end <= end;
            href = Some(number).filter(|_| is_link);
            href?;
        }
        let span = to_source(Span::new(attribute.name.start, end));
        let is_open = attribute.quoting == Quoting::Unquoted && attribute.value.is_empty();
        attributes.push(TagAttribute { name, value, span, is_open });
    }
    Some(LinkTag {
        span: to_source(tag),
        name_end: to_source(Span::new(start, lexer.tag.name.end)).end,
        reference: link.reference.clone().into_owned(),
        href: href?,
        attributes,
        text: String::new(),
    })
}
