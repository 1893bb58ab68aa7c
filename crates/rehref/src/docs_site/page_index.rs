//! The pages of the sites of a tree by address.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::address::DocsSite;
use super::docs_sites::DocsSites;
use super::names::NameIndex;
use super::paths::{join, split, split_extension};
use crate::listing::{Entry, Id, Listing};

/// The maximum number of routes with parameters. Each unknown path is compared with all of them.
const MOST_ROUTES: usize = 256;

/// The pages of the sites of a tree by address, and notes by name.
#[derive(Debug, Default)]
pub(crate) struct PageIndex {
    /// By layout and key.
    pub(super) pages: HashMap<(usize, Vec<u8>), Keyed>,
    /// The directories for which Hugo makes a list of pages.
    pub(super) sections: HashSet<(usize, Vec<u8>)>,
    /// The last names of addresses whose directories may be changed by settings.
    pub(super) permalinks: HashSet<(usize, Vec<u8>)>,
    /// The documents of Docusaurus by their ids.
    pub(super) ids: HashMap<(usize, Vec<u8>), Id>,
    /// The routes with parameters.
    pub(super) routes: Vec<(usize, Vec<u8>)>,
    /// The files by the end of their path, from the first look-up of one.
    pub(super) names: OnceLock<NameIndex>,
}

/// The pages of one key.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keyed {
    pub(super) file: Option<Id>,
    pub(super) index: Option<Id>,
}

impl PageIndex {
    pub(crate) fn new(layouts: &DocsSites, listing: &Listing) -> Self {
        let mut index = Self::default();
        for (id, path, entry) in listing.iter() {
            if entry == Entry::File
                && let Some((number, layout)) = layouts.publisher_of(path)
            {
                index.add(listing, number, layout, id);
            }
        }
        index
    }

    fn add(&mut self, listing: &Listing, number: usize, layout: &DocsSite, id: Id) {
        let path = listing.name(id);
        let Some(address) = layout.address(path) else {
            return;
        };
        if address.key.contains(&b'[') && self.routes.len() < MOST_ROUTES {
            self.routes.push((number, address.key.clone()));
        }
        if let Some(document) = layout.document_id(path, path) {
            self.ids.entry((number, document)).or_insert(id);
        }
        if let Some(section) = layout.section_of(path) {
            self.sections.insert((number, section));
        }
        if let Some(name) = layout.permalink_of(path) {
            self.permalinks.insert((number, name.into_owned()));
        }
        if address.is_index && layout.kind.program().names_indexes {
            let document = join(&address.key, split_extension(split(path).1).0);
            self.pages.entry((number, document)).or_default().file = Some(id);
        }
        let aliases = layout.aliases_of(path, &address);
        let pages = self.pages.entry((number, address.key)).or_default();
        let place = match address.is_index {
            true => &mut pages.index,
            false => &mut pages.file,
        };
        let rank = |id: Id| layout.rank_of_index(listing.name(id));
        if place.is_none_or(|other| rank(id) < rank(other)) {
            *place = Some(id);
        }
        for alias in aliases {
            let pages = self.pages.entry((number, alias)).or_default();
            pages.file.get_or_insert(id);
            pages.index.get_or_insert(id);
        }
    }
}
