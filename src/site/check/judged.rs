//! Which references are to files, and what may be known of them without looking.

use crate::document::Document;
use crate::format::xml::names_entity;
use crate::link::{Language, LinkData, Markup, Place, Role};

/// Whether a link is to something that should be there: who follows it gets a file.
///
/// A base is a part of other references, and a ping is sent to a program. Names of classes and of vocabularies are
/// no files, and an image map is an element with a name of its own kind.
pub(super) fn is_file_reference(link: &LinkData<'_>) -> bool {
    const NAMES: [&str; 5] = ["profile", "classid", "code", "usemap", "codebase"];
    if matches!(link.role, Role::Base | Role::Ping) {
        return false;
    }
    let Place::Markup(markup) = &link.place else {
        return true;
    };
    let attribute = &*markup.attribute;
    let is_name = NAMES.contains(&attribute)
        || link.role == Role::Metadata && attribute.ends_with(":resource");
    !is_name
}

/// Whether a link of XML names an entity that only the document type knows, which is not read: then nobody knows what
/// it says.
pub(super) fn is_unknown(document: &Document, link: &LinkData<'_>) -> bool {
    let is_xml = |markup: &Markup| markup.language == Language::Xml;
    // What is decoded keeps the `&` of what is not known.
    link.reference.contains('&')
        && link.place.markup().is_some_and(is_xml)
        && link
            .spans
            .iter()
            .any(|&span| names_entity(&document.decode(span)))
}

/// Whether a fragment is of a kind that does not name an element by its `id`: an XPointer or a view (SVG 2, section
/// 16.3.2), a behaviour that a browser brings along, a part of an image or film (Format Fragments URI).
pub(super) fn names_no_anchor(link: &LinkData<'_>, fragment: &str) -> bool {
    let is_function = fragment.ends_with(')') && fragment.contains('(');
    let is_part = ["t=", "xywh=", "track="]
        .iter()
        .any(|it| fragment.starts_with(it));
    is_function
        || is_part && link.role == Role::Embed
        || matches!(link.place, Place::Css(_)) && fragment.starts_with("default#")
}
