//! The row of XML in the table of languages.

use memchr::memmem;

use super::comments;
use super::compare::compare;
use super::declare;
use super::{find, find_each};
use crate::format::language::{Language, Rewriting, Sniff};
use crate::format::markup::declared_encoding::xml_declaration;
use crate::format::markup::write::write as write_in_markup;

/// XML, and XHTML files, which browsers read as XML.
pub(crate) const LANGUAGE: Language = Language {
    extensions: &[
        "xml", "xhtml", "xht", "svg", "rss", "atom", "rdf", "opml", "xsl", "xslt", "kml", "mml",
        "gpx", "xsd", "wsdl", "xspf", "rels", "opf", "ncx", "smil", "fodt", "fods", "fodp", "fodg",
        "vml",
    ],
    media_types: &["*/xml", "*+xml"],
    begins,
    declared_charset: xml_declaration,
    declare_charset: Some(declare::declare),
    rewriting: Rewriting::All(write_in_markup),
    has_anchors: true,
    compare,
    // A sitemap may have 50 MB (sitemaps.org), and has few links for its length.
    max_inflated: 64 << 20,
    read_each: Some(find_each),
    unread: super::unread,
    may_have_base: |source| {
        !source.charset.is_ascii_compatible() || may_have_base_element(&source.bytes)
    },
    exempt: comments::exempt,
    ..Language::new("xml", find)
};

/// The roots of feeds and drawings, which may have no XML declaration.
const ROOTS: [&str; 7] = ["rss", "feed", "rdf:RDF", "svg", "urlset", "sitemapindex", "opml"];

/// Returns true if a document that begins like this is XML. XHTML with a declaration is HTML: see
/// `html::detect`.
fn begins(beginning: &Sniff<'_>) -> bool {
    beginning.ascii.starts_with(b"<?xml") || beginning.is_tag_of(&ROOTS)
}

/// Returns true if a tag may be that of an element `base`, perhaps with a prefix. The word alone, or
/// `xml:base`, is none.
fn may_have_base_element(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, b"base").any(|at| match &bytes[..at] {
        [.., b'<'] => true,
        [.., space, b'x', b'm', b'l', b':'] => !space.is_ascii_whitespace(),
        [.., b':'] => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_element_is_a_tag() {
        for (bytes, expected) in [
            ("<base href='a'/>", true),
            ("<h:base href='a'/>", true),
            ("<axml:base href='a'/>", true),
            ("<xml:base href='a'/>", true),
            ("database", false),
            ("<a xml:base='b'>", false),
            ("<a\nxml:base='b'><base/>", true),
        ] {
            assert_eq!(may_have_base_element(bytes.as_bytes()), expected, "{bytes}");
        }
    }
}
