//! The options of a run.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::format::Options;
use crate::fs::{ReadOptions, WalkOptions};
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
///     if let CheckEvent::Broken { broken: it, position, .. } = event {
///         broken.push((it.link.reference.to_string(), position.line));
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
    /// The directory whose documents are checked: the root, or one below it.
    pub start: PathBuf,
    /// The URL of the root. Without one, absolute links are not local.
    pub url: Option<String>,
    /// The documents that are checked.
    pub walk: WalkOptions,
    /// How documents are read.
    pub read: ReadOptions,
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
    /// The number of documents in work at a time.
    pub threads: NonZeroUsize,
    /// Ends the run early.
    pub stop: Stop,
}

impl Check {
    /// A run over all documents of a directory.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let Inputs { read, threads, .. } = Inputs::default();
        Self {
            start: root.clone(),
            root,
            url: None,
            walk: WalkOptions::default(),
            read,
            options: Options::default(),
            index: ["index.html", "index.htm"].map(str::to_owned).to_vec(),
            needs_index: false,
            case: false,
            orphans: false,
            strips_dot: false,
            threads,
            stop: Stop::default(),
        }
    }

    /// Sets the URL of the root, which ends in `/`. Absolute links to URLs below it are local then.
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Sets how links are found and resolved.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Sets the token that ends the run early.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }
}
