//! The row of CSS in the table of languages.

#[cfg(feature = "unpack")]
use super::declare;
use super::{charset, detect, find, find_each};
use crate::format::language::{Language, Rewriting};
use crate::format::markup::write::write as write_in_markup;

/// Style sheets.
pub(crate) const LANGUAGE: Language = Language {
    declared_charset: charset::at_charset,
    #[cfg(feature = "unpack")]
    declare_charset: Some(declare::declare),
    rewriting: Rewriting::All(write_in_markup),
    read: Ok(find),
    read_each: Some(find_each),
    ..detect::RECOGNIZED
};
