//! The options of a run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::root::{CheckRoot, CheckRootError};
use crate::format::Options;
use crate::fs::Item;
use crate::jobs::{Inputs, Stop};

/// A run that finds the broken local links of a directory tree, without the network.
///
/// What could not be read is a [`CheckEvent::Error`](super::CheckEvent::Error) and not a broken link. So do not judge a
/// tree by `broken == 0` alone, and use [`of_directory`](Self::of_directory) for a path that may be wrong.
///
/// ```
/// use rehref::jobs::{Check, CheckEvent};
///
/// # let site = tempfile::tempdir()?;
/// # std::fs::write(site.path().join("a.html"), "<a href=b.html>")?;
/// let mut broken = Vec::new();
/// let mut errors = Vec::new();
/// let totals = Check::of_directory(Some(site.path()), None)?.for_each(|event| match event {
///     CheckEvent::Broken(it) => broken.push((it.link.reference().to_owned(), it.link.line())),
///     CheckEvent::Error(error) | CheckEvent::Damaged(error) => errors.push(error.to_string()),
///     _ => {}
/// });
/// assert_eq!(broken, [("b.html".to_owned(), 1)]);
/// assert_eq!(totals.broken, 1);
/// assert!(errors.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Check {
    /// The directory whose files links may refer to.
    pub root: PathBuf,
    /// The URL of the root. It must be absolute; a missing `/` at its end is added. Absolute links to URLs below it are
    /// local; without it, none are. [`of_directory`](Self::of_directory) checks it.
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
    /// Ends the run early. Then the numbers of the run are those of the part that was checked.
    pub stop: Stop,
}

impl Check {
    /// A run over all documents of a directory, which is added to [`inputs`](Self::inputs) too.
    ///
    /// The path is not looked at. If it is missing, the run reports a [`CheckEvent::Error`](super::CheckEvent::Error) and
    /// all its numbers are 0; if it is a file, nothing is read or reported. [`of_directory`](Self::of_directory) returns an
    /// error for both.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::CheckEvent;

    #[test]
    fn missing_directory_is_an_error_event() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().join("missing");
        let mut errors = 0;
        let totals = Check::new(&root).for_each(|event| match event {
            CheckEvent::Error(_) => errors += 1,
            CheckEvent::Surveyed(_) => {}
            other => panic!("{other:?}"),
        });
        assert_eq!((errors, totals.docs), (1, 0));
        assert!(Check::of_directory(Some(&root), None).is_err());
    }
}
