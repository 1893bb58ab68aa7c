//! Pages that are decoded before their turn: the HTML versions of texts.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Common, Context, Part, Whole};
use crate::container::mail::structure::EntityKind;
use crate::source::{Format, HtmlPage};

/// The most pages that a text is compared with.
const MOST_PAGES: usize = 16;

/// What was decoded before its turn.
pub(super) struct Ahead {
    /// The pages of each `multipart/alternative`, with the part that they are in.
    pages_of: HashMap<usize, Vec<(usize, usize)>>,
    decoded: HashMap<usize, Page>,
}

/// A page, and what is known of it.
struct Page {
    page: Arc<HtmlPage>,
    alternatives: Vec<(usize, usize)>,
    is_repaired: bool,
    is_unknown: bool,
}

impl Ahead {
    /// For the parts of `whole`, none of which has had its turn.
    pub(super) fn new(whole: &Whole<'_>) -> Self {
        let mut pages_of: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
        let entities = &whole.structure.entities;
        for (at, entity) in entities.iter().enumerate() {
            if entity.kind != EntityKind::Leaf || entity.content.format() != Some(Format::Html) {
                continue;
            }
            for (parent, place) in whole.alternatives_around(at) {
                let pages = pages_of.entry(parent).or_default();
                if pages.len() < MOST_PAGES {
                    pages.push((place, at));
                }
            }
        }
        Self {
            pages_of,
            decoded: HashMap::new(),
        }
    }

    /// The page that is the entity `at`, if it was decoded.
    pub(super) fn take(&mut self, at: usize) -> Option<Part> {
        let page = self.decoded.remove(&at)?;
        Some(Part {
            document: page.page.into_document(),
            alternatives: page.alternatives,
            is_repaired: page.is_repaired,
            is_unknown: page.is_unknown,
        })
    }

    /// The HTML version of the text that is the entity `at`: the pages in other parts of the innermost
    /// `multipart/alternative` around it. Pages before the text are left out, so that none has to be there twice.
    pub(super) fn version_of(
        &mut self,
        whole: &Whole<'_>,
        at: usize,
        common: &Common<'_>,
        context: &Context,
    ) -> Vec<Arc<HtmlPage>> {
        let Some((parent, place)) = whole.alternatives_around(at).next() else {
            return Vec::new();
        };
        let of_others = self.pages_of.get(&parent).into_iter().flatten();
        let of_others = of_others.filter(|(other, page)| *other != place && *page > at);
        let of_others: Vec<usize> = of_others.map(|(_, page)| *page).collect();
        let pages = of_others.into_iter().filter_map(|page| {
            let decoded = self.decoded.get(&page);
            let known = decoded.map(|page| Arc::clone(&page.page));
            known.or_else(|| self.decode(whole, page, common, context))
        });
        pages.collect()
    }

    fn decode(
        &mut self,
        whole: &Whole<'_>,
        at: usize,
        common: &Common<'_>,
        context: &Context,
    ) -> Option<Arc<HtmlPage>> {
        let part = whole.leaf(at, common, context)?;
        let page = Page {
            page: Arc::new(HtmlPage::new(part.document)),
            alternatives: part.alternatives,
            is_repaired: part.is_repaired,
            is_unknown: part.is_unknown,
        };
        let known = Arc::clone(&page.page);
        self.decoded.insert(at, page);
        Some(known)
    }
}
