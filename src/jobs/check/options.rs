//! The options of a run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::root::{CheckRoot, CheckRootError};
use crate::format::Options;
use crate::fs::Item;
use crate::jobs::{Inputs, Stop};

/// A run that finds the broken local links of a directory tree, without the network.
///
/// ```
/// use rehref::jobs::{Check, CheckEvent};
///
/// # let site = tempfile::tempdir()?;
/// # std::fs::write(site.path().join("a.html"), "<a href=b.html>")?;
/// let mut broken = Vec::new();
/// let totals = Check::new(site.path()).for_each(|event| {
///     if let CheckEvent::Broken(it) = event {
///         broken.push((it.link.reference().to_owned(), it.link.line()));
///     }
/// });
/// assert_eq!(broken, [("b.html".to_owned(), 1)]);
/// assert_eq!(totals.broken, 1);
/// # std::io::Result::Ok(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Check {
    /// The directory whose files links may refer to.
    pub root: PathBuf,
    /// The URL of the root, which ends in `/`. Absolute links to URLs below it are local; without it, none are.
    pub url: Option<String>,
    /// The documents that are checked, and how they are read. Files outside of the root are not checked.
    pub inputs: Inputs,
    /// How links are found and resolved. With [`Options::anchors`], fragments are checked.
    pub options: Options,
    /// The names of index files, which are shown for directories.
    pub index: Vec<String>,
    /// Whether a link to a directory needs an index file.
    pub needs_index: bool,
    /// Whether links are broken that work only where the case of names, or their Unicode normal form, does not count.
    pub case: bool,
    /// Whether pages without links from other documents are reported.
    pub orphans: bool,
    /// Whether documents are named without a `./` at the beginning.
    pub strips_dot: bool,
    /// Ends the run early.
    pub stop: Stop,
}

impl Check {
    /// A run over all documents of a directory.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let mut inputs = Inputs::default();
        inputs.add_path(&root);
        Self {
            root,
            inputs,
            url: None,
            options: Options::default(),
            index: ["index.html", "index.htm"].map(str::to_owned).to_vec(),
            needs_index: false,
            case: false,
            orphans: false,
            strips_dot: false,
            stop: Stop::default(),
        }
    }

    /// A run over all documents of a directory, by default that of the base or the current one. `base` is the URL of the
    /// directory, or `URL=DIR`: then the URLs of DIR, which contains it, are local.
    ///
    /// # Errors
    /// If the base is invalid, or the directory does not exist or is not in that of the base.
    pub fn of_directory(
        directory: Option<&Path>,
        base: Option<&OsStr>,
    ) -> Result<Self, CheckRootError> {
        let found = CheckRoot::new(directory, base)?;
        let mut check = Self::new(found.root);
        check.inputs.items = vec![Item::Path(found.start)];
        check.url = found.url;
        check.strips_dot = !found.is_named;
        Ok(check)
    }
}
