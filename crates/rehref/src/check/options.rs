//! Options.

use crate::format::Options;

/// Options for checking links.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Options for finding and resolving links. With [`Options::anchors`], fragments are checked
    /// too.
    pub find: Options,
    /// Whether the rule for the ids of headings is that of the site of a document.
    pub slugs_of_site: bool,
    /// Whether a link to a directory requires an index file.
    pub index: bool,
    /// Whether to report a link that differs from a file only in case or normal form of Unicode
    /// with a reason of its own.
    pub case: bool,
    /// Whether such a link works, because the file system ignores these differences.
    pub folds: bool,
    /// Whether the tree has no URL. Then references above its root are looked up as files.
    pub confined: bool,
    /// Whether references above the root of a tree without a URL are broken, also if there is a
    /// file.
    pub outside: bool,
    /// Whether the root of the tree is not that of a site, so that the targets of references such
    /// as `/a.html` are unknown.
    pub rootless: bool,
    /// Links are not checked if one of these matches the reference or the URL.
    pub excludes: Vec<regex::Regex>,
}
