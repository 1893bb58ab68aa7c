//! The attributes of a tag that make a browser refuse the target of a link: `integrity` and
//! `crossorigin`.

use super::found::Found;
use super::names;
use super::page::Page;
use super::token::{Attribute, Tag};
use crate::bytes::Span;
use crate::link::{AttributeSpan, ParsedLink, removal_of};

/// Finds these attributes of a tag with links, which begin at number `before`.
pub(super) fn find(
    page: &Page<'_, '_>,
    tag: Tag,
    attributes: &[Attribute],
    before: usize,
    found: &mut Found<'_>,
) {
    if matches!(tag.key, names::LINK | names::SCRIPT) {
        let integrity = of_tag(page.bytes, tag, attributes, &found.links, before);
        found.integrity.extend(integrity);
    }
    if page.options.cors {
        let cors = cors_of_tag(page.bytes, attributes, &found.links, before);
        found.cors.extend(cors);
    }
}

/// The `integrity` attribute for the link of a tag.
fn of_tag(
    bytes: &[u8],
    tag: Tag,
    attributes: &[Attribute],
    links: &[ParsedLink<'_>],
    before: usize,
) -> Option<AttributeSpan> {
    let removal = removal_of_only(bytes, attributes, b"integrity")?;
    let name = if tag.key == names::LINK { "href" } else { "src" };
    let is_about = |link: &ParsedLink<'_>| {
        let markup = link.place.markup();
        markup.is_some_and(|it| it.attribute == name)
    };
    let link = links[before..].iter().find(|link| is_about(link))?;
    Some(AttributeSpan::new(*link.spans.first()?, removal))
}

/// The `crossorigin` attribute of a tag, for its first link.
fn cors_of_tag(
    bytes: &[u8],
    attributes: &[Attribute],
    links: &[ParsedLink<'_>],
    before: usize,
) -> Option<AttributeSpan> {
    let removal = removal_of_only(bytes, attributes, b"crossorigin")?;
    Some(AttributeSpan::new(*links.get(before)?.spans.first()?, removal))
}

/// The bytes to delete to remove the attribute with this name. `None` if no attribute has it,
/// and `Some(None)` if a second one has it, which would take effect instead.
fn removal_of_only(bytes: &[u8], attributes: &[Attribute], name: &[u8]) -> Option<Option<Span>> {
    let attributes = attributes.iter();
    let mut given = attributes.filter(|it| bytes[it.name.range()].eq_ignore_ascii_case(name));
    let attribute = given.next()?;
    Some(match given.next() {
        Some(_) => None,
        None => {
            let written = (attribute.name, attribute.value, attribute.quoting);
            Some(removal_of(bytes, written))
        }
    })
}
