//! Directories without a URL, as the roots of sites.

use std::path::{Path, PathBuf};

use super::layout::Task;
use crate::bytes::percent;
use crate::document::Document;
use crate::fs::{path_below, path_of_bytes, url_below};
use crate::link::LinkData;
use crate::rewrite::{Edit, Rule, Rules};
use crate::site::Site;
use crate::source::{Base, BaseFrom};
use crate::uri::Parts;

/// The input directory that is the root of a document's site, because its URL is unknown and a rule needs one.
pub(super) fn local_root<'t>(
    rules: &Rules,
    document: &Document,
    task: &'t Task,
) -> Option<&'t Path> {
    let is_about_site = |rule: &Rule| matches!(rule, Rule::Relative | Rule::RootRelative);
    let is_needed = document.base().is_none() && rules.rules.iter().any(is_about_site);
    task.root.as_deref().filter(|_| is_needed)
}

/// Returns the document with a private URL below this directory, which is never written.
pub(super) fn in_local_root(document: Document, root: &Path) -> Document {
    let path = document.path();
    let below = path_below(path, root).unwrap_or(path);
    let uri = url_below(Site::PRIVATE, below);
    document.with_base(Some(Base {
        uri,
        from: BaseFrom::Option,
    }))
}

/// Returns true for a rewritten link from the root whose file is not in this directory, so that it may be the wrong one.
pub(super) fn is_missing(link: &LinkData<'_>, edit: &Edit<'_>, root: &Path) -> bool {
    let path_of = |uri: &str| -> Option<PathBuf> {
        let below = uri.strip_prefix(Site::PRIVATE)?;
        let path = Parts::split(below).path;
        Some(root.join(path_of_bytes(&percent::decode(path))))
    };
    link.reference.starts_with('/') && path_of(edit.new_uri).is_some_and(|path| !path.exists())
}
