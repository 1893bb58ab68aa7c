//! The row of XML in the table of languages.

use memchr::memmem;

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
    has_unread: super::has_unread,
    may_have_base: |source| {
        !source.charset.is_ascii_compatible() || memmem::find(&source.bytes, b"base").is_some()
    },
    ..Language::new("xml", find)
};

/// The roots of feeds and drawings, which may have no XML declaration.
const ROOTS: [&str; 7] = ["rss", "feed", "rdf:RDF", "svg", "urlset", "sitemapindex", "opml"];

/// Returns true if a document that begins like this is XML. XHTML with a declaration is HTML: see
/// `html::detect`.
fn begins(beginning: &Sniff<'_>) -> bool {
    beginning.ascii.starts_with(b"<?xml") || beginning.is_tag_of(&ROOTS)
}
