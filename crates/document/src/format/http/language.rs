//! The row of HTTP heads in the table of languages.

use super::find;
use crate::format::language::Language;

/// The head of an HTTP response.
pub(crate) const LANGUAGE: Language = Language { has_files: false, ..Language::new("http", find) };
