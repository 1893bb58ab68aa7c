//! Options for Markdown.

use super::Slugs;

/// Options for Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkdownOptions {
    /// The rule for the ids of headings, which are [anchors](crate::Links::anchors). Default: [`Slugs::Github`].
    pub slugs: Slugs,
    /// Whether `[[target]]` and `![[target]]` are links. Default: false.
    pub wiki: bool,
}
