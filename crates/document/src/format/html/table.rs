//! The attributes with URLs, and their elements.

use std::borrow::Cow;

use super::key::Key;
use super::namespace::Namespace;
use super::values::Syntax;
use crate::link::{Form, Language, Markup, MarkupPlace, Quoting, Role};

/// An attribute with URLs on some elements.
pub(crate) struct LinkAttribute {
    pub(crate) name: &'static str,
    /// Its number in the table.
    pub(crate) number: u8,
    key: Key,
    rows: &'static [Row],
}

pub(crate) struct Row {
    elements: Elements,
    pub(crate) syntax: Syntax,
    /// `None` for `link`, whose `rel` decides.
    pub(crate) role: Option<Role>,
    pub(crate) base_scope: Rebased,
}

enum Elements {
    /// These in HTML.
    Html(&'static [Element]),
    /// These in SVG.
    Svg(&'static [Element]),
    /// All in HTML.
    AnyHtml,
    /// All in SVG and MathML.
    AnyForeign,
    /// All.
    Any,
}

/// An element on which an attribute is a link.
pub(crate) struct Element {
    pub(crate) name: &'static str,
    key: Key,
    /// The places of links in the attribute, for each quoting of [`QUOTINGS`].
    places: &'static [Markup; QUOTINGS.len()],
}

/// The quotings of attributes.
const QUOTINGS: [Quoting; 4] =
    [Quoting::Double, Quoting::Single, Quoting::Unquoted, Quoting::Absent];

/// The places of links that are the whole value of an attribute, for each quoting.
const fn places(
    element: &'static str,
    attribute: &'static str,
    is_html: bool,
) -> [Markup; QUOTINGS.len()] {
    let element = match element.as_bytes() {
        // The HTML parser turns it into `img`.
        b"image" if is_html => "img",
        _ => element,
    };
    let [a, b, c, d] = QUOTINGS;
    [
        place(element, attribute, a),
        place(element, attribute, b),
        place(element, attribute, c),
        place(element, attribute, d),
    ]
}

const fn place(element: &'static str, attribute: &'static str, quoting: Quoting) -> Markup {
    Markup {
        language: Language::Html,
        element: Cow::Borrowed(element),
        attribute: Cow::Borrowed(attribute),
        quoting,
        form: Form::Whole,
        within: None,
        rel: None,
        fragment: None,
    }
}

impl Element {
    /// The place of a link that is the whole value of the attribute.
    #[inline]
    pub(super) fn place(&self, quoting: Quoting) -> Option<MarkupPlace> {
        let at = match quoting {
            Quoting::Double => 0,
            Quoting::Single => 1,
            Quoting::Unquoted => 2,
            Quoting::Absent => 3,
            _ => return None,
        };
        Some(MarkupPlace::known(&self.places[at]))
    }
}

/// The base of the URLs of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rebased {
    /// The base URL of the document.
    No,
    /// The element's `codebase`, if it has one.
    Codebase,
    /// The URL of the document, regardless of BASE.
    Document,
}

use Elements::{Any, AnyForeign, AnyHtml, Html, Svg};
use Rebased::{Codebase, Document, No};
use Syntax::{CommaList, Css, Page, Refresh, SpaceList, Srcset, Url};

const fn row(elements: Elements, syntax: Syntax, role: Role) -> Row {
    Row { elements, syntax, role: Some(role), base_scope: No }
}

const fn rebased(elements: Elements, syntax: Syntax, role: Role, base_scope: Rebased) -> Row {
    Row { elements, syntax, role: Some(role), base_scope }
}

/// Elements on which an attribute is a link.
macro_rules! elements {
    ($kind:ident, $attribute:literal: $($name:literal),+ $(,)?) => {
        $kind(const { &[$(Element {
            name: $name,
            key: Key::of($name.as_bytes()),
            places: const { &places($name, $attribute, matches!($kind(&[]), Html(_))) },
        }),+] })
    };
}

macro_rules! attributes {
    ($($name:literal: [$($row:expr),+ $(,)?],)+) => {
        /// The names of all of them.
        pub(super) const NAMES: &[&str] = &[$($name),+];

        static ATTRIBUTES: [LinkAttribute; NAMES.len()] = {
            let mut attributes = [$(
                LinkAttribute {
                    name: $name,
                    number: 0,
                    key: Key::of($name.as_bytes()),
                    rows: const { &[$($row),+] },
                }
            ),+];
            let mut number = 0;
            while number < attributes.len() {
                attributes[number].number = number as u8;
                number += 1;
            }
            attributes
        };
    };
}

attributes! {
    "href": [
        row(elements![Html, "href": "a", "area"], Url, Role::Navigate),
        Row { elements: elements![Html, "href": "link"], syntax: Url, role: None, base_scope: No },
        rebased(elements![Html, "href": "base"], Url, Role::Base, Document),
        row(elements![Svg, "href": "a"], Url, Role::Navigate),
        row(elements![Svg, "href":
            "image", "use", "script", "feimage", "pattern", "lineargradient", "radialgradient",
            "mpath", "textpath", "animate", "animatemotion", "animatetransform", "set", "filter",
            "cursor",
        ], Url, Role::Embed),
    ],
    "src": [
        row(elements![Html, "src":
            "img", "image", "iframe", "frame", "embed", "input", "source", "audio", "video",
            "track", "bgsound", "layer", "ilayer",
        ], Url, Role::Embed),
        row(elements![Html, "src": "script"], Url, Role::Script),
    ],
    "action": [row(elements![Html, "action": "form", "isindex"], Url, Role::Submit)],
    "archive": [rebased(elements![Html, "archive": "object", "applet"], CommaList, Role::Embed, Codebase)],
    "background": [row(elements![Html, "background":
        "body", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "layer", "ilayer",
    ], Url, Role::Embed)],
    "cite": [row(elements![Html, "cite": "blockquote", "q", "ins", "del"], Url, Role::Cite)],
    "classid": [rebased(elements![Html, "classid": "object"], Url, Role::Embed, Codebase)],
    "code": [rebased(elements![Html, "code": "applet"], Url, Role::Embed, Codebase)],
    "codebase": [row(elements![Html, "codebase": "object", "applet"], Url, Role::Base)],
    "content": [row(elements![Html, "content": "meta"], Refresh, Role::Navigate)],
    "data": [rebased(elements![Html, "data": "object"], Url, Role::Embed, Codebase)],
    "data-background": [row(AnyHtml, Url, Role::Embed)],
    "data-bg": [row(AnyHtml, Url, Role::Embed)],
    "data-href": [row(AnyHtml, Url, Role::Navigate)],
    "data-lazy-src": [row(AnyHtml, Url, Role::Embed)],
    "data-lazy-srcset": [row(AnyHtml, Srcset, Role::Embed)],
    "data-original": [row(AnyHtml, Url, Role::Embed)],
    "data-src": [row(AnyHtml, Url, Role::Embed)],
    "data-srcset": [row(AnyHtml, Srcset, Role::Embed)],
    "dynsrc": [row(elements![Html, "dynsrc": "img", "image"], Url, Role::Embed)],
    "formaction": [row(elements![Html, "formaction": "input", "button"], Url, Role::Submit)],
    "icon": [row(elements![Html, "icon": "menuitem", "command"], Url, Role::Embed)],
    "imagesrcset": [row(elements![Html, "imagesrcset": "link"], Srcset, Role::Embed)],
    "longdesc": [row(elements![Html, "longdesc": "img", "image", "iframe", "frame"], Url, Role::Metadata)],
    "lowsrc": [row(elements![Html, "lowsrc": "img", "image"], Url, Role::Embed)],
    "manifest": [rebased(elements![Html, "manifest": "html"], Url, Role::Metadata, Document)],
    "object": [rebased(elements![Html, "object": "applet"], Url, Role::Embed, Codebase)],
    "ping": [row(elements![Html, "ping": "a", "area"], SpaceList, Role::Ping)],
    "pluginspage": [row(elements![Html, "pluginspage": "embed"], Url, Role::Other)],
    "poster": [row(elements![Html, "poster": "video"], Url, Role::Embed)],
    "profile": [row(elements![Html, "profile": "head"], SpaceList, Role::Metadata)],
    "srcdoc": [row(elements![Html, "srcdoc": "iframe"], Page, Role::Embed)],
    "srcset": [row(elements![Html, "srcset": "img", "image", "source"], Srcset, Role::Embed)],
    "style": [row(Any, Css, Role::Embed)],
    "usemap": [row(elements![Html, "usemap": "img", "image", "input", "object"], Url, Role::Other)],
    "value": [row(elements![Html, "value": "param"], Url, Role::Embed)],
    "xlink:href": [
        row(elements![Svg, "xlink:href": "a"], Url, Role::Navigate),
        // The next row has them too, but here their places are known.
        row(elements![Svg, "xlink:href": "use", "image", "script"], Url, Role::Embed),
        row(AnyForeign, Url, Role::Embed),
    ],
}

/// The number of places in the table of names, a power of two.
const PLACES: usize = 128;

/// Names of at most eight bytes by the hashes of their keys: the number of the attribute, at the
/// first free place from its hash on.
const BY_KEY: [Option<u8>; PLACES] = {
    let mut places = [None; PLACES];
    let mut number = 0;
    while number < NAMES.len() {
        if NAMES[number].len() <= Key::LONGEST {
            let mut place = Key::of(NAMES[number].as_bytes()).hash(PLACES);
            while places[place].is_some() {
                place = (place + 1) % PLACES;
            }
            places[place] = Some(number as u8);
        }
        number += 1;
    }
    places
};

/// The attribute of this name, in any case.
pub(crate) fn attribute(name: &[u8]) -> Option<&'static LinkAttribute> {
    if name.len() > Key::LONGEST {
        let mut long = ATTRIBUTES.iter().filter(|it| it.key == Key::LONG);
        let is_named = |it: &&LinkAttribute| it.name.as_bytes().eq_ignore_ascii_case(name);
        return long.find(is_named);
    }
    let key = Key::of_short(name);
    let mut place = key.hash(PLACES);
    loop {
        let found = &ATTRIBUTES[usize::from(BY_KEY[place]?)];
        if found.key == key {
            return Some(found);
        }
        place = (place + 1) % PLACES;
    }
}

impl LinkAttribute {
    /// Returns true for an attribute that only scripts use.
    pub(crate) fn is_of_scripts(&self) -> bool {
        self.name.starts_with("data-")
    }

    /// The row for the element of this name in this namespace, and the element if the row names it.
    pub(crate) fn on(
        &'static self,
        element: &[u8],
        namespace: Namespace,
    ) -> Option<(&'static Row, Option<&'static Element>)> {
        self.on_key(Key::of_name(element), element, namespace)
    }

    /// The row for the element with this key and name in this namespace, and the element if the row
    /// names it.
    #[inline]
    pub(super) fn on_key(
        &'static self,
        key: Key,
        element: &[u8],
        namespace: Namespace,
    ) -> Option<(&'static Row, Option<&'static Element>)> {
        let named = |elements: &'static [Element]| {
            let is_same = |it: &&Element| {
                it.key == key
                    && (key != Key::LONG || it.name.as_bytes().eq_ignore_ascii_case(element))
            };
            elements.iter().find(is_same)
        };
        let is_html = namespace == Namespace::Html;
        for row in self.rows {
            let element = match row.elements {
                Html(elements) if is_html => named(elements),
                Svg(elements) if namespace == Namespace::Svg => named(elements),
                AnyHtml if is_html => return Some((row, None)),
                AnyForeign if !is_html => return Some((row, None)),
                Any => return Some((row, None)),
                Html(_) | Svg(_) | AnyHtml | AnyForeign => None,
            };
            if element.is_some() {
                return Some((row, element));
            }
        }
        None
    }
}

/// The role of a `link` element, by its `rel` (HTML standard, section 4.6.6).
pub(crate) fn role_of_rel(rel: &str) -> Role {
    let has = |wanted: &[&str]| {
        rel.split_ascii_whitespace()
            .any(|word| wanted.iter().any(|it| word.eq_ignore_ascii_case(it)))
    };
    if has(&["stylesheet"]) {
        Role::Style
    } else if has(&["modulepreload"]) {
        Role::Script
    } else if has(&["icon", "preload", "prefetch", "apple-touch-icon", "mask-icon", "import"]) {
        Role::Embed
    } else if has(&["preconnect", "dns-prefetch"]) {
        Role::Other
    } else {
        Role::Metadata
    }
}

/// Returns true if the URL of a `link` element is a public address of the page: the canonical one,
/// or that of the page in another language.
pub(crate) fn is_canonical(rel: &str, has_language: bool) -> bool {
    rel.split_ascii_whitespace().any(|word| {
        word.eq_ignore_ascii_case("canonical")
            || has_language && word.eq_ignore_ascii_case("alternate")
    })
}

/// Returns true if a `meta` element of this name has a URL about the page, for previews of links to
/// it.
pub(super) fn is_meta_url(name: &str) -> bool {
    const NAMES: [&str; 23] = [
        "og:url", "og:image", "og:image:url", "og:image:secure_url", "og:audio", "og:audio:url",
        "og:audio:secure_url", "og:video", "og:video:url", "og:video:secure_url", "twitter:image",
        "twitter:image:src", "twitter:player", "twitter:player:stream", "twitter:url",
        "msapplication-tileimage", "msapplication-config", "msapplication-starturl", "url",
        "image", "logo", "contenturl", "thumbnailurl",
    ];
    NAMES.iter().any(|it| name.eq_ignore_ascii_case(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_by_name_in_any_case() {
        assert_eq!(attribute(b"HREF").map(|found| found.name), Some("href"));
        assert_eq!(attribute(b"pluginsPage").map(|found| found.name), Some("pluginspage"));
        for other in [&b"class"[..], b"", b"hre", b"pluginspages", b"hr\xFFf"] {
            assert!(attribute(other).is_none());
        }
    }

    #[test]
    fn an_attribute_is_a_link_only_on_its_elements() {
        let on = |name: &[u8], element: &[u8], namespace| {
            let found = attribute(name).and_then(|found| found.on(element, namespace));
            found.map(|(row, _)| row.syntax)
        };
        assert_eq!(on(b"href", b"A", Namespace::Html), Some(Syntax::Url));
        assert_eq!(on(b"href", b"div", Namespace::Html), None);
        assert_eq!(on(b"href", b"use", Namespace::Html), None);
        assert_eq!(on(b"href", b"use", Namespace::Svg), Some(Syntax::Url));
        assert_eq!(on(b"xlink:href", b"anything", Namespace::MathMl), Some(Syntax::Url));
        assert_eq!(on(b"xlink:href", b"a", Namespace::Html), None);
    }
}
