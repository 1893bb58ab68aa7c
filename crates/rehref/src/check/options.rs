//! Options.

use crate::format::Options;
use crate::link::LinkFilter;

/// Options for checking links.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Options for finding and resolving links. With [`Options::anchors`], fragments are checked
    /// too.
    pub find: Options,
    /// True to use the rule of the site of a document for the ids of headings.
    pub slugs_of_site: bool,
    /// True if a link to a directory requires an index file.
    pub index: bool,
    /// True if a path without an extension names a page, as many servers read it: `about` is
    /// `about.html`.
    pub clean_urls: bool,
    /// True to report a link that differs from a file only in case or normal form of Unicode with a
    /// separate reason.
    pub case: bool,
    /// True if these links work, because the file system ignores the differences.
    pub folds: bool,
    /// True if the tree has no URL. Then references above its root are looked up as files.
    pub confined: bool,
    /// True if references above the root of a tree without a URL are broken, also to existing
    /// files.
    pub outside: bool,
    /// True if the root of the tree is not that of a site, so that the targets of references such
    /// as `/a.html` are unknown.
    pub rootless: bool,
    /// The links that are checked.
    pub filter: LinkFilter,
    /// The beginning of the names of targets in a tree without a URL, before their path below the
    /// root: such as `site/`.
    pub prefix: String,
}
