//! The `integrity` attribute of a tag.

use super::names;
use super::token::{Attribute, Tag};
use crate::link::{LinkData, Removable, removal_of};

/// The `integrity` attribute for the link of a tag. The links of the tag begin at number `before`.
pub(super) fn of_tag(
    bytes: &[u8],
    tag: Tag,
    attributes: &[Attribute],
    links: &[LinkData<'_>],
    before: usize,
) -> Option<Removable> {
    let attributes = attributes.iter();
    let mut given =
        attributes.filter(|it| bytes[it.name.range()].eq_ignore_ascii_case(b"integrity"));
    let attribute = given.next()?;
    let name = if tag.key == names::LINK {
        "href"
    } else {
        "src"
    };
    let is_about = |link: &LinkData<'_>| {
        let markup = link.place.markup();
        markup.is_some_and(|it| it.attribute == name)
    };
    let link = links[before..].iter().find(|link| is_about(link))?;
    let removal = match given.next() {
        Some(_) => None,
        None => {
            let written = (attribute.name, attribute.value, attribute.quoting);
            Some(removal_of(bytes, written))
        }
    };
    Some(Removable::new(*link.spans.first()?, removal))
}
