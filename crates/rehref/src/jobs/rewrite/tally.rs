//! Reports about a document that is rewritten in one pass, whose links and edits are not kept.

use std::borrow::Cow;
use std::path::Path;

use super::integrity::{HashedFiles, KeptHash};
use super::local_root::is_missing;
use crate::bytes::LineIndex;
use crate::document::Document;
use crate::link::{LinkId, ParsedLink, Target};
use crate::rewrite::{Edit, Plan, Rules, Watcher};
use crate::site::{Site, served_page};

/// The report about the links of a document that is rewritten in one pass.
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
    fn edited(&mut self, link: &ParsedLink<'_>, edit: &Edit<'_>) {
        let is_missing = |root| is_missing(link, edit, root);
        self.missing += usize::from(self.local_root.is_some_and(is_missing));
        if self.matches_again.is_none() && matches_again(self.rules, edit) {
            self.matches_again = Some(edit.new_uri.to_owned());
        }
    }

    fn hashed(&mut self, link: &ParsedLink<'_>, target: &Target<'_>, has_base: bool) {
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

/// Returns the links to files of the tree that would have no file after the edits.
pub(super) fn breaks(site: Option<&Site>, plan: &Plan<'_>) -> Vec<LinkId> {
    let Some(site) = site else {
        return Vec::new();
    };
    let found = plan.links().found();
    let mut resolver = plan.links().resolving().unchecked();
    // Other rules keep targets, also those with the address of a page.
    let edits = plan.edits().iter();
    let breaks = edits.filter(|edit| edit.rule.starts_with("map")).filter(|edit| {
        let link = found.link(edit.link);
        let uri = link.and_then(|link| resolver.target(link).uri);
        let is_page = |path: Cow<'_, [u8]>| served_page(site, &path).is_some();
        uri.is_some_and(|uri| site.locate(uri).exists())
            && site.locate(edit.new_uri).is_missing()
            && !site.path_of(edit.new_uri).is_some_and(is_page)
    });
    breaks.map(|edit| edit.link).collect()
}
