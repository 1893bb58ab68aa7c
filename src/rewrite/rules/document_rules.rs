//! The rules for one document at a location.

use super::mirror::Own;
use super::{Location, Rules, SiteDocument};
use crate::document::{Document, Links};
use crate::link::{LinkData, Target};
use crate::rewrite::mapper::{Decision, Mapper};
use crate::rewrite::output_bases::OutputBases;
use crate::uri::Base;

/// The rules for one document, with its location: see [`Rules::of_document`].
#[derive(Clone, Debug)]
pub struct DocumentRules<'r> {
    rules: &'r Rules,
    own: Option<Own<'r>>,
    page: Option<SiteDocument<'r>>,
}

impl<'r> DocumentRules<'r> {
    /// The rules for a document of a mirror, or for any other.
    pub(super) fn new(rules: &'r Rules, own: Option<Own<'r>>) -> Self {
        Self { rules, own, page: None }
    }

    /// The same rules for this document of a documentation site. With `None` the links of the
    /// document name files.
    #[doc(hidden)]
    #[must_use]
    pub fn in_site(self, page: Option<SiteDocument<'r>>) -> Self {
        Self { page, ..self }
    }
}

impl Mapper for DocumentRules<'_> {
    fn decides_alone(&self) -> bool {
        self.own.is_none() && self.rules.decides_alone()
    }

    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        match &self.own {
            Some(own) => Some(own.output_bases(links.found(), &self.rules.base_elements)),
            None => self.rules.output_bases(links),
        }
    }

    fn map<'t>(
        &self,
        document: &Document,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        let location = Location { own: self.own.as_ref(), page: self.page.as_ref() };
        self.rules.map_for(location, document, link, target, base)
    }

    fn public_url(&self, uri: String) -> String {
        match &self.own {
            Some(own) => own.public_url(uri),
            None => uri,
        }
    }
}
