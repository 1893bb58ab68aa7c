//! The vocabulary of a name (Namespaces in XML 1.0).

use std::cell::Cell;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::link::Language;

/// A vocabulary with links, or with attributes that affect them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Namespace {
    /// No namespace, in a document whose root does not determine the vocabulary.
    #[default]
    None,
    /// A vocabulary without known links.
    Other,
    /// The Atom Publishing Protocol, and threads of Atom (RFC 4685).
    App,
    Atom,
    /// The tiles of a site in Windows.
    BrowserConfig,
    /// The content module of RSS 1.0.
    Content,
    DocBook,
    /// A module of feeds, for podcasts, comments or shops. The others have vocabularies of their
    /// own.
    FeedModule,
    Gpx,
    Itunes,
    Kml,
    MathMl,
    Media,
    /// The table of contents of a book (NCX, DAISY 3).
    Ncx,
    /// Open Document Format (part 3): all its vocabularies, whose elements have different names.
    Odf,
    /// Office Open XML, without links of its own.
    Ooxml,
    /// The properties of a document of Office.
    OfficeProperties,
    OpenSearch,
    /// The package document of a book (EPUB 3.3, section 5).
    Opf,
    Opml,
    Rdf,
    /// The relationships of a part of a package (OPC, ECMA-376-2).
    Relationships,
    /// RSS of any version: 1.0 has a namespace, the others have none.
    Rss,
    Sitemap,
    SitemapImage,
    SitemapVideo,
    /// The media overlays of a book (EPUB 3.3, section 9).
    Smil,
    Spreadsheet,
    Svg,
    /// The drawings of older documents of Office, and their additions.
    Vml,
    Wfw,
    /// Texts of Office.
    Word,
    XInclude,
    Xhtml,
    Xlink,
    Xml,
    Xslt,
}

/// The names of namespaces, without their scheme and a final slash: feeds write them with and
/// without.
const NAMES: [(&str, Namespace); 66] = [
    ("www.w3.org/1999/xhtml", Namespace::Xhtml),
    ("www.w3.org/2000/svg", Namespace::Svg),
    ("www.w3.org/1998/Math/MathML", Namespace::MathMl),
    ("www.w3.org/1999/xlink", Namespace::Xlink),
    ("www.w3.org/XML/1998/namespace", Namespace::Xml),
    ("www.w3.org/2001/XInclude", Namespace::XInclude),
    ("www.w3.org/2003/XInclude", Namespace::XInclude),
    ("www.w3.org/1999/XSL/Transform", Namespace::Xslt),
    ("www.w3.org/1999/02/22-rdf-syntax-ns#", Namespace::Rdf),
    ("www.w3.org/2005/Atom", Namespace::Atom),
    ("purl.org/atom/ns#", Namespace::Atom),
    ("purl.org/rss/1.0", Namespace::Rss),
    ("purl.org/rss/1.0/modules/content", Namespace::Content),
    ("my.netscape.com/rdf/simple/0.9", Namespace::Rss),
    ("channel.netscape.com/rdf/simple/0.9", Namespace::Rss),
    ("backend.userland.com/rss2", Namespace::Rss),
    ("search.yahoo.com/mrss", Namespace::Media),
    ("www.itunes.com/dtds/podcast-1.0.dtd", Namespace::Itunes),
    ("wellformedweb.org/CommentAPI", Namespace::Wfw),
    ("www.sitemaps.org/schemas/sitemap/0.9", Namespace::Sitemap),
    ("www.google.com/schemas/sitemap/0.84", Namespace::Sitemap),
    ("www.google.com/schemas/sitemap-image/1.1", Namespace::SitemapImage),
    ("www.google.com/schemas/sitemap-video/1.1", Namespace::SitemapVideo),
    ("docbook.org/ns/docbook", Namespace::DocBook),
    ("www.opengis.net/kml/2.2", Namespace::Kml),
    ("earth.google.com/kml/2.1", Namespace::Kml),
    ("earth.google.com/kml/2.2", Namespace::Kml),
    ("www.w3.org/2007/app", Namespace::App),
    ("purl.org/syndication/thread/1.0", Namespace::App),
    ("podcastindex.org/namespace/1.0", Namespace::FeedModule),
    ("github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", Namespace::FeedModule),
    ("podlove.org/simple-chapters", Namespace::FeedModule),
    ("madskills.com/public/xml/rss/module/trackback", Namespace::FeedModule),
    ("madskills.com/public/xml/rss/module/pingback", Namespace::FeedModule),
    ("backend.userland.com/blogChannelModule", Namespace::FeedModule),
    ("backend.userland.com/creativeCommonsRssModule", Namespace::FeedModule),
    ("cyber.law.harvard.edu/rss/creativeCommonsRssModule.html", Namespace::FeedModule),
    ("rssnamespace.org/feedburner/ext/1.0", Namespace::FeedModule),
    ("www.google.com/schemas/play-podcasts/1.0", Namespace::FeedModule),
    ("www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd", Namespace::FeedModule),
    ("base.google.com/ns/1.0", Namespace::FeedModule),
    ("base.google.com/cns/1.0", Namespace::FeedModule),
    ("webfeeds.org/rss/1.0", Namespace::FeedModule),
    ("www.smartnews.be/snf", Namespace::FeedModule),
    ("wordpress.org/export/1.0", Namespace::FeedModule),
    ("wordpress.org/export/1.1", Namespace::FeedModule),
    ("wordpress.org/export/1.2", Namespace::FeedModule),
    ("a9.com/-/spec/opensearch/1.1", Namespace::OpenSearch),
    ("a9.com/-/spec/opensearchdescription/1.0", Namespace::OpenSearch),
    ("www.mozilla.org/2006/browser/search", Namespace::OpenSearch),
    ("www.topografix.com/GPX/1/0", Namespace::Gpx),
    ("www.topografix.com/GPX/1/1", Namespace::Gpx),
    ("www.idpf.org/2007/opf", Namespace::Opf),
    ("www.daisy.org/z3986/2005/ncx", Namespace::Ncx),
    ("www.w3.org/ns/SMIL", Namespace::Smil),
    ("schemas.openxmlformats.org/package/2006/relationships", Namespace::Relationships),
    ("schemas.openxmlformats.org/wordprocessingml/2006/main", Namespace::Word),
    ("purl.oclc.org/ooxml/wordprocessingml/main", Namespace::Word),
    ("schemas.openxmlformats.org/spreadsheetml/2006/main", Namespace::Spreadsheet),
    ("purl.oclc.org/ooxml/spreadsheetml/main", Namespace::Spreadsheet),
    (
        "schemas.openxmlformats.org/officeDocument/2006/extended-properties",
        Namespace::OfficeProperties,
    ),
    ("purl.oclc.org/ooxml/officeDocument/extendedProperties", Namespace::OfficeProperties),
    ("schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes", Namespace::OfficeProperties),
    ("purl.oclc.org/ooxml/officeDocument/docPropsVTypes", Namespace::OfficeProperties),
    ("urn:schemas-microsoft-com:vml", Namespace::Vml),
    ("urn:schemas-microsoft-com:office:office", Namespace::Vml),
];

/// The beginnings of the names of many namespaces.
const FAMILIES: [(&str, Namespace); 5] = [
    ("urn:oasis:names:tc:opendocument:xmlns:", Namespace::Odf),
    ("schemas.openxmlformats.org/", Namespace::Ooxml),
    ("purl.oclc.org/ooxml/", Namespace::Ooxml),
    ("schemas.microsoft.com/office/", Namespace::Ooxml),
    ("urn:schemas-microsoft-com:office:", Namespace::Ooxml),
];

impl Namespace {
    /// The namespace with this name.
    pub(super) fn of_name(name: &str) -> Self {
        let name = name.trim();
        if name.is_empty() {
            return Self::None;
        }
        let bare =
            name.strip_prefix("http://").or_else(|| name.strip_prefix("https://")).unwrap_or(name);
        let bare = bare.strip_suffix('/').unwrap_or(bare);
        let found = NAMES.iter().find(|(it, _)| it.eq_ignore_ascii_case(bare));
        let family = || FAMILIES.iter().find(|(it, _)| bare.starts_with(it));
        found.or_else(family).map_or(Self::Other, |(_, namespace)| *namespace)
    }

    /// Returns true if its URLs must be absolute: sitemaps require it, and feeds, lists of feeds and
    /// descriptions of searches are usually read without a base URL.
    pub(super) fn is_absolute(self) -> bool {
        matches!(
            self,
            Self::Content
                | Self::FeedModule
                | Self::Itunes
                | Self::Media
                | Self::OpenSearch
                | Self::Opml
                | Self::Rss
                | Self::Sitemap
                | Self::SitemapImage
                | Self::SitemapVideo
                | Self::Wfw
        )
    }

    /// Returns true if absolute URLs are links anywhere in it, except in names: it has no rules for
    /// links, or those of a few modules.
    pub(super) fn has_any_urls(self) -> bool {
        matches!(self, Self::None | Self::Other | Self::FeedModule)
    }

    /// Returns true if URLs in documents with such a root are links only where a rule says so, also
    /// in other vocabularies: of books and of documents of offices.
    pub(super) fn has_only_known_links(self) -> bool {
        self.language().is_of_office() || matches!(self, Self::Ncx | Self::Opf | Self::Smil)
    }

    /// The language of places in this vocabulary.
    pub(super) fn language(self) -> Language {
        match self {
            Self::Odf => Language::Odf,
            Self::OfficeProperties
            | Self::Ooxml
            | Self::Relationships
            | Self::Spreadsheet
            | Self::Vml
            | Self::Word => Language::Ooxml,
            _ => Language::Xml,
        }
    }

    /// The usual meaning of a prefix, which applies where it is not declared. Feeds often omit the
    /// declaration.
    fn of_prefix(prefix: &[u8]) -> Self {
        match prefix {
            b"" => Self::None,
            b"app" | b"thr" => Self::App,
            b"atom" | b"atom10" => Self::Atom,
            b"content" => Self::Content,
            b"image" => Self::SitemapImage,
            b"feedburner" | b"googleplay" | b"podcast" | b"psc" | b"trackback" | b"webfeeds" => {
                Self::FeedModule
            }
            b"itunes" => Self::Itunes,
            b"m" | b"mml" => Self::MathMl,
            b"media" => Self::Media,
            b"rdf" => Self::Rdf,
            b"rss" => Self::Rss,
            b"svg" => Self::Svg,
            b"video" => Self::SitemapVideo,
            b"wfw" => Self::Wfw,
            b"xhtml" | b"html" | b"h" => Self::Xhtml,
            b"xi" => Self::XInclude,
            b"xlink" => Self::Xlink,
            b"xml" => Self::Xml,
            b"xsl" => Self::Xslt,
            _ => Self::Other,
        }
    }

    /// The vocabulary of names without a namespace, in a document with this root.
    pub(super) fn of_root(name: &[u8]) -> Self {
        match name {
            b"feed" | b"entry" => Self::Atom,
            b"browserconfig" => Self::BrowserConfig,
            b"gpx" => Self::Gpx,
            b"html" => Self::Xhtml,
            b"kml" => Self::Kml,
            b"math" => Self::MathMl,
            b"opml" => Self::Opml,
            b"OpenSearchDescription" => Self::OpenSearch,
            b"rss" | b"RSS" | b"RDF" | b"channel" => Self::Rss,
            b"svg" => Self::Svg,
            b"urlset" | b"sitemapindex" => Self::Sitemap,
            b"article" | b"book" | b"chapter" | b"refentry" | b"section" | b"set" => Self::DocBook,
            _ => Self::None,
        }
    }
}

/// The prefixes declared at the current position. The default namespace has the empty prefix.
#[derive(Debug, Default)]
pub(super) struct Scopes<'s> {
    /// The namespaces of each prefix, innermost last.
    bound: HashMap<&'s [u8], Vec<Namespace>, RandomState>,
    /// The prefixes, in the order of their declarations.
    declared: Vec<&'s [u8]>,
    /// The prefix whose namespace was looked up last: mostly, the next name has it, too.
    last: Cell<Option<(&'s [u8], Namespace)>>,
}

impl<'s> Scopes<'s> {
    /// The number of current declarations.
    pub(super) fn len(&self) -> usize {
        self.declared.len()
    }

    pub(super) fn declare(&mut self, prefix: &'s [u8], namespace: Namespace) {
        self.bound.entry(prefix).or_default().push(namespace);
        self.declared.push(prefix);
        self.last.set(None);
    }

    /// Drops all declarations after the first `len`.
    pub(super) fn leave(&mut self, len: usize) {
        if self.declared.len() > len {
            self.last.set(None);
        }
        for prefix in self.declared.drain(len..) {
            if let Some(meanings) = self.bound.get_mut(prefix) {
                meanings.pop();
            }
        }
    }

    /// Returns true if a prefix is declared.
    pub(super) fn is_declared(&self, prefix: &[u8]) -> bool {
        self.bound.get(prefix).is_some_and(|it| !it.is_empty())
    }

    /// The namespace of a prefix.
    pub(super) fn get(&self, prefix: &'s [u8]) -> Namespace {
        if let Some((last, namespace)) = self.last.get()
            && last == prefix
        {
            return namespace;
        }
        let declared = self.bound.get(prefix).and_then(|it| it.last());
        let namespace = declared.copied().unwrap_or_else(|| Namespace::of_prefix(prefix));
        self.last.set(Some((prefix, namespace)));
        namespace
    }
}

/// The prefix that an attribute with this name declares, empty for the default namespace.
pub(super) fn declared_prefix(name: &[u8]) -> Option<&[u8]> {
    match name.strip_prefix(b"xmlns")? {
        b"" => Some(b""),
        [b':', prefix @ ..] if !prefix.is_empty() => Some(prefix),
        _ => None,
    }
}

/// The prefix of a name, empty if it has none, and the local name.
pub(super) fn split(name: &[u8]) -> (&[u8], &[u8]) {
    // Names are short: a call would take longer.
    match name.iter().position(|&byte| byte == b':') {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => (b"", name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespace_names_are_matched_leniently() {
        for (name, namespace) in [
            ("http://www.w3.org/2000/svg", Namespace::Svg),
            ("http://search.yahoo.com/mrss/", Namespace::Media),
            ("http://search.yahoo.com/mrss", Namespace::Media),
            ("https://www.sitemaps.org/schemas/sitemap/0.9", Namespace::Sitemap),
            ("http://www.itunes.com/DTDs/Podcast-1.0.dtd", Namespace::Itunes),
            ("http://purl.org/rss/1.0/", Namespace::Rss),
            ("http://purl.org/rss/1.0/modules/content/", Namespace::Content),
            ("http://purl.org/dc/elements/1.1/", Namespace::Other),
            ("", Namespace::None),
        ] {
            assert_eq!(Namespace::of_name(name), namespace, "{name}");
        }
    }

    #[test]
    fn declarations_end_with_their_scope() {
        let mut scopes = Scopes::default();
        assert_eq!(scopes.get(b""), Namespace::None);
        assert_eq!(scopes.get(b"media"), Namespace::Media);
        scopes.declare(b"", Namespace::Atom);
        scopes.declare(b"media", Namespace::Other);
        let outer = scopes.len();
        scopes.declare(b"", Namespace::Xhtml);
        assert_eq!(scopes.get(b""), Namespace::Xhtml);
        scopes.leave(outer);
        assert_eq!(scopes.get(b""), Namespace::Atom);
        assert_eq!(scopes.get(b"media"), Namespace::Other);
        scopes.leave(0);
        assert_eq!(scopes.get(b"media"), Namespace::Media);
    }

    #[test]
    fn names_are_split_at_the_colon() {
        assert_eq!(split(b"a"), (&b""[..], &b"a"[..]));
        assert_eq!(split(b"a:b:c"), (&b"a"[..], &b"b:c"[..]));
    }
}
