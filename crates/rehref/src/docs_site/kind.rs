//! The programs that make sites of Markdown files.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::paths::is_mdx;
use super::programs::{PROGRAMS, Program};
use crate::format::Options;
use crate::format::markdown::Dialect;

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
    /// A site of VitePress.
    VitePress,
    /// A site of Starlight, the theme of Astro.
    Starlight,
    /// A site of Nextra.
    Nextra,
    /// A site of docsify.
    Docsify,
    /// A project of Quarto.
    Quarto,
    /// A space of GitBook.
    GitBook,
    /// A wiki on GitHub or GitLab.
    Wiki,
    /// A book of HonKit.
    HonKit,
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
        Self::VitePress,
        Self::Starlight,
        Self::Nextra,
        Self::Docsify,
        Self::Quarto,
        Self::GitBook,
        Self::Wiki,
        Self::HonKit,
    ];

    /// The rules of the program.
    pub(super) const fn program(self) -> &'static Program {
        &PROGRAMS[self as usize]
    }

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        self.program().name
    }

    /// The rules for links, as a phrase for help.
    pub const fn description(self) -> &'static str {
        self.program().description
    }

    /// The options for the links of a file on a site of this kind: those with constructs of the
    /// program, or of MDX, which any site may have. In a vault or wiki, `[[target]]` is a link.
    pub(crate) fn options_of<'o>(self, path: &[u8], options: &'o Options) -> Cow<'o, Options> {
        let mut options = Cow::Borrowed(options);
        if self.program().has_names {
            options.to_mut().markdown.wiki = true;
        }
        let dialect = match self.dialect() {
            Dialect::None | Dialect::Starlight if is_mdx(path) => Dialect::Mdx,
            dialect => dialect,
        };
        if dialect != Dialect::None {
            options.to_mut().markdown.dialect = dialect;
        }
        options
    }

    /// The constructs that name files.
    pub(crate) const fn dialect(self) -> Dialect {
        self.program().dialect
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

/// The configuration files of all programs.
pub(super) fn configurations() -> impl Iterator<Item = (&'static str, SiteKind)> {
    let kinds = SiteKind::ALL.iter();
    kinds.flat_map(|kind| kind.program().configurations.iter().map(|file| (*file, *kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_their_own_program() {
        assert_eq!(SiteKind::ALL.len(), PROGRAMS.len());
        assert!(SiteKind::ALL.iter().all(|it| format!("{it:?}").to_lowercase() == it.as_str()));
    }
}
