//! The row of HTML in the table of languages.

use super::{charset, compare, detect, find};
use crate::format::language::{Content, Language, Rewriting};
use crate::format::write::write as write_in_markup;

/// HTML as browsers read it.
pub(crate) const LANGUAGE: Language = Language {
    name: "html",
    extensions: &["html", "htm", "shtml", "shtm"],
    media_types: &["text/html", "text/x-amp-html"],
    begins: detect::begins,
    declared_charset: charset::declared,
    read: find,
    write: write_in_markup,
    compare: Some(compare),
    content: Content::Markup,
    rewriting: Rewriting::All,
    has_anchors: true,
};
