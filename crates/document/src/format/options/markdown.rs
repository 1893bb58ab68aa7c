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
    /// The rules of Python-Markdown for ids, where its extensions have settings for them. They hold
    /// with [`Slugs::Mkdocs`].
    pub python: PythonIds,
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

/// The rules of Python-Markdown and its extensions for ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PythonIds {
    /// True if shortcodes of emoji, such as `:rocket:`, are replaced before ids are derived.
    /// Default: false.
    pub emoji: bool,
    /// The function for the ids of headings (`slugify` of `toc`).
    pub headings: Slugify,
    /// The function for the ids of tabs (`slugify` of `pymdownx.tabbed`). Without one, they are
    /// numbered. Default: none.
    pub tabs: Option<Slugify>,
    /// True if the id of a tab begins with that of the heading above (`combine_header_slug`).
    /// Default: false.
    pub tabs_follow_headings: bool,
}

/// A function of Python that derives an id from a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slugify {
    /// `slugify` of Python-Markdown: lower case, without characters that are not in ASCII.
    #[default]
    Ascii,
    /// `slugify_unicode` of Python-Markdown: lower case.
    Unicode,
    /// `slugify` of PyMdown Extensions: each blank becomes a hyphen.
    PyMdown {
        /// True if letters become lower case.
        is_lower: bool,
    },
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
    /// The settings of Starlight. Its Markdown has no constructs.
    Starlight,
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
