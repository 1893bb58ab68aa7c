//! The row of HTML in the table of languages.

use super::{charset, detect, find};
use crate::format::language::{Content, Language, Rewriting};

/// HTML as browsers read it.
pub(crate) const LANGUAGE: Language = Language {
    name: "html",
    extensions: &["html", "htm", "shtml", "shtm"],
    media_types: &["text/html", "text/x-amp-html"],
    begins: detect::begins,
    declared_charset: charset::declared,
    read: find,
    content: Content::Markup,
    rewriting: Rewriting::All,
    has_anchors: true,
};
