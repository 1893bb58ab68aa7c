//! The rules for one document at its place.

use super::SiteDocument;
use crate::document::{Document, Links};
use crate::link::{ParsedLink, Target, is_private};
use crate::mirror::{Mirror, MirrorDocument, MirrorPage};
use crate::rewrite::{Decision, Mapper, OutputBases, Placed, Rule, Rules, SkipReason};
use crate::site::{Site, bare_page};
use crate::uri::Base;

/// The rules for one document, with its place in a mirror and on a documentation site.
#[derive(Clone, Debug)]
pub struct DocumentRules<'r> {
    rules: &'r Rules,
    mirror: Option<MirrorDocument<'r>>,
    page: Option<SiteDocument<'r>>,
    tree: Option<&'r Site>,
}

impl<'r> DocumentRules<'r> {
    /// The rules for this page of a mirror, retrieved from its URL. With `None` the document is not
    /// in a mirror, and [`Rule::Mirror`] does not apply.
    pub fn new(rules: &'r Rules, page: Option<(&'r Mirror, MirrorPage)>) -> Self {
        let mirror = page.map(|(mirror, page)| {
            MirrorDocument::new(mirror, page, rules.resolver, &rules.base_elements)
        });
        Self { rules, mirror, page: None, tree: None }
    }

    /// Returns the rules for this document of a documentation site. With `None` the links of the
    /// document name files.
    #[must_use]
    pub fn in_site(self, page: Option<SiteDocument<'r>>) -> Self {
        Self { page, ..self }
    }

    /// Returns the rules for this document of a tree, in which the pages of clean URLs are looked
    /// up. With `None` every page may have a clean URL.
    #[must_use]
    pub fn in_tree(self, tree: Option<&'r Site>) -> Self {
        Self { tree, ..self }
    }
}

impl Mapper for DocumentRules<'_> {
    fn decides_alone(&self) -> bool {
        self.mirror.is_none() && self.rules.decides_alone()
    }

    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        match &self.mirror {
            Some(own) => Some(own.output_bases(links.found(), &self.rules.base_elements)),
            None => self.rules.output_bases(links),
        }
    }

    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        self.rules.map_in(self, document, link, target, base)
    }

    fn public_url(&self, uri: String) -> String {
        Placed::public_url(self, uri)
    }
}

impl Placed for DocumentRules<'_> {
    fn page_decision<'t>(
        &self,
        rules: &Rules,
        rule: &Rule,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
    ) -> Option<Decision<'t>> {
        self.page.as_ref()?.decision(rules, rule, link, target)
    }

    fn is_mirrored(&self) -> bool {
        self.mirror.is_some()
    }

    fn mirrored<'t>(
        &self,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
        uri: &'t str,
        stays_absolute: Option<SkipReason>,
    ) -> Option<Decision<'t>> {
        Some(self.mirror.as_ref()?.mirrored(link, target, base, uri, stays_absolute))
    }

    fn follows_base(&self, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
        self.mirror.as_ref().is_some_and(|mirror| mirror.follows_base(link, target))
    }

    fn names_page(&self, reference: &str, base: Option<&Base>, uri: &str, clean: &str) -> bool {
        let Some(tree) = self.tree else {
            return true;
        };
        // Files outside of the tree are unknown.
        if is_private(tree.url()) && tree.is_above(reference, base.map(Base::as_str)) {
            return false;
        }
        let (Some(path), Some(clean)) = (tree.path_of(uri), tree.path_of(clean)) else {
            return false;
        };
        let of_server = || {
            let page = bare_page(tree, &clean)?;
            tree.listing().resolved(&page).map(|(file, _)| file)
        };
        let page = tree.locate_path(&path).file();
        page.is_some() && page == tree.locate_path(&clean).file().or_else(of_server)
    }

    fn public_url(&self, uri: String) -> String {
        match &self.mirror {
            Some(mirror) => mirror.public_url(uri),
            None => uri,
        }
    }

    fn is_same_base(&self, old: Option<&str>, new: Option<&str>) -> bool {
        match &self.mirror {
            Some(mirror) => mirror.is_same_base(old, new),
            None => old == new,
        }
    }
}
