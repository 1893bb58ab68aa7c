//! The reasons for skipping a link, whatever the rules are.

use crate::document::Document;
use crate::link::{
    BaseScope, Form, Language, Markup, Note, ParsedLink, Place, Role, Target, WindowsPath,
};
use crate::rewrite::skip_reason::SkipReason;
use crate::source::{BaseFrom, PackagePart};
use crate::uri::Profile;

/// The reason for skipping a link without a target.
pub fn untargeted(target: &Target<'_>) -> SkipReason {
    if target.same_document && target.base.is_some() {
        SkipReason::SameDocument
    } else if target.notes.contains(Note::Unresolvable) {
        SkipReason::Unresolvable
    } else {
        SkipReason::NoBase
    }
}

/// Returns true if only rules that map URLs to URLs may change a link: it is in text, or its
/// language allows no others.
pub fn only_maps_change(document: &Document, link: &ParsedLink<'_>) -> bool {
    let is_in_text = link.place.delimiter().is_some()
        || link.place.markup().is_some_and(|it| it.form == Form::Text);
    is_in_text || document.format().is_rewritten_by_maps_only()
}

/// The reason for skipping a link under every rule, if any.
pub fn untouchable(
    document: &Document,
    link: &ParsedLink<'_>,
    profile: Profile,
) -> Option<SkipReason> {
    if !document.format().is_rewritable() {
        return Some(SkipReason::NotRewritten);
    }
    if link.notes.contains(Note::Defanged) {
        return Some(SkipReason::Unresolvable);
    }
    if matches!(link.place, Place::Text(_)) {
        return None;
    }
    let attribute = link.place.markup().map_or("", |it| &it.attribute);
    if link.role == Role::Base {
        Some(SkipReason::Base)
    } else if link.reference.is_empty() {
        Some(SkipReason::Empty)
    } else if matches!(attribute, "usemap" | "code" | "object") || link.place.path_form().is_some()
    {
        Some(SkipReason::Name)
    } else if is_name_in_document(link) {
        Some(SkipReason::SameDocument)
    } else if profile != Profile::Whatwg
        && WindowsPath::of(&link.reference).is_none()
        && let [b'\\', ..] | [b'/', b'\\', ..] = link.reference.as_bytes()
    {
        Some(SkipReason::Backslash)
    } else {
        None
    }
}

/// Returns true if the link refers to a part of the document that contains it, such as a symbol to
/// draw. With a path before the `#` it would be fetched.
fn is_name_in_document(link: &ParsedLink<'_>) -> bool {
    link.reference.starts_with('#') && !link.role.follows_fragment()
}

/// Returns true for a fragment alone that refers to the document that contains it, wherever that is
/// published: a map of its URL leaves it. Under a BASE, it refers to another document.
pub(super) fn is_in_own_document(link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
    let is_own = target.base.is_none_or(|(_, from)| from != BaseFrom::Element);
    link.reference.starts_with('#') && link.base_scope == BaseScope::Base && is_own
}

/// Returns true for a relative reference to another part of the package that contains the document:
/// it moves with the package.
pub fn is_in_own_package(document: &Document, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
    let place = document.package_part().zip(document.base());
    let is_within = |part: &PackagePart| !part.is_left_by(&link.reference);
    target.base.is_some()
        && document.package_part().is_some_and(is_within)
        && place.zip(target.uri).is_some_and(|((part, base), uri)| part.is_sibling(&base.uri, uri))
}

/// Returns true for a fragment in HTML that is escaped in a feed, such as that of a footnote. Feed
/// readers show the HTML in a separate page, in which the fragment refers to an element. An
/// absolute URL would refer to the feed instead.
pub fn is_fragment_in_feed(link: &ParsedLink<'_>) -> bool {
    let is_escaped =
        |markup: &Markup| markup.language == Language::Html && markup.outermost().language.is_xml();
    link.reference.starts_with('#')
        && link.base_scope == BaseScope::Base
        && link.place.markup().is_some_and(is_escaped)
}
