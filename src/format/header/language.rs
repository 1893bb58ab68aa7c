//! The row of mail headers in the table of languages.

use super::find;
use crate::format::language::{Content, Language, Rewriting};

/// The header of a message.
pub(crate) const LANGUAGE: Language = Language {
    name: "header",
    extensions: &[],
    media_types: &[],
    begins: Language::BY_NAME,
    declared_charset: Language::NO_CHARSET,
    read: find,
    content: Content::Markup,
    rewriting: Rewriting::Never,
    has_anchors: false,
};
