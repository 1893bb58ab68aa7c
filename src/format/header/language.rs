//! The row of mail headers in the table of languages.

use super::find;
use crate::format::language::{Content, Language, Rewriting};
use crate::format::write::write as write_in_markup;
use crate::link::FieldPlace;

/// The header of a message.
pub(crate) const LANGUAGE: Language = Language {
    name: FieldPlace::HEADER,
    extensions: &[],
    media_types: &[],
    begins: Language::BY_NAME,
    declared_charset: Language::NO_CHARSET,
    read: find,
    write: write_in_markup,
    compare: None,
    content: Content::Markup,
    rewriting: Rewriting::Never,
    has_anchors: false,
};
