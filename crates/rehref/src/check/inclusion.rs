//! The documents that others include as a part, such as snippets and partials.

use std::collections::{HashMap, HashSet};
use std::sync::{OnceLock, PoisonError, RwLock};

use crate::link::{Directive, MarkdownForm, ParsedLink};
use crate::listing::Id;

/// The maximum number of parts of a page, and of pages with a part, that are searched.
const MOST: usize = 256;

/// The parts of pages.
#[derive(Debug, Default)]
pub(super) struct Inclusions {
    parts: RwLock<HashMap<Id, Box<[Id]>>>,
    /// The pages that include a file, from the first look-up after the survey.
    pages: OnceLock<HashMap<Id, Vec<Id>>>,
}

/// Returns true if the file of a link becomes a part of the page, with its headings.
pub(super) fn includes(link: &ParsedLink<'_>) -> bool {
    matches!(
        link.place.path_form(),
        Some(MarkdownForm::Directive(
            Directive::Include
                | Directive::Snippet
                | Directive::IncludeRelative
                | Directive::Import
        ))
    )
}

impl Inclusions {
    /// Adds the parts of a page.
    pub(super) fn add(&self, page: Id, parts: Vec<Id>) {
        if !parts.is_empty() {
            let mut all = self.parts.write().unwrap_or_else(PoisonError::into_inner);
            all.insert(page, parts.into());
        }
    }

    /// Returns true if `is_it` is true for one of the files whose headings are on the pages of a
    /// file: its parts and theirs. With `pages`, also for the pages that include the file, and their
    /// parts. Call it after the survey.
    pub(super) fn any(&self, file: Id, with_pages: bool, is_it: impl Fn(Id) -> bool) -> bool {
        let parts = self.parts.read().unwrap_or_else(PoisonError::into_inner);
        if parts.is_empty() {
            return false;
        }
        let mut files = vec![file];
        if with_pages {
            let pages = self.pages.get_or_init(|| {
                let mut pages: HashMap<Id, Vec<Id>> = HashMap::new();
                for (page, part) in
                    parts.iter().flat_map(|(page, it)| it.iter().map(|it| (*page, *it)))
                {
                    pages.entry(part).or_default().push(page);
                }
                pages
            });
            add_reachable(&mut files, |it| pages.get(&it).map_or(&[], Vec::as_slice));
        }
        add_reachable(&mut files, |it| parts.get(&it).map_or(&[], |it| &**it));
        files.into_iter().any(is_it)
    }
}

/// Adds the files that `next` reaches from those in the list, in any number of steps.
fn add_reachable<'f>(files: &mut Vec<Id>, next: impl Fn(Id) -> &'f [Id]) {
    let mut known: HashSet<Id> = files.iter().copied().collect();
    let mut at = 0;
    while at < files.len() && files.len() < MOST {
        let new = next(files[at]).iter().filter(|it| known.insert(**it));
        files.extend(new);
        at += 1;
    }
}
