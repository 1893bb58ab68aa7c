//! The attributes and elements with URLs in each vocabulary. XHTML uses the table of HTML.

use super::namespace::Namespace;
use crate::link::{Markup, Role};

/// An attribute, or the content, of some elements.
pub(super) struct Row {
    /// Their local names; empty for all elements of the vocabulary.
    elements: &'static [&'static str],
    /// The attribute, or [`Markup::CONTENT`].
    pub(super) attribute: &'static str,
    pub(super) purpose: Purpose,
}

/// The way to find the role of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// By the element and the attribute.
    Is(Role),
    /// By the `rel` of Atom's `link`.
    Rel,
    /// By the type of a relationship, if its target is outside of the package.
    Relationship,
    /// For navigation, in a list of copies of links.
    Copy,
    /// For navigation, if it is a URL: a `guid` is one if it is absolute and `isPermaLink` is not
    /// false.
    PermaLink,
}

const fn attribute(elements: &'static [&'static str], attribute: &'static str, role: Role) -> Row {
    Row { elements, attribute, purpose: Purpose::Is(role) }
}

const fn content(elements: &'static [&'static str], role: Role) -> Row {
    attribute(elements, Markup::CONTENT, role)
}

const ANY: &[&str] = &[];

static APP: [Row; 3] = [
    attribute(&["collection", "categories"], "href", Role::Metadata),
    attribute(&["in-reply-to"], "href", Role::Navigate),
    attribute(&["in-reply-to"], "source", Role::Metadata),
];

static ATOM: [Row; 7] = [
    Row { elements: &["link"], attribute: "href", purpose: Purpose::Rel },
    attribute(&["content"], "src", Role::Embed),
    attribute(&["generator"], "uri", Role::Metadata),
    // Atom 0.3
    attribute(&["generator"], "url", Role::Metadata),
    content(&["icon", "logo"], Role::Embed),
    content(&["uri"], Role::Navigate),
    // Atom 0.3
    content(&["url"], Role::Navigate),
];

static RSS: [Row; 7] = [
    content(&["link", "comments"], Role::Navigate),
    Row { elements: &["guid"], attribute: Markup::CONTENT, purpose: Purpose::PermaLink },
    content(&["url"], Role::Embed),
    content(&["docs"], Role::Metadata),
    attribute(&["enclosure"], "url", Role::Embed),
    attribute(&["source"], "url", Role::Navigate),
    // Meant to be Atom's `link`, but without the prefix.
    attribute(&["link"], "href", Role::Navigate),
];

static FEED_MODULE: [Row; 15] = [
    // Podcasts (podcastindex.org, Google, Podlove).
    attribute(&["chapters", "image", "transcript", "trailer"], "url", Role::Embed),
    attribute(&["funding", "license"], "url", Role::Navigate),
    attribute(&["image"], "href", Role::Embed),
    attribute(&["chapter", "contentLink", "person"], "href", Role::Navigate),
    attribute(&["person"], "img", Role::Embed),
    attribute(&["chapter", "cover"], "image", Role::Embed),
    attribute(&["source"], "uri", Role::Embed),
    attribute(&["socialInteract"], "uri", Role::Navigate),
    attribute(&["remoteItem"], "feedUrl", Role::Navigate),
    // TrackBack, Pingback, Blog Channel, FeedBurner.
    content(&["ping", "server"], Role::Submit),
    content(&["about", "blink", "blogRoll", "mySubscriptions", "target"], Role::Navigate),
    content(&["origEnclosureLink", "origLink"], Role::Navigate),
    // Shops and readers (Google, Feedly, SmartNews).
    content(&["link", "mobile_link"], Role::Navigate),
    content(&["additional_image_link", "icon", "image_link", "logo"], Role::Embed),
    // WordPress.
    content(
        &["attachment_url", "base_blog_url", "base_site_url", "comment_author_url"],
        Role::Navigate,
    ),
];

static MEDIA: [Row; 4] = [
    attribute(&["content", "embed", "player", "thumbnail"], "url", Role::Embed),
    attribute(&["peerLink", "subTitle"], "href", Role::Embed),
    attribute(&["license"], "href", Role::Metadata),
    content(&["backLink"], Role::Navigate),
];

static ITUNES: [Row; 2] =
    [attribute(&["image"], "href", Role::Embed), content(&["new-feed-url"], Role::Navigate)];

static WFW: [Row; 2] =
    [content(&["commentRss", "commentRSS"], Role::Navigate), content(&["comment"], Role::Submit)];

static RDF: [Row; 1] = [attribute(&["li"], "resource", Role::Metadata)];

static SITEMAP: [Row; 1] = [content(&["loc"], Role::Navigate)];

static SITEMAP_IMAGE: [Row; 2] =
    [content(&["loc"], Role::Embed), content(&["license"], Role::Metadata)];

static SITEMAP_VIDEO: [Row; 2] = [
    content(&["thumbnail_loc", "content_loc", "player_loc"], Role::Embed),
    content(&["gallery_loc"], Role::Navigate),
];

static OPML: [Row; 4] = [
    attribute(&["outline"], "xmlUrl", Role::Navigate),
    attribute(&["outline"], "htmlUrl", Role::Navigate),
    attribute(&["outline"], "url", Role::Navigate),
    content(&["docs"], Role::Metadata),
];

static DOCBOOK: [Row; 2] = [
    attribute(&["ulink"], "url", Role::Navigate),
    attribute(
        &["audiodata", "graphic", "imagedata", "inlinegraphic", "textdata", "videodata"],
        "fileref",
        Role::Embed,
    ),
];

static SVG: [Row; 3] = [
    attribute(&["a"], "href", Role::Navigate),
    attribute(&["script"], "href", Role::Script),
    attribute(
        &[
            "animate", "animateMotion", "animateTransform", "cursor", "feImage", "filter", "image",
            "linearGradient", "mpath", "pattern", "radialGradient", "set", "textPath", "use",
        ],
        "href",
        Role::Embed,
    ),
];

static MATHML: [Row; 3] = [
    attribute(ANY, "href", Role::Navigate),
    attribute(&["mglyph", "annotation", "annotation-xml"], "src", Role::Embed),
    attribute(&["math"], "altimg", Role::Embed),
];

static XINCLUDE: [Row; 1] = [attribute(&["include"], "href", Role::Embed)];

static XSLT: [Row; 1] = [attribute(&["import", "include"], "href", Role::Style)];

static KML: [Row; 1] = [content(&["href"], Role::Embed)];

static OPEN_SEARCH: [Row; 4] = [
    attribute(&["Url"], "template", Role::Submit),
    content(&["Image"], Role::Embed),
    content(&["SearchForm"], Role::Navigate),
    content(&["IconUpdateUrl", "UpdateUrl"], Role::Metadata),
];

static GPX: [Row; 2] =
    [attribute(&["link"], "href", Role::Navigate), content(&["url"], Role::Navigate)];

static RELATIONSHIPS: [Row; 1] =
    [Row { elements: &["Relationship"], attribute: "Target", purpose: Purpose::Relationship }];

static OFFICE_PROPERTIES: [Row; 2] = [
    // Programs resolve the links of the document against it, which are in other parts.
    content(&["HyperlinkBase"], Role::Base),
    Row { elements: &["lpwstr"], attribute: Markup::CONTENT, purpose: Purpose::Copy },
];

static VML: [Row; 2] = [attribute(ANY, "href", Role::Navigate), attribute(ANY, "src", Role::Embed)];

static SPREADSHEET: [Row; 5] = [
    attribute(&["ddeLink"], "ddeTopic", Role::Embed),
    attribute(&["connection"], "odcFile", Role::Other),
    attribute(&["connection", "textPr"], "sourceFile", Role::Embed),
    attribute(&["webPr"], "url", Role::Embed),
    attribute(&["webPublishItem"], "destinationFile", Role::Other),
];

static OPF: [Row; 3] = [
    attribute(&["item"], "href", Role::Embed),
    attribute(&["reference"], "href", Role::Navigate),
    attribute(&["link"], "href", Role::Metadata),
];

static NCX: [Row; 1] = [attribute(&["content"], "src", Role::Navigate)];

static SMIL: [Row; 1] = [attribute(&["text", "audio"], "src", Role::Embed)];

static BROWSER_CONFIG: [Row; 1] = [attribute(ANY, "src", Role::Embed)];

fn rows(namespace: Namespace) -> &'static [Row] {
    match namespace {
        Namespace::App => &APP,
        Namespace::Atom => &ATOM,
        Namespace::BrowserConfig => &BROWSER_CONFIG,
        Namespace::DocBook | Namespace::None => &DOCBOOK,
        Namespace::FeedModule => &FEED_MODULE,
        Namespace::Gpx => &GPX,
        Namespace::Itunes => &ITUNES,
        Namespace::Kml => &KML,
        Namespace::MathMl => &MATHML,
        Namespace::Media => &MEDIA,
        Namespace::Ncx => &NCX,
        Namespace::OfficeProperties => &OFFICE_PROPERTIES,
        Namespace::OpenSearch => &OPEN_SEARCH,
        Namespace::Opf => &OPF,
        Namespace::Opml => &OPML,
        Namespace::Rdf => &RDF,
        Namespace::Relationships => &RELATIONSHIPS,
        Namespace::Rss => &RSS,
        Namespace::Sitemap => &SITEMAP,
        Namespace::SitemapImage => &SITEMAP_IMAGE,
        Namespace::SitemapVideo => &SITEMAP_VIDEO,
        Namespace::Smil => &SMIL,
        Namespace::Spreadsheet => &SPREADSHEET,
        Namespace::Svg => &SVG,
        Namespace::Vml => &VML,
        Namespace::Wfw => &WFW,
        Namespace::XInclude => &XINCLUDE,
        Namespace::Xslt => &XSLT,
        Namespace::Content
        | Namespace::Odf
        | Namespace::Ooxml
        | Namespace::Other
        | Namespace::Word
        | Namespace::Xhtml
        | Namespace::Xlink
        | Namespace::Xml => &[],
    }
}

/// The row of an attribute, or of the content ([`Markup::CONTENT`]), of an element, both by their
/// local names; with the name of the element if it is in the table.
pub(super) fn row(
    namespace: Namespace,
    element: &[u8],
    attribute: &[u8],
) -> Option<(&'static Row, Option<&'static str>)> {
    rows(namespace).iter().filter(|row| row.attribute.as_bytes() == attribute).find_map(|row| {
        match row.elements {
            [] => Some((row, None)),
            names => {
                let name = names.iter().find(|name| name.as_bytes() == element)?;
                Some((row, Some(*name)))
            }
        }
    })
}

/// The names of the attributes of a vocabulary with links.
#[cfg(test)]
pub(super) fn attributes(namespace: Namespace) -> impl Iterator<Item = &'static str> {
    rows(namespace).iter().map(|row| row.attribute)
}

/// The condition under which the text of an element is HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HtmlText {
    /// Always.
    Always,
    /// If its `type` says so.
    ByType,
}

/// Returns whether the text of an element may be HTML. The docs of `escaped` have the reason for
/// each.
pub(super) fn html_text(namespace: Namespace, element: &[u8]) -> Option<HtmlText> {
    let (names, condition): (&[&str], HtmlText) = match namespace {
        Namespace::Rss => (&["description"], HtmlText::Always),
        Namespace::Content => (&["encoded"], HtmlText::Always),
        Namespace::Itunes => (&["summary"], HtmlText::Always),
        Namespace::Media => (&["description", "text", "title"], HtmlText::ByType),
        Namespace::Atom => (
            &[
                "content", "rights", "subtitle", "summary", "title", // Atom 0.3
                "copyright", "info", "tagline",
            ],
            HtmlText::ByType,
        ),
        _ => return None,
    };
    let is_named = names.iter().any(|name| name.as_bytes() == element);
    is_named.then_some(condition)
}

/// The role of a `link` of Atom, by its `rel` (RFC 4287, section 4.2.7.2).
pub(super) fn role_of_atom_rel(rel: &str) -> Role {
    match rel.trim().to_ascii_lowercase().as_str() {
        "enclosure" | "icon" | "preview" => Role::Embed,
        "stylesheet" => Role::Style,
        "edit" | "edit-media" | "hub" | "license" | "search" | "service" => Role::Metadata,
        _ => Role::Navigate,
    }
}

/// The role of the target of a relationship, by the last part of its type (ISO 29500-1, part I).
pub(super) fn role_of_relationship(kind: &str) -> Role {
    match kind.rsplit('/').next().unwrap_or_default() {
        "hyperlink" => Role::Navigate,
        "attachedTemplate" | "transform" => Role::Style,
        "audio" | "chart" | "externalLinkPath" | "frame" | "image" | "media" | "oleObject"
        | "subDocument" | "video" => Role::Embed,
        _ => Role::Other,
    }
}

/// The role of an `xlink:href`, unless the vocabulary defines one (XLink 1.1, section 5.6).
pub(super) fn role_of_xlink(namespace: Namespace, element: &[u8], show: &str) -> Role {
    match namespace {
        Namespace::Svg => match element {
            b"a" => Role::Navigate,
            b"script" => Role::Script,
            _ => Role::Embed,
        },
        Namespace::Odf => match element {
            b"a" | b"area-circle" | b"area-polygon" | b"area-rectangle" | b"button" => {
                Role::Navigate
            }
            b"template" => Role::Style,
            b"event-listener" => Role::Script,
            _ => Role::Embed,
        },
        _ if show == "embed" => Role::Embed,
        _ => Role::Navigate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_exact_names() {
        let found = |namespace, element: &str, attribute: &str| {
            let found = row(namespace, element.as_bytes(), attribute.as_bytes());
            found.map(|(row, _)| row.purpose)
        };
        let embed = Some(Purpose::Is(Role::Embed));
        assert_eq!(found(Namespace::Svg, "feImage", "href"), embed);
        assert_eq!(found(Namespace::Svg, "feimage", "href"), None);
        assert_eq!(found(Namespace::Svg, "base", "href"), None);
        assert_eq!(
            found(Namespace::Sitemap, "loc", Markup::CONTENT),
            Some(Purpose::Is(Role::Navigate))
        );
        assert_eq!(found(Namespace::SitemapImage, "loc", Markup::CONTENT), embed);
        assert_eq!(found(Namespace::Atom, "link", "href"), Some(Purpose::Rel));
        assert_eq!(found(Namespace::Atom, "id", Markup::CONTENT), None);
        assert_eq!(found(Namespace::Rss, "guid", Markup::CONTENT), Some(Purpose::PermaLink));
        assert_eq!(found(Namespace::MathMl, "mi", "href"), Some(Purpose::Is(Role::Navigate)));
        assert_eq!(found(Namespace::None, "link", Markup::CONTENT), None);
    }
}
