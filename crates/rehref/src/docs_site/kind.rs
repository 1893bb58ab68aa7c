//! The programs that make sites of Markdown files.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::paths::is_mdx;
use crate::format::Options;
use crate::format::markdown::{Dialect, Slugs};

/// The rules of the links between the files of a documentation tree: those of the program that
/// makes a site of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SiteKind {
    /// Links name files, as written.
    Plain,
    /// A repository on GitHub or GitLab.
    GitHub,
    /// A book of mdBook.
    MdBook,
    /// A site of MkDocs.
    MkDocs,
    /// A site of Docusaurus.
    Docusaurus,
    /// A site of Hugo.
    Hugo,
    /// A site of Jekyll.
    Jekyll,
    /// A project of Sphinx with MyST.
    Sphinx,
    /// A vault of Obsidian.
    Obsidian,
}

/// The addresses of pages on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageUrls {
    /// `guide.html`, and `dir/index.html` for an index file. Many servers also accept `guide`.
    Html,
    /// `guide/`, and `dir/` for an index file.
    Directory,
    /// `guide`, and `dir/` for an index file.
    Bare,
    /// Files keep their names. A directory shows its index file.
    Names,
}

impl SiteKind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[
        Self::Plain,
        Self::GitHub,
        Self::MdBook,
        Self::MkDocs,
        Self::Docusaurus,
        Self::Hugo,
        Self::Jekyll,
        Self::Sphinx,
        Self::Obsidian,
    ];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::GitHub => "github",
            Self::MdBook => "mdbook",
            Self::MkDocs => "mkdocs",
            Self::Docusaurus => "docusaurus",
            Self::Hugo => "hugo",
            Self::Jekyll => "jekyll",
            Self::Sphinx => "sphinx",
            Self::Obsidian => "obsidian",
        }
    }

    /// The rules for links, as a phrase for help.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Plain => "Links name files, as written",
            Self::GitHub => "/x is in the repository; a directory shows its README.md",
            Self::MdBook => "guide.html is guide.md below src/ of book.toml",
            Self::MkDocs => "guide/ is guide.md below docs_dir of mkdocs.yml",
            Self::Docusaurus => "/docs/guide is docs/guide.md; @site/ is the site's directory",
            Self::Hugo => "guide/ is guide.md or guide/index.md below content/",
            Self::Jekyll => "guide.html or guide/ is guide.md",
            Self::Sphinx => "guide and guide.html are guide.md; /x is in the source directory",
            Self::Obsidian => "A name is that of a note anywhere in the vault",
        }
    }

    /// The extensions of files that become pages.
    pub(super) fn page_extensions(self) -> &'static [&'static [u8]] {
        match self {
            Self::Plain => &[],
            Self::MdBook => &[b"md"],
            Self::GitHub => &[b"md", b"markdown", b"mdown", b"mkd", b"rst", b"adoc", b"org"],
            Self::MkDocs => &[b"md", b"markdown", b"mdown", b"mkdn", b"mkd"],
            Self::Docusaurus => &[b"md", b"mdx", b"js", b"jsx", b"ts", b"tsx"],
            Self::Hugo => &[b"md", b"markdown", b"mdown", b"html", b"htm", b"adoc", b"org", b"rst"],
            Self::Jekyll => &[b"md", b"markdown", b"mkdown", b"mkdn", b"mkd", b"html", b"htm"],
            Self::Sphinx => &[b"md", b"markdown", b"rst", b"txt", b"ipynb"],
            Self::Obsidian => &[b"md", b"canvas", b"base"],
        }
    }

    /// The options for the links of a file on a site of this kind: those with constructs of the
    /// program, or of MDX, which any site may have. In a vault, `[[target]]` is a link.
    pub(crate) fn options_of<'o>(self, path: &[u8], options: &'o Options) -> Cow<'o, Options> {
        let mut options = Cow::Borrowed(options);
        if self == Self::Obsidian {
            options.to_mut().markdown.wiki = true;
        }
        let dialect = match self.dialect() {
            Dialect::None if is_mdx(path) => Dialect::Mdx,
            dialect => dialect,
        };
        if dialect != Dialect::None {
            options.to_mut().markdown.dialect = dialect;
        }
        options
    }

    /// The names of index files without their extension, by precedence.
    pub(super) fn index_stems(self) -> &'static [&'static [u8]] {
        match self {
            Self::Plain | Self::Obsidian => &[],
            Self::GitHub => &[b"README", b"readme", b"Readme", b"index"],
            Self::MdBook | Self::MkDocs | Self::Docusaurus | Self::Jekyll => {
                &[b"index", b"README", b"readme", b"Readme"]
            }
            Self::Hugo => &[b"index", b"_index"],
            Self::Sphinx => &[b"index"],
        }
    }

    /// Returns true if only Markdown documents follow the rules: others are copied unchanged.
    pub(super) const fn is_of_markdown_only(self) -> bool {
        matches!(self, Self::GitHub | Self::Obsidian)
    }

    /// Returns true if front matter may give a page another address.
    pub(super) const fn has_front_matter(self) -> bool {
        matches!(self, Self::Docusaurus | Self::Hugo | Self::Jekyll)
    }

    /// The usual rule for the ids of headings.
    pub(super) const fn slugs(self) -> Slugs {
        match self {
            Self::MdBook => Slugs::Mdbook,
            Self::MkDocs => Slugs::Mkdocs,
            Self::Docusaurus => Slugs::Docusaurus,
            Self::Jekyll => Slugs::Jekyll,
            Self::Hugo => Slugs::Hugo,
            Self::Obsidian => Slugs::Obsidian,
            Self::Plain | Self::GitHub | Self::Sphinx => Slugs::Github,
        }
    }

    /// The constructs that name files.
    pub(crate) const fn dialect(self) -> Dialect {
        match self {
            Self::MdBook => Dialect::MdBook,
            Self::MkDocs => Dialect::MkDocs,
            Self::Docusaurus => Dialect::Mdx,
            Self::Hugo => Dialect::Hugo,
            Self::Jekyll => Dialect::Jekyll,
            Self::Sphinx => Dialect::Myst,
            Self::Plain | Self::GitHub | Self::Obsidian => Dialect::None,
        }
    }

    pub(super) const fn page_urls(self) -> PageUrls {
        match self {
            Self::MdBook | Self::Jekyll | Self::Sphinx => PageUrls::Html,
            Self::MkDocs | Self::Hugo => PageUrls::Directory,
            Self::Docusaurus => PageUrls::Bare,
            Self::Plain | Self::GitHub | Self::Obsidian => PageUrls::Names,
        }
    }
}

impl fmt::Display for SiteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The choice of the kinds of sites in a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SiteChoice {
    /// By the configuration files in the tree and above it.
    #[default]
    Auto,
    /// One kind. Its content is the whole tree, unless a configuration file is found.
    Kind(SiteKind),
}

impl SiteChoice {
    const AUTO: &'static str = "auto";

    /// All choices.
    pub fn all() -> Vec<Self> {
        let kinds = SiteKind::ALL.iter().copied().map(Self::Kind);
        std::iter::once(Self::Auto).chain(kinds).collect()
    }

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => Self::AUTO,
            Self::Kind(kind) => kind.as_str(),
        }
    }

    /// The rules, as a phrase for help.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Auto => "The innermost site with a configuration file; plain without one",
            Self::Kind(kind) => kind.description(),
        }
    }
}

impl FromStr for SiteChoice {
    type Err = UnknownSiteKind;

    fn from_str(name: &str) -> Result<Self, UnknownSiteKind> {
        match name {
            Self::AUTO => Ok(Self::Auto),
            name => name.parse().map(Self::Kind),
        }
    }
}

/// A text that is not the name of a [`SiteKind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSiteKind(String);

impl fmt::Display for UnknownSiteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = SiteKind::ALL.iter().map(|it| it.as_str()).collect();
        write!(f, "unknown kind of site: {}; use {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownSiteKind {}

impl FromStr for SiteKind {
    type Err = UnknownSiteKind;

    fn from_str(name: &str) -> Result<Self, UnknownSiteKind> {
        let found = Self::ALL.iter().find(|it| it.as_str() == name);
        found.copied().ok_or_else(|| UnknownSiteKind(name.to_owned()))
    }
}
