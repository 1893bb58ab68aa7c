//! The rules by name, and the differences in the text that they use.

use std::fmt;

/// The rule for the ids of headings, by the program or site that publishes the documents.
///
/// | | characters | a repeated id ends in | `{#id}` in the heading |
/// |---|---|---|---|
/// | GitHub | lower case; letters, marks, digits, `_`, `-`; each blank is a `-` | `-1`, `-2` | |
/// | GitLab | as GitHub; several `-` become one; a number gets the prefix `anchor-` | `-1`, also if that occurs | |
/// | mdBook | lower case; letters, numerals, `_`, `-`; each blank is a `-` | `-1` | yes |
/// | MkDocs | lower case; ASCII letters, digits, `_`; blanks and `-` become one `-` | `_1` | yes, or `{: #id}` |
/// | Docusaurus | as GitHub | `-1` | yes, or a comment `#id` |
/// | Jekyll | as GitHub; `--` is a dash, which is dropped | `-1`, also if that occurs | yes |
/// | Hugo | of the source; in a site of Hugo also of the text, as since 2025: lower case; letters, digits, `_`, `-`; each blank is a `-` | `-1` | yes |
/// | Pandoc | lower case; letters, numerals, `_`, `-`, `.`, from the first letter; blanks become one `-` | `-1` | yes |
/// | Jupyter | as written; each blank is a `-` | | |
/// | Obsidian | of the source: punctuation other than `-`, `_` and `'`, and blanks, become one blank | | |
/// | VitePress | lower case without accents; blanks and punctuation become one `-`; `_` before a digit | `-1` | yes |
/// | Astro | as GitHub; `--` is a dash, which is dropped | `-1` | |
/// | Nextra | as GitHub | `-1` | `[#id]` |
/// | docsify | of the source: ASCII letters in lower case; no ASCII punctuation but `-` and `_`; each blank is a `-`; `_` before a digit | `-1`, also if that occurs | `:id=id` |
/// | HonKit | lower case; no ASCII punctuation but `-`; each blank is a `-`, except the first | | yes, anywhere |
/// | kramdown | of the source: lower case; ASCII letters, digits, `-`, from the first letter; each blank is a `-` | `-1`, also if that occurs | yes |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Slugs {
    /// GitHub, and most viewers of repositories.
    #[default]
    Github,
    /// GitLab.
    Gitlab,
    /// mdBook 0.5.
    Mdbook,
    /// MkDocs, which uses Python-Markdown, with its extension `attr_list`.
    Mkdocs,
    /// Docusaurus 3.
    Docusaurus,
    /// Jekyll and GitHub Pages, which use kramdown with its parser for GitHub's dialect.
    Jekyll,
    /// Hugo, which uses goldmark.
    Hugo,
    /// Pandoc, with its dialect.
    Pandoc,
    /// kramdown with its default parser.
    Kramdown,
    /// Notebooks of Jupyter, which always have these ids too.
    Jupyter,
    /// Obsidian: the text that links to a heading have, compared without case; and `^id`, the names
    /// of blocks.
    Obsidian,
    /// VitePress.
    Vitepress,
    /// Astro, with its theme Starlight.
    Astro,
    /// Nextra.
    Nextra,
    /// docsify.
    Docsify,
    /// HonKit, and the program GitBook that it continues.
    Honkit,
    /// Headings have no ids.
    None,
}

impl Slugs {
    /// All values.
    pub const ALL: &'static [Self] = &[
        Self::Github,
        Self::Gitlab,
        Self::Mdbook,
        Self::Mkdocs,
        Self::Docusaurus,
        Self::Jekyll,
        Self::Hugo,
        Self::Pandoc,
        Self::Kramdown,
        Self::Jupyter,
        Self::Obsidian,
        Self::Vitepress,
        Self::Astro,
        Self::Nextra,
        Self::Docsify,
        Self::Honkit,
        Self::None,
    ];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Mdbook => "mdbook",
            Self::Mkdocs => "mkdocs",
            Self::Docusaurus => "docusaurus",
            Self::Jekyll => "jekyll",
            Self::Hugo => "hugo",
            Self::Pandoc => "pandoc",
            Self::Kramdown => "kramdown",
            Self::Jupyter => "jupyter",
            Self::Obsidian => "obsidian",
            Self::Vitepress => "vitepress",
            Self::Astro => "astro",
            Self::Nextra => "nextra",
            Self::Docsify => "docsify",
            Self::Honkit => "honkit",
            Self::None => "none",
        }
    }

    /// Returns true if headings written in HTML have ids too.
    pub(crate) const fn include_html(self) -> bool {
        matches!(self, Self::Github | Self::Gitlab | Self::Honkit)
    }

    /// Returns true if the program derives the ids before it has read the definitions of links and
    /// footnotes. To it, `[text][label]` is text.
    pub(crate) const fn ignores_definitions(self) -> bool {
        matches!(self, Self::Pandoc)
    }

    /// Returns true if `{#id}` or `{: #id}` after an inline sets its id.
    pub(crate) const fn has_inline_attributes(self) -> bool {
        matches!(
            self,
            Self::Mkdocs | Self::Jekyll | Self::Pandoc | Self::Kramdown | Self::Vitepress
        )
    }

    /// Returns true if the parser of this program reads a heading of one line only.
    pub(in crate::format) const fn needs_one_line(self) -> bool {
        matches!(self, Self::Mkdocs | Self::Jekyll | Self::Pandoc | Self::Kramdown)
    }

    /// The renderings of a heading from which ids are derived. mdBook has two, since its setting
    /// `smart-punctuation` changes dashes. Of Hugo's, the first is the source, for old versions and
    /// for documents of no site.
    pub(in crate::format) const fn renderings(self, is_of_site: bool) -> &'static [Rendering] {
        const PLAIN: Rendering = Rendering { has_image_texts: false, dashes: Dashes::Hyphens };
        const ALL_DASHES: Rendering = Rendering { dashes: Dashes::All, ..PLAIN };
        const THREES: Rendering = Rendering { dashes: Dashes::Threes, ..PLAIN };
        const IMAGES: Rendering = Rendering { has_image_texts: true, ..PLAIN };
        const IMAGES_AND_THREES: Rendering = Rendering { has_image_texts: true, ..THREES };
        match self {
            Self::Github
            | Self::Gitlab
            | Self::Mkdocs
            | Self::Kramdown
            | Self::Jupyter
            | Self::Obsidian
            | Self::Nextra
            | Self::Docsify
            | Self::Honkit => &[PLAIN],
            Self::Mdbook => &[PLAIN, ALL_DASHES],
            Self::Hugo if is_of_site => &[PLAIN, IMAGES],
            Self::Hugo => &[PLAIN],
            Self::Docusaurus | Self::Vitepress => &[IMAGES],
            Self::Jekyll | Self::Astro => &[THREES],
            Self::Pandoc => &[IMAGES_AND_THREES],
            Self::None => &[],
        }
    }

    /// Returns true if blanks at the ends of the text may be a part of the id. They remain after
    /// markup at the ends, such as `<a name="x"></a>`. Versions of the programs differ.
    pub(in crate::format) const fn may_keep_blanks(self) -> bool {
        matches!(self, Self::Github | Self::Docusaurus | Self::Jekyll | Self::Astro | Self::Nextra)
    }

    /// The separator before the number of a repeated id.
    pub(in crate::format) const fn separator(self) -> char {
        match self {
            Self::Mkdocs => '_',
            _ => '-',
        }
    }
}

impl fmt::Display for Slugs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

rehref_uri::from_name!(Slugs);

/// The rendering of a heading as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rendering {
    /// True if the description of an image is text.
    pub has_image_texts: bool,
    /// The rendering of runs of hyphens.
    pub dashes: Dashes,
}

/// The rendering of runs of hyphens, outside of code. If they become dashes, `...` becomes an
/// ellipsis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dashes {
    /// Hyphens.
    Hyphens,
    /// A dash for three, then one for two.
    Threes,
    /// As many dashes as use up all of them.
    All,
}

impl Dashes {
    /// The number of dashes and that of hyphens for `count` hyphens.
    pub(crate) const fn of(self, count: usize) -> (usize, usize) {
        match self {
            Self::Hyphens => (0, count),
            Self::Threes => match count % 3 {
                2 => (count / 3 + 1, 0),
                hyphens => (count / 3, hyphens),
            },
            Self::All => match count {
                1 => (0, 1),
                _ => (count / 2, 0),
            },
        }
    }
}
