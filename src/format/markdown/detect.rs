//! Recognizing Markdown.

use crate::format::language::Language;

/// Markdown, by its extension or media type. Nothing in its content is certain.
pub(crate) const RECOGNIZED: Language = Language {
    extensions: &["md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "mdx", "qmd", "rmd"],
    media_types: &["text/markdown", "text/x-markdown"],
    has_anchors: true,
    ..Language::with_feature("markdown", "html")
};
