//! References to the pages of a documentation site, in forms that name no file.

use crate::docs_site::{Old, PageTarget, respelled, respelled_path};
use crate::link::{MarkdownForm, ParsedLink};
use crate::listing::Moves;
use crate::rewrite::replace;
use crate::rewrite::{Decision, SkipReason};
use crate::site::Site;
use crate::uri::Base;

/// A tree before and after moves.
#[derive(Clone, Copy)]
pub(super) struct MovedTree<'s> {
    pub(super) before: &'s Site,
    pub(super) after: &'s Site,
    pub(super) moves: &'s Moves,
}

/// A link to a page, in a document that was at a path before the moves.
pub(super) struct PageLink<'l> {
    path: &'l [u8],
    link: &'l ParsedLink<'l>,
    target: PageTarget,
}

impl<'l> PageLink<'l> {
    /// The page that a link names by the rules of the document's site. `None` if it names a file as
    /// written.
    pub(super) fn new(
        tree: MovedTree<'_>,
        path: &'l [u8],
        link: &'l ParsedLink<'l>,
        base: Option<&Base>,
        uri: &str,
    ) -> Option<Self> {
        let site = tree.before;
        if site.layouts().is_empty() || base.is_some_and(|it| it.as_str() != site.uri_of(path)) {
            return None;
        }
        let target = site.page_target(path, &link.reference, uri)?;
        Some(Self { path, link, target })
    }

    /// The file that a link of this form names, whose text is a path and not a URL.
    pub(super) fn of_path(
        tree: MovedTree<'_>,
        path: &'l [u8],
        form: MarkdownForm,
        link: &'l ParsedLink<'l>,
    ) -> Option<Self> {
        let target = tree.before.path_target(path, form, &link.reference)?;
        Some(Self { path, link, target })
    }

    /// Returns the path of the page after the moves.
    fn new_path(&self, tree: MovedTree<'_>) -> Vec<u8> {
        let old = tree.before.listing().name(self.target.file);
        tree.moves.new_path(old).into_owned()
    }

    /// The first value is true if the reference names an existing page or file at the new path of
    /// its document. The second is true if that is the page.
    pub(super) fn after_moves(&self, tree: MovedTree<'_>) -> (bool, bool) {
        let path = tree.moves.new_path(self.path);
        let text = &*self.link.reference;
        let found = match self.link.place.path_form() {
            Some(form) => tree.after.path_target(&path, form, text).map(|it| it.file),
            None => tree.after.file_named(&path, text),
        };
        let page = tree.after.listing().id(&self.new_path(tree));
        (found.is_some(), found.is_some() && found == page)
    }

    /// Decides about the link.
    pub(super) fn decision<'t>(&self, tree: MovedTree<'_>, rule: &'static str) -> Decision<'t> {
        let MovedTree { before, after, moves } = tree;
        let old_file = before.listing().name(self.target.file);
        let (path, file) = (moves.new_path(self.path), moves.new_path(old_file));
        let local = before.local_reference(&self.link.reference);
        let old = Old { document: self.path, reference: local, target: self.target };
        let moved = moves.moving(self.path);
        let moves_along = moved.is_some() && moved == moves.moving(old_file);
        let new = || {
            if let Some(form) = self.link.place.path_form() {
                let file = after.listing().id(&file)?;
                let old = Old { reference: &self.link.reference, ..old };
                let (pages, old_pages) = (after.all_pages(), before.all_pages());
                return respelled_path(pages, old_pages, form, old, &path, file);
            }
            let (old_pages, pages) = (before.pages()?, after.pages()?);
            let file = after.listing().id(&file)?;
            respelled(pages, old_pages, old, &path, file, moves_along)
        };
        let Some(new) = new() else {
            return Decision::Skip(SkipReason::Unwritable);
        };
        if new == local {
            return Decision::Skip(match moved.is_some() || *file != *old_file {
                true => SkipReason::Unchanged,
                false => SkipReason::NoRule,
            });
        }
        // A reference to the URL of the tree keeps its beginning.
        let origin = &self.link.reference[..self.link.reference.len() - local.len()];
        if !origin.is_empty() && !new.starts_with('/') {
            return Decision::Skip(SkipReason::Unwritable);
        }
        let reference = format!("{origin}{new}");
        replace(self.link, reference.into(), after.uri_of(&file).into(), rule)
    }
}
