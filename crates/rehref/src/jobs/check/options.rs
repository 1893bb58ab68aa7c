//! The options of a run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::baseline::Baseline;
use super::root::{CheckRoot, CheckRootError};
use crate::docs_site::SiteChoice;
use crate::format::{Format, Options, is_binary_name};
use crate::fs::Item;
use crate::jobs::{Inputs, Stop};
use crate::link::LinkFilter;
use crate::site::INDEX_FILES;

/// A run that finds the broken local links of files and directory trees, without the network.
///
/// Input that could not be read is reported as a [`CheckEvent::Error`](super::CheckEvent::Error),
/// not as a broken link. So do not judge a tree by `broken == 0` alone, and use
/// [`of_directory`](Self::of_directory) for a path that may be wrong.
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
    /// The directory whose files links may refer to. References above it are broken. `None`: each
    /// directory of the inputs is one, and for files the directory of each. Then other files are
    /// looked up, and references above the directory are broken only if there is no file.
    pub root: Option<PathBuf>,
    /// The URL of the root. It must be absolute; a missing `/` at its end is added. Absolute links
    /// to URLs below it are local; without it, none are. [`of_inputs`](Self::of_inputs) checks it.
    pub url: Option<String>,
    /// True to use the rule of a document's site for the ids of Markdown headings, not that of the
    /// options.
    pub slugs_of_site: bool,
    /// The kinds of documentation sites in the tree, whose documents write links by rules of their
    /// own.
    pub site: SiteChoice,
    /// The documents that are checked, and how they are read. Only files and directories are, and
    /// none outside of the root.
    pub inputs: Inputs,
    /// The options for finding and resolving links. With [`Options::anchors`], the default here,
    /// fragments are checked.
    pub options: Options,
    /// The names of index files, which are shown for directories.
    pub index: Vec<String>,
    /// True if a link to a directory needs an index file.
    pub needs_index: bool,
    /// True if a path without an extension names a page, as many servers read it: `about` is
    /// `about.html`.
    pub clean_urls: bool,
    /// True if links are broken that work only where the case of names, or their Unicode normal
    /// form, does not count.
    pub case: bool,
    /// True to report pages without links from other documents.
    pub orphans: bool,
    /// The links that are checked.
    pub filter: LinkFilter,
    /// Findings that are accepted: they are neither reported as broken nor counted.
    pub baseline: Option<Arc<Baseline>>,
    /// True to name documents without a `./` at the beginning.
    pub strips_dot: bool,
    /// Ends the run early. Then the numbers of the run are those of the part that was checked.
    pub stop: Stop,
}

impl Check {
    /// A run over all documents of a directory, which is added to [`inputs`](Self::inputs).
    ///
    /// The path is not looked at. If it is missing, the run reports a
    /// [`CheckEvent::Error`](super::CheckEvent::Error) and all its numbers are 0.
    /// [`of_directory`](Self::of_directory) returns an error.
    pub fn new(directory: impl AsRef<Path>) -> Self {
        let mut inputs = Inputs::default();
        inputs.add_path(directory);
        Self {
            root: None,
            inputs,
            url: None,
            slugs_of_site: true,
            site: SiteChoice::default(),
            options: Options { anchors: true, ..Options::default() },
            index: INDEX_FILES.map(str::to_owned).to_vec(),
            needs_index: false,
            clean_urls: false,
            case: false,
            orphans: false,
            filter: LinkFilter::default(),
            baseline: None,
            strips_dot: false,
            stop: Stop::default(),
        }
    }

    /// A run over all documents of a directory, by default that of the base or the current one.
    /// `base` is the URL of the directory, or `URL=DIR`: then the URLs of DIR, which contains it,
    /// are local.
    ///
    /// # Errors
    /// If the base is invalid, or the directory does not exist or is not in that of the base.
    pub fn of_directory(
        directory: Option<&Path>,
        base: Option<&OsStr>,
    ) -> Result<Self, CheckRootError> {
        if let Some(directory) = directory.filter(|it| !it.is_dir()) {
            return Err(CheckRootError::NotADirectory(directory.to_owned()));
        }
        let inputs = directory.map(|it| Item::Path(it.to_owned()));
        Self::of_inputs(inputs.into_iter().collect(), None, base)
    }

    /// A run over files and directories, by default the root, the directory of the base or the
    /// current one. `root` is the directory whose files links may refer to. `base` is its URL, or
    /// that of the only directory of the inputs; or `URL=DIR`: then DIR is the root, and URLs below
    /// URL are local.
    ///
    /// # Errors
    /// If the base is invalid, the root does not exist, or an input is not in it.
    pub fn of_inputs(
        inputs: Vec<Item>,
        root: Option<&Path>,
        base: Option<&OsStr>,
    ) -> Result<Self, CheckRootError> {
        let found = CheckRoot::new(inputs, root, base)?;
        let mut check = Self::new(".");
        check.root = found.root;
        check.inputs.items = found.inputs;
        check.url = found.url;
        check.strips_dot = !found.is_named;
        Ok(check)
    }

    /// Returns true if a file of this name may be a document with local links. Others are not read.
    pub fn may_read(&self, name: &Path) -> bool {
        match Format::from_extension(name) {
            _ if self.inputs.read.format.is_some() => true,
            // Some names without such an extension are those of documents with links, too.
            Some(format) => {
                self.has_local_links(format) || self.has_local_links(Format::detect(name, b""))
            }
            None => !is_binary_name(name),
        }
    }

    /// Returns true if documents of this format may have local links. Text has absolute links only,
    /// and without a URL of the tree they are not local.
    pub(super) fn has_local_links(&self, format: Format) -> bool {
        format.is_markup()
            || format.is_package()
            || self.url.is_some()
            || self.inputs.read.format.is_some()
    }

    /// The lines of the baseline that no longer have a finding, after the run: their document was
    /// checked, or does not exist. Findings that these options do not look for are not among them.
    pub fn stale(&self) -> Vec<&str> {
        let finds = |reason: &str| match reason {
            "anchor" => self.options.anchors,
            "case" => self.case,
            "index" => self.needs_index,
            "orphan" => self.orphans,
            _ => true,
        };
        let baseline = self.baseline.as_deref();
        baseline.map_or_else(Vec::new, |it| it.stale(finds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::CheckEvent;

    #[test]
    fn missing_directory_is_an_error_event() {
        let files = crate::files::Tree::empty();
        let root = files.at("missing");
        let mut errors = 0;
        let totals = Check::new(&root).for_each(|event| match event {
            CheckEvent::Error(_) => errors += 1,
            CheckEvent::Surveyed(_) | CheckEvent::Progress => {}
            other => panic!("{other:?}"),
        });
        assert_eq!((errors, totals.docs), (1, 0));
        assert!(Check::of_directory(Some(&root), None).is_err());
    }
}
