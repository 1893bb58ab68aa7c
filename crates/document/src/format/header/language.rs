//! The row of mail headers in the table of languages.

use super::find;
use crate::format::language::Language;
use crate::link::FieldPlace;

/// The header of a message.
pub(crate) const LANGUAGE: Language =
    Language { shows_decoded: true, has_files: false, ..Language::new(FieldPlace::HEADER, find) };
