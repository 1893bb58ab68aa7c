//! The documentation sites that contain the inputs of a run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::docs_site::SiteChoice;
use crate::format::Options;
use crate::fs::{
    Item, RealDirectory, bytes_of_path, directory_of, layouts, list, path_below, site_of,
};
use crate::site::Site;

/// The documentation sites that contain inputs, or are in them.
#[derive(Default)]
pub(super) struct InputSites {
    /// By directory.
    sites: HashMap<PathBuf, Site>,
    /// The places of inputs.
    places: HashMap<PathBuf, InputPlace>,
}

/// The place of an input or a document in a directory that is the root of its site.
#[derive(Clone, Debug)]
pub(super) struct InputPlace {
    pub(super) root: PathBuf,
    /// The path below the root.
    pub(super) below: PathBuf,
}

impl InputSites {
    /// The sites of inputs. Errors are not reported: they are when the files are read.
    pub(super) fn new(choice: SiteChoice, items: &[Item]) -> Self {
        let mut sites = Self::default();
        let mut roots = HashMap::new();
        for item in items {
            sites.add(choice, item, &mut roots);
        }
        sites
    }

    /// Adds an input. `roots` has the sites of directories.
    fn add<'i>(
        &mut self,
        choice: SiteChoice,
        item: &'i Item,
        roots: &mut HashMap<&'i Path, Option<PathBuf>>,
    ) {
        let Item::Path(path) = item else {
            return;
        };
        let is_directory = path.is_dir();
        let directory = if is_directory { path } else { directory_of(path) };
        let mut in_site = || {
            let root = roots.entry(directory);
            let root = root.or_insert_with(|| site_of(directory, Path::new("a"), choice));
            let root = root.clone()?;
            let below = match is_directory {
                true => {
                    let real = path.canonicalize().ok()?;
                    real.strip_prefix(root.canonicalize().ok()?).ok()?.into()
                }
                false => RealDirectory::new(&root).ok()?.path_below(item)?,
            };
            Some(InputPlace { root, below })
        };
        let place = in_site().or_else(|| {
            let root = is_directory.then(|| path.clone())?;
            let below = PathBuf::new();
            Some(InputPlace { root, below })
        });
        let Some(place) = place else {
            return;
        };
        if !self.sites.contains_key(&place.root) {
            let listing = list(&place.root, |_| {});
            let layouts = layouts(&place.root, choice, &listing);
            let site = Site::private(listing, Vec::new()).with_layouts(layouts);
            self.sites.insert(place.root.clone(), site);
        }
        self.places.insert(path.clone(), place);
    }

    /// The place of a file in the root of its site: the documentation site that contains its input,
    /// or the input itself. `input` is the directory in which it was found.
    pub(super) fn place_of(&self, item: &Item, input: Option<&Path>) -> Option<InputPlace> {
        let path = item.file()?;
        let Some(input) = input else {
            return self.places.get(path).cloned();
        };
        let rest = path_below(path, input).unwrap_or(path);
        Some(match self.places.get(input) {
            Some(place) => InputPlace { root: place.root.clone(), below: place.below.join(rest) },
            None => InputPlace { root: input.to_owned(), below: rest.to_owned() },
        })
    }

    /// The options for the links of a file, as its site reads them. See [`place_of`](Self::place_of).
    pub(super) fn options_of<'o>(
        &self,
        item: &Item,
        input: Option<&Path>,
        options: &'o Options,
    ) -> Cow<'o, Options> {
        let place = self.place_of(item, input);
        let site = place.and_then(|it| Some((self.site_at(&it.root)?, it.below)));
        match site {
            Some((site, below)) => site.layouts().options_of(&bytes_of_path(&below), options),
            None => Cow::Borrowed(options),
        }
    }

    /// The trees with their roots.
    pub(super) fn trees(&self) -> impl Iterator<Item = (&Path, &Site)> {
        self.sites.iter().map(|(root, site)| (&**root, site))
    }

    /// The tree with a root.
    pub(super) fn site_at(&self, root: &Path) -> Option<&Site> {
        self.sites.get(root)
    }
}
