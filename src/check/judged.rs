//! Which references are to files, and what may be known of them without looking.

use crate::document::Document;
use crate::find::{Language, Link, Markup, Place, Role, Target, names_entity};
use crate::uri::Parts;

/// Whether a link is to something that should be there: who follows it gets a file.
///
/// A base is a part of other references, and a ping is sent to a program. Names of classes and of vocabularies are
/// no files, and an image map is an element with a name of its own kind.
pub(super) fn is_file_reference(link: &Link<'_>) -> bool {
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
pub(super) fn is_unknown(document: &Document, link: &Link<'_>) -> bool {
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
/// 16.3.2), a behaviour that a browser brings along, a part of an image or film (Media Fragments URI).
pub(super) fn names_no_anchor(link: &Link<'_>, fragment: &str) -> bool {
    let is_function = fragment.ends_with(')') && fragment.contains('(');
    let is_part = ["t=", "xywh=", "track="]
        .iter()
        .any(|it| fragment.starts_with(it));
    is_function
        || is_part && link.role == Role::Embed
        || matches!(link.place, Place::Css(_)) && fragment.starts_with("default#")
}

/// Whether a relative reference leads above the folder that has the URL `root`.
pub(super) fn climbs(reference: &str, target: &Target<'_>, root: &str) -> bool {
    if !reference.contains("..") {
        return false;
    }
    let parts = Parts::split(reference);
    if parts.scheme.is_some() || parts.authority.is_some() {
        return false;
    }
    // How deep below the root the folder lies that the path begins in.
    let (path, mut depth) = match parts.path.strip_prefix('/') {
        Some(path) => (path, 0),
        None => {
            let base = target.base.map_or(root, |(base, _)| base.as_str());
            let levels = |uri| Parts::split(uri).path.matches('/').count();
            (parts.path, levels(base).saturating_sub(levels(root)))
        }
    };
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::Notes;
    use crate::uri::Resolver;

    #[test]
    fn references_that_lead_above_the_root() {
        let base = Resolver::default().base("http://h/a/b/c.html?x/y").unwrap();
        let target = Target {
            uri: None,
            base: Some((&base, crate::document::BaseFrom::Option)),
            same_document: false,
            notes: Notes::NONE,
        };
        let climbs = |reference| climbs(reference, &target, "http://h/");
        for within in [
            "x",
            "../../x",
            "../..",
            "../x/../../y",
            "/x/..",
            "a..b/../x",
            "//h/../x",
        ] {
            assert!(!climbs(within), "{within}");
        }
        for above in [
            "../../../x",
            "../../..",
            "/..",
            "/x/../../y",
            "../x/../../../y?z",
        ] {
            assert!(climbs(above), "{above}");
        }
    }
}
