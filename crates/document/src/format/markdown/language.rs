//! The row of Markdown in the table of languages.

use super::comments;
use super::compare::compare;
use super::contexts::contexts;
use super::write::write;
use super::{find, find_each};
use crate::format::language::{Language, Rewriting};

/// CommonMark with the extensions of GitHub.
pub(crate) const LANGUAGE: Language = Language {
    extensions: &["md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "mdx", "qmd", "rmd"],
    media_types: &["text/markdown", "text/x-markdown"],
    // Nothing in the content is certain.
    has_anchors: true,
    has_dialects: true,
    rewriting: Rewriting::All(write),
    compare,
    contexts,
    read_each: Some(find_each),
    exempt: comments::exempt,
    ..Language::new("markdown", find)
};
