//! The forms of references: where their paths start, and the ends that they may lack.

use super::address::Shape;

/// The form of a reference: the start of its path, and the shape of its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(super) start: Start,
    pub(super) shape: Shape,
}

/// The start of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At the document.
    File,
    /// At the address of the page.
    Page,
    /// At the directory of the document, or above its bundle, as Hugo finds pages.
    Pages,
    /// At the root of the site, after a slash. `is_prefixed` is true if the path of the address of
    /// the site precedes it.
    Root { is_prefixed: bool },
    /// At the directory of the content.
    Content,
    /// At the directory of the content, after a slash.
    ContentRoot,
    /// At the directory of the site.
    Home,
    /// At the directory of the site, after a slash.
    HomeRoot,
    /// At the directory of the site, after `@site/`.
    Alias,
    /// Anywhere: the end of the path of a note.
    Anywhere,
}

/// The ends that the name of a file in a construct may lack.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// The extensions.
    pub(super) extensions: &'static [&'static str],
    /// The names of index files, without their extension, which the name of their directory may
    /// replace.
    pub(super) indexes: &'static [&'static str],
}

impl Ends {
    /// Those of pages of Hugo.
    pub(super) const OF_HUGO: Self =
        Self { extensions: &["md", "markdown", "html"], indexes: &["index", "_index"] };
}
