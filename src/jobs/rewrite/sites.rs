//! The documentation sites of a run.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::layout::Task;
use super::local_root::needs_root;
use super::options::Rewrite;
use crate::document::Document;
use crate::fs::{
    BaseMapping, Item, RealDirectory, bytes_of_path, directory_of, layouts, list, path_below,
    path_of_bytes, site_above,
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
    /// The directory of the site of each input that is a file, and the path of the file in it.
    files: HashMap<PathBuf, Place>,
}

/// The place of a file in a directory.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) root: PathBuf,
    pub(super) below: PathBuf,
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
                for item in &rewrite.inputs.items {
                    sites.add_local(rewrite.site, item);
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

    fn add_local(&mut self, choice: SiteChoice, item: &Item) {
        let Item::Path(path) = item else {
            return;
        };
        let root = match path.is_dir() {
            true => path.clone(),
            false => {
                let root = site_above(directory_of(path), choice);
                let real = root.as_deref().and_then(|it| RealDirectory::new(it).ok());
                let below = real.and_then(|it| it.path_below(item));
                let (Some(root), Some(below)) = (root, below) else {
                    return;
                };
                let place = Place {
                    root: root.clone(),
                    below,
                };
                self.files.insert(path.clone(), place);
                root
            }
        };
        if self.local.contains_key(&root) {
            return;
        }
        let listing = list(&root, |_| {});
        let layouts = layouts(&root, choice, &listing);
        let site = Site::private(listing, Vec::new());
        self.local.insert(root, site.with_layouts(layouts));
    }

    /// The directory that is the root of a document's site since its URL is unknown: an input, or the one of the documentation
    /// site that contains an input.
    pub(super) fn root_of(&self, task: &Task) -> Option<Place> {
        let path = task.item.file()?;
        match &task.root {
            Some(root) => Some(Place {
                below: path_below(path, root).unwrap_or(path).to_owned(),
                root: root.clone(),
            }),
            None => self.files.get(path).cloned(),
        }
    }

    /// The documentation site of a document. `root` is its root if its URL is unknown.
    pub(super) fn of(
        &self,
        document: &Document,
        item: &Item,
        root: Option<&Place>,
    ) -> Option<SiteDocument<'_>> {
        if let Some(Place { root, below }) = root {
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
