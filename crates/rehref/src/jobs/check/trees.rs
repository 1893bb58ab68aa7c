//! The trees of a run: directories with the documents that are checked.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::options::Check;
use super::paths::real_path_below;
use crate::error::Error;
use crate::format::site_config;
use crate::fs::{
    Item, WalkEntry, bytes_of_path, directory_of, list, list_to_depth, path_below, path_of_bytes,
    presence, site_of,
};
use crate::listing::Presence;
use crate::listing::{Entry, Id, Listing};

/// A directory whose files links may refer to, with inputs in it.
pub(super) struct Tree {
    /// The directory as named.
    root: PathBuf,
    /// The directory without symbolic links, in which the parent of a path is the path without its
    /// last name.
    real: PathBuf,
    /// True if the root is only the directory of named files. Then its subdirectories are not
    /// listed, since they may be large.
    pub(super) is_of_files: bool,
    /// The paths of the inputs below the root.
    below: HashMap<PathBuf, PathBuf>,
}

impl Tree {
    fn new(root: &Path, is_of_files: bool) -> Self {
        Self {
            root: root.to_owned(),
            real: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
            is_of_files,
            below: HashMap::new(),
        }
    }

    /// Lists the directory.
    pub(super) fn list(&self, report_error: impl FnMut(Error)) -> Listing {
        match self.is_of_files {
            // Each missing file has an error of its own.
            true if !self.root.exists() => Listing::of_files([] as [&str; 0]),
            true => list_to_depth(&self.root, Some(1), report_error),
            false => list(&self.root, report_error),
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns true for an input that is the whole tree.
    pub(super) fn is_whole(&self, input: &Path) -> bool {
        self.below.get(input).is_some_and(|it| it == Path::new("")) && input.is_dir()
    }

    /// Returns false if a file is certainly no input.
    pub(super) fn may_check(&self, name: &[u8]) -> bool {
        !self.is_of_files || self.below.values().any(|it| *bytes_of_path(it) == *name)
    }

    /// Looks up a path relative to the root, which may begin with `..`.
    pub(super) fn look(&self, path: &[u8]) -> Presence {
        presence(&self.real.join(path_of_bytes(path)))
    }

    /// Returns the file of a listing that an entry of the walk is, and its path below the root.
    /// `None` for a symbolic link in a directory whose file is outside of the tree.
    pub(super) fn file(&self, found: &WalkEntry, listing: &Listing) -> Option<(Id, Vec<u8>)> {
        let path = found.item.file()?;
        let below = match &found.root {
            Some(named) => {
                let below = self.below.get(named)?;
                below.join(path_below(path, named)?)
            }
            None => self.below.get(path)?.clone(),
        };
        let below = bytes_of_path(&below).into_owned();
        match listing.resolved(&below) {
            Some((file, Entry::File)) => Some((file, below)),
            // A link that is named is checked, wherever its file is.
            _ if found.root.is_none() => Some((listing.id(&below)?, below)),
            _ => None,
        }
    }
}

/// The trees of a run, and its inputs.
#[derive(Default)]
pub(super) struct Trees {
    pub(super) trees: Vec<Tree>,
    /// The inputs in order: the number of the tree, and inputs in it.
    pub(super) inputs: Vec<(usize, Vec<Item>)>,
}

impl Trees {
    /// The trees of a run. Inputs outside of a given root are left out.
    pub(super) fn new(check: &Check) -> Self {
        let paths = check.inputs.items.iter().filter_map(|item| match item {
            Item::Path(path) => Some(&**path),
            _ => None,
        });
        let mut trees = Self::default();
        if let Some(root) = &check.root {
            trees.trees.push(Tree::new(root, false));
            for path in paths {
                if let Some(below) = real_path_below(&trees.trees[0].real, path) {
                    trees.add(0, path, below);
                }
            }
            return trees;
        }
        let mut directories = HashMap::new();
        let mut sites: HashMap<(&Path, bool), (PathBuf, bool)> = HashMap::new();
        for path in paths {
            let name = path.file_name().filter(|_| !path.is_dir());
            let next = trees.trees.len();
            let Some(name) = name else {
                trees.trees.push(Tree::new(path, false));
                trees.add(next, path, PathBuf::new());
                continue;
            };
            // The rules of a site need all of its files.
            let directory = directory_of(path);
            let is_configuration = site_config::site_of(name.as_encoded_bytes()).is_some();
            let site = || site_of(directory, Path::new(name), check.site);
            let sites = sites.entry((directory, is_configuration));
            let (root, is_site) = sites.or_insert_with(|| match site() {
                Some(site) => (site, true),
                None => (directory.to_owned(), false),
            });
            let number = *directories.entry(root.clone()).or_insert(next);
            if number == next {
                trees.trees.push(Tree::new(root, !*is_site));
            }
            let below = match is_site {
                true => real_path_below(&trees.trees[number].real, path),
                false => None,
            };
            trees.add(number, path, below.unwrap_or_else(|| PathBuf::from(name)));
        }
        trees
    }

    fn add(&mut self, number: usize, path: &Path, below: PathBuf) {
        self.trees[number].below.insert(path.to_owned(), below);
        let item = Item::Path(path.to_owned());
        match self.inputs.last_mut() {
            Some((last, items)) if *last == number => items.push(item),
            _ => self.inputs.push((number, vec![item])),
        }
    }
}
