//! What a run reports about links and edits that are not kept.

use std::path::Path;

use super::integrity::{HashedFiles, KeptHash};
use super::local_root::is_missing;
use crate::bytes::LineIndex;
use crate::document::Document;
use crate::link::{LinkData, Target};
use crate::rewrite::{Edit, Rules, Watcher};

/// What a run reports about the links of a document that is rewritten in one pass.
pub(super) struct Tally<'t> {
    document: &'t Document,
    rules: &'t Rules,
    /// The files of integrity hashes. `None` if these are not reported.
    files: Option<&'t HashedFiles>,
    local_root: Option<&'t Path>,
    lines: LineIndex<'t>,
    /// The number of links from the root whose file is missing.
    pub(super) missing: usize,
    /// The integrity hashes that stay.
    pub(super) hashes: Vec<KeptHash>,
    /// The first new URL that a pattern matches again.
    pub(super) matches_again: Option<String>,
}

impl<'t> Tally<'t> {
    pub(super) fn new(
        document: &'t Document,
        rules: &'t Rules,
        files: Option<&'t HashedFiles>,
        local_root: Option<&'t Path>,
    ) -> Self {
        Self {
            document,
            rules,
            files,
            local_root,
            lines: document.lines(),
            missing: 0,
            hashes: Vec::new(),
            matches_again: None,
        }
    }
}

impl Watcher for Tally<'_> {
    fn edited(&mut self, link: &LinkData<'_>, edit: &Edit<'_>) {
        let is_missing = |root| is_missing(link, edit, root);
        self.missing += usize::from(self.local_root.is_some_and(is_missing));
        if self.matches_again.is_none() && matches_again(self.rules, edit) {
            self.matches_again = Some(edit.new_uri.to_owned());
        }
    }

    fn hashed(&mut self, link: &LinkData<'_>, target: &Target<'_>, has_base: bool) {
        if let Some(files) = self.files {
            let name = self.document.path();
            let hash = files.hash_of(name, &mut self.lines, has_base, link, target.uri);
            self.hashes.extend(hash);
        }
    }
}

/// Returns true if a second run with these rules would change the link again.
pub(super) fn matches_again(rules: &Rules, edit: &Edit<'_>) -> bool {
    edit.rule == "map-re" && rules.is_moved_again(edit.new_uri)
}
