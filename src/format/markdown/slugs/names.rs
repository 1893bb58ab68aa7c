//! The rules by name, and how they differ in the text that they use.

use std::fmt;
use std::str::FromStr;

use crate::uri::{UnknownName, by_name};

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
/// | Hugo | of the source: lower case; letters, digits, `_`, `-`; each blank is a `-` | `-1` | yes |
/// | Pandoc | lower case; letters, numerals, `_`, `-`, `.`, from the first letter; blanks become one `-` | `-1` | yes |
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
    /// Pandoc, which reads its own dialect.
    Pandoc,
    /// kramdown with its own parser.
    Kramdown,
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
            Self::None => "none",
        }
    }

    /// Returns true if headings written in HTML have ids too.
    pub(crate) const fn include_html(self) -> bool {
        matches!(self, Self::Github | Self::Gitlab)
    }

    /// Returns true if the parser of this program reads a heading of one line only.
    pub(super) const fn needs_one_line(self) -> bool {
        matches!(
            self,
            Self::Mkdocs | Self::Jekyll | Self::Pandoc | Self::Kramdown
        )
    }

    /// The variants of the rule. A heading has an id by each of them, and most are equal.
    ///
    /// mdBook has two, since its setting `smart-punctuation` changes dashes. Where GitHub's rule is used, markup at an end of the
    /// text, such as `<a name="x"></a>`, leaves a blank. Whether that is a `-` depends on the version.
    pub(super) const fn variants(self) -> &'static [Variant] {
        const PLAIN: Variant = Variant::of(false, false);
        const DASHES: Variant = Variant::of(false, true);
        const IMAGES: Variant = Variant::of(true, false);
        const GITHUB: &[Variant] = &[PLAIN, PLAIN.trimmed()];
        const DOCUSAURUS: &[Variant] = &[IMAGES, IMAGES.trimmed()];
        const JEKYLL: &[Variant] = &[DASHES, DASHES.trimmed()];
        const PANDOC: &[Variant] = &[Variant::of(true, true)];
        match self {
            Self::Github => GITHUB,
            Self::Gitlab | Self::Mkdocs | Self::Hugo | Self::Kramdown => &[PLAIN],
            Self::Mdbook => &[PLAIN, DASHES],
            Self::Docusaurus => DOCUSAURUS,
            Self::Jekyll => JEKYLL,
            Self::Pandoc => PANDOC,
            Self::None => &[],
        }
    }

    /// The separator before the number of a repeated id.
    pub(super) const fn separator(self) -> char {
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

impl FromStr for Slugs {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name(Self::ALL, Self::as_str, name)
    }
}

/// How the text of a heading is made of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rendering {
    /// True if the description of an image is text.
    pub has_image_texts: bool,
    /// True if `--` and `---` are dashes, outside of code.
    pub has_dashes: bool,
}

/// A variant of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    pub(super) rendering: Rendering,
    /// True if white space at the ends of the text is dropped.
    pub(super) is_trimmed: bool,
}

impl Variant {
    const fn of(has_image_texts: bool, has_dashes: bool) -> Self {
        Self {
            rendering: Rendering {
                has_image_texts,
                has_dashes,
            },
            is_trimmed: false,
        }
    }

    const fn trimmed(self) -> Self {
        Self {
            is_trimmed: true,
            ..self
        }
    }
}
