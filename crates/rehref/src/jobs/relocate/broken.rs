//! Links that work before a move and not after it.

use std::borrow::Cow;

use crate::document::Links;
use crate::format::html::module_imports;
use crate::link::{LinkId, MarkdownForm, ParsedLink, Role, Target, is_private, uri_of};
use crate::listing::{Id, Moves};
use crate::rewrite::{Edits, OutputBases};
use crate::site::{Located, Site, bare_page};
use crate::uri::{Base, Resolver};

/// The tree before and after the moves.
pub(super) struct Trees<'m> {
    pub(super) before: &'m Site,
    pub(super) after: &'m Site,
    pub(super) moves: &'m Moves,
}

impl Trees<'_> {
    /// Returns the working links that would break, or refer to another file.
    ///
    /// New references are resolved again, as readers of the rewritten document will.
    pub(super) fn breaks(
        &self,
        path: &[u8],
        links: &Links<'_>,
        edits: &Edits,
        bases: Option<&OutputBases>,
    ) -> Vec<LinkId> {
        let mut old = links.resolving().unchecked();
        let mut new = match bases {
            Some(bases) => bases.resolving(links.document(), links.options().resolver),
            None => old.clone(),
        };
        let mut edits = edits.iter().peekable();
        let mut breaks = Vec::new();
        for link in &links.found().links {
            let edit = edits.next_if(|edit| edit.link == link.id());
            if let Some(form) = link.place.path_form() {
                let target = edit.map_or(&*link.reference, |edit| edit.reference);
                if self.breaks_path(path, form, &link.reference, target) {
                    breaks.push(link.id());
                }
                continue;
            }
            let target = old.target(link);
            let Target { uri: Some(uri), .. } = target else {
                continue;
            };
            let base = target.base.map(|(base, _)| base.as_str());
            let is_own = base.is_none_or(|base| base == self.before.uri_of(path));
            if is_own && let Some(file) = self.before.page_target(path, &link.reference, uri) {
                let reference = edit.map_or(&*link.reference, |edit| edit.reference);
                if self.is_other_page(path, file.file, reference) {
                    breaks.push(link.id());
                }
                continue;
            }
            // Without a URL of the tree, a link above the root leaves the tree. Files outside do
            // not move.
            if is_private(uri) && self.before.is_above(&link.reference, base) {
                continue;
            }
            let old_file = self.before.locate(uri);
            // Links relative to a base are judged themselves.
            if !old_file.exists() || link.role == Role::Base {
                continue;
            }
            let is_bare = || {
                let page = self.before.path_of(uri).and_then(|it| bare_page(self.before, &it));
                page.is_some() && !self.before.layouts().govern(path)
            };
            // It names a page next to a directory of that name, which is followed or skipped with a
            // reason.
            if edit.is_some() && old_file.file().is_none() && is_bare() {
                continue;
            }
            let new_file = match edit {
                Some(edit) => {
                    let rewritten =
                        ParsedLink { reference: Cow::Borrowed(edit.reference), ..link.clone() };
                    let uri = new.target(&rewritten).uri;
                    uri.map_or(Located::Outside, |uri| self.after.locate(uri))
                }
                None if bases.is_none() => self.after.locate(uri),
                None => match new.target(link).uri {
                    Some(uri) => self.after.locate(uri),
                    None => continue,
                },
            };
            if self.is_other_file(old_file, new_file) {
                breaks.push(link.id());
            }
        }
        breaks
    }

    /// Returns the number of modules of the tree that the script at `path` imports, and does not find
    /// after the moves.
    pub(super) fn broken_imports(&self, path: &[u8], script: &[u8]) -> usize {
        let base = |site: &Site, path: &[u8]| Resolver::default().base(&site.uri_of(path)).ok();
        let new_path = self.moves.new_path(path);
        let (Some(old), Some(new)) = (base(self.before, path), base(self.after, &new_path)) else {
            return 0;
        };
        let located = |site: &Site, base: &Base, reference: &str| {
            let uri = uri_of(&base.resolver(), Some(base), reference);
            uri.map_or(Located::Outside, |uri| site.locate(&uri))
        };
        let imports = module_imports(script);
        let paths = imports.iter().filter_map(|it| std::str::from_utf8(&script[it.range()]).ok());
        let is_lost = |it: &&str| {
            located(self.before, &old, it).exists() && located(self.after, &new, it).is_missing()
        };
        paths.filter(is_lost).count()
    }

    /// Returns true if `old` in the document that was at `path` is the name of a file that `new`
    /// does not name.
    fn breaks_path(&self, path: &[u8], form: MarkdownForm, old: &str, new: &str) -> bool {
        let Some(old) = self.before.path_target(path, form, old) else {
            return false;
        };
        let file = self.before.listing().name(old.file);
        let file = self.after.listing().id(&self.moves.new_path(file));
        let path = self.moves.new_path(path);
        let new = self.after.path_target(&path, form, new);
        file.is_none() || new.map(|new| new.file) != file
    }

    /// Returns true if a reference of the document that was at `path` no longer names a page that
    /// it named.
    fn is_other_page(&self, path: &[u8], file: Id, reference: &str) -> bool {
        let file = self.moves.new_path(self.before.listing().name(file));
        let path = self.moves.new_path(path);
        let reference = self.after.local_reference(reference);
        let pages = self.after.pages();
        let found = pages.and_then(|pages| pages.target(&path, reference));
        found.is_none() || found != self.after.listing().id(&file)
    }

    /// Returns true if the file of a link before the moves is not its file after them.
    fn is_other_file(&self, old: Located, new: Located) -> bool {
        let name = |site: &Site, located: Located| {
            let file = located.file();
            file.map(|id| site.listing().name(id).to_vec())
        };
        match name(self.before, old) {
            Some(path) => name(self.after, new).as_deref() != Some(&*self.moves.new_path(&path)),
            None => new.is_missing(),
        }
    }
}
