//! The row of XML in the table of languages.

use super::{charset, detect, find};
use crate::format::language::{Content, Language, Rewriting};
use crate::format::write::write as write_in_markup;

/// XML, and XHTML files, which browsers read as XML.
pub(crate) const LANGUAGE: Language = Language {
    name: "xml",
    extensions: &[
        "xml", "xhtml", "xht", "svg", "rss", "atom", "rdf", "opml", "xsl", "xslt", "kml", "mml",
    ],
    media_types: &["text/xml", "application/xml", "*+xml"],
    begins: detect::begins,
    declared_charset: charset::xml_declaration,
    read: find,
    write: write_in_markup,
    compare: None,
    content: Content::Markup,
    rewriting: Rewriting::All,
    has_anchors: true,
};
