//! The row of notebooks in the table of languages.

use super::write::write;
use super::{detect, find, find_each};
use crate::format::language::{Language, Rewriting};

/// A notebook of Jupyter.
pub(crate) const LANGUAGE: Language = Language {
    rewriting: Rewriting::All(write),
    read: Ok(find),
    read_each: Some(find_each),
    #[cfg(all(feature = "fs", feature = "serde"))]
    fault: Some(super::fault::fault),
    ..detect::RECOGNIZED
};
