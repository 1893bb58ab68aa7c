//! Index of trees by directory and by URL.

use std::collections::{BTreeSet, HashMap};

use crate::uri::Parts;

/// The numbers of trees, by directory and by URL.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// By the directory below the common one, with a final slash: the first tree in it.
    by_directory: HashMap<Vec<u8>, usize>,
    /// By scheme and authority in normal form: the trees with the longest URLs first.
    by_origin: HashMap<String, Vec<usize>>,
    schemes: BTreeSet<String>,
}

/// The scheme and authority of a URL in normal form.
fn origin(normal: &str) -> &str {
    let authority = normal.find("://").map_or(0, |at| at + 3);
    let rest = &normal.as_bytes()[authority..];
    let end = rest.iter().position(|it| matches!(it, b'/' | b'?' | b'#'));
    &normal[..end.map_or(normal.len(), |end| authority + end)]
}

impl Places {
    /// Indexes trees, in the order of their numbers: the directory of each, and its URL in normal
    /// form.
    pub(super) fn new<'t>(trees: impl IntoIterator<Item = (&'t [u8], &'t str)>) -> Self {
        let mut places = Self::default();
        let mut lens = Vec::new();
        for (tree, (directory, url)) in trees.into_iter().enumerate() {
            places.by_directory.entry(directory.to_vec()).or_insert(tree);
            let of_origin = places.by_origin.entry(origin(url).to_owned());
            of_origin.or_default().push(tree);
            let scheme = Parts::split(url).scheme.unwrap_or_default();
            if !places.schemes.contains(scheme) {
                places.schemes.insert(scheme.to_owned());
            }
            lens.push(url.len());
        }
        for trees in places.by_origin.values_mut() {
            trees.sort_by_key(|&tree| std::cmp::Reverse(lens[tree]));
        }
        places
    }

    /// The tree that contains a path below the common directory: the deepest, and of several the
    /// first. Costs one look-up per level of the path.
    pub(super) fn holding(&self, path: &[u8]) -> Option<usize> {
        let ends = memchr::memrchr_iter(b'/', path).map(|at| at + 1);
        let mut directories = ends.chain([0]).map(|end| &path[..end]);
        directories.find_map(|it| self.by_directory.get(it).copied())
    }

    /// The trees whose URLs have the scheme and authority of this URL, which is in normal form.
    pub(super) fn of_url(&self, normal: &str) -> &[usize] {
        let trees = self.by_origin.get(origin(normal));
        trees.map_or(&[], Vec::as_slice)
    }

    /// The schemes of all URLs.
    pub(super) fn schemes(&self) -> impl Iterator<Item = &str> {
        self.schemes.iter().map(String::as_str)
    }
}
