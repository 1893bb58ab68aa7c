//! Integrity hashes of files that a run changes.
//!
//! A hash is removed only if the same run changes its file, so the changed files are determined before the first page is read. A link is mapped to a file by `--base URL=DIR`, or
//! by the path of a relative reference. The plan then has an edit of the link that removes the
//! attribute and leaves the link itself unchanged.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::bytes::{LineIndex, Position, percent};
use crate::document::{Document, Links};
use crate::fs::{BaseMapping, path_of_bytes};
use crate::jobs::edits::EditEvent;
use crate::link::{LinkId, ParsedLink, Target};
use crate::listing::Listing;
use crate::rewrite::{Decision, Edit, Mapper, OutputBases, Plan};
use crate::rules::DocumentRules;
use crate::site::Site;
use crate::uri::{Base, Parts};

/// The extensions of style sheets and scripts, which have integrity hashes.
pub(super) const HASHED: [&str; 5] = ["css", "js", "mjs", "cjs", "json"];

/// The files of links, and the set of files that change.
#[derive(Default)]
pub(super) struct HashedFiles {
    /// The URLs of a tree, and its directory.
    tree: Option<(Site, PathBuf)>,
    /// The real paths of files that change, if their hashes are removed.
    pub(super) changing: HashSet<PathBuf>,
}

/// A hash that stays, of a file that may change.
pub(super) struct KeptHash {
    document: PathBuf,
    position: Position,
    reference: String,
    file: PathBuf,
}

impl HashedFiles {
    pub(super) fn new(retrieval: Option<&BaseMapping>) -> Self {
        let tree = match retrieval {
            Some(BaseMapping::Tree { url, directory }) => {
                let site = Site::new(url, Listing::default(), Vec::new());
                Some((site, directory.path().to_owned()))
            }
            Some(BaseMapping::Uri(_)) | None => None,
        };
        Self { tree, changing: HashSet::new() }
    }

    /// Returns the file of a link: by its URL if a directory is known for that, else by a relative
    /// path.
    fn file_of(
        &self,
        name: &Path,
        has_base: bool,
        link: &ParsedLink<'_>,
        uri: Option<&str>,
    ) -> Option<PathBuf> {
        let path = match (&self.tree, uri) {
            (Some((site, directory)), Some(uri)) => {
                directory.join(path_of_bytes(&site.path_of(uri)?))
            }
            _ => {
                let parts = Parts::split(&link.reference);
                let is_relative = parts.scheme.is_none() && parts.authority.is_none();
                if has_base || !is_relative || parts.path.starts_with(['/', '\\']) {
                    return None;
                }
                let directory = name.parent().unwrap_or(Path::new(""));
                directory.join(path_of_bytes(&percent::decode(parts.path)))
            }
        };
        path.canonicalize().ok()
    }

    /// Returns the hashes that stay in a document after the plan, of files that may change.
    pub(super) fn kept(&self, plan: &Plan<'_>) -> Vec<KeptHash> {
        let (document, links) = (plan.document(), plan.links());
        let found = links.found();
        if found.integrity.is_empty() {
            return Vec::new();
        }
        let edits = plan.edits().iter();
        let removed = edits.filter(|it| it.rule == Edit::INTEGRITY);
        let removed: HashSet<LinkId> = removed.map(|it| it.link).collect();
        let mut resolver = links.resolving().unchecked();
        let mut lines = document.lines();
        let has_base = !found.base_elements.is_empty();
        let hashed = found.integrity.iter();
        let hashed = hashed.filter_map(|it| found.link(it.link()));
        let kept = hashed.filter(|link| !removed.contains(&link.id()));
        kept.filter_map(|link| {
            let uri = resolver.target(link).uri;
            self.hash_of(document.path(), &mut lines, has_base, link, uri)
        })
        .collect()
    }

    /// The hash of a link of this document, if that may be to a file that changes.
    pub(super) fn hash_of(
        &self,
        document: &Path,
        lines: &mut LineIndex<'_>,
        has_base: bool,
        link: &ParsedLink<'_>,
        uri: Option<&str>,
    ) -> Option<KeptHash> {
        let file = self.file_of(document, has_base, link, uri)?;
        Some(KeptHash {
            document: document.to_owned(),
            position: lines.position(link.extent().start),
            reference: link.reference.to_string(),
            file,
        })
    }
}

/// The rules of a document, which also remove the hashes of files that change.
pub(super) struct RemovingHashes<'a> {
    pub(super) rules: &'a DocumentRules<'a>,
    pub(super) files: &'a HashedFiles,
    pub(super) name: &'a Path,
    pub(super) has_base: bool,
}

impl Mapper for RemovingHashes<'_> {
    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        self.rules.output_bases(links)
    }

    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        self.rules.map(document, link, target, base)
    }

    fn public_url(&self, uri: String) -> String {
        self.rules.public_url(uri)
    }

    fn decides_alone(&self) -> bool {
        self.files.changing.is_empty() && self.rules.decides_alone()
    }

    fn drops_integrity(&self, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
        let files = self.files;
        if files.changing.is_empty() {
            return false;
        }
        let file = files.file_of(self.name, self.has_base, link, target.uri);
        file.is_some_and(|file| files.changing.contains(&file))
    }
}

/// Reports the hashes of files that have changed. Pages have no hashes.
pub(super) fn report_stale(
    hashes: &[KeptHash],
    changed: &[PathBuf],
    event: &mut dyn FnMut(EditEvent<'_>),
) {
    if hashes.is_empty() {
        return;
    }
    let changed: HashSet<PathBuf> =
        changed.iter().filter_map(|file| file.canonicalize().ok()).collect();
    for hash in hashes.iter().filter(|hash| changed.contains(&hash.file)) {
        event(EditEvent::StaleIntegrity {
            document: &hash.document,
            position: hash.position,
            reference: &hash.reference,
            file: &hash.file,
        });
    }
}
