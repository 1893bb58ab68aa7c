//! Options for Markdown.

use super::Slugs;

/// Options for Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkdownOptions {
    /// The rule for the ids of headings, which are [anchors](crate::Links::anchors). Default:
    /// [`Slugs::Github`].
    pub slugs: Slugs,
    /// The program whose constructs, such as `{{#include f}}`, are links too. Default:
    /// [`Dialect::None`].
    pub dialect: Dialect,
    /// True to find none of these constructs. The blocks of the program are read all the same.
    /// Default: false.
    pub without_constructs: bool,
    /// True if attributes in braces alone on a line after a block set its id, as a setting of Hugo
    /// allows. Default: false.
    pub block_ids: bool,
    /// True if the program replaces shortcodes of emoji, such as `:rocket:`, before it derives the
    /// ids of headings. Default: false.
    pub emoji: bool,
    /// True to read `[[target]]` and `![[target]]` as links. Default: false.
    pub wiki: bool,
    /// True to find links in the front matter: the values of `image`, `images`, `cover`,
    /// `thumbnail`, `banner`, `aliases`, `redirect_from`, `redirect_to` and `permalink`. Default:
    /// false.
    pub front_matter: bool,
    /// True to find the uses of definitions too (`[text][label]`). Such a link has the destination
    /// of its definition; its bytes are the label. It is never rewritten. Default: false.
    pub references: bool,
    /// True to find [defanged](crate::link::Note::Defanged) URLs in text and code, which are not
    /// links of Markdown. They are never rewritten. Default: false.
    pub defanged: bool,
}

/// The program whose constructs are links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// None: Markdown alone.
    #[default]
    None,
    /// `{{#include f}}`.
    MdBook,
    /// `--8<-- "f"`.
    MkDocs,
    /// MDX: `import x from 'f'`, `require('f')`, and tags and expressions in place of HTML.
    Mdx,
    /// `{{< ref "f" >}}`.
    Hugo,
    /// `{% link f %}`.
    Jekyll,
    /// The role `doc` and directives.
    Myst,
    /// `<!--@include: f-->` and `<<< f`.
    VitePress,
    /// `{{< include f >}}`.
    Quarto,
    /// `{% content-ref url="f" %}`.
    GitBook,
    /// `[[text|Page Name]]`.
    Wiki,
    /// `{% include "f" %}`.
    HonKit,
}

impl Dialect {
    /// Returns true if the program has blocks whose bodies are code in CommonMark and Markdown to
    /// it.
    pub(crate) fn has_blocks(self) -> bool {
        matches!(self, Self::MkDocs | Self::Myst)
    }
}
