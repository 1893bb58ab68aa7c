//! The row of HTML in the table of languages.

use super::{Contexts, charset, compare, detect, find};
use crate::format::language::{Language, Rewriting};
use crate::format::write::write as write_in_markup;

/// HTML as browsers read it.
pub(crate) const LANGUAGE: Language = Language {
    extensions: &["html", "htm", "shtml", "shtm"],
    media_types: &["text/html", "text/x-amp-html"],
    begins: detect::begins,
    begins_under_any_name: detect::begins_as_page,
    declared_charset: charset::declared,
    rewriting: Rewriting::All(write_in_markup),
    compare: Some(compare),
    contexts: Contexts::of,
    is_page: true,
    has_anchors: true,
    ..Language::new("html", find)
};
