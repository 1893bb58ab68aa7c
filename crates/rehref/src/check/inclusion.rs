//! The documents that others include as a part, such as snippets and partials.

use std::collections::{HashMap, HashSet};
use std::sync::{OnceLock, PoisonError, RwLock};

use crate::link::{Directive, MarkdownForm, ParsedLink};
use crate::listing::Id;

/// The maximum number of parts of a page, and of pages with a part, that are searched. With more,
/// the anchors are unknown.
const MOST: usize = 1024;

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
    /// file: its parts and theirs. With `with_pages`, also for the pages that include the file, and their
    /// parts. Call it after the survey.
    pub(super) fn any(&self, file: Id, with_pages: bool, is_it: impl Fn(Id) -> bool) -> bool {
        let parts = self.parts.read().unwrap_or_else(PoisonError::into_inner);
        if parts.is_empty() {
            return false;
        }
        let parts_of = |it: Id| parts.get(&it).map_or(&[][..], |it| &**it);
        let below = |files| reachable(files, parts_of);
        let Some(files) = below(vec![file]) else {
            return true;
        };
        if files.into_iter().any(&is_it) {
            return true;
        }
        if !with_pages {
            return false;
        }
        let all = self.pages_with(file).and_then(below);
        all.is_none_or(|files| files.into_iter().any(&is_it))
    }

    /// Returns true if `is_page` is true for a file or one of those that include it, in any number
    /// of steps. Call it after the survey.
    pub(super) fn is_included(&self, file: Id, is_page: impl Fn(Id) -> bool) -> bool {
        self.pages_with(file).is_none_or(|files| files.into_iter().any(is_page))
    }

    /// A file and those that include it, in any number of steps. `None` if they are too many.
    fn pages_with(&self, file: Id) -> Option<Vec<Id>> {
        let pages = self.pages.get_or_init(|| {
            let mut pages: HashMap<Id, Vec<Id>> = HashMap::new();
            let parts = self.parts.read().unwrap_or_else(PoisonError::into_inner);
            for (page, parts) in parts.iter() {
                for part in parts {
                    pages.entry(*part).or_default().push(*page);
                }
            }
            pages
        });
        reachable(vec![file], |it| pages.get(&it).map_or(&[][..], Vec::as_slice))
    }
}

/// The files that `next` reaches from these in any number of steps, and these. `None` if they are
/// too many.
fn reachable<'f>(mut files: Vec<Id>, next: impl Fn(Id) -> &'f [Id]) -> Option<Vec<Id>> {
    let mut known: HashSet<Id> = files.iter().copied().collect();
    let mut at = 0;
    while let Some(&file) = files.get(at) {
        let new = next(file).iter().filter(|it| known.insert(**it));
        files.extend(new);
        at += 1;
        if files.len() > MOST {
            return None;
        }
    }
    Some(files)
}
