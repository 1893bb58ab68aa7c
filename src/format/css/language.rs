//! The row of CSS in the table of languages.

use super::{charset, detect, find};
use crate::format::language::{Language, Rewriting};
use crate::format::markup::write::write as write_in_markup;

/// Style sheets.
pub(crate) const LANGUAGE: Language = Language {
    declared_charset: charset::at_charset,
    rewriting: Rewriting::All(write_in_markup),
    read: Ok(find),
    ..detect::RECOGNIZED
};
