//! The row of Markdown in the table of languages.

use super::compare::compare;
use super::contexts::contexts;
use super::write::write;
use super::{detect, find, find_each};
use crate::format::language::{Language, Rewriting};

/// CommonMark with the extensions of GitHub.
pub(crate) const LANGUAGE: Language = Language {
    rewriting: Rewriting::All(write),
    compare,
    contexts,
    read: Ok(find),
    read_each: Some(find_each),
    ..detect::RECOGNIZED
};
