//! Directories without a URL, as the roots of sites.

use std::path::{Path, PathBuf};

use crate::bytes::percent;
use crate::document::Document;
use crate::fs::{path_of_bytes, url_below};
use crate::jobs::input_sites::InputPlace;
use crate::link::{PRIVATE_URL, ParsedLink};
use crate::rewrite::{Edit, Rule, Rules};
use crate::source::{Base, BaseFrom};
use crate::uri::Parts;

/// Returns true if a rule needs the root of a site.
pub(super) fn needs_root(rules: &Rules) -> bool {
    let is_about_site = |rule: &Rule| matches!(rule, Rule::Relative | Rule::RootRelative);
    rules.adjustments.clean_urls || rules.rules.iter().any(is_about_site)
}

/// Returns the document with a private URL for its place, which is never written.
pub(super) fn in_local_root(document: Document, place: &InputPlace) -> Document {
    let file = url_below(PRIVATE_URL, &place.below);
    let uri = document.package_part().map_or(file.clone(), |part| part.base_in(&file));
    document.with_base(Some(Base { uri, from: BaseFrom::Option }))
}

/// Returns true for a rewritten link from the root whose file is not in this directory, so that it
/// may be the wrong one.
pub(super) fn is_missing(link: &ParsedLink<'_>, edit: &Edit<'_>, root: &Path) -> bool {
    let path_of = |uri: &str| -> Option<PathBuf> {
        let below = uri.strip_prefix(PRIVATE_URL)?;
        let path = Parts::split(below).path;
        Some(root.join(path_of_bytes(&percent::decode(path))))
    };
    // Other rules look up the file, or do not depend on it.
    let is_of_root = [Rule::Relative, Rule::RootRelative].iter().any(|it| it.name() == edit.rule);
    is_of_root
        && link.reference.starts_with('/')
        && path_of(edit.new_uri).is_some_and(|path| !path.exists())
}
