//! The row of CSS in the table of languages.

use super::declare;
use super::{charset, comments, detect, find, find_each};
use crate::format::language::{Language, Rewriting};
use crate::format::markup::write::write as write_in_markup;

/// Style sheets.
pub(crate) const LANGUAGE: Language = Language {
    extensions: &["css"],
    media_types: &["text/css"],
    begins: detect::begins,
    declared_charset: charset::at_charset,
    declare_charset: Some(declare::declare),
    rewriting: Rewriting::All(write_in_markup),
    read_each: Some(find_each),
    exempt: comments::exempt,
    ..Language::new("css", find)
};
