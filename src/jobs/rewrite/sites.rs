//! The documentation sites of a run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::layout::Task;
use super::local_root::{LocalPlace, needs_root};
use super::options::Rewrite;
use crate::document::Document;
use crate::fs::{
    BaseMapping, Item, RealDirectory, bytes_of_path, directory_of, layouts, list, path_below,
    path_of_bytes, site_of,
};
use crate::rewrite::{Rule, SiteDocument};
use crate::site::layout::{SiteChoice, SiteKind};
use crate::site::{Listing, Site};
use crate::uri::Parts;

/// The documentation sites of a run.
#[derive(Default)]
pub(super) struct Sites {
    /// Directories with a URL.
    served: Vec<(RealDirectory, Site)>,
    /// Directories of inputs whose URL is unknown.
    local: HashMap<PathBuf, Site>,
    /// The place of each input, in the directory of its documentation site if it is in one.
    inputs: HashMap<PathBuf, LocalPlace>,
}

impl Sites {
    /// The sites in the directories whose documents have a URL, or get one.
    pub(super) fn new(rewrite: &Rewrite) -> Self {
        let mut sites = Self::default();
        let rules = &rewrite.rules;
        let is_plain = rewrite.site == SiteChoice::Kind(SiteKind::Plain);
        if is_plain || rules.rules.iter().all(Rule::is_about_text) {
            return sites;
        }
        if let (Some(mirror), Some(common)) = (rules.mirror(), &rewrite.mirror_root) {
            for (url, directory, listing) in mirror.trees() {
                let directory = common.path().join(path_of_bytes(directory));
                if let Ok(directory) = RealDirectory::new(&directory) {
                    sites.add_served(rewrite.site, url, directory, listing);
                }
            }
            return sites;
        }
        match &rewrite.inputs.read.retrieval {
            Some(BaseMapping::Tree { url, directory }) => {
                // Errors are reported when the files are read.
                let listing = Arc::new(list(directory.path(), |_| {}));
                sites.add_served(rewrite.site, url, directory.clone(), listing);
            }
            None if needs_root(rules) => {
                let mut roots = HashMap::new();
                for item in &rewrite.inputs.items {
                    sites.add_local(rewrite.site, item, &mut roots);
                }
            }
            Some(BaseMapping::Uri(_)) | None => {}
        }
        sites
    }

    fn add_served(
        &mut self,
        choice: SiteChoice,
        url: &str,
        directory: RealDirectory,
        listing: Arc<Listing>,
    ) {
        let choice = match choice {
            SiteChoice::Auto if shows_files(url) => SiteChoice::Kind(SiteKind::GitHub),
            choice => choice,
        };
        let layouts = layouts(directory.path(), choice, &listing);
        if !layouts.is_empty() {
            let site = Site::new(url, listing, Vec::new());
            self.served.push((directory, site.with_layouts(layouts)));
        }
    }

    /// Adds an input. `roots` has the sites of directories.
    fn add_local<'i>(
        &mut self,
        choice: SiteChoice,
        item: &'i Item,
        roots: &mut HashMap<&'i Path, Option<PathBuf>>,
    ) {
        let Item::Path(path) = item else {
            return;
        };
        let is_directory = path.is_dir();
        let directory = if is_directory {
            path
        } else {
            directory_of(path)
        };
        let mut in_site = || {
            let root = roots.entry(directory);
            let root = root.or_insert_with(|| site_of(directory, Path::new("a"), choice));
            let root = root.clone()?;
            let below = match is_directory {
                true => {
                    let real = path.canonicalize().ok()?;
                    real.strip_prefix(root.canonicalize().ok()?)
                        .ok()?
                        .to_owned()
                }
                false => RealDirectory::new(&root).ok()?.path_below(item)?,
            };
            Some(LocalPlace { root, below })
        };
        let place = in_site().or_else(|| {
            let root = is_directory.then(|| path.clone())?;
            let below = PathBuf::new();
            Some(LocalPlace { root, below })
        });
        let Some(place) = place else {
            return;
        };
        if !self.local.contains_key(&place.root) {
            let listing = list(&place.root, |_| {});
            let layouts = layouts(&place.root, choice, &listing);
            let site = Site::private(listing, Vec::new()).with_layouts(layouts);
            self.local.insert(place.root.clone(), site);
        }
        self.inputs.insert(path.clone(), place);
    }

    /// The directory that is the root of a document's site since its URL is unknown: an input, or that of the documentation
    /// site that contains it.
    pub(super) fn root_of(&self, task: &Task) -> Option<LocalPlace> {
        let path = task.item.file()?;
        let Some(input) = &task.root else {
            return self.inputs.get(path).cloned();
        };
        let rest = path_below(path, input).unwrap_or(path);
        Some(match self.inputs.get(input) {
            Some(place) => LocalPlace {
                root: place.root.clone(),
                below: place.below.join(rest),
            },
            None => LocalPlace {
                root: input.clone(),
                below: rest.to_owned(),
            },
        })
    }

    /// The documentation site of a document. `root` is its root if its URL is unknown.
    pub(super) fn of(
        &self,
        document: &Document,
        item: &Item,
        root: Option<&LocalPlace>,
    ) -> Option<SiteDocument<'_>> {
        if let Some(LocalPlace { root, below }) = root {
            return SiteDocument::new(self.local.get(root)?, &bytes_of_path(below));
        }
        document.base()?;
        let found = { self.served.iter() }
            .filter_map(|(directory, site)| Some((site, directory.path_below(item)?)));
        let (site, below) = found.min_by_key(|(_, below)| below.as_os_str().len())?;
        SiteDocument::new(site, &bytes_of_path(&below))
    }
}

/// Returns true for a URL at which a code host shows the files of a repository: then the addresses of pages are those of
/// files.
fn shows_files(url: &str) -> bool {
    let parts = Parts::split(url);
    let is_raw = parts.host().is_some_and(|it| it.starts_with("raw."));
    let marks = ["blob", "tree", "raw"];
    is_raw || parts.path.split('/').any(|name| marks.contains(&name))
}
