//! References to pages without their extension.

use super::pages::MovedTree;
use crate::listing::Move;
use crate::site::{bare_page, bare_pages, without_extension};

/// The result for a URI that names a page that moves, without its extension.
pub(super) enum BareUri {
    /// The new URI, and the move of the path without the extension.
    Moved(String, Move),
    /// It may name another page too, or has no such form at the new location.
    Unclear,
}

impl BareUri {
    /// The result for `uri`. `None` if it does not name a page that moves. `spelled` replaces names
    /// at the beginning of its path.
    ///
    /// The form is kept: the new URI has no extension either. That of a page that becomes an index
    /// file is the directory.
    pub(super) fn of(
        tree: MovedTree<'_>,
        uri: &str,
        spelled: impl Fn(&[u8], &[u8]) -> Option<String>,
    ) -> Option<Self> {
        let MovedTree { before, after, moves } = tree;
        let path = before.path_of(uri)?;
        let pages = bare_pages(before, &path);
        if pages.iter().all(|page| moves.moving(page).is_none()) {
            return None;
        }
        let moved = || {
            let page = bare_page(before, &path)?;
            let new_page = moves.new_path(&page);
            let mut to = without_extension(&new_page)?;
            if before.is_index(&new_page) && !before.is_index(&page) {
                to = &to[..to.iter().rposition(|&byte| byte == b'/').unwrap_or(0)];
            }
            let from = path.strip_suffix(b"/").unwrap_or(&path);
            let new = spelled(from, to)?;
            let named = after.path_of(&new)?;
            let file = after.locate_path(&named).file();
            let is_page = file.map(|id| after.listing().name(id)) == Some(&new_page)
                || bare_page(after, &named).as_deref() == Some(&*new_page);
            let (from, to) = (from.to_vec(), to.to_vec());
            is_page.then_some(Self::Moved(new, Move { from, to }))
        };
        Some(moved().unwrap_or(Self::Unclear))
    }
}
