//! Which attributes of which elements hold URLs.

use super::values::Syntax;
use crate::find::Role;

/// An attribute that holds URLs on some elements.
pub(in crate::find) struct LinkAttribute {
    pub(in crate::find) name: &'static str,
    rows: &'static [Row],
}

pub(in crate::find) struct Row {
    elements: Elements,
    pub(in crate::find) syntax: Syntax,
    /// `None` for `link`, whose `rel` says it.
    pub(in crate::find) role: Option<Role>,
    pub(in crate::find) against: Rebased,
}

enum Elements {
    /// These, whatever their namespace.
    Named(&'static [&'static str]),
    /// These, in SVG.
    Foreign(&'static [&'static str]),
    /// All, in SVG and MathML.
    AnyForeign,
}

/// What the URLs of an attribute are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::find) enum Rebased {
    /// The document's base.
    No,
    /// The element's `codebase`, if it has one.
    Codebase,
    /// The document's own URL, whatever BASE says.
    Document,
}

use Elements::{AnyForeign, Foreign, Named};
use Rebased::{Codebase, Document, No};
use Syntax::{CommaList, Refresh, SpaceList, Srcset, Url};

const fn row(elements: Elements, syntax: Syntax, role: Role) -> Row {
    Row {
        elements,
        syntax,
        role: Some(role),
        against: No,
    }
}

const fn rebased(elements: Elements, syntax: Syntax, role: Role, against: Rebased) -> Row {
    Row {
        elements,
        syntax,
        role: Some(role),
        against,
    }
}

macro_rules! attributes {
    ($($name:literal: [$($row:expr),+ $(,)?],)+) => {
        /// The attribute of that name, which is in lower case. A `match` sorts out the many that
        /// hold no URL by their length before it compares a byte.
        fn by_name(name: &str) -> Option<&'static LinkAttribute> {
            match name {
                $($name => {
                    static FOUND: LinkAttribute =
                        LinkAttribute { name: $name, rows: &[$($row),+] };
                    Some(&FOUND)
                })+
                _ => None,
            }
        }
    };
}

attributes! {
    "href": [
        row(Named(&["a", "area"]), Url, Role::Navigate),
        Row { elements: Named(&["link"]), syntax: Url, role: None, against: No },
        rebased(Named(&["base"]), Url, Role::Base, Document),
        row(Foreign(&[
            "image", "use", "script", "feimage", "pattern", "lineargradient", "radialgradient",
            "mpath", "textpath", "animate", "animatemotion", "animatetransform", "set", "filter",
            "cursor",
        ]), Url, Role::Embed),
    ],
    "src": [
        row(Named(&[
            "img", "image", "iframe", "frame", "embed", "input", "source", "audio", "video",
            "track", "bgsound", "layer", "ilayer",
        ]), Url, Role::Embed),
        row(Named(&["script"]), Url, Role::Script),
    ],
    "action": [row(Named(&["form", "isindex"]), Url, Role::Submit)],
    "archive": [rebased(Named(&["object", "applet"]), CommaList, Role::Embed, Codebase)],
    "background": [row(Named(&[
        "body", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "layer", "ilayer",
    ]), Url, Role::Embed)],
    "cite": [row(Named(&["blockquote", "q", "ins", "del"]), Url, Role::Cite)],
    "classid": [rebased(Named(&["object"]), Url, Role::Embed, Codebase)],
    "code": [rebased(Named(&["applet"]), Url, Role::Embed, Codebase)],
    "codebase": [row(Named(&["object", "applet"]), Url, Role::Base)],
    "content": [row(Named(&["meta"]), Refresh, Role::Navigate)],
    "data": [rebased(Named(&["object"]), Url, Role::Embed, Codebase)],
    "dynsrc": [row(Named(&["img", "image"]), Url, Role::Embed)],
    "formaction": [row(Named(&["input", "button"]), Url, Role::Submit)],
    "icon": [row(Named(&["menuitem", "command"]), Url, Role::Embed)],
    "imagesrcset": [row(Named(&["link"]), Srcset, Role::Embed)],
    "longdesc": [row(Named(&["img", "image", "iframe", "frame"]), Url, Role::Metadata)],
    "lowsrc": [row(Named(&["img", "image"]), Url, Role::Embed)],
    "manifest": [rebased(Named(&["html"]), Url, Role::Metadata, Document)],
    "object": [rebased(Named(&["applet"]), Url, Role::Embed, Codebase)],
    "ping": [row(Named(&["a", "area"]), SpaceList, Role::Ping)],
    "pluginspage": [row(Named(&["embed"]), Url, Role::Other)],
    "poster": [row(Named(&["video"]), Url, Role::Embed)],
    "profile": [row(Named(&["head"]), SpaceList, Role::Metadata)],
    "srcset": [row(Named(&["img", "image", "source"]), Srcset, Role::Embed)],
    "usemap": [row(Named(&["img", "image", "input", "object"]), Url, Role::Other)],
    "value": [row(Named(&["param"]), Url, Role::Embed)],
    "xlink:href": [
        row(Foreign(&["a"]), Url, Role::Navigate),
        row(AnyForeign, Url, Role::Embed),
    ],
}

/// The attribute of that name, in any case.
pub(in crate::find) fn attribute(name: &[u8]) -> Option<&'static LinkAttribute> {
    let mut lower = [0; "pluginspage".len()];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    by_name(std::str::from_utf8(lower).ok()?)
}

impl LinkAttribute {
    /// The row for the element of that name, and the name in lower case where it is one of the
    /// table's.
    pub(in crate::find) fn on(
        &'static self,
        element: &[u8],
        in_foreign: bool,
    ) -> Option<(&'static Row, Option<&'static str>)> {
        let named = |names: &'static [&'static str]| {
            names
                .iter()
                .copied()
                .find(|name| name.as_bytes().eq_ignore_ascii_case(element))
        };
        self.rows.iter().find_map(|row| match row.elements {
            Named(names) => named(names).map(|name| (row, Some(name))),
            Foreign(names) if in_foreign => named(names).map(|name| (row, Some(name))),
            AnyForeign if in_foreign => Some((row, None)),
            Foreign(_) | AnyForeign => None,
        })
    }
}

/// What a `link` element is for, by its `rel` (HTML standard, section 4.6.6).
pub(in crate::find) fn role_of_rel(rel: &str) -> Role {
    let has = |wanted: &[&str]| {
        rel.split_ascii_whitespace()
            .any(|word| wanted.iter().any(|it| word.eq_ignore_ascii_case(it)))
    };
    if has(&["stylesheet"]) {
        Role::Style
    } else if has(&["modulepreload"]) {
        Role::Script
    } else if has(&[
        "icon",
        "preload",
        "prefetch",
        "apple-touch-icon",
        "mask-icon",
        "import",
    ]) {
        Role::Embed
    } else {
        Role::Metadata
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_by_name_in_any_case() {
        assert_eq!(attribute(b"HREF").map(|found| found.name), Some("href"));
        assert_eq!(
            attribute(b"pluginsPage").map(|found| found.name),
            Some("pluginspage")
        );
        for other in [&b"class"[..], b"", b"hre", b"pluginspages", b"hr\xFFf"] {
            assert!(attribute(other).is_none());
        }
    }

    #[test]
    fn an_attribute_is_a_link_only_on_its_elements() {
        let on = |name: &[u8], element: &[u8], foreign| {
            let found = attribute(name).and_then(|found| found.on(element, foreign));
            found.map(|(row, _)| row.syntax)
        };
        assert_eq!(on(b"href", b"A", false), Some(Syntax::Url));
        assert_eq!(on(b"href", b"div", false), None);
        assert_eq!(on(b"href", b"use", false), None);
        assert_eq!(on(b"href", b"use", true), Some(Syntax::Url));
        assert_eq!(on(b"xlink:href", b"anything", true), Some(Syntax::Url));
        assert_eq!(on(b"xlink:href", b"a", false), None);
    }
}
