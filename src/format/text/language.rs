//! The row of plain text in the table of languages.

use super::{in_text, write};
use crate::format::language::{Content, Language, Rewriting};

/// Plain text and source code.
pub(crate) const LANGUAGE: Language = Language {
    name: "text",
    extensions: &[
        "txt", "text", "md", "markdown", "rst", "js", "json", "c", "h", "rs", "py",
    ],
    media_types: &["text/*"],
    begins: Language::BY_NAME,
    declared_charset: Language::NO_CHARSET,
    read: in_text::find,
    write: write::write,
    compare: None,
    content: Content::Text,
    rewriting: Rewriting::Maps,
    has_anchors: false,
};
