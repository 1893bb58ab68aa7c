//! Compares the links of a page with those of the DOM that html5ever builds.
//!
//! [`dom`] reads a page with html5ever and lists the start tags that are in its DOM. Each counts
//! once, in source order, even if the tree builder moved or copied its element. [`links`] has the
//! links of an element, from independent tables and parsers. Of the library's links, those in
//! attributes of these tables are compared: not those in style sheets, in the HTML of `srcdoc`, or
//! in the text of an element.

mod dom;
pub(crate) mod links;

use std::collections::BTreeSet;

use rehref::document::Document;
use rehref::format::{Options, ParsedLinks};
use rehref::link::{Markup, Place};
use rehref::source::BaseFrom;

pub(crate) use self::dom::Dom;
use super::charsets::{self, in_charset};
use super::links::stripped;

/// Element, attribute and reference.
pub(crate) type ParsedLink = (String, String, String);

/// Scripting off and on: pages are read both ways.
pub(crate) const SCRIPTING: &[bool] = &[false, true];

/// The options for reading with scripting on or off.
fn options(scripting: bool) -> Options {
    Options { scripting, ..Options::default() }
}

/// The links in attributes.
fn links_found(found: ParsedLinks<'_>) -> Vec<ParsedLink> {
    let links = found.links.into_iter().filter_map(|link| match link.place {
        Place::Markup(place) if place.within.is_none() && place.attribute != Markup::CONTENT => {
            Some((
                place.element.to_string(),
                place.attribute.to_string(),
                link.reference.into_owned(),
            ))
        }
        _ => None,
    });
    links.collect()
}

/// The base URL in the page.
fn base_found(found: &ParsedLinks<'_>) -> Option<String> {
    let base = found.base.as_ref()?;
    (base.from == BaseFrom::Element).then(|| base.uri.clone())
}

/// The base URL of a page that has only this base element. The tree builder neither resolves nor
/// validates it.
fn base_alone(page: &Document, href: &str) -> Option<String> {
    let href = stripped(href).replace('&', "&amp;").replace('"', "&quot;");
    let alone = page.with_bytes(format!("<base href=\"{href}\">").into_bytes());
    let alone = in_charset(alone, "utf-8");
    base_found(&alone.found(&Options::default()))
}

/// The first difference between the links of the page and those of its DOM, with scripting on or
/// off.
pub(crate) fn difference(page: &Document, scripting: bool) -> Option<String> {
    let dom = Dom::read(&page.text().text, scripting);
    let found = page.found(&options(scripting));
    let expected = dom.base.as_ref().and_then(|href| base_alone(page, href));
    let base = base_found(&found);
    if base != expected {
        return Some(format!("base: found {base:?}, the DOM has {expected:?}"));
    }
    if let Some(difference) = difference_in_anchors(page, &dom, &found, scripting) {
        return Some(difference);
    }
    let (found, dom) = (links_found(found), dom.links());
    let at = (0..found.len().max(dom.len())).find(|&at| found.get(at) != dom.get(at))?;
    Some(format!(
        "link {} of {}, scripting {scripting}: found {:?}, the DOM has {:?}",
        at + 1,
        dom.len(),
        found.get(at),
        dom.get(at)
    ))
}

/// The difference between the anchors of the page and those of its DOM. Reading anchors must not
/// change the links.
fn difference_in_anchors(
    page: &Document,
    dom: &Dom,
    found: &ParsedLinks<'_>,
    scripting: bool,
) -> Option<String> {
    let options = Options { anchors: true, ..options(scripting) };
    let with_anchors = page.found(&options);
    if with_anchors.links != found.links || with_anchors.base != found.base {
        return Some("other links with anchors than without".to_owned());
    }
    let anchors = with_anchors.anchors.iter();
    let anchors: BTreeSet<String> = anchors.map(|it| it.clone().into_owned()).collect();
    let is_same = dom.anchors_of_tags.is_subset(&anchors) && anchors.is_subset(&dom.anchors);
    (!is_same).then(|| {
        format!("anchors, scripting {scripting}: found {anchors:?}, the DOM has {:?}", dom.anchors)
    })
}

/// The first difference, with scripting off or on.
pub(crate) fn differences(page: &Document) -> Option<String> {
    SCRIPTING.iter().find_map(|&scripting| difference(page, scripting))
}

/// A page in UTF-8 with a URL, so that each of its base elements has an effect.
pub(crate) fn page_of(html: &str) -> Document {
    charsets::page_of(html.into(), "utf-8")
}
