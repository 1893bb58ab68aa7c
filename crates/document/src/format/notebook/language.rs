//! The row of notebooks in the table of languages.

use super::write::write;
use super::{find, find_each};
use crate::format::language::{Language, Rewriting};

/// A notebook of Jupyter.
pub(crate) const LANGUAGE: Language = Language {
    extensions: &["ipynb"],
    has_dialects: true,
    media_types: &["application/x-ipynb+json"],
    has_anchors: true,
    rewriting: Rewriting::All(write),
    read_each: Some(find_each),
    fault: Some(super::fault::fault_of),
    exempt: super::exempt,
    ..Language::new("notebook", find)
};
