//! The start tags of the links in a page, with their attributes.

use super::context::contexts_of;
use super::lexer::Lexer;
use super::page::Page;
use super::reader::read;
use super::token::Token;
use super::tree_places::TreePlaces;
use crate::bytes::Span;
use crate::format::Options;
use crate::format::language::{LinkTag, LinkTags, TagAttribute};
use crate::format::markup::charref::Within;
use crate::link::{Markup, ParsedLink, Quoting};
use crate::source::Source;

/// The most attributes of a tag: programs search them one after another.
const MOST_ATTRIBUTES: usize = 256;

/// Finds the tags `<a href>` of a document: see `language::FindLinkTags`.
///
/// A change of a tag that another parser reads as text or as a part of a tag would change more than
/// this tag. So the tree builder must find it with and without scripting, and no parser may read
/// anything before it in another way: see [`linkable`](super::linkable).
pub(crate) fn link_tags(document: &Source, options: &Options) -> LinkTags {
    if let Some(page) = Page::of_document(document, options) {
        let start = document.charset.bom_len();
        return tags_of_page(&page, |span| span.shifted(start));
    }
    let text = document.text();
    tags_of_page(&Page::of_text(&text.text, options), |span| text.to_source(span))
}

fn tags_of_page(page: &Page<'_, '_>, to_source: impl Fn(Span) -> Span) -> LinkTags {
    let contexts = contexts_of(page);
    let links = read(page).links;
    let links = links.iter().filter(|link| link.place.markup().is_some_and(is_href));
    let mut tags: Vec<LinkTag> =
        links.filter_map(|link| tag_at(page, contexts.tag_of(link)?, link)).collect();
    TreePlaces::retain(page, &[], &mut tags, |tree, tag| tree.has_tag(tag.span));
    for tag in &mut tags {
        tag.span = to_source(tag.span);
        tag.name = to_source(tag.name);
        for attribute in &mut tag.attributes {
            attribute.span = to_source(attribute.span);
        }
    }
    LinkTags { tags, contexts }
}

/// Returns true for the `href` of an `a` element, not in HTML within the page.
fn is_href(markup: &Markup) -> bool {
    markup.element == "a" && markup.attribute == "href" && markup.within.is_none()
}

/// Reads the tag of a link, by its number in the contexts and its start.
fn tag_at(
    page: &Page<'_, '_>,
    (number, start): (usize, usize),
    link: &ParsedLink<'_>,
) -> Option<LinkTag> {
    let mut lexer = Lexer::starting_at(page.bytes, start);
    if lexer.next() != Some(Token::Start) || lexer.attributes.len() > MOST_ATTRIBUTES {
        return None;
    }
    let mut href = None;
    let mut attributes = Vec::with_capacity(lexer.attributes.len());
    for (number, attribute) in lexer.attributes.iter().enumerate() {
        let name = page.decode_plain(attribute.name).text.into_owned();
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
        let span = Span::new(attribute.name.start, end);
        let is_open = attribute.quoting == Quoting::Unquoted && attribute.value.is_empty();
        attributes.push(TagAttribute { name, value, span, is_open });
    }
    Some(LinkTag {
        number,
        span: Span::new(start, lexer.at()),
        name: lexer.tag.name,
        reference: link.reference.clone().into_owned(),
        href: href?,
        attributes,
    })
}
