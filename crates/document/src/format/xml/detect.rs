//! Detection of XML by content.

use crate::format::language::Sniff;

/// The roots of feeds and drawings, which may have no XML declaration.
const ROOTS: [&str; 7] = ["rss", "feed", "rdf:RDF", "svg", "urlset", "sitemapindex", "opml"];

/// Returns true if a document that begins like this is XML. XHTML with a declaration is HTML: see
/// `html::detect`.
pub(super) fn begins(beginning: &Sniff<'_>) -> bool {
    beginning.ascii.starts_with(b"<?xml") || beginning.is_tag_of(&ROOTS)
}
