//! The row of plain text in the table of languages.

use super::{in_text, write};
use crate::format::comments;
use crate::format::language::{Content, Language, Rewriting};

/// Plain text and source code.
pub(crate) const LANGUAGE: Language = Language {
    extensions: crate::format::called_text::EXTENSIONS,
    media_types: &["text/*", "message/*"],
    shows_decoded: true,
    rewriting: Rewriting::Maps(write::write),
    content: Content::Text,
    read_each: Some(in_text::find_each_in_angles),
    exempt: comments::of_text,
    ..Language::new("text", in_text::find)
};
