//! The row of CSS in the table of languages.

use super::{charset, detect, find};
use crate::format::language::{Content, Language, Rewriting};
use crate::format::write::write as write_in_markup;

/// Style sheets.
pub(crate) const LANGUAGE: Language = Language {
    name: "css",
    extensions: &["css"],
    media_types: &["text/css"],
    begins: detect::begins,
    declared_charset: charset::at_charset,
    read: find,
    write: write_in_markup,
    compare: None,
    content: Content::Markup,
    rewriting: Rewriting::All,
    has_anchors: false,
};
