//! Directories in the tree that may be the root of the site: root-relative links then name files
//! that move.

use std::borrow::Cow;

use super::broken::Trees;
use crate::document::Links;
use crate::link::is_private;
use crate::listing::Moves;
use crate::site::bare_page;
use crate::uri::Parts;

/// The directories below the root that contain all moves, the outermost first.
pub(super) struct InnerRoots(Vec<Vec<u8>>);

/// For each of these directories, the links that would name moving files if it were the root.
#[derive(Default)]
pub(super) struct InnerLinks(Vec<Named>);

/// Links that would name moving files.
#[derive(Clone, Default)]
struct Named {
    links: usize,
    /// The reference of the first.
    first: String,
}

impl InnerRoots {
    pub(super) fn of_moves(moves: &Moves) -> Self {
        let parents = moves.iter().flat_map(|it| [&it.from, &it.to]);
        let mut parents = parents.map(|path| match path.iter().rposition(|&it| it == b'/') {
            Some(end) => &path[..end],
            None => b"".as_slice(),
        });
        let mut directory = parents.next().unwrap_or_default();
        for other in parents {
            directory = common(directory, other);
        }
        let ends = (0..directory.len()).filter(|&at| directory[at] == b'/');
        let ends = ends.chain((!directory.is_empty()).then_some(directory.len()));
        Self(ends.map(|end| directory[..end].to_vec()).collect())
    }

    /// Counts the links of a document at `path` that have no target now. Costs one look-up for each
    /// such root-relative link and directory.
    pub(super) fn count(&self, links: &Links<'_>, path: &[u8], trees: &Trees<'_>) -> InnerLinks {
        let (site, moves) = (trees.before, trees.moves);
        let contains = |directory: &[u8]| {
            let rest = path.strip_prefix(directory);
            rest.is_some_and(|it| it.starts_with(b"/"))
        };
        let directories = self.0.iter().take_while(|it| contains(it));
        let mut counted: Vec<_> = directories.map(|it| (it, Named::default())).collect();
        if counted.is_empty() {
            return InnerLinks::default();
        }
        let mut resolver = links.resolving().unchecked();
        for link in &links.found().links {
            let parts = Parts::split(&link.reference);
            if parts.scheme.is_some() || parts.authority.is_some() || !parts.path.starts_with('/') {
                continue;
            }
            let uri = resolver.target(link).uri;
            // The rules of a site say where its root is.
            let is_on_site = |uri: &str| site.page_target(path, &link.reference, uri).is_some();
            if uri.is_some_and(is_on_site) {
                continue;
            }
            // With a URL, the root of the site is known.
            let uri = uri.filter(|it| is_private(it) && site.locate(it).is_missing());
            let Some(target) = uri.and_then(|it| site.path_of(it)) else {
                continue;
            };
            for (directory, named) in &mut counted {
                let file = [directory, b"/".as_slice(), &target].concat();
                let page = site.locate_path(&file).file();
                let page = page.map(|id| site.listing().name(id).to_vec());
                let page = page.or_else(|| bare_page(site, &file));
                let is_moving = |page: Vec<u8>| matches!(moves.new_path(&page), Cow::Owned(_));
                if page.is_some_and(is_moving) {
                    named.add(1, &link.reference);
                }
            }
        }
        InnerLinks(counted.into_iter().map(|(_, named)| named).collect())
    }

    /// The directory with the most links, their number, and the reference of the first.
    pub(super) fn best<'l>(&'l self, links: &'l InnerLinks) -> Option<(&'l [u8], usize, &'l str)> {
        let found = self.0.iter().zip(&links.0);
        // Of several the outermost, whose documents include those of the others.
        let (directory, named) = found.rev().max_by_key(|(_, named)| named.links)?;
        (named.links > 0).then_some((directory.as_slice(), named.links, named.first.as_str()))
    }
}

impl InnerLinks {
    pub(super) fn add(&mut self, other: Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), Named::default());
        }
        for (all, named) in self.0.iter_mut().zip(other.0) {
            all.add(named.links, &named.first);
        }
    }
}

impl Named {
    fn add(&mut self, links: usize, first: &str) {
        if self.links == 0 {
            first.clone_into(&mut self.first);
        }
        self.links += links;
    }
}

/// The deepest directory that contains two directories.
fn common<'p>(one: &'p [u8], other: &[u8]) -> &'p [u8] {
    let names = |path: &'p [u8]| path.split(|&it| it == b'/');
    let others = other.split(|&it| it == b'/');
    let shared = names(one).zip(others).take_while(|(one, other)| one == other);
    let length: usize = shared.map(|(name, _)| name.len() + 1).sum();
    &one[..length.saturating_sub(1)]
}
