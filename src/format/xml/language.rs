//! XML, also XHTML files: browsers read them as XML.

use super::{charset, detect, find};
use crate::format::language::{Content, Language, Rewriting};

/// XML, also XHTML files: browsers read them as XML.
pub(crate) const LANGUAGE: Language = Language {
    name: "xml",
    extensions: &[
        "xml", "xhtml", "xht", "svg", "rss", "atom", "rdf", "opml", "xsl", "xslt", "kml", "mml",
    ],
    media_types: &["text/xml", "application/xml", "*+xml"],
    begins: detect::begins,
    declared_charset: charset::xml_declaration,
    read: find,
    content: Content::Markup,
    rewriting: Rewriting::All,
    has_anchors: true,
};
