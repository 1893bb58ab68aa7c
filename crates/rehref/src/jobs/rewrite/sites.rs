//! The documentation sites of a run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::layout::Task;
use super::local_root::needs_root;
use super::options::Rewrite;
use crate::docs_site::{SiteChoice, SiteKind};
use crate::document::Document;
use crate::format::Options;
use crate::format::markdown::Dialect;
use crate::fs::{BaseMapping, Item, RealDirectory, bytes_of_path, layouts, list, path_of_bytes};
use crate::jobs::input_sites::{InputPlace, InputSites};
use crate::link::PRIVATE_URL;
use crate::listing::Listing;
use crate::rules::SiteDocument;
use crate::site::{INDEX_FILES, Site};
use crate::uri::Parts;

/// The documentation sites of a run.
#[derive(Default)]
pub(super) struct Sites {
    /// Directories with a URL.
    served: Vec<(RealDirectory, Site)>,
    /// Those of inputs whose URL is unknown.
    local: InputSites,
    /// Those of all inputs, which decide how Markdown is read. Detected for the first document that
    /// needs them.
    reading: OnceLock<InputSites>,
    /// The trees in which the pages of clean URLs are looked up.
    pages: Pages,
}

/// The trees in which the pages of clean URLs are looked up. Empty without such a rule.
#[derive(Default)]
struct Pages {
    /// The directory that has a URL.
    served: Option<(RealDirectory, Site)>,
    /// Those without a URL, by their roots.
    local: HashMap<PathBuf, Site>,
}

impl Sites {
    /// The sites in the directories whose documents have a URL, or get one.
    pub(super) fn new(rewrite: &Rewrite) -> Self {
        let mut sites = Self::default();
        let rules = &rewrite.rules;
        let is_plain = rewrite.site == SiteChoice::Kind(SiteKind::Plain);
        let cleans = rules.adjustments.clean_urls;
        if is_plain && !cleans || rules.only_map_urls() {
            return sites;
        }
        if let (Some(mirror), Some(common)) = (rewrite.mirror.as_deref(), &rewrite.mirror_root) {
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
                if cleans {
                    let site = tree_of_pages(url, &listing);
                    sites.pages.served = Some((directory.clone(), site));
                }
                sites.add_served(rewrite.site, url, directory.clone(), listing);
            }
            None if needs_root(rules) => {
                sites.local = InputSites::new(rewrite.site, &rewrite.inputs.items);
                if cleans {
                    let trees = sites.local.trees();
                    let pages = trees.map(|(root, site)| {
                        (root.to_owned(), tree_of_pages(PRIVATE_URL, site.listing()))
                    });
                    sites.pages.local = pages.collect();
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

    /// The place of a document in the root of its site, if its URL is unknown.
    pub(super) fn place_of(&self, task: &Task) -> Option<InputPlace> {
        self.local.place_of(&task.item, task.root.as_deref())
    }

    /// The options for the links of a document, as its site reads them.
    pub(super) fn options_of<'o>(
        &self,
        rewrite: &Rewrite,
        options: &'o Options,
        (document, task): (&Document, &Task),
        site: Option<&SiteDocument<'_>>,
    ) -> Cow<'o, Options> {
        if !document.format().has_dialects() {
            return Cow::Borrowed(options);
        }
        let mut of_site = match (site, rewrite.site) {
            (Some(site), _) => site.options(options),
            (None, SiteChoice::Kind(kind)) => {
                kind.options_of(&bytes_of_path(document.path()), options)
            }
            (None, SiteChoice::Auto) => {
                let sites = { &self.reading }
                    .get_or_init(|| InputSites::new(rewrite.site, &rewrite.inputs.items));
                let found = sites.options_of(&task.item, task.root.as_deref(), options);
                match found.markdown.dialect {
                    Dialect::None => {
                        SiteKind::Plain.options_of(&bytes_of_path(document.path()), options)
                    }
                    _ => found,
                }
            }
        };
        // Other constructs are not rewritten.
        if !matches!(of_site.markdown.dialect, Dialect::None | Dialect::Mdx) {
            of_site.to_mut().markdown.without_constructs = true;
        }
        of_site
    }

    /// The tree of a document, in which the pages of clean URLs are looked up. `root` is its root
    /// if its URL is unknown.
    pub(super) fn pages_of(&self, item: &Item, root: Option<&InputPlace>) -> Option<&Site> {
        if let Some(place) = root {
            return self.pages.local.get(&place.root);
        }
        let (directory, site) = self.pages.served.as_ref()?;
        directory.path_below(item).map(|_| site)
    }

    /// The documentation site of a document. `root` is its root if its URL is unknown.
    pub(super) fn of(
        &self,
        document: &Document,
        item: &Item,
        root: Option<&InputPlace>,
    ) -> Option<SiteDocument<'_>> {
        if let Some(InputPlace { root, below }) = root {
            return SiteDocument::new(self.local.site_at(root)?, &bytes_of_path(below));
        }
        document.base()?;
        let found = { self.served.iter() }
            .filter_map(|(directory, site)| Some((site, directory.path_below(item)?)));
        let (site, below) = found.min_by_key(|(_, below)| below.as_os_str().len())?;
        SiteDocument::new(site, &bytes_of_path(&below))
    }
}

/// A tree whose pages may be named without their extension.
fn tree_of_pages(url: &str, listing: &Arc<Listing>) -> Site {
    Site::new(url, Arc::clone(listing), INDEX_FILES.map(str::to_owned).to_vec())
}

/// Returns true for a URL at which a code host shows the files of a repository: then the addresses
/// of pages are those of files.
fn shows_files(url: &str) -> bool {
    let parts = Parts::split(url);
    let is_raw = parts.host().is_some_and(|it| it.starts_with("raw."));
    let marks = ["blob", "tree", "raw"];
    is_raw || parts.path.split('/').any(|name| marks.contains(&name))
}
