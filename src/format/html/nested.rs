//! Pages in pages: in `srcdoc`, and in conditional comments.
//!
//! They are read when all is known about the page that they stand in: that may be read up to three times.

use std::sync::Arc;

use super::links::Found;
use super::{MOST_NESTED, Page};
use crate::format::value::Value;
use crate::link::{BaseScope, LinkData, Markup, ScopedBase};

/// A page in the page.
pub(super) struct Nested<'s> {
    /// How many links stand before it.
    pub(super) at: usize,
    /// The number of the start tag that it belongs to, if one came before it.
    pub(super) tag: Option<usize>,
    pub(super) value: Value<'s>,
    /// What holds it.
    pub(super) markup: Markup,
}

impl<'s> Page<'s, '_> {
    /// Puts the links of the pages in the page where these stand. Says whether one of them was guessed.
    pub(super) fn with_nested(&self, found: &mut Found<'s>) -> bool {
        if found.nested.is_empty() || self.depth >= MOST_NESTED {
            return false;
        }
        let mut guessed = false;
        let mut links = Vec::with_capacity(found.links.len() + found.nested.len());
        let mut outer = std::mem::take(&mut found.links).into_iter();
        let mut taken = 0;
        // The links behind a page move: of how many that stood before, and how far.
        let mut moved = vec![(0, 0)];
        for nested in std::mem::take(&mut found.nested) {
            links.extend(outer.by_ref().take(nested.at - taken));
            taken = nested.at;
            let before = links.len();
            let page = Page {
                within: Some(Arc::new(nested.markup)),
                depth: self.depth + 1,
                anchors: false,
                ..Page::of_text(&nested.value.text, self.options)
            };
            guessed |= links_of(&page, &nested.value, &mut links);
            let (_, as_map) = moved[moved.len() - 1];
            moved.push((taken, as_map + links.len() - before));
        }
        links.extend(outer);
        found.links = links;
        for base in &mut found.bases {
            let last = moved.partition_point(|&(at, _)| at <= base.link);
            base.link += moved[last - 1].1;
        }
        for integrity in &mut found.integrity {
            let last = moved.partition_point(|&(at, _)| at <= integrity.link);
            integrity.link += moved[last - 1].1;
        }
        guessed
    }
}

/// The links of a page that `value` is the text of, and whether it was guessed.
fn links_of(page: &Page<'_, '_>, value: &Value<'_>, links: &mut Vec<LinkData<'_>>) -> bool {
    let read = page.read();
    let base = read
        .base_reference()
        .and_then(|base| ScopedBase::new(base, None))
        .map(Arc::new);
    let bases: Vec<usize> = read.bases.iter().map(|base| base.link).collect();
    // Many links may share a base.
    let mut last: Option<(Arc<ScopedBase>, BaseScope)> = None;
    for (number, link) in read.links.into_iter().enumerate() {
        let mut link = link.into_owned();
        for span in &mut link.spans {
            *span = value.to_source(*span);
        }
        match (&link.against, &base) {
            // A page in the page has the base of that for its own URL.
            (BaseScope::Document, _) if bases.contains(&number) => link.against = BaseScope::Base,
            (BaseScope::Base, Some(base)) => link.against = BaseScope::Nested(Arc::clone(base)),
            (BaseScope::Nested(inner), Some(base)) => {
                let known = last.as_ref().filter(|(it, _)| Arc::ptr_eq(it, inner));
                let outer = match known {
                    Some((_, outer)) => outer.clone(),
                    None => inner
                        .within(base)
                        .map_or(BaseScope::Base, |it| BaseScope::Nested(Arc::new(it))),
                };
                last = Some((Arc::clone(inner), outer.clone()));
                link.against = outer;
            }
            _ => {}
        }
        links.push(link);
    }
    read.guessed
}
