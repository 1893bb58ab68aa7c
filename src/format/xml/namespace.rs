//! Which vocabulary a name is of (Namespaces in XML 1.0).

use std::collections::HashMap;

/// A vocabulary that has links, or says where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Namespace {
    /// No namespace, in a document whose root does not tell what that means either.
    #[default]
    None,
    /// One that has no links that are known here.
    Other,
    Atom,
    DocBook,
    Itunes,
    Kml,
    MathMl,
    Media,
    Opml,
    Rdf,
    /// RSS of any version: 1.0 has a namespace, the others have none.
    Rss,
    Sitemap,
    SitemapImage,
    SitemapVideo,
    Svg,
    Wfw,
    XInclude,
    Xhtml,
    Xlink,
    Xml,
    Xslt,
}

/// The names of namespaces, without their scheme and the slash at their end: feeds write them with and
/// without.
const NAMES: [(&str, Namespace); 26] = [
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
    ("my.netscape.com/rdf/simple/0.9", Namespace::Rss),
    ("channel.netscape.com/rdf/simple/0.9", Namespace::Rss),
    ("backend.userland.com/rss2", Namespace::Rss),
    ("search.yahoo.com/mrss", Namespace::Media),
    ("www.itunes.com/dtds/podcast-1.0.dtd", Namespace::Itunes),
    ("wellformedweb.org/CommentAPI", Namespace::Wfw),
    ("www.sitemaps.org/schemas/sitemap/0.9", Namespace::Sitemap),
    ("www.google.com/schemas/sitemap/0.84", Namespace::Sitemap),
    (
        "www.google.com/schemas/sitemap-image/1.1",
        Namespace::SitemapImage,
    ),
    (
        "www.google.com/schemas/sitemap-video/1.1",
        Namespace::SitemapVideo,
    ),
    ("docbook.org/ns/docbook", Namespace::DocBook),
    ("www.opengis.net/kml/2.2", Namespace::Kml),
    ("earth.google.com/kml/2.1", Namespace::Kml),
    ("earth.google.com/kml/2.2", Namespace::Kml),
];

impl Namespace {
    /// The namespace of that name.
    pub(super) fn of_name(name: &str) -> Self {
        let name = name.trim();
        if name.is_empty() {
            return Self::None;
        }
        let bare = name
            .strip_prefix("http://")
            .or_else(|| name.strip_prefix("https://"))
            .unwrap_or(name);
        let bare = bare.strip_suffix('/').unwrap_or(bare);
        let found = NAMES.iter().find(|(it, _)| it.eq_ignore_ascii_case(bare));
        found.map_or(Self::Other, |(_, namespace)| *namespace)
    }

    /// Whether its URLs have to be absolute: sitemaps say so, and feeds and lists of feeds are read far
    /// from where they came from, mostly without any base.
    pub(super) fn is_absolute(self) -> bool {
        matches!(
            self,
            Self::Itunes
                | Self::Media
                | Self::Opml
                | Self::Rss
                | Self::Sitemap
                | Self::SitemapImage
                | Self::SitemapVideo
                | Self::Wfw
        )
    }

    /// What a prefix usually means: it holds where nothing binds that, as feeds often forget.
    fn of_prefix(prefix: &[u8]) -> Self {
        match prefix {
            b"" => Self::None,
            b"atom" | b"atom10" => Self::Atom,
            b"image" => Self::SitemapImage,
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

    /// What it means to have no namespace, in a document with this root.
    pub(super) fn of_root(name: &[u8]) -> Self {
        match name {
            b"feed" | b"entry" => Self::Atom,
            b"html" => Self::Xhtml,
            b"kml" => Self::Kml,
            b"math" => Self::MathMl,
            b"opml" => Self::Opml,
            b"rss" | b"RSS" | b"RDF" | b"channel" => Self::Rss,
            b"svg" => Self::Svg,
            b"urlset" | b"sitemapindex" => Self::Sitemap,
            b"article" | b"book" | b"chapter" | b"refentry" | b"section" | b"set" => Self::DocBook,
            _ => Self::None,
        }
    }
}

/// What the prefixes mean that are declared where the document is read; the default namespace is that of
/// the empty prefix.
#[derive(Debug, Default)]
pub(super) struct Scopes<'s> {
    /// What each prefix means, innermost last.
    bound: HashMap<&'s [u8], Vec<Namespace>>,
    /// The prefixes, in the order of their declarations.
    declared: Vec<&'s [u8]>,
}

impl<'s> Scopes<'s> {
    /// How many declarations hold.
    pub(super) fn len(&self) -> usize {
        self.declared.len()
    }

    pub(super) fn declare(&mut self, prefix: &'s [u8], namespace: Namespace) {
        self.bound.entry(prefix).or_default().push(namespace);
        self.declared.push(prefix);
    }

    /// Takes back all declarations but the first `len`.
    pub(super) fn leave(&mut self, len: usize) {
        for prefix in self.declared.drain(len..) {
            if let Some(meanings) = self.bound.get_mut(prefix) {
                meanings.pop();
            }
        }
    }

    /// Whether a declaration says what a prefix means.
    pub(super) fn is_declared(&self, prefix: &[u8]) -> bool {
        self.bound.get(prefix).is_some_and(|it| !it.is_empty())
    }

    /// What a prefix means.
    pub(super) fn get(&self, prefix: &[u8]) -> Namespace {
        let declared = self.bound.get(prefix).and_then(|it| it.last());
        declared
            .copied()
            .unwrap_or_else(|| Namespace::of_prefix(prefix))
    }
}

/// A name's prefix, empty where it has none, and what follows it.
pub(super) fn split(name: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b':', name) {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => (b"", name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_they_are_written() {
        for (name, namespace) in [
            ("http://www.w3.org/2000/svg", Namespace::Svg),
            ("http://search.yahoo.com/mrss/", Namespace::Media),
            ("http://search.yahoo.com/mrss", Namespace::Media),
            (
                "https://www.sitemaps.org/schemas/sitemap/0.9",
                Namespace::Sitemap,
            ),
            (
                "http://www.itunes.com/DTDs/Podcast-1.0.dtd",
                Namespace::Itunes,
            ),
            ("http://purl.org/rss/1.0/", Namespace::Rss),
            ("http://purl.org/rss/1.0/modules/content/", Namespace::Other),
            ("", Namespace::None),
        ] {
            assert_eq!(Namespace::of_name(name), namespace, "{name}");
        }
    }

    #[test]
    fn declarations_hold_until_they_are_left() {
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
    fn names_and_prefixes() {
        assert_eq!(split(b"a"), (&b""[..], &b"a"[..]));
        assert_eq!(split(b"a:b:c"), (&b"a"[..], &b"b:c"[..]));
    }
}
