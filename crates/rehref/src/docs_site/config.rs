//! The configuration of a site with its directory, and the layout of the directories that it names.

use std::collections::HashMap;

use super::address::{DocsSite, Elsewhere, Mount, Role};
use super::generated::GeneratedPages;
use super::hugo::Languages;
use super::jekyll::Permalinks;
use super::kind::SiteKind;
use super::paths::{below, join, resolved};
use super::routes::Routes;
use crate::format::markdown::PythonIds;
use crate::listing::Listing;
use crate::settings::Setting;

/// Reads the files by which sites are found.
pub trait ConfigFiles {
    /// The text of a file in the tree, or its beginning. `None` if it cannot be read.
    fn read(&self, path: &[u8]) -> Option<String>;

    /// The text of a file in a directory above the tree: one level up for 1.
    fn read_above(&self, levels: usize, name: &str) -> Option<String>;

    /// Returns true if an entry exists in a directory above the tree, or in the root of the tree
    /// for 0 levels.
    fn exists(&self, levels: usize, name: &str) -> bool;

    /// The names of the directories in which sites are searched above the tree, and of the tree:
    /// those below the root of the repository.
    fn names_above(&self) -> Vec<Vec<u8>>;

    /// The configuration of the repository that contains the tree, and the number of levels from
    /// the tree to its root.
    fn repository(&self) -> Option<(String, usize)>;
}

/// A directory that may have a site: in the tree, or above it.
#[derive(Clone, Debug)]
pub(super) enum Place {
    In(Vec<u8>),
    /// The path of the tree below the directory, and the number of levels.
    Above(Vec<u8>, usize),
}

/// A directory that may have a site, with the files below it.
pub(super) struct SiteDirectory<'d> {
    pub(super) place: Place,
    pub(super) listing: &'d Listing,
    pub(super) files: &'d dyn ConfigFiles,
}

/// The configuration of a site: its kind, and the text of its file with the settings in it.
pub(super) struct Config<'d> {
    pub(super) directory: SiteDirectory<'d>,
    pub(super) kind: SiteKind,
    pub(super) text: String,
    pub(super) settings: Setting,
    /// True if the user has chosen the kind.
    pub(super) is_chosen: bool,
}

/// A layout with these mounts: the directory below that of the site, and the path on the site.
pub(super) fn layout_with(
    kind: SiteKind,
    place: &Place,
    mounts: &[(&str, &str, Role)],
) -> DocsSite {
    let mut elsewhere = Vec::new();
    let mut in_tree = Vec::new();
    for (directory, url, role) in mounts {
        let url = url.trim_matches('/');
        match place.mount(directory, url, *role) {
            Some(mount) => in_tree.push(mount),
            None => elsewhere.push(Elsewhere { url: url.into(), role: *role }),
        }
    }
    DocsSite {
        kind,
        mounts: in_tree,
        home: place.home(),
        urls: kind.program().urls,
        slugs: kind.program().slugs,
        prefix: Vec::new(),
        keeps_rooted: false,
        has_block_ids: false,
        python: PythonIds::default(),
        has_number_parser: false,
        has_computed_ids: false,
        finds_pages: false,
        is_from_root: false,
        translations: None,
        detects_mdx: false,
        strips_slashes: false,
        own_addresses: HashMap::new(),
        own_ids: HashMap::new(),
        permalinks: Permalinks::default(),
        excluded: None,
        routes: Routes::default(),
        languages: Languages::default(),
        aliases: HashMap::new(),
        generated: GeneratedPages::default(),
        elsewhere,
    }
}

impl Place {
    /// A path in the configuration: from the root of the tree, or from the directory above it.
    /// `None` if it climbs above that, or is absolute.
    pub(super) fn path(&self, path: &str) -> Option<Vec<u8>> {
        let begin = match self {
            Self::In(place) => place.as_slice(),
            Self::Above(..) => b"",
        };
        let is_relative = !path.starts_with('/');
        let resolved = resolved(begin, &path.replace('%', "%25")).ok();
        Some(resolved.filter(|_| is_relative)?.names)
    }

    /// Mounts a directory. `None` if it is outside of the tree.
    fn mount(&self, directory: &str, url: &str, role: Role) -> Option<Mount> {
        let directory = self.path(directory)?;
        let url = url.as_bytes();
        match self {
            Self::In(_) => Some(Mount { directory, url: url.to_vec(), role, is_partial: false }),
            Self::Above(tree, _) => {
                // The tree is in the mounted directory, or the other way round.
                if let Some(rest) = below(tree, &directory) {
                    return Some(Mount {
                        directory: Vec::new(),
                        url: join(url, rest),
                        role,
                        is_partial: !rest.is_empty(),
                    });
                }
                Some(Mount {
                    directory: below(&directory, tree)?.to_vec(),
                    url: url.to_vec(),
                    role,
                    is_partial: false,
                })
            }
        }
    }

    /// The directory of the site itself.
    fn home(&self) -> Mount {
        let (directory, url) = match self {
            Self::In(place) => (place.clone(), Vec::new()),
            Self::Above(tree, _) => (Vec::new(), tree.clone()),
        };
        Mount { is_partial: !url.is_empty(), directory, url, role: Role::Files }
    }
}

impl SiteDirectory<'_> {
    /// Returns true if an entry exists in the directory.
    pub(super) fn has(&self, name: &str) -> bool {
        match &self.place {
            Place::In(_) => self.place.path(name).and_then(|it| self.listing.id(&it)).is_some(),
            Place::Above(_, levels) => self.files.exists(*levels, name),
        }
    }

    /// The text of a file by its path from the directory.
    pub(super) fn read(&self, path: &str) -> Option<String> {
        match &self.place {
            Place::In(place) => self.files.read(&join(place, path.as_bytes())),
            Place::Above(_, levels) => self.files.read_above(*levels, path),
        }
    }
}

/// The path of a URL, without slashes at its ends.
pub(super) fn path_of_url(url: &str) -> Vec<u8> {
    let path = crate::uri::Parts::split(url).path;
    path.trim_matches('/').as_bytes().to_vec()
}
