//! A tree that is larger than the root of a run: its documents may refer to files that move.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::options::Relocate;
use crate::bytes::percent;
use crate::document::Links;
use crate::fs::journal::{Root, Run};
use crate::fs::{Content, Item, bytes_of_path, documents_outside, path_of_bytes, repository_above};
use crate::jobs::edits::TreeEvidence;
use crate::listing::{Listing, Moves};
use crate::site::{INDEX_FILES, Site};
use crate::source::{Base, BaseFrom};
use crate::uri::Parts;

/// The most bytes of documents outside of the root that are read.
const MAX_READ: u64 = 64 << 20;

/// A tree that is larger than the root.
pub(super) struct LargerTree {
    /// Without symbolic links.
    pub(super) directory: PathBuf,
    pub(super) evidence: TreeEvidence,
    /// A document in it, but not in the root, that refers to a file that moves.
    pub(super) document: Option<PathBuf>,
    /// The number of other such documents.
    pub(super) others: usize,
    /// True if all such documents were counted.
    pub(super) is_counted: bool,
}

/// Returns the deepest directory with the tree and the existing files above it to which a document
/// at `path` refers.
pub(super) fn referred_above(
    links: &Links<'_>,
    site: &Site,
    root: &Root,
    path: &Path,
) -> Option<PathBuf> {
    let directory = root.directory().join(path);
    let directory = directory.parent()?;
    let mut resolver = links.resolving().unchecked();
    let links = links.found().links.iter();
    let above = links.filter_map(|link| {
        let base = resolver.target(link).base;
        let base = base.map(|(base, _)| base.as_str());
        let target = Parts::split(&link.reference).path;
        if target.starts_with('/') || !site.is_above(&link.reference, base) {
            return None;
        }
        let target = directory.join(path_of_bytes(&percent::decode(target)));
        common(root.directory(), &target.canonicalize().ok()?)
    });
    highest(above)
}

/// Returns the deepest directory above a root that contains a path. `None` if the root contains it,
/// or if that is the root of the file system.
pub(super) fn common(root: &Path, path: &Path) -> Option<PathBuf> {
    let common = root.ancestors().find(|it| path.starts_with(it))?;
    (common != root && common.parent().is_some()).then(|| common.to_owned())
}

/// Returns the highest of directories that contain each other.
pub(super) fn highest(directories: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    directories.min_by_key(|it| it.components().count())
}

/// Returns the name of a path in a directory above a root, which has the name `shown`.
pub(super) fn name_above(root: &Path, path: &Path, shown: &Path) -> PathBuf {
    let shared = root.ancestors().find(|it| path.starts_with(it));
    let shared = shared.unwrap_or(root);
    let levels = root.components().count() - shared.components().count();
    let mut name = match shown == Path::new(".") {
        true => PathBuf::new(),
        false => shown.to_owned(),
    };
    (0..levels).for_each(|_| name.push(".."));
    // An empty path would add a slash.
    name.extend(path.strip_prefix(shared).unwrap_or(path));
    name
}

impl LargerTree {
    /// Finds a larger tree that shows that links to moving files are not updated. `referred` is the
    /// directory to which moving documents refer.
    pub(super) fn find(
        relocate: &Relocate,
        root: &Root,
        moves: &Moves,
        referred: Option<PathBuf>,
    ) -> Option<Self> {
        let earlier = Run::nearest(root).filter(|it| it != root);
        let earlier = earlier.map(|it| it.directory().to_owned());
        let repository = repository_above(root.directory());
        let whole = highest([&referred, &earlier, &repository].into_iter().flatten().cloned())?;
        let search = Search::new(relocate, root, moves, &whole);
        let (evidence, directory) = match (referred, earlier, repository) {
            (Some(referred), ..) => (TreeEvidence::References, referred),
            _ if search.is_whole && search.document.is_none() => return None,
            (None, Some(earlier), _) => (TreeEvidence::EarlierRun, earlier),
            (None, None, repository) => (TreeEvidence::Repository, repository?),
        };
        // The documents show the root better than anything else.
        let directory = highest(search.directory.into_iter()).unwrap_or(directory);
        Some(Self {
            directory,
            evidence,
            document: search.document,
            others: search.others,
            is_counted: search.is_whole,
        })
    }
}

/// A search for documents that refer to moving files and are outside of the root.
struct Search {
    /// The first such document.
    document: Option<PathBuf>,
    /// The number of others.
    others: usize,
    /// The deepest directory that contains the root and all such documents.
    directory: Option<PathBuf>,
    /// True if all documents were searched.
    is_whole: bool,
}

impl Search {
    /// Searches a limited number of documents in a directory that contains the root.
    fn new(relocate: &Relocate, root: &Root, moves: &Moves, directory: &Path) -> Self {
        let mut search = Self { document: None, others: 0, directory: None, is_whole: true };
        let site = Site::private(Listing::default(), Vec::new());
        let inner = root.directory().strip_prefix(directory);
        let inner = bytes_of_path(inner.unwrap_or(Path::new(""))).into_owned();
        let mut read = 0;
        for document in documents_outside(directory, root.directory()) {
            let Some(path) = document else {
                search.is_whole = false;
                break;
            };
            let item = Item::Path(path);
            read += item.byte_len().unwrap_or(0);
            if read > MAX_READ {
                search.is_whole = false;
                break;
            }
            let path = item.name();
            let below = path.strip_prefix(directory).unwrap_or(path);
            let uri = site.uri_of(&bytes_of_path(below));
            let Ok(Content::Document(document)) = relocate.read.read(&item) else {
                continue;
            };
            let document = document.with_base(Some(Base { uri, from: BaseFrom::Option }));
            let links = document.links_with(&relocate.options);
            let mut resolver = links.resolving().unchecked();
            let refers = links.found().links.iter().any(|link| {
                let uri = resolver.target(link).uri;
                let path = uri.and_then(|uri| site.path_of(uri));
                path.is_some_and(|path| moves_in(&path, &inner, moves))
            });
            if refers {
                let above = search.directory.take().into_iter();
                let above = above.chain(common(root.directory(), path));
                search.directory = highest(above);
                match search.document {
                    None => search.document = Some(path.to_owned()),
                    Some(_) => search.others += 1,
                }
            }
        }
        search
    }
}

/// Returns true if a path below the larger tree is that of a file that moves in the root, which is
/// at `inner`.
fn moves_in(path: &[u8], inner: &[u8], moves: &Moves) -> bool {
    let Some(below) = path.strip_prefix(inner) else {
        return false;
    };
    let below = match below.strip_prefix(b"/") {
        Some(below) => below.strip_suffix(b"/").unwrap_or(below),
        None if below.is_empty() => below,
        // Another directory, whose name begins with that of the root.
        None => return false,
    };
    let is_moving = |path: &[u8]| matches!(moves.new_path(path), Cow::Owned(_));
    // A reference to a directory may mean its index file.
    let is_index = |name: &&str| match below.is_empty() {
        true => is_moving(name.as_bytes()),
        false => is_moving(&[below, b"/", name.as_bytes()].concat()),
    };
    is_moving(below) || INDEX_FILES.iter().any(is_index)
}
