//! HTML alternatives of text parts, which are decoded before their turn.

use std::collections::HashMap;
use std::sync::Arc;

use super::part::Part;
use super::structure::{EntityKind, Structure};
use crate::document::Document;
use crate::format::Format;
use crate::source::HtmlPage;

/// The maximum number of pages that a text is compared with.
const MOST_PAGES: usize = 16;

/// The HTML parts of a message by `multipart/alternative`, and those decoded already.
pub(super) struct HtmlAlternatives {
    /// For each `multipart/alternative`: its pages, each with the number of the alternative that
    /// contains it.
    pages_of: HashMap<usize, Vec<(usize, usize)>>,
    decoded: HashMap<usize, Page>,
}

/// A decoded page.
struct Page {
    page: Arc<HtmlPage>,
    format: Format,
    alternatives: Vec<(usize, usize)>,
    is_repaired: bool,
    is_unknown: bool,
}

impl HtmlAlternatives {
    /// The HTML parts of a message. Decodes nothing yet.
    pub(super) fn new(structure: &Structure) -> Self {
        let mut pages_of: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
        for (at, entity) in structure.entities.iter().enumerate() {
            let is_page = entity.content.format().is_some_and(Format::is_page);
            if entity.kind != EntityKind::Leaf || !is_page {
                continue;
            }
            for (parent, place) in structure.alternatives_around(at) {
                let pages = pages_of.entry(parent).or_default();
                if pages.len() < MOST_PAGES {
                    pages.push((place, at));
                }
            }
        }
        Self { pages_of, decoded: HashMap::new() }
    }

    /// Removes the page of the entity `at`, if it was decoded.
    pub(super) fn take(&mut self, at: usize) -> Option<Box<Part>> {
        if self.decoded.is_empty() {
            return None;
        }
        let page = self.decoded.remove(&at)?;
        Some(Box::new(Part {
            document: Document::from_source(page.page.into_document(), page.format),
            alternatives: page.alternatives,
            is_repaired: page.is_repaired,
            is_unknown: page.is_unknown,
        }))
    }

    /// The HTML alternatives of the text entity `at`: the pages in other parts of the innermost
    /// `multipart/alternative` around it. Pages before the text do not count, so that no page is
    /// decoded twice. `read` decodes an entity.
    pub(super) fn of_text(
        &mut self,
        structure: &Structure,
        at: usize,
        mut read: impl FnMut(usize) -> Option<Box<Part>>,
    ) -> Vec<Arc<HtmlPage>> {
        let Some((parent, place)) = structure.alternatives_around(at).next() else {
            return Vec::new();
        };
        let others = self.pages_of.get(&parent).into_iter().flatten();
        let others = others.filter(|(other, page)| *other != place && *page > at);
        let others: Vec<usize> = others.map(|(_, page)| *page).collect();
        let pages = others.into_iter().filter_map(|page| {
            let decoded = self.decoded.get(&page);
            let decoded = decoded.map(|page| Arc::clone(&page.page));
            decoded.or_else(|| self.decode(page, &mut read))
        });
        pages.collect()
    }

    fn decode(
        &mut self,
        at: usize,
        read: impl FnOnce(usize) -> Option<Box<Part>>,
    ) -> Option<Arc<HtmlPage>> {
        let part = read(at)?;
        let page = Page {
            format: part.document.format(),
            page: Arc::new(HtmlPage::new(part.document.into_source())),
            alternatives: part.alternatives,
            is_repaired: part.is_repaired,
            is_unknown: part.is_unknown,
        };
        let shared = Arc::clone(&page.page);
        self.decoded.insert(at, page);
        Some(shared)
    }
}
